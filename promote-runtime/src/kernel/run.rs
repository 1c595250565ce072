//! Running a plan: the fused kernel in one go, the blocked plan and operands that are no aligned slices through blocks on the stack.
//!
//! A block has 4 KiB: three of them stay in L1 beside the data, and cost no stack probe worth counting.

use super::chain::{Chain, Chains};
use super::error::CallError;
use super::handle::{Kernel, Types};
use super::registry::Kernels;
use super::stage::{BLOCK, Block, Order, Overlap, Sink, Source, Stream, room};
use super::{Code, RawKernel, Status, threads};
use crate::DType;

/// Adds the casts of an input: to the common and to the compute dtype, or to the latter at once.
#[inline(always)]
fn add_casts(chain: &mut Chain, kernels: &Kernels, types: Types, i: usize) -> Result<(), CallError> {
    let (code, common, compute) = (types.input(i), types.common(), types.compute());
    let late = match i {
        1 if types.exponent() => {
            let low = low();
            chain.add(kernels, types, code, low)?;
            return chain.add(kernels, types, low, compute);
        }
        0 | 1 => types.late()[i],
        _ if types.chooses() => return Ok(()),
        // What already is of the dtype that the op computes in is not rounded to the common one.
        _ => code == compute,
    };
    if late {
        return chain.add(kernels, types, code, compute);
    }
    chain.add(kernels, types, code, common)?;
    chain.add(kernels, types, common, compute)
}

/// As what an exponent enters.
const fn low() -> Code {
    match Code::of(DType::I32) {
        Some(code) => code,
        None => unreachable!(),
    }
}

/// Whether all casts of a blocked plan are there: of the standard dtypes they are, and of a rule set's own this asks.
#[cold]
pub(super) fn check_casts(kernels: &Kernels, types: Types) -> Result<(), CallError> {
    let mut chains = Chains::EMPTY;
    fill(&mut chains, kernels, types)
}

/// Fills in the casts of a blocked plan.
#[inline(always)]
fn fill(chains: &mut Chains, kernels: &Kernels, types: Types) -> Result<(), CallError> {
    for i in 0..types.inputs() {
        add_casts(&mut chains.inputs[i], kernels, types, i)?;
    }
    let mut computed = types.computed();
    if types.rounds_first() {
        chains.out.add(kernels, types, computed, types.common())?;
        computed = types.common();
    }
    chains.out.add(kernels, types, computed, types.out())?;
    // What an exponent is on its way counts too.
    let between = if types.exponent() { low() } else { types.common() };
    let mut greatest = 1;
    for code in [
        types.first(),
        types.second(),
        types.input(2),
        between,
        types.out(),
        types.common(),
        types.compute(),
        types.computed(),
    ] {
        greatest = core::cmp::max(greatest, kernels.customs().greatest_size(code));
    }
    chains.most = BLOCK / greatest;
    Ok(())
}

/// How a call runs: the function, and what becomes of its `N` inputs before, and of its results after.
pub(super) trait Plan<const N: usize>: Sync {
    /// The fused function, or the op in the dtype in which it computes.
    fn raw(&self) -> RawKernel;

    /// Where the casts of a blocked plan are.
    fn home(&self) -> Option<&'static Kernels>;

    /// Whether some operands are an error of the whole call.
    fn traps(&self) -> bool;

    /// Whether results are cast on their way out, so that all that a block reads is read before any of it is written.
    fn casts_results(&self) -> bool;

    /// How many of the first inputs may be what `out` holds, if they come first.
    fn replaceable(&self) -> usize;

    /// The size of an element of an input in bytes: a power of two from 1 to 16.
    fn size(&self, i: usize) -> usize;

    /// That of a result.
    fn out_size(&self) -> usize;

    /// Calls with the casts of a blocked plan.
    fn with_chains(
        &self,
        home: &Kernels,
        call: impl FnOnce(&Chains) -> Result<(), CallError>,
    ) -> Result<(), CallError>;
}

impl<const N: usize> Plan<N> for Kernel {
    #[inline(always)]
    fn raw(&self) -> RawKernel {
        self.raw
    }

