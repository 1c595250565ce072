//! Kernels, which compute one op over contiguous elements of fixed dtypes at each SIMD level.
//!
//! What an op computes for one lane is in [`ops`](crate::ops).
//!
//! - `map`, `fast_path`, `loops`, `adaptors`, `target`: the one body and its loops, the loop of ops with a
//!   fast path, other loops, ops made of other ops, and the modules in which kernels are compiled.
//! - `per_level`: the functions of a kernel at each level.
//! - `entry`, `signature`, `registry`, `loop_set`, `casts`, `cache`: the kernels and the casts of a build,
//!   their dtypes, the loops of another crate, and kernels found before.
//! - `find`, `pipeline`, `run`, `fused`, `pointers`: the choice of the kernel for a call, the casts around
//!   it, and the run in one go or in blocks.
//! - `strided`: calls on views. `reduction`, `reduce`: reductions, and reductions of the results of a kernel.
//! - `handle`, `cast`: handles of kernels and casts, which are looked up once and called often.
//! - `custom`, `user`: custom dtypes and custom kernels. `scalar`: conversions of single elements.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

mod adaptors;
mod cache;
mod cast;
mod casts;
mod copy;
mod custom;
mod entry;
mod fast_path;
pub(crate) mod find;
mod fused;
mod handle;
mod loop_set;
pub(crate) mod loops;
pub(crate) mod map;
mod overlap;
mod per_level;
mod pipeline;
pub(crate) mod pointers;
mod reduce;
pub(crate) mod reduction;
mod registry;
pub(crate) mod run;
pub(crate) mod scalar;
mod signature;
pub(crate) mod strided;
pub(crate) mod target;
pub(crate) mod user;

pub use {
    cache::DispatchCache,
    cast::CastKernel,
    casts::{Cast, CastRow, Casts},
    custom::{Absent, CustomCast, CustomCasts, CustomEntry, CustomKernels, Probe, dtype_with_casts},
    entry::Entry,
    find::Enters,
    handle::Kernel,
    loop_set::{LoopSet, Loops},
    loops::Loop,
    map::{Each, One, Reader},
    pointers::Pointers,
    reduction::table::{FoldKind, Folds, Reductions},
    registry::{Kernels, Registry},
    target::{Body, Levels, Target},
    user::simd::{SimdBody, SimdNumber, Vectors},
    user::typed::{CallFused, KernelInput, PerLane},
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
/// - `more` points to as many pointers as the op has inputs behind the second;
/// - `out` points to room for `n` aligned elements of the output's dtype and overlaps no input; it may be
///   null if the op may trap. A function that computes in place takes `out` itself for its first input: it is
///   then initialised, and overlaps no other. The second input of a function that broadcasts it is one
///   element.
pub type RawKernel =
    unsafe fn(n: usize, first: *const u8, second: *const u8, more: *const *const u8, out: *mut u8) -> Status;
