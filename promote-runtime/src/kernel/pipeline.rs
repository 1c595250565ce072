//! Pipelines: operands are cast, a function computes, and its results are cast, block by block in the L1
//! cache.
//!
//! A block has 4 KiB: three of them stay in L1 beside the data, and cost no stack probe worth counting.

pub(super) mod run;

use super::RawKernel;
use super::casts::goes_through_f32;
use super::custom;
use super::fused::check;
use super::handle::Kernel;
use super::registry::Kernels;
use super::signature::{CastOptions, DTypeCode, MAX_INPUTS};
use crate::DType;
use crate::error::call::CallError;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::staging::BLOCK;

/// The dtypes that an operand or a result has on its way, first to last. Neighbours that are equal need no
/// cast.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastChain([DTypeCode; 4]);

impl CastChain {
    pub(super) const fn new(stops: [DTypeCode; 4]) -> CastChain {
        CastChain(stops)
    }

    /// Returns the chain of one cast, or of none if the dtypes are equal.
    pub(super) const fn between(from: DTypeCode, to: DTypeCode) -> CastChain {
        CastChain([from, to, to, to])
    }

    /// Returns the chain without casts.
    pub(super) const fn none(dtype: DTypeCode) -> CastChain {
        CastChain([dtype; 4])
    }

    /// Returns true if the chain has no casts.
    pub(super) const fn is_none(self) -> bool {
        let [a, b, c, d] = self.0;
        a.0 == b.0 && b.0 == c.0 && c.0 == d.0
    }
}

/// A chain that was looked up.
#[derive(Clone, Copy, Debug)]
enum Chain {
    /// No casts.
    None,
    /// One cast, as most chains are.
    One(RawKernel),
    /// More, which are looked up for each block: their loops take longer than that.
    Several(CastChain),
}

impl Chain {
    #[inline(always)]
    const fn is_none(&self) -> bool {
        matches!(self, Chain::None)
    }
}

/// The casts around a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pipeline {
    inputs: [Chain; MAX_INPUTS],
    out: Chain,
    options: CastOptions,
    /// The number of elements in a usual block: a power of two, for so many of the largest dtype on the way a
    /// block has room.
    most: u16,
}

impl Pipeline {
    /// Returns the pipeline of these casts at a level; `None` if there are none.
    ///
    /// # Errors
    ///
    /// Returns an error if a cast is missing.
    pub(super) fn new(
        kernels: &Kernels,
        level: Level,
        inputs: [CastChain; MAX_INPUTS],
        out: CastChain,
        options: CastOptions,
    ) -> Result<Option<Pipeline>, CallError> {
        if out.is_none() && inputs.into_iter().all(CastChain::is_none) {
            return Ok(None);
        }
        let known = kernels.customs();
        let stops = inputs.iter().chain([&out]).flat_map(|chain| chain.0);
        let greatest = stops.map(|code| known.greatest_size(code)).fold(1, core::cmp::max);
        let find = |chain| {
            let mut casts = CastSteps::EMPTY;
            casts.add_all(chain, kernels, options, level)?;
            Ok(match casts.steps {
                [None, ..] => Chain::None,
                [Some(only), None, ..] => Chain::One(only),
                _ => Chain::Several(chain),
            })
        };
        let mut found = [Chain::None; MAX_INPUTS];
        for (found, chain) in found.iter_mut().zip(inputs) {
            *found = find(chain)?;
        }
        Ok(Some(Pipeline { inputs: found, out: find(out)?, options, most: (BLOCK / greatest) as u16 }))
    }

    /// Returns the pipeline with blocks in which all inputs that are cast take as much of the L1 cache as one
    /// would.
    pub(super) fn in_small_blocks(self) -> Pipeline {
        let cast = self.inputs.iter().filter(|chain| !chain.is_none()).count();
        Pipeline { most: self.most / cast.max(1).next_power_of_two() as u16, ..self }
    }

    /// Returns true if overflow of f8e4m3fn gives its greatest value.
    pub(super) const fn saturates(&self) -> bool {
        self.options.saturate
    }

    /// Returns true if results are cast.
    #[inline(always)]
    pub(super) const fn casts_results(&self) -> bool {
        !self.out.is_none()
    }

    /// Adds the functions of a chain to an empty list.
    ///
    /// # Errors
    ///
    /// Returns no error for the kernel of the pipeline, since all casts have been found before.
    #[inline(always)]
    fn steps(&self, chain: &Chain, kernel: &Kernel, steps: &mut CastSteps) -> Result<(), CallError> {
        match *chain {
            Chain::None => {}
            Chain::One(cast) => steps.push(cast),
            Chain::Several(chain) => {
                steps.add_all(chain, kernel.kernels(), self.options, kernel.level)?;
            }
        }
        Ok(())
    }
}

