//! Kernels, which compute one op over contiguous elements of fixed dtypes at each SIMD level.
//!
//! What an op computes for one lane is in [`ops`](crate::ops).
//!
//! - `body`, `loops`, `quick`, `ordered`, `target`: the functions that are compiled, their loops, the loop of
//!   ops with a fast path, extrema of narrow floats by their bits, and the modules in which kernels are
//!   compiled.
//! - `composed`, `by_level`: kernels that run others one after the other, and the loop of each body at each
//!   level.
//! - `entry`, `registry`, `casts`, `cache`: the kernels and the casts of a build, and those found before.
//! - `plan`, `chain`, `run`, `fused`, `stage`, `pointers`: the choice of the kernel for a call, its casts,
//!   and the run in one go or in blocks.
//! - `strided`: calls on views. `reduction`, `reduce`: reductions, and reductions of the results of a kernel.
//! - `handle`, `cast`, `types`: handles of kernels and casts, which are looked up once and called often.
//! - `custom`, `user`: custom dtypes and custom kernels. `scalar`: conversions of single elements.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

mod body;
mod by_level;
mod cache;
mod cast;
mod casts;
mod chain;
mod composed;
mod custom;
mod entry;
mod fused;
mod handle;
pub(crate) mod loops;
mod ordered;
pub(crate) mod plan;
pub(crate) mod pointers;
mod quick;
mod reduce;
pub(crate) mod reduction;
mod registry;
pub(crate) mod run;
pub(crate) mod scalar;
mod stage;
pub(crate) mod strided;
pub(crate) mod target;
mod types;
pub(crate) mod user;

use crate::DType;
pub use {
    cache::DispatchCache,
    cast::CastKernel,
    casts::{Cast, CastRow, Casts, CastsFrom},
    composed::Composed,
    custom::{Absent, CustomCast, CustomCasts, CustomEntry, CustomKernels, Probe, dtype_with_casts},
    entry::Entry,
    handle::Kernel,
    loops::Loop,
    plan::Enters,
    pointers::Pointers,
    reduction::table::{Folds, Pairs, Reductions},
    registry::{Kernels, Registry},
    target::{Body, Levels, Target},
    user::typed::{CallFused, Each, KernelInput, One, Reader},
    user::{CustomKernel, MAX_INPUTS, UserEntry, with_kernels},
};

/// What a kernel function reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Status {
    /// Every element of `out` is written.
    Done = 0,
    /// An integer was to be divided by zero; nothing is written.
    DivisionByZero = 1,
    /// An integer was to be raised to a negative power; nothing is written.
    NegativeExponent = 2,
    /// A probability lies outside of 0 and 1; nothing is written.
    Probability = 3,
}

/// A kernel as a function: `n`, the first input, the second, where the pointers to those behind it stand, the
/// output.
///
/// An op that may trap looks at all operands before it writes. With a null `out` it does nothing else, so
/// that a call in blocks can look at every block first.
///
/// # Safety
///
/// - the machine has the level for which the function was compiled;
/// - there are as many inputs as the op has, each a pointer to `n` initialised, aligned elements of its
///   dtype; of one that the op has not nothing is asked;
/// - `more` points to as many pointers as the op has inputs behind the second; where there are no more, what
///   is several functions takes from there which ones;
/// - `out` points to room for `n` aligned elements of the output's dtype and overlaps no input; it may be
///   null if the op may trap. A function that also computes in place, as its [`Entry`] says, takes `out`
///   itself for its first input, too: it is then initialised, and overlaps no other. With the highest bit of
///   `n` set, which is no part of the number, its second input is one element for all places; `out` then
///   overlaps no input.
pub type RawKernel =
    unsafe fn(n: usize, first: *const u8, second: *const u8, more: *const *const u8, out: *mut u8) -> Status;

/// A dtype that has elements, as its place among the standard ones, or, from [`Code::CUSTOM`] on, among a
/// rule set's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Code(u8);

impl Code {
    #[inline(always)]
    const fn of(dtype: DType) -> Option<Code> {
        let index = dtype.index();
        if index < DType::WITH_TYPE.len() { Some(Code(index as u8)) } else { None }
    }

    /// The first of a rule set's own: it lies above every [`DType::index`], so that none of them is taken for
    /// a standard dtype.
    const CUSTOM: u8 = 0x80;

    /// How many dtypes of its own a rule set has at most: in five bits there is room for them beside the
    /// standard ones.
    const CUSTOMS: usize = 32 - DType::WITH_TYPE.len();

    /// Returns the code of a rule set's custom dtype by its index, which is below [`Code::CUSTOMS`].
    const fn custom(index: usize) -> Code {
        debug_assert!(index < Code::CUSTOMS);
        Code(Code::CUSTOM + index as u8)
    }

    /// Returns the index among the rule set's custom dtypes; `None` for a standard dtype.
    #[inline(always)]
    const fn custom_index(self) -> Option<usize> {
        if self.0 < Code::CUSTOM { None } else { Some((self.0 - Code::CUSTOM) as usize) }
    }

    /// In five bits.
    #[inline(always)]
    const fn packed(self) -> u64 {
        let own = self.0 & Code::CUSTOM != 0;
        (if own { self.0 - Code::CUSTOM + DType::WITH_TYPE.len() as u8 } else { self.0 }) as u64
    }

    #[inline(always)]
    const fn unpacked(bits: u64) -> Code {
        let own = bits >= DType::WITH_TYPE.len() as u64;
        Code(if own { bits as u8 - DType::WITH_TYPE.len() as u8 + Code::CUSTOM } else { bits as u8 })
    }

    /// Whether it is that of a standard dtype.
    #[inline(always)]
    const fn is(self, dtype: DType) -> bool {
        self.0 as usize == dtype.index()
    }

    /// The standard dtype that it is.
    #[inline]
    const fn standard(self) -> DType {
        DType::WITH_TYPE[self.0 as usize]
    }

    /// The size of an element of a standard dtype in bytes: a power of two from 1 to 16.
    #[inline]
    const fn standard_size(self) -> usize {
        const SIZES: [u8; DType::WITH_TYPE.len()] = {
            let mut sizes = [0; DType::WITH_TYPE.len()];
            let mut i = 0;
            while i < sizes.len() {
                sizes[i] = (DType::WITH_TYPE[i].bits() / 8) as u8;
                i += 1;
            }
            sizes
        };
        SIZES[self.0 as usize] as usize
    }
}
