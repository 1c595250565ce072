//! The bits of floats narrower than `f32`: widening, and rounding to nearest even.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

pub(crate) mod half;
pub(crate) mod narrow;
