//! What comes out has the dtype that the rule set says.

use promote::{Torch, kernel};

#[kernel]
fn sum<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    let mut out = [0_i32; 2];
    let _ = Torch::sum_into(&[1_i32, 2], 0.5_f32, &mut out);
}

