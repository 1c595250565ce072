//! Sums and dot products of typed elements, one after the other: what generic code has in place of a loop of
//! its own.

use crate::convert::{Convert, ConvertTo};
use crate::element::Element;
use crate::kernel::ops::{self, Binary, ComputeIn, Lane};
use crate::level::Scalar;
use crate::op::typed::{LaneOf, OpRule, lane, operand, result};
use crate::op::{Dot, Sum};

/// How many elements are added one after the other, before such sums are added pair by pair.
const RUN: usize = 128;

/// Reduces many elements to one under a rule set: [`Sum`] of `(A,)`, [`Dot`] of `(A, B)`.
///
/// It is the bound of generic code for `Rules::sum` and `Rules::dot`: `R: Reduce<op::Sum, (A,)>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to reduce elements of `{Args}` by `{Op}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code needs one bound for each op that it calls, such as `R: Reduce<op::Sum, (A,)>` or `R: Reduce<op::Dot, (A, B)>`"
)]
pub trait Reduce<Op, Args>: OpRule<Op, Args> {
    /// Converts each element, adds in the compute type, and rounds the result once; of no elements, 0.
    fn reduce(items: impl Iterator<Item = Args>) -> Self::Output;
}

impl<R, A> Reduce<Sum, (A,)> for R
where
    R: OpRule<Sum, (A,)>,
    A: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    fn reduce(items: impl Iterator<Item = (A,)>) -> R::Output {
        let lanes = items.map(|(a,)| operand::<A, R::Common, R::Compute, ops::Add<0>>(a));
        let zero = lane::<bool, R::Compute, ops::Add<0>>(false);
        result::<ops::Add<0>, _, _>(pairwise(lanes).unwrap_or(zero).reg())
    }
}

impl<R, A, B> Reduce<Dot, (A, B)> for R
where
    R: OpRule<Dot, (A, B)>,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    ops::Multiply<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    fn reduce(pairs: impl Iterator<Item = (A, B)>) -> R::Output {
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
