//! Inputs need names, which the generated functions use.

use promote::kernel;

#[kernel]
fn difference<T>((a, b): (T, T)) -> T {
    a - b
}

fn main() {}

