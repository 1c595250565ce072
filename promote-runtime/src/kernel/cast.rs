//! Handles of casts.

use super::chain::check_casts;
use super::custom;
use super::handle::Kernel;
use super::plan::Enters;
use super::registry::Kernels;
use super::types::{CastWords, Types};
use crate::error::call::CallError;
use crate::level::Level;
use crate::memory::{Argument, Slice, SliceMut};
use crate::memory::{TensorView, TensorViewMut};
use crate::{DType, OpTypes};

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
        let level = level.or_below();
        if let (DType::Custom(_), _) | (_, DType::Custom(_)) = (from, to) {
            return CastKernel::custom(level, kernels, from, to, words);
        }
        let raw = kernels.casts().and_then(|casts| casts.raw(from, to, CastWords::of(words), level));
        let types = Types::new(from, from, OpTypes::uniform(to), to);
        let (Some(&raw), Some(types)) = (raw, types) else {
            return Err(CallError::NoCast { from, to });
        };
        Ok(CastKernel(Kernel {
            raw,
            home: None,
            types: types.at(level, false).taking(1, false).streaming(true),
            entry: None,
        }))
    }

    /// The cast where a dtype is a rule set's own: by way of a standard dtype in blocks, unless it is that
    /// itself.
    #[cold]
    fn custom(
        level: Level,
        kernels: &'static Kernels,
        from: DType,
        to: DType,
        words: u16,
    ) -> Result<Self, CallError> {
        let (home, known) = (Some(kernels), kernels.customs());
        let missing = CallError::NoCast { from, to };
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let (a, out) = (code(from)?, code(to)?);
        // One function is the op, and the standard cast beside it that of its operand or of its result.
        let (&raw, codes, words) = match (from, to) {
            (DType::Custom(_), DType::Custom(own)) => {
                let direct = || custom::casts(own)?.direct(from, level);
                let raw = if from == to { kernels.copy(from, level) } else { direct() };
                (raw.ok_or(missing)?, [a, a, a, a, out, out], 0)
            }
            (DType::Custom(own), _) => {
                let (via, raw) = custom::casts(own)
                    .and_then(|casts| casts.to_via(level))
                    .ok_or(CallError::NotCast { dtype: from })?;
                (raw, [a, a, a, a, out, code(via)?], words)
            }
            (_, DType::Custom(own)) => {
                let (via, raw) = custom::casts(own)
                    .and_then(|casts| casts.of_via(level))
                    .ok_or(CallError::NotCast { dtype: to })?;
                let via = code(via)?;
                (raw, [a, a, via, via, out, out], 0)
            }
            _ => return Err(missing),
        };
        let types = Types::of(codes).at(level, false).taking(1, false);
        if types.is_direct() {
            return Ok(CastKernel(Kernel { raw, home, types, entry: None }));
        }
        let types = types.blocked(CastWords::of(words), Enters::Common, Enters::Common);
        check_casts(kernels, types)?;
        Ok(CastKernel(Kernel { raw, home, types, entry: None }))
    }

    /// The plan of the cast, of one input.
    pub(super) const fn plan(&self) -> &Kernel {
        &self.0
    }

    /// The dtype of the source, and twice that of the destination.
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
