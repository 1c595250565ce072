//! A library whose rule set extends PyTorch's, and which another crate extends in turn.

#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, nonstandard_style)]

mod rules;

#[doc(hidden)]
pub use ::house;
pub use rules::*;

/// A fixed-point number with 16 integer and 16 fractional bits, whose sums wrap.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, ::house::Element)]
#[element(crate = ::house, via = f64)]
#[repr(transparent)]
pub struct Q16(pub i32);

/// `alpha · x + y`
#[::house::kernel(named, crate = ::house)]
pub fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// A point of a plane in the units of the two axes.
#[derive(Clone, Copy, Debug, ::house::Promote)]
#[promote(crate = ::house, rules(Fixed, ::house::Torch), ops(rules = ::house::Torch, Add, Sub, Neg, MulAssign, PartialEq, PartialOrd))]
#[promote(weak(Mul, DivAssign))]
pub struct Point<X, Y: ::core::marker::Copy> {
    /// To the right.
    pub x: X,
    /// Upwards, and its error on either side.
    pub y: (Y, [Y; 2]),
    /// The mark that is drawn at the point.
    #[promote(skip)]
    pub mark: char,
}

/// From one point to another.
#[derive(Clone, Copy, Debug, ::house::Promote)]
#[promote(crate = ::house, ops(Add, AddAssign, PartialEq, PartialOrd), weak(Mul))]
pub struct Segment<T: ::core::marker::Copy>(pub [Point<T, T>; 2], #[promote(with = later)] pub [u8; 16]);

fn later<Op>(_: Op, a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
    if a > b { *a } else { *b }
}

impl ::core::convert::From<f64> for Q16 {
    fn from(x: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "what is out of range is the nearest there is")]
        Q16((x * 65536.0) as i32)
    }
}

impl ::core::convert::From<Q16> for f64 {
    fn from(x: Q16) -> f64 {
        <f64 as ::core::convert::From<i32>>::from(x.0) / 65536.0
    }
}

impl ::core::ops::Add for Q16 {
    type Output = Self;

    fn add(self, b: Self) -> Self {
        Q16(self.0.wrapping_add(b.0))
    }
}
