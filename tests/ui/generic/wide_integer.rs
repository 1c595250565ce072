//! No system has integers of 128 bits.
use promote::Torch;

fn main() {
    let _ = Torch::add(1_u128, 1_u8);
}
