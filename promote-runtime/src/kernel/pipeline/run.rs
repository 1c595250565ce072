//! The run of a pipeline over the blocks of a call.

use super::{CastSteps, Chain, Pipeline};
use crate::error::call::CallError;
use crate::kernel::fast_path::CHECKED;
use crate::kernel::fused::can_go_past_caches;
use crate::kernel::fused::check;
use crate::kernel::handle::Kernel;
use crate::level::function::invoke;
use crate::memory::non_temporal::{self, NtWriter};
use crate::memory::operand::{Operand, Out};
use crate::memory::staging::{Block, Order, room};

/// Runs the pipeline of a kernel. A condition is not cast.
///
/// # Safety
///
/// As [`fused`](crate::kernel::run::fused); the pipeline is that of the kernel.
#[inline(never)]
pub(in crate::kernel) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    pipeline: &Pipeline,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
    order: Order,
) -> Result<(), CallError> {
    let (op, size) = (kernel.raw, out.size);
    let past_caches = goes_past_caches(kernel, n, operands, out) && order == Order::Forward;
    let (mut blocks, mut spare, mut results) = ([const { Block::new() }; N], Block::new(), Block::new());
    let (spare, results) = (spare.pointer(), results.pointer());
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    // From beyond the caches less at a time, so that the other operands do not wait; but as much as the fast
    // path of an op prefetches at once.
    let most = usize::from(pipeline.most);
    let most = if out.beyond_caches { core::cmp::min(most, CHECKED) } else { most };
    let m = core::cmp::min(n, room(most));
    let mut filled = [core::ptr::null(); N];
    for i in 0..N {
        if operands[i].is_broadcast() {
            let mut casts = CastSteps::EMPTY;
            pipeline.steps(&pipeline.inputs[i], kernel, &mut casts)?;
            let first = casts.first_block(blocks[i], spare);
            // SAFETY: the blocks have room for `m` elements of each dtype on the way, and are aligned to more
            // than 16 bytes; the first one then has `m` elements of the operand's dtype.
            filled[i] = unsafe {
                operands[i].filled(m, first);
                casts.run(m, first, spare, blocks[i], blocks[i])
            }?;
        }
    }
    // A block is read whole before any of it is written. Only an op that reads operands where they lie, and
    // writes there at once, has to be kept from what it overlaps.
    let moved = |(operand, chain): (&Operand<'_>, &Chain)| !chain.is_none() || !operand.is_direct();
    let overlaps =
        out.overlaps && !pipeline.casts_results() && !operands.iter().zip(&pipeline.inputs).all(moved);
    let out = Out { overlaps, ..out };
    let block = |from: usize, m: usize, to: *mut u8| -> Result<(), CallError> {
        let mut inputs = [core::ptr::null(); N];
        for i in 0..N {
            inputs[i] = if filled[i].is_null() {
                // SAFETY: `from + m` is at most `n`, and the blocks have room for `m` elements.
                unsafe { next(&operands[i], (pipeline, i), kernel, from, m, blocks[i], spare) }?
            } else {
                filled[i]
            };
        }
        let casts_results = pipeline.casts_results() && !out.is_nowhere();
        let mut narrow = CastSteps::EMPTY;
        // Casts take turns between two blocks, and the last one writes `out`, which has room for its own
        // dtype alone.
        let computed = if casts_results {
            pipeline.steps(&pipeline.out, kernel, &mut narrow)?;
            narrow.first_block(results, spare)
        } else {
            to
        };
        // SAFETY: the inputs have `m` elements of the function's dtypes, and none lies in the spare block any
        // more, nor ever in that of the results; `computed` has room for `m` results, or is null where the op
        // may trap.
        check(unsafe { invoke(op, m, &inputs, computed) })?;
        if casts_results {
            // SAFETY: `computed` has `m` elements of the computed dtype, and is the first block of the two,
            // which have room for `m` of each dtype on the way; `to` has room for `m` results, is the block
            // of the results or overlaps none of them.
            unsafe { narrow.run(m, computed.cast_const(), spare, results, to) }?;
        }
        Ok(())
    };
    if past_caches {
        let (mut writer, mut from) = (NtWriter::new(out.pointer), 0);
        let mut done = Ok(());
        while from < n && done.is_ok() {
            let (to, bytes) = writer.room();
            let m = core::cmp::min(n - from, core::cmp::min(most, bytes / size));
            done = block(from, m, to);
            if done.is_ok() {
                // SAFETY: the block's results have been written to the room, and there is room for all of
                // them after the previous results.
                unsafe { writer.take(m * size) };
                from += m;
            }
        }
        // SAFETY: what was taken are results, for which there is room from `out` on.
        unsafe { writer.finish() };
        return done;
    }
    for (from, m) in order.parts(n, most) {
        block(from, m, out.at(from, results))?;
        if !out.is_nowhere() {
            // SAFETY: there is room for the results from `from` on; `m` of them are written to where `out`
            // said.
            unsafe { out.put(from, m, results) };
        }
    }
    Ok(())
}

/// Returns true if the results go past the caches: the call waits for memory, and reads nothing of `out`.
fn goes_past_caches<const N: usize>(
    kernel: &Kernel,
    n: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> bool {
    let sizes = operands.each_ref().map(|operand| operand.size);
    kernel.is_memory_bound()
        && out.beyond_caches
        && !out.is_staged()
        && !out.is_nowhere()
        && n * out.size >= 2 * non_temporal::PART
        && can_go_past_caches(out.pointer, &sizes, out.size)
        && !operands.iter().any(|operand| out.is(operand))
}

/// Returns where the elements of an operand from `from` on are, cast: where they lie, or in `own`.
///
/// # Safety
///
/// The operand is not broadcast. There are `m` elements from `from` on, and the blocks have room for them;
/// the machine has the level of the casts.
#[inline(always)]
unsafe fn next(
    operand: &Operand<'_>,
    (pipeline, i): (&Pipeline, usize),
    kernel: &Kernel,
    from: usize,
    m: usize,
    own: *mut u8,
    spare: *mut u8,
) -> Result<*const u8, CallError> {
    let source = operand.from(from).pointer;
    let cast = match pipeline.inputs[i] {
        Chain::None if operand.is_direct() => return Ok(source),
        Chain::One(cast) if operand.is_direct() => cast,
        // SAFETY: as the caller promises.
        _ => return unsafe { next_by_way(operand, (pipeline, i), kernel, from, m, own, spare) },
    };
    // SAFETY: the source has `m` elements of the cast's source, in memory that no block overlaps; there is
    // room for the results.
    check(unsafe { invoke(cast, m, &[source], own) })?;
    Ok(own)
}

/// As [`next`], copied to a block first, or with several casts. Apart, since the loop is as long as a short
/// block is.
///
/// # Safety
///
/// As [`next`].
#[inline(never)]
unsafe fn next_by_way(
    operand: &Operand<'_>,
    (pipeline, i): (&Pipeline, usize),
    kernel: &Kernel,
    from: usize,
    m: usize,
    own: *mut u8,
    spare: *mut u8,
) -> Result<*const u8, CallError> {
    let mut casts = CastSteps::EMPTY;
    pipeline.steps(&pipeline.inputs[i], kernel, &mut casts)?;
    // SAFETY: as the caller promises; the block holds nothing at this time.
    let source = unsafe { operand.read(from, m, casts.first_block(own, spare)) };
    // SAFETY: the source has `m` elements, in memory that no block overlaps or in the first one; there is
    // room for them.
    unsafe { casts.run(m, source, spare, own, own) }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::DType;
    use crate::kernel::fused::tests::widening_sum;
    use crate::kernel::signature::{CastOptions, DTypeCode, KernelSignature};
    use crate::level::Level;

    #[test]
    fn results_past_the_caches_are_the_same_wherever_they_begin() {
        let level = Level::best();
        if level == Level::BASE {
            return;
        }
        let [byte, short] = [DType::U8, DType::U16].map(|dtype| DTypeCode::of(dtype).expect("elements"));
        let signature = KernelSignature::of([byte; 2], [short; 3]);
        let signature = KernelSignature { memory_bound: true, ..signature };
        let (raw, swap, pipeline) = (widening_sum::<false>, false, None);
        let kernel = Kernel { raw, signature, level, swap, pipeline, home: None, entry: None };
        let options = CastOptions::of(0);
        let no_casts = Pipeline { inputs: [Chain::None; 4], out: Chain::None, options, most: 4096 };
        let part = non_temporal::PART / 2;
        for n in [2 * part, 2 * part + 1, 3 * part + 31, 3 * part + 32, 5 * part + 33, 4000] {
            let a: Vec<u8> = (0..n).map(|i| (i * 7) as u8).collect();
            let b: Vec<u8> = (0..n).map(|i| (i * 13 + 5) as u8).collect();
            let expected: Vec<u16> = a.iter().zip(&b).map(|(a, b)| u16::from(*a) + u16::from(*b)).collect();
            let operands = [Operand::direct(a.as_ptr(), 1), Operand::direct(b.as_ptr(), 1)];
            for begin in 0..33 {
                let mut out = vec![0xEEEE_u16; begin + n + 1];
                let to = Out::new(out[begin..].as_mut_ptr().cast(), 2, true);
                let to = Out { beyond_caches: true, ..to };
                assert!(goes_past_caches(&kernel, n, &operands, to));
                // SAFETY: the inputs have `n` bytes, and there is room for `n` results from `begin` on; the
                // function needs no level, and the machine has AVX.
                unsafe { run(&kernel, &no_casts, n, &operands, to, Order::Forward) }.expect("sums");
                assert!(out[begin..begin + n] == expected, "{n} results from {begin} on");
                let mut around = out[..begin].iter().chain(&out[begin + n..]);
                assert!(around.all(|free| *free == 0xEEEE), "nothing else is written");
            }
        }
    }
}
