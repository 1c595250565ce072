//! Vectors are of f32 or f64.

use promote::{kernel, pulp};

#[kernel(simd)]
fn total<S: pulp::Simd>(simd: S, x: S::i32s, y: S::i32s) -> S::i32s {
    simd.add_i32s(x, y)
}

fn main() {}
