//! `like` names an op of two operands, since several inputs promote.

use promote::{Floating, kernel};

#[kernel(like = sqrt)]
fn root<T: Floating>(x: T) -> T {
    x.sqrt()
}

fn main() {}

