//! Kernels, which compute one op over contiguous elements of fixed dtypes at each SIMD level.
//!
//! What an op computes for one lane is in [`ops`](crate::ops).
//!
//! - `map`, `fast_path`, `loops`, `adaptors`: the one body and its loops, the loop of ops with a fast path,
//!   other loops, and ops made of other ops.
//! - `per_level`: the functions of a kernel at each level.
//! - `entry`, `signature`, `registry`, `loop_set`, `casts`, `cache`: the kernels and the casts of a build,
//!   their dtypes, the loops of another crate, and kernels found before.
//! - `find`, `pipeline`, `run`, `fused`: the choice of the kernel for a call, the casts around
//!   it, and the run in one go or in blocks.
//! - `strided`, `copy`, `overlap`: calls on views, copies of strided elements, and operands that overlap the
//!   destination.
//! - `reduction`, `reduce`: reductions, and reductions of the results of a kernel.
//! - `handle`, `call`, `cast`: handles of kernels and casts, which are looked up once and called often.
//! - `custom`, `user`: custom dtypes and custom kernels. `scalar`: conversions of single elements.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

mod adaptors;
mod cache;
mod call;
mod cast;
mod casts;
mod copy;
mod custom;
mod entry;
mod fast_path;
pub(crate) mod find;
pub(crate) mod fused;
mod handle;
mod loop_set;
pub(crate) mod loops;
pub(crate) mod map;
mod overlap;
mod per_level;
mod pipeline;
mod reduce;
pub(crate) mod reduction;
mod registry;
mod run;
pub(crate) mod scalar;
mod signature;
pub(crate) mod strided;
pub(crate) mod user;

pub use crate::level::doors::{Body, Levels, Loop, Target};
pub use crate::level::function::{Pointers, RawKernel, Status};

pub use {
    cache::DispatchCache,
    cast::CastKernel,
    casts::{Cast, CastRow, Casts},
    custom::probe::{Absent, Probe},
    custom::{CustomCast, CustomCasts, CustomEntry, CustomKernels, dtype_with_casts},
    entry::Entry,
    find::Enters,
    handle::Kernel,
    loop_set::LoopSet,
    map::{Each, One, Reader},
    reduction::Scans,
    reduction::table::{FoldKind, Folds, Reductions},
    registry::{Kernels, Loops, Registry},
    signature::MAX_INPUTS,
    user::simd::{SimdBody, SimdNumber, Vectors},
    user::typed::{CallFused, KernelInput, PerLane},
    user::{CustomKernel, UserEntry, with_kernels},
};
