//! Numbers are refused as arrays of their kind are.
use promote::{weak, Torch};

fn main() {
    let _ = Torch::left_shift(3_i32, weak(2.5));
}
