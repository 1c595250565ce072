#[derive(Clone, Copy, promote::Element)]
#[promote_test_attributes::align]
#[repr(transparent)]
struct Padded(u8);

fn main() {}
