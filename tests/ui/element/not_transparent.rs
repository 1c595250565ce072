#[derive(Clone, Copy, promote::Element)]
struct Q16(i32);

fn main() {}
