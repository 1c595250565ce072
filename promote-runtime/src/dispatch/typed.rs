//! Typed slices: the kernel is looked up when the caller is compiled.

use core::marker::PhantomData;

use crate::dispatch::extras::{Inputs, complete};
use crate::element::Element;
use crate::error::call::CallError;
use crate::kernel::find::{Enters, Reached, entry, reached};
use crate::kernel::fused::check;
use crate::kernel::{Entry, Kernel, Kernels};
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::block::is_lined;
use crate::memory::{Argument, Slice, SliceMut, threads};
use crate::op::typed::{OpKernel, OpRule};
use crate::op::{Flags, OpType, Reduction};
use crate::ops::{KernelOp, KernelType};
use crate::{DType, Kind, Number, OpTypes};

/// A type that knows a build's kernels; rule-set types do.
pub trait KernelSource {
    /// The kernels.
    const KERNELS: &'static Kernels;
}

/// The operands of a typed call.
trait Operands {
    /// The dtypes of the two operands; of one operand, its dtype twice.
    const DTYPES: [DType; 2];
}

impl<A: Element> Operands for (A,) {
    const DTYPES: [DType; 2] = [A::DTYPE; 2];
}

impl<A: Element, B: Element> Operands for (A, B) {
    const DTYPES: [DType; 2] = [A::DTYPE, B::DTYPE];
}

/// The properties of a typed call that are known at compile time. Its constants name only the kernels that
/// the call can reach, since a program links every kernel that is named.
struct Typed<R, Op, Args>(PhantomData<(R, Op, Args)>);

impl<R, Op, Args> Typed<R, Op, Args>
where
    R: OpRule<Op, Args> + OpKernel<Op> + KernelSource,
{
    const OP: KernelOp = <R::Kernel as KernelType>::OP;
    const TYPES: OpTypes =
        OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
    /// All kernels of the op, for ops with extra inputs: their flags and the dtypes of extra inputs are known
    /// only at run time.
    const OF_OP: &'static Kernels = &R::KERNELS.of_op(Self::OP.canonical(Self::TYPES.compute, false));
}

impl<R, Op, Args> Typed<R, Op, Args>
where
    R: OpRule<Op, Args> + OpKernel<Op> + KernelSource,
    Args: Operands,
{
    const A: DType = Args::DTYPES[0];
    const B: DType = Args::DTYPES[1];
    /// The loop, and whether it takes the operands in the other order.
    const LOOP: Option<(&'static Entry, bool)> = entry(R::KERNELS, Self::OP, Self::A, Self::B, Self::TYPES);
    const REACHED: Option<Reached> = reached(R::KERNELS, Self::OP, Self::A, Self::B, Self::TYPES);
    /// The kernels that the call can reach.
    const KERNELS: &'static Kernels = match &Self::REACHED {
        Some((entries, casts)) => &Kernels::of_call(*entries, casts),
        None => R::KERNELS,
    };

    /// Looks up the kernel.
    fn find() -> Result<Kernel, CallError> {
        let (a, b) = ((Self::A, Enters::Common), (Self::B, Enters::Common));
        Kernel::find_at(Level::active(), Self::KERNELS, Self::OP, a, b, Self::TYPES)
    }

    /// Looks up the kernel of a call in place, which most often is a loop.
    #[inline]
    fn find_loop() -> Result<Kernel, CallError> {
        Kernel::find(Self::KERNELS, Self::OP, Self::A, Self::B, Self::TYPES)
    }
}

/// Computes `Op` on two typed slices under the rule set `R`; all three have the same length, which may be 0.
///
/// # Errors
///
/// Returns an error if the lengths differ, the op refuses a value, or the build has no kernel.
#[inline]
pub fn call<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let n = out.len();
    if a.len() == n
        && b.len() == n
        && n < threads::MIN_LEN
        && let Some((entry, swap)) = Typed::<R, Op, (A, B)>::LOOP
        && (!entry.is_memory_bound() || is_lined(out.as_ptr().addr(), size_of_val(out)))
        && let Some(raw) = entry.raw_in_use()
    {
        let (first, second) = (a.as_ptr().cast(), b.as_ptr().cast());
        let inputs: [*const u8; 2] = if swap { [second, first] } else { [first, second] };
        // SAFETY: the entry is for the dtypes of these element types and the slices have `n` elements; the
        // level in use is one that the machine has; `out` is borrowed exclusively, so it overlaps neither
        // input.
        return check(unsafe { invoke(raw, n, &inputs, out.as_mut_ptr().cast()) });
    }
    call_general::<R, Op, A, B>(a, b, out)
}

/// Handles everything that the fast path of [`call`] does not: results that begin within a cache line,
/// errors, threads, pipelines and the first call. It is a separate function so that the fast path needs no
/// stack.
#[cold]
#[inline(never)]
fn call_general<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    Typed::<R, Op, (A, B)>::find()?.call_slices(Slice::new(a), Slice::new(b), SliceMut::new(out))
}

