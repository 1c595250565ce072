//! A body with functions is one of floats.

use promote::{Ordered, kernel};

#[kernel]
fn growth<T: Ordered>(x: T) -> T {
    x.exp()
}

fn main() {}

