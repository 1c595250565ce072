//!  is no dtype.

use promote::{Torch, kernel};

#[kernel]
fn sum<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    let _ = Torch::sum(2_usize, 1.0_f32);
}

