//! `like` names an op that exists.

use promote::kernel;

#[kernel(like = divides)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

