#[derive(Clone, Copy, promote::Element)]
#[promote_test_attributes::u8_to_bool]
#[repr(transparent)]
struct Flag(u8);

fn main() {}
