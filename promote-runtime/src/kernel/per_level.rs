//! The functions of a kernel, one for each level.

use super::RawKernel;
use crate::level::Level;
use crate::level::doors::Loop;
use crate::level::doors::{Body, LEVELS, Levels, body_doors, loop_doors};

/// A kernel function for each SIMD level; a level without one is computed in another way.
///
/// A machine that has the level may run its function: each token of a bundle is that of its level, and a
/// [`Target`](crate::level::doors::Target) promises that its door needs the level of its token only.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerLevel([Option<RawKernel>; LEVELS]);

impl PerLevel {
    /// No functions.
    pub(super) const EMPTY: PerLevel = PerLevel([None; LEVELS]);

    /// Returns the function for `level`.
    #[inline(always)]
    pub(super) const fn at(&self, level: Level) -> Option<RawKernel> {
        self.0[level.index()]
    }

    /// Returns the function for `level`.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[inline(always)]
    pub(super) const fn expect(&self, level: Level) -> RawKernel {
        match self.at(level) {
            Some(raw) => raw,
            None => panic!("a level without a function"),
        }
    }

    /// Returns the function for the level in use, if the level is known already. Level detection is not here,
    /// so that a call needs no stack.
    #[inline(always)]
    pub(super) fn in_use(&self) -> Option<RawKernel> {
        self.0.get(Level::active_index()).copied().flatten()
    }
}

/// Returns the functions behind doors; for the scalar level of x86-64 only if `scalar` is true.
const fn functions(doors: [RawKernel; LEVELS], scalar: bool) -> PerLevel {
    let mut functions = [None; LEVELS];
    // On machines with one level, it has every function.
    let mut i = if scalar || LEVELS == 1 { 0 } else { 1 };
    while i < LEVELS {
        functions[i] = Some(doors[i]);
        i += 1;
    }
    PerLevel(functions)
}

/// Returns the loop for every SIMD level, and for the scalar level of x86-64 if `scalar` is true.
///
/// These functions run when the registries are computed, and only the loops and bodies that they choose are
/// compiled.
pub(super) const fn plain<S: Levels, P: Loop>(scalar: bool) -> PerLevel {
    functions(loop_doors::<S, P>(), scalar)
}

/// Returns the body for each level, as [`plain`] does.
pub(super) const fn body<S: Levels, B: Body>(scalar: bool) -> PerLevel {
    functions(body_doors::<S, B>(), scalar)
}
