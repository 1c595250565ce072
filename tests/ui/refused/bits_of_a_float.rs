fn main() {
    let _: promote::OpOutput<promote::op::BitwiseAnd, (f32, i32)> = 1.0;
}
