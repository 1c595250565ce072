//! Kernels that are two others, one after the other, a part in L1 at a time: a cast by way of another dtype, a comparison whose opposite there is.
//!
//! Of a build's time nearly all is what LLVM takes for thousands of functions. What a pair of dtypes has of its own here is a call with constants.

use super::block::Block;
use super::loops::{Loop, Work};
use super::ops::{Binary, LogicalNot};
use super::pointers::invoke;
use super::registry::{ByLevel, LEVELS, binary, unary, work};
use super::run::check;
use super::target::Levels;
use super::{RawKernel, Status};
use crate::convert::ConvertTo;
use crate::element::Element;

use super::body::Fused;

/// The bytes of what the first function gives at a time.
const PART: usize = 2048;

/// Two functions, and the bytes of their elements.
struct Steps {
    first: RawKernel,
    then: RawKernel,
    /// Those of the first function's inputs; 0 where there is but one.
    inputs: [usize; 2],
    between: usize,
    out: usize,
    /// Whether the first function takes the inputs the other way round.
    swaps: bool,
}

impl Steps {
    /// Runs both, part by part.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`] says of a function of these inputs and results; neither function may trap.
    #[inline(never)]
    unsafe fn run(&self, n: usize, a: *const u8, b: *const u8, out: *mut u8) -> Status {
        let mut block = Block::<PART>::new();
        let between = block.pointer();
        let most = PART / self.between;
        let mut done = 0;
        while done < n {
            let m = if n - done < most { n - done } else { most };
            let (a, b) = (a.wrapping_add(done * self.inputs[0]), b.wrapping_add(done * self.inputs[1]));
            let inputs = if self.swaps { [b, a] } else { [a, b] };
            // SAFETY: the caller promises the level, and `n` elements of each input, so `m` from `done` on; the block has room for `m`.
            let status = unsafe { invoke(self.first, m, &inputs, between) };
            debug_assert!(check(status).is_ok(), "a function that may trap");
            // SAFETY: the function has written `m` elements to the block, which overlaps nothing; the caller promises room for `n` results.
            unsafe { invoke(self.then, m, &[between.cast_const()], out.wrapping_add(done * self.out)) };
            done += m;
        }
        Status::Done
    }
}

/// The function of a level, at its place.
const fn at(functions: ByLevel, place: usize) -> RawKernel {
    match functions[place] {
        Some(raw) => raw,
        None => panic!("a level without one of the two functions"),
    }
}

/// Casts elements of `A` by way of `M`: `F` gives that, and `T` what it is in the end.
///
/// # Safety
///
/// As [`RawKernel`].
unsafe fn cast<S, H, A, F, T, const PLACE: usize>(
    n: usize,
    a: *const u8,
    _: *const u8,
    _: *const *const u8,
    out: *mut u8,
) -> Status
where
    S: Levels,
    H: Levels,
    A: Element,
    F: Work + Loop,
    T: Work + Loop,
{
    let steps = const {
        &Steps {
            first: at(work::<S, F>(true), PLACE),
            then: at(work::<H, T>(true), PLACE),
            inputs: [size_of::<A::Repr>(), 0],
            between: size_of::<<F::Out as Element>::Repr>(),
            out: size_of::<<T::Out as Element>::Repr>(),
            swaps: false,
        }
    };
    // SAFETY: the caller promises it; casts do not trap.
    unsafe { steps.run(n, a, core::ptr::null(), out) }
}

/// The cast `F` from `A` among the functions of `S`, and behind it `T` among those of `H`, at every level.
pub(super) const fn casts<S, H, A, F, T>() -> ByLevel
where
    S: Levels,
    H: Levels,
    A: Element,
    F: Work + Loop,
    T: Work + Loop,
{
    #[cfg(target_arch = "x86_64")]
    let all: [RawKernel; LEVELS] =
        [cast::<S, H, A, F, T, 0>, cast::<S, H, A, F, T, 1>, cast::<S, H, A, F, T, 2>];
    #[cfg(not(target_arch = "x86_64"))]
    let all: [RawKernel; LEVELS] = [cast::<S, H, A, F, T, 0>];
    let mut found: ByLevel = [None; LEVELS];
    let mut i = 0;
    while i < LEVELS {
        found[i] = Some(all[i]);
        i += 1;
    }
    found
}

/// Whether the comparison `K` of `A` and `B`, which takes them the other way round if that is said, does not hold.
///
/// # Safety
///
/// As [`RawKernel`].
unsafe fn opposite<S, N, K, A, B, C, const SWAPS: bool, const PLACE: usize>(
    n: usize,
    a: *const u8,
    b: *const u8,
    _: *const *const u8,
    out: *mut u8,
) -> Status
where
    S: Levels,
    N: Levels,
    K: Binary<C::Reg, Out = bool>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
{
    let steps = const {
        assert!(K::TRAP.is_none() && !K::QUICK, "a comparison that is more than one step");
        let first = if SWAPS {
            binary::<S, Fused<K, B, A, C, bool>>(false, false)
        } else {
            binary::<S, Fused<K, A, B, C, bool>>(false, false)
        };
        &Steps {
            first: at(first, PLACE),
            then: at(unary::<N, LogicalNot, bool, bool, bool>(true), PLACE),
            inputs: [size_of::<A::Repr>(), size_of::<B::Repr>()],
            between: 1,
            out: 1,
            swaps: SWAPS,
        }
    };
    // SAFETY: the caller promises it; a comparison does not trap.
    unsafe { steps.run(n, a, b, out) }
}

/// The opposite of a comparison among the functions of `S`, whose operands are of two dtypes: at every SIMD level. `N` has the functions of `logical_not`.
pub(super) const fn opposites<S, N, K, A, B, C, const SWAPS: bool>() -> ByLevel
where
    S: Levels,
    N: Levels,
    K: Binary<C::Reg, Out = bool>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element,
{
    #[cfg(target_arch = "x86_64")]
    return [
        None,
        Some(opposite::<S, N, K, A, B, C, SWAPS, 1>),
        Some(opposite::<S, N, K, A, B, C, SWAPS, 2>),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    [Some(opposite::<S, N, K, A, B, C, SWAPS, 0>)]
}
