//! Ops on arrays of ndarray, compared with a cast and ndarray's own op.

mod arguments;
mod conversions;
mod dtypes;
mod in_place;
mod layouts;
mod memory;
mod operators;
mod own_rules;
mod reductions;
