use float8::F8E4M3;
use promote::Torch;

fn main() {
    let _ = Torch::add(F8E4M3::ONE, 1.0_f32);
}
