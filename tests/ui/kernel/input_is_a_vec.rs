//! The function of single elements takes no `Vec`.

use promote::{Torch, kernel};

#[kernel]
fn total<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    let _ = Torch::total(vec![1_i32, 2], 1_i32);
}
