//! The inputs of a kernel function, two of which stay in registers: written to memory and read again by the
//! function, they would cost a call on few elements a third of its time.

use super::{RawKernel, Status};

/// Pointers to the inputs of a kernel function.
#[derive(Clone, Copy)]
pub struct Pointers {
    first: *const u8,
    second: *const u8,
    more: *const *const u8,
}

impl Pointers {
    /// Those of a [`RawKernel`]'s call.
    #[inline(always)]
    pub const fn new(first: *const u8, second: *const u8, more: *const *const u8) -> Pointers {
        Pointers { first, second, more }
    }

    /// These, as long as the array is there.
    #[inline(always)]
    pub(crate) const fn of<const N: usize>(pointers: &[*const u8; N]) -> Pointers {
        const { assert!(N > 0) };
        Pointers {
            first: pointers[0],
            second: if N > 1 { pointers[1] } else { core::ptr::null() },
            // Where there are no more, the array need not be in memory.
            more: if N > 2 { pointers.as_ptr().wrapping_add(2) } else { core::ptr::null() },
        }
    }

    /// The first one.
    #[inline(always)]
    pub(crate) const fn first(self) -> *const u8 {
        self.first
    }

    /// The second one; anything where there is but one.
    #[inline(always)]
    pub(crate) const fn second(self) -> *const u8 {
        self.second
    }

    /// The one at place `i`.
    ///
    /// # Safety
    ///
    /// There are more than `i`.
    #[inline(always)]
    pub(crate) const unsafe fn at(self, i: usize) -> *const u8 {
        match i {
            0 => self.first,
            1 => self.second,
            // SAFETY: as the caller promises, one stands there.
            _ => unsafe { self.more.add(i - 2).read() },
        }
    }
}

/// Calls a kernel function.
///
/// # Safety
///
/// As [`RawKernel`] says, with these inputs.
#[inline(always)]
pub(crate) unsafe fn invoke<const N: usize>(
    raw: RawKernel,
    n: usize,
    inputs: &[*const u8; N],
    out: *mut u8,
) -> Status {
    let Pointers { first, second, more } = Pointers::of(inputs);
    // SAFETY: as the caller promises; behind the second input are the rest of `inputs`, which are borrowed as
    // long as the call lasts.
    unsafe { raw(n, first, second, more, out) }
}
