fn main() {
    let _: promote::UnaryOutput<promote::op::Imag, f64, promote::Torch> = 0.0;
}