    #[inline(always)]
    fn home(&self) -> Option<&'static Kernels> {
        self.home.filter(|_| self.types.is_blocked())
    }

    #[inline(always)]
    fn traps(&self) -> bool {
        self.types.traps()
    }

    #[inline(always)]
    fn casts_results(&self) -> bool {
        let types = self.types;
        types.is_blocked() && (types.computed() != types.out() || types.rounds_first())
    }

    #[inline(always)]
    fn replaceable(&self) -> usize {
        self.types.replaceable()
    }

    #[inline(always)]
    fn size(&self, i: usize) -> usize {
        self.known().size(self.types.input(i))
    }

    #[inline(always)]
    fn out_size(&self) -> usize {
        self.known().size(self.types.out())
    }

    #[inline(always)]
    fn with_chains(
        &self,
        home: &Kernels,
        call: impl FnOnce(&Chains) -> Result<(), CallError>,
    ) -> Result<(), CallError> {
        let mut chains = Chains::EMPTY;
        fill(&mut chains, home, self.types)?;
        call(&chains)
    }
}

/// The call of a kernel with whatever operands: scalars, slices that are not aligned or overlap `out`, which may be
/// unaligned too; on several threads where that pays.
///
/// An op that may trap looks at all operands before anything is written.
///
/// # Safety
///
/// The sources stand in the order in which the function wants them and have the dtypes of its inputs: slices of `n` elements, or scalars;
/// `out` has room for `n` results; the machine has the kernel's level.
#[inline(never)]
pub(super) unsafe fn run<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    out: *mut u8,
    aligned: bool,
) -> Result<(), CallError> {
    let sizes: [usize; N] = core::array::from_fn(|i| plan.size(i));
    let sink = Sink::new(out, plan.out_size(), !aligned);
    match Overlap::of(n, sources, &sizes, sink) {
        // SAFETY: as the caller promises.
        Overlap::None => unsafe { apart(plan, n, sources, sink) },
        Overlap::Ordered(order) => match replacing(plan, n, sources, &sizes, sink) {
            // SAFETY: as the caller promises; what overlaps is what the function takes for `out`.
            Some(sources) => unsafe { apart(plan, n, &sources, sink) },
            // SAFETY: as the caller promises; in this order nothing is written that is still to be read.
            None => unsafe { in_passes(plan, n, sources, sink.overlapping(true), order) },
        },
        // SAFETY: as the caller promises.
        Overlap::Tangled => unsafe { untangled(plan, n, sources, &sizes, sink) },
    }
}

/// A call whose destination overlaps nothing, or is the first source, which the function takes for it.
///
/// # Safety
///
/// As [`run`], and so.
#[inline(always)]
pub(super) unsafe fn apart<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
) -> Result<(), CallError> {
    let sizes: [usize; N] = core::array::from_fn(|i| plan.size(i));
    let bytes = sizes.iter().sum::<usize>() + plan.out_size();
    for sink in passes(plan.traps(), sink) {
        let part = |from: usize, n: usize| {
            if from == 0 {
                // SAFETY: as the caller promises.
                return unsafe { in_order(plan, n, sources, sink, Order::Forward) };
            }
            let sources: [Source<'_>; N] = core::array::from_fn(|i| sources[i].from(from, sizes[i]));
            // SAFETY: the part lies within what the caller promises.
            unsafe { in_order(plan, n, &sources, sink.from(from), Order::Forward) }
        };
        // SAFETY: parts that do not overlap are written by one thread each, and all else is only read, or written by the thread that reads it.
        unsafe { threads::each_part(n, bytes, plan.home().is_some(), part) }?;
    }
    Ok(())
}

/// The sources, the first of which is the destination, and overlaps no other; `None` if none is that, or the function does not take it so.
fn replacing<'a, P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'a>; N],
    sizes: &[usize; N],
    sink: Sink,
) -> Option<[Source<'a>; N]> {
    let at = (0..plan.replaceable()).find(|&i| sink.is(sources[i]))?;
    let mut sources = *sources;
    sources.swap(0, at);
    // The function has one dtype for all that may be exchanged.
    (Overlap::of(n, &sources[1..], &sizes[1..], sink) == Overlap::None).then_some(sources)
}

