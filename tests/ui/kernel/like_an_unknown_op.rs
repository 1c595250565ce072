//! The dtypes of a kernel may be those of an op that is there.

use promote::kernel;

#[kernel(like = divides)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

