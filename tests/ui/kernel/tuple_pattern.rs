//! The functions that come from it have its inputs' names.

use promote::kernel;

#[kernel]
fn difference<T>((a, b): (T, T)) -> T {
    a - b
}

fn main() {}

