//! Single elements whose dtype is known at run time, and their conversion from numbers.

use super::custom;
use crate::Kind;
use core::fmt;
use core::mem::MaybeUninit;

use float8::F8E4M3;
use num_complex::Complex;

use super::error::CallError;
use super::pointers::Function;
use crate::DType;
use crate::Number;
use crate::convert::{Cast, Nan, Overflow, Saturate};
use crate::element::{Element, check_layout};
use crate::level::Level;

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

    /// Returns the value as a number without a width. An element of a custom dtype is cast first; `None` if
    /// the dtype has no casts.
    pub fn number(&self) -> Option<Number> {
        if let DType::Custom(own) = self.dtype {
            let (via, cast) = custom::casts(own)?.to_via(Level::BASE)?;
            return self.through(cast, via).number();
        }
        macro_rules! first {
            ({} typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*] $($rest:tt)*) => {
                $($(if let Some(x) = self.get::<crate::__private::types::$name>() {
                    return Some(number_of(x));
                })*)*
            };
        }
        promote_core::__dtypes! { first {} }
        None
    }

    /// Casts the element to another dtype, with the result of a cast kernel.
    ///
    /// Integers wrap, and floats are rounded once to nearest even. If `saturate` is true, overflow of
    /// `f8e4m3fn` gives its greatest value instead of NaN.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the dtypes exists in tables only, or is a custom dtype without casts.
    ///
    /// ```
    /// use promote::{DType, ScalarValue};
    ///
    /// let rounded = ScalarValue::from(0.1_f64).cast(DType::F32, false)?;
    /// assert_eq!(rounded.get(), Some(0.1_f32));
    /// # Ok::<(), promote::CallError>(())
    /// ```
    pub fn cast(&self, to: DType, saturate: bool) -> Result<ScalarValue, CallError> {
        let from = self.dtype;
        if from == to {
            return Ok(*self);
        }
        if let (DType::Custom(_), DType::Custom(own)) = (from, to) {
            let cast = custom::casts(own).and_then(|casts| casts.direct(from, Level::BASE));
            return Ok(self.through(cast.ok_or(CallError::NoCast { from, to })?, to));
        }
        let missing = match from {
            DType::Custom(_) => CallError::NotCast { dtype: from },
            dtype => CallError::NoElements { dtype },
        };
        ScalarValue::from_number_with(self.number().ok_or(missing)?, to, saturate)
    }

    /// Converts a number to an element of a dtype. Integers wrap into integer dtypes, everything else is
    /// rounded once, and overflow of `f8e4m3fn` gives NaN. An element of a custom dtype is made by its casts.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only, or is a custom dtype without casts.
    ///
    /// ```
    /// use promote::{DType, Number, ScalarValue};
    ///
    /// let wrapped = ScalarValue::from_number(Number::Int(300), DType::U8).unwrap();
    /// assert_eq!(wrapped.get::<u8>(), Some(44));
    /// ```
    pub fn from_number(number: Number, dtype: DType) -> Result<ScalarValue, CallError> {
        ScalarValue::from_number_with(number, dtype, false)
    }

    /// Converts a number as [`ScalarValue::from_number`] does. If `saturate` is true, overflow of `f8e4m3fn`
    /// gives its greatest value.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ScalarValue::from_number`].
    pub fn from_number_with(number: Number, dtype: DType, saturate: bool) -> Result<ScalarValue, CallError> {
        macro_rules! elements {
            ({} typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*] $($rest:tt)*) => {
                match dtype {
                    DType::F8E4M3FN if saturate => element::<F8E4M3, Saturate>(number),
                    $($(DType::$variant => element::<crate::__private::types::$name, Nan>(number),)*)*
                    DType::Custom(own) => {
                        let cast = custom::casts(own).and_then(|casts| casts.of_via(Level::BASE));
                        let (via, cast) = cast.ok_or(CallError::NotCast { dtype })?;
                        ScalarValue::from_number(number, via)?.through(cast, dtype)
                    }
                    _ => return Err(CallError::NoElements { dtype }),
                }
            };
        }
        Ok(promote_core::__dtypes! { elements {} })
    }

    /// What a cast of the lowest level gives, which is from this dtype to that one.
    fn through(&self, cast: &Function, to: DType) -> ScalarValue {
        let mut bytes = Bytes([0; 16]);
        let (from, out) =
            (core::ptr::from_ref(&self.bytes).cast::<u8>(), core::ptr::from_mut(&mut bytes).cast::<u8>());
        // SAFETY: every machine has the lowest level. The 16 bytes hold an element of the cast's source,
        // aligned, and the others have room for one of what it gives: a dtype has the casts of a type of its
        // size and alignment, and `CustomCasts` are of no larger one. A cast refuses nothing.
        unsafe { cast.call(1, &[from], out) };
        ScalarValue { bytes, dtype: to }
    }

    /// Where the bytes lie, aligned for every element.
    #[inline(always)]
    pub(super) const fn pointer(&self) -> *const u8 {
        core::ptr::from_ref(&self.bytes).cast()
    }

    /// Writes `n` copies.
    ///
    /// # Safety
    ///
    /// Elements of the dtype have 1, 2, 4, 8 or 16 bytes; `out` is aligned to 16 bytes and has room for `n`
    /// of them.
    #[inline]
    pub(super) unsafe fn fill(&self, out: *mut u8, n: usize) {
        debug_assert!(matches!(self.dtype.size(), Some(1 | 2 | 4 | 8 | 16)) && out.addr().is_multiple_of(16));
        match self.dtype.size() {
            // SAFETY: the caller promises room for `n` elements, and an element has 1 byte.
            Some(1) => unsafe { self.copies::<u8>(out, n) },
            // SAFETY: as above, with 2 bytes.
            Some(2) => unsafe { self.copies::<u16>(out, n) },
            // SAFETY: as above, with 4 bytes.
            Some(4) => unsafe { self.copies::<u32>(out, n) },
            // SAFETY: as above, with 8 bytes.
            Some(8) => unsafe { self.copies::<u64>(out, n) },
            // SAFETY: as above, with 16 bytes: the caller promises that it is none of the sizes before, and
            // no other.
            _ => unsafe { self.copies::<u128>(out, n) },
        }
    }

    /// Writes the first bytes, as many as `T` has, `n` times.
    ///
    /// # Safety
    ///
    /// `T` is an integer; `out` is aligned to 16 bytes and has room for `n` of it.
    #[inline(always)]
    unsafe fn copies<T: Copy>(&self, out: *mut u8, n: usize) {
        // SAFETY: the 16 bytes are aligned for every integer, and every bit pattern is one.
        let value = unsafe { core::ptr::from_ref(&self.bytes).cast::<T>().read() };
        // SAFETY: as the caller promises; what is there need not be initialised.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), n) };
        out.fill(MaybeUninit::new(value));
    }
}

