//! `add` computes in integers here, but the body needs floats.

use promote::{Floating, Torch, kernel};

#[kernel(like = add)]
fn root<T: Floating>(x: T) -> T {
    x.sqrt()
}

fn main() {
    let _ = Torch::root(2_i32);
}

