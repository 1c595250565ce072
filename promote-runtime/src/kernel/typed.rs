//! Typed slices: the kernel is looked up when the caller is compiled.

use super::error::{CallError, Place};
use super::handle::Kernel;
use super::ops::KernelType;
use super::plan::{Enters, fused_entry};
use super::registry::Kernels;
use super::run::check;
use super::slice::{SliceMut, SliceRef};
use crate::element::Element;
use crate::level::Level;
use crate::op::{OpKernel, OpRule, OpTypes};

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
    R: OpRule<Op, A, B> + OpKernel<Op> + KernelSource,
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
    let (op, types, fused) = const {
        let op = <R::Kernel as KernelType>::OP;
        let types =
            OpTypes { common: R::Common::DTYPE, compute: R::Compute::DTYPE, output: R::Output::DTYPE };
        (op, types, fused_entry(R::KERNELS, op, A::DTYPE, B::DTYPE, types))
    };
    if let Some((entry, swap)) = fused
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
