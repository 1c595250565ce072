#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
pub struct Q16(i32);

impl std::ops::Add for Q16 {
    type Output = Q16;

    fn add(self, b: Q16) -> Q16 {
        Q16(self.0 + b.0)
    }
}

promote::rules! {
    rules Fixed extends promote::Torch;
    kinds bool < int < fixed < float < complex;
    dtype q16: fixed 32 = crate::Q16;
    holds f64 | c128: q16;
    promote {
        fixed, bool | int => a;
        fixed, any        => join or refuse "no dtype holds both";
    }
}

fn main() {
    Fixed::add(Q16(1), 2_i8);
}