/// Computes `Op` on a typed slice under the rule set `R`; both have the same length, which may be 0.
///
/// # Errors
///
/// Returns the errors of [`call`].
#[inline]
pub fn call_unary<R, Op, A>(a: &[A], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    A: Element,
{
    let n = out.len();
    if a.len() == n
        && n < threads::MIN_LEN
        && let Some((entry, _)) = Typed::<R, Op, (A,)>::LOOP
        && (!entry.is_memory_bound() || is_lined(out.as_ptr().addr(), size_of_val(out)))
        && let Some(raw) = entry.raw_in_use()
    {
        let inputs: [*const u8; 1] = [a.as_ptr().cast()];
        // SAFETY: as in `call`.
        return check(unsafe { invoke(raw, n, &inputs, out.as_mut_ptr().cast()) });
    }
    call_unary_general::<R, Op, A>(a, out)
}

/// Does what [`call_general`] does, for one operand.
#[cold]
#[inline(never)]
fn call_unary_general<R, Op, A>(a: &[A], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    A: Element,
{
    Typed::<R, Op, (A,)>::find()?.call_arrays(&[a.into()], SliceMut::new(out))
}

/// Computes `Op` on two typed slices, of which the first becomes the result; both have the same length, which
/// may be 0.
///
/// # Errors
///
/// Returns the errors of [`call`].
pub fn call_in_place<R, Op, A, B>(out: &mut [A], b: &[B]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B), Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    Typed::<R, Op, (A, B)>::find_loop()?.call_in_place(Slice::new(b), SliceMut::new(out))
}

/// Computes `Op` on a typed slice, which becomes the result; its length may be 0.
///
/// # Errors
///
/// Returns the errors of [`call`].
pub fn call_unary_in_place<R, Op, A>(out: &mut [A]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,), Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
{
    Typed::<R, Op, (A,)>::find_loop()?.call_arrays(&[Argument::InPlace(A::DTYPE)], SliceMut::new(out))
}

/// Computes `Op`, which takes more than its two operands, on typed slices under the rule set `R`. Slices have
/// the length of `out`, which may be 0; `extras` are as [`Op::extras`](crate::Op::extras) has them.
///
/// # Errors
///
/// Returns the errors of [`call`], and an error if the op does not take an extra.
pub fn call_extended<'a, R, Op, A, B>(
    flags: Flags,
    a: &'a [A],
    b: &'a [B],
    extras: &[Argument<'a>],
    out: &mut [R::Output],
) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
{
    let (kernel, inputs) = extended::<R, Op, (A, B), A, B>(flags, &[a.into(), b.into()], extras)?;
    kernel.call_inputs(&inputs, SliceMut::new(out))
}

/// Computes `Op`, which takes numbers after its operand, on a typed slice under the rule set `R`. It has the
/// length of `out`, which may be 0; `extras` are as [`Op::extras`](crate::Op::extras) has them.
///
/// # Errors
///
/// Returns the errors of [`call_extended`].
pub fn call_unary_extended<R, Op, A>(
    flags: Flags,
    a: &[A],
    extras: &[Argument<'_>],
    out: &mut [R::Output],
) -> Result<(), CallError>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
{
    let (kernel, inputs) = extended::<R, Op, (A,), A, A>(flags, &[a.into()], extras)?;
    kernel.call_inputs(&inputs, SliceMut::new(out))
}

/// Returns the sum or the mean of what [`call_extended`] would write; see [`Kernel::reduced`].
///
/// # Errors
///
/// Returns the errors of [`call_extended`], and an error if the results are not floats.
pub fn call_reduced<'a, R, Op, A, B>(
    flags: Flags,
    a: &'a [A],
    b: &'a [B],
    extras: &[Argument<'a>],
    reduction: Reduction,
) -> Result<R::Output, CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
{
    let (kernel, inputs) = extended::<R, Op, (A, B), A, B>(flags, &[a.into(), b.into()], extras)?;
    let found = kernel.reduced(&inputs, reduction)?;
    found.get().ok_or(CallError::NotReduced { dtype: R::Output::DTYPE })
}

/// Finds the kernel of an op whose dtypes are those for `Args`, and converts its inputs.
fn extended<'a, R, Op, Args, A, B>(
    flags: Flags,
    operands: &[Argument<'a>],
    extras: &[Argument<'a>],
) -> Result<(Kernel, Inputs<'a>), CallError>
where
    R: OpRule<Op, Args> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
{
    let op = Typed::<R, Op, Args>::OP;
    let op = op.with_semantics(op.semantics() | flags.semantics(Op::OP));
    let (kernels, types) = (Typed::<R, Op, Args>::OF_OP, Typed::<R, Op, Args>::TYPES);
    let keys = <(A, B)>::DTYPES.map(|dtype| (dtype, Enters::Common));
    let mut inputs: Inputs<'_> = operands.iter().copied().collect();
    let is_discrete = types.common.kind() < Kind::Float;
    let extra = |k: usize| match extras.get(k).copied() {
        // Typed functions have numbers as f64, of which whole ones are integers.
        Some(Argument::Number(Number::Float(x))) if is_discrete && x % 1.0 == 0.0 => {
            Some(Argument::Number(Number::Int(x as i128)))
        }
        given => given,
    };
    let level = Level::active();
    Ok((complete(kernels, level, (Op::OP, op), keys, types, &mut inputs, extra)?, inputs))
}

/// Computes `Op` of three operands that decide the dtype, and of numbers, on typed slices under the rule set
/// `R`; `X` is the type that the first two of them give. All have the same length, which may be 0.
///
/// # Errors
///
/// Returns the errors of [`call_extended`].
pub fn call_joined<R, Op, X, A, B, C>(
    a: &[A],
    b: &[B],
    c: &[C],
    numbers: &[f64],
    out: &mut [R::Output],
) -> Result<(), CallError>
where
    R: OpRule<Op, (X, C)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
    C: Element,
{
    let numbers = numbers.iter().map(|number| Argument::from(*number));
    let extras: Inputs<'_> = core::iter::once(c.into()).chain(numbers).collect();
    let (kernel, inputs) = extended::<R, Op, (X, C), A, B>(Flags::DEFAULT, &[a.into(), b.into()], &extras)?;
    kernel.call_inputs(&inputs, SliceMut::new(out))
}
