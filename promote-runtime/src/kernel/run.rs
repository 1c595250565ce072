//! Runs of kernels: loops in one go, pipelines and operands that are no aligned slices through blocks on the
//! stack.

use super::Status;
use super::fused::{Fused, with_one};
use super::handle::Kernel;
use super::pipeline::{self, PipelineCasts};
use crate::error::call::CallError;
use crate::kernel::overlap::{Copied, Overlap};
use crate::memory::non_temporal::WorkingSet;
use crate::memory::operand::{Operand, Out};
use crate::memory::staging::{BLOCK, Block, Order, room};
use crate::memory::{non_temporal, threads};

/// Calls a kernel with any operands: single elements, unaligned ones, or such as overlap `out`, which may be
/// unaligned, too; on several threads where that pays.
///
/// An op that may trap looks at all operands before anything is written.
///
/// # Safety
///
/// The operands are in the order in which the function takes them, and have the dtypes of its inputs: `n`
/// contiguous elements, or one that is broadcast; `out` has room for `n` results; the machine has the
/// kernel's level.
#[inline(never)]
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> Result<(), CallError> {
    let out = sized(n, operands, out);
    match Overlap::of(n, operands, out) {
        // SAFETY: as the caller promises.
        Overlap::None => unsafe { apart(kernel, n, operands, out) },
        Overlap::Ordered(order) => match in_place(kernel, n, operands, out) {
            // SAFETY: as the caller promises; what overlaps is what the function takes for `out`.
            Some(operands) => unsafe { apart(kernel, n, &operands, out) },
            // SAFETY: as the caller promises; in this order nothing is written that is still to be read.
            None => unsafe { in_passes(kernel, n, operands, Out { overlaps: true, ..out }, order) },
        },
        // SAFETY: as the caller promises.
        Overlap::Tangled => unsafe { untangled(kernel, n, operands, out) },
    }
}

/// Returns the destination of a call of `n` elements, which knows whether the call fits in the caches.
#[inline(always)]
pub(super) fn sized(n: usize, operands: &[Operand<'_>], out: Out) -> Out {
    let bytes = || {
        let read = operands.iter().filter(|operand| !operand.is_broadcast() && !out.is(operand));
        n.saturating_mul(read.map(|operand| operand.size).sum::<usize>() + out.size)
    };
    Out { beyond_caches: WorkingSet::of(n, bytes) == WorkingSet::Memory, ..out }
}

/// Calls a kernel whose destination overlaps nothing, or is the first operand, which the function takes for
/// it.
///
/// # Safety
///
/// As [`run`], and so.
#[inline(always)]
pub(super) unsafe fn apart<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> Result<(), CallError> {
    let bytes = operands.iter().map(|operand| operand.size).sum::<usize>() + out.size;
    for out in passes(kernel.signature.traps, out) {
        let part = |from: usize, n: usize| {
            if from == 0 {
                // SAFETY: as the caller promises.
                return unsafe { in_order(kernel, n, operands, out, Order::Forward) };
            }
            let operands = operands.map(|operand| operand.from(from));
            // SAFETY: the part lies within what the caller promises.
            unsafe { in_order(kernel, n, &operands, out.from(from), Order::Forward) }
        };
        // SAFETY: parts that do not overlap are written by one thread each, and all else is only read, or
        // written by the thread that reads it.
        unsafe { threads::each_part(n, bytes, kernel.pipeline.is_some(), part) }?;
    }
    Ok(())
}

/// Returns the operands with the one first that is the destination; `None` if there is none, if the function
/// does not take it so, or if the destination overlaps another one.
fn in_place<'a, const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'a>; N],
    out: Out,
) -> Option<[Operand<'a>; N]> {
    let at = (0..kernel.replaceable()).find(|&i| out.is(&operands[i]))?;
    let mut operands = *operands;
    operands.swap(0, at);
    (Overlap::of(n, &operands[1..], out) == Overlap::None).then_some(operands)
}

