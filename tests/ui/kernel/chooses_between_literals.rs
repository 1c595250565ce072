//! Both branches of a choice must be numbers of the kernel.

use promote::{Ordered, kernel};

#[kernel]
fn step<T: Ordered>(x: T) -> T {
    T::select(x > T::of(0.0), 1.0, -1.0)
}

fn main() {}

