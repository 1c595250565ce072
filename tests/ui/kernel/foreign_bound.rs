//! A bound says in which dtypes the body computes, and this one does not.

use promote::kernel;

#[kernel]
fn twice<T: std::ops::Add<Output = T> + Copy>(x: T) -> T {
    x + x
}

fn main() {}