/// Copies the operands that overlap `out`, where no order of blocks is safe, and computes.
///
/// # Errors
/// There is no memory for a copy; nothing is written then.
///
/// # Safety
///
/// As [`run`].
#[cold]
unsafe fn untangled<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> Result<(), CallError> {
    let mut copies = [const { Copied::NONE }; N];
    let mut operands = *operands;
    for (operand, copy) in operands.iter_mut().zip(&mut copies) {
        if Overlap::of(n, core::slice::from_ref(operand), out) != Overlap::None {
            // SAFETY: the caller promises `n` elements, which nobody writes to while they are copied.
            *operand = unsafe { copy.take_contiguous(n, operand) }?;
        }
    }
    // SAFETY: as the caller promises; what overlapped is copied.
    unsafe { in_passes(kernel, n, &operands, out, Order::Forward) }
}

/// Returns the destinations of a call's passes: an op that may trap looks at every block before it writes to
/// any.
#[inline(always)]
fn passes(traps: bool, out: Out) -> impl Iterator<Item = Out> {
    let looks = traps.then_some(out.nowhere());
    looks.into_iter().chain(core::iter::once(out))
}

/// Makes all passes over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`in_order`].
unsafe fn in_passes<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
    order: Order,
) -> Result<(), CallError> {
    for out in passes(kernel.signature.traps, out) {
        // SAFETY: as the caller promises.
        unsafe { in_order(kernel, n, operands, out, order) }?;
    }
    Ok(())
}

/// Makes one pass over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`run`]; in this order nothing is written that is still to be read, and if anything overlaps, `out`
/// says so, unless it is the first operand and the function takes it for that, or lies in the same places and
/// the kernel casts its results.
#[inline(always)]
pub(super) unsafe fn in_order<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
    order: Order,
) -> Result<(), CallError> {
    let Some(pipeline) = &kernel.pipeline else {
        // SAFETY: as the caller promises.
        return unsafe { fused(kernel, n, operands, out, order) };
    };
    let mut casts = PipelineCasts::new();
    kernel.fill_casts(pipeline, &mut casts)?;
    // SAFETY: as the caller promises.
    unsafe { pipeline::run::run(kernel, &casts, n, operands, out, order) }
}

/// Calls a fused kernel: once where all is aligned, else block by block.
///
/// # Safety
///
/// As [`in_order`].
#[inline(never)]
unsafe fn fused<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
    order: Order,
) -> Result<(), CallError> {
    let reach = if out.beyond_caches { WorkingSet::Memory } else { WorkingSet::Private };
    let (functions, streams) = kernel.functions(reach);
    let sizes = operands.each_ref().map(|operand| operand.size);
    let whole = |broadcast| Fused::new(functions, broadcast, sizes, out.size, streams);
    if let Some(pointers) = with_one(kernel.replaceable(), operands, out) {
        // SAFETY: the first operand has `n` aligned elements, and the second is one; the function takes that.
        // `out` has room, and overlaps none.
        return unsafe { whole(true).run(n, pointers, out.pointer) };
    }
    let call = whole(false);
    if !out.is_staged() && operands.iter().all(Operand::is_direct) {
        let pointers = operands.each_ref().map(|operand| operand.pointer);
        // SAFETY: the operands have `n` aligned elements, and `out` room for as many, or is null where the op
        // may trap; as it is not staged, it overlaps none, unless it is the first and the kernel takes it so.
        return unsafe { call.run(n, pointers, out.pointer) };
    }
    let (mut blocks, mut results) = ([const { Block::new() }; N], Block::new());
    let results = results.pointer();
    let zeros =
        sizes.iter().chain([&out.size]).fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let most = if streams { non_temporal::PART } else { BLOCK } >> zeros;
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let longest = core::cmp::min(n, room(most));
    // SAFETY: a block has room for a part.
    let operands: [_; N] = core::array::from_fn(|i| unsafe { operands[i].filled(longest, blocks[i]) });
    for (from, m) in order.parts(n, most) {
        // SAFETY: `from + m` is at most `n`, so all operands have `m` elements there; the blocks have room
        // for a part.
        let inputs: [*const u8; N] =
            core::array::from_fn(|i| unsafe { operands[i].read(from, m, blocks[i]) });
        // SAFETY: the inputs have `m` elements there, and `out` or the block room for them, or it is null
        // where the op may trap; if `out` is not staged, it overlaps no operand, unless it is the first and
        // the kernel takes it so, and blocks on the stack overlap nothing.
        unsafe { call.at_once(m, &inputs, out.at(from, results)) }?;
        // SAFETY: there is room for the results from `from` on; the kernel wrote `m` of them.
        unsafe { out.put(from, m, results) };
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
