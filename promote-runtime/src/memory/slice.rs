//! Slices of contiguous elements whose dtype is known at run time.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::DType;
use crate::element::{Element, check_layout};
use crate::error::call::CallError;
use crate::memory::block::is_lined;
use crate::memory::threads;
use crate::memory::{Argument, TensorView, TensorViewMut};

/// A read-only slice of contiguous elements, whose dtype is known at run time.
///
/// It may begin at any address; a call copies unaligned elements block by block. `&[T]`, `&[T; N]` and
/// `&Vec<T>` convert to it.
///
/// ```
/// use promote::{DType, Slice};
///
/// let floats = Slice::new(&[1.0_f32, 2.0]);
/// assert_eq!((floats.dtype(), floats.len()), (DType::F32, 2));
/// assert_eq!(floats.as_slice::<f32>(), Some(&[1.0, 2.0][..]));
/// assert_eq!(floats.as_slice::<i32>(), None);
/// ```
#[derive(Clone, Copy)]
pub struct Slice<'a> {
    dtype: DType,
    pointer: *const u8,
    len: usize,
    /// True if the elements are aligned for every element type of the dtype and come from a reference, so
    /// that no `out` overlaps them.
    plain: bool,
    memory: PhantomData<&'a [u8]>,
}

/// A mutable slice of contiguous elements, whose dtype is known at run time.
///
/// Calls on slices write their results into it. It may begin at any address, and may be uninitialised
/// ([`SliceMut::uninit`]). `&mut [T]`, `&mut [T; N]` and `&mut Vec<T>` convert to it.
///
/// ```
/// use promote::{Op, SliceMut, Torch};
///
/// let mut sums = [0_i16; 2];
/// let rules = Torch::new().rule_set();
/// rules.binary(Op::Add, (&[100_u8, 200]).into(), (&[-1_i8, 100]).into(), SliceMut::new(&mut sums))?;
/// assert_eq!(sums, [99, 300]);
/// # Ok::<(), promote::Error>(())
/// ```
pub struct SliceMut<'a> {
    dtype: DType,
    pointer: *mut u8,
    len: usize,
    /// True if the memory is aligned for every element type of the dtype and comes from a mutable reference,
    /// so that it overlaps no operand.
    plain: bool,
    /// True if the slice can be an operand as well: the elements are initialised, or the caller of
    /// `from_raw_parts` promised it of elements that are read.
    initialised: bool,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: only the pointer keeps a slice from being `Send` by itself. A slice reads its `len` elements and
// never writes them. They are initialised and valid for `'a`. With a shared reference nothing writes to them.
// With `from_raw_parts`, only the `out` of a call that takes the slice may overlap them. The caller who made
// that `out` from an address promised that nothing but the call reads or writes it, so no other thread reads
// these elements meanwhile. Element types are `Sync`.
unsafe impl Send for Slice<'_> {}
// SAFETY: methods that take `&self` read elements and nothing else; see `Send`.
unsafe impl Sync for Slice<'_> {}
// SAFETY: only the pointer keeps a mutable slice from being `Send` by itself. Its elements lie in memory that
// is valid for `'a`, and nothing but the slice and the calls that take it reads or writes them during `'a`: a
// mutable reference guarantees it, or the caller of `from_raw_parts` promised it. Element types are `Send`,
// so another thread may use them instead.
unsafe impl Send for SliceMut<'_> {}
// SAFETY: methods that take `&self` read the dtype, the length and flags, and no element.
unsafe impl Sync for SliceMut<'_> {}

/// Implements the methods that slices and mutable slices have in common.
macro_rules! accessors {
    ($($slice:ident)*) => {$(
        impl $slice<'_> {
            /// Returns the dtype.
            #[inline]
            pub const fn dtype(&self) -> DType {
                self.dtype
            }

            /// Returns the number of elements.
            #[inline]
            pub const fn len(&self) -> usize {
                self.len
            }

            /// Returns true if there are no elements.
            #[inline]
            pub const fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// Returns the size of an element in bytes.
            #[inline]
            pub(crate) fn size(&self) -> usize {
                self.dtype.size().unwrap_or(0)
            }

            /// Returns true if a kernel can use the elements in place, and no other operand overlaps them.
            #[inline]
            pub(crate) const fn is_plain(&self) -> bool {
                self.plain
            }

            /// Returns true if a kernel can use the elements in place.
            #[inline]
            pub(crate) fn is_aligned(&self) -> bool {
                self.plain || is_aligned(self.dtype, self.pointer)
            }
        }
    )*};
}

accessors! { Slice SliceMut }

