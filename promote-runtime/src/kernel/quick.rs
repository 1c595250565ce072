//! The loop of work that has a quicker form for usual operands: blocks of operands are asked first.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::RawKernel;
use super::loops::{Loop, Reads, Reg, Repr, Work, one_form, part};
use super::pointers::Pointers;
use super::target::Target;
use crate::element::Element;
use crate::level::Lanes;
use crate::memory::prefetch::prefetch;
use crate::ops::BATCH;

/// How many operands are asked at once whether all of them are usual.
pub(super) const ASKED: usize = 512;

/// From how many bytes of results on what is read and written is taken to be in memory, and not in a cache.
const FAR: usize = 1 << 22;

/// After how many results the next part of the block behind is fetched: of all of it at once the processor
/// keeps no more than two dozen lines in mind, and waits for the rest.
const STRIP: usize = 64;

/// Work with a quicker form for usual operands.
pub(super) trait Quick: Work {
    /// The operands of one place, converted.
    type Values: Copy;
    /// Whether unusual operands are so rare, or cost so much, that each is computed by itself.
    const RARE: bool;
    /// Whether [`Quick::batch`] is faster than [`Quick::quick`] of each.
    const BATCHES: bool;
    /// Whether [`Quick::known`] gives anything.
    const KNOWN: bool = false;

    /// The operands at place `i`.
    ///
    /// # Safety
    ///
    /// As [`Work::at`].
    unsafe fn values<L: Lanes>(lanes: L, operands: Self::Operands, i: usize) -> Self::Values;

    /// The inputs from place `i` on.
    fn behind(inputs: Pointers, i: usize) -> Pointers;

    /// Whether [`Quick::quick`] gives the same as [`Work::at`].
    fn in_fast_domain(values: Self::Values) -> bool;

    /// The result, where the operands are usual.
    fn fast_path<L: Lanes>(lanes: L, values: Self::Values) -> Reg<Self>;

    /// The result, where it needs no computing though the operands are not usual; `None` elsewhere.
    #[inline(always)]
    fn known(_values: Self::Values) -> Option<Reg<Self>> {
        None
    }

    /// Tells the processor that the operands of the places from `from` on, before `to`, are read next. They
    /// need not be there.
    fn hint(operands: Self::Operands, from: usize, to: usize);

    /// As [`Quick::quick`] of each, step by step for all of them.
    fn batch<L: Lanes>(lanes: L, values: [Self::Values; BATCH]) -> [Reg<Self>; BATCH];
}

/// `W` by its quicker form wherever a whole block of operands is usual; where unusual ones are rare,
/// everywhere, and these again.
///
/// Operands that say their result are no reason for another form: where nothing else is unusual in a block,
/// these results are put in their places afterwards. Whole blocks go in batches where that is faster. The
/// scalar level of x86-64 has the one form for all operands.
pub(super) struct Asked<W>(PhantomData<W>);

impl<W: Quick> Loop for Asked<W> {
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Repr<W>>]) {
        // SAFETY: as the caller promises.
        let operands = unsafe { W::operands(inputs) };
        let (n, out) = (out.len(), out.as_mut_ptr().cast::<Repr<W>>());
        if const { one_form::<L>() } {
            // SAFETY: as the caller promises.
            return unsafe { part::<L, W>(lanes, operands, 0, n, out) };
        }
        let far = n >= FAR / size_of::<Repr<W>>();
        let strips = if far { 1 } else { ASKED / STRIP };
        let mut done = 0;
        while done < n {
            let to = if n - done < ASKED { n } else { done + ASKED };
            let mut all = true;
            let mut i = done;
            while i < to {
                // SAFETY: `i` is below `n`, for which the caller promises it.
                all &= W::in_fast_domain(unsafe { W::values(lanes, operands, i) });
                i += 1;
            }
            // SAFETY: `to` is at most `n`, for which the caller promises it.
            let patched =
                const { W::KNOWN } && !all && unsafe { rest_is_known::<L, W>(lanes, operands, done, to) };
            let fast = all || patched || W::RARE;
            // Without fused multiply-adds a step is a call, and nothing stands side by side.
            let batched =
                const { W::BATCHES && L::FMA && !W::Out::STORE_IN_BLOCKS } && to - done == ASKED && fast;
            let mut strip = 0;
            while strip * STRIP < to - done {
                let first = done + strip * STRIP;
                let end = if to - first < strips * STRIP { to } else { first + strips * STRIP };
                if far {
                    W::hint(operands, first + ASKED, end + ASKED);
                    hint(out.cast_const(), first + ASKED, end + ASKED);
                }
                if batched {
                    // SAFETY: there are `ASKED` places from `done` on, and no strip behind them.
                    unsafe { batches::<L, W>(lanes, operands, done, strip, strips, out) };
                } else if fast {
                    // SAFETY: `end` is at most `n`, for which the caller promises it.
                    unsafe { part::<L, Usual<W>>(lanes, operands, first, end, out) };
                } else {
                    // SAFETY: as above.
                    unsafe { part::<L, W>(lanes, operands, first, end, out) };
                }
                strip += strips;
            }
            if const { W::KNOWN } && patched {
                // SAFETY: as above.
                unsafe { put_known::<L, W>(lanes, operands, done, to, out) };
            }
            if W::RARE && !all {
                // By its address: LLVM would compile the known function once more in here.
                let again: RawKernel = core::hint::black_box(<L::Lanewise as Target>::enter::<Again<W>>);
                let inputs = W::behind(inputs, done);
                // SAFETY: as above, of the places from `done` on; a machine with the level of `L` has that of
                // `L::Lanewise`.
                unsafe {
                    again(to - done, inputs.first(), inputs.second(), core::ptr::null(), out.add(done).cast())
                };
            }
            done = to;
        }
    }
}

