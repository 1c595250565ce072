//! `isize` is refused by an op of one operand.
use promote::Torch;

fn main() {
    let _ = Torch::exp(3_isize);
}
