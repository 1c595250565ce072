//! The handle of a cast.

use super::chain::check_casts;
use super::error::CallError;
use super::handle::Kernel;
use super::plan::Enters;
use super::registry::Kernels;
use super::slice::{Input, Slice, SliceMut};
use super::types::{CastWords, Types};
use crate::DType;
use crate::OpTypes;
use crate::custom;
use crate::level::Level;
use crate::view::{TensorView, TensorViewMut};

/// A cast from one dtype to another: found once, called often.
#[derive(Clone, Copy, Debug)]
pub struct CastKernel(Kernel);

impl CastKernel {
    /// The cast at the level in use, as the [`semantics`](crate::semantics) for overflow and what is out of
    /// range say.
    ///
    /// # Errors
    ///
    /// When this build has no casts, or a dtype has no elements.
    #[inline]
    pub fn find(kernels: &'static Kernels, from: DType, to: DType, words: u16) -> Result<Self, CallError> {
        CastKernel::find_at(Level::active(), kernels, from, to, words)
    }

    /// The cast at a level, or the best available below it.
    ///
    /// # Errors
    ///
    /// As [`CastKernel::find`].
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

    /// Casts the elements of `a` to `out`, which has the same length; 0 is fine.
    ///
    /// # Errors
    ///
    /// When a dtype or the length is not the one expected; `out` is then as it was.
    #[inline]
    pub fn call(&self, a: Slice<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        self.0.call_inputs(&[Input::Slice(a)], out)
    }

    /// Casts the elements of `a` to `out`, to whose shape it broadcasts: see [`Kernel::call_views`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn call_views(&self, a: &TensorView<'_>, out: TensorViewMut<'_>) -> Result<(), CallError> {
        self.0.call_views(&[Input::View(a)], out)
    }
}
