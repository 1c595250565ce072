#[derive(Clone, Copy, promote::Element)]
#[element(via = f64)]
#[repr(transparent)]
struct Q16(i32);

impl From<f64> for Q16 {
    fn from(x: f64) -> Q16 {
        Q16((x * 65536.0) as i32)
    }
}

fn main() {}
