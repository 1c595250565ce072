//! As a length that is multiplied.
use promote::Torch;

fn main() {
    let n = [0; 3].len();
    let _ = Torch::multiply(n, 2);
}
