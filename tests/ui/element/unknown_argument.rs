#[derive(Clone, Copy, promote::Element)]
#[element(through = f64)]
#[repr(transparent)]
struct Q16(i32);

fn main() {}
