//! Runs of kernels: loops in one go, pipelines and operands that are no aligned slices through blocks on the
//! stack.

use super::Status;
use super::fused::{Fused, with_one};
use super::handle::Kernel;
use super::loops::SPREAD;
use super::pipeline::{self, PipelineCasts};
use super::pointers::invoke;
use super::stage::{BLOCK, Block, Order, Overlap, Sink, Source, Stream, room};
use crate::error::call::CallError;
use crate::memory::non_temporal::WorkingSet;
use crate::memory::{non_temporal, threads};

/// The call of a kernel with whatever operands: scalars, slices that are not aligned or overlap `out`, which
/// may be unaligned too; on several threads where that pays.
///
/// An op that may trap looks at all operands before anything is written.
///
/// # Safety
///
/// The sources stand in the order in which the function wants them and have the dtypes of its inputs: slices
/// of `n` elements, or scalars; `out` has room for `n` results; the machine has the kernel's level.
#[inline(never)]
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    out: *mut u8,
    aligned: bool,
) -> Result<(), CallError> {
    let (sizes, sink) = (kernel.sizes(), destination(kernel, n, sources, out, aligned));
    match Overlap::of(n, sources, &sizes, sink) {
        // SAFETY: as the caller promises.
        Overlap::None => unsafe { apart(kernel, n, sources, sink) },
        Overlap::Ordered(order) => match replacing(kernel, n, sources, &sizes, sink) {
            // SAFETY: as the caller promises; what overlaps is what the function takes for `out`.
            Some(sources) => unsafe { apart(kernel, n, &sources, sink) },
            // SAFETY: as the caller promises; in this order nothing is written that is still to be read.
            None => unsafe { in_passes(kernel, n, sources, sink.overlapping(true), order) },
        },
        // SAFETY: as the caller promises.
        Overlap::Tangled => unsafe { untangled(kernel, n, sources, &sizes, sink) },
    }
}

/// Where a call of `n` elements has its results.
#[inline(always)]
pub(super) fn destination<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    out: *mut u8,
    aligned: bool,
) -> Sink {
    let sink = Sink::new(out, kernel.out_size(), !aligned);
    let bytes = || {
        let read = |source: &Source<'_>| !matches!(source, Source::Scalar(_)) && !sink.is(*source);
        let sizes = sources.iter().zip(kernel.sizes::<N>()).filter(|(source, _)| read(source));
        n.saturating_mul(sizes.map(|(_, size)| size).sum::<usize>() + kernel.out_size())
    };
    sink.beyond_caches(WorkingSet::of(n, bytes) == WorkingSet::Memory)
}

/// A call whose destination overlaps nothing, or is the first source, which the function takes for it.
///
/// # Safety
///
/// As [`run`], and so.
#[inline(always)]
pub(super) unsafe fn apart<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
) -> Result<(), CallError> {
    let sizes = kernel.sizes::<N>();
    let bytes = sizes.iter().sum::<usize>() + kernel.out_size();
    for sink in passes(kernel.signature.traps, sink) {
        let part = |from: usize, n: usize| {
            if from == 0 {
                // SAFETY: as the caller promises.
                return unsafe { in_order(kernel, n, sources, sink, Order::Forward) };
            }
            let sources: [Source<'_>; N] = core::array::from_fn(|i| sources[i].from(from, sizes[i]));
            // SAFETY: the part lies within what the caller promises.
            unsafe { in_order(kernel, n, &sources, sink.from(from), Order::Forward) }
        };
        // SAFETY: parts that do not overlap are written by one thread each, and all else is only read, or
        // written by the thread that reads it.
        unsafe { threads::each_part(n, bytes, kernel.pipeline.is_some(), part) }?;
    }
    Ok(())
}

/// The sources, the first of which is the destination, and overlaps no other; `None` if none is that, or the
/// function does not take it so.
fn replacing<'a, const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'a>; N],
    sizes: &[usize; N],
    sink: Sink,
) -> Option<[Source<'a>; N]> {
    let at = (0..kernel.replaceable()).find(|&i| sink.is(sources[i]))?;
    let mut sources = *sources;
    sources.swap(0, at);
    // The function has one dtype for all that may be exchanged.
    (Overlap::of(n, &sources[1..], &sizes[1..], sink) == Overlap::None).then_some(sources)
}

