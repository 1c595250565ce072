//! Its dtypes are chosen at each call, and not where it is written.

use promote::kernel;

#[kernel]
fn scaled(x: f32) -> f32 {
    x * 2.0
}

fn main() {}

