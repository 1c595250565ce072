//! The loop of an op with a fast path, which checks each block of operands before or while it computes.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::RawKernel;
use super::map::{Inputs, Map};
use crate::element::Element;
use crate::level::Lanes;
use crate::level::doors::Loop;
use crate::level::doors::Target;
use crate::level::function::Pointers;
use crate::memory::machine::Machine;
use crate::memory::prefetch::prefetch;
use crate::ops::{BATCH, ComputeForm, FastPath, LANES, LaneValue, OpLane};

/// The number of elements in a block whose operands are checked together.
pub(super) const CHECKED: usize = 512;

/// The number of bytes of results from which operands and results are assumed to be in memory, not in a
/// cache.
const MIN_BYTES: usize = 1 << 20;

/// The number of bytes of results in registers after which the next part of the following block is
/// prefetched. A processor can wait for about two dozen cache lines at a time, so it would stall if a whole
/// block were prefetched at once.
const STRIP_BYTES: usize = 512;

/// A `Map` that takes the fast path for each block of operands that is in its domain. If other operands are
/// rare, it takes the fast path for all blocks, and then recomputes these operands.
///
/// Trivial operands do not require the general form: if all other operands of a block are in the domain, the
/// results of the trivial ones are stored afterwards. Whole blocks are computed in batches if that is faster.
/// The scalar level of x86-64 has only the general form. Some fast paths are only for processors with slow
/// roots.
pub(super) struct ByFastPath<M>(PhantomData<M>);

impl<K, I, F, O> Loop for ByFastPath<Map<K, I, F, O>>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    type To = O::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
        // SAFETY: as the caller promises.
        let at = unsafe { I::at(inputs) };
        let (n, out) = (out.len(), out.as_mut_ptr().cast::<O::Repr>());
        // Few x86-64 machines have only the scalar level.
        let scalar = const { cfg!(target_arch = "x86_64") && !L::FMA };
        if scalar || const { K::FAST_PATH.for_slow_roots } && !Machine::found().slow_roots {
            // SAFETY: as the caller promises.
            return unsafe { Map::<K, I, F, O>::part::<false, L>(lanes, at, 0, n, out) };
        }
        let far = n >= MIN_BYTES / size_of::<O::Repr>();
        // Only rows are also stored in blocks.
        if const { K::FAST_PATH.checked_after && L::FMA && (K::FAST_PATH.tables || !O::STORE_IN_BLOCKS) } {
            // SAFETY: as the caller promises.
            return unsafe { Map::<K, I, F, O>::checked_after(lanes, inputs, n, far, out) };
        }
        let strip_len = const { Map::<K, I, F, O>::STRIP };
        let strips = if far { 1 } else { CHECKED / strip_len };
        let mut done = 0;
        while done < n {
            let to = if n - done < CHECKED { n } else { done + CHECKED };
            let mut all = true;
            let mut i = done;
            while i < to {
                // SAFETY: `i` is below `n`, for which the caller promises it.
                all &= K::in_fast_domain(I::args(lanes.shared(), unsafe { I::reprs(at, i) }));
                i += 1;
            }
            // SAFETY: `to` is at most `n`, for which the caller promises it.
            let patched = const { K::FAST_PATH.trivial_results }
                && !all
                && unsafe { Map::<K, I, F, O>::rest_is_trivial(lanes, at, done, to) };
            let fast = all || patched || K::FAST_PATH.slow_lanes;
            // Without fused multiply-adds a step is a call, so batches gain nothing.
            let batched = const { K::FAST_PATH.batches && L::FMA && !O::STORE_IN_BLOCKS }
                && to - done == CHECKED
                && fast;
            let mut strip = 0;
            while strip * strip_len < to - done {
                let first = done + strip * strip_len;
                let end = if to - first < strips * strip_len { to } else { first + strips * strip_len };
                if far {
                    I::prefetch(at, first + CHECKED, end + CHECKED);
                    prefetch(out.wrapping_add(first + CHECKED), (end - first) * size_of::<O::Repr>());
                }
                if batched {
                    // SAFETY: there are `CHECKED` elements from `done` on, and no strip after them.
                    unsafe { Map::<K, I, F, O>::batches(lanes, at, done, strip, strips, out) };
                } else if fast {
                    // SAFETY: `end` is at most `n`, for which the caller promises it.
                    unsafe { Map::<K, I, F, O>::part::<true, L>(lanes, at, first, end, out) };
                } else {
                    // SAFETY: as above.
                    unsafe { Map::<K, I, F, O>::part::<false, L>(lanes, at, first, end, out) };
                }
                strip += strips;
            }
            if const { K::FAST_PATH.trivial_results } && patched {
                // SAFETY: as above.
                unsafe { Map::<K, I, F, O>::put_trivial(lanes, at, done, to, out) };
            }
            if K::FAST_PATH.slow_lanes && !all {
                // SAFETY: as the caller promises, for the indices from `done` on.
                unsafe { Map::<K, I, F, O>::slow_lanes::<L>(inputs, done, to, out) };
            }
            done = to;
        }
    }
}

