//! Contiguous elements whose dtype is known at run time.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::error::CallError;
use super::scalar::ScalarValue;
use crate::DType;
use crate::element::{Element, check_layout};

/// Elements of one dtype side by side, to be read: as any element type of the dtype, for these are interchangeable.
#[derive(Clone, Copy, Debug)]
pub struct SliceRef<'a> {
    dtype: DType,
    /// Aligned for every element type of the dtype.
    pointer: *const u8,
    len: usize,
    memory: PhantomData<&'a [u8]>,
}

/// Room for elements of one dtype side by side, to be written: as any element type of the dtype, for these are
/// interchangeable.
#[derive(Debug)]
pub struct SliceMut<'a> {
    dtype: DType,
    /// Aligned for every element type of the dtype.
    pointer: *mut u8,
    len: usize,
    memory: PhantomData<&'a mut [u8]>,
}

/// An operand of a call.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// One element for each place of `out`.
    Slice(SliceRef<'a>),
    /// The same element for every place of `out`.
    Scalar(ScalarValue),
}

// SAFETY: it stands for a `&[T]` of elements, and elements are `Sync`.
unsafe impl Send for SliceRef<'_> {}
// SAFETY: as above.
unsafe impl Sync for SliceRef<'_> {}
// SAFETY: it stands for a `&mut [T]` of elements, and elements are `Send`.
unsafe impl Send for SliceMut<'_> {}
// SAFETY: through a shared reference only dtype and length can be read.
unsafe impl Sync for SliceMut<'_> {}

impl<'a> SliceRef<'a> {
    /// Typed elements.
    #[inline]
    pub const fn new<T: Element>(elements: &'a [T]) -> Self {
        check_layout::<T>();
        let pointer = elements.as_ptr().cast();
        SliceRef { dtype: T::DTYPE, pointer, len: elements.len(), memory: PhantomData }
    }

    /// The elements that lie in `bytes`.
    ///
    /// # Errors
    ///
    /// When the dtype has no elements, or the bytes are no whole number of elements or not aligned for them. No bytes at
    /// all are aligned for any.
    #[inline]
    pub fn from_bytes(dtype: DType, bytes: &'a [u8]) -> Result<Self, CallError> {
        let len = count(dtype, bytes.as_ptr().addr(), bytes.len())?;
        let empty = core::ptr::without_provenance(alignment(dtype));
        let pointer = if len == 0 { empty } else { bytes.as_ptr() };
        Ok(SliceRef { dtype, pointer, len, memory: PhantomData })
    }

    /// The dtype of the elements.
    #[inline]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many elements there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements as `T`; `None` where they are of another dtype, or are `bool` and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Option<&'a [T]> {
        check_layout::<T>();
        if self.dtype != T::DTYPE {
            return None;
        }
        if matches!(self.dtype, DType::Bool) {
            // SAFETY: elements of `bool` are `len` initialised bytes, borrowed for `'a`.
            let bytes = unsafe { core::slice::from_raw_parts(self.pointer, self.len) };
            if bytes.iter().any(|&byte| byte > 1) {
                return None;
            }
        }
        // SAFETY: they are `len` initialised elements of `T`'s dtype, borrowed for `'a`. `T` has the dtype's size, and an
        // alignment that divides the dtype's or is that of the type they were made of. By the contract of `Element`, every
        // bit pattern is a valid `T`, except where the dtype is `bool`: there 0 and 1 are, and no byte is another.
        Some(unsafe { core::slice::from_raw_parts(self.pointer.cast::<T>(), self.len) })
    }

    #[inline]
    pub(super) const fn pointer(&self) -> *const u8 {
        self.pointer
    }
}

impl<'a> Input<'a> {
    /// The dtype of its elements.
    pub fn dtype(&self) -> DType {
        match self {
            Input::Slice(slice) => slice.dtype(),
            Input::Scalar(value) => value.dtype(),
        }
    }

