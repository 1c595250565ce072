//! What is the same everywhere stands in the body.

use promote::kernel;

#[kernel]
fn scaled<const N: i32>(x: f32) -> f32 {
    x
}

fn main() {}

