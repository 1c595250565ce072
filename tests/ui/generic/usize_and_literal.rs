//! A length is multiplied by a literal.
use promote::Torch;

fn main() {
    let n = [0; 3].len();
    let _ = Torch::multiply(n, 2);
}
