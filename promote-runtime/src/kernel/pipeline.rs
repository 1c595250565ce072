//! Pipelines: operands are cast, a function computes, and its results are cast, block by block in the L1
//! cache.
//!
//! A block has 4 KiB: three of them stay in L1 beside the data, and cost no stack probe worth counting.

use super::RawKernel;
use super::casts::goes_through_f32;
use super::custom::{self, Dtypes};
use super::fast_path::CHECKED;
use super::fused::can_go_past_caches;
use super::handle::Kernel;
use super::registry::Kernels;
use super::run::check;
use super::signature::{CastOptions, DTypeCode, MAX_INPUTS};
use crate::DType;
use crate::error::call::CallError;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::non_temporal::{self, NtWriter};
use crate::memory::operand::{Access, Operand, Out};
use crate::memory::staging::{BLOCK, Block, Order, room};

/// The dtypes that an operand or a result has on its way, first to last. Neighbours that are equal need no
/// cast.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastChain([DTypeCode; 4]);

impl CastChain {
    pub(super) const fn new(stops: [DTypeCode; 4]) -> CastChain {
        CastChain(stops)
    }

    /// Returns the chain of one cast, or of none if the dtypes are equal.
    pub(super) const fn between(from: DTypeCode, to: DTypeCode) -> CastChain {
        CastChain([from, to, to, to])
    }

    /// Returns the chain without casts.
    pub(super) const fn none(dtype: DTypeCode) -> CastChain {
        CastChain([dtype; 4])
    }

    /// Returns true if the chain has no casts.
    pub(super) const fn is_none(self) -> bool {
        let [a, b, c, d] = self.0;
        a.0 == b.0 && b.0 == c.0 && c.0 == d.0
    }
}

/// The casts around a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pipeline {
    inputs: [CastChain; MAX_INPUTS],
    out: CastChain,
    options: CastOptions,
    /// The number of elements in a usual block: a power of two, for so many of the largest dtype on the way a
    /// block has room.
    most: u16,
}

impl Pipeline {
    /// Returns the pipeline of these casts; `None` if there are none.
    pub(super) fn new(
        known: Dtypes,
        inputs: [CastChain; MAX_INPUTS],
        out: CastChain,
        options: CastOptions,
    ) -> Option<Pipeline> {
        if out.is_none() && inputs.into_iter().all(CastChain::is_none) {
            return None;
        }
        let stops = inputs.iter().chain([&out]).flat_map(|chain| chain.0);
        let greatest = stops.map(|code| known.greatest_size(code)).fold(1, core::cmp::max);
        Some(Pipeline { inputs, out, options, most: (BLOCK / greatest) as u16 })
    }

    /// Returns the pipeline with blocks in which all inputs that are cast take as much of the L1 cache as one
    /// would.
    pub(super) fn in_small_blocks(self) -> Pipeline {
        let cast = self.inputs.iter().filter(|chain| !chain.is_none()).count();
        Pipeline { most: self.most / cast.max(1).next_power_of_two() as u16, ..self }
    }

    /// Returns true if overflow of f8e4m3fn gives its greatest value.
    pub(super) const fn saturates(&self) -> bool {
        self.options.saturate
    }

    /// Returns true if results are cast.
    #[inline(always)]
    pub(super) const fn casts_results(&self) -> bool {
        !self.out.is_none()
    }
}

/// The functions of a chain at one level, first to last.
///
/// Chains are built and run where they lie: one that is moved is read in pieces other than those in which it
/// was written, and on that the processor waits for longer than a block of casts takes.
#[derive(Clone, Copy, Debug)]
struct CastSteps {
    steps: [Option<RawKernel>; CastSteps::MOST],
    len: usize,
}

/// The functions of all casts of a pipeline of `N` inputs at one level.
#[derive(Debug)]
pub(super) struct PipelineCasts<const N: usize> {
    inputs: [CastSteps; N],
    out: CastSteps,
    most: usize,
}

impl<const N: usize> PipelineCasts<N> {
    /// Returns no casts.
    #[inline(always)]
    pub(super) const fn new() -> PipelineCasts<N> {
        PipelineCasts { inputs: [CastSteps::EMPTY; N], out: CastSteps::EMPTY, most: BLOCK }
    }

    /// Looks up the functions.
    ///
    /// # Errors
    ///
    /// Returns an error if this build has no casts, or a custom dtype has not these.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        pipeline: &Pipeline,
        kernels: &Kernels,
        level: Level,
    ) -> Result<(), CallError> {
        let options = pipeline.options;
        for (steps, chain) in self.inputs.iter_mut().zip(&pipeline.inputs) {
            steps.add_all(*chain, kernels, options, level)?;
        }
        self.out.add_all(pipeline.out, kernels, options, level)?;
        self.most = usize::from(pipeline.most);
        Ok(())
    }
}

