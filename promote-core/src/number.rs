//! Numbers without a width, such as Python literals.

use core::cmp::Ordering;
use core::fmt;

use crate::{DType, Format, Kind};

/// A number that has a kind but no width, such as a Python literal.
///
/// ```
/// # use promote_core as promote;
/// use promote::{Number, NumberKind};
///
/// assert_eq!(Number::from(3_u8), Number::Int(3));
/// assert_eq!(Number::from(2.5_f32).kind(), NumberKind::Float);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Number {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number: real and imaginary part.
    Complex(f64, f64),
}

/// The kind of a [`Number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum NumberKind {
    /// `True`
    Bool,
    /// `3`
    Int,
    /// `2.5`
    Float,
    /// `1j`
    Complex,
}

impl NumberKind {
    /// All kinds, lowest first, in the order of the tables.
    pub const ALL: [NumberKind; 4] =
        [NumberKind::Bool, NumberKind::Int, NumberKind::Float, NumberKind::Complex];

    /// Returns the name of the kind, as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            NumberKind::Bool => "bool",
            NumberKind::Int => "int",
            NumberKind::Float => "float",
            NumberKind::Complex => "complex",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<NumberKind> {
        NumberKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind of number of a dtype's elements; `None` for a custom dtype.
    pub const fn of(dtype: DType) -> Option<NumberKind> {
        Some(match dtype.kind() {
            Kind::Bool => NumberKind::Bool,
            Kind::Unsigned | Kind::Signed => NumberKind::Int,
            Kind::Float => NumberKind::Float,
            Kind::Complex => NumberKind::Complex,
            Kind::Custom => return None,
        })
    }
}

impl Number {
    /// Returns the kind.
    pub const fn kind(self) -> NumberKind {
        match self {
            Number::Bool(_) => NumberKind::Bool,
            Number::Int(_) => NumberKind::Int,
            Number::Float(_) => NumberKind::Float,
            Number::Complex(..) => NumberKind::Complex,
        }
    }

    /// Returns true if the number fits a dtype; the dtype must be of the number's own kind.
    ///
    /// An integer fits if it is represented exactly. A real number fits if rounding it does not overflow, and
    /// a complex number if its parts fit. NaN and infinities fit every float.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{DType, Number};
    ///
    /// assert!(Number::Int(255).fits(DType::U8) && !Number::Int(256).fits(DType::U8));
    /// assert!(Number::Float(65519.0).fits(DType::F16) && !Number::Float(65520.0).fits(DType::F16));
    /// assert!(!Number::Int(1).fits(DType::F32)); // another kind
    /// ```
    pub const fn fits(self, dtype: DType) -> bool {
        match (self, dtype.kind()) {
            (Number::Bool(_), Kind::Bool) => true,
            (Number::Int(x), Kind::Unsigned) => x >= 0 && x >> dtype.bits() == 0,
            (Number::Int(x), Kind::Signed) => {
                let bits = dtype.bits() - 1;
                x >> bits == 0 || x >> bits == -1
            }
            (Number::Float(x), Kind::Float) => rounds_to_finite(x, dtype),
            (Number::Complex(re, im), _) => match dtype.real_dtype() {
                Some(part) => rounds_to_finite(re, part) && rounds_to_finite(im, part),
                None => false,
            },
            _ => false,
        }
    }

    /// Returns the integer if it is out of the range of an integer dtype; `None` for every other number.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{DType, Number};
    ///
    /// assert_eq!(Number::Int(256).out_of_range(DType::U8), Some(256));
    /// assert_eq!(Number::Int(255).out_of_range(DType::U8), None);
    /// ```
    pub const fn out_of_range(self, dtype: DType) -> Option<i128> {
        match (self, dtype.kind()) {
            (Number::Int(x), Kind::Unsigned | Kind::Signed) if !self.fits(dtype) => Some(x),
            _ => None,
        }
    }

