//! A custom op whose body is vector code, written with pulp: `#[kernel(simd)]` adds conversions, the tail,
//! broadcasting and the choice of the SIMD level.
//!
//! `cargo run --example simd_kernel`

use half::f16;
use promote::op::OpType;
use promote::{RuleSet, SliceMut, Torch, kernel, pulp};

/// Computes `x · x + y`, with one rounding where the machine has fused instructions.
#[kernel(simd)]
fn square_add<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
    simd.mul_add_e_f32s(x, x, y)
}

/// Computes the positive part of `x`, and a hundredth of the negative one.
#[kernel(simd)]
fn leaky<S: pulp::Simd>(simd: S, x: S::f64s) -> S::f64s {
    let scaled = simd.mul_f64s(x, simd.splat_f64s(0.01));
    simd.select_f64s(simd.less_than_f64s(x, simd.splat_f64s(0.0)), scaled, x)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Operands of other dtypes are converted, as long as the rule set computes in f32.
    let (x, y) = ([f16::from_f32(1.5); 1000], [2_i8; 1000]);
    let mut out = [f16::ZERO; 1000];
    Torch::square_add_into(&x, &y, &mut out)?;
    assert!(out.iter().all(|z| *z == f16::from_f32(4.25)));

    // A single element is broadcast, and single elements alone are computed at the scalar level.
    let mut floats = [0.0_f32; 1000];
    Torch::square_add_into(&[3.0_f32; 1000], 1_i8, &mut floats)?;
    assert!(floats.iter().all(|z| (z - 10.0).abs() < 1e-6));
    println!("leaky(-2) = {}", Torch::leaky(-2.0_f64));

    // With dtypes that are known only at run time:
    let rules: RuleSet = Torch::new().rule_set();
    rules.elementwise(SquareAdd::OP, &[(&x[..]).into(), (&y[..]).into()], SliceMut::new(&mut out))?;
    assert!(out.iter().all(|z| *z == f16::from_f32(4.25)));

    // Nothing is computed in another type than that of the vectors.
    let mut wide = [0.0_f64; 1];
    let inputs = [(&[1.0_f64][..]).into(), (&[1.0_f64][..]).into()];
    let refused = rules.elementwise(SquareAdd::OP, &inputs, SliceMut::new(&mut wide)).unwrap_err();
    println!("{refused}");
    Ok(())
}
