//! Ops on arrays of ndarray, compared with a cast and ndarray's own op.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "the numbers are small, and results are exact"
)]

mod arguments;
mod conversions;
mod dtypes;
mod in_place;
mod layouts;
mod memory;
mod operators;
mod own_rules;
mod reductions;
