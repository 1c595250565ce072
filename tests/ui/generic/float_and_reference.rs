//! rustc knows neither type of the literal when it looks for an impl, so it names the pair.
use promote::Torch;

fn main() {
    let x = 1.5_f32;
    let _ = Torch::add(1.0, &x);
}
