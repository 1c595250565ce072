//! Ops at the type level: their dtypes under a rule set, and their results for single elements.

use crate::semantics;
use core::marker::PhantomData;

use super::{Form, Ldexp, Numbers, OpForm, OpType};
use crate::convert::{Cast, Convert, ConvertTo};
use crate::element::{Element, Register};
use crate::level::Scalar;
use crate::ops::{self, ComputeForm, Exponent, KernelType, LaneValue, OpLane, Stepwise, exponent};
use crate::semantics::{NumberOverflow, RightScalar};
use crate::{DType, Kind, Number};
use promote_core::__private::order_out_of_range;

/// The dtypes of an op under a rule set, at compile time.
///
/// `Args` is the tuple of the types of its arguments: `(A,)` for an op of one operand or a reduction, `(A,
/// B)` for an op of two operands, `(bool, A, B)` for `where`. An op such as `lerp` takes [`Numbers`] after
/// its operands. [`rules!`](../promote/macro.rules.html) implements this trait for every combination whose
/// dtypes the rule set knows.
///
/// ```
/// use promote::{OpRule, Torch, op};
///
/// let root: <Torch as OpRule<op::Sqrt, (i64,)>>::Output = 2.0_f32.sqrt();
/// let less: <Torch as OpRule<op::Less, (u8, f16)>>::Output = true;
/// # use promote::half::f16;
/// # let _ = (root, less);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{Op}` of `{Args}`",
    label = "no rule gives the dtype of the result",
    note = "generic code needs one bound for each op that it calls, such as `R: Compute<op::Add, (A, B)>` or `R: Compute<op::Exp, (A,)>`",
    note = "an op of `#[kernel(named)]` is known to the rule sets whose files name it: `op axpy = crate::Axpy;`"
)]
pub trait OpRule<Op, Args> {
    /// The type that all operands are converted to.
    type Common: Element;
    /// The type that the op computes in.
    type Compute: Element;
    /// The type of the result.
    type Output: Element;
}

/// The semantics of an op under a rule set, at compile time. It is implemented for each op that has kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}`",
    label = "the rule set has no such op, or a bound is missing here",
    note = "generic code needs one bound for each op that it calls, such as `R: Compute<op::Add, (A, B)>`"
)]
pub trait OpKernel<Op> {
    /// The op with its semantics, one of the types in `ops.rs`.
    type Kernel: KernelType;
    /// The conversion of numbers without a width.
    const RIGHT_SCALAR: RightScalar = RightScalar::Rounded;
    /// The treatment of an integer number that does not fit the integer dtype that it is converted to.
    const NUMBER: NumberOverflow = NumberOverflow::Wraps;
}

/// A map from the common dtype to the dtypes of an op, with a row for each dtype. Ops with equal rows share a
/// map.
///
/// The map implements the trait and not the dtype, because rustc compares every two impls of one type.
#[diagnostic::on_unimplemented(
    message = "`{T}` is no dtype that this op of the rule set knows",
    label = "convert it first to a type that the rule set knows",
    note = "a rule set knows the standard types and those that its file names"
)]
pub trait OpMap<T> {
    /// The dtypes of the op, a [`OpDTypes`].
    type Row: OpRow;
}

/// The common dtype, the compute dtype and the output dtype of an op.
pub trait OpRow {
    /// The type of [`OpRule::Common`].
    type Common: Element;
    /// The type of [`OpRule::Compute`].
    type Compute: Element;
    /// The type of [`OpRule::Output`].
    type Output: Element;
}

/// A row of an [`OpMap`]: three types.
pub struct OpDTypes<Common, Compute, Output>(PhantomData<(Common, Compute, Output)>);

impl<X: Element, Y: Element, Z: Element> OpRow for OpDTypes<X, Y, Z> {
    type Common = X;
    type Compute = Y;
    type Output = Z;
}

