#[derive(Clone, promote::Element)]
#[repr(transparent)]
struct Name(String);

fn main() {}
