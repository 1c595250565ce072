//! A kernel has at most four inputs.

use promote::{kernel, pulp};

#[kernel(simd)]
fn total<S: pulp::Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s, d: S::f32s, e: S::f32s) -> S::f32s {
    a
}

fn main() {}