/// Computes an op on single elements under a rule set. The bits of the result equal those of a kernel for
/// these types.
///
/// It is the bound of generic code: `R: Compute<op::Add, (A, B)>`. `Args` is that of [`OpRule`], whose
/// `Output` is the type of the result.
///
/// ```
/// use promote::{Compute, Numbers, OpRule, Torch, op};
///
/// /// Returns the value in the middle between two.
/// fn middle<R, A, B>(a: A, b: B) -> <R as OpRule<op::Lerp, (A, B, Numbers<1>)>>::Output
/// where
///     R: Compute<op::Lerp, (A, B, Numbers<1>)>,
/// {
///     R::compute((a, b, Numbers::new([0.5])))
/// }
/// assert_eq!(middle::<Torch, _, _>(1.0_f32, 2.0_f32), 1.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to compute `{Op}` of `{Args}`",
    label = "the rule set refuses it, or a bound is missing here",
    note = "generic code needs one bound for each op that it calls, such as `R: Compute<op::Add, (A, B)>` or `R: Compute<op::Exp, (A,)>`",
    note = "a literal in `mixed!` is a number without a width, and `NumOps` covers none: write `R::number(2.0)` for `2`"
)]
pub trait Compute<Op, Args>: OpRule<Op, Args> {
    /// Converts the operands to the common type, computes in the compute type, and rounds the result once.
    /// Integers wrap.
    ///
    /// # Panics
    ///
    /// Panics if an integer is divided by zero and the rule set makes that an error. Panics if a number
    /// without a width does not fit its integer type and the rule set makes that an error. [`Numbers`] are
    /// not checked.
    fn compute(args: Args) -> Self::Output;
}

impl<R, Op, Args> Compute<Op, Args> for R
where
    R: OpRule<Op, Args>,
    R::Common: ArgumentForm<R, Op>,
    FormOf<R, Op, Args>: ComputeArguments<R, Op, Args>,
{
    #[inline]
    fn compute(args: Args) -> R::Output {
        <FormOf<R, Op, Args> as ComputeArguments<R, Op, Args>>::compute(args)
    }
}

/// Finds the form of an op's arguments from the common type and the kernel.
///
/// If the rule set has no rule for the op, its common type is unknown. rustc then cannot tell the form
/// either, and reports the missing rule alone. A missing kernel is reported alone in the same way.
pub trait ArgumentForm<R, Op> {
    /// The type of [`OpForm::Form`].
    type Form;
}

impl<C: Element, R: OpKernel<Op>, Op: OpForm> ArgumentForm<R, Op> for C {
    type Form = <R::Kernel as KnownKernel<Op>>::Form;
}

/// Finds the form of an op's arguments from a kernel that rustc knows.
pub trait KnownKernel<Op> {
    /// The type of [`OpForm::Form`].
    type Form;
}

impl<K: KernelType, Op: OpForm> KnownKernel<Op> for K {
    type Form = Op::Form;
}

/// The form of an op's arguments.
type FormOf<R, Op, Args> = <<R as OpRule<Op, Args>>::Common as ArgumentForm<R, Op>>::Form;

/// Computes an op whose arguments have a given form. [`Compute`] forwards to it.
#[diagnostic::on_unimplemented(
    message = "`{Op}` does not compute on single elements of `{Args}`",
    label = "the op takes other arguments, or its result is not an element"
)]
pub trait ComputeArguments<R: OpRule<Op, Args>, Op, Args> {
    /// Computes [`Compute::compute`].
    fn compute(args: Args) -> R::Output;
}

/// The lane type of a compute type.
pub(crate) type LaneOf<M> = <Stepwise<M> as ComputeForm>::Lane;
/// The result of the op on two lanes.
type Out<R, Op, M> = <<R as OpKernel<Op>>::Kernel as OpLane<LaneOf<M>>>::Out;
/// The result of the op on one lane.
type OutUnary<R, Op, M> = <<R as OpKernel<Op>>::Kernel as OpLane<LaneOf<M>, (LaneOf<M>,)>>::Out;

/// The type that all operands are converted to.
type CommonOf<R, Op, Args> = <<R as OpRule<Op, Args>>::Common as Element>::Itself;

/// [`ConvertTo`] seen from the target: a bound on the type that an operand `A` is converted to.
///
/// If that type is unknown, as in generic code that lacks a bound for the op, rustc reports this and nothing
/// about the operands.
pub trait ConvertFrom<A>: Element {
    /// The dtype of `A`; that of this type for a number without a width.
    const FROM: DType;
    /// True if `A` is a number without a width.
    const WEAK: bool;

