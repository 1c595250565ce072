//! Numbers without a width, such as a literal of Python's.

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
    /// Whether a dtype of the number's own kind holds it: an integer exactly, a real number without overflow (its digits
    /// may be rounded), a complex one if its parts do.
    pub(crate) const fn fits(self, dtype: DType) -> bool {
        match (self, dtype.kind()) {
            (Number::Bool(_), Kind::Bool) => true,
            (Number::Int(x), Kind::Unsigned) => x >= 0 && x >> dtype.bits() == 0,
            (Number::Int(x), Kind::Signed) => {
                let bits = dtype.bits() - 1;
                x >> bits == 0 || x >> bits == -1
            }
            (Number::Float(x), Kind::Float) => finite(x, dtype),
            (Number::Complex(re, im), Kind::Complex) => {
                let part = match dtype {
                    DType::C32 => DType::F16,
                    DType::BC32 => DType::BF16,
                    DType::C64 => DType::F32,
                    _ => DType::F64,
                };
                finite(re, part) && finite(im, part)
            }
            _ => false,
        }
    }
}

/// Whether a number is still finite, or NaN or infinite as before, when it is rounded to a float dtype.
const fn finite(x: f64, dtype: DType) -> bool {
    // The first power of two that overflows, less half a step of the significand.
    let (bound, digits) = match dtype {
        DType::F16 => (65536.0, 11),
        DType::BF16 => (BEYOND_F32, 8),
        DType::F32 => (BEYOND_F32, 24),
        _ => return matches!(dtype, DType::F64),
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

/// The type of a weak result: of `T`, but it yields to a dtype of the same or a higher kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Weak<T>(pub T);
