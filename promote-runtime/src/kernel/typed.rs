//! Typed slices: the kernel is looked up when the caller is compiled.

use super::error::{CallError, Place};
use super::handle::Kernel;
use super::ops::KernelType;
use super::plan::{Enters, fused_entry};
use super::registry::Kernels;
use super::run::check;
use super::slice::{Input, SliceMut, SliceRef};
use super::threads;
use crate::element::Element;
use crate::level::Level;
use crate::op::{OpKernel, OpRule, OpTypes, UnaryRule};

/// A type that knows a build's kernels; rule-set types do.
pub trait KernelSource {
    /// The kernels.
    const KERNELS: &'static Kernels;
}

/// Computes `Op` on two typed slices under the rule set `R`; all three have the same length, which may be 0.
///
/// # Errors
///
/// When the lengths differ, the op refuses a value, or the build has no kernel.
#[inline]
pub fn call<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, A, B> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let n = out.len();
    same_length(Place::A, n, a.len())?;
    same_length(Place::B, n, b.len())?;
    let level = Level::active();
    let (op, types, fused) = const {
        let op = <R::Kernel as KernelType>::OP;
        let types =
            OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
        (op, types, fused_entry(R::KERNELS, op, A::DTYPE, B::DTYPE, types))
    };
    if let Some((entry, swap)) = fused
        && n < threads::LEAST
        && let Some(raw) = entry.raw(level)
    {
        let pointers = [a.as_ptr().cast(), b.as_ptr().cast()];
        let inputs: [*const u8; 2] = if swap { [pointers[1], pointers[0]] } else { pointers };
        // SAFETY: the entry is for the dtypes of these element types and the slices have `n` elements; the level in use is
        // one that the machine has; `out` is borrowed exclusively, so it overlaps neither input.
        return check(unsafe { raw(n, inputs.as_ptr(), out.as_mut_ptr().cast()) });
    }
    let (a_enters, b_enters) = ((A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common));
    let kernel = Kernel::find_at(level, R::KERNELS, op, a_enters, b_enters, types)?;
    kernel.call_slices(SliceRef::new(a), SliceRef::new(b), SliceMut::new(out))
}

/// Computes `Op` on a typed slice under the rule set `R`; both have the same length, which may be 0.
///
/// # Errors
///
/// As [`call`].
#[inline]
pub fn call_unary<R, Op, A>(a: &[A], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: UnaryRule<Op, A> + OpKernel<Op> + KernelSource,
    A: Element,
{
    let n = out.len();
    same_length(Place::A, n, a.len())?;
    let level = Level::active();
    let (op, types, fused) = const {
        let op = <R::Kernel as KernelType>::OP;
        let types =
            OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
        (op, types, fused_entry(R::KERNELS, op, A::DTYPE, A::DTYPE, types))
    };
    if let Some((entry, _)) = fused
        && n < threads::LEAST
        && let Some(raw) = entry.raw(level)
    {
        let inputs: [*const u8; 1] = [a.as_ptr().cast()];
        // SAFETY: as in `call`.
        return check(unsafe { raw(n, inputs.as_ptr(), out.as_mut_ptr().cast()) });
    }
    let enters = (A::DTYPE, Enters::Common);
    let kernel = Kernel::find_at(level, R::KERNELS, op, enters, enters, types)?;
    kernel.call_inputs(&[Input::Slice(SliceRef::new(a))], SliceMut::new(out))
}

/// Computes `Op` on two typed slices, of which the first becomes the result; both have the same length, which may be 0.
///
/// # Errors
///
/// As [`call`].
pub fn call_in_place<R, Op, A, B>(out: &mut [A], b: &[B]) -> Result<(), CallError>
where
    R: OpRule<Op, A, B, Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let types = OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
    let op = <R::Kernel as KernelType>::OP;
    Kernel::find(R::KERNELS, op, A::DTYPE, B::DTYPE, types)?.call(
        Input::InPlace,
        b.into(),
        SliceMut::new(out),
    )
}

/// Computes `Op` on a typed slice, which becomes the result; its length may be 0.
///
/// # Errors
///
/// As [`call`].
pub fn call_unary_in_place<R, Op, A>(out: &mut [A]) -> Result<(), CallError>
where
    R: UnaryRule<Op, A, Output = A> + OpKernel<Op> + KernelSource,
    A: Element,
{
    let types = OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
    let op = <R::Kernel as KernelType>::OP;
    Kernel::find(R::KERNELS, op, A::DTYPE, A::DTYPE, types)?
        .call_inputs(&[Input::InPlace], SliceMut::new(out))
}

/// `out[i] = if condition[i] { a[i] } else { b[i] }` on typed slices under the rule set `R`; all have the same length, which may be 0.
///
/// # Errors
///
/// As [`call`].
#[inline]
pub fn call_where<R, Op, A, B>(
    condition: &[bool],
    a: &[A],
    b: &[B],
    out: &mut [R::Output],
) -> Result<(), CallError>
where
    R: OpRule<Op, A, B> + OpKernel<Op> + KernelSource,
    A: Element,
    B: Element,
{
    let types = OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
    let (a_enters, b_enters) = ((A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common));
    let op = <R::Kernel as KernelType>::OP;
    let kernel = Kernel::find_at(Level::active(), R::KERNELS, op, a_enters, b_enters, types)?;
    kernel.call_inputs(&[a.into(), b.into(), condition.into()], SliceMut::new(out))
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "a call on few elements is as long as the way to it")]
fn same_length(place: Place, expected: usize, found: usize) -> Result<(), CallError> {
    if found == expected { Ok(()) } else { Err(CallError::Length { place, expected, found }) }
}
