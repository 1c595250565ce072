//! Inputs are taken by value.

use promote::kernel;

#[kernel]
fn twice<T>(x: &T) -> T {
    *x + *x
}

fn main() {}

