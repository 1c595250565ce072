//! A custom dtype: fixed-point numbers among PyTorch's dtypes, with types, tables and kernels.

use std::ops::{Add, Mul};

use promote::SliceMut;
use promote::{Cast as _, DType, Element, Op, Promoted};

/// A number from -1 up to 1 in 16 bits, with saturating sums.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Q15(i16);

impl From<f32> for Q15 {
    fn from(x: f32) -> Q15 {
        // Equals `as i16`, but without branches, so that LLVM vectorises casts.
        Q15((x * 32768.0).round_ties_even().cast())
    }
}

impl From<Q15> for f32 {
    fn from(x: Q15) -> f32 {
        f32::from(x.0) / 32768.0
    }
}

impl Add for Q15 {
    type Output = Q15;

    fn add(self, b: Q15) -> Q15 {
        Q15(self.0.saturating_add(b.0))
    }
}

impl Mul for Q15 {
    type Output = Q15;

    fn mul(self, b: Q15) -> Q15 {
        Q15(((i32::from(self.0) * i32::from(b.0)) >> 15).min(32767) as i16)
    }
}

promote::rules! {
    rules Fixed extends promote::Torch;

    kinds bool < int < fixed < float < complex;
    dtype q15: fixed 16 = crate::Q15;
    holds f32 | f64 | c64 | c128: q15;
    promote {
        fixed, bool | int => a;
        fixed, any        => join or refuse "no dtype holds both";
    }
    op sqrt elementary { fixed => common in f32; }   // computed in f32, and rounded to q15
}

fn main() -> Result<(), promote::Error> {
    let half = Q15::from(0.5);

    // Types: a fixed-point number and an integer promote to a fixed-point number, with a float to a float.
    let sum: Promoted<Q15, i8, Fixed> = Fixed::add(half, 0_i8);
    assert_eq!(sum, half);
    let product: f32 = Fixed::multiply(half, 3.0_f32);
    assert_eq!(Fixed::sqrt(Q15::from(0.25)), half);

    // Slices: vectorised code from the type's own operators.
    let (a, b) = ([half; 100], [Q15::from(0.25); 100]);
    let mut out = [Q15(0); 100];
    Fixed::add_into(&a, &b, &mut out)?;
    assert_eq!(out, [Q15::from(0.75); 100]);

    // Run time: dtypes are values.
    let rules = Fixed::new().rule_set();
    assert_eq!(rules.promote_types(Q15::DTYPE, DType::F16)?, DType::F32);
    rules.binary(Op::Maximum, a[..].into(), [1_i8; 100][..].into(), SliceMut::new(&mut out))?;
    println!("0.5 · 3 = {product}; the greater of 0.5 and 1 in {} is {}", Q15::DTYPE, f32::from(out[0]));
    Ok(())
}
