//! Text must be parsed first.
use promote::Torch;

fn main() {
    let _ = Torch::add(String::from("1"), 1.0);
}