impl CastSteps {
    /// A cast between a custom and a standard dtype takes three functions at most: through the standard dtype
    /// that the custom one names, and through f32 from there. Two such casts and one to a wider dtype follow
    /// one another at most.
    const MOST: usize = 7;
    const EMPTY: CastSteps = CastSteps { steps: [None; CastSteps::MOST], len: 0 };

    #[inline(always)]
    fn add_all(
        &mut self,
        chain: CastChain,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
    ) -> Result<(), CallError> {
        let [a, b, c, d] = chain.0;
        for (from, to) in [(a, b), (b, c), (c, d)] {
            if from == to {
                continue;
            }
            if from.custom_index().is_some() || to.custom_index().is_some() {
                self.add_custom(kernels, options, level, from, to)?;
            } else {
                self.add(kernels, options, level, from.standard(), to.standard())?;
            }
        }
        Ok(())
    }

    /// Adds the cast between two standard dtypes.
    #[inline(always)]
    fn add(
        &mut self,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
        from: DType,
        to: DType,
    ) -> Result<(), CallError> {
        let missing = CallError::NoCast { from, to };
        let casts = kernels.casts().ok_or(missing)?;
        let mut from = from;
        if goes_through_f32(from, to) {
            self.push(casts.raw(from, DType::F32, options, level).ok_or(missing)?);
            from = DType::F32;
        }
        self.push(casts.raw(from, to, options, level).ok_or(missing)?);
        Ok(())
    }

    /// Adds the cast from or to a custom dtype.
    #[cold]
    #[inline(never)]
    fn add_custom(
        &mut self,
        kernels: &Kernels,
        options: CastOptions,
        level: Level,
        from: DTypeCode,
        to: DTypeCode,
    ) -> Result<(), CallError> {
        let known = kernels.customs();
        let (from, to) = (known.dtype(from), known.dtype(to));
        match (from, to) {
            (DType::Custom(_), DType::Custom(own)) => {
                let direct = custom::casts(own).and_then(|casts| casts.direct(from, level));
                self.push(direct.ok_or(CallError::NoCast { from, to })?);
            }
            (DType::Custom(own), _) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.to_via(level))
                    .ok_or(CallError::NotCast { dtype: from })?;
                self.push(cast);
                if via != to {
                    self.add(kernels, options, level, via, to)?;
                }
            }
            (_, DType::Custom(own)) => {
                let (via, cast) = custom::casts(own)
                    .and_then(|casts| casts.of_via(level))
                    .ok_or(CallError::NotCast { dtype: to })?;
                if via != from {
                    // The type itself handles what is out of range: its `From` gets the nearest value that
                    // there is.
                    self.add(kernels, CastOptions::of(0), level, from, via)?;
                }
                self.push(cast);
            }
            _ => self.add(kernels, options, level, from, to)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, cast: RawKernel) {
        self.steps[self.len] = Some(cast);
        self.len += 1;
    }

    /// Returns in which of two blocks the elements begin, if the last cast reads `other` and each of those
    /// before writes the one that it does not read.
    #[inline(always)]
    const fn first_block(&self, between: *mut u8, other: *mut u8) -> *mut u8 {
        if self.len.is_multiple_of(2) { between } else { other }
    }

    /// Casts `n` elements, in the end to `last`, through `other` and `between` in turn. Returns where they
    /// are then; without casts that is where they were.
    ///
    /// # Safety
    ///
    /// The machine has the level of the casts; `source` points to `n` elements of the first dtype; `last` has
    /// room for `n` of the last dtype, `other` and `between` for `n` of each on the way; all are aligned for
    /// these. `other` is neither of the two. The source overlaps none of them, or is
    /// [`CastSteps::first_block`] of `between` and `other`; `between` may be `last`.
    #[inline(always)]
    unsafe fn run(
        &self,
        n: usize,
        source: *const u8,
        other: *mut u8,
        between: *mut u8,
        last: *mut u8,
    ) -> Result<*const u8, CallError> {
        let mut from = source;
        for (i, cast) in self.steps[..self.len].iter().enumerate() {
            let Some(cast) = *cast else { break };
            let to = match self.len - 1 - i {
                0 => last,
                left if left.is_multiple_of(2) => between,
                _ => other,
            };
            debug_assert!(!core::ptr::eq(from, to), "a cast reads another block than it writes");
            // SAFETY: `from` has `n` elements of the cast's source: those of the caller, or what the cast
            // before wrote. The last cast writes its dtype to `last`, those before to blocks with room for
            // any. `to` is not `from`: the blocks take turns, the last cast reads `other`, and the first
            // block read is not the first written.
            check(unsafe { invoke(cast, n, &[from], to) })?;
            from = to;
        }
        Ok(from)
    }
}

