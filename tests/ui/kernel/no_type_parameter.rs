//! A kernel is generic: each call chooses its dtypes.

use promote::kernel;

#[kernel]
fn scaled(x: f32) -> f32 {
    x * 2.0
}

fn main() {}