/// A call in which no order of blocks is safe: copies the operands that overlap `out`, then computes.
///
/// # Errors
/// There is no memory for a copy; nothing is written then.
///
/// # Safety
///
/// As [`run`].
#[cfg(feature = "alloc")]
#[cold]
unsafe fn untangled<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    sizes: &[usize; N],
    sink: Sink,
) -> Result<(), CallError> {
    let mut copies: [alloc::vec::Vec<u8>; N] = [const { alloc::vec::Vec::new() }; N];
    let mut sources = *sources;
    for i in 0..N {
        if Overlap::of(n, &sources[i..=i], &sizes[i..=i], sink) != Overlap::None {
            // SAFETY: the caller promises `n` initialised elements there, which nobody writes to while they
            // are copied.
            let elements = unsafe { core::slice::from_raw_parts(sources[i].pointer(), n * sizes[i]) };
            copies[i] = crate::memory::allocation::copy_of(elements)?;
            sources[i] = Source::Unaligned(copies[i].as_ptr());
        }
    }
    // SAFETY: as the caller promises; what overlapped is copied.
    unsafe { in_passes(kernel, n, &sources, sink, Order::Forward) }
}

/// Without an allocator there is no room for copies.
///
/// # Safety
///
/// None.
#[cfg(not(feature = "alloc"))]
#[cold]
unsafe fn untangled<const N: usize>(
    _: &Kernel,
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
unsafe fn in_passes<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    for sink in passes(kernel.signature.traps, sink) {
        // SAFETY: as the caller promises.
        unsafe { in_order(kernel, n, sources, sink, order) }?;
    }
    Ok(())
}

/// One pass over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`run`]; in this order nothing is written that is still to be read, and if anything overlaps, the sink
/// says so, unless it is the first source and the function takes it for that, or lies in the same places and
/// the kernel casts its results.
#[inline(always)]
pub(super) unsafe fn in_order<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    let Some(pipeline) = &kernel.pipeline else {
        // SAFETY: as the caller promises.
        return unsafe { fused(kernel, n, sources, sink, order) };
    };
    let mut casts = PipelineCasts::new();
    kernel.fill_casts(pipeline, &mut casts)?;
    // SAFETY: as the caller promises.
    unsafe { pipeline::run(kernel, &casts, n, sources, sink, order) }
}

/// A fused kernel: in one go where all is aligned, else block by block.
///
/// # Safety
///
/// As [`in_order`].
#[inline(never)]
unsafe fn fused<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    let sizes = kernel.sizes();
    let (raw, streams) =
        kernel.function(if sink.is_beyond_caches() { WorkingSet::Memory } else { WorkingSet::Private });
    if let Some(pointers) = with_one(kernel.replaceable(), sources, sink) {
        let call = Fused { raw, sizes, out_size: kernel.out_size(), spread: SPREAD, streams };
        // SAFETY: the first source has `n` aligned elements, and the second is one; the function takes that.
        // The sink has room, and overlaps none.
        return unsafe { call.run(n, pointers, sink.at(0, core::ptr::null_mut())) };
    }
    if !sink.copies() && sources.iter().all(|source| matches!(source, Source::Aligned(_))) {
        let pointers: [*const u8; N] = core::array::from_fn(|i| sources[i].pointer());
        let call = Fused { raw, sizes, out_size: kernel.out_size(), spread: 0, streams };
        // SAFETY: the sources have `n` aligned elements, and the sink room for as many, or is null where the
        // op may trap; as it does not copy, it overlaps none.
        return unsafe { call.run(n, pointers, sink.at(0, core::ptr::null_mut())) };
    }
    let (mut blocks, mut results) = ([const { Block::new() }; N], Block::new());
    let results = results.pointer();
    let zeros = sizes
        .iter()
        .chain([&kernel.out_size()])
        .fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let most = if streams { non_temporal::PART } else { BLOCK } >> zeros;
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let streams: [Stream; N] = core::array::from_fn(|i| {
        // SAFETY: a scalar has the dtype of its operand, whose elements the kernel knows; a block has room
        // for a part of them.
        unsafe { Stream::spread(sources[i], core::cmp::min(n, room(most)), sizes[i], blocks[i]) }
    });
    for (from, m) in order.parts(n, most) {
        // SAFETY: `from + m` is at most `n`, so all inputs have `m` elements there; the blocks have room for
        // a part.
        let inputs: [*const u8; N] = core::array::from_fn(|i| unsafe { streams[i].at(from, m, blocks[i]) });
        // SAFETY: the inputs have `m` elements there, and the sink or the block room for them, or it is null
        // where the op may trap; if the sink does not copy, it overlaps no operand, and blocks on the stack
        // overlap nothing.
        check(unsafe { invoke(raw, m, &inputs, sink.at(from, results)) })?;
        // SAFETY: there is room for the results from `from` on; the kernel wrote `m` of them.
        unsafe { sink.put(from, m, results) };
    }
    Ok(())
}

#[inline(always)]
pub(crate) fn check(status: Status) -> Result<(), CallError> {
    // Asked by itself, so that a caller who looks for an error compares one byte; of all at once LLVM makes a
    // table.
    if status == Status::Done {
        return Ok(());
    }
    match status {
        Status::Done => Ok(()),
        Status::DivisionByZero => Err(CallError::DivisionByZero),
        Status::NegativeExponent => Err(CallError::NegativeExponent),
        Status::Probability => Err(CallError::Probability),
    }
}
