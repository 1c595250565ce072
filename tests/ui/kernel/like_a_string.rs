//! An op is named by its name.

use promote::kernel;

#[kernel(like = "divide")]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

