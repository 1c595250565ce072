//! In PyTorch, u16 promotes with floats only.
use promote::{promoted, Torch};

fn main() {
    let _: promoted!(Torch: u16, i32, f32) = 0.0;
}
