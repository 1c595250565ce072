//! Loops for the pairs of a rule set's own dtypes, compiled in this crate by `kernels ..;` in the rule
//! file, and by `kernels!` for a rule set of another crate.

use std::ops::{Add, Mul};

use promote::{Cast as _, DType, Element, Op, RuleSet, SliceMut, Torch};

/// A voltage.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32, from(Q15))]
#[repr(transparent)]
pub struct Volt(f32);

impl From<f32> for Volt {
    fn from(x: f32) -> Volt {
        Volt(x)
    }
}

impl From<Q15> for Volt {
    fn from(x: Q15) -> Volt {
        Volt(x.into())
    }
}

impl From<Volt> for f32 {
    fn from(x: Volt) -> f32 {
        x.0
    }
}

impl Add for Volt {
    type Output = Volt;

    fn add(self, b: Volt) -> Volt {
        Volt(self.0 + b.0)
    }
}

impl Mul for Volt {
    type Output = Volt;

    fn mul(self, b: Volt) -> Volt {
        Volt(self.0 * b.0)
    }
}

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
    rules Lab extends promote::Torch;

    kinds bool < int < fixed < float < voltage < complex;
    dtype q15: fixed 16 = crate::Q15;
    dtype volt: voltage 32 = crate::Volt;
    holds f32 | f64 | c64 | c128 | volt: q15;
    promote {
        fixed, bool | int     => a;
        voltage, complex      => refuse "a voltage is real";
        voltage, any          => a;
        fixed, any            => join or refuse "no dtype holds both";
    }
    op sqrt elementary { fixed | voltage => common in f32; }

    kernels add multiply ordering maximum where: i16 f32 q15 volt;
}

// Loops for PyTorch's rules, beside those that it has.
promote::kernels!(static READINGS = promote::Torch: add multiply; i16 u8 f32);

const RULES: RuleSet = Torch::new().rule_set().with_kernels(&READINGS);

fn main() -> Result<(), promote::Error> {
    let (volts, steps) = ([Volt(0.5); 100], [3_i16; 100]);
    let mut out = [Volt(0.0); 100];

    // Typed: the loop converts each step and adds it, in vector code.
    Lab::add_into(&volts, &steps, &mut out)?;
    assert_eq!(out, [Volt(3.5); 100]);

    // Run time: the handle says that one loop does it.
    let rules = Lab::new().rule_set();
    let kernel = rules.kernel(Op::Multiply, Volt::DTYPE, Q15::DTYPE)?;
    assert!(kernel.is_fused());
    kernel.call_slices((&volts[..]).into(), (&[Q15(16384); 100][..]).into(), SliceMut::new(&mut out))?;
    assert_eq!(out, [Volt(0.25); 100]);

    // A rule set of another crate.
    let mut sums = [0.0_f32; 100];
    let kernel = RULES.kernel(Op::Add, DType::I16, DType::F32)?;
    assert!(kernel.is_fused());
    kernel.call_slices((&steps[..]).into(), (&[0.5_f32; 100][..]).into(), SliceMut::new(&mut sums))?;
    println!("3 steps at 0.5 V are {:?}; 3 + 0.5 = {}", out[0], sums[0]);
    Ok(())
}
