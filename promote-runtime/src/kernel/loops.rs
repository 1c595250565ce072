//! The loops: over all places, in blocks, and by the quicker of two forms.
//!
//! Ten thousand kernels are made of them, and most of a build is the time that LLVM takes for what rustc gives it. So a loop counts by
//! itself, asks no slice for its bounds, and holds nothing that is dropped: of iterators, slices and closures a kernel was six times as long.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{BitAnd, BitXor, Not};

use super::block;
use super::ops::{BATCH, SignStep};
use super::target::Target;
use crate::convert::Overflow;
use crate::element::Element;
use crate::level::Lanes;

/// A block of results: 512 lanes of `f32`, below what a stack probe costs.
type Block = block::Block<2048>;

/// How many operands are asked at once whether all of them are usual.
const ASKED: usize = 512;

/// What writes all results of a call.
pub trait Loop: 'static {
    /// Where the operands lie: bare pointers, and what else is the same for all of them.
    type Operands: Copy;
    /// What a result is in memory.
    type To;

    /// Writes `n` results.
    ///
    /// # Safety
    ///
    /// - each pointer of `operands` points to `n` elements of what the loop reads there, aligned and initialised;
    /// - `out` points to aligned room for `n` results, which overlaps no operand.
    unsafe fn run<L: Lanes>(lanes: L, operands: Self::Operands, n: usize, out: *mut Self::To);
}

/// What a kernel computes at one place.
pub(super) trait Work: 'static {
    /// Where the operands lie.
    type Operands: Copy;
    /// What the result is stored as.
    type Out: Element;
    /// What overflow of f8e4m3fn gives.
    type Overflow: Overflow;

    /// The result at place `i`.
    ///
    /// # Safety
    ///
    /// Each pointer of `operands` points to more than `i` elements of what the work reads there, aligned and initialised.
    unsafe fn at<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> Reg<Self>;
}

/// Work with a quicker form for usual operands.
pub(super) trait Quick: Work {
    /// The operands of one place, converted.
    type Values: Copy;
    /// Whether unusual operands are so rare, or cost so much, that each is computed by itself.
    const RARE: bool;
    /// Whether [`Quick::batch`] is faster than [`Quick::quick`] of each.
    const BATCHES: bool;

    /// The operands at place `i`.
    ///
    /// # Safety
    ///
    /// As [`Work::at`].
    unsafe fn values<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> Self::Values;

    /// Whether [`Quick::quick`] gives the same as [`Work::at`].
    fn usual(values: Self::Values) -> bool;

    /// The result, where the operands are usual.
    fn quick<L: Lanes>(lanes: L, values: Self::Values) -> Reg<Self>;

    /// As [`Quick::quick`] of each, step by step for all of them.
    fn batch<L: Lanes>(lanes: L, values: [Self::Values; BATCH]) -> [Reg<Self>; BATCH];
}

/// Work some of whose operands are an error of the whole call.
pub(super) trait Traps: Work {
    /// Whether those at place `i` are.
    ///
    /// # Safety
    ///
    /// As [`Work::at`].
    unsafe fn traps<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> bool;
}

/// The register form of what `W` gives.
type Reg<W> = <<W as Work>::Out as Element>::Reg;
/// The same in memory.
type Repr<W> = <<W as Work>::Out as Element>::Repr;

/// Stores what `W` gives at each place of `out`, rounded once.
///
/// # Safety
///
/// Each pointer of `operands` points to as many elements as `out` has places, of what the work reads there, aligned and initialised.
#[inline(always)]
pub(super) unsafe fn store<L, W>(lanes: L, operands: W::Operands, out: &mut [MaybeUninit<Repr<W>>])
where
    L: Target,
    W: Work,
{
    // SAFETY: as the caller promises.
    unsafe { lanes.over::<Each<W>>(operands, out) };
}

/// As [`store`], by the quicker of two forms wherever all operands of a block are usual.
///
/// # Safety
///
/// As [`store`].
#[inline(always)]
pub(super) unsafe fn quick<L, W>(lanes: L, operands: W::Operands, out: &mut [MaybeUninit<Repr<W>>])
where
    L: Target,
    W: Quick,
{
    // SAFETY: as the caller promises.
    unsafe { lanes.over::<Asked<W>>(operands, out) };
}

