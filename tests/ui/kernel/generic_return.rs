//! The result has the type parameter of the inputs.

use promote::kernel;

#[kernel]
fn twice<T>(x: T) -> impl Into<T> {
    x + x
}

fn main() {}

