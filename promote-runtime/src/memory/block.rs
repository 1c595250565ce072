//! Blocks of memory on the stack, and the cache lines of results.

use core::mem::MaybeUninit;

/// The bytes that a processor reads and writes at once.
pub(crate) const LINE: usize = 64;

/// The number of bytes of results from which a separate call for the elements before the first whole cache
/// line costs less than vectors that touch two lines.
const LINED: usize = 4096;

/// Returns true if vectors of results from `out` on lie within cache lines, or are too few for a second call.
#[inline(always)]
pub(crate) const fn is_lined(out: usize, bytes: usize) -> bool {
    out.is_multiple_of(LINE) || bytes < LINED
}

/// `N` bytes that need not be initialised, aligned for every dtype.
#[repr(C, align(64))]
pub(crate) struct Block<const N: usize>(MaybeUninit<[u8; N]>);

impl<const N: usize> Block<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Block(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        core::ptr::from_mut(self).cast()
    }

    /// The block as room for as many `T` as it holds.
    #[inline(always)]
    pub(crate) const fn room<T>(&mut self) -> &mut [MaybeUninit<T>] {
        const { assert!(align_of::<T>() <= align_of::<Self>()) };
        let pointer = self.pointer().cast::<MaybeUninit<T>>();
        // SAFETY: the block is aligned for `T` and holds that many; they need not be initialised. It is
        // borrowed for as long as they are.
        unsafe { core::slice::from_raw_parts_mut(pointer, N / size_of::<T>()) }
    }
}
