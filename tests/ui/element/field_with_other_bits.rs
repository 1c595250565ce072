#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
struct Flag(bool);

fn main() {}
