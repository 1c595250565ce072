//! Literals are written as floats, whatever the dtype.

use promote::kernel;

#[kernel]
fn twice<T>(x: T) -> T {
    x * 2
}

fn main() {}