    /// The `n` elements from `start` on, which are there; a scalar is the same everywhere.
    pub(super) fn part(&self, start: usize, n: usize) -> Input<'a> {
        let slice = match self {
            Input::Slice(slice) => slice,
            Input::Scalar(value) => return Input::Scalar(*value),
        };
        assert!(n <= slice.len && start <= slice.len - n, "a part of a slice lies within it");
        let pointer = slice.pointer.wrapping_add(start * slice.dtype.size().unwrap_or(0));
        Input::Slice(SliceRef { pointer, len: n, ..*slice })
    }
}

impl<'a> SliceMut<'a> {
    /// Typed elements, to be overwritten.
    #[inline]
    pub const fn new<T: Element>(elements: &'a mut [T]) -> Self {
        check_layout::<T>();
        let len = elements.len();
        SliceMut { dtype: T::DTYPE, pointer: elements.as_mut_ptr().cast(), len, memory: PhantomData }
    }

    /// Room for typed elements; after a call that gives `Ok`, all of them are initialised.
    #[inline]
    pub const fn uninit<T: Element>(elements: &'a mut [MaybeUninit<T>]) -> Self {
        check_layout::<T>();
        let len = elements.len();
        SliceMut { dtype: T::DTYPE, pointer: elements.as_mut_ptr().cast(), len, memory: PhantomData }
    }

    /// The elements that lie in `bytes`, to be overwritten.
    ///
    /// # Errors
    ///
    /// As [`SliceRef::from_bytes`].
    #[inline]
    pub fn from_bytes(dtype: DType, bytes: &'a mut [u8]) -> Result<Self, CallError> {
        let len = count(dtype, bytes.as_ptr().addr(), bytes.len())?;
        let empty = core::ptr::without_provenance_mut(alignment(dtype));
        let pointer = if len == 0 { empty } else { bytes.as_mut_ptr() };
        Ok(SliceMut { dtype, pointer, len, memory: PhantomData })
    }

    /// The same elements for a shorter time.
    #[inline]
    pub const fn reborrow(&mut self) -> SliceMut<'_> {
        SliceMut { dtype: self.dtype, pointer: self.pointer, len: self.len, memory: PhantomData }
    }

    /// The dtype of the elements.
    #[inline]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many elements there is room for.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is room for none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) const fn pointer(&mut self) -> *mut u8 {
        self.pointer
    }
}

/// The alignment of a dtype, of which a custom one may say 0.
fn alignment(dtype: DType) -> usize {
    dtype.align().max(1)
}

/// How many elements of a dtype lie in `bytes` bytes at `address`; no bytes may lie anywhere.
fn count(dtype: DType, address: usize, bytes: usize) -> Result<usize, CallError> {
    let size = match dtype {
        DType::Custom(_) => dtype.size(),
        _ if dtype.has_type() => dtype.size(),
        _ => None,
    };
    let Some(size @ 1..) = size else {
        return Err(CallError::NoElements { dtype });
    };
    if !bytes.is_multiple_of(size) {
        return Err(CallError::PartialElement { dtype, bytes });
    }
    if bytes > 0 && !address.is_multiple_of(alignment(dtype)) {
        return Err(CallError::Misaligned { dtype });
    }
    Ok(bytes / size)
}

impl<'a, T: Element> From<&'a [T]> for SliceRef<'a> {
    #[inline]
    fn from(elements: &'a [T]) -> Self {
        SliceRef::new(elements)
    }
}

impl<'a, T: Element> From<&'a mut [T]> for SliceMut<'a> {
    #[inline]
    fn from(elements: &'a mut [T]) -> Self {
        SliceMut::new(elements)
    }
}

impl<'a> From<SliceRef<'a>> for Input<'a> {
    #[inline]
    fn from(slice: SliceRef<'a>) -> Self {
        Input::Slice(slice)
    }
}

impl<'a, T: Element> From<&'a [T]> for Input<'a> {
    #[inline]
    fn from(elements: &'a [T]) -> Self {
        Input::Slice(SliceRef::new(elements))
    }
}

impl From<ScalarValue> for Input<'_> {
    #[inline]
    fn from(value: ScalarValue) -> Self {
        Input::Scalar(value)
    }
}
