//! Numbers without a width, such as a literal of Python's.

use core::cmp::Ordering;

use crate::{DType, Kind};

/// A number with a kind and no width.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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
    /// All of them, lowest first: the order of their places in the tables.
    pub const ALL: [NumberKind; 4] =
        [NumberKind::Bool, NumberKind::Int, NumberKind::Float, NumberKind::Complex];

    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            NumberKind::Bool => "bool",
            NumberKind::Int => "int",
            NumberKind::Float => "float",
            NumberKind::Complex => "complex",
        }
    }
}

impl Number {
    /// What kind of number it is.
    pub const fn kind(self) -> NumberKind {
        match self {
            Number::Bool(_) => NumberKind::Bool,
            Number::Int(_) => NumberKind::Int,
            Number::Float(_) => NumberKind::Float,
            Number::Complex(..) => NumberKind::Complex,
        }
    }
}

impl Number {
    /// Whether a dtype of the number's own kind holds it: an integer exactly, a real number without overflow
    /// (its digits may be rounded), a complex one if its parts do.
    pub(crate) const fn fits(self, dtype: DType) -> bool {
        match (self, dtype.kind()) {
            (Number::Bool(_), Kind::Bool) => true,
            (Number::Int(x), Kind::Unsigned) => x >= 0 && x >> dtype.bits() == 0,
            (Number::Int(x), Kind::Signed) => {
                let bits = dtype.bits() - 1;
                x >> bits == 0 || x >> bits == -1
            }
            (Number::Float(x), Kind::Float) => finite(x, dtype),
            (Number::Complex(re, im), _) => match dtype.part() {
                Some(part) => finite(re, part) && finite(im, part),
                None => false,
            },
            _ => false,
        }
    }

    /// The integer that it is, where it is one that the integer dtype `dtype` does not hold.
    pub(crate) const fn beyond(self, dtype: DType) -> Option<i128> {
        match (self, dtype.kind()) {
            (Number::Int(x), Kind::Unsigned | Kind::Signed) if !self.fits(dtype) => Some(x),
            _ => None,
        }
    }

    /// The same where `dtype` holds it; where it is an integer beyond an integer dtype, the nearest end of
    /// that.
    #[cfg(feature = "kernels")]
    pub(crate) const fn clamped(self, dtype: DType) -> Number {
        let Some(x) = self.beyond(dtype) else { return self };
        let (least, bits) = match dtype.kind() {
            Kind::Unsigned => (0, dtype.bits()),
            _ => (-1 << (dtype.bits() - 1), dtype.bits() - 1),
        };
        Number::Int(if x < 0 { least } else { (1 << bits) - 1 })
    }
}

/// How two operands compare, one of which at least is an integer number beyond the integer dtype in which
/// they are compared; the other is any element of that. None where there is no such number.
pub(crate) fn order_beyond(a: Option<Number>, b: Option<Number>, dtype: DType) -> Option<Ordering> {
    let beyond = |number: Option<Number>| number.and_then(|number| number.beyond(dtype));
    match (beyond(a), beyond(b)) {
        (None, None) => None,
        // Every dtype holds 0: on which side of it the number is, it is of all others.
        (a, b) => Some(a.unwrap_or(0).cmp(&b.unwrap_or(0))),
    }
}

/// Whether a number is still finite and not clipped, or NaN or infinite as before, when it is rounded to a
/// float dtype.
const fn finite(x: f64, dtype: DType) -> bool {
    // The first power of two that overflows, and the digits of the significand.
    let (bound, digits) = match dtype {
        DType::F64 => return true,
        DType::BF16 => (BEYOND_F32, 8),
        DType::F32 => (BEYOND_F32, 24),
        DType::F16 => (65536.0, 11),
        DType::F8E5M2 | DType::F8E5M2FNUZ => (65536.0, 3),
        DType::F8E4M3 | DType::F8E4M3FNUZ => (256.0, 4),
        DType::F8E3M4 => (16.0, 5),
        DType::F8E4M3B11FNUZ => (32.0, 4),
        // Powers of two alone: no zero and no sign.
        DType::F8E8M0FNU if x <= 0.0 => return false,
        DType::F8E8M0FNU => (BEYOND_F32, 1),
        DType::F6E2M3FN => (8.0, 4),
        DType::F6E3M2FN => (32.0, 3),
        DType::F4E2M1FN => (8.0, 2),
        // The code that would be 480 is NaN, and the tie between it and 448 goes down.
        DType::F8E4M3FN => return !x.is_finite() || -464.0 <= x && x <= 464.0,
        _ => return false,
    };
    let half_step = bound / (1_u64 << (digits + 1)) as f64;
    !x.is_finite() || -(bound - half_step) < x && x < bound - half_step
}

