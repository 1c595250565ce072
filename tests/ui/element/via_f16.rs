use half::f16;

#[derive(Clone, Copy, promote::Element)]
#[element(via = f16)]
#[repr(transparent)]
struct Ratio(u16);

impl From<f16> for Ratio {
    fn from(x: f16) -> Ratio {
        Ratio(x.to_bits())
    }
}

impl From<Ratio> for f16 {
    fn from(x: Ratio) -> f16 {
        f16::from_bits(x.0)
    }
}

fn main() {}