    /// Returns the number of an operand without a width; `None` for other operands.
    fn number(a: &A) -> Option<Number>;

    /// Converts an operand to this type, rounding once.
    fn value<K: KernelType>(a: A) -> Self;

    /// Converts an operand to the register form of this type, rounding once.
    fn register<K: KernelType>(a: A) -> Self::Reg;
}

impl<A: ConvertTo<C>, C: Element> ConvertFrom<A> for C {
    const FROM: DType = if A::WEAK { C::DTYPE } else { A::DTYPE };
    const WEAK: bool = A::WEAK;

    #[inline]
    fn number(a: &A) -> Option<Number> {
        a.number()
    }

    #[inline]
    fn value<K: KernelType>(a: A) -> C {
        a.cast_with::<K::Overflow>()
    }

    #[inline]
    fn register<K: KernelType>(a: A) -> C::Reg {
        <A as ConvertTo<C>>::convert_to::<Scalar, K::Overflow>(Scalar, a.to_repr())
    }
}

impl<R, Op, A, B> ComputeArguments<R, Op, (A, B)> for Form<{ Form::BINARY }>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op>,
    CommonOf<R, Op, (A, B)>: ConvertFrom<A> + ConvertFrom<B> + ConvertTo<R::Compute>,
    R::Compute: ConvertFrom<B>,
    Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
    R::Kernel: OpLane<LaneOf<R::Compute>>,
    Out<R, Op, R::Compute>: LaneValue,
    <Out<R, Op, R::Compute> as LaneValue>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute((a, b): (A, B)) -> R::Output {
        let keeps_width =
            <R::Compute as ConvertFrom<B>>::WEAK && matches!(R::RIGHT_SCALAR, RightScalar::Opmath);
        let numbers = [
            <CommonOf<R, Op, (A, B)> as ConvertFrom<A>>::number(&a),
            <CommonOf<R, Op, (A, B)> as ConvertFrom<B>>::number(&b),
        ];
        if matches!(R::NUMBER, NumberOverflow::Error) {
            number_fits(numbers[0], R::Common::DTYPE);
            number_fits(numbers[1], if keeps_width { R::Compute::DTYPE } else { R::Common::DTYPE });
        }
        if matches!(R::NUMBER, NumberOverflow::Exact)
            && let Some(order) = order_out_of_range(numbers[0], numbers[1], R::Common::DTYPE)
            && let Some(known) = <R::Kernel as OpLane<LaneOf<R::Compute>>>::compares(order)
        {
            return result::<R::Kernel, _, _>(known.reg());
        }
        let a = CommonOf::<R, Op, (A, B)>::value::<R::Kernel>(a);
        let a = lane::<_, R::Compute, R::Kernel>(a);
        let b = if keeps_width {
            LaneOf::<R::Compute>::of_reg(R::Compute::register::<R::Kernel>(b))
        } else {
            lane::<_, R::Compute, R::Kernel>(CommonOf::<R, Op, (A, B)>::value::<R::Kernel>(b))
        };
        if let Some(trap) = <R::Kernel as OpLane<LaneOf<R::Compute>>>::TRAP
            && <R::Kernel as OpLane<_>>::traps((a, b))
        {
            panic!("{}: {trap}", R::Kernel::OP.name());
        }
        let op = const {
            let a = <CommonOf<R, Op, (A, B)> as ConvertFrom<A>>::FROM;
            let b = <CommonOf<R, Op, (A, B)> as ConvertFrom<B>>::FROM;
            R::Kernel::OP.for_signs(a, b, R::Common::DTYPE)
        };
        let computed = <R::Kernel as OpLane<_>>::apply_with(Scalar, op.semantics(), (a, b));
        result::<R::Kernel, _, _>(computed.reg())
    }
}

impl<R, Op, A> ComputeArguments<R, Op, (A,)> for Form<{ Form::UNARY }>
where
    R: OpRule<Op, (A,)> + OpKernel<Op>,
    CommonOf<R, Op, (A,)>: ConvertFrom<A> + ConvertTo<R::Compute>,
    Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
    R::Kernel: OpLane<LaneOf<R::Compute>, (LaneOf<R::Compute>,)>,
    OutUnary<R, Op, R::Compute>: LaneValue,
    <OutUnary<R, Op, R::Compute> as LaneValue>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute((a,): (A,)) -> R::Output {
        let a = lane::<_, R::Compute, R::Kernel>(CommonOf::<R, Op, (A,)>::value::<R::Kernel>(a));
        result::<R::Kernel, _, _>(<R::Kernel as OpLane<_, (_,)>>::apply(Scalar, (a,)).reg())
    }
}

