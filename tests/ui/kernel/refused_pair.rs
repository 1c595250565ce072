//! The inputs must promote.

use promote::{Torch, kernel};

#[kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

fn main() {
    let _ = Torch::axpy(1_u16, 2_i32, 3_i32);
}

