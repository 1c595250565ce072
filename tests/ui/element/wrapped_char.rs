#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
struct Letter(char);

fn main() {}
