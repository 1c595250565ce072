//! A body that divides is one of floats.

use promote::{Arithmetic, kernel};

#[kernel]
fn mean<T: Arithmetic>(a: T, b: T) -> T {
    (a + b) / 2.0
}

fn main() {}

