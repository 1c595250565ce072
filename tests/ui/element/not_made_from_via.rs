#[derive(Clone, Copy, promote::Element)]
#[element(via = f64)]
#[repr(transparent)]
struct Q16(i32);

impl From<Q16> for f64 {
    fn from(x: Q16) -> f64 {
        f64::from(x.0) / 65536.0
    }
}

fn main() {}
