//! Ops at the type level: what a rule set says of them, and one element computed as a kernel would.

use crate::semantics;
use core::marker::PhantomData;

use super::{Flags, Ldexp, OpType};
use crate::Kind;
use crate::convert::{Cast, Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::kernel::ops::{self, Binary, ComputeIn, Exponent, Extended, KernelType, Lane, Unary, exponent};
use crate::level::Scalar;
use crate::table::{NumberEntry, ScalarEntry};
use promote_core::order_beyond;

/// What a rule set, as a type, says of an op on operands of the types `A` and `B`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{Op}` of `{A}` and `{B}`",
    label = "no rule says what comes out",
    note = "generic code bounds the rule set by each op that it calls: `R: Compute<op::Add, A, B>`"
)]
pub trait OpRule<Op, A, B> {
    /// The type that both operands are converted to.
    type Common: Element;
    /// The type that the op computes in.
    type Compute: Element;
    /// The type of the result.
    type Output: Element;
}

/// What a rule set, as a type, says of an op of one operand, a reduction among them, on an operand of the
/// type `A`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{Op}` of `{A}`",
    label = "no rule says what comes out",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeUnary<op::Exp, A>`, or `R: ComputeSum<A>` for sums",
    note = "an op of `#[kernel(named)]` is known to the rule sets whose files name it: `op axpy = crate::Axpy;`"
)]
pub trait UnaryRule<Op, A> {
    /// The type that the operand is converted to.
    type Common: Element;
    /// The type that the op computes in.
    type Compute: Element;
    /// The type of the result.
    type Output: Element;
}

/// With which semantics a rule set, as a type, computes an op; there is one for each op that has kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}`",
    label = "the rule set has no such op, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: Compute<op::Add, A, B>`"
)]
pub trait OpKernel<Op> {
    /// The op with its semantics: a type of [`kernel::ops`](crate::kernel::ops).
    type Kernel: KernelType;
    /// How a number without a width enters.
    const SCALAR: ScalarEntry = ScalarEntry::Rounded;
    /// What becomes of one that the integer dtype which it enters does not hold.
    const NUMBER: NumberEntry = NumberEntry::Wraps;
}

/// What ops of a rule set make of the common dtype: a map that they share, with a row for each dtype.
///
/// The map implements it and not the dtype, since rustc compares every two impls of one type.
#[diagnostic::on_unimplemented(
    message = "`{T}` is no dtype that this op of the rule set knows",
    label = "convert it first to a type of the rule set",
    note = "a rule set knows the standard types and those that its file names"
)]
pub trait OpMap<T> {
    /// A [`Gives`].
    type Row: OpRow;
}

/// What an op converts to, computes in and gives.
pub trait OpRow {
    /// As [`OpRule::Common`].
    type Common: Element;
    /// As [`OpRule::Compute`].
    type Compute: Element;
    /// As [`OpRule::Output`].
    type Output: Element;
}

/// The one [`OpRow`]: three types.
pub struct Gives<Common, Compute, Output>(PhantomData<(Common, Compute, Output)>);

impl<X: Element, Y: Element, Z: Element> OpRow for Gives<X, Y, Z> {
    type Common = X;
    type Compute = Y;
    type Output = Z;
}

/// An op on two elements under a rule set: the bits are those that a kernel of the same types gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}` of `{A}` and `{B}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: Compute<op::Add, A, B>`"
)]
pub trait Compute<Op, A, B>: OpRule<Op, A, B> + OpKernel<Op> {
    /// Converts both operands, computes, and rounds the result once.
    ///
    /// # Panics
    /// If the op refuses the operands, as the division of integers by zero does where the rule set makes that
    /// an error, or if a number without a width does not fit the integer type that it enters, where the rule
    /// set wants that.
    fn compute(a: A, b: B) -> Self::Output;
}

/// An op on one element under a rule set: the bits are those that a kernel of the same types gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}` of `{A}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeUnary<op::Exp, A>`"
)]
pub trait ComputeUnary<Op, A>: UnaryRule<Op, A> + OpKernel<Op> {
    /// Converts the operand, computes, and rounds the result once.
    fn compute(a: A) -> Self::Output;
}