/// A call that overlaps in no order: the operands that overlap are copied.
///
/// # Safety
///
/// As [`run`].
#[cfg(feature = "alloc")]
#[cold]
unsafe fn untangled<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    sizes: &[usize; N],
    sink: Sink,
) -> Result<(), CallError> {
    let mut copies: [alloc::vec::Vec<u8>; N] = [const { alloc::vec::Vec::new() }; N];
    let mut sources = *sources;
    for i in 0..N {
        if Overlap::of(n, &sources[i..=i], &sizes[i..=i], sink) != Overlap::None {
            // SAFETY: the caller promises `n` initialised elements there, which nobody writes to while they are copied.
            copies[i] = unsafe { core::slice::from_raw_parts(sources[i].pointer(), n * sizes[i]) }.to_vec();
            sources[i] = Source::Unaligned(copies[i].as_ptr());
        }
    }
    // SAFETY: as the caller promises; what overlapped is copied.
    unsafe { in_passes(plan, n, &sources, sink, Order::Forward) }
}

/// Without an allocator there is no room for copies.
///
/// # Safety
///
/// None.
#[cfg(not(feature = "alloc"))]
#[cold]
unsafe fn untangled<P: Plan<N>, const N: usize>(
    _: &P,
    _: usize,
    _: &[Source<'_>; N],
    _: &[usize; N],
    _: Sink,
) -> Result<(), CallError> {
    Err(CallError::Overlap)
}

/// What a call is done in: an op that may trap looks at every block before it writes to any.
#[inline(always)]
fn passes(traps: bool, sink: Sink) -> impl Iterator<Item = Sink> {
    let looks = traps.then_some(sink.nowhere());
    looks.into_iter().chain(core::iter::once(sink))
}

/// All passes over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`in_order`].
unsafe fn in_passes<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    for sink in passes(plan.traps(), sink) {
        // SAFETY: as the caller promises.
        unsafe { in_order(plan, n, sources, sink, order) }?;
    }
    Ok(())
}

/// One pass over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`run`]; in this order nothing is written that is still to be read, and if anything overlaps, the sink says so, unless it is the first
/// source and the function takes it for that, or lies in the same places and the plan casts its results.
#[inline(always)]
pub(super) unsafe fn in_order<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    match plan.home() {
        Some(home) => plan.with_chains(home, |chains| {
            // SAFETY: as the caller promises.
            unsafe { blocked(plan, chains, n, sources, sink, order) }
        }),
        // SAFETY: as the caller promises.
        None => unsafe { fused(plan, n, sources, sink, order) },
    }
}

/// A fused kernel: in one go where all is aligned, else block by block.
///
/// # Safety
///
/// As [`in_order`].
#[inline(never)]
unsafe fn fused<P: Plan<N>, const N: usize>(
    plan: &P,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    let raw = plan.raw();
    if !sink.copies() && sources.iter().all(|source| matches!(source, Source::Aligned(_))) {
        let pointers: [*const u8; N] = core::array::from_fn(|i| sources[i].pointer());
        // SAFETY: the sources have `n` aligned elements, and the sink room for as many, or is null where the op may trap; as it
        // does not copy, it overlaps none.
        return check(unsafe { raw(n, pointers.as_ptr(), sink.at(0, core::ptr::null_mut())) });
    }
    let (mut blocks, mut results) = ([const { Block::new() }; N], Block::new());
    let results = results.pointer();
    let sizes: [usize; N] = core::array::from_fn(|i| plan.size(i));
    let zeros = sizes
        .iter()
        .chain([&plan.out_size()])
        .fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let most = BLOCK >> zeros;
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let streams: [Stream; N] = core::array::from_fn(|i| {
        // SAFETY: a scalar has the dtype of its operand, whose elements the kernel knows; a block has room for a part of them.
        unsafe { Stream::spread(sources[i], core::cmp::min(n, room(most)), sizes[i], blocks[i]) }
    });
    for (from, m) in order.parts(n, most) {
        // SAFETY: `from + m` is at most `n`, so all inputs have `m` elements there; the blocks have room for a part.
        let inputs: [*const u8; N] = core::array::from_fn(|i| unsafe { streams[i].at(from, m, blocks[i]) });
        // SAFETY: the inputs have `m` elements there, and the sink or the block room for them, or it is null where the op may
        // trap; if the sink does not copy, it overlaps no operand, and blocks on the stack overlap nothing.
        check(unsafe { raw(m, inputs.as_ptr(), sink.at(from, results)) })?;
        // SAFETY: there is room for the results from `from` on; the kernel wrote `m` of them.
        unsafe { sink.put(from, m, results) };
    }
    Ok(())
}

