fn main() {
    let _: promote::OpOutput<promote::op::Imag, (f64,), promote::Torch> = 0.0;
}
