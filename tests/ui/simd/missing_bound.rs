//! The SIMD level has its bound.

use promote::kernel;

#[kernel(simd)]
fn same<S>(simd: S, x: S::f32s) -> S::f32s {
    x
}

fn main() {}