impl<K, I, F, O> Map<K, I, F, O>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    /// The number of results in [`STRIP_BYTES`].
    const STRIP: usize = {
        let strip = STRIP_BYTES / size_of::<O::Reg>();
        assert!(CHECKED.is_multiple_of(strip) && strip.is_multiple_of(LANES) && strip.is_multiple_of(BATCH));
        strip
    };

    /// Returns true if all operands at the indices `from..to` that are outside the fast path are trivial.
    ///
    /// # Safety
    ///
    /// As [`Inputs::reprs`] for each of these indices.
    #[inline(always)]
    unsafe fn rest_is_trivial<L: Lanes>(lanes: L, at: I::At, from: usize, to: usize) -> bool {
        let mut all = true;
        let mut i = from;
        while i < to {
            // SAFETY: `i` is below `to`, for which the caller promises it.
            let args = I::args(lanes.shared(), unsafe { I::reprs(at, i) });
            all &= K::in_fast_domain(args) | K::trivial_result(args).is_some();
            i += 1;
        }
        all
    }

    /// Stores the results of trivial operands at the indices `from..to`.
    ///
    /// # Safety
    ///
    /// As [`Map::part`].
    #[inline(always)]
    unsafe fn put_trivial<L: Lanes>(lanes: L, at: I::At, from: usize, to: usize, out: *mut O::Repr) {
        let mut i = from;
        while i < to {
            // SAFETY: `i` is below `to`, for which the caller promises it.
            let args = I::args(lanes.shared(), unsafe { I::reprs(at, i) });
            if let Some(found) = K::trivial_result(args) {
                let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), found.reg());
                // SAFETY: there is room for `to` results.
                unsafe { out.add(i).write(repr) };
            }
            i += 1;
        }
    }

    /// Recomputes, lane by lane, the elements outside the fast path.
    ///
    /// # Safety
    ///
    /// As [`Loop::fill`] for the indices `from..to`.
    #[inline(always)]
    unsafe fn slow_lanes<L: Target>(inputs: Pointers, from: usize, to: usize, out: *mut O::Repr) {
        // Called by its address: LLVM would otherwise inline a second copy of the function here.
        let slow: RawKernel =
            core::hint::black_box(<L::Lanewise as Target>::enter::<SlowLanes<Map<K, I, F, O>>>);
        let inputs = I::skip(inputs, from);
        // SAFETY: as the caller promises; a machine with the level of `L` has that of `L::Lanewise`.
        unsafe { slow(to - from, inputs.first(), inputs.second(), core::ptr::null(), out.add(from).cast()) };
    }

    /// Fills `out` block by block. Each block is computed by the fast path, and computed again if the fast
    /// path is not right for all of its elements. To check all elements before would cost up to a fifth of
    /// the time.
    ///
    /// # Safety
    ///
    /// As [`Loop::fill`]. `out` overlaps no input, since a block may be read again after its results are
    /// stored.
    #[inline(always)]
    unsafe fn checked_after<L: Target>(lanes: L, inputs: Pointers, n: usize, far: bool, out: *mut O::Repr) {
        const {
            let FastPath { checked_after, trivial_results, batches, .. } = K::FAST_PATH;
            assert!(!checked_after || !trivial_results && !batches, "a fast path that is checked before");
        };
        // SAFETY: as the caller promises.
        let at = unsafe { I::at(inputs) };
        let strip = if far { Self::STRIP } else { CHECKED };
        let mut done = 0;
        while done < n {
            let to = if n - done < CHECKED { n } else { done + CHECKED };
            let (mut first, mut all_fast) = (done, true);
            while first < to {
                let end = if to - first < strip { to } else { first + strip };
                if far {
                    I::prefetch(at, first + CHECKED, end + CHECKED);
                    prefetch(out.wrapping_add(first + CHECKED), (end - first) * size_of::<O::Repr>());
                }
                all_fast &= if const { K::FAST_PATH.tables } {
                    // SAFETY: `end` is at most `n`, for which the caller promises it.
                    unsafe { Self::rows(lanes, at, first, end, true, out) }
                } else {
                    // SAFETY: as above.
                    unsafe { Self::checked_part(lanes, at, first, end, out) }
                };
                first = end;
            }
            if !all_fast && K::FAST_PATH.slow_lanes {
                // SAFETY: as the caller promises.
                unsafe { Self::slow_lanes::<L>(inputs, done, to, out) };
            } else if !all_fast && const { K::FAST_PATH.tables } {
                // SAFETY: as above.
                unsafe { Self::rows(lanes, at, done, to, false, out) };
            } else if !all_fast {
                // SAFETY: as above.
                unsafe { Self::part::<false, L>(lanes, at, done, to, out) };
            }
            done = to;
        }
    }

    /// Stores the results of the fast path at the indices `from..to`. Returns false if it is not right for
    /// all of these elements.
    ///
    /// # Safety
    ///
    /// As [`Map::part`].
    #[inline(always)]
    unsafe fn checked_part<L: Lanes>(lanes: L, at: I::At, from: usize, to: usize, out: *mut O::Repr) -> bool {
        let (mut i, mut all_fast) = (from, true);
        while i < to {
            // SAFETY: `i` is below `to`, for which the caller promises it.
            let args = I::args(lanes.shared(), unsafe { I::reprs(at, i) });
            all_fast &= K::in_fast_domain(args);
            let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), K::fast(lanes, args).reg());
            // SAFETY: there is room for `to` results.
            unsafe { out.add(i).write(repr) };
            i += 1;
        }
        all_fast
    }

    /// Stores the results at the indices `from..to`, by the fast path for whole rows if `fast` is true.
    /// Returns false if the fast path is not right for all of these elements.
    ///
    /// # Safety
    ///
    /// As [`Map::part`].
    #[inline(always)]
    unsafe fn rows<L: Lanes>(
        lanes: L,
        at: I::At,
        from: usize,
        to: usize,
        fast: bool,
        out: *mut O::Repr,
    ) -> bool {
        // SAFETY: for indices below `to`, the caller promises it.
        let args = |i: usize| I::args(lanes.shared(), unsafe { I::reprs(at, i) });
        let (mut i, mut all_fast) = (from, true);
        while fast && to - i >= LANES {
            let (results, all) = K::row::<true, L>(lanes, |k| args(i + k));
            all_fast &= all;
            // SAFETY: as many results are left of those for which there is room, and `out` overlaps no input.
            unsafe { Self::put_row(lanes, results, LANES, out.add(i)) };
            i += LANES;
        }
        while i < to {
            let m = if to - i < LANES { to - i } else { LANES };
            let (results, all) = K::row::<false, L>(lanes, |k| args(if k < m { i + k } else { i }));
            all_fast &= all;
            // SAFETY: as above.
            unsafe { Self::put_row(lanes, results, m, out.add(i)) };
            i += m;
        }
        all_fast
    }

    /// Stores the first `m` results of a row.
    ///
    /// # Safety
    ///
    /// `m` is at most [`LANES`], and there is room for as many results at `out`, to which nothing else
    /// refers.
    #[inline(always)]
    unsafe fn put_row<L: Lanes>(lanes: L, results: [K::Out; LANES], m: usize, out: *mut O::Repr) {
        if const { O::STORE_IN_BLOCKS } {
            let regs = core::array::from_fn::<_, LANES, _>(
                #[inline(always)]
                |k| results[k].reg(),
            );
            // SAFETY: as the caller promises.
            let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<MaybeUninit<O::Repr>>(), m) };
            return O::store_block::<L, F::Overflow>(lanes, &regs[..m], out);
        }
        let mut k = 0;
        while k < m {
            let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), results[k].reg());
            // SAFETY: as the caller promises.
            unsafe { out.add(k).write(repr) };
            k += 1;
        }
    }

    /// Stores the results of `strips` strips, from `strip` on, of a block of [`CHECKED`] elements in the
    /// domain of the fast path, [`BATCH`] at a time. A strip has equally many elements in each quarter of the
    /// block.
    ///
    /// # Safety
    ///
    /// As [`Map::part`], with `block` for `from` and `block + CHECKED` for `to`; `strip + strips` is at most
    /// `CHECKED / Map::STRIP`.
    #[inline(always)]
    unsafe fn batches<L: Lanes>(
        lanes: L,
        at: I::At,
        block: usize,
        strip: usize,
        strips: usize,
        out: *mut O::Repr,
    ) {
        const APART: usize = CHECKED / BATCH;
        let each = const { Self::STRIP / BATCH };
        let mut i = block + strip * each;
        // The bound is a product, so that LLVM knows that whole vectors are left.
        let end = i + strips * each;
        while i < end {
            // SAFETY: `i` is in the first quarter, and the indices up to three times `APART` above it are
            // below `block + CHECKED`, for which the caller promises it.
            let args = |k: usize| I::args(lanes.shared(), unsafe { I::reprs(at, i + k * APART) });
            let results = K::fast_batch(lanes, [args(0), args(1), args(2), args(3)]);
            let mut k = 0;
            while k < BATCH {
                let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), results[k].reg());
                // SAFETY: as above.
                unsafe { out.add(i + k * APART).write(repr) };
                k += 1;
            }
            i += 1;
        }
    }
}

/// A `Map` that computes only the operands outside the fast path, lane by lane.
struct SlowLanes<M>(PhantomData<M>);

impl<K, I, F, O> Loop for SlowLanes<Map<K, I, F, O>>
where
    F: ComputeForm,
    I: Inputs<F>,
    K: OpLane<F::Lane, I::Args, Out: LaneValue<Reg = O::Reg>>,
    O: Element,
{
    type To = O::Repr;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<O::Repr>]) {
        // SAFETY: as the caller promises.
        let at = unsafe { I::at(inputs) };
        let mut i = 0;
        while i < out.len() {
            // SAFETY: `i` is below the length of `out`, for which the caller promises it.
            let args = I::args(lanes.shared(), unsafe { I::reprs(at, i) });
            if !K::in_fast_domain(args) {
                let repr = O::store::<L::Shared, F::Overflow>(lanes.shared(), K::apply(lanes, args).reg());
                // SAFETY: as above.
                unsafe { out.get_unchecked_mut(i) }.write(repr);
            }
            i += 1;
        }
    }
}
