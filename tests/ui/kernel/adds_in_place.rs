//! Numbers of a kernel are values.

use promote::kernel;

#[kernel]
fn total<T>(a: T, b: T) -> T {
    let mut sum = a + b;
    sum += b;
    sum
}

fn main() {}

