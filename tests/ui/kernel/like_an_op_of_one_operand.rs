//! What several inputs promote to is asked of an op of two.

use promote::{Floating, kernel};

#[kernel(like = sqrt)]
fn root<T: Floating>(x: T) -> T {
    x.sqrt()
}

fn main() {}

