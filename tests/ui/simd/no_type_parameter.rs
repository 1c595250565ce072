//! A kernel of vectors is generic over the SIMD level.

use promote::kernel;

#[kernel(simd)]
fn same(x: f32) -> f32 {
    x
}

fn main() {}
