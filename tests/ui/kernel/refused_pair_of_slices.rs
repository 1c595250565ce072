//! The elements of slices must promote.

use promote::{Torch, kernel};

#[kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

fn main() {
    let mut out = [0_i32; 2];
    let _ = Torch::axpy_into(1_u16, &[1_i32, 2], &[3_i32, 4], &mut out);
}

