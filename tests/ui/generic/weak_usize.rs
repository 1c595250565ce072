//! Not every `usize` is an `i64`.
use promote::{Torch, weak};

fn main() {
    let n = 3_usize;
    let _ = Torch::multiply(1.5_f32, weak(n));
}