/// Prints the value as a number, for example `3`, `2.5`, `true` or `1.0+2.0i`; of a custom dtype that is not
/// cast, its bytes.
impl fmt::Display for ScalarValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An f32 is printed with as many digits as tell it from other f32s.
        let digits = |x: f64, single: bool| if single { Digits::Single(x as f32) } else { Digits::Double(x) };
        let single = matches!(self.dtype.register(), DType::F32 | DType::C64);
        match self.number() {
            Some(Number::Float(x)) => write!(f, "{:?}", digits(x, single)),
            Some(Number::Complex(re, im)) => {
                write!(f, "{:?}{:+?}i", digits(re, single), digits(im, single))
            }
            Some(number) => number.fmt(f),
            None => write!(f, "{:02x?}", self.as_bytes()),
        }
    }
}

/// A float to be printed.
enum Digits {
    Single(f32),
    Double(f64),
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Digits::Single(x) => x.fmt(f),
            Digits::Double(x) => x.fmt(f),
        }
    }
}

impl<T: Element> From<T> for ScalarValue {
    #[inline]
    fn from(value: T) -> Self {
        ScalarValue::new(value)
    }
}

/// The dtype of the parts of a complex dtype that has no Rust type: a real element that is converted to the
/// complex dtype becomes a value of this one. `None` for all others.
pub(crate) const fn untyped_part(dtype: DType) -> Option<DType> {
    if dtype.has_type() { None } else { dtype.real_dtype() }
}

/// The number that an element is.
fn number_of<T>(x: T) -> Number
where
    T: Cast<bool> + Cast<u64> + Cast<i64> + Cast<f64> + Cast<Complex<f64>>,
{
    match T::DTYPE.kind() {
        Kind::Bool => Number::Bool(x.cast()),
        Kind::Unsigned => Number::Int(Cast::<u64>::cast(x).into()),
        Kind::Signed => Number::Int(Cast::<i64>::cast(x).into()),
        Kind::Complex => {
            let Complex { re, im } = x.cast();
            Number::Complex(re, im)
        }
        _ => Number::Float(x.cast()),
    }
}

/// Rounds each part of a number, as a complex one, to the float dtype `part`.
///
/// # Errors
///
/// `part` is no float dtype that has elements.
pub(crate) fn round_parts(number: Number, part: DType) -> Result<Number, CallError> {
    let (re, im) = match number {
        Number::Complex(re, im) => (Number::Float(re), Number::Float(im)),
        real => (real, Number::Float(0.0)),
    };
    let rounded = |x: Number| match ScalarValue::from_number(x, part)?.number() {
        Some(Number::Float(x)) => Ok(x),
        _ => Err(CallError::NoElements { dtype: part }),
    };
    Ok(Number::Complex(rounded(re)?, rounded(im)?))
}

fn element<C, W>(number: Number) -> ScalarValue
where
    C: Element,
    W: Overflow,
    bool: Cast<C>,
    i64: Cast<C>,
    f32: Cast<C>,
    f64: Cast<C>,
    Complex<f64>: Cast<C>,
{
    let value: C = match (number, C::DTYPE.kind()) {
        (Number::Bool(x), _) => x.cast_with::<W>(),
        (Number::Int(x), Kind::Bool) => (x != 0).cast_with::<W>(),
        // The low 64 bits are all that a wrapping conversion looks at.
        (Number::Int(x), Kind::Unsigned | Kind::Signed) => (x as i64).cast_with::<W>(),
        (Number::Int(x), _) if matches!(C::DTYPE.register(), DType::F64 | DType::C128) => {
            (x as f64).cast_with::<W>()
        }
        (Number::Int(x), _) => (x as f32).cast_with::<W>(),
        (Number::Float(x), _) => x.cast_with::<W>(),
        (Number::Complex(re, im), _) => Complex { re, im }.cast_with::<W>(),
    };
    ScalarValue::new(value)
}