/// Runs the pipeline of a kernel. A condition is not cast.
///
/// # Safety
///
/// As [`in_order`](super::run::in_order); the casts are those of the kernel's pipeline.
#[inline(never)]
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    casts: &PipelineCasts<N>,
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
    let narrow = &casts.out;
    // From beyond the caches less at a time, so that the other operands do not wait; but as much as the fast
    // path of an op prefetches at once.
    let most = if out.beyond_caches { core::cmp::min(casts.most, CHECKED) } else { casts.most };
    let m = core::cmp::min(n, room(most));
    let mut operands = *operands;
    for i in 0..N {
        if operands[i].is_broadcast() {
            let first = casts.inputs[i].first_block(blocks[i], spare);
            // SAFETY: the blocks have room for `m` elements of each dtype on the way, and are aligned to more
            // than 16 bytes; the first one then has `m` elements of the operand's dtype.
            let filled = unsafe {
                operands[i].filled(m, first);
                casts.inputs[i].run(m, first, spare, blocks[i], blocks[i])
            }?;
            operands[i] = Operand { pointer: filled, access: Access::Filled, ..operands[i] };
        }
    }
    // A block is read whole before any of it is written. Only an op that reads operands where they lie, and
    // writes there at once, has to be kept from what it overlaps.
    let moved = |(operand, casts): (&Operand<'_>, &CastSteps)| casts.len > 0 || !operand.is_direct();
    let overlaps = out.overlaps && narrow.len == 0 && !operands.iter().zip(&casts.inputs).all(moved);
    let out = Out { overlaps, ..out };
    let block = |from: usize, m: usize, to: *mut u8| -> Result<(), CallError> {
        let mut inputs = [core::ptr::null(); N];
        for i in 0..N {
            // SAFETY: `from + m` is at most `n`, and the blocks have room for `m` elements.
            inputs[i] = unsafe { next(&operands[i], &casts.inputs[i], from, m, blocks[i], spare) }?;
        }
        // Casts take turns between two blocks, and the last one writes `out`, which has room for its own
        // dtype alone.
        let computed =
            if narrow.len == 0 || out.is_nowhere() { to } else { narrow.first_block(results, spare) };
        // SAFETY: the inputs have `m` elements of the function's dtypes, and none lies in the spare block any
        // more, nor ever in that of the results; `computed` has room for `m` results, or is null where the op
        // may trap.
        check(unsafe { invoke(op, m, &inputs, computed) })?;
        if narrow.len > 0 && !out.is_nowhere() {
            // SAFETY: `computed` has `m` elements of the computed dtype, and is the first block of the two,
            // which have room for `m` of each dtype on the way; `to` has room for `m` results, is the block
            // of the results or overlaps none of them.
            unsafe { narrow.run(m, computed.cast_const(), spare, results, to) }?;
        }
        Ok(())
    };
    if past_caches {
        let (mut past, mut from) = (NtWriter::new(out.pointer), 0);
        let mut done = Ok(());
        while from < n && done.is_ok() {
            let (to, bytes) = past.room();
            let m = core::cmp::min(n - from, core::cmp::min(most, bytes / size));
            done = block(from, m, to);
            if done.is_ok() {
                // SAFETY: the block's results have been written to the room, and there is room for all of
                // them behind those before them.
                unsafe { past.take(m * size) };
                from += m;
            }
        }
        // SAFETY: what was taken are results, for which there is room from `out` on.
        unsafe { past.finish() };
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
/// There are `m` elements from `from` on, and the blocks have room for them; the machine has the level of the
/// casts.
#[inline(always)]
unsafe fn next(
    operand: &Operand<'_>,
    casts: &CastSteps,
    from: usize,
    m: usize,
    own: *mut u8,
    spare: *mut u8,
) -> Result<*const u8, CallError> {
    if operand.access == Access::Filled {
        // It was cast, too.
        return Ok(operand.pointer);
    }
    if !operand.is_direct() || casts.len > 1 {
        // SAFETY: as the caller promises.
        return unsafe { next_by_way(operand, casts, from, m, own, spare) };
    }
    let source = operand.from(from).pointer;
    let Some(cast) = casts.steps[0] else { return Ok(source) };
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
    casts: &CastSteps,
    from: usize,
    m: usize,
    own: *mut u8,
    spare: *mut u8,
) -> Result<*const u8, CallError> {
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
    use crate::kernel::fused::tests::widening_sum;
    use crate::kernel::signature::KernelSignature;

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
                unsafe { run(&kernel, &PipelineCasts::new(), n, &operands, to, Order::Forward) }
                    .expect("sums");
                assert!(out[begin..begin + n] == expected, "{n} results from {begin} on");
                let mut around = out[..begin].iter().chain(&out[begin + n..]);
                assert!(around.all(|free| *free == 0xEEEE), "nothing else is written");
            }
        }
    }
}