/// The blocked plan: casts into blocks, the op in the compute dtype, a cast out. A condition is not cast.
///
/// # Safety
///
/// As [`in_order`]; `op` computes in the compute dtype, and the chains are those of the plan.
#[inline(never)]
unsafe fn blocked<P: Plan<N>, const N: usize>(
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
    let (narrow, most) = (&chains.out, chains.most);
    let m = core::cmp::min(n, room(most));
    let mut operands = [Operand { stream: Stream::NOTHING, casts: &Chain::EMPTY }; N];
    for i in 0..N {
        // SAFETY: a scalar has the dtype of its operand, whose elements the kernel knows; the blocks have room for `m` elements of each
        // dtype of the plan.
        operands[i] =
            unsafe { Operand::new(sources[i], &chains.inputs[i], plan.size(i), m, blocks[i], spare) }?;
    }
    // A block is read whole before any of it is written. Only an op that reads operands where they lie, and writes there at once, has to be kept
    // from what it overlaps.
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
        // Casts take turns between two blocks, and the last one writes `out`, which has room for its own dtype alone.
        let computed =
            if narrow.len() == 0 || sink.is_nowhere() { out } else { narrow.first_block(results, spare) };
        // SAFETY: the inputs have `m` elements of the compute dtype, and none lies in the spare block any more, nor ever in that of the
        // results; `computed` has room for `m` results, or is null where the op may trap.
        check(unsafe { op(m, inputs.as_ptr(), computed) })?;
        if sink.is_nowhere() {
            continue;
        }
        if narrow.len() > 0 {
            // SAFETY: `computed` has `m` elements of the computed dtype, and is the first block of the two, which have room for `m` of each dtype on
            // the way; `out` has room for `m` results, is the block of the results or overlaps none of them.
            unsafe { narrow.run(m, computed.cast_const(), spare, results, out) }?;
        }
        // SAFETY: there is room for the results from `from` on; `m` of them are written to where the sink said.
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
    /// A scalar's elements have `size` bytes: 1, 2, 4, 8 or 16. The blocks have room for `n` elements of each dtype on the way, and
    /// `own` is kept for this operand. The machine has the level of the plan.
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
        // SAFETY: the caller promises the size and room for `n` elements; blocks are aligned to more than 16 bytes.
        let stream = unsafe { Stream::spread(source, n, size, first) };
        if !matches!(source, Source::Scalar(_)) {
            return Ok(Operand { stream, casts });
        }
        // SAFETY: the first block has `n` elements of the operand's dtype, and both have room for all on the way.
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
    /// There are `m` elements from `from` on, and the blocks have room for them; the machine has the level of the plan.
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
        // SAFETY: the source has `m` elements of the cast's source, in memory that no block overlaps; there is room for the results.
        check(unsafe { cast(m, [source].as_ptr(), own) })?;
        Ok(own)
    }

    /// As [`Operand::next`], copied to a block first, or with several casts. Apart, since the loop is as long as a short block is.
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
        // SAFETY: as the caller promises; the block holds nothing at this time, unless it is the stream's own, which is
        // aligned.
        let source = unsafe { self.stream.at(from, m, first) };
        // SAFETY: the source has `m` elements, in memory that no block overlaps or in the first one; there is room for them.
        unsafe { self.casts.run(m, source, spare, own, own) }
    }
}

#[inline]
pub(super) fn check(status: Status) -> Result<(), CallError> {
    match status {
        Status::Done => Ok(()),
        Status::DivisionByZero => Err(CallError::DivisionByZero),
        Status::NegativeExponent => Err(CallError::NegativeExponent),
        Status::Probability => Err(CallError::Probability),
    }
}