    /// Clamps an integer to the range of an integer dtype; returns other numbers as they are.
    #[must_use]
    pub const fn clamped(self, dtype: DType) -> Number {
        let Some(x) = self.out_of_range(dtype) else { return self };
        let (least, bits) = match dtype.kind() {
            Kind::Unsigned => (0, dtype.bits()),
            _ => (-1 << (dtype.bits() - 1), dtype.bits() - 1),
        };
        Number::Int(if x < 0 { least } else { (1 << bits) - 1 })
    }
}

/// Prints the number as Rust writes it; a complex one as `1.0+2.0i`.
///
/// ```
/// # use promote_core as promote;
/// use promote::Number;
///
/// assert_eq!(Number::Float(3.0).to_string(), "3.0");
/// assert_eq!(Number::Complex(1.0, -2.5).to_string(), "1.0-2.5i");
/// ```
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Bool(x) => fmt::Display::fmt(x, f),
            Number::Int(x) => fmt::Display::fmt(x, f),
            Number::Float(x) => fmt::Debug::fmt(x, f),
            Number::Complex(re, im) => write!(f, "{re:?}{im:+?}i"),
        }
    }
}

/// Compares two operands if at least one is an integer number out of the range of the dtype in which they are
/// compared. The other operand may be any element of that dtype. Returns `None` if both are in range.
pub fn order_out_of_range(a: Option<Number>, b: Option<Number>, dtype: DType) -> Option<Ordering> {
    let out_of_range = |number: Option<Number>| number.and_then(|number| number.out_of_range(dtype));
    match (out_of_range(a), out_of_range(b)) {
        (None, None) => None,
        // Every dtype holds 0, so a number out of range compares with every element as with 0.
        (a, b) => Some(a.unwrap_or(0).cmp(&b.unwrap_or(0))),
    }
}

/// Returns true if a finite number stays finite when it is rounded to a float dtype.
const fn rounds_to_finite(x: f64, dtype: DType) -> bool {
    let Some(Format::Float { digits, max, .. }) = dtype.format() else { return false };
    match dtype {
        DType::F64 => return true,
        // The codes of NF4 represent no values by themselves.
        DType::NF4 => return false,
        // F8E8M0FNU has only powers of two, no zero and no sign.
        DType::F8E8M0FNU if x <= 0.0 => return false,
        // The code that would be 480 is NaN, and the tie between 448 and 480 rounds down.
        DType::F8E4M3FN => return !x.is_finite() || -464.0 <= x && x <= 464.0,
        _ => {}
    }
    // The first power of two that overflows, and half a step below it.
    let bound = power_of_two(max + 1);
    let half_step = bound / power_of_two(digits as i32 + 1);
    !x.is_finite() || -(bound - half_step) < x && x < bound - half_step
}

/// Returns 2^exponent, for an exponent of a normal `f64`.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

macro_rules! from {
    ({} bool [$($bool:ident)*] integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        from! { $($bool => Bool)* $($integer => Int)* $($float => Float)* }
    };
    ($($ty:ident => $variant:ident)*) => {$(
        impl From<$ty> for Number {
            fn from(value: $ty) -> Self {
                Number::$variant(value.into())
            }
        }
    )*};
}

crate::__register_dtypes! { from {} }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_fit_if_they_round_to_a_finite_value() {
        // The greatest magnitude that fits, and the least that does not.
        for (dtype, held, beyond) in [
            (DType::F16, 65519.0, 65520.0),
            (DType::BF16, 3.389e38, 3.397e38),
            (DType::F32, 3.402_823_5e38, 3.402_823_6e38),
            (DType::F8E4M3FN, 464.0, 464.1),
            (DType::F8E5M2, 61439.0, 61440.0),
            (DType::F8E5M2FNUZ, 61439.0, 61440.0),
            (DType::F8E4M3, 247.0, 248.0),
            (DType::F8E4M3FNUZ, 247.0, 248.0),
            (DType::F8E3M4, 15.7, 15.75),
            (DType::F8E4M3B11FNUZ, 30.9, 31.0),
            (DType::F6E2M3FN, 7.7, 7.75),
            (DType::F6E3M2FN, 29.0, 30.0),
            (DType::F4E2M1FN, 6.9, 7.0),
        ] {
            for sign in [1.0, -1.0] {
                assert!(Number::Float(sign * held).fits(dtype), "{dtype} holds {held}");
                assert!(!Number::Float(sign * beyond).fits(dtype), "{dtype} does not hold {beyond}");
            }
            assert!(Number::Float(f64::NAN).fits(dtype));
        }
        assert!(Number::Float(1e-300).fits(DType::F4E2M1FN), "underflow is no overflow");
        assert!(!Number::Float(-1.0).fits(DType::F8E8M0FNU), "f8e8m0fnu has no sign");
    }
}