/// Whether operands at any of `n` places are an error of the whole call.
///
/// # Safety
///
/// Each pointer of `operands` points to `n` elements of what the work reads there, aligned and initialised.
#[inline(always)]
pub(super) unsafe fn look<L: Lanes, W: Traps>(lanes: L, operands: W::Operands, n: usize) -> bool {
    let mut found = false;
    let mut i = 0;
    while i < n {
        // SAFETY: `i` is below `n`, for which the caller promises it.
        found |= unsafe { W::traps(lanes, operands, i) };
        i += 1;
    }
    found
}

/// All places alike.
struct Each<W>(PhantomData<W>);

impl<W: Work> Loop for Each<W> {
    type Operands = W::Operands;
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(lanes: L, operands: W::Operands, n: usize, out: *mut Repr<W>) {
        // SAFETY: as the caller promises.
        unsafe { part::<L, W>(lanes, operands, 0, n, out) };
    }
}

/// Blocks of operands are asked whether all of them are usual; where these are rare, the others are computed again.
///
/// Whole blocks go in batches where that is faster.
struct Asked<W>(PhantomData<W>);

impl<W: Quick> Loop for Asked<W> {
    type Operands = W::Operands;
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn run<L: Lanes>(lanes: L, operands: W::Operands, n: usize, out: *mut Repr<W>) {
        let mut done = 0;
        while done < n {
            let to = if n - done < ASKED { n } else { done + ASKED };
            let mut all = true;
            let mut i = done;
            while i < to {
                // SAFETY: `i` is below `n`, for which the caller promises it.
                all &= W::usual(unsafe { W::values(lanes, operands, i) });
                i += 1;
            }
            // At the scalar level a step is a call, and nothing stands side by side.
            if W::BATCHES && L::FMA && !W::Out::STORE_IN_BLOCKS && to - done == ASKED && (all || W::RARE) {
                // SAFETY: there are `ASKED` places from `done` on.
                unsafe { batches::<L, W>(lanes, operands, done, out) };
            } else if all || W::RARE {
                // SAFETY: `to` is at most `n`, for which the caller promises it.
                unsafe { part::<L, Usual<W>>(lanes, operands, done, to, out) };
            } else {
                // SAFETY: as above.
                unsafe { part::<L, W>(lanes, operands, done, to, out) };
            }
            if W::RARE && !all {
                // SAFETY: as above.
                unsafe { again::<L, W>(lanes, operands, done, to, out) };
            }
            done = to;
        }
    }
}

/// Stores the results of the places from `from` on, before `to`.
///
/// # Safety
///
/// As [`Loop::run`] of `to` results; `from` is not greater.
#[inline(always)]
unsafe fn part<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Work,
{
    if W::Out::STORE_IN_BLOCKS {
        // SAFETY: as the caller promises.
        return unsafe { blocks::<L, W>(lanes, operands, from, to, out) };
    }
    let mut i = from;
    while i < to {
        // SAFETY: `i` is below `to`, for which the caller promises it.
        let reg = unsafe { W::at(lanes, operands, i) };
        let repr = W::Out::store::<L, W::Overflow>(lanes, reg);
        // SAFETY: there is room for `to` results.
        unsafe { out.add(i).write(repr) };
        i += 1;
    }
}

/// As [`part`], where it is much faster to narrow many results together: they are computed into a block.
///
/// # Safety
///
/// As [`part`].
#[inline(always)]
unsafe fn blocks<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Work,
{
    let mut block = Block::new();
    let room = block.room::<Reg<W>>();
    let (places, regs) = (room.len(), room.as_mut_ptr().cast::<Reg<W>>());
    let mut done = from;
    while done < to {
        let m = if to - done < places { to - done } else { places };
        let mut i = 0;
        while i < m {
            // SAFETY: `done + i` is below `to`, for which the caller promises it.
            let reg = unsafe { W::at(lanes, operands, done + i) };
            // SAFETY: `i` is below the places of the block.
            unsafe { regs.add(i).write(reg) };
            i += 1;
        }
        // SAFETY: the loop has written `m` of them.
        let part = unsafe { core::slice::from_raw_parts(regs, m) };
        // SAFETY: there is room for `to` results.
        let first = unsafe { out.add(done).cast::<MaybeUninit<Repr<W>>>() };
        // SAFETY: from `done` on there is room for `m`, which nobody else holds.
        let places = unsafe { core::slice::from_raw_parts_mut(first, m) };
        W::Out::store_block::<L, W::Overflow>(lanes, part, places);
        done += m;
    }
}

