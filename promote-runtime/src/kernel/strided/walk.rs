//! The walk of a call over all its places: in rows, in blocks of short rows, or in tiles.
//!
//! - A **row** is what lies along the innermost axis. Operands that lie side by side there are read where
//!   they lie; others go through blocks.
//! - Where rows are short, a block takes several, and every operand that does not lie side by side throughout
//!   goes through one.
//! - An operand whose places are far apart along the innermost axis, and near along another one (a
//!   transpose), would use a few bytes of each cache line it touches. Both axes are then walked in tiles.

mod blocks;
mod rows;
mod tiles;

use crate::error::call::CallError;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::fused::Fused;
use crate::kernel::handle::Kernel;
use crate::kernel::pipeline::{self, PipelineCasts};
use crate::level::Level;
use crate::memory::axes::{Axis, Space};
use crate::memory::non_temporal::{NtWriter, WorkingSet};
use crate::memory::operand::{Access, Operand, Out};
use crate::memory::staging::{BLOCK, Order};

/// From how many places on a row is called by itself, where it lies apart from others.
const LONG: usize = 256;

/// How many rows a block takes at least, of such as need not be copied for it.
const LEAST_ROWS: usize = 4;
/// The same where an operand is copied for it that a function takes as one element, row by row.
const MAX_ROWS: usize = 32;

/// The bytes of a tile of the smallest elements, and of a row of it: cache lines of an operand that are read
/// together, so that each is read once.
const TILE: usize = 4 * BLOCK;
const LINE: usize = 128;

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowAccess {
    /// Where it lies; throughout, the next row goes on where one ends.
    Linear,
    /// Where it lies, row by row.
    Row,
    /// The same element for every place: from a block that is filled once.
    Same,
    /// The same row for every row: where it lies, or from a block that is filled once with as many as it
    /// holds.
    Repeat,
    /// The same element for a whole row: from a block that is filled for each.
    Spread,
    /// The same element for a whole row, or for every place: where it lies, by a function that takes one
    /// element.
    One,
    /// Copied to a block.
    Gather,
}

/// A call of a kernel for all places.
#[allow(clippy::struct_excessive_bools, reason = "they are answers to questions of their own")]
pub(super) struct Walk<'a, const N: usize> {
    kernel: &'a Kernel,
    /// The places, without the innermost axis.
    space: &'a Space<N>,
    inner: Axis<N>,
    copiers: [Copier; N],
    out_copier: Copier,
    access: [RowAccess; N],
    /// Whether results go through a block: along a row they lie apart, or are not aligned.
    scattered: bool,
    /// The same, looking at all rows together.
    out_linear: bool,
    /// The function, as it is called where nothing is cast, and the bytes of elements.
    call: Fused<N>,
    /// Whether results are written where they lie, and not to a block.
    writes_in_place: bool,
    /// Whether the call does not fit in the caches.
    beyond_caches: bool,
    /// True if strided operands are read in parts of
    /// [`non_temporal::PART`](crate::memory::non_temporal::PART), so that the others do not wait.
    in_parts: bool,
    /// Whether results are what the first input is.
    held: bool,
    shape: Shape,
}

/// What is done on a walk.
struct Pass<'a, const N: usize> {
    /// The casts of a pipeline.
    casts: Option<&'a PipelineCasts<N>>,
    /// Whether operands are only looked at.
    looks: bool,
    /// All results, if they go past the caches in the order in which they lie.
    past: Option<&'a mut NtWriter>,
}

impl<const N: usize> Pass<'_, N> {
    /// Whether a function computes results, to where they belong: nothing is cast, nothing is only looked at,
    /// and nothing goes past the caches as one run.
    const fn only_computes(&self) -> bool {
        self.casts.is_none() && !self.looks && self.past.is_none()
    }
}

/// In what the places are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Rows,
    Blocks,
    Tiles,
}

