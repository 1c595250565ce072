#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
struct Q16(i32, ());

fn main() {}
