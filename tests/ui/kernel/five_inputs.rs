//! A kernel has at most four inputs.

use promote::kernel;

#[kernel]
fn total<T>(a: T, b: T, c: T, d: T, e: T) -> T {
    a + b + c + d + e
}

fn main() {}

