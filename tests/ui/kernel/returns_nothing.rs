//! A kernel is a value of its inputs.

use promote::kernel;

#[kernel]
fn add<T>(a: T, b: T) {
    let _ = a + b;
}

fn main() {}