impl<'a, const N: usize> Walk<'a, N> {
    /// Over a space of at least one place and one axis, which becomes what the walk needs of it: it is too
    /// long to be moved for a call.
    pub(super) fn new(
        kernel: &'a Kernel,
        space: &'a mut Space<N>,
        operands: &[Operand<'_>; N],
        out: Out,
        reach: WorkingSet,
    ) -> Walk<'a, N> {
        let out_size = out.size;
        let mut sizes = operands.each_ref().map(|operand| operand.size);
        let mut reads = operands.each_ref().map(|operand| operand.access);
        let tiled = tiled_axis(space, &reads);
        if let Some(axis) = tiled {
            let near = space.axes.remove(axis);
            space.axes.insert(space.axes.len() - 1, near);
        }
        // A single place has no axis at all.
        let alone = Axis { len: 1, out: out_size.cast_signed(), inputs: [0; N] };
        let one = |k: usize, reads: &[Access; N], space: &Space<N>| match reads[k] {
            Access::Broadcast => true,
            Access::Direct => space.axes.last().is_some_and(|inner| inner.inputs[k] == 0),
            _ => false,
        };
        // A function that takes one element takes it for its second input.
        if kernel.replaceable() == 2 && one(0, &reads, space) && !one(1, &reads, space) {
            space.exchange();
            reads.swap(0, 1);
            sizes.swap(0, 1);
        }
        let held = reads[0] == Access::InPlace;
        let takes_one = kernel.replaceable() > 0 && !held && one(1, &reads, space);
        let inner = space.axes.last().copied().unwrap_or(alone);
        let everywhere = |axes: &[Axis<N>], k: usize| axes.iter().all(|axis: &Axis<N>| axis.inputs[k] == 0);
        let mut access = core::array::from_fn(|k| {
            let (stride, size) = (inner.inputs[k], sizes[k].cast_signed());
            match reads[k] {
                Access::Broadcast => RowAccess::Same,
                _ if everywhere(&space.axes, k) => RowAccess::Same,
                _ if stride == 0 => RowAccess::Spread,
                Access::Direct | Access::InPlace if stride == size => {
                    if space.is_linear(sizes[k], |axis| axis.inputs[k]) {
                        RowAccess::Linear
                    } else {
                        RowAccess::Row
                    }
                }
                _ => RowAccess::Gather,
            }
        });
        let scattered = out.is_staged() || inner.out != out_size.cast_signed();
        let out_linear = !scattered && space.is_linear(out_size, |axis| axis.out);
        space.axes.pop();
        let repeats = |k: usize| everywhere(&space.axes, k);
        // Where rows that lie apart would be copied, a call for each costs less sooner.
        let copies_rows = !out_linear || (0..N).any(|k| access[k] == RowAccess::Row && !repeats(k));
        let greatest = sizes.iter().fold(out_size, |greatest, size| core::cmp::max(greatest, *size));
        let least =
            if takes_one && access[1] == RowAccess::Spread { BLOCK / MAX_ROWS } else { BLOCK / LEAST_ROWS };
        let short = if copies_rows { inner.len < LONG } else { inner.len * greatest <= least };
        let shape = match tiled {
            Some(_) => Shape::Tiles,
            None if short && !space.axes.is_empty() => Shape::Blocks,
            None => Shape::Rows,
        };
        for (k, access) in access.iter_mut().enumerate() {
            match *access {
                RowAccess::Row | RowAccess::Gather if shape == Shape::Blocks && repeats(k) => {
                    *access = RowAccess::Repeat;
                }
                // A block has rows of several elements.
                RowAccess::Spread if shape == Shape::Blocks => {}
                RowAccess::Spread | RowAccess::Same if takes_one && k == 1 => *access = RowAccess::One,
                _ => {}
            }
        }
        let (functions, streams) = kernel.functions(reach);
        let level = Level::active();
        let (copiers, out_copier) =
            (sizes.map(|size| Copier::new(size, level)), Copier::new(out_size, level));
        let broadcast = N > 1 && access[1] == RowAccess::One;
        let writes_in_place = if shape == Shape::Blocks { out_linear } else { !scattered };
        // The rows of a tile are short.
        let streams = streams && writes_in_place && shape != Shape::Tiles;
        let call = Fused::new(functions, broadcast, sizes, out_size, streams);
        Walk {
            kernel,
            space,
            inner,
            copiers,
            out_copier,
            access,
            scattered,
            out_linear,
            call,
            writes_in_place,
            beyond_caches: reach == WorkingSet::Memory,
            in_parts: kernel.is_memory_bound() && reach >= WorkingSet::Spilling,
            held,
            shape,
        }
    }

