//! Kernels take up to four.

use promote::kernel;

#[kernel]
fn sum<T>(a: T, b: T, c: T, d: T, e: T) -> T {
    a + b + c + d + e
}

fn main() {}

