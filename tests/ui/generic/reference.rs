//! The items of `iter()` are references.
use promote::Torch;

fn main() {
    let values = [1.5_f32, 2.5];
    let _ = values.iter().map(|x| Torch::add(x, 1_i32)).count();
}
