//! A literal is made a number of the body's.

use promote::kernel;

#[kernel]
fn zero<T>(x: T) -> T {
    0.0
}

fn main() {}

