//! Running a plan: the fused kernel in one go, the blocked plan and operands that are no aligned slices through blocks on the stack.
//!
//! A block has 4 KiB: three of them stay in L1 beside the data, and cost no stack probe worth counting.

use super::error::CallError;
use super::handle::{Kernel, Types};
use super::registry::Casts;
use super::stage::{BLOCK, Block, Order, Overlap, Sink, Source, Stream};
use super::{Code, RawKernel, Status, threads};
use crate::DType;

/// A cast of a blocked plan; `None` where there is nothing to cast.
#[inline(always)]
fn cast(casts: &'static Casts, types: Types, from: Code, to: Code) -> Result<Option<RawKernel>, CallError> {
    if from == to {
        return Ok(None);
    }
    let (from, to) = (from.dtype(), to.dtype());
    let raw = casts.raw(from, to, types.casts(), types.level());
    raw.map(Some).ok_or(CallError::NoCast { from, to })
}

/// The casts of an operand: to the common and to the compute dtype, or to the latter at once.
#[inline(always)]
fn steps(
    casts: &'static Casts,
    types: Types,
    code: Code,
    late: bool,
) -> Result<[Option<RawKernel>; 2], CallError> {
    if late {
        return Ok([cast(casts, types, code, types.compute())?, None]);
    }
    Ok([cast(casts, types, code, types.common())?, cast(casts, types, types.common(), types.compute())?])
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
pub(super) unsafe fn run<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: [Source<'_>; N],
    out: *mut u8,
    aligned: bool,
) -> Result<(), CallError> {
    let types = kernel.types;
    let sized: [(Source<'_>, usize); N] = core::array::from_fn(|i| (sources[i], types.input(i).size()));
    let sink = Sink::new(out, types.out().size(), !aligned);
    match Overlap::of(n, &sized, sink) {
        Overlap::None => {
            let bytes = sized.iter().fold(types.out().size(), |bytes, (_, size)| bytes + size);
            for sink in passes(types, sink) {
                let part = |from: usize, n: usize| {
                    let sources: [Source<'_>; N] = sized.map(|(source, size)| source.from(from, size));
                    // SAFETY: the part lies within what the caller promises.
                    unsafe { in_order(kernel, n, sources, sink.from(from), Order::Forward) }
                };
                // SAFETY: parts that do not overlap are written by one thread each, and all else is only read.
                unsafe { threads::each_part(n, bytes, kernel.casts.is_some(), part) }?;
            }
            Ok(())
        }
        Overlap::Ordered(order) => {
            let sink = Sink::new(out, types.out().size(), true);
            // SAFETY: as the caller promises; in this order nothing is written that is still to be read.
            unsafe { in_passes(kernel, n, sources, sink, order) }
        }
        // SAFETY: as the caller promises.
        Overlap::Tangled => unsafe { untangled(kernel, n, sized, sink) },
    }
}

/// A call that overlaps in no order: the operands that overlap are copied.
///
/// # Safety
///
/// As [`run`].
#[cfg(feature = "alloc")]
#[cold]
unsafe fn untangled<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sized: [(Source<'_>, usize); N],
    sink: Sink,
) -> Result<(), CallError> {
    let mut copies: [alloc::vec::Vec<u8>; N] = [const { alloc::vec::Vec::new() }; N];
    let mut sources = sized.map(|(source, _)| source);
    for i in 0..N {
        let one @ (source, size) = sized[i];
        if Overlap::of(n, &[one], sink) != Overlap::None {
            // SAFETY: the caller promises `n` initialised elements there, which nobody writes to while they are copied.
            copies[i] = unsafe { core::slice::from_raw_parts(source.pointer(), n * size) }.to_vec();
            sources[i] = Source::Unaligned(copies[i].as_ptr());
        }
    }
    // SAFETY: as the caller promises; what overlapped is copied.
    unsafe { in_passes(kernel, n, sources, sink, Order::Forward) }
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
    _: [(Source<'_>, usize); N],
    _: Sink,
) -> Result<(), CallError> {
    Err(CallError::Overlap)
}

/// What a call is done in: an op that may trap looks at every block before it writes to any.
#[inline(always)]
fn passes(types: Types, sink: Sink) -> impl Iterator<Item = Sink> {
    let looks = types.traps().then_some(sink.nowhere());
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
    sources: [Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    for sink in passes(kernel.types, sink) {
        // SAFETY: as the caller promises.
        unsafe { in_order(kernel, n, sources, sink, order) }?;
    }
    Ok(())
}

/// One pass over the blocks of a call, in an order.
///
/// # Safety
///
/// As [`run`]; in this order nothing is written that is still to be read, and if anything overlaps, the sink copies.
#[inline(always)]
unsafe fn in_order<const N: usize>(
    kernel: &Kernel,
    n: usize,
    sources: [Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    match kernel.casts {
        // SAFETY: as the caller promises.
        None => unsafe { fused(kernel.raw, kernel.types, n, sources, sink, order) },
        // SAFETY: as the caller promises.
        Some(casts) => unsafe { blocked(kernel.raw, casts, kernel.types, n, sources, sink, order) },
    }
}

/// A fused kernel: in one go where all is aligned, else block by block.
///
/// # Safety
///
/// As [`in_order`].
#[inline(never)]
unsafe fn fused<const N: usize>(
    raw: RawKernel,
    types: Types,
    n: usize,
    sources: [Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    if !sink.copies() && sources.iter().all(|source| matches!(source, Source::Aligned(_))) {
        let pointers = sources.map(Source::pointer);
        // SAFETY: the sources have `n` aligned elements, and the sink room for as many, or is null where the op may trap; as it
        // does not copy, it overlaps none.
        return check(unsafe { raw(n, pointers.as_ptr(), sink.at(0, core::ptr::null_mut())) });
    }
    let (mut blocks, mut results) = ([const { Block::new() }; N], Block::new());
    let results = results.pointer();
    let sizes: [usize; N] = core::array::from_fn(|i| types.input(i).size());
    let zeros = sizes
        .iter()
        .chain([&types.out().size()])
        .fold(0, |zeros, size| core::cmp::max(zeros, size.trailing_zeros()));
    let most = BLOCK >> zeros;
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let streams: [Stream; N] = core::array::from_fn(|i| {
        // SAFETY: a scalar has the dtype of its operand, which has a type; a block has room for `most` of its elements.
        unsafe { Stream::spread(sources[i], core::cmp::min(n, most), sizes[i], blocks[i]) }
    });
    for (from, m) in order.parts(n, most) {
        // SAFETY: `from + m` is at most `n`, so all inputs have `m` elements there; the blocks have room for `most`.
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
/// As [`in_order`]; `op` computes in the compute dtype.
#[inline(never)]
unsafe fn blocked<const N: usize>(
    op: RawKernel,
    casts: &'static Casts,
    types: Types,
    n: usize,
    sources: [Source<'_>; N],
    sink: Sink,
    order: Order,
) -> Result<(), CallError> {
    let (mut blocks, mut spare, mut results) = ([const { Block::new() }; N], Block::new(), Block::new());
    let (spare, results) = (spare.pointer(), results.pointer());
    let blocks: [*mut u8; N] = blocks.each_mut().map(Block::pointer);
    let narrow = cast(casts, types, types.computed(), types.out())?;
    let low = Code::of(DType::I32).ok_or(CallError::NoElements { dtype: DType::I32 })?;
    let [first, second, third] = [types.first(), types.second(), types.input(2)];
    // What an exponent is on its way counts too.
    let between = if types.exponent() { low } else { types.common() };
    let codes =
        [first, second, third, between, types.out(), types.common(), types.compute(), types.computed()];
    // Sizes are powers of two: the greatest has the most zeros.
    let zeros = codes.iter().fold(0, |zeros, code| core::cmp::max(zeros, code.size().trailing_zeros()));
    let most = BLOCK >> zeros;
    let m = core::cmp::min(n, most);
    let mut operands = [Operand { stream: Stream::NOTHING, casts: [None; 2] }; N];
    for (i, source) in sources.into_iter().enumerate() {
        let code = types.input(i);
        let steps = match i {
            1 if types.exponent() => {
                [cast(casts, types, code, low)?, cast(casts, types, low, types.compute())?]
            }
            0 | 1 => steps(casts, types, code, types.late()[i])?,
            _ if types.chooses() => [None; 2],
            // What already is of the dtype that the op computes in is not rounded to the common one.
            _ => steps(casts, types, code, code == types.compute())?,
        };
        // SAFETY: a scalar has the dtype of its operand, which has a type; the blocks have room for `m` elements of each dtype
        // of the plan.
        operands[i] = unsafe { Operand::new(source, steps, code.size(), m, blocks[i], spare) }?;
    }
    for (from, m) in order.parts(n, most) {
        let mut inputs = [core::ptr::null(); N];
        for i in 0..N {
            // SAFETY: `from + m` is at most `n`, and the blocks have room for `m` elements.
            inputs[i] = unsafe { operands[i].next(from, m, blocks[i], spare) }?;
        }
        let out = sink.at(from, results);
        let computed = if sink.is_nowhere() || narrow.is_none() { out } else { spare };
        // SAFETY: the inputs have `m` elements of the compute dtype, and none lies in the spare block any more; `computed` has
        // room for `m` results, or is null where the op may trap.
        check(unsafe { op(m, inputs.as_ptr(), computed) })?;
        if sink.is_nowhere() {
            continue;
        }
        if let Some(narrow) = narrow {
            // SAFETY: the spare block has `m` elements of the computed dtype, and `out` has room for `m`.
            check(unsafe { narrow(m, [spare.cast_const()].as_ptr(), out) })?;
        }
        // SAFETY: there is room for the results from `from` on; `m` of them are written to where the sink said.
        unsafe { sink.put(from, m, results) };
    }
    Ok(())
}

/// An operand of a blocked plan: what is read, and the casts that are still to be made, first to last.
#[derive(Clone, Copy)]
struct Operand {
    stream: Stream,
    casts: [Option<RawKernel>; 2],
}

impl Operand {
    /// A scalar is spread and cast here, once for all blocks.
    ///
    /// # Safety
    ///
    /// A scalar's dtype [has a type](crate::DType::has_type); the blocks have room for `n` elements of each dtype on the way, and
    /// `own` is kept for this operand.
    unsafe fn new(
        source: Source<'_>,
        casts: [Option<RawKernel>; 2],
        size: usize,
        n: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<Operand, CallError> {
        let (mut from, mut to) = Operand::first_blocks(casts, own, spare);
        // SAFETY: the caller promises the dtype and room for `n` elements; blocks are aligned to more than 16 bytes.
        let stream = unsafe { Stream::spread(source, n, size, from) };
        if !matches!(source, Source::Scalar(_)) {
            return Ok(Operand { stream, casts });
        }
        for cast in casts.iter().flatten() {
            // SAFETY: `from` has `n` elements of the cast's source, `to` has room for them, and they are two blocks.
            check(unsafe { cast(n, [from.cast_const()].as_ptr(), to) })?;
            (from, to) = (to, from);
        }
        Ok(Operand { stream: Stream::same(from), casts: [None; 2] })
    }

    /// The block in which an operand begins if it is not read where it lies, and the other: the last of the casts, if any,
    /// must write to its own.
    #[inline(always)]
    fn first_blocks(casts: [Option<RawKernel>; 2], own: *mut u8, spare: *mut u8) -> (*mut u8, *mut u8) {
        if casts.iter().flatten().count() == 1 { (spare, own) } else { (own, spare) }
    }

    /// The elements from `from` on, cast: where they lie, or in `own`.
    ///
    /// # Safety
    ///
    /// There are `m` elements from `from` on, and the blocks have room for them.
    #[inline(always)]
    unsafe fn next(
        &self,
        from: usize,
        m: usize,
        own: *mut u8,
        spare: *mut u8,
    ) -> Result<*const u8, CallError> {
        let first = Operand::first_blocks(self.casts, own, spare).0;
        // SAFETY: as the caller promises; the block holds nothing at this time, unless it is the stream's own, which is
        // aligned.
        let source = [unsafe { self.stream.at(from, m, first) }];
        match self.casts {
            [None, None] => Ok(source[0]),
            [Some(cast), None] | [None, Some(cast)] => {
                // SAFETY: the source has `m` elements, `own` has room for them; the operand's own block is not its source.
                check(unsafe { cast(m, source.as_ptr(), own) })?;
                Ok(own)
            }
            [Some(first), Some(second)] => {
                // SAFETY: as above, with the spare block, which holds nothing at this time.
                check(unsafe { first(m, source.as_ptr(), spare) })?;
                // SAFETY: as above; they are two blocks, and what `own` held has been read.
                check(unsafe { second(m, [spare.cast_const()].as_ptr(), own) })?;
                Ok(own)
            }
        }
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
