//! The help shows an example of the option with a value.

#[derive(Clone, Copy, promote::Element)]
#[element(via)]
#[repr(transparent)]
struct Q16(i32);

fn main() {}
