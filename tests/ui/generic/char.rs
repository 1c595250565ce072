//! A `char` is not a number.
use promote::Torch;

fn main() {
    let _ = Torch::add('a', 1_u8);
}
