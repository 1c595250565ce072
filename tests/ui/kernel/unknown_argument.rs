//! An unknown option is an error.

use promote::kernel;

#[kernel(likes = divide)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

