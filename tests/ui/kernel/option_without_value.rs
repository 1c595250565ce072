//! The error points at the option, although the value is missing behind it.

use promote::kernel;

#[kernel(like =)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}
