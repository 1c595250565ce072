//! `like` takes the name of an op without quotes.

use promote::kernel;

#[kernel(like = "divide")]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