/// Whether what is not usual from place `from` on, before `to`, says its result.
///
/// # Safety
///
/// Each pointer of `operands` points to `to` elements of what the work reads there, aligned and initialised.
#[inline(always)]
unsafe fn rest_is_known<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize) -> bool
where
    L: Lanes,
    W: Quick,
{
    let mut all = true;
    let mut i = from;
    while i < to {
        // SAFETY: `i` is below `to`, for which the caller promises it.
        let values = unsafe { W::values(lanes, operands, i) };
        all &= W::in_fast_domain(values) | W::known(values).is_some();
        i += 1;
    }
    all
}

/// Stores the results of the places from `from` on, before `to`, whose operands say them.
///
/// # Safety
///
/// As [`part`].
#[inline(always)]
unsafe fn put_known<L, W>(lanes: L, operands: W::Operands, from: usize, to: usize, out: *mut Repr<W>)
where
    L: Lanes,
    W: Quick,
{
    let mut i = from;
    while i < to {
        // SAFETY: `i` is below `to`, for which the caller promises it.
        if let Some(reg) = W::known(unsafe { W::values(lanes, operands, i) }) {
            let repr = W::Out::store::<L::Shared, W::Overflow>(lanes.shared(), reg);
            // SAFETY: there is room for `to` results.
            unsafe { out.add(i).write(repr) };
        }
        i += 1;
    }
}

/// Tells the processor that the places from `from` on, before `to`, come next, which it does not see while a
/// block is computed.
#[inline(always)]
pub(super) fn hint<T>(first: *const T, from: usize, to: usize) {
    prefetch(first.wrapping_add(from), (to - from) * size_of::<T>());
}

/// Stores the results of `strips` strips, from `strip` on, of a block of [`ASKED`] usual places, [`BATCH`] at
/// a time: a strip has as many places in each quarter of the block.
///
/// # Safety
///
/// As [`part`], with `block` for `from` and `block + ASKED` for `to`; `strip + strips` is at most
/// `ASKED / STRIP`.
#[inline(always)]
unsafe fn batches<L, W>(
    lanes: L,
    operands: W::Operands,
    block: usize,
    strip: usize,
    strips: usize,
    out: *mut Repr<W>,
) where
    L: Lanes,
    W: Quick,
{
    const APART: usize = ASKED / BATCH;
    const EACH: usize = STRIP / BATCH;
    let mut i = block + strip * EACH;
    // A product, so that LLVM knows that whole vectors are left.
    let end = i + strips * EACH;
    while i < end {
        // SAFETY: `i` is in the first quarter, and the places up to three times `APART` behind it are below
        // `block + ASKED`, for which the caller promises it.
        let values = |k: usize| unsafe { W::values(lanes, operands, i + k * APART) };
        let results = W::batch(lanes, [values(0), values(1), values(2), values(3)]);
        let mut k = 0;
        while k < BATCH {
            let repr = W::Out::store::<L::Shared, W::Overflow>(lanes.shared(), results[k]);
            // SAFETY: as above.
            unsafe { out.add(i + k * APART).write(repr) };
            k += 1;
        }
        i += 1;
    }
}

/// `W` in the places of unusual operands alone, lane by lane.
struct Again<W>(PhantomData<W>);

impl<W: Quick> Loop for Again<W> {
    type To = Repr<W>;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<Repr<W>>]) {
        // SAFETY: as the caller promises.
        let operands = unsafe { W::operands(inputs) };
        let mut i = 0;
        while i < out.len() {
            // SAFETY: `i` is below the length of `out`, for which the caller promises it.
            if !W::in_fast_domain(unsafe { W::values(lanes, operands, i) }) {
                // SAFETY: as above.
                let reg = unsafe { W::at(lanes, operands, i) };
                let repr = W::Out::store::<L::Shared, W::Overflow>(lanes.shared(), reg);
                // SAFETY: as above.
                unsafe { out.get_unchecked_mut(i) }.write(repr);
            }
            i += 1;
        }
    }
}

/// The quicker form of `W`, as work.
struct Usual<W>(PhantomData<W>);

impl<W: Reads> Reads for Usual<W> {
    type Operands = W::Operands;

    #[inline(always)]
    unsafe fn operands(inputs: Pointers) -> W::Operands {
        // SAFETY: as the caller promises.
        unsafe { W::operands(inputs) }
    }
}

impl<W: Quick> Work for Usual<W> {
    type Out = W::Out;
    type Overflow = W::Overflow;

    #[inline(always)]
    unsafe fn at<L: Lanes>(lanes: L, operands: W::Operands, i: usize) -> Reg<W> {
        // SAFETY: the caller promises the same.
        W::fast_path(lanes, unsafe { W::values(lanes, operands, i) })
    }
}