/// An op on two elements and `N` numbers under a rule set: the bits are those that a kernel of the same types
/// gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}` of `{A}`, `{B}` and what it takes besides",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeExtended<op::Lerp, A, B, 1>`"
)]
pub trait ComputeExtended<Op, A, B, const N: usize>: OpRule<Op, A, B> + OpKernel<Op> {
    /// Converts operands and numbers, computes, and rounds the result once. Numbers and probabilities are not
    /// checked.
    fn compute(flags: Flags, a: A, b: B, extras: [f64; N]) -> Self::Output;
}

/// An op on three elements that decide its dtype, and a number: the bits are those that a kernel of the same
/// types gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}` of `{A}`, `{B}` and `{C}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeJoined<op::Addcmul, A, B, C>`"
)]
pub trait ComputeJoined<Op, A, B, C>: OpKernel<Op> {
    /// What comes out.
    type Output: Element;

    /// Converts all, computes, and rounds the result once.
    fn compute(a: A, b: B, c: C, value: f64) -> Self::Output;
}

/// `ldexp` of two elements under a rule set: the bits are those that a kernel of the same types gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `ldexp` of `{A}` and `{B}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code bounds the rule set by each op that it calls: `R: ComputeScaled<A, B>`"
)]
pub trait ComputeScaled<A, B>: OpRule<Ldexp, A, B> + OpKernel<Ldexp> {
    /// Converts the left operand, and the right one unless it is a whole exponent, computes, and rounds the
    /// result once.
    fn compute(a: A, b: B) -> Self::Output;
}

impl<R, A, B> ComputeScaled<A, B> for R
where
    R: OpRule<Ldexp, A, B> + OpKernel<Ldexp>,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common> + ConvertTo<R::Compute> + ConvertTo<i32>,
    R::Common: ConvertTo<R::Compute>,
    i32: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    ops::Ldexp<0>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    ops::Ldexp<{ semantics::EXPONENT_POWER }>: Binary<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute(a: A, b: B) -> R::Output {
        let x = operand::<A, R::Common, R::Compute, R::Kernel>(a);
        let found = match exponent(R::Kernel::OP.of_operands(A::DTYPE, B::DTYPE)) {
            Some(Exponent::Whole) => {
                let b = lane::<B, R::Compute, R::Kernel>(b);
                ops::Ldexp::<0>::apply(Scalar, x, b)
            }
            Some(Exponent::Low) => {
                let b = lane::<i32, R::Compute, R::Kernel>(b.cast());
                ops::Ldexp::<0>::apply(Scalar, x, b)
            }
            None => {
                let b = operand::<B, R::Common, R::Compute, R::Kernel>(b);
                ops::Ldexp::<{ semantics::EXPONENT_POWER }>::apply(Scalar, x, b)
            }
        };
        result::<R::Kernel, _, _>(found.reg())
    }
}

/// The form in which `R` computes `Op` on `A` and `B`.
pub(crate) type LaneOf<M> = <M as ComputeIn>::Lane;
/// What the kernel makes of two of them.
type Out<R, Op, M> = <<R as OpKernel<Op>>::Kernel as Binary<LaneOf<M>>>::Out;
/// What it makes of one of them.
type OutUnary<R, Op, M> = <<R as OpKernel<Op>>::Kernel as Unary<LaneOf<M>>>::Out;

