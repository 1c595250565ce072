fn main() {
    let _ = size_of::<promote::OpOutput<promote::op::Negative, (bool,)>>();
}
