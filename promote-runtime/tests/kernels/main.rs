//! Every part of the kernels, on a small set of them, at every level that the machine has.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

mod casts;
mod data;
mod errors;
mod memory;
mod plans;
mod reference;
mod scalars;
mod set;
mod typed;