impl<R, Op, A, B> Compute<Op, A, B> for R
where
    R: OpRule<Op, A, B> + OpKernel<Op>,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common> + ConvertTo<R::Compute>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    R::Kernel: Binary<LaneOf<R::Compute>>,
    Out<R, Op, R::Compute>: Lane,
    <Out<R, Op, R::Compute> as Lane>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute(a: A, b: B) -> R::Output {
        let keeps = B::WEAK && matches!(R::SCALAR, ScalarEntry::OpmathRight);
        if matches!(R::NUMBER, NumberEntry::Error) {
            number_fits::<A, R::Common>(a);
            if keeps { number_fits::<B, R::Compute>(b) } else { number_fits::<B, R::Common>(b) }
        }
        if matches!(R::NUMBER, NumberEntry::Exact)
            && let Some(order) = order_beyond(a.number(), b.number(), R::Common::DTYPE)
            && let Some(truth) = <R::Kernel as Binary<LaneOf<R::Compute>>>::by_order(order)
        {
            return result::<R::Kernel, _, _>(truth.reg());
        }
        let a = operand::<A, R::Common, R::Compute, R::Kernel>(a);
        let b = if keeps {
            lane::<B, R::Compute, R::Kernel>(b)
        } else {
            operand::<B, R::Common, R::Compute, R::Kernel>(b)
        };
        if let Some(trap) = <R::Kernel as Binary<LaneOf<R::Compute>>>::TRAP
            && <R::Kernel as Binary<_>>::traps(a, b)
        {
            panic!("{}: {trap}", R::Kernel::OP.name());
        }
        result::<R::Kernel, _, _>(<R::Kernel as Binary<_>>::apply(Scalar, a, b).reg())
    }
}

impl<R, Op, A> ComputeUnary<Op, A> for R
where
    R: UnaryRule<Op, A> + OpKernel<Op>,
    A: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    R::Kernel: Unary<LaneOf<R::Compute>>,
    OutUnary<R, Op, R::Compute>: Lane,
    <OutUnary<R, Op, R::Compute> as Lane>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute(a: A) -> R::Output {
        let a = operand::<A, R::Common, R::Compute, R::Kernel>(a);
        result::<R::Kernel, _, _>(<R::Kernel as Unary<_>>::apply(Scalar, a).reg())
    }
}

impl<R, Op, A, B, const N: usize> ComputeExtended<Op, A, B, N> for R
where
    R: OpRule<Op, A, B> + OpKernel<Op>,
    Op: OpType,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common>,
    R::Common: ConvertTo<R::Compute>,
    R::Compute: ComputeIn,
    f64: ConvertTo<R::Compute>,
    R::Kernel: Extended<LaneOf<R::Compute>, N>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute(flags: Flags, a: A, b: B, extras: [f64; N]) -> R::Output {
        let words = R::Kernel::OP.semantics() | flags.semantics(Op::OP);
        let a = operand::<A, R::Common, R::Compute, R::Kernel>(a);
        let b = operand::<B, R::Common, R::Compute, R::Kernel>(b);
        let extras = extras.map(lane::<f64, R::Compute, R::Kernel>);
        result::<R::Kernel, _, _>(<R::Kernel as Extended<_, N>>::apply(Scalar, words, a, b, extras).reg())
    }
}

/// The type to which `R` converts all operands of `Op`.
type CommonOf<R, Op, A, B, C> = <R as OpRule<Op, <R as OpRule<Op, A, B>>::Output, C>>::Common;
/// The type that it computes in.
type ComputeOf<R, Op, A, B, C> = <R as OpRule<Op, <R as OpRule<Op, A, B>>::Output, C>>::Compute;
/// The type of the result.
type OutputOf<R, Op, A, B, C> = <R as OpRule<Op, <R as OpRule<Op, A, B>>::Output, C>>::Output;

