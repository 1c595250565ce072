//! The other operand of a method is a number of the kernel's.

use promote::{Ordered, kernel};

#[kernel]
fn positive<T: Ordered>(x: T) -> T {
    x.maximum(0.0)
}

fn main() {}

