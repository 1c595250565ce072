#[derive(Clone, Copy, promote::Element)]
#[promote_test_attributes::add_field]
#[repr(transparent)]
struct Wide(u8);

fn main() {}
