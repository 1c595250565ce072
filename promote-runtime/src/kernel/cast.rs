//! The handle of a cast.

use super::error::CallError;
use super::handle::{CastWords, Kernel, Types};
use super::registry::Kernels;
use super::slice::{Input, SliceMut, SliceRef};
use crate::DType;
use crate::level::Level;
use crate::op::OpTypes;

/// A cast from one dtype to another: found once, called often.
#[derive(Clone, Copy, Debug)]
pub struct CastKernel(Kernel);

impl CastKernel {
    /// The cast at the level in use, as the [`words`](super::ops::words) for overflow and what is out of range say.
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
        let raw = kernels.casts().and_then(|casts| casts.raw(from, to, CastWords::of(words), level));
        let types = Types::new(from, from, OpTypes::uniform(to), to);
        let (Some(raw), Some(types)) = (raw, types) else {
            return Err(CallError::NoCast { from, to });
        };
        Ok(CastKernel(Kernel { raw, casts: None, types: types.at(level, false).taking(1, false) }))
    }

    /// Casts the elements of `a` to `out`, which has the same length; 0 is fine.
    ///
    /// # Errors
    ///
    /// When a dtype or the length is not the one expected; `out` is then as it was.
    #[inline]
    pub fn call(&self, a: SliceRef<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        self.0.call_inputs(&[Input::Slice(a)], out)
    }
}
