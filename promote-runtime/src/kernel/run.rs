//! Runs of kernels on contiguous operands: one call of a loop, or block by block through staging buffers.

use super::fused::{Fused, Stores, with_one};
use super::handle::Kernel;
use super::pipeline;
use crate::error::call::CallError;
use crate::kernel::overlap::{Copied, Overlap};
use crate::memory::non_temporal::WorkingSet;
use crate::memory::operand::{Operand, Out};
use crate::memory::staging::{BLOCK, Block, Order, room};
use crate::memory::{non_temporal, threads};

/// Calls a kernel, on several threads if that pays. Operands may be single elements, unaligned, or overlap
/// `out`, which may be unaligned, too. An op that may trap checks all operands before anything is written.
///
/// # Safety
///
/// The operands are in the order in which the function takes them, and have the dtypes of its inputs: `n`
/// contiguous elements, or one that is broadcast. `out` has room for `n` results. The machine has the
/// kernel's level.
#[inline(never)]
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> Result<(), CallError> {
    let sizes = || {
        let read = operands.iter().filter(|operand| !operand.is_broadcast() && !out.is(operand));
        n.saturating_mul(read.map(|operand| operand.size).sum::<usize>() + out.size)
    };
    let out = Out { beyond_caches: WorkingSet::of(n, sizes) == WorkingSet::Memory, ..out };
    let replaced;
    let (operands, out, order) = match Overlap::of(n, operands, out) {
        Overlap::None => (operands, out, Order::Forward),
        Overlap::Ordered(order) => match in_place(kernel, n, operands, out) {
            Some(found) => {
                replaced = found;
                (&replaced, out, Order::Forward)
            }
            None => (operands, Out { overlaps: true, ..out }, order),
        },
        // SAFETY: as the caller promises.
        Overlap::Unordered => return unsafe { run_on_copies(kernel, n, operands, out) },
    };
    let bytes = operands.iter().map(|operand| operand.size).sum::<usize>() + out.size;
    // An op that may trap checks every block before it writes any.
    let checks = kernel.signature.traps.then_some(out.nowhere());
    for out in checks.into_iter().chain([out]) {
        let part = |from: usize, n: usize| {
            let moved;
            let operands = if from == 0 {
                operands
            } else {
                moved = operands.map(|operand| operand.from(from));
                &moved
            };
            let out = out.from(from);
            let Some(pipeline) = &kernel.pipeline else {
                // SAFETY: the part lies within what the caller promises. In this order nothing is written
                // that is still to be read.
                return unsafe { fused(kernel, n, operands, out, order) };
            };
            // SAFETY: as above.
            unsafe { pipeline::run::run(kernel, pipeline, n, operands, out, order) }
        };
        if out.overlaps {
            part(0, n)?;
            continue;
        }
        // SAFETY: each part of `out` is written by one thread, and everything else is only read, or written
        // by the thread that reads it.
        unsafe { threads::each_part(n, bytes, kernel.pipeline.is_some(), part) }?;
    }
    Ok(())
}

/// Returns the operands with the destination first, if the function computes in place and the destination
/// overlaps no other operand.
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

/// Copies the operands that overlap `out`, since no order of blocks is safe, and computes.
///
/// # Errors
///
/// Returns an error, and writes nothing, if there is no memory for a copy.
///
/// # Safety
///
/// As [`run`].
#[cold]
unsafe fn run_on_copies<const N: usize>(
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
    // SAFETY: as the caller promises.
    unsafe { run(kernel, n, &operands, out) }
}

/// Calls a fused kernel: once if nothing has to be staged, otherwise block by block.
///
/// # Safety
///
/// As [`run`]. In this order nothing is written that is still to be read. If operands overlap `out`, it says
/// so, unless the operand is the first one of a function that computes in place, or has the address of `out`
/// and the kernel casts its results.
#[inline(never)]
pub(super) unsafe fn fused<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
    order: Order,
) -> Result<(), CallError> {
    let working_set = if out.beyond_caches { WorkingSet::Memory } else { WorkingSet::Private };
    let (functions, stores) = kernel.functions(working_set);
    let sizes = operands.each_ref().map(|operand| operand.size);
    let whole = |broadcast| Fused::new(functions, broadcast, sizes, out.size, stores);
    if let Some(pointers) = with_one(kernel.replaceable(), operands, out) {
        // SAFETY: the first operand has `n` aligned elements, and the second is the one that the function
        // broadcasts. `out` has room, and overlaps none.
        return unsafe { whole(true).run(n, pointers, out.pointer) };
    }
    let call = whole(false);
    if !out.is_staged() && operands.iter().all(Operand::is_direct) {
        let pointers = operands.each_ref().map(|operand| operand.pointer);
        // SAFETY: the operands have `n` aligned elements, and `out` room for as many, or is null where the op
        // may trap. It is not staged, so it overlaps none, unless it is the first of a kernel in place.
        return unsafe { call.run(n, pointers, out.pointer) };
    }
    let (mut blocks, mut results) = ([const { Block::new() }; N], Block::new());
    let results = results.pointer();
    let zeros =
        sizes.iter().chain([&out.size]).fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let most = if stores == Stores::NonTemporal { non_temporal::PART } else { BLOCK } >> zeros;
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let longest = core::cmp::min(n, room(most));
    // SAFETY: a block has room for a part.
    let operands: [_; N] = core::array::from_fn(|i| unsafe { operands[i].filled(longest, blocks[i]) });
    for (from, m) in order.parts(n, most) {
        // SAFETY: `from + m` is at most `n`, so all operands have `m` elements there, and the blocks have
        // room for a part. The kernel writes `m` results to `out`, where there is room, or to a block, which
        // overlaps nothing; or `out` is null, where the op may trap. If `out` is not staged, it overlaps no
        // operand, unless it is the first of a kernel in place.
        unsafe {
            let inputs: [*const u8; N] = core::array::from_fn(|i| operands[i].read(from, m, blocks[i]));
            call.at_once(m, &inputs, out.at(from, results))?;
            out.put(from, m, results);
        }
    }
    Ok(())
}
