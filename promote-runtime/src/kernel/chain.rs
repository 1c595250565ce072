//! The casts of an operand on its way to the op, and of what it computed on the way out.

use super::pointers::Function;
use super::registry::Kernels;
use super::run::check;
use super::stage::BLOCK;
use super::types::{CastWords, Types};
use super::user::MAX_INPUTS;
use super::{Code, custom};
use crate::DType;
use crate::error::call::CallError;

/// Casts, first to last. There are four at most: to the common dtype and to the one that the op computes in,
/// each by way of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    casts: [Option<&'static Function>; 4],
    len: usize,
}

/// All casts of a plan in blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chains {
    /// Those of each input.
    pub(super) inputs: [Chain; MAX_INPUTS],
    /// Those of a result.
    pub(super) out: Chain,
    /// How many elements a part usually has: a power of two, for so many of the largest dtype on the way a
    /// block has room.
    pub(super) most: usize,
}

impl Chains {
    pub(super) const EMPTY: Chains =
        Chains { inputs: [Chain::EMPTY; MAX_INPUTS], out: Chain::EMPTY, most: BLOCK };

    /// Fills in the casts of a blocked plan.
    #[inline(always)]
    pub(super) fn fill(&mut self, kernels: &Kernels, types: Types) -> Result<(), CallError> {
        for i in 0..types.inputs() {
            add_casts(&mut self.inputs[i], kernels, types, i)?;
        }
        let mut computed = types.computed();
        if types.rounds_first() {
            self.out.add(kernels, types, computed, types.common())?;
            computed = types.common();
        }
        self.out.add(kernels, types, computed, types.out())?;
        // What an exponent is on its way counts too.
        let between = if types.exponent() { low() } else { types.common() };
        let mut greatest = 1;
        for code in [
            types.first(),
            types.second(),
            types.input(2),
            between,
            types.out(),
            types.common(),
            types.compute(),
            types.computed(),
        ] {
            greatest = core::cmp::max(greatest, kernels.customs().greatest_size(code));
        }
        self.most = BLOCK / greatest;
        Ok(())
    }
}

// Chains are built and run where they lie: one that is moved is read in pieces other than those in which it
// was written, and on that the processor waits for longer than a block of casts takes.
impl Chain {
    pub(super) const EMPTY: Chain = Chain { casts: [None; 4], len: 0 };

    /// Adds the cast from one dtype to another, of the dtypes of a plan.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        kernels: &Kernels,
        types: Types,
        from: Code,
        to: Code,
    ) -> Result<(), CallError> {
        if from == to {
            return Ok(());
        }
        if from.custom_index().is_some() || to.custom_index().is_some() {
            return self.add_custom(kernels, types, from, to);
        }
        let (from, to) = (from.standard(), to.standard());
        self.push(standard(kernels, types, from, to, types.casts())?);
        Ok(())
    }

    /// The same where a dtype is a rule set's own.
    #[cold]
    #[inline(never)]
    fn add_custom(&mut self, kernels: &Kernels, types: Types, from: Code, to: Code) -> Result<(), CallError> {
        let (known, level) = (kernels.customs(), types.level());
        let (from, to) = (known.dtype(from), known.dtype(to));
        match (from, to) {
            (DType::Custom(_), DType::Custom(own)) => {
                self.push(
                    custom::casts(own)
                        .and_then(|casts| casts.direct(from, level))
                        .ok_or(CallError::NoCast { from, to })?,
                );
            }
            (DType::Custom(own), _) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.to_via(level))
                    .ok_or(CallError::NotCast { dtype: from })?;
                self.push(cast);
                if via != to {
                    self.push(standard(kernels, types, via, to, types.casts())?);
                }
            }
            (_, DType::Custom(own)) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.of_via(level))
                    .ok_or(CallError::NotCast { dtype: to })?;
                if via != from {
                    // What is out of range is the type's own affair: its `From` sees the nearest value that
                    // there is.
                    self.push(standard(kernels, types, from, via, CastWords::of(0))?);
                }
                self.push(cast);
            }
            _ => self.push(standard(kernels, types, from, to, types.casts())?),
        }
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, cast: &'static Function) {
        self.casts[self.len] = Some(cast);
        self.len += 1;
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The first cast.
    #[inline(always)]
    pub(super) const fn first(&self) -> Option<&'static Function> {
        self.casts[0]
    }

    /// Where of two blocks the elements begin, if the last cast reads `other` and each of those before writes
    /// the one that it does not read.
    #[inline(always)]
    pub(super) const fn first_block(&self, between: *mut u8, other: *mut u8) -> *mut u8 {
        if self.len.is_multiple_of(2) { between } else { other }
    }

    /// Casts `n` elements, to `last` in the end, by way of `other` and `between`, which take turns; where
    /// they are then. Without casts that is where they were.
    ///
    /// # Safety
    ///
    /// The machine has the level of the plan; `source` points to `n` elements of the first dtype; `last` has
    /// room for `n` of the last dtype, `other` and `between` for `n` of each on the way; all are aligned for
    /// these. `other` is neither of the two. The source overlaps none of them, or is [`Chain::first_block`]
    /// of `between` and `other`; `between` may be `last`.
    #[inline(always)]
    pub(super) unsafe fn run(
        &self,
        n: usize,
        source: *const u8,
        other: *mut u8,
        between: *mut u8,
        last: *mut u8,
    ) -> Result<*const u8, CallError> {
        let mut from = source;
        for (i, cast) in self.casts[..self.len].iter().enumerate() {
            let Some(cast) = cast else { break };
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
            check(unsafe { cast.call(n, &[from], to) })?;
            from = to;
        }
        Ok(from)
    }
}

/// Adds the casts of an input: to the common and to the compute dtype, or to the latter at once.
#[inline(always)]
fn add_casts(chain: &mut Chain, kernels: &Kernels, types: Types, i: usize) -> Result<(), CallError> {
    let (code, common, compute) = (types.input(i), types.common(), types.compute());
    let late = match i {
        1 if types.exponent() => {
            let low = low();
            chain.add(kernels, types, code, low)?;
            return chain.add(kernels, types, low, compute);
        }
        0 | 1 => types.late()[i],
        _ if types.chooses() => return Ok(()),
        // What already is of the dtype that the op computes in is not rounded to the common one.
        _ => code == compute,
    };
    if late {
        return chain.add(kernels, types, code, compute);
    }
    chain.add(kernels, types, code, common)?;
    chain.add(kernels, types, common, compute)
}

/// As what an exponent enters.
const fn low() -> Code {
    match Code::of(DType::I32) {
        Some(code) => code,
        None => unreachable!(),
    }
}

/// Whether all casts of a blocked plan are there: of the standard dtypes they are, and of a rule set's own
/// this asks.
#[cold]
pub(super) fn check_casts(kernels: &Kernels, types: Types) -> Result<(), CallError> {
    let mut chains = Chains::EMPTY;
    chains.fill(kernels, types)
}

/// The cast between two standard dtypes.
#[inline(always)]
fn standard(
    kernels: &Kernels,
    types: Types,
    from: DType,
    to: DType,
    words: CastWords,
) -> Result<&'static Function, CallError> {
    let casts = kernels.casts().ok_or(CallError::NoCast { from, to })?;
    casts.raw(from, to, words, types.level()).ok_or(CallError::NoCast { from, to })
}
