//! A kernel has one result.

use promote::kernel;

#[kernel]
fn both<T>(a: T, b: T) -> (T, T) {
    (a + b, a - b)
}

fn main() {}

