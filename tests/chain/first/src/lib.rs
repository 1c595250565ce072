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
