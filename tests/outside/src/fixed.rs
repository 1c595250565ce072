//! Fixed-point numbers and lengths: dtypes of this crate's own.

use std::ops::{Add, Mul, Neg, Sub};

use dtypes::Element;

/// From -128 up to 128, in steps of 1/256. Sums and products wrap; what is made of a float is rounded, and
/// saturates.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(crate = dtypes, via = f64)]
#[repr(transparent)]
pub struct Q8(pub i16);

/// From -32768 up to 32768, in steps of 1/65536, likewise.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(crate = dtypes, name = "q16", via = f64, from(Q8))]
#[repr(transparent)]
pub struct Q16(pub i32);

macro_rules! fixed {
    ($ty:ident of $bits:ident $wide:ident, $fraction:literal bits) => {
        impl From<f64> for $ty {
            #[allow(clippy::cast_possible_truncation, reason = "it saturates")]
            fn from(x: f64) -> Self {
                $ty((x * f64::from(1_u32 << $fraction)).round_ties_even() as $bits)
            }
        }

        impl From<$ty> for f64 {
            fn from(x: $ty) -> f64 {
                f64::from(x.0) / f64::from(1_u32 << $fraction)
            }
        }

        impl Add for $ty {
            type Output = Self;

            fn add(self, b: Self) -> Self {
                $ty(self.0.wrapping_add(b.0))
            }
        }

        impl Sub for $ty {
            type Output = Self;

            fn sub(self, b: Self) -> Self {
                $ty(self.0.wrapping_sub(b.0))
            }
        }

        impl Mul for $ty {
            type Output = Self;

            #[allow(clippy::cast_possible_truncation, reason = "it wraps")]
            fn mul(self, b: Self) -> Self {
                $ty(($wide::from(self.0) * $wide::from(b.0) >> $fraction) as $bits)
            }
        }

        impl Neg for $ty {
            type Output = Self;

            fn neg(self) -> Self {
                $ty(self.0.wrapping_neg())
            }
        }
    };
}

fixed! { Q8 of i16 i32, 8 bits }
fixed! { Q16 of i32 i64, 16 bits }

impl From<Q8> for Q16 {
    fn from(x: Q8) -> Q16 {
        Q16(i32::from(x.0) << 8)
    }
}

/// A length. It has sums, and no products.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(crate = dtypes, via = f32)]
#[repr(transparent)]
pub struct Metres(pub f32);

impl From<f32> for Metres {
    fn from(x: f32) -> Metres {
        Metres(x)
    }
}

impl From<Metres> for f32 {
    fn from(x: Metres) -> f32 {
        x.0
    }
}

impl Add for Metres {
    type Output = Metres;

    fn add(self, b: Metres) -> Metres {
        Metres(self.0 + b.0)
    }
}
