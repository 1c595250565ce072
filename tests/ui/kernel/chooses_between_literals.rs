//! Both sides of a choice are numbers of the kernel's.

use promote::{Ordered, kernel};

#[kernel]
fn step<T: Ordered>(x: T) -> T {
    T::select(x > T::of(0.0), 1.0, -1.0)
}

fn main() {}

