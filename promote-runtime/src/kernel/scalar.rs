//! Conversions of single elements from and to numbers, by casts.

use core::fmt;

use float8::F8E4M3;
use num_complex::Complex;

use super::{RawKernel, custom};
use crate::convert::{Cast, Nan, Overflow, Saturate};
use crate::element::Element;
use crate::error::call::CallError;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::ScalarValue;
use crate::{DType, Kind, Number};

impl ScalarValue {
    /// Returns the value as a number without a width. An element of a custom dtype is cast first; `None` if
    /// the dtype has no casts.
    pub fn number(&self) -> Option<Number> {
        if let DType::Custom(own) = self.dtype() {
            let (via, cast) = custom::casts(own)?.to_via(Level::BASE)?;
            return self.through(cast, via).number();
        }
        macro_rules! first {
            ({} typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*] $($rest:tt)*) => {
                $($(if let Some(x) = self.get::<crate::types::$name>() {
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
        let from = self.dtype();
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

    /// Converts a number to an element of a dtype.
    ///
    /// Integers wrap into integer dtypes. An integer becomes a float of at most 16 bits through `f32`, as in
    /// casts of arrays. Everything else is rounded once. Overflow of `f8e4m3fn` gives NaN. An element of a
    /// custom dtype is made by its casts.
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
                    $($(DType::$variant => element::<crate::types::$name, Nan>(number),)*)*
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

    /// Returns the result of a cast from this dtype to another one, which is of the lowest level.
    fn through(&self, cast: RawKernel, to: DType) -> ScalarValue {
        ScalarValue::written_by(to, |out| {
            // SAFETY: every machine has the lowest level. The 16 bytes hold an element of the cast's source,
            // aligned, and `out` has room for one of its target: a dtype has the casts of a type of its size
            // and alignment, and `CustomCasts` are of no larger one. A cast refuses nothing.
            let _ = unsafe { invoke(cast, 1, &[self.pointer()], out) };
        })
    }
}

/// Prints the value as a number, for example `3`, `2.5`, `true` or `1.0+2.0i`; of a custom dtype without
/// casts, its bytes.
impl fmt::Display for ScalarValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An f32 is printed with as many digits as tell it from other f32s.
        let single = matches!(self.dtype().register(), DType::F32 | DType::C64);
        match self.number() {
            Some(Number::Float(x)) if single => write!(f, "{:?}", x as f32),
            Some(Number::Float(x)) => write!(f, "{x:?}"),
            Some(Number::Complex(re, im)) if single => write!(f, "{:?}{:+?}i", re as f32, im as f32),
            Some(Number::Complex(re, im)) => write!(f, "{re:?}{im:+?}i"),
            Some(number) => number.fmt(f),
            None => write!(f, "{:02x?}", self.as_bytes()),
        }
    }
}

/// Returns the dtype of the parts of a complex dtype without a Rust type, to which real elements are
/// converted; `None` for all other dtypes.
pub(crate) const fn untyped_part(dtype: DType) -> Option<DType> {
    if dtype.has_type() { None } else { dtype.real_dtype() }
}

/// Returns an element as a number.
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
