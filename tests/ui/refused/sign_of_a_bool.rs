fn main() {
    let _ = size_of::<promote::UnaryOutput<promote::op::Negative, bool>>();
}