impl<'a> Slice<'a> {
    /// Returns a slice of typed elements.
    #[inline]
    pub const fn new<T: Element>(elements: &'a [T]) -> Self {
        check_layout::<T>();
        Slice::from_parts(T::DTYPE, elements.as_ptr().cast(), elements.len(), true)
    }

    /// Returns a slice of the elements in `bytes`, which are in native byte order and may be unaligned.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only, or if the number of bytes is not a multiple of
    /// the element size.
    ///
    /// ```
    /// use promote::{DType, Slice};
    ///
    /// let bytes = [1_u16.to_ne_bytes(), 2_u16.to_ne_bytes()].concat();
    /// assert_eq!(Slice::from_bytes(DType::U16, &bytes)?.len(), 2);
    /// assert!(Slice::from_bytes(DType::U16, &bytes[1..]).is_err());
    /// # Ok::<(), promote::CallError>(())
    /// ```
    #[inline]
    pub fn from_bytes(dtype: DType, bytes: &'a [u8]) -> Result<Self, CallError> {
        let len = count(dtype, bytes.len())?;
        let pointer = address(dtype, bytes.as_ptr(), len);
        Ok(Slice::from_parts(dtype, pointer, len, is_aligned(dtype, pointer)))
    }

    /// Returns a slice of `len` elements from an address on.
    ///
    /// The `out` of a call may overlap such a slice: every element is then read before it is overwritten.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only.
    ///
    /// # Safety
    ///
    /// From `pointer` on there are `len` initialised elements of the dtype's size, all in one allocation.
    /// During `'a` nothing writes to them, except a call that takes this slice and an `out` made by
    /// [`SliceMut::from_raw_parts`] or
    /// [`TensorViewMut::from_raw_parts`](crate::TensorViewMut::from_raw_parts).
    #[inline]
    pub unsafe fn from_raw_parts(dtype: DType, pointer: *const u8, len: usize) -> Result<Self, CallError> {
        element_size(dtype)?;
        Ok(Slice::from_parts(dtype, address(dtype, pointer, len), len, false))
    }

    /// Returns the elements as a Rust slice. Returns `None` if the dtype is not that of `T`, if the elements
    /// are unaligned or come from [`Slice::from_raw_parts`], or if they are `bool` and a byte is neither 0
    /// nor 1.
    ///
    /// ```
    /// use promote::{DType, Slice};
    ///
    /// let slice = Slice::new(&[1.0_f32, 2.0]);
    /// assert_eq!(slice.as_slice::<f32>(), Some(&[1.0, 2.0][..]));
    /// assert_eq!(slice.as_slice::<i32>(), None);
    /// assert_eq!(Slice::from_bytes(DType::Bool, &[0, 2])?.as_slice::<bool>(), None);
    /// # Ok::<(), promote::CallError>(())
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&'a [T]> {
        check_layout::<T>();
        if self.dtype != T::DTYPE || !self.plain {
            return None;
        }
        if matches!(self.dtype, DType::Bool) {
            // SAFETY: elements of `bool` are `len` initialised bytes, borrowed for `'a`.
            let bytes = unsafe { core::slice::from_raw_parts(self.pointer, self.len) };
            if bytes.iter().any(|&byte| byte > 1) {
                return None;
            }
        }
        // SAFETY: they are `len` initialised elements of `T`'s dtype, borrowed for `'a` since they are plain.
        // `T` has the dtype's size, and an alignment that divides the dtype's or is that of the type they
        // were made of. By the contract of `Element`, every bit pattern is a valid `T`, except where the
        // dtype is `bool`: there 0 and 1 are, and no byte is another.
        Some(unsafe { core::slice::from_raw_parts(self.pointer.cast::<T>(), self.len) })
    }

    /// Returns true if the elements can be read as a Rust slice, unless they are bools.
    #[cfg(feature = "alloc")]
    pub(crate) const fn is_readable(&self) -> bool {
        self.plain
    }

    #[inline]
    pub(crate) const fn pointer(&self) -> *const u8 {
        self.pointer
    }

    /// Returns the shape, of one axis.
    pub(crate) const fn shape(&self) -> &[usize] {
        core::slice::from_ref(&self.len)
    }

    /// Returns a slice of contiguous elements; `plain` as in [`Slice`].
    #[inline(always)]
    pub(crate) const fn from_parts(dtype: DType, pointer: *const u8, len: usize, plain: bool) -> Self {
        Slice { dtype, pointer, len, plain, memory: PhantomData }
    }

    /// Returns a copy built field by field. Passing it on lets the original stay in registers.
    #[inline(always)]
    pub(crate) const fn again(&self) -> Slice<'a> {
        Slice { ..*self }
    }

    /// Returns the `n` elements from `start` on.
    pub(crate) fn part(&self, start: usize, n: usize) -> Slice<'a> {
        assert!(n <= self.len && start <= self.len - n, "a part of a slice lies within it");
        Slice { pointer: self.pointer.wrapping_add(start * self.size()), len: n, ..*self }
    }
}

