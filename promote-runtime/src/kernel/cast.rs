//! Handles of casts.

use super::casts::goes_through_f32;
use super::custom;
use super::handle::Kernel;
use super::pipeline::CastChain;
use super::registry::Kernels;
use super::signature::{CastOptions, KernelSignature, MAX_INPUTS};
use crate::DType;
use crate::error::call::CallError;
use crate::level::Level;
use crate::memory::{Argument, Slice, SliceMut};
use crate::memory::{TensorView, TensorViewMut};

/// A handle to the cast from one dtype to another.
///
/// It is looked up once, by [`RuleSet::cast_kernel`](crate::RuleSet::cast_kernel), and called often.
#[derive(Clone, Copy, Debug)]
pub struct CastKernel(Kernel);

impl CastKernel {
    /// Looks up a cast at the level in use, with the [`semantics`](crate::semantics) of overflow and of
    /// floats out of range.
    ///
    /// # Errors
    ///
    /// Returns an error if this build has no casts, or if a dtype exists in tables only.
    #[doc(hidden)]
    #[inline]
    pub fn find(kernels: &'static Kernels, from: DType, to: DType, words: u16) -> Result<Self, CallError> {
        CastKernel::find_at(Level::active(), kernels, from, to, words)
    }

    /// Looks up a cast at a level, or at the best level below it that the machine has.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`CastKernel::find`].
    #[doc(hidden)]
    pub fn find_at(
        level: Level,
        kernels: &'static Kernels,
        from: DType,
        to: DType,
        words: u16,
    ) -> Result<Self, CallError> {
        let (level, known) = (level.or_below(), kernels.customs());
        let (missing, mut options) = (CallError::NoCast { from, to }, CastOptions::of(words));
        let is_custom = matches!(from, DType::Custom(_)) || matches!(to, DType::Custom(_));
        let untyped = |dtype| if is_custom { CallError::NoElements { dtype } } else { missing };
        let code = |dtype| known.code(dtype).ok_or_else(|| untyped(dtype));
        let (a, out) = (code(from)?, code(to)?);
        // One function is that of the kernel, and further casts stand before or after it.
        let (raw, [before, behind]) = match (from, to) {
            (DType::Custom(_), DType::Custom(own)) => {
                let direct = || custom::casts(own)?.direct(from, level);
                let raw = if from == to { kernels.copy(from, level) } else { direct() };
                (raw.ok_or(missing)?, [a, out])
            }
            (DType::Custom(own), _) => {
                let (via, raw) = custom::casts(own)
                    .and_then(|casts| casts.to_via(level))
                    .ok_or(CallError::NotCast { dtype: from })?;
                (raw, [a, code(via)?])
            }
            (_, DType::Custom(own)) => {
                let (via, raw) = custom::casts(own)
                    .and_then(|casts| casts.of_via(level))
                    .ok_or(CallError::NotCast { dtype: to })?;
                options = CastOptions::of(0);
                (raw, [code(via)?, out])
            }
            _ => {
                let last = if goes_through_f32(from, to) { DType::F32 } else { from };
                let raw = kernels.casts().and_then(|casts| casts.raw(last, to, options, level));
                (raw.ok_or(missing)?, [code(last)?, out])
            }
        };
        let signature = KernelSignature::of([a, a], [out; 3]);
        let signature = KernelSignature { count: 1, memory_bound: !is_custom, ..signature };
        let kernel =
            Kernel { raw, signature, level, swap: false, pipeline: None, home: Some(kernels), entry: None };
        let mut chains = [CastChain::none(a); MAX_INPUTS];
        chains[0] = CastChain::between(a, before);
        Ok(CastKernel(kernel.in_pipeline(chains, CastChain::between(behind, out), options)?))
    }

    /// Returns the kernel that casts.
    pub(super) const fn kernel(&self) -> &Kernel {
        &self.0
    }

    /// Returns the dtype of the source, and twice that of the destination.
    pub(crate) const fn dtypes(&self) -> [DType; 3] {
        self.0.dtypes()
    }

    /// Casts the elements of `a` into `out`. Both have the same length, which may be 0.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if a dtype is not that of the cast, or if lengths
    /// differ.
    #[inline]
    pub fn call(&self, a: Slice<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        self.0.call_inputs(&[Argument::Slice(a)], out)
    }

    /// Casts the elements of `a` into `out`, and broadcasts them to its shape.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_views`].
    pub fn call_views(&self, a: &TensorView<'_>, out: TensorViewMut<'_>) -> Result<(), CallError> {
        self.0.call_views(&[Argument::Array(a)], out)
    }
}