    /// Computes all places, or with `looks` only looks at the operands for what the op refuses.
    ///
    /// # Safety
    ///
    /// Every address that the axes lead to holds an element of its input, of the size that the kernel has for
    /// it, or has room for a result; no result is written to where something is still to be read, but in the
    /// same place: by an operand that is staged, or by a pipeline that reads a block before it writes it. The
    /// machine has the kernel's level.
    pub(super) unsafe fn run(&self, looks: bool) -> Result<(), CallError> {
        match &self.kernel.pipeline {
            // Once for all places: a block of a row is as soon done as its casts are found.
            Some(pipeline) => {
                let mut casts = PipelineCasts::new();
                self.kernel.fill_casts(pipeline, &mut casts)?;
                // SAFETY: as the caller promises.
                unsafe { self.places(Pass { casts: Some(&casts), looks, past: None }) }
            }
            None if self.can_stream() => {
                debug_assert!(!looks, "a function that waits for memory does not trap");
                // SAFETY: as the caller promises, and as it was asked.
                unsafe { self.streamed() }
            }
            // SAFETY: as the caller promises.
            None => unsafe { self.places(Pass { casts: None, looks, past: None }) },
        }
    }

    /// Whether all results go past the caches as one run.
    ///
    /// They then lie one after another in the order of the walk, by rising addresses. Where an input is what
    /// `out` holds, the function reads it from blocks, to which each place of it is copied before its result
    /// is there.
    fn can_stream(&self) -> bool {
        self.call.streams && self.out_linear && !self.held && self.call.can_stream(self.space.out)
    }

    /// All places, of a function whose results go past the caches.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; [`Walk::can_stream`], so that the function needs no casts, does not trap, and the
    /// machine has AVX.
    #[cold]
    #[inline(never)]
    unsafe fn streamed(&self) -> Result<(), CallError> {
        let mut past = NtWriter::new(self.space.out);
        // SAFETY: as the caller promises.
        let done = unsafe { self.places(Pass { casts: None, looks: false, past: Some(&mut past) }) };
        // SAFETY: what was taken are results, for which there is room from there on.
        unsafe { past.finish() };
        done
    }

