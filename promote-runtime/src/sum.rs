//! Sums and dot products of iterators, for generic code.

use crate::convert::{Convert, ConvertTo};
use crate::element::Element;
use crate::level::Scalar;
use crate::op::typed::{LaneOf, OpRule, lane, operand, result};
use crate::op::{Dot, Sum};
use crate::ops::{self, ComputeForm, LaneValue, OpLane, Stepwise};

/// The number of elements that are added in sequence. The sums of such runs are added pairwise.
const RUN: usize = 128;

/// Reduces the items of an iterator to one element under a rule set: [`Sum`] of `(A,)`, [`Dot`] of `(A, B)`.
///
/// Generic code needs this bound for `Rules::sum` and `Rules::dot`.
///
/// ```
/// use promote::{OpOutput, Reduce, Torch, op};
///
/// fn total<R: Reduce<op::Sum, (A,)>, A: Copy>(items: &[A]) -> OpOutput<op::Sum, (A,), R> {
///     R::reduce(items.iter().map(|x| (*x,)))
/// }
/// assert_eq!(total::<Torch, _>(&[200_u8, 100]), 300_i64);
/// let dot = Torch::reduce([(2.0_f32, 0.5_f32), (4.0, 0.25)].into_iter());
/// assert_eq!(dot, 2.0_f32);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to reduce elements of `{Args}` by `{Op}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code needs one bound for each op that it calls, such as `R: Reduce<op::Sum, (A,)>` or `R: Reduce<op::Dot, (A, B)>`"
)]
pub trait Reduce<Op, Args>: OpRule<Op, Args> {
    /// Converts each element to the common type, adds in the compute type, and rounds the result once.
    ///
    /// Without elements the result is 0. Integers wrap. The error of n elements is that of at most
    /// 127 + log2(n / 128) additions one after the other.
    fn reduce(items: impl Iterator<Item = Args>) -> Self::Output;
}

impl<R, A> Reduce<Sum, (A,)> for R
where
    R: OpRule<Sum, (A,)>,
    A: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: OpLane<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
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
    Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
    bool: ConvertTo<R::Compute>,
    ops::Add<0>: OpLane<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    ops::Multiply<0>: OpLane<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    fn reduce(pairs: impl Iterator<Item = (A, B)>) -> R::Output {
        let lanes = pairs.map(|(a, b)| {
            let a = operand::<A, R::Common, R::Compute, ops::Multiply<0>>(a);
            let b = operand::<B, R::Common, R::Compute, ops::Multiply<0>>(b);
            ops::Multiply::<0>::apply(Scalar, (a, b))
        });
        let zero = lane::<bool, R::Compute, ops::Add<0>>(false);
        result::<ops::Add<0>, _, _>(pairwise(lanes).unwrap_or(zero).reg())
    }
}

/// Adds lanes in runs of 128, whose sums are added pairwise. The error of n elements is that of at most
/// 127 + log2(n / 128) additions one after the other.
fn pairwise<M: Copy>(mut lanes: impl Iterator<Item = M>) -> Option<M>
where
    ops::Add<0>: OpLane<M, Out = M>,
{
    let add = |a, b| ops::Add::<0>::apply(Scalar, (a, b));
    // At position k is the sum of 2^k runs, if the number of runs so far has bit k set.
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
    // Lower positions have later runs.
    sums.into_iter().flatten().reduce(|later, earlier| add(earlier, later))
}
