//! The custom dtypes, with the code that a user has to write for them.

use std::ops::{Add, BitAnd, Div, Mul, Neg, Not, Rem, Shl, Sub};

use promote::Element;

/// A number from -1 up to 1 in 16 bits, with saturating arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Q15(pub i16);

/// A fixed-point number in 32 bits. It wraps.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(name = "q31", via = f64, from(Q15))]
#[repr(transparent)]
pub struct Q31(pub i32);

/// An angle: a float with a unit.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Degrees(pub f32);

/// An amount of money, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = i64)]
#[repr(transparent)]
pub struct Cents(pub i64);

/// Bits that are not cast to anything.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
pub struct Mask(pub u8);

impl From<f32> for Q15 {
    fn from(x: f32) -> Q15 {
        Q15((x * 32768.0).round_ties_even() as i16)
    }
}

impl From<Q15> for f32 {
    fn from(x: Q15) -> f32 {
        f32::from(x.0) / 32768.0
    }
}

impl From<f64> for Q31 {
    fn from(x: f64) -> Q31 {
        Q31((x * 2_147_483_648.0) as i32)
    }
}

impl From<Q31> for f64 {
    fn from(x: Q31) -> f64 {
        f64::from(x.0) / 2_147_483_648.0
    }
}

impl From<Q15> for Q31 {
    fn from(x: Q15) -> Q31 {
        Q31(i32::from(x.0) << 16)
    }
}

impl From<f32> for Degrees {
    fn from(x: f32) -> Degrees {
        Degrees(x)
    }
}

impl From<Degrees> for f32 {
    fn from(x: Degrees) -> f32 {
        x.0
    }
}

impl From<i64> for Cents {
    fn from(x: i64) -> Cents {
        Cents(x.wrapping_mul(100))
    }
}

impl From<Cents> for i64 {
    fn from(x: Cents) -> i64 {
        x.0.div_euclid(100)
    }
}

macro_rules! operators {
    ($($ty:ident { $($trait:ident $function:ident |$a:ident, $b:ident| $body:expr;)* })*) => {$($(
        impl $trait for $ty {
            type Output = $ty;

            fn $function(self, b: $ty) -> $ty {
                let ($a, $b) = (self.0, b.0);
                $ty($body)
            }
        }
    )*)*};
}

operators! {
    Q15 {
        Add add |a, b| a.saturating_add(b);
        Sub sub |a, b| a.saturating_sub(b);
        Mul mul |a, b| ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15).min(32767) as i16;
        BitAnd bitand |a, b| a & b;
        Shl shl |a, b| a.wrapping_shl(b as u32);
    }
    Q31 {
        Add add |a, b| a.wrapping_add(b);
        Sub sub |a, b| a.wrapping_sub(b);
        Mul mul |a, b| ((i64::from(a) * i64::from(b)) >> 31) as i32;
        Rem rem |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) };
    }
    Degrees {
        Add add |a, b| a + b;
        Sub sub |a, b| a - b;
        Mul mul |a, b| a * b;
        Div div |a, b| a / b;
    }
    Cents {
        Add add |a, b| a.wrapping_add(b);
        Sub sub |a, b| a.wrapping_sub(b);
    }
    Mask {
        BitAnd bitand |a, b| a & b;
    }
}

impl Neg for Q15 {
    type Output = Q15;

    fn neg(self) -> Q15 {
        Q15(self.0.saturating_neg())
    }
}

impl Neg for Degrees {
    type Output = Degrees;

    fn neg(self) -> Degrees {
        Degrees(-self.0)
    }
}

impl Not for Mask {
    type Output = Mask;

    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

macro_rules! zeros {
    ($($ty:ident $zero:literal)*) => {$(
        impl num_traits::Zero for $ty {
            fn zero() -> $ty {
                $ty($zero)
            }

            fn is_zero(&self) -> bool {
                self.0 == $zero
            }
        }
    )*};
}

zeros! { Q15 0 Q31 0 Degrees 0.0 }

impl num_traits::One for Degrees {
    fn one() -> Degrees {
        Degrees(1.0)
    }
}

impl num_traits::Pow<Degrees> for Degrees {
    type Output = Degrees;

    fn pow(self, b: Degrees) -> Degrees {
        // Not a power, but a function of both operands that gives equal bits on every machine.
        Degrees(self.0 * self.0 - b.0)
    }
}
