//! A literal must be converted before it is returned.

use promote::kernel;

#[kernel]
fn zero<T>(x: T) -> T {
    0.0
}

fn main() {}