impl<'a> SliceMut<'a> {
    /// Returns a mutable slice of typed elements.
    #[inline]
    pub const fn new<T: Element>(elements: &'a mut [T]) -> Self {
        check_layout::<T>();
        SliceMut::from_parts(T::DTYPE, elements.as_mut_ptr().cast(), elements.len(), true, true)
    }

    /// Returns a mutable slice of memory that may be uninitialised. A call that returns `Ok` has initialised
    /// all of it.
    ///
    /// ```
    /// use core::mem::MaybeUninit;
    /// use promote::{Op, SliceMut, Torch};
    ///
    /// let mut out = [MaybeUninit::<i32>::uninit(); 2];
    /// Torch::new().rule_set().binary(Op::Add, (&[1, 2]).into(), 10.into(), SliceMut::uninit(&mut out))?;
    /// // SAFETY: the call succeeded, so it has initialised all elements.
    /// assert_eq!(out.map(|x| unsafe { x.assume_init() }), [11, 12]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub const fn uninit<T: Element>(elements: &'a mut [MaybeUninit<T>]) -> Self {
        check_layout::<T>();
        SliceMut::from_parts(T::DTYPE, elements.as_mut_ptr().cast(), elements.len(), true, false)
    }

    /// Returns a mutable slice of the elements in `bytes`, as [`Slice::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Slice::from_bytes`].
    #[inline]
    pub fn from_bytes(dtype: DType, bytes: &'a mut [u8]) -> Result<Self, CallError> {
        let len = count(dtype, bytes.len())?;
        let pointer = address(dtype, bytes.as_mut_ptr(), len).cast_mut();
        Ok(SliceMut::from_parts(dtype, pointer, len, is_aligned(dtype, pointer), true))
    }

    /// Returns a mutable slice of `len` elements from an address on.
    ///
    /// Operands of a call may overlap such a slice: every element is then read before it is overwritten.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only.
    ///
    /// # Safety
    ///
    /// From `pointer` on there is memory for `len` elements of the dtype's size, all in one allocation.
    /// During `'a` nothing but this slice and the calls that take it reads or writes it. The elements are
    /// initialised if they are read: by a call with [`Argument::InPlace`], or through the [`TensorViewMut`]
    /// that the slice is converted to.
    ///
    /// [`Argument::InPlace`]: crate::Argument::InPlace
    /// [`TensorViewMut`]: crate::TensorViewMut
    #[inline]
    pub unsafe fn from_raw_parts(dtype: DType, pointer: *mut u8, len: usize) -> Result<Self, CallError> {
        element_size(dtype)?;
        Ok(SliceMut::from_parts(dtype, address(dtype, pointer, len).cast_mut(), len, false, true))
    }

    /// Returns the elements as a mutable Rust slice. Returns `None` if the dtype is not that of `T`, if the
    /// elements are unaligned, uninitialised or come from [`SliceMut::from_raw_parts`]. For `bool`, bytes
    /// other than 0 are set to 1 first.
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        check_layout::<T>();
        if self.dtype != T::DTYPE || !self.plain || !self.initialised {
            return None;
        }
        if matches!(self.dtype, DType::Bool) {
            // SAFETY: elements of `bool` are `len` initialised bytes, borrowed exclusively as long as `self`
            // is.
            let bytes = unsafe { core::slice::from_raw_parts_mut(self.pointer, self.len) };
            for byte in bytes {
                *byte = u8::from(*byte != 0);
            }
        }
        // SAFETY: they are `len` initialised elements of `T`'s dtype, borrowed exclusively since they are
        // plain. `T` has the dtype's size, and an alignment that divides the dtype's or is that of the type
        // they were made of. By the contract of `Element`, every bit pattern is a valid `T`, except where the
        // dtype is `bool`: there all are 0 or 1 by now.
        Some(unsafe { core::slice::from_raw_parts_mut(self.pointer.cast::<T>(), self.len) })
    }

    /// Reborrows the slice for a shorter lifetime, so that it can be passed to several calls in turn.
    #[inline]
    pub const fn reborrow(&mut self) -> SliceMut<'_> {
        SliceMut { memory: PhantomData, ..*self }
    }

    /// Returns a slice of contiguous elements; `plain` and `initialised` as in [`SliceMut`].
    #[inline(always)]
    pub(crate) const fn from_parts(
        dtype: DType,
        pointer: *mut u8,
        len: usize,
        plain: bool,
        initialised: bool,
    ) -> Self {
        SliceMut { dtype, pointer, len, plain, initialised, memory: PhantomData }
    }

    #[inline]
    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        self.pointer
    }

    /// Returns the memory as a slice whose elements may be uninitialised.
    #[inline]
    pub(crate) const fn memory(&mut self) -> Slice<'a> {
        Slice {
            dtype: self.dtype,
            pointer: self.pointer,
            len: self.len,
            plain: self.plain,
            memory: PhantomData,
        }
    }

    /// Returns true if the elements are initialised, so that the slice can be an operand.
    #[inline]
    pub(crate) const fn is_initialised(&self) -> bool {
        self.initialised
    }

    /// Returns true if a kernel can compute two operands into this slice: the slices have equal lengths, are
    /// aligned, do not overlap, and are too short for threads and non-temporal stores.
    #[inline(always)]
    pub(crate) fn takes(&self, a: &Slice<'_>, b: &Slice<'_>) -> bool {
        let as_long = a.len == self.len && b.len == self.len;
        as_long && (a.plain & b.plain & self.plain) && self.len < threads::MIN_LEN
    }

    /// Returns true if a kernel can compute two operands into this slice, and gains nothing by a call of its
    /// own for the elements before the first whole cache line.
    #[inline(always)]
    pub(crate) fn takes_at_once(&self, a: &Slice<'_>, b: &Slice<'_>) -> bool {
        // Four bytes stand for any size: it is not worth a look at the dtype.
        self.takes(a, b) & is_lined(self.pointer.addr(), 4 * self.len)
    }
}

