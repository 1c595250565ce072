//! Kernels that are others, one after the other, a part in L1 at a time: a cast by way of another dtype, an
//! op of operands that are rounded to f16, a function of c64 that computes in c128. And such as look at all
//! operands first, and are then the kernel of an op that refuses none.
//!
//! Of a build's time nearly all is what LLVM takes for thousands of functions. What a pair of dtypes has of
//! its own here is data, and one function runs all.

use core::marker::PhantomData;

use super::by_level::{ByLevel, LEVELS, binary, work};
use super::casts::CastsFrom;
use super::entry::Entry;
use super::loops::{Loop, Traps, Work, look};
use super::pointers::{Function, Pointers};
use super::quick::Quick;
use super::target::{Body, Levels, Target};
use super::types::Types;
use super::{RawKernel, Status};
use crate::element::Element;
use crate::memory::block::Block;
use crate::ops::KernelOp;
use crate::{DType, OpTypes};

/// The bytes of a block, of the largest dtype on the way.
const PART: usize = 4096;

/// A function of one or two inputs, casts before it and what is done with its results, if anything; each at
/// every level. And the bytes of all elements.
#[derive(Debug)]
pub(super) struct Steps {
    casts: [Option<&'static ByLevel>; 2],
    op: &'static ByLevel,
    /// Whether the op takes the inputs the other way round.
    swaps: bool,
    then: Option<&'static ByLevel>,
    /// Those of the inputs; 0 where there is but one.
    inputs: [u8; 2],
    /// The most bytes that are between two functions.
    between: u8,
    out: u8,
}

/// What runs the steps to which its pointer to more inputs points, at each level.
#[cfg(target_arch = "x86_64")]
pub(super) const ENTER: [RawKernel; LEVELS] = [enter::<0>, enter::<1>, enter::<2>];
/// The same of the one level of other machines.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ENTER: [RawKernel; LEVELS] = [enter::<0>];

/// Runs steps at the level at this place.
///
/// # Safety
///
/// As [`RawKernel`] of their inputs and results; `more` is what [`Steps::as_more`] gives.
unsafe fn enter<const PLACE: usize>(
    n: usize,
    a: *const u8,
    b: *const u8,
    more: *const *const u8,
    out: *mut u8,
) -> Status {
    // SAFETY: the caller promises that it was made of steps, which are borrowed for ever.
    let steps = unsafe { &*more.cast::<Steps>() };
    // SAFETY: as the caller promises.
    unsafe { steps.run(PLACE, n, a, b, out) }
}

impl Steps {
    /// As [`enter`] takes them.
    #[inline(always)]
    pub(super) const fn as_more(&'static self) -> *const *const u8 {
        core::ptr::from_ref(self).cast()
    }

    /// Runs all, part by part, with the functions of the level at this place.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`] says of a function of these inputs and results; none of these may trap.
    #[inline(never)]
    unsafe fn run(&self, place: usize, n: usize, a: *const u8, b: *const u8, out: *mut u8) -> Status {
        let [mut first, mut second, mut computed] = [const { Block::<PART>::new() }; 3];
        let (first, second, computed) = (first.pointer(), second.pointer(), computed.pointer());
        let (casts, op) = (self.casts.map(|cast| cast.map(|cast| at(cast, place))), at(self.op, place));
        let then = self.then.map(|then| at(then, place));
        let most = PART / usize::from(self.between);
        let mut done = 0;
        while done < n {
            let m = if n - done < most { n - done } else { most };
            let [first_size, second_size] = self.inputs.map(usize::from);
            let mut inputs = [a.wrapping_add(done * first_size), b.wrapping_add(done * second_size)];
            let out = out.wrapping_add(done * usize::from(self.out));
            for ((cast, input), block) in casts.into_iter().zip(&mut inputs).zip([first, second]) {
                if let Some(cast) = cast {
                    // SAFETY: the caller promises the level, and `n` elements of the input, so `m` from
                    // `done` on; the block has room for `m`.
                    unsafe { done_by(cast, m, &[*input], block) };
                    *input = block.cast_const();
                }
            }
            if self.swaps {
                inputs.swap(0, 1);
            }
            let results = if then.is_some() { computed } else { out };
            // SAFETY: the inputs have `m` elements, as the caller promises or a cast has written them, and
            // there is room for `m` results: the caller's, or the block.
            unsafe { done_by(op, m, &inputs, results) };
            if let Some(then) = then {
                // SAFETY: the op has written `m` elements to the block, and the caller promises room for as
                // many results.
                unsafe { done_by(then, m, &[results.cast_const()], out) };
            }
            done += m;
        }
        Status::Done
    }

