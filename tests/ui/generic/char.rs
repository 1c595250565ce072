//! A letter is no number.
use promote::Torch;

fn main() {
    let _ = Torch::add('a', 1_u8);
}
