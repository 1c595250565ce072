//! Typed slices: the kernel is looked up when the caller is compiled.

use core::marker::PhantomData;

use crate::OpTypes;
use crate::dispatch::extras::{Inputs, complete};
use crate::element::Element;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::find::{Enters, Reached, entry, reached};
use crate::kernel::fused::check;
use crate::kernel::{Kernel, Kernels};
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::{Argument, Slice, SliceMut, threads};
use crate::op::typed::{OpKernel, OpRule};
use crate::op::{Flags, OpType, Reduction};
use crate::ops::{KernelOp, KernelType};

/// A type that knows a build's kernels; rule-set types do.
pub trait KernelSource {
    /// The kernels.
    const KERNELS: &'static Kernels;
}

/// Returns the dtypes of an op on operands of the types `Args`.
const fn op_types<R: OpRule<Op, Args>, Op, Args>() -> OpTypes {
    OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE }
}

/// The kernels that a typed call can reach. A call that named those of the rule set would link all of them.
struct Reach<R, Op, Args>(PhantomData<(R, Op, Args)>);

impl<R, Op, A, B> Reach<R, Op, (A, B)>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    const FOUND: Option<Reached> =
        reached(R::KERNELS, Self::OP, A::DTYPE, B::DTYPE, op_types::<R, Op, (A, B)>());
    const KERNELS: &'static Kernels = match &Self::FOUND {
        Some((entries, casts)) => &Kernels::of_call(*entries, casts),
        None => R::KERNELS,
    };
}

impl<R, Op, A, B> Reach<R, Op, (A, B)>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
{
    const OP: KernelOp = <R::Kernel as KernelType>::OP;
    /// All kernels of the op: of one with further inputs, the flags and the dtypes of these are known at run
    /// time only.
    const OF_OP: &'static Kernels =
        &R::KERNELS.of_op(Self::OP.canonical(op_types::<R, Op, (A, B)>().compute, false));
}

impl<R, Op, A> Reach<R, Op, (A,)>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    A: Element,
{
    const FOUND: Option<Reached> = {
        let op = <R::Kernel as KernelType>::OP;
        reached(R::KERNELS, op, A::DTYPE, A::DTYPE, op_types::<R, Op, (A,)>())
    };
    const KERNELS: &'static Kernels = match &Self::FOUND {
        Some((entries, casts)) => &Kernels::of_call(*entries, casts),
        None => R::KERNELS,
    };
}

/// Computes `Op` on two typed slices under the rule set `R`; all three have the same length, which may be 0.
///
/// # Errors
///
/// When the lengths differ, the op refuses a value, or the build has no kernel.
#[inline]
pub fn call<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let n = out.len();
    let fused = const {
        let op = <R::Kernel as KernelType>::OP;
        entry(R::KERNELS, op, A::DTYPE, B::DTYPE, op_types::<R, Op, (A, B)>())
    };
    if a.len() == n
        && b.len() == n
        && n < threads::LEAST
        && let Some((entry, swap)) = fused
        && let Some(raw) = entry.raw_in_use()
    {
        let (first, second) = (a.as_ptr().cast(), b.as_ptr().cast());
        let inputs: [*const u8; 2] = if swap { [second, first] } else { [first, second] };
        // SAFETY: the entry is for the dtypes of these element types and the slices have `n` elements; the
        // level in use is one that the machine has; `out` is borrowed exclusively, so it overlaps neither
        // input.
        return check(unsafe { invoke(raw, n, &inputs, out.as_mut_ptr().cast()) });
    }
    call_with_care::<R, Op, A, B>(a, b, out)
}

/// Handles everything that the fast path of [`call`] does not: errors, threads, pipelines and the first call.
/// It is a separate function so that the fast path needs no stack.
#[cold]
#[inline(never)]
fn call_with_care<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    same_length(ArgumentRole::A, out.len(), a.len())?;
    same_length(ArgumentRole::B, out.len(), b.len())?;
    let op = <R::Kernel as KernelType>::OP;
    let (a_enters, b_enters) = ((A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common));
    let types = op_types::<R, Op, (A, B)>();
    let kernels = Reach::<R, Op, (A, B)>::KERNELS;
    let kernel = Kernel::find_at(Level::active(), kernels, op, a_enters, b_enters, types)?;
    kernel.call_slices(Slice::new(a), Slice::new(b), SliceMut::new(out))
}

