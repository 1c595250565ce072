//! A library that builds on PyTorch's rules, and hands its own on.

#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, nonstandard_style)]

mod rules;

#[doc(hidden)]
pub use ::house;
pub use rules::*;
