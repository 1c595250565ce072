//! A body computes one element. The generated functions take slices.

use promote::kernel;

#[kernel]
fn first<T>(x: &[T]) -> T {
    x[0]
}

fn main() {}

