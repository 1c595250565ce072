#[derive(Clone, Copy, PartialEq, PartialOrd, promote::Element)]
#[repr(transparent)]
pub struct Q15(i16);

#[derive(Clone, Copy, PartialEq, PartialOrd, promote::Element)]
#[repr(transparent)]
pub struct Q31(i32);

promote::rules! {
    rules Fixed extends promote::Torch;
    kinds bool < int < fixed < float < complex;
    dtype q15: fixed 16 = crate::Q15;
    dtype q31: fixed 32 = crate::Q31;
    holds q31: q15;
    promote {
        fixed, fixed => join;
        fixed, any   => refuse "cast it first";
    }
}

fn main() {
    Fixed::less(Q15(1), Q31(2));
}
