//! The bound must be one of those that say in which dtypes the body computes.

use promote::kernel;

#[kernel]
fn twice<T: std::ops::Add<Output = T> + Copy>(x: T) -> T {
    x + x
}

fn main() {}

