//! Kernels that are others, one after the other, a part in L1 at a time: a cast by way of another dtype, a comparison whose opposite there is, an op of two
//! dtypes behind casts. And such as look at all operands first, and are then the kernel of an op that refuses none.
//!
//! Of a build's time nearly all is what LLVM takes for thousands of functions. What a pair of dtypes has of its own here is a call with constants.

use core::marker::PhantomData;

use super::block::Block;
use super::body::Fused;
use super::casts::CastsFrom;
use super::loops::{Loop, Quick, Traps, Work, look};
use super::ops::{Binary, LogicalNot};
use super::pointers::{Pointers, invoke};
use super::registry::{ByLevel, binary, pairs, unary, work};
use super::target::{Body, Levels, Target};
use super::{RawKernel, Status};
use crate::convert::ConvertTo;
use crate::element::Element;

/// The bytes of a block, of the largest dtype on the way.
const PART: usize = 4096;

/// A function of one or two inputs, casts before it and what is done with its results, if anything; and the bytes of all elements.
struct Steps {
    casts: [Option<RawKernel>; 2],
    op: RawKernel,
    /// Whether the op takes the inputs the other way round.
    swaps: bool,
    then: Option<RawKernel>,
    /// Those of the inputs; 0 where there is but one.
    inputs: [usize; 2],
    /// The most bytes that are between two functions.
    between: usize,
    out: usize,
}

impl Steps {
    /// Runs all, part by part.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`] says of a function of these inputs and results; none of these may trap.
    #[inline(never)]
    unsafe fn run(&self, n: usize, a: *const u8, b: *const u8, out: *mut u8) -> Status {
        debug_assert!(self.then.is_none() || self.casts[0].is_none(), "an operand and results in one block");
        let (mut first, mut second) = (Block::<PART>::new(), Block::<PART>::new());
        let (first, second) = (first.pointer(), second.pointer());
        let most = PART / self.between;
        let mut done = 0;
        while done < n {
            let m = if n - done < most { n - done } else { most };
            let mut inputs = [a.wrapping_add(done * self.inputs[0]), b.wrapping_add(done * self.inputs[1])];
            let out = out.wrapping_add(done * self.out);
            for ((cast, input), block) in self.casts.into_iter().zip(&mut inputs).zip([first, second]) {
                if let Some(cast) = cast {
                    // SAFETY: the caller promises the level, and `n` elements of the input, so `m` from `done` on; the block has room for `m`.
                    unsafe { done_by(cast, m, &[*input], block) };
                    *input = block.cast_const();
                }
            }
            if self.swaps {
                inputs.swap(0, 1);
            }
            let results = if self.then.is_some() { first } else { out };
            // SAFETY: the inputs have `m` elements, as the caller promises or a cast has written them, and there is room for `m` results: the caller's, or the block,
            // which is no input where anything follows.
            unsafe { done_by(self.op, m, &inputs, results) };
            if let Some(then) = self.then {
                // SAFETY: the op has written `m` elements to the block, and the caller promises room for as many results.
                unsafe { done_by(then, m, &[results.cast_const()], out) };
            }
            done += m;
        }
        Status::Done
    }
}

/// Calls a function that does not trap.
///
/// # Safety
///
/// As [`RawKernel`].
#[inline(always)]
unsafe fn done_by<const N: usize>(raw: RawKernel, n: usize, inputs: &[*const u8; N], out: *mut u8) {
    // SAFETY: the caller promises it.
    let status = unsafe { invoke(raw, n, inputs, out) };
    debug_assert!(status == Status::Done, "a function that may trap");
}