/// The functions of a chain at one level, first to last.
///
/// The list is made and run where it lies: one that is moved is read in pieces other than those in which it
/// was written, and on that the processor waits for longer than a block of casts takes.
#[derive(Clone, Copy, Debug)]
struct CastSteps {
    steps: [Option<RawKernel>; CastSteps::MAX],
    len: usize,
}

impl CastSteps {
    /// A cast between a custom and a standard dtype takes three functions at most: through the standard dtype
    /// that the custom one names, and through f32 from there. Two such casts and one to a wider dtype follow
    /// one another at most.
    const MAX: usize = 7;
    const EMPTY: CastSteps = CastSteps { steps: [None; CastSteps::MAX], len: 0 };

    /// Adds the casts of a chain.
    ///
    /// # Errors
    ///
    /// Returns an error if this build has no casts, or a custom dtype has not these.
    #[inline(never)]
    fn add_all(
        &mut self,
        chain: CastChain,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
    ) -> Result<(), CallError> {
        let [a, b, c, d] = chain.0;
        for (from, to) in [(a, b), (b, c), (c, d)] {
            if from == to {
                continue;
            }
            if from.custom_index().is_some() || to.custom_index().is_some() {
                self.add_custom(kernels, options, level, from, to)?;
            } else {
                self.add(kernels, options, level, from.standard(), to.standard())?;
            }
        }
        Ok(())
    }

    /// Adds the cast between two standard dtypes.
    fn add(
        &mut self,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
        from: DType,
        to: DType,
    ) -> Result<(), CallError> {
        let missing = CallError::NoCast { from, to };
        let casts = kernels.casts().ok_or(missing)?;
        let mut from = from;
        if goes_through_f32(from, to) {
            self.push(casts.raw(from, DType::F32, options, level).ok_or(missing)?);
            from = DType::F32;
        }
        self.push(casts.raw(from, to, options, level).ok_or(missing)?);
        Ok(())
    }

    /// Adds the cast from or to a custom dtype.
    fn add_custom(
        &mut self,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
        from: DTypeCode,
        to: DTypeCode,
    ) -> Result<(), CallError> {
        let known = kernels.customs();
        let (from, to) = (known.dtype(from), known.dtype(to));
        match (from, to) {
            (DType::Custom(_), DType::Custom(own)) => {
                let direct = custom::casts(own).and_then(|casts| casts.direct(from, level));
                self.push(direct.ok_or(CallError::NoCast { from, to })?);
            }
            (DType::Custom(own), _) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.to_via(level))
                    .ok_or(CallError::NotCast { dtype: from })?;
                self.push(cast);
                if via != to {
                    self.add(kernels, options, level, via, to)?;
                }
            }
            (_, DType::Custom(own)) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.of_via(level))
                    .ok_or(CallError::NotCast { dtype: to })?;
                if via != from {
                    // The type itself handles what is out of range: its `From` gets the nearest value that
                    // there is.
                    self.add(kernels, CastOptions::of(0), level, from, via)?;
                }
                self.push(cast);
            }
            _ => self.add(kernels, options, level, from, to)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, cast: RawKernel) {
        self.steps[self.len] = Some(cast);
        self.len += 1;
    }

    /// Returns in which of two blocks the elements begin, if the last cast reads `other` and each of those
    /// before writes the one that it does not read.
    #[inline(always)]
    const fn first_block(&self, between: *mut u8, other: *mut u8) -> *mut u8 {
        if self.len.is_multiple_of(2) { between } else { other }
    }

    /// Casts `n` elements, in the end to `last`, through `other` and `between` in turn. Returns where they
    /// are then; without casts that is where they were.
    ///
    /// # Safety
    ///
    /// The machine has the level of the casts; `source` points to `n` elements of the first dtype; `last` has
    /// room for `n` of the last dtype, `other` and `between` for `n` of each on the way; all are aligned for
    /// these. `other` is neither of the two. The source overlaps none of them, or is
    /// [`CastSteps::first_block`] of `between` and `other`; `between` may be `last`.
    #[inline(always)]
    unsafe fn run(
        &self,
        n: usize,
        source: *const u8,
        other: *mut u8,
        between: *mut u8,
        last: *mut u8,
    ) -> Result<*const u8, CallError> {
        let mut from = source;
        for (i, cast) in self.steps[..self.len].iter().enumerate() {
            let Some(cast) = *cast else { break };
            let to = match self.len - 1 - i {
                0 => last,
                left if left.is_multiple_of(2) => between,
                _ => other,
            };
            debug_assert!(!core::ptr::eq(from, to), "a cast reads another block than it writes");
            // SAFETY: `from` has `n` elements of the cast's source: those of the caller, or what the cast
            // before wrote. The last cast writes its dtype to `last`, those before to blocks with room for
            // any. `to` is not `from`: the blocks take turns, the last cast reads `other`, and the first
            // block read is not the first written.
            check(unsafe { invoke(cast, n, &[from], to) })?;
            from = to;
        }
        Ok(from)
    }
}
