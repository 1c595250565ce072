//! The place is the word, though it is where the attribute ends that something is missing.

use promote::kernel;

#[kernel(like =)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}
