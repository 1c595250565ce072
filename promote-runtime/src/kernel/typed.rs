//! Typed slices: the kernel is looked up when the caller is compiled.

use super::error::{CallError, Place};
use super::handle::Kernel;
use super::ops::KernelType;
use super::plan::Enters;
use super::registry::{Entry, Kernels};
use super::slice::{SliceMut, SliceRef};
use super::{RawKernel, Status};
use crate::element::Element;
use crate::level::Level;
use crate::op::{OpRule, OpTypes};

/// A type that knows a build's kernels; rule-set types do.
pub trait KernelSource {
    /// The kernels.
    const KERNELS: &'static Kernels;
}

/// Computes `Op` on two typed slices under the rule set `R`; all three have the same length, which may be 0.
///
/// # Errors
///
/// When the lengths differ, or the build has no kernel.
#[inline]
pub fn call<R, Op, A, B>(a: &[A], b: &[B], out: &mut [R::Output]) -> Result<(), CallError>
where
    R: OpRule<Op, A, B> + KernelSource,
    A: Element,
    B: Element,
{
    let n = out.len();
    if a.len() != n {
        return Err(CallError::Length { place: Place::A, expected: n, found: a.len() });
    }
    if b.len() != n {
        return Err(CallError::Length { place: Place::B, expected: n, found: b.len() });
    }
    let level = Level::active();
    if let Some((entry, swap)) = const { fused::<R, Op, A, B>() }
        && let Some(raw) = entry.raw(level)
    {
        let pointers = [a.as_ptr().cast(), b.as_ptr().cast()];
        let [a, b]: [*const u8; 2] = if swap { [pointers[1], pointers[0]] } else { pointers };
        // SAFETY: the entry is for these element types and the slices have `n` elements; the level in use is one that the
        // machine has; `out` is borrowed exclusively, so it overlaps neither input.
        return finish(unsafe { run(raw, n, [a, b], out.as_mut_ptr().cast()) });
    }
    let op = <R::Kernel as KernelType>::OP;
    let types = types::<R, Op, A, B>();
    let (a_enters, b_enters) = ((A::DTYPE, Enters::Common), (B::DTYPE, Enters::Common));
    let kernel = Kernel::find_at(level, R::KERNELS, op, a_enters, b_enters, types)?;
    kernel.call_slices(SliceRef::new(a), SliceRef::new(b), SliceMut::new(out))
}

/// # Safety
///
/// As [`RawKernel`], for two inputs.
#[inline(always)]
unsafe fn run(raw: RawKernel, n: usize, inputs: [*const u8; 2], out: *mut u8) -> Status {
    // SAFETY: as the caller promises.
    unsafe { raw(n, inputs.as_ptr(), out) }
}

#[inline(always)]
fn finish(status: Status) -> Result<(), CallError> {
    match status {
        Status::Done => Ok(()),
        Status::DivisionByZero => Err(CallError::DivisionByZero),
    }
}

const fn types<R: OpRule<Op, A, B>, Op, A, B>() -> OpTypes {
    OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE }
}

/// The fused kernel of an op under a rule set, and whether it wants `b` first.
const fn fused<R, Op, A, B>() -> Option<(&'static Entry, bool)>
where
    R: OpRule<Op, A, B> + KernelSource,
    A: Element,
    B: Element,
{
    let types = types::<R, Op, A, B>();
    let op = <R::Kernel as KernelType>::OP;
    let (op, mirrored) = match op.mirrored() {
        Some(op) => (op, true),
        None => (op, false),
    };
    let Some(registry) = R::KERNELS.registry(op.for_dtypes(types.common, types.output)) else {
        return None;
    };
    let (a, b) = if mirrored { (B::DTYPE, A::DTYPE) } else { (A::DTYPE, B::DTYPE) };
    match registry.find(a, b, types) {
        Some((entry, swap)) => Some((entry, swap != mirrored)),
        None => None,
    }
}
