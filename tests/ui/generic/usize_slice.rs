//! The elements of slices must have a dtype.

use promote::Torch;

fn main() {
    let mut out = [0.0_f32; 2];
    Torch::add_into(&[1_usize, 2], &[1.0_f32, 2.0], &mut out).unwrap();
}
