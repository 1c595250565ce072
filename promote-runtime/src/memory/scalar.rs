//! Single elements whose dtype is known at run time.

use core::mem::MaybeUninit;

use crate::DType;
use crate::element::{Element, check_layout};
use crate::error::call::CallError;

/// A single element whose dtype is known at run time.
///
/// ```
/// use promote::{DType, ScalarValue};
///
/// let half = ScalarValue::from(0.5_f64);
/// assert_eq!((half.dtype(), half.get::<f64>(), half.get::<f32>()), (DType::F64, Some(0.5), None));
/// assert_eq!(half.to_string(), "0.5");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScalarValue {
    /// The element's bytes, then zeros.
    bytes: Bytes,
    dtype: DType,
}

#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Bytes([u8; 16]);

impl ScalarValue {
    /// Returns a typed element.
    #[inline]
    pub fn new<T: Element>(value: T) -> Self {
        check_layout::<T>();
        const { assert!(size_of::<T::Repr>() <= 16 && align_of::<T::Repr>() <= 16) };
        let mut bytes = Bytes([0; 16]);
        // SAFETY: the bytes are at least as many and as aligned as a `Repr`, which has no padding.
        unsafe {
            core::ptr::from_mut(&mut bytes).cast::<T::Repr>().write(value.to_repr());
        }
        ScalarValue { bytes, dtype: T::DTYPE }
    }

    /// Returns the dtype.
    #[inline]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns an element of a dtype from its bytes, in native byte order.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only, if it is custom and its size is not 1, 2, 4, 8 or
    /// 16 bytes, or if the number of bytes is not its size.
    ///
    /// ```
    /// use promote::{DType, ScalarValue};
    ///
    /// let value = ScalarValue::from_bytes(DType::I16, &(-2_i16).to_ne_bytes())?;
    /// assert_eq!(value.get::<i16>(), Some(-2));
    /// # Ok::<(), promote::CallError>(())
    /// ```
    pub fn from_bytes(dtype: DType, bytes: &[u8]) -> Result<Self, CallError> {
        let own = matches!((dtype, dtype.size()), (DType::Custom(_), Some(1 | 2 | 4 | 8 | 16)));
        if !dtype.has_type() && !own {
            return Err(CallError::NoElements { dtype });
        }
        if dtype.size() != Some(bytes.len()) {
            return Err(CallError::PartialElement { dtype, bytes: bytes.len() });
        }
        let mut all = Bytes([0; 16]);
        all.0[..bytes.len()].copy_from_slice(bytes);
        if matches!(dtype, DType::Bool) {
            all.0[0] = u8::from(all.0[0] != 0);
        }
        Ok(ScalarValue { bytes: all, dtype })
    }

    /// Returns the bytes of the element, in native byte order.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes.0[..self.dtype.size().unwrap_or(0)]
    }

    /// Returns the element; `None` if the dtype is not that of `T`.
    #[inline]
    pub fn get<T: Element>(&self) -> Option<T> {
        if self.dtype != T::DTYPE {
            return None;
        }
        // SAFETY: the 16 bytes hold an element of that dtype, aligned to 16; a `Repr` has the dtype's size
        // and asks for no greater alignment than its size; every bit pattern is a valid one.
        let repr = unsafe { core::ptr::from_ref(&self.bytes).cast::<T::Repr>().read() };
        Some(T::from_repr(repr))
    }

    /// Returns the element that `write` writes into 16 bytes, which are zero and aligned to 16.
    pub(crate) fn written_by(dtype: DType, write: impl FnOnce(*mut u8)) -> ScalarValue {
        let mut bytes = Bytes([0; 16]);
        write(core::ptr::from_mut(&mut bytes).cast());
        ScalarValue { bytes, dtype }
    }

    /// Returns a pointer to the bytes, which are aligned for every element.
    #[inline(always)]
    pub(crate) const fn pointer(&self) -> *const u8 {
        core::ptr::from_ref(&self.bytes).cast()
    }
}

/// Evaluates an expression in which `$ty` is the integer with as many bytes as an element.
macro_rules! by_size {
    ($size:expr, $ty:ident => $body:expr) => {{
        macro_rules! with {
            ($integer:ty) => {{
                type $ty = $integer;
                $body
            }};
        }
        match $size {
            1 => with!(u8),
            2 => with!(u16),
            4 => with!(u32),
            8 => with!(u64),
            16 => with!(u128),
            _ => unreachable!("elements have 1, 2, 4, 8 or 16 bytes"),
        }
    }};
}
pub(crate) use by_size;

/// Writes `n` copies of an element of `size` bytes: 1, 2, 4, 8 or 16.
///
/// # Safety
///
/// The element is aligned as an integer of its size is; `out` is aligned to 16 bytes and has room for `n`
/// elements.
#[inline]
#[allow(clippy::cast_ptr_alignment, reason = "the caller promises the alignment")]
pub(crate) unsafe fn fill(element: *const u8, size: usize, out: *mut u8, n: usize) {
    debug_assert!(out.addr().is_multiple_of(16));
    // SAFETY: as the caller promises; every bit pattern is an integer, and `out` may be uninitialised.
    by_size!(size, T => unsafe {
        let out = core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), n);
        out.fill(MaybeUninit::new(element.cast::<T>().read()));
    });
}

impl<T: Element> From<T> for ScalarValue {
    #[inline]
    fn from(value: T) -> Self {
        ScalarValue::new(value)
    }
}
