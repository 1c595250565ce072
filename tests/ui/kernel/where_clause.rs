//! The bound is written at the type parameter.

use promote::{Floating, kernel};

#[kernel]
fn root<T>(x: T) -> T
where
    T: Floating,
{
    x.sqrt()
}

fn main() {}

