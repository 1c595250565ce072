fn main() {
    let _: promote::OpOutput<promote::op::LeftShift, (u8, f64)> = 0.0;
}