impl<R, Op, A, B, C> ComputeJoined<Op, A, B, C> for R
where
    R: OpRule<Op, A, B> + OpRule<Op, <R as OpRule<Op, A, B>>::Output, C> + OpKernel<Op>,
    A: ConvertTo<CommonOf<R, Op, A, B, C>>,
    B: ConvertTo<CommonOf<R, Op, A, B, C>>,
    C: ConvertTo<CommonOf<R, Op, A, B, C>>,
    CommonOf<R, Op, A, B, C>: ConvertTo<ComputeOf<R, Op, A, B, C>>,
    ComputeOf<R, Op, A, B, C>: ComputeIn,
    f64: ConvertTo<ComputeOf<R, Op, A, B, C>>,
    R::Kernel: Extended<LaneOf<ComputeOf<R, Op, A, B, C>>, 2>,
    <ComputeOf<R, Op, A, B, C> as Element>::Reg: Convert<<OutputOf<R, Op, A, B, C> as Element>::Reg>,
{
    type Output = OutputOf<R, Op, A, B, C>;

    #[inline]
    fn compute(a: A, b: B, c: C, value: f64) -> Self::Output {
        let words = R::Kernel::OP.semantics();
        let a = operand::<A, CommonOf<R, Op, A, B, C>, ComputeOf<R, Op, A, B, C>, R::Kernel>(a);
        let b = operand::<B, CommonOf<R, Op, A, B, C>, ComputeOf<R, Op, A, B, C>, R::Kernel>(b);
        let c = operand::<C, CommonOf<R, Op, A, B, C>, ComputeOf<R, Op, A, B, C>, R::Kernel>(c);
        let extras = [c, lane::<f64, ComputeOf<R, Op, A, B, C>, R::Kernel>(value)];
        result::<R::Kernel, _, _>(<R::Kernel as Extended<_, 2>>::apply(Scalar, words, a, b, extras).reg())
    }
}

/// What was computed, rounded once to what comes out.
#[inline]
pub(crate) fn result<K, X, O>(x: X) -> O
where
    K: KernelType,
    X: Register + Convert<O::Reg>,
    O: Element,
{
    O::from_repr(O::store::<Scalar, K::Overflow>(Scalar, narrowed::<K, X, O>(x)))
}

/// What was computed, in the register form of what comes out, as it is before its one rounding.
#[inline(always)]
#[allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]
pub(crate) fn narrowed<K, X, O>(x: X) -> O::Reg
where
    K: KernelType,
    X: Register + Convert<O::Reg>,
    O: Element,
{
    let clamped = K::OP.semantics() & semantics::OUT_OF_RANGE_X86_CLAMPED != 0;
    let x86 = clamped || K::OP.semantics() & semantics::OUT_OF_RANGE_X86 != 0;
    if x86 && matches!(O::DTYPE.kind(), Kind::Unsigned | Kind::Signed) {
        return x.convert_by_instruction(clamped);
    }
    x.convert(O::NARROW)
}

/// `a` where the condition holds, else `b`, converted to the common dtype of `Op` under `R`.
///
/// # Panics
/// If a number without a width does not fit the integer type that it enters, where the rule set wants that.
#[inline]
pub fn choose<R, Op, A, B>(condition: bool, a: A, b: B) -> R::Output
where
    R: OpRule<Op, A, B> + OpKernel<Op>,
    A: ConvertTo<R::Output>,
    B: ConvertTo<R::Output>,
{
    if matches!(R::NUMBER, NumberEntry::Error) {
        number_fits::<A, R::Output>(a);
        number_fits::<B, R::Output>(b);
    }
    if condition { a.cast() } else { b.cast() }
}

/// Stops where a number without a width does not fit the integer type that it enters.
#[inline]
fn number_fits<A: Element, C: Element>(a: A) {
    if let Some(int) = a.number().and_then(|number| number.beyond(C::DTYPE)) {
        panic!("{int} does not fit {}: cast the other operand to a type that holds it", C::DTYPE);
    }
}

#[inline]
pub(crate) fn operand<A, C, M, K>(a: A) -> M::Lane
where
    A: ConvertTo<C>,
    C: Element + ConvertTo<M>,
    M: ComputeIn,
    K: KernelType,
{
    let common: C = a.cast_with::<K::Overflow>();
    lane::<C, M, K>(common)
}

/// An element in the form in which `M` is computed in.
#[inline]
pub(crate) fn lane<A, M, K>(a: A) -> M::Lane
where
    A: ConvertTo<M>,
    M: ComputeIn,
    K: KernelType,
{
    M::Lane::of_reg(<A as ConvertTo<M>>::convert_to::<Scalar, K::Overflow>(Scalar, a.to_repr()))
}
