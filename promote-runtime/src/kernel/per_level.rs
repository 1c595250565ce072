//! The functions of a kernel, one for each level: which loop a body has.

use super::RawKernel;
use super::body::{Fused, FusedUnary, Signs};
use super::loops::{Cheap, InBlocks, Looked, Loop, Replaces, Traps, Work};
use super::ordered::{Ordered, is_ordered};
use super::quick::{Asked, Quick};
use super::target::{Body, LEVELS, Levels, body_doors, loop_doors};
use crate::DType;
use crate::convert::ConvertTo;
use crate::element::Element;
use crate::level::Level;
use crate::ops::{self, Binary, Unary};

/// A kernel function for each SIMD level; a level without one is computed in another way.
///
/// A machine that has the level may run its function: each token of a bundle is that of its level, and a
/// [`Target`](super::target::Target) promises that its door needs the level of its token only.
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

/// `W` in the loop that its result asks for.
pub(super) const fn work<S: Levels, W: Work + Loop>(scalar: bool) -> PerLevel {
    if W::Out::STORE_IN_BLOCKS { plain::<S, InBlocks<W>>(scalar) } else { plain::<S, W>(scalar) }
}

/// As [`work`], with loops for `out` that is the first input, and for one element as the second.
pub(super) const fn cheap<S: Levels, W: Replaces + Loop>(scalar: bool) -> PerLevel {
    if W::Out::STORE_IN_BLOCKS {
        body::<S, Cheap<W, InBlocks<W>, InBlocks<W::Spread>>>(scalar)
    } else {
        body::<S, Cheap<W, W, W::Spread>>(scalar)
    }
}

/// As [`work`], with a look at all operands where some may trap, and by the quicker form if there is one.
pub(super) const fn binary<S: Levels, W: Quick + Traps + Loop>(fast_path: bool, scalar: bool) -> PerLevel {
    match (W::TRAP, fast_path) {
        (None, false) => work::<S, W>(scalar),
        (None, true) => plain::<S, Asked<W>>(scalar),
        (Some(_), true) => body::<S, Looked<W, Asked<W>>>(scalar),
        (Some(_), false) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(scalar),
        (Some(_), false) => body::<S, Looked<W, W>>(scalar),
    }
}

/// Whether the kernel of `A` and `B` also computes in place, and takes one element for its second input.
pub(super) const fn replaces<K, M, A, B, O>() -> bool
where
    K: Binary<M>,
    A: Element,
    B: Element,
    O: Element,
{
    let out = O::DTYPE.index();
    // All custom dtypes have one index.
    let standard = !matches!(O::DTYPE, DType::Custom(_));
    let of_one = standard && A::DTYPE.index() == out && B::DTYPE.index() == out;
    ops::replaces(K::OP) && !K::HAS_FAST_PATH && K::TRAP.is_none() && of_one
}

/// As [`binary`], or with loops for results in the place of the first operand and for one element as the
/// second.
pub(super) const fn pairs<S, K, A, B, C, O>(scalar: bool) -> PerLevel
where
    S: Levels,
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    if replaces::<K, C::Reg, A, B, O>() && is_ordered::<K, C, O>() {
        cheap::<S, Ordered<K, O>>(scalar)
    } else if replaces::<K, C::Reg, A, B, O>() {
        cheap::<S, Fused<K, A, B, C, O>>(scalar)
    } else {
        binary::<S, Fused<K, A, B, C, O>>(K::HAS_FAST_PATH, scalar)
    }
}

/// As [`binary`], at every level, of what has no quicker form.
pub(super) const fn looking<S: Levels, W: Traps + Loop>() -> PerLevel {
    match W::TRAP {
        None => work::<S, W>(true),
        Some(_) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(true),
        Some(_) => body::<S, Looked<W, W>>(true),
    }
}

/// Of one operand: a sign of a narrow float is changed in memory form, where it is the highest bit.
pub(super) const fn unary<S, K, A, C, O>(scalar: bool) -> PerLevel
where
    S: Levels,
    K: Unary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    C: Element,
    O: Element,
{
    let signs = K::SIGN.is_some() && A::NARROW && A::DTYPE.index() == O::DTYPE.index();
    match size_of::<A::Repr>() {
        1 if signs => plain::<S, Signs<K, C::Reg, u8>>(scalar),
        2 if signs => plain::<S, Signs<K, C::Reg, u16>>(scalar),
        _ if K::HAS_FAST_PATH => plain::<S, Asked<FusedUnary<K, A, C, O>>>(scalar),
        _ => work::<S, FusedUnary<K, A, C, O>>(scalar),
    }
}
