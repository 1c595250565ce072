//! Constants belong in the body, not in the parameters.

use promote::kernel;

#[kernel]
fn scaled<const N: i32>(x: f32) -> f32 {
    x
}

fn main() {}

