//! Sums and dot products of typed elements, one after the other: what generic code has in place of a loop of
//! its own.

use crate::convert::{Convert, ConvertTo};
use crate::element::Element;
use crate::kernel::ops::{self, Binary, ComputeIn, Lane};
use crate::level::Scalar;
use crate::op::{Dot, LaneOf, OpRule, Sum, UnaryRule, lane, operand, result};

/// How many elements are added one after the other, before such sums are added pair by pair.
const RUN: usize = 128;

/// The sum of elements of a type under a rule set, as its `sum` says. Its method bears the name of no method
/// of `Rules`, so that `R::sum(..)` in generic code is that of `Rules`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to add elements of `{A}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeSum<A>`"
)]
pub trait ComputeSum<A>: UnaryRule<Sum, A> {
    /// Converts each element, adds in the compute type, and rounds the result once; of no elements, 0.
    fn compute(items: impl Iterator<Item = A>) -> Self::Output;
}

/// The dot product of elements of two types under a rule set, as its `dot` says.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute the dot product of `{A}` and `{B}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeDot<A, B>`"
)]
pub trait ComputeDot<A, B>: OpRule<Dot, A, B> {
    /// Converts each element, multiplies and adds in the compute type, and rounds the result once; of no
    /// elements, 0.
    fn compute(pairs: impl Iterator<Item = (A, B)>) -> Self::Output;
}

impl<R, A> ComputeSum<A> for R
where
    R: UnaryRule<Sum, A>,
    A: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    fn compute(items: impl Iterator<Item = A>) -> R::Output {
        let lanes = items.map(operand::<A, R::Common, R::Compute, ops::Add<0>>);
        let zero = lane::<bool, R::Compute, ops::Add<0>>(false);
        result::<ops::Add<0>, _, _>(pairwise(lanes).unwrap_or(zero).reg())
    }
}

impl<R, A, B> ComputeDot<A, B> for R
where
    R: OpRule<Dot, A, B>,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    ops::Multiply<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    fn compute(pairs: impl Iterator<Item = (A, B)>) -> R::Output {
        let lanes = pairs.map(|(a, b)| {
            let a = operand::<A, R::Common, R::Compute, ops::Multiply<0>>(a);
            let b = operand::<B, R::Common, R::Compute, ops::Multiply<0>>(b);
            ops::Multiply::<0>::apply(Scalar, a, b)
        });
        let zero = lane::<bool, R::Compute, ops::Add<0>>(false);
        result::<ops::Add<0>, _, _>(pairwise(lanes).unwrap_or(zero).reg())
    }
}

/// The sum of lanes: runs of 128 one after the other, and these pair by pair, so that the error of n elements
/// is that of 127 + log2(n / 128) additions.
fn pairwise<M: Copy>(mut lanes: impl Iterator<Item = M>) -> Option<M>
where
    ops::Add<0>: Binary<M, Out = M>,
{
    let add = |a, b| ops::Add::<0>::apply(Scalar, a, b);
    // The sum of 2^k runs at k: the bits of how many runs there were.
    let mut sums: [Option<M>; usize::BITS as usize] = [None; usize::BITS as usize];
    while let Some(first) = lanes.next() {
        let mut sum = lanes.by_ref().take(RUN - 1).fold(first, add);
        let mut level = 0;
        while let Some(other) = sums[level].take() {
            sum = add(other, sum);
            level += 1;
        }
        sums[level] = Some(sum);
    }
    // The later runs are the shorter ones.
    sums.into_iter().flatten().reduce(|later, earlier| add(earlier, later))
}