/// Computes `Op` on a typed slice under the rule set `R`; both have the same length, which may be 0.
///
/// # Errors
///
/// As [`call`].
#[inline]
pub fn call_unary<R, Op, A>(a: &[A], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    A: Element,
{
    let n = out.len();
    let fused = const {
        let op = <R::Kernel as KernelType>::OP;
        entry(R::KERNELS, op, A::DTYPE, A::DTYPE, op_types::<R, Op, (A,)>())
    };
    if a.len() == n
        && n < threads::LEAST
        && let Some((entry, _)) = fused
        && let Some(raw) = entry.raw_in_use()
    {
        let inputs: [*const u8; 1] = [a.as_ptr().cast()];
        // SAFETY: as in `call`.
        return check(unsafe { invoke(raw, n, &inputs, out.as_mut_ptr().cast()) });
    }
    call_unary_with_care::<R, Op, A>(a, out)
}

/// As [`call_with_care`], of one operand.
#[cold]
#[inline(never)]
fn call_unary_with_care<R, Op, A>(a: &[A], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,)> + OpKernel<Op> + KernelSource,
    A: Element,
{
    same_length(ArgumentRole::A, out.len(), a.len())?;
    let (op, enters) = (<R::Kernel as KernelType>::OP, (A::DTYPE, Enters::Common));
    let types = op_types::<R, Op, (A,)>();
    let kernels = Reach::<R, Op, (A,)>::KERNELS;
    let kernel = Kernel::find_at(Level::active(), kernels, op, enters, enters, types)?;
    kernel.call_arrays(&[Argument::Slice(Slice::new(a))], SliceMut::new(out))
}

/// Computes `Op` on two typed slices, of which the first becomes the result; both have the same length, which
/// may be 0.
///
/// # Errors
///
/// As [`call`].
pub fn call_in_place<R, Op, A, B>(out: &mut [A], b: &[B]) -> Result<(), CallError>
where
    R: OpRule<Op, (A, B), Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let types = op_types::<R, Op, (A, B)>();
    let op = <R::Kernel as KernelType>::OP;
    let kernels = Reach::<R, Op, (A, B)>::KERNELS;
    Kernel::find(kernels, op, A::DTYPE, B::DTYPE, types)?.call_in_place(Slice::new(b), SliceMut::new(out))
}

/// Computes `Op` on a typed slice, which becomes the result; its length may be 0.
///
/// # Errors
///
/// As [`call`].
pub fn call_unary_in_place<R, Op, A>(out: &mut [A]) -> Result<(), CallError>
where
    R: OpRule<Op, (A,), Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
{
    let types = op_types::<R, Op, (A,)>();
    let op = <R::Kernel as KernelType>::OP;
    let kernels = Reach::<R, Op, (A,)>::KERNELS;
    Kernel::find(kernels, op, A::DTYPE, A::DTYPE, types)?
        .call_arrays(&[Argument::InPlace(A::DTYPE)], SliceMut::new(out))
}

/// Computes `Op`, which takes more than its two operands, on typed slices under the rule set `R`. Slices have
/// the length of `out`, which may be 0; `extras` are as [`Op::extras`](crate::Op::extras) has them.
///
/// # Errors
///
/// As [`call`], and where an extra is none that the op takes.
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
    let (kernel, inputs) = extended::<R, Op, A, B>(flags, a, b, extras)?;
    kernel.call_inputs(&inputs, SliceMut::new(out))
}

/// The sum or the mean of what [`call_extended`] would write, as [`Kernel::reduced`].
///
/// # Errors
///
/// As [`call_extended`], and where the op gives no floats.
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
    let (kernel, inputs) = extended::<R, Op, A, B>(flags, a, b, extras)?;
    let found = kernel.reduced(&inputs, reduction)?;
    found.get().ok_or(CallError::NotReduced { dtype: R::Output::DTYPE })
}

fn extended<'a, R, Op, A, B>(
    flags: Flags,
    a: &'a [A],
    b: &'a [B],
    extras: &[Argument<'a>],
) -> Result<(Kernel, Inputs<'a>), CallError>
where
    R: OpRule<Op, (A, B)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
{
    let op = <R::Kernel as KernelType>::OP;
    let op = op.with_semantics(op.semantics() | flags.semantics(Op::OP));
    let types = op_types::<R, Op, (A, B)>();
    let operands = [(A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common)];
    let mut inputs: Inputs<'_> = [a.into(), b.into()].into_iter().collect();
    let (kernels, level) = (Reach::<R, Op, (A, B)>::OF_OP, Level::active());
    let extra = |k: usize| extras.get(k).copied();
    Ok((complete(kernels, level, (Op::OP, op), operands, types, &mut inputs, extra)?, inputs))
}

/// Computes `Op` of three operands that decide the dtype, and of a number, on typed slices under the rule set
/// `R`; `X` is the type that the first two of them give. All have the same length, which may be 0.
///
/// # Errors
///
/// As [`call_extended`].
pub fn call_joined<R, Op, X, A, B, C>(
    a: &[A],
    b: &[B],
    c: &[C],
    value: f64,
    out: &mut [R::Output],
) -> Result<(), CallError>
where
    R: OpRule<Op, (X, C)> + OpKernel<Op> + KernelSource,
    Op: OpType,
    A: Element,
    B: Element,
    C: Element,
{
    let op = <R::Kernel as KernelType>::OP;
    let types = op_types::<R, Op, (X, C)>();
    let operands = [(A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common)];
    let extras = [Argument::from(c), Argument::from(value)];
    let mut inputs: Inputs<'_> = [a.into(), b.into()].into_iter().collect();
    let (kernels, level) = (Reach::<R, Op, (X, C)>::OF_OP, Level::active());
    let extra = |k: usize| extras.get(k).copied();
    let kernel = complete(kernels, level, (Op::OP, op), operands, types, &mut inputs, extra)?;
    kernel.call_inputs(&inputs, SliceMut::new(out))
}

fn same_length(role: ArgumentRole, expected: usize, found: usize) -> Result<(), CallError> {
    if found == expected { Ok(()) } else { Err(CallError::Length { role, expected, found }) }
}
