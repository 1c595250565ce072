//! A kernel returns a value.

use promote::kernel;

#[kernel]
fn total<T>(a: T, b: T) {
    let _ = a + b;
}

fn main() {}

