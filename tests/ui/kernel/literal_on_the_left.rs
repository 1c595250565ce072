//! A literal stands on the right.

use promote::kernel;

#[kernel]
fn twice<T>(x: T) -> T {
    2.0 * x
}

fn main() {}

