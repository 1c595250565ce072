//! The functions of a kernel, one for each level: which loop a body has.

use super::body::{Fused, FusedUnary, Signs};
use super::loops::{Cheap, InBlocks, Looked, Loop, Replaces, Traps, Work};
use super::ordered::{Ordered, is_ordered};
use super::pointers::Function;
use super::quick::{Asked, Quick};
use super::target::{Body, Levels, Target, check_levels};
use crate::convert::ConvertTo;
use crate::element::Element;
use crate::level::Level;
use crate::ops::{self, Binary, Unary};

pub(super) const LEVELS: usize = Level::ALL.len();

/// One function for each level, at the level's number; a level without one takes another way.
///
/// A machine that has the level may run the function there: [`plain`] and [`body`] fill it, with the doors of
/// a bundle of tokens, and what is `composed` calls those of its own place. [`check_levels`] shows that each
/// token is that of the place where its door is put, and a [`Target`] promises that its door asks for the
/// level of its token only.
pub(super) type ByLevel = [Option<Function>; LEVELS];

/// The loop at every level, or at every SIMD level: on machines without any, at the scalar one.
///
/// These functions run when the registries are computed, and only the loops and bodies that they choose are
/// compiled.
pub(super) const fn plain<S: Levels, P: Loop>(every: bool) -> ByLevel {
    check_levels::<S>();
    #[cfg(target_arch = "x86_64")]
    return [
        if every { Some(Function::new(<S::Scalar as Target>::enter::<P>)) } else { None },
        Some(Function::new(<S::V3 as Target>::enter::<P>)),
        Some(Function::new(<S::V4 as Target>::enter::<P>)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    {
        // The one level has every body.
        let _ = every;
        [Some(Function::new(<S::Scalar as Target>::enter::<P>))]
    }
}

/// As [`plain`], of a body.
pub(super) const fn body<S: Levels, B: Body>(every: bool) -> ByLevel {
    check_levels::<S>();
    #[cfg(target_arch = "x86_64")]
    return [
        if every { Some(Function::new(<S::Scalar as Target>::enter_body::<B>)) } else { None },
        Some(Function::new(<S::V3 as Target>::enter_body::<B>)),
        Some(Function::new(<S::V4 as Target>::enter_body::<B>)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    {
        // The one level has every body.
        let _ = every;
        [Some(Function::new(<S::Scalar as Target>::enter_body::<B>))]
    }
}

/// `W` in the loop that its result asks for.
pub(super) const fn work<S: Levels, W: Work + Loop>(every: bool) -> ByLevel {
    if W::Out::STORE_IN_BLOCKS { plain::<S, InBlocks<W>>(every) } else { plain::<S, W>(every) }
}

/// As [`work`], with loops for `out` that is the first input, and for one element as the second.
pub(super) const fn cheap<S: Levels, W: Replaces + Loop>(every: bool) -> ByLevel {
    if W::Out::STORE_IN_BLOCKS {
        body::<S, Cheap<W, InBlocks<W>, InBlocks<W::Spread>>>(every)
    } else {
        body::<S, Cheap<W, W, W::Spread>>(every)
    }
}

/// The body at every level, each of which has it.
pub(super) const fn every<S: Levels, W: Work + Loop>() -> [Function; LEVELS] {
    let all = work::<S, W>(true);
    let [Some(first), ..] = all else { panic!("the scalar level has every body") };
    let mut found = [first; LEVELS];
    let mut i = 1;
    while i < LEVELS {
        if let Some(raw) = all[i] {
            found[i] = raw;
        }
        i += 1;
    }
    found
}

/// As [`work`], with a look at all operands where some may trap, and by the quicker form if there is one.
pub(super) const fn binary<S: Levels, W: Quick + Traps + Loop>(fast_path: bool, every: bool) -> ByLevel {
    match (W::TRAP, fast_path) {
        (None, false) => work::<S, W>(every),
        (None, true) => plain::<S, Asked<W>>(every),
        (Some(_), true) => body::<S, Looked<W, Asked<W>>>(every),
        (Some(_), false) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(every),
        (Some(_), false) => body::<S, Looked<W, W>>(every),
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
    let of_one = A::DTYPE.index() == out && B::DTYPE.index() == out;
    ops::replaces(K::OP) && !K::HAS_FAST_PATH && K::TRAP.is_none() && of_one
}

/// As [`binary`], or with loops for results in the place of the first operand and for one element as the
/// second.
pub(super) const fn pairs<S, K, A, B, C, O>(every: bool) -> ByLevel
where
    S: Levels,
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
    O: Element,
{
    if replaces::<K, C::Reg, A, B, O>() && is_ordered::<K, C, O>() {
        cheap::<S, Ordered<K, O>>(every)
    } else if replaces::<K, C::Reg, A, B, O>() {
        cheap::<S, Fused<K, A, B, C, O>>(every)
    } else {
        binary::<S, Fused<K, A, B, C, O>>(K::HAS_FAST_PATH, every)
    }
}

/// As [`binary`], at every level, of what has no quicker form.
pub(super) const fn looking<S: Levels, W: Traps + Loop>() -> ByLevel {
    match W::TRAP {
        None => work::<S, W>(true),
        Some(_) if W::Out::STORE_IN_BLOCKS => body::<S, Looked<W, InBlocks<W>>>(true),
        Some(_) => body::<S, Looked<W, W>>(true),
    }
}

/// Of one operand: a sign of a narrow float is changed in memory form, where it is the highest bit.
pub(super) const fn unary<S, K, A, C, O>(every: bool) -> ByLevel
where
    S: Levels,
    K: Unary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    C: Element,
    O: Element,
{
    let signs = K::SIGN.is_some() && A::NARROW && A::DTYPE.index() == O::DTYPE.index();
    match size_of::<A::Repr>() {
        1 if signs => plain::<S, Signs<K, C::Reg, u8>>(every),
        2 if signs => plain::<S, Signs<K, C::Reg, u16>>(every),
        _ if K::HAS_FAST_PATH => plain::<S, Asked<FusedUnary<K, A, C, O>>>(every),
        _ => work::<S, FusedUnary<K, A, C, O>>(every),
    }
}
