use num_complex::Complex;
use promote::Torch;

fn main() {
    let _ = Torch::less(Complex::new(1.0_f32, 2.0), 1.0_f32);
}
