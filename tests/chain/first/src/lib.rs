//! A library that builds on PyTorch's rules, and hands its own on.

#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, nonstandard_style)]

mod rules;

#[doc(hidden)]
pub use ::house;
pub use rules::*;

/// 16 bits before the point, 16 behind it.
#[derive(Clone, Copy, Debug, PartialEq, ::house::Element)]
#[element(crate = ::house)]
#[repr(transparent)]
pub struct Q16(pub i32);

/// A point of a plane in the units of the two axes.
#[derive(Clone, Copy, Debug, ::house::Promote)]
#[promote(crate = ::house, rules(Fixed, ::house::Torch), ops(rules = ::house::Torch, Add, Sub, Neg, MulAssign, PartialEq, PartialOrd))]
#[promote(weak(Mul, DivAssign))]
pub struct Point<X, Y: ::core::marker::Copy> {
    /// To the right.
    pub x: X,
    /// Upwards, and its error on either side.
    pub y: (Y, [Y; 2]),
    /// What is drawn there.
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
