//! A literal has no dtype of its own.

use promote::{Ordered, kernel};

#[kernel]
fn rectified<T: Ordered>(x: T) -> T {
    T::select(x > 0.0, x, T::of(0.0))
}

fn main() {}

