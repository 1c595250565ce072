//! A kernel cannot be asynchronous.

use promote::kernel;

#[kernel]
async fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