/// Returns the alignment of a dtype, at least 1. A custom dtype may declare 0.
fn alignment(dtype: DType) -> usize {
    dtype.align().max(1)
}

/// Returns the address of the elements; without elements, an address that is aligned for the dtype. Kernels
/// and callers make Rust slices of it, and a pointer to an empty slice must be aligned and not null, too.
pub(crate) fn address(dtype: DType, pointer: *const u8, len: usize) -> *const u8 {
    if len == 0 { core::ptr::without_provenance(alignment(dtype)) } else { pointer }
}

/// Returns true if elements of the dtype may start at this address.
pub(crate) fn is_aligned(dtype: DType, pointer: *const u8) -> bool {
    pointer.addr().is_multiple_of(alignment(dtype))
}

/// Returns the size of an element in bytes, which is at least 1.
pub(crate) fn element_size(dtype: DType) -> Result<usize, CallError> {
    let size = match dtype {
        DType::Custom(_) => dtype.size(),
        _ if dtype.has_type() => dtype.size(),
        _ => None,
    };
    size.filter(|size| *size > 0).ok_or(CallError::NoElements { dtype })
}

/// Returns the number of elements of a dtype in `bytes` bytes.
fn count(dtype: DType, bytes: usize) -> Result<usize, CallError> {
    let size = element_size(dtype)?;
    if !bytes.is_multiple_of(size) {
        return Err(CallError::PartialElement { dtype, bytes });
    }
    Ok(bytes / size)
}

impl fmt::Debug for Slice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slice")
            .field("dtype", &self.dtype)
            .field("elements", &format_args!("{}", TensorView::from(*self)))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SliceMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SliceMut").field("dtype", &self.dtype).field("len", &self.len).finish_non_exhaustive()
    }
}

/// Implements the conversions of references to elements.
macro_rules! from_elements {
    ($([$($mutable:tt)?] $slice:ident => $target:ident;)*) => {$(
        impl<'a, T: Element> From<&'a $($mutable)? [T]> for $target<'a> {
            #[inline]
            fn from(elements: &'a $($mutable)? [T]) -> Self {
                $slice::new(elements).into()
            }
        }

        impl<'a, T: Element, const N: usize> From<&'a $($mutable)? [T; N]> for $target<'a> {
            #[inline]
            fn from(elements: &'a $($mutable)? [T; N]) -> Self {
                $slice::new(elements).into()
            }
        }

        #[cfg(feature = "alloc")]
        impl<'a, T: Element> From<&'a $($mutable)? alloc::vec::Vec<T>> for $target<'a> {
            #[inline]
            fn from(elements: &'a $($mutable)? alloc::vec::Vec<T>) -> Self {
                $slice::new(elements).into()
            }
        }
    )*};
}

from_elements! {
    [] Slice => Slice;
    [] Slice => TensorView;
    [] Slice => Argument;
    [mut] SliceMut => SliceMut;
    [mut] SliceMut => TensorViewMut;
}
