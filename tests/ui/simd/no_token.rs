//! The token of the SIMD level is the first argument.

use promote::{kernel, pulp};

#[kernel(simd)]
fn squared<S: pulp::Simd>(x: S::f32s) -> S::f32s {
    x
}

fn main() {}