/// The function of a level, at its place.
const fn at(functions: &ByLevel, place: usize) -> RawKernel {
    match functions[place] {
        Some(raw) => raw,
        None => panic!("a level without one of the functions"),
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
            casts: [Some(at(&work::<S, F>(true), PLACE)), None],
            op: at(&work::<H, T>(true), PLACE),
            swaps: false,
            then: None,
            inputs: [size_of::<A::Repr>(), 0],
            between: size_of::<<F::Out as Element>::Repr>(),
            out: size_of::<<T::Out as Element>::Repr>(),
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
    return [Some(cast::<S, H, A, F, T, 0>), Some(cast::<S, H, A, F, T, 1>), Some(cast::<S, H, A, F, T, 2>)];
    #[cfg(not(target_arch = "x86_64"))]
    [Some(cast::<S, H, A, F, T, 0>)]
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
        let op = if SWAPS {
            binary::<S, Fused<K, B, A, C, bool>>(false, false)
        } else {
            binary::<S, Fused<K, A, B, C, bool>>(false, false)
        };
        &Steps {
            casts: [None; 2],
            op: at(&op, PLACE),
            swaps: SWAPS,
            then: Some(at(&unary::<N, LogicalNot, bool, bool, bool>(true), PLACE)),
            inputs: [size_of::<A::Repr>(), size_of::<B::Repr>()],
            between: 1,
            out: 1,
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

/// `K` of elements of `A` and `B`, those of another dtype than `C` cast to it before.
///
/// # Safety
///
/// As [`RawKernel`].
unsafe fn mixed<S, F, G, K, A, B, C, O, const PLACE: usize>(
    n: usize,
    a: *const u8,
    b: *const u8,
    _: *const *const u8,
    out: *mut u8,
) -> Status
where
    S: Levels,
    F: CastsFrom,
    G: CastsFrom,
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element + ConvertTo<C>,
    O: Element,
{
    let steps = const {
        assert!(K::TRAP.is_none(), "an op that may trap looks at all operands first");
        &Steps {
            casts: [entering::<F, A, C>(PLACE), entering::<G, B, C>(PLACE)],
            op: at(&pairs::<S, K, C, C, C, O>(false), PLACE),
            swaps: false,
            then: None,
            inputs: [size_of::<A::Repr>(), size_of::<B::Repr>()],
            between: size_of::<C::Repr>(),
            out: size_of::<O::Repr>(),
        }
    };
    // SAFETY: the caller promises it; the op does not trap.
    unsafe { steps.run(n, a, b, out) }
}

/// The cast from `A` to `C`, if they are not the same.
const fn entering<F: CastsFrom, A: Element, C: Element>(place: usize) -> Option<RawKernel> {
    match F::ROW.entering(A::DTYPE, C::DTYPE) {
        Some(functions) => Some(at(functions, place)),
        None => None,
    }
}

/// The kernel among the functions of `S` whose operands are both of `C`, behind the casts from `A` and from `B`, which `F` and `G` have: at every SIMD level.
pub(super) const fn mixed_pairs<S, F, G, K, A, B, C, O>() -> ByLevel
where
    S: Levels,
    F: CastsFrom,
    G: CastsFrom,
    K: Binary<C::Reg, Out = O::Reg>,
    A: ConvertTo<C>,
    B: ConvertTo<C>,
    C: Element + ConvertTo<C>,
    O: Element,
{
    #[cfg(target_arch = "x86_64")]
    return [None, Some(mixed::<S, F, G, K, A, B, C, O, 1>), Some(mixed::<S, F, G, K, A, B, C, O, 2>)];
    #[cfg(not(target_arch = "x86_64"))]
    [Some(mixed::<S, F, G, K, A, B, C, O, 0>)]
}

/// A look at all operands of `W`, and behind it `T` among the functions of `S`, by its quicker form if there is one: what gives the same where no operand is an error.
pub(super) struct LookedBefore<W, S, T, const QUICK: bool>(PhantomData<(W, S, T)>);

impl<W, S, T, const QUICK: bool> Body for LookedBefore<W, S, T, QUICK>
where
    W: Traps,
    S: Levels,
    T: Quick + Traps + Loop,
{
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        // SAFETY: as the caller promises.
        let found = unsafe { look::<L, W>(lanes, n, inputs) };
        if found != Status::Done || out.is_null() {
            return found;
        }
        let raw = const {
            assert!(T::TRAP.is_none(), "an op that looks by itself");
            at(&binary::<S, T>(QUICK, true), L::LEVEL.place())
        };
        // By its address: LLVM would compile the known function once more in here.
        let raw: RawKernel = core::hint::black_box(raw);
        // SAFETY: the caller promises the same of the inputs and of `out`; a value of `L` exists, so the machine has the level.
        unsafe { raw(n, inputs.first(), inputs.second(), core::ptr::null(), out) }
    }
}
