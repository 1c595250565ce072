//! The plan in blocks: casts, the op in the dtype in which it computes, casts.

use super::{Plan, check};
use crate::error::call::CallError;
use crate::kernel::chain::{Chain, Chains};
use crate::kernel::quick::ASKED;
use crate::kernel::stage::{Block, Order, Sink, Source, Stream, room};

/// The blocked plan: casts into blocks, the op in the compute dtype, a cast out. A condition is not cast.
///
/// # Safety
///
/// As [`in_order`]; `op` computes in the compute dtype, and the chains are those of the plan.
#[inline(never)]
pub(in crate::kernel) unsafe fn blocked<P: Plan<N>, const N: usize>(
    plan: &P,
    chains: &Chains,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    let op = plan.raw();
    let (mut blocks, mut spare, mut results) = ([const { Block::new() }; N], Block::new(), Block::new());
    let (spare, results) = (spare.pointer(), results.pointer());
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let narrow = &chains.out;
    // From beyond the caches less at a time, so that the other operands do not wait; but what the quicker
    // form of an op asks for at once.
    let most = if sink.is_beyond_caches() { core::cmp::min(chains.most, ASKED) } else { chains.most };
    let m = core::cmp::min(n, room(most));
    let mut operands = [Operand { stream: Stream::NOTHING, casts: &Chain::EMPTY }; N];
    for i in 0..N {
        // SAFETY: a scalar has the dtype of its operand, whose elements the kernel knows; the blocks have
        // room for `m` elements of each dtype of the plan.
        operands[i] =
            unsafe { Operand::new(sources[i], &chains.inputs[i], plan.size(i), m, blocks[i], spare) }?;
    }
    // A block is read whole before any of it is written. Only an op that reads operands where they lie, and
    // writes there at once, has to be kept from what it overlaps.
    let sink = if narrow.len() > 0 || operands.iter().all(Operand::is_moved) {
        sink.overlapping(false)
    } else {
        sink
    };
    for (from, m) in order.parts(n, most) {
        let mut inputs = [core::ptr::null(); N];
        for i in 0..N {
            // SAFETY: `from + m` is at most `n`, and the blocks have room for `m` elements.
            inputs[i] = unsafe { operands[i].next(from, m, blocks[i], spare) }?;
        }
        let out = sink.at(from, results);
        // Casts take turns between two blocks, and the last one writes `out`, which has room for its own
        // dtype alone.
        let computed =
            if narrow.len() == 0 || sink.is_nowhere() { out } else { narrow.first_block(results, spare) };
        // SAFETY: the inputs have `m` elements of the compute dtype, and none lies in the spare block any
        // more, nor ever in that of the results; `computed` has room for `m` results, or is null where the op
        // may trap.
        check(unsafe { op.call(m, &inputs, computed) })?;
        if sink.is_nowhere() {
            continue;
        }
        if narrow.len() > 0 {
            // SAFETY: `computed` has `m` elements of the computed dtype, and is the first block of the two,
            // which have room for `m` of each dtype on the way; `out` has room for `m` results, is the block
            // of the results or overlaps none of them.
            unsafe { narrow.run(m, computed.cast_const(), spare, results, out) }?;
        }
        // SAFETY: there is room for the results from `from` on; `m` of them are written to where the sink
        // said.
        unsafe { sink.put(from, m, results) };
    }
    Ok(())
}

/// An operand of a blocked plan: what is read, and the casts that are still to be made.
#[derive(Clone, Copy)]
struct Operand<'a> {
    stream: Stream,
    casts: &'a Chain,
}

impl<'a> Operand<'a> {
    /// A scalar is spread and cast here, once for all blocks.
    ///
    /// # Safety
    ///
    /// A scalar's elements have `size` bytes: 1, 2, 4, 8 or 16. The blocks have room for `n` elements of each
    /// dtype on the way, and `own` is kept for this operand. The machine has the level of the plan.
    #[inline(always)]
    unsafe fn new(
        source: Source<'_>,
        casts: &'a Chain,
        size: usize,
        n: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<Operand<'a>, CallError> {
        let first = casts.first_block(own, spare);
        // SAFETY: the caller promises the size and room for `n` elements; blocks are aligned to more than 16
        // bytes.
        let stream = unsafe { Stream::spread(source, n, size, first) };
        if !matches!(source, Source::Scalar(_)) {
            return Ok(Operand { stream, casts });
        }
        // SAFETY: the first block has `n` elements of the operand's dtype, and both have room for all on the
        // way.
        let found = unsafe { casts.run(n, first, spare, own, own) }?;
        Ok(Operand { stream: Stream::same(found), casts: &Chain::EMPTY })
    }

    /// Whether its elements lie in a block when the op reads them.
    #[inline(always)]
    fn is_moved(&self) -> bool {
        self.casts.len() > 0 || self.stream.is_moved()
    }

    /// The elements from `from` on, cast: where they lie, or in `own`.
    ///
    /// # Safety
    ///
    /// There are `m` elements from `from` on, and the blocks have room for them; the machine has the level of
    /// the plan.
    #[inline(always)]
    unsafe fn next(
        &self,
        from: usize,
        m: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<*const u8, CallError> {
        let Some(source) = self.stream.aligned_at(from).filter(|_| self.casts.len() < 2) else {
            // SAFETY: as the caller promises.
            return unsafe { self.next_by_way(from, m, own, spare) };
        };
        let Some(cast) = self.casts.first() else { return Ok(source) };
        // SAFETY: the source has `m` elements of the cast's source, in memory that no block overlaps; there
        // is room for the results.
        check(unsafe { cast.call(m, &[source], own) })?;
        Ok(own)
    }

    /// As [`Operand::next`], copied to a block first, or with several casts. Apart, since the loop is as long
    /// as a short block is.
    ///
    /// # Safety
    ///
    /// As [`Operand::next`].
    #[inline(never)]
    unsafe fn next_by_way(
        &self,
        from: usize,
        m: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<*const u8, CallError> {
        let first = self.casts.first_block(own, spare);
        // SAFETY: as the caller promises; the block holds nothing at this time, unless it is the stream's
        // own, which is aligned.
        let source = unsafe { self.stream.at(from, m, first) };
        // SAFETY: the source has `m` elements, in memory that no block overlaps or in the first one; there is
        // room for them.
        unsafe { self.casts.run(m, source, spare, own, own) }
    }
}
