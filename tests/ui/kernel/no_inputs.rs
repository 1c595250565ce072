//! A kernel without inputs would have no dtype.

use promote::kernel;

#[kernel]
fn two<T>() -> T {
    T::of(2.0)
}

fn main() {}

