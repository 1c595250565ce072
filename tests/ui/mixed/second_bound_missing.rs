//! Each operator needs a bound, and the sum has none.

use promote::{Compute, OpOutput, Rules, mixed, op};

fn axpy<R, A, X, Y>(a: A, x: X, y: Y) -> OpOutput<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y), R>
where
    R: Rules + Compute<op::Multiply, (A, X)>,
{
    mixed! { R => a * x + y }
}

fn main() {}
