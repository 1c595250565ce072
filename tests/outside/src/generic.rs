//! Functions of any types that a rule set knows.

use dtypes::{
    CastCommon, Compute, Lossless, OpOutput, PromoteAll, Promoted, Reduce, Rules, Torch, op, promoted, weak,
};

/// The type of `a · x + y`.
pub type Axpy<A, X, Y, R> = OpOutput<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y), R>;

/// `a · x + y`, each op rounding as if it were called alone.
pub fn axpy<R, A, X, Y>(a: A, x: X, y: Y) -> Axpy<A, X, Y, R>
where
    R: Rules + Compute<op::Multiply, (A, X)> + Compute<op::Add, (OpOutput<op::Multiply, (A, X), R>, Y)>,
{
    dtypes::mixed! { crate = dtypes; R => a * x + y }
}

/// The root, in the type that the rule set takes roots in.
pub fn root<R, A>(a: A) -> OpOutput<op::Sqrt, (A,), R>
where
    R: Rules + Compute<op::Sqrt, (A,)>,
{
    R::apply(op::Sqrt, (a,))
}

/// Half of a number, where half has no width.
pub fn half<R, A>(a: A) -> OpOutput<op::Multiply, (A, dtypes::Weak<f64>), R>
where
    R: Rules + Compute<op::Multiply, (A, dtypes::Weak<f64>)>,
{
    R::apply(op::Multiply, (a, weak(0.5)))
}

/// The greater of two numbers, where their common type holds both.
pub fn greater<A, B>(a: A, b: B) -> Promoted<A, B>
where
    A: Lossless<B, Torch> + CastCommon<B, Torch, Output: PartialOrd>,
{
    let (a, b) = Torch::common(a, b);
    if a > b { a } else { b }
}

/// Returns the number of bytes of the common type of all members.
#[must_use]
pub fn bytes_of_common<T: PromoteAll<Torch>>(_: &T) -> usize {
    size_of::<T::Output>()
}

/// The common type of three types that are known.
pub type Three = promoted!(Torch: u8, i8, f32);

/// The sum of the products of elements, in what the rule set makes of a dot product.
pub fn correlation<R, A: Copy, B: Copy>(a: &[A], b: &[B]) -> OpOutput<op::Dot, (A, B), R>
where
    R: Rules + Reduce<op::Dot, (A, B)>,
{
    R::dot(a.iter().copied(), b.iter().copied())
}

/// The sum of all elements, in what the rule set makes of a sum.
pub fn total<R, A: Copy>(a: &[A]) -> OpOutput<op::Sum, (A,), R>
where
    R: Rules + Reduce<op::Sum, (A,)>,
{
    R::sum(a.iter().copied())
}
