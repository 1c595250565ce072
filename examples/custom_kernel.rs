//! A custom op: from a function of one element, `#[kernel]` generates typed functions, kernels for every SIMD
//! level and dispatch at run time.
//!
//! `cargo run --example custom_kernel`

use half::f16;
use promote::SliceMut;
use promote::op::OpType;
use promote::{Argument, Floating, Number, RuleSet, Torch, kernel};

/// Computes `alpha · x + y`.
#[kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// An activation: `x · tanh(x)`.
#[kernel]
fn lisht<T: Floating>(x: T) -> T {
    x * x.tanh()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // With known types: one loop that converts each input, computes, and rounds the result once.
    let (x, y) = ([f16::from_f32(0.5); 1000], [1.0_f32; 1000]);
    let mut out = [0.0_f32; 1000];
    Torch::axpy_into(3_i8, &x, &y, &mut out)?;
    assert!(out.iter().all(|z| (z - 2.5).abs() < 1e-6));

    // For integers PyTorch's rules compute it in f32, as they do for `divide`.
    let one: f32 = Torch::lisht(1_i32);
    println!("lisht(1) = {one}");
    assert!((one - 0.761_594).abs() < 1e-6);

    // With dtypes that are known only at run time, the rule set decides or refuses.
    let rules: RuleSet = Torch::new().rule_set();
    let inputs = [Argument::Number(Number::Float(0.1)), (&x[..]).into(), (&y[..]).into()];
    rules.elementwise(Axpy::OP, &inputs, SliceMut::new(&mut out))?;
    assert!(out.iter().all(|z| (z - 1.05).abs() < 1e-6));
    Ok(())
}
