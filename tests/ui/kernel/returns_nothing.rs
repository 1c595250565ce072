//! A kernel is a value of its inputs.

use promote::kernel;

#[kernel]
fn total<T>(a: T, b: T) {
    let _ = a + b;
}

fn main() {}

