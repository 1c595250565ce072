//! The help is an example of what the word says.

#[derive(Clone, Copy, promote::Element)]
#[element(via)]
#[repr(transparent)]
struct Q16(i32);

fn main() {}
