//! A library that builds on PyTorch's rules, and hands its own on.

#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, nonstandard_style)]

mod rules;

#[doc(hidden)]
pub use ::house;
pub use rules::*;

/// 16 bits before the point, 16 behind it; sums wrap.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, ::house::Element)]
#[element(crate = ::house, via = f64)]
#[repr(transparent)]
pub struct Q16(pub i32);

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
