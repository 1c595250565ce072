//! `usize` is not a dtype.

use promote::{Torch, kernel};

#[kernel]
fn total<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    let _ = Torch::total(2_usize, 1.0_f32);
}

