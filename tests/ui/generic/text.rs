//! Text is parsed before it is computed with.
use promote::Torch;

fn main() {
    let _ = Torch::add(String::from("1"), 1.0);
}
