//! `isize` is refused by an op whose rules look at both operands.
use promote::Torch;

fn main() {
    let _ = Torch::subtract(3_isize, 1_i32);
}
