//! An index is multiplied by a weight.
use promote::Torch;

fn main() {
    let _ = Torch::multiply(0.5_f32, 3_usize);
}
