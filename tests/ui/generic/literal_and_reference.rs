//! A literal is added to a reference.
use promote::Torch;

fn main() {
    let x = 1.5_f32;
    let _ = Torch::add(1, &x);
}
