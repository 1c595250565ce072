//! The bound stands at the parameter.

use promote::{Floating, kernel};

#[kernel]
fn root<T>(x: T) -> T
where
    T: Floating,
{
    x.sqrt()
}

fn main() {}

