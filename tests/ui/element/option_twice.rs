//! Options that name a list may be repeated; an option with one value may not.

#[derive(Clone, Copy, promote::Element)]
#[element(via = f64)]
#[element(via = f32)]
#[repr(transparent)]
struct Q16(i32);

impl From<f64> for Q16 {
    fn from(x: f64) -> Q16 {
        Q16(x as i32)
    }
}

impl From<Q16> for f64 {
    fn from(x: Q16) -> f64 {
        x.0.into()
    }
}

fn main() {}
