//! A body is of one lane: the slices are given to what comes from it.

use promote::kernel;

#[kernel]
fn first<T>(x: &[T]) -> T {
    x[0]
}

fn main() {}

