//! The argument of a method is a number of the kernel, not a literal.

use promote::{Ordered, kernel};

#[kernel]
fn rectified<T: Ordered>(x: T) -> T {
    x.maximum(0.0)
}

fn main() {}

