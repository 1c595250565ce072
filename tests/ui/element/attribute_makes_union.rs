#[derive(Clone, Copy, promote::Element)]
#[promote_test_attributes::struct_to_union]
#[repr(transparent)]
struct Bits {
    bits: u8,
}

fn main() {}
