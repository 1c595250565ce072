//! The bits of floats narrower than `f32`: widening, and rounding to nearest even.

pub(crate) mod half;
pub(crate) mod narrow;
