//! Numbers in a kernel are values, so they cannot be assigned to.

use promote::kernel;

#[kernel]
fn total<T>(a: T, b: T) -> T {
    let mut sum = a + b;
    sum += b;
    sum
}

fn main() {}

