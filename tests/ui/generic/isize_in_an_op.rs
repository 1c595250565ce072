//! An op that looks at its two operands.
use promote::Torch;

fn main() {
    let _ = Torch::subtract(3_isize, 1_i32);
}
