#[derive(Clone, Copy, promote::Element)]
#[repr(transparent)]
pub struct Q16(i32);

promote::rules! {
    rules Fixed extends promote::Torch;
    kinds bool < int < fixed < float < complex;
    dtype q16: fixed 64 = crate::Q16;
    promote { q16, any => refuse "cast it first"; }
}

fn main() {}