impl<R, Op, A, B> ComputeArguments<R, Op, (bool, A, B)> for Form<{ Form::WHERE }>
where
    R: OpRule<Op, (bool, A, B)> + OpKernel<Op>,
    A: ConvertTo<R::Output>,
    B: ConvertTo<R::Output>,
{
    #[inline]
    fn compute((condition, a, b): (bool, A, B)) -> R::Output {
        if matches!(R::NUMBER, NumberOverflow::Error) {
            number_fits(a.number(), R::Output::DTYPE);
            number_fits(b.number(), R::Output::DTYPE);
        }
        if condition { a.cast() } else { b.cast() }
    }
}

/// The result of the op on `N` lanes.
type OutOf<R, Op, M, const N: usize> =
    <<R as OpKernel<Op>>::Kernel as OpLane<LaneOf<M>, [LaneOf<M>; N]>>::Out;

/// Ops with numbers after their operands, as rows `FORM [operands] [indices of the numbers] count lanes`.
/// The numbers become elements of a dtype, which is in turn converted to that of the computation, by the
/// function that is named last.
macro_rules! with_numbers {
    ($form:ident [$($ty:ident $arg:ident)*] [$($at:literal)*] $count:literal $lanes:literal $number:ident $enter:ident) => {
        impl<R, Op, $($ty),*> ComputeArguments<R, Op, ($($ty,)* Numbers<$count>)> for Form<{ Form::$form }>
        where
            R: OpRule<Op, ($($ty,)* Numbers<$count>)> + OpKernel<Op>,
            Op: OpType,
            $($ty: ConvertTo<R::Common>,)*
            R::Common: ConvertTo<R::Compute>,
            Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
            f64: ConvertTo<R::$number>,
            i64: ConvertTo<R::$number>,
            R::$number: ConvertTo<R::Compute>,
            R::Kernel: OpLane<LaneOf<R::Compute>, [LaneOf<R::Compute>; $lanes]>,
            OutOf<R, Op, R::Compute, $lanes>: LaneValue,
            <OutOf<R, Op, R::Compute, $lanes> as LaneValue>::Reg: Convert<<R::Output as Element>::Reg>,
        {
            #[inline]
            fn compute(($($arg,)* numbers): ($($ty,)* Numbers<$count>)) -> R::Output {
                let semantics = R::Kernel::OP.semantics() | numbers.flags.semantics(Op::OP);
                $(let $arg = operand::<$ty, R::Common, R::Compute, R::Kernel>($arg);)*
                let lanes = [$($arg,)* $($enter::<f64, R::$number, R::Compute, R::Kernel>(numbers.values[$at]),)*];
                result::<R::Kernel, _, _>(R::Kernel::apply_with(Scalar, semantics, lanes).reg())
            }
        }
    };
}

with_numbers!(EXTENDED [A a B b] [0] 1 3 Compute operand);
with_numbers!(EXTENDED [A a B b] [0 1] 2 4 Compute operand);
with_numbers!(JOINED [A a B b C c] [] 0 3 Compute operand);
with_numbers!(JOINED [A a B b C c] [0] 1 4 Compute operand);
with_numbers!(UNARY_EXTENDED [A a] [0 1] 2 3 Compute operand);
with_numbers!(FACTOR [A a B b] [0] 1 3 Common factor);

