//! An input is a slice or a single element.

use promote::{Torch, kernel};

#[kernel]
fn total<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    let mut out = [0_i32; 2];
    let _ = Torch::total_into(vec![1_i32, 2], 1_i32, &mut out);
}