/// 2^128
const BEYOND_F32: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

macro_rules! from {
    ($($ty:ty => $variant:ident)*) => {$(
        impl From<$ty> for Number {
            fn from(value: $ty) -> Self {
                Number::$variant(value.into())
            }
        }
    )*};
}

from! { bool => Bool u8 => Int u16 => Int u32 => Int u64 => Int i8 => Int i16 => Int i32 => Int i64 => Int f32 => Float f64 => Float }

/// A number without a width, made by [`weak`], or a weak result of one: of `T`, but it yields to other dtypes
/// as a rule set says.
///
/// The numbers that rule sets know are `Weak<bool>`, `Weak<i64>`, `Weak<f64>` and `Weak<Complex<f64>>`, as
/// Python's `bool`, `int`, `float` and `complex`. What comes of one may be weak too (JAX: `u64` and `i8` are
/// a `Weak<f64>`).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Weak<T>(pub T);

/// A value that stands for a number without a width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` stands for no number without a width",
    label = "there are such of `bool`, of integers that an `i64` holds, and of `f32`, `f64` and complex numbers of these",
    note = "convert it first, `weak(x as i64)`"
)]
pub trait WeakNumber {
    /// The type of its kind: `bool`, `i64`, `f64` or `Complex<f64>`.
    type Kind: crate::Element;

    /// The same number.
    fn number(self) -> Self::Kind;
}

macro_rules! kinds {
    ($($ty:ty => $kind:ty, |$x:ident| $value:expr;)*) => {$(
        impl WeakNumber for $ty {
            type Kind = $kind;

            #[inline]
            fn number(self) -> $kind {
                let $x = self;
                $value
            }
        }
    )*};
}

kinds! {
    bool => bool, |x| x;
    u8 => i64, |x| x.into();
    u16 => i64, |x| x.into();
    u32 => i64, |x| x.into();
    i8 => i64, |x| x.into();
    i16 => i64, |x| x.into();
    i32 => i64, |x| x.into();
    i64 => i64, |x| x;
    f32 => f64, |x| x.into();
    f64 => f64, |x| x;
    num_complex::Complex<f32> => num_complex::Complex<f64>, |x| num_complex::Complex { re: x.re.into(), im: x.im.into() };
    num_complex::Complex<f64> => num_complex::Complex<f64>, |x| x;
}

/// A number without a width, such as a literal of Python's: it takes the dtype that a rule set gives it
/// beside the other operand.
///
/// ```
/// use promote_runtime::{Weak, weak};
///
/// assert_eq!(weak(2), Weak(2_i64));
/// assert_eq!(weak(2.5_f32), Weak(2.5_f64));
/// ```
#[inline]
pub fn weak<T: WeakNumber>(number: T) -> Weak<T::Kind> {
    Weak(number.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_dtype_holds_what_it_rounds_to_a_finite_value() {
        // The greatest magnitude that is held, and the least that is not.
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
        assert!(Number::Float(1e-300).fits(DType::F4E2M1FN), "its digits may be rounded away");
        assert!(!Number::Float(-1.0).fits(DType::F8E8M0FNU), "it has no sign");
    }

    #[test]
    fn what_is_held_is_what_a_conversion_leaves_finite() {
        use half::{bf16, f16};

        use crate::Cast;
        for bits in (0..=u16::MAX).step_by(7) {
            let x = f64::from(f32::from_bits(u32::from(bits) << 16));
            if x.is_finite() {
                let half: f16 = x.cast();
                assert_eq!(Number::Float(x).fits(DType::F16), half.is_finite(), "{x}");
                let brain: bf16 = x.cast();
                assert_eq!(Number::Float(x).fits(DType::BF16), brain.is_finite(), "{x}");
            }
        }
    }
}
