//! Generic code: one function, with one bound, for all types that a rule set promotes.
//!
//! `cargo run --example generic_axpy`

use half::f16;
use promote::{CastCommon, Compute, Lossless, NumOps, OpOutput, Promoted, Rules, Torch, mixed, op, weak};

/// Computes `a · x + y` in the type that the three operands promote to.
fn axpy<R: NumOps<(A, X, Y)>, A, X, Y>(a: A, x: X, y: Y) -> R::Value {
    let (a, x, y) = R::promote((a, x, y));
    mixed! { R => a * x + y }
}

/// Computes `a · x + y` with each op in the type that its own operands promote to, so the product may wrap.
fn stepwise<R, A, X, Y>(a: A, x: X, y: Y) -> OpOutput<op::Add, (Product<A, X, R>, Y), R>
where
    R: Rules + Compute<op::Multiply, (A, X)> + Compute<op::Add, (Product<A, X, R>, Y)>,
{
    mixed! { R => a * x + y }
}

/// The type of `a · x` under the rule set `R`.
type Product<A, X, R> = OpOutput<op::Multiply, (A, X), R>;

/// Returns the greater of two numbers, if their common type holds all values of both.
fn greater<A, B>(a: A, b: B) -> Promoted<A, B>
where
    A: Lossless<B, Torch> + CastCommon<B, Torch, Output: PartialOrd>,
{
    let (a, b) = Torch::common(a, b);
    if a > b { a } else { b }
}

fn main() {
    let z: f32 = axpy::<Torch, _, _, _>(2_i8, 1.5_f32, 1_i64);
    let h: f16 = stepwise::<Torch, _, _, _>(weak(0.1), f16::from_f32(3.0), 1_u8);
    println!("2 * 1.5 + 1 = {z}, 0.1 * 3 + 1 = {h} in f16");
    assert_eq!((z, h), (4.0, f16::from_f32(1.3)));
    assert_eq!(axpy::<Torch, _, _, _>(100_i8, 2_i8, 1_i32), 201);
    assert_eq!(stepwise::<Torch, _, _, _>(100_i8, 2_i8, 1_i32), -55, "200 wraps in an i8");

    assert_eq!(greater(200_u8, -1_i8), 200_i16);
    // `greater(1_i64, 1.5_f32)` does not compile: f32 holds 24 of the 63 digits of an i64.

    // Sums and dot products of mixed types, accumulated in the type that the rule set chooses.
    let weights = [f16::from_f32(0.5); 4096];
    assert_eq!(Torch::sum(weights), f16::from_f32(2048.0));
    let dot: f32 = Torch::dot([1.5_f32, 2.0], [2.0_f32, 4.0]);
    println!("1.5 * 2 + 2 * 4 = {dot}");
    assert!((dot - 11.0).abs() < 1e-6);
}