    /// All places, in the shape of the walk.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn places(&self, mut pass: Pass<'_, N>) -> Result<(), CallError> {
        // SAFETY: as the caller promises.
        unsafe {
            match self.shape {
                Shape::Rows => self.rows(&mut pass),
                Shape::Blocks => self.blocks(&mut pass),
                Shape::Tiles => self.tiles(&mut pass),
            }
        }
    }

    /// How many places go through blocks of `bytes` at once; all places, where nothing does.
    fn most(&self, bytes: usize) -> usize {
        let used =
            self.access.iter().zip(self.call.sizes).filter(|(access, _)| !self.reads_in_place(**access));
        let greatest =
            used.map(|(_, size)| size).chain((!self.writes_in_place).then_some(self.call.out_size));
        greatest.reduce(core::cmp::max).map_or(usize::MAX, |greatest| bytes / greatest)
    }

    fn reads_in_place(&self, access: RowAccess) -> bool {
        match self.shape {
            Shape::Blocks => matches!(access, RowAccess::Linear | RowAccess::One),
            Shape::Rows | Shape::Tiles => {
                matches!(access, RowAccess::Linear | RowAccess::Row | RowAccess::One)
            }
        }
    }

    /// The call for `m` places, whose operands lie side by side at these addresses.
    ///
    /// # Safety
    ///
    /// As [`in_order`](crate::kernel::run::in_order) of aligned sources and, unless it looks only, a
    /// destination with room that overlaps none, but the first where the function takes it so, and such as
    /// lie in its places where a pipeline casts its results.
    #[inline]
    unsafe fn call(
        &self,
        m: usize,
        inputs: [*const u8; N],
        out: *mut u8,
        pass: &mut Pass<'_, N>,
    ) -> Result<(), CallError> {
        let Some(casts) = pass.casts else {
            let call = &self.call;
            if let Some(past) = pass.past.as_deref_mut() {
                // SAFETY: as below; the next places are those of these results, which can stream, and there
                // is AVX, since there is a `past`.
                return unsafe { call.past(m, inputs, past) };
            }
            let out = if pass.looks { core::ptr::null_mut() } else { out };
            // SAFETY: the inputs have `m` aligned elements, or the second one where that is said, which the
            // function takes; `out` has room for as many. It overlaps none, unless it is the first and the
            // function takes it so; it is null where the op may trap, of which alone there is such a look.
            return unsafe { call.run(m, inputs, out) };
        };
        let operands = core::array::from_fn(|k| Operand::direct(inputs[k], self.call.sizes[k]));
        let out = Out { beyond_caches: self.beyond_caches, ..Out::new(out, self.call.out_size, true) };
        let out = if pass.looks { out.nowhere() } else { out };
        // SAFETY: as the caller promises.
        unsafe { pipeline::run::run(self.kernel, casts, m, &operands, out, Order::Forward) }
    }

    /// Copies `m` elements of an input, which follow one another along a row, to a block.
    ///
    /// # Safety
    ///
    /// There are `m` elements from `pointer` on; the block has room for them, and is of this call alone.
    unsafe fn gather(&self, k: usize, pointer: *const u8, m: usize, block: *mut u8) {
        let from = Run { pointer, stride: self.inner.inputs[k] };
        let to = Run { pointer: block, stride: self.call.sizes[k].cast_signed() };
        // SAFETY: as the caller promises; a block overlaps no operand.
        unsafe { self.copiers[k].copy(m, from, to) };
    }

    /// Fills a block with `m` copies of an element of an input.
    ///
    /// # Safety
    ///
    /// There is an element at `pointer`; the block has room for `m`, and is of this call alone.
    unsafe fn fill(&self, k: usize, pointer: *const u8, m: usize, block: *mut u8) {
        let to = Run { pointer: block, stride: self.call.sizes[k].cast_signed() };
        // SAFETY: as the caller promises; a block overlaps no operand.
        unsafe { self.copiers[k].copy(m, Run { pointer, stride: 0 }, to) };
    }

    /// Copies `m` results from a block to their places along a row.
    ///
    /// # Safety
    ///
    /// The block has `m` results, and there is room for them from `out` on.
    unsafe fn scatter(&self, results: *const u8, m: usize, out: *mut u8) {
        let from = Run { pointer: results, stride: self.call.out_size.cast_signed() };
        // SAFETY: as the caller promises; a block overlaps no operand.
        unsafe { self.out_copier.copy(m, from, Run { pointer: out, stride: self.inner.out }) };
    }
}

/// The axis along which places of some input are near each other that are far apart along the innermost one.
fn tiled_axis<const N: usize>(space: &Space<N>, reads: &[Access; N]) -> Option<usize> {
    /// Axes that are shorter are not worth a tile.
    const SHORT: usize = 4;
    let (inner, outer) = space.axes.split_last()?;
    let near = |k: usize| {
        let stride = |axis: &Axis<N>| axis.inputs[k].unsigned_abs();
        let far = reads[k] != Access::Broadcast && stride(inner) >= LINE;
        let long = outer.iter().enumerate().filter(|(_, axis)| axis.len >= SHORT && stride(axis) > 0);
        let found = long.min_by_key(|(_, axis)| stride(axis)).filter(|(_, axis)| far && stride(axis) < LINE);
        found.map(|(at, _)| at)
    };
    if inner.len < SHORT { None } else { (0..N).find_map(near) }
}
