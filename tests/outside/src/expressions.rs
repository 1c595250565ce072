//! Expressions over scalars of different types.

use dtypes::{Torch, mixed};

use crate::fixed::Q8;
use crate::rules::Workshop;

/// A point on a line, `a · x + y / 2`, in `PyTorch`'s types.
#[must_use]
pub fn line(a: i8, x: f32, y: i64) -> f32 {
    mixed! { crate = dtypes; Torch => a * x + y / 2 }
}

/// The distance from 1 of the root of what lies within `0..=4`.
#[must_use]
pub fn distance(x: i32) -> f64 {
    mixed! { crate = dtypes; Torch => abs(sqrt(minimum(maximum(x, 0), 4)) - 1) as f64 }
}

/// Returns true if a number of this crate is greater than another.
#[must_use]
pub fn above(a: Q8, b: i8) -> bool {
    mixed! { crate = dtypes; Workshop => a + b > b && a != b }
}