/// Stores the results of [`ASKED`] usual places from `from` on, [`BATCH`] at a time.
///
/// # Safety
///
/// As [`Loop::run`] of `from + ASKED` results.
#[inline(always)]
unsafe fn batches<L, W>(lanes: L, operands: W::Operands, from: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Quick,
{
    const APART: usize = ASKED / BATCH;
    let mut i = from;
    while i < from + APART {
        // SAFETY: `i` and the places up to three times `APART` behind it are below `from + ASKED`, for which the caller promises it.
        let values = |k: usize| unsafe { W::values(lanes, operands, i + k * APART) };
        let results = W::batch(lanes, [values(0), values(1), values(2), values(3)]);
        let mut k = 0;
        while k < BATCH {
            let repr = W::Out::store::<L, W::Overflow>(lanes, results[k]);
            // SAFETY: as above.
            unsafe { out.add(i + k * APART).write(repr) };
            k += 1;
        }
        i += 1;
    }
}

/// Stores again the results of the unusual places from `from` on, before `to`.
///
/// # Safety
///
/// As [`Loop::run`] of `to` results.
#[inline(always)]
unsafe fn again<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Quick,
{
    let mut i = from;
    while i < to {
        // SAFETY: `i` is below `to`, for which the caller promises it.
        if !W::usual(unsafe { W::values(lanes, operands, i) }) {
            // SAFETY: as above.
            let reg = unsafe { W::at(lanes, operands, i) };
            let repr = W::Out::store::<L, W::Overflow>(lanes, reg);
            // SAFETY: there is room for `to` results.
            unsafe { out.add(i).write(repr) };
        }
        i += 1;
    }
}

/// The quicker form of `W`, as work.
struct Usual<W>(PhantomData<W>);

impl<W: Quick> Work for Usual<W> {
    type Operands = W::Operands;
    type Out = W::Out;
    type Overflow = W::Overflow;

    #[inline(always)]
    unsafe fn at<L: Lanes>(lanes: L, operands: W::Operands, i: usize) -> Reg<W> {
        // SAFETY: the caller promises the same.
        W::quick(lanes, unsafe { W::values(lanes, operands, i) })
    }
}

/// Integers, one bit of each turned or cleared.
pub(super) struct Signs<T>(PhantomData<T>);

impl<T> Loop for Signs<T>
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T> + Not<Output = T> + 'static,
{
    /// The integers, and what becomes of which bit.
    type Operands = (*const T, SignStep, T);
    type To = T;

    #[inline(always)]
    unsafe fn run<L: Lanes>(_: L, (a, step, sign): Self::Operands, n: usize, out: *mut T) {
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below `n`, for which the caller promises it.
            let a = unsafe { a.add(i).read() };
            let bits = match step {
                SignStep::Turned => a ^ sign,
                SignStep::Cleared => a & !sign,
            };
            // SAFETY: there is room for `n` results.
            unsafe { out.add(i).write(bits) };
            i += 1;
        }
    }
}

/// The first of two elements where the condition holds, else the second: their bits.
pub(super) struct Choose<T>(PhantomData<T>);

impl<T: Element> Loop for Choose<T> {
    type Operands = (*const T::Repr, *const T::Repr, *const u8);
    type To = T::Repr;

    #[inline(always)]
    unsafe fn run<L: Lanes>(_: L, (a, b, condition): Self::Operands, n: usize, out: *mut T::Repr) {
        let mut i = 0;
        while i < n {
            // SAFETY: `i` is below `n`, for which the caller promises it.
            let (a, b) = unsafe { (a.add(i).read(), b.add(i).read()) };
            // SAFETY: as above.
            let condition = unsafe { condition.add(i).read() };
            // Not `if`: LLVM would read one of the two under a branch, and make no vector code of the loop.
            let chosen = core::hint::select_unpredictable(condition != 0, a, b);
            // SAFETY: there is room for `n` results.
            unsafe { out.add(i).write(chosen) };
            i += 1;
        }
    }
}