impl<R, A, B> ComputeArguments<R, Ldexp, (A, B)> for Form<{ Form::SCALED }>
where
    R: OpRule<Ldexp, (A, B)> + OpKernel<Ldexp>,
    A: ConvertTo<R::Common>,
    B: ConvertTo<R::Common> + ConvertTo<R::Compute> + ConvertTo<i32>,
    R::Common: ConvertTo<R::Compute>,
    i32: ConvertTo<R::Compute>,
    Stepwise<R::Compute>: ComputeForm<Common = R::Compute>,
    ops::Ldexp<0>: OpLane<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    ops::Ldexp<{ semantics::EXPONENT_POWER }>: OpLane<LaneOf<R::Compute>, Out = LaneOf<R::Compute>>,
    <R::Compute as Element>::Reg: Convert<<R::Output as Element>::Reg>,
{
    #[inline]
    fn compute((a, b): (A, B)) -> R::Output {
        let x = operand::<A, R::Common, R::Compute, R::Kernel>(a);
        let found = match exponent(R::Kernel::OP.for_operands(A::DTYPE, B::DTYPE, R::Common::DTYPE)) {
            Some(Exponent::Whole) => {
                let b = lane::<B, R::Compute, R::Kernel>(b);
                ops::Ldexp::<0>::apply(Scalar, (x, b))
            }
            Some(Exponent::Low) => {
                let b = lane::<i32, R::Compute, R::Kernel>(b.cast());
                ops::Ldexp::<0>::apply(Scalar, (x, b))
            }
            None => {
                let b = operand::<B, R::Common, R::Compute, R::Kernel>(b);
                ops::Ldexp::<{ semantics::EXPONENT_POWER }>::apply(Scalar, (x, b))
            }
        };
        result::<R::Kernel, _, _>(found.reg())
    }
}

/// Rounds a computed value once to the output type.
#[inline]
pub(crate) fn result<K, X, O>(x: X) -> O
where
    K: KernelType,
    X: Register + Convert<O::Reg>,
    O: Element,
{
    O::from_repr(O::store::<Scalar, K::Overflow>(Scalar, narrowed::<K, X, O>(x)))
}

/// Converts a computed value to the register form of the output type, before it is rounded.
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

/// Converts a factor to a lane of the compute type `M`, by the common type `C`. In integers a negative factor
/// wraps.
///
/// # Panics
///
/// Panics if `C` is an integer type, and the factor is not an integer that fits it.
#[inline]
fn factor<A, C, M, K>(x: A) -> LaneOf<M>
where
    A: Into<f64>,
    f64: ConvertTo<C>,
    i64: ConvertTo<C>,
    C: Element + ConvertTo<M>,
    M: Element,
    Stepwise<M>: ComputeForm<Common = M>,
    K: KernelType,
{
    let (x, kind) = (x.into(), C::DTYPE.kind());
    if !matches!(kind, Kind::Unsigned | Kind::Signed) {
        return operand::<f64, C, M, K>(x);
    }
    #[allow(clippy::cast_possible_truncation, reason = "a number that loses something is refused")]
    let whole = x as i64;
    #[allow(
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "it is compared with what is left of it"
    )]
    let is_whole = whole as f64 == x;
    assert!(is_whole, "the factor {x} is not an integer of {}: pass one that is", C::DTYPE);
    let magnitude = if kind == Kind::Unsigned { i128::from(whole).abs() } else { i128::from(whole) };
    number_fits(Some(Number::Int(magnitude)), C::DTYPE);
    operand::<i64, C, M, K>(whole)
}

/// Panics if a number without a width does not fit the integer type that it is converted to.
#[inline]
fn number_fits(number: Option<Number>, dtype: DType) {
    if let Some(int) = number.and_then(|number| number.out_of_range(dtype)) {
        panic!("{int} does not fit {dtype}: cast the other operand to a type that holds it");
    }
}

/// Converts an operand to the common type `C`, then to a lane of the compute type `M`.
#[inline]
pub(crate) fn operand<A, C, M, K>(a: A) -> LaneOf<M>
where
    A: ConvertTo<C>,
    C: Element + ConvertTo<M>,
    M: Element,
    Stepwise<M>: ComputeForm<Common = M>,
    K: KernelType,
{
    let common: C = a.cast_with::<K::Overflow>();
    lane::<C, M, K>(common)
}

/// Converts an element to a lane of the compute type `M`.
#[inline]
pub(crate) fn lane<A, M, K>(a: A) -> LaneOf<M>
where
    A: ConvertTo<M>,
    M: Element,
    Stepwise<M>: ComputeForm<Common = M>,
    K: KernelType,
{
    LaneOf::<M>::of_reg(<A as ConvertTo<M>>::convert_to::<Scalar, K::Overflow>(Scalar, a.to_repr()))
}
