//! All vectors have the same lanes.

use promote::{kernel, pulp};

#[kernel(simd)]
fn total<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f64s) -> S::f32s {
    x
}

fn main() {}