    /// At every level that all of the functions have.
    pub(super) const fn by_level(&'static self) -> ByLevel {
        let mut found = [None; LEVELS];
        let mut place = 0;
        while place < LEVELS {
            let all = has(Some(self.op), place)
                && has(self.then, place)
                && has(self.casts[0], place)
                && has(self.casts[1], place);
            if all {
                found[place] = Some(Function::composed(self, place));
            }
            place += 1;
        }
        found
    }
}

/// Whether functions, if they are any, have one at the level at this place.
const fn has(functions: Option<&ByLevel>, place: usize) -> bool {
    match functions {
        Some(functions) => functions[place].is_some(),
        None => true,
    }
}

/// Calls a function that does not trap.
///
/// # Safety
///
/// As [`Function::call`].
#[inline(always)]
unsafe fn done_by<const N: usize>(function: Function, n: usize, inputs: &[*const u8; N], out: *mut u8) {
    // SAFETY: the caller promises it.
    let status = unsafe { function.call(n, inputs, out) };
    debug_assert!(status == Status::Done, "a function that may trap");
}

/// The function of a level, at its place.
const fn at(functions: &ByLevel, place: usize) -> Function {
    match functions[place] {
        Some(function) => function,
        None => panic!("a level without one of the functions"),
    }
}

/// The bytes of an element: 1, 2, 4, 8 or 16.
const fn bytes<T>() -> u8 {
    size_of::<T>() as u8
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
    let steps = const {
        &Steps {
            casts: [Some(&work::<S, F>(true)), None],
            op: &work::<H, T>(true),
            swaps: false,
            then: None,
            inputs: [bytes::<A::Repr>(), 0],
            between: bytes::<<F::Out as Element>::Repr>(),
            out: bytes::<<T::Out as Element>::Repr>(),
        }
    };
    steps.by_level()
}

/// A kernel that is several others.
#[derive(Debug)]
pub struct Composed {
    pub(super) op: KernelOp,
    pub(super) types: Types,
    pub(super) steps: Steps,
}

impl Composed {
    /// The kernel of two dtypes that are cast to the one of both operands of another kernel before, a part in
    /// L1 at a time: `F` and `G` have the casts from them.
    ///
    /// # Panics
    ///
    /// When the kernel may trap, takes operands of two dtypes or something besides, or those of f8e4m3fn, to
    /// which a cast asks how it overflows. In a `static` that is a compile error.
    pub const fn mixed<F: CastsFrom, G: CastsFrom>(kernel: &'static Entry) -> Composed {
        let of = kernel.types();
        let (common, compute, output) = (of.common(), of.compute(), of.out());
        let alike = of.first().0 == common.0 && of.second().0 == common.0;
        assert!(alike && of.inputs() == 2 && !of.traps(), "a kernel that no cast can stand before");
        let common = common.standard();
        assert!(!matches!(common, DType::F8E4M3FN), "a cast that knows no word for overflow");
        let types = OpTypes { common, compute: compute.standard(), output: output.standard() };
        let steps = Steps {
            casts: [F::ROW.entering(F::From::DTYPE, common), G::ROW.entering(G::From::DTYPE, common)],
            op: kernel.functions(),
            swaps: false,
            then: None,
            inputs: [bytes::<<F::From as Element>::Repr>(), bytes::<<G::From as Element>::Repr>()],
            between: (common.bits() / 8) as u8,
            out: (output.standard().bits() / 8) as u8,
        };
        let types = Entry::types_of_op::<F::From, G::From>(kernel.op(), types);
        Composed { op: kernel.op(), types: types.taking(2, false).streaming(of.streams()), steps }
    }

    /// The kernel of operands that are cast to a wider dtype, in which another kernel computes, and its
    /// results from there: `F` has the casts of the narrow dtype, and `G` those of the wider one.
    ///
    /// # Panics
    ///
    /// When the other kernel has other dtypes than the wider one, may trap, or takes more than two inputs. In
    /// a `static` that is a compile error.
    pub const fn widened<F: CastsFrom, G: CastsFrom>(kernel: &'static Entry) -> Composed {
        let (of, narrow, wide) = (kernel.types(), F::From::DTYPE, G::From::DTYPE);
        let inputs = of.inputs();
        assert!(of.is_direct() && of.is_of_one() && of.compute().is(wide), "a kernel of another dtype");
        assert!(inputs <= 2 && !of.traps(), "a kernel that no cast can stand before");
        let (enters, leaves) = (F::ROW.entering(narrow, wide), G::ROW.entering(wide, narrow));
        let size = bytes::<<F::From as Element>::Repr>();
        let steps = Steps {
            casts: if inputs == 2 { [enters; 2] } else { [enters, None] },
            op: kernel.functions(),
            swaps: false,
            then: leaves,
            inputs: if inputs == 2 { [size; 2] } else { [size, 0] },
            between: bytes::<<G::From as Element>::Repr>(),
            out: size,
        };
        let types = Entry::types_of_op::<F::From, F::From>(kernel.op(), OpTypes::uniform(narrow));
        Composed { op: kernel.op(), types: types.taking(inputs, false), steps }
    }
}

/// A look at all operands of `W`, and behind it `T` among the functions of `S`, by its quicker form if there
/// is one: what gives the same where no operand is an error.
pub(super) struct LookedBefore<W, S, T, const HAS_FAST_PATH: bool>(PhantomData<(W, S, T)>);

impl<W, S, T, const HAS_FAST_PATH: bool> Body for LookedBefore<W, S, T, HAS_FAST_PATH>
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
            at(&binary::<S, T>(HAS_FAST_PATH, true), L::LEVEL.index()).alone()
        };
        // By its address: LLVM would compile the known function once more in here.
        let raw: RawKernel = core::hint::black_box(raw);
        // SAFETY: the caller promises the same of the inputs and of `out`; a value of `L` exists, so the
        // machine has the level.
        unsafe { raw(n, inputs.first(), inputs.second(), core::ptr::null(), out) }
    }
}
