fn main() {
    let _: promote::OpOutput<promote::op::HuberLoss, (i32, f32)> = 1.0;
}
