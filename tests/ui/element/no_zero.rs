#[derive(Clone, Copy, PartialEq, promote::Element)]
#[element(via = f64)]
#[repr(transparent)]
pub struct Q16(i32);

impl From<f64> for Q16 {
    fn from(x: f64) -> Q16 {
        Q16((x * 65536.0) as i32)
    }
}

impl From<Q16> for f64 {
    fn from(x: Q16) -> f64 {
        f64::from(x.0) / 65536.0
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
    Fixed::logical_and(Q16(1), 2_i8);
}
