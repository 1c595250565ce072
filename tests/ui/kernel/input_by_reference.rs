//! Inputs are values.

use promote::kernel;

#[kernel]
fn twice<T>(x: &T) -> T {
    *x + *x
}

fn main() {}

