//! The walk of a call over all its elements: in rows, in blocks of short rows, or in tiles.
//!
//! - A **row** lies along the innermost axis. Operands that are contiguous there are read in place; others
//!   are copied to blocks.
//! - A **block** takes several short rows. Operands whose rows do not follow one another in memory are copied
//!   to it.
//! - **Tiles** of two axes are used for an operand that is strided along the innermost axis and nearly
//!   contiguous along another one (a transpose). Rows would use a few bytes of each of its cache lines.

mod blocks;
mod rows;

use crate::error::call::CallError;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::fused::{Fused, Stores};
use crate::kernel::handle::Kernel;
use crate::kernel::pipeline::{self, Pipeline};
use crate::level::Level;
use crate::memory::axes::{Axis, Space};
use crate::memory::non_temporal::{NtWriter, WorkingSet};
use crate::memory::operand::{Access, Operand, Out};
use crate::memory::staging::{BLOCK, Order};

/// The length from which a row of single bytes is a call of its own, if a block of rows would have to be
/// copied. For larger elements, this length is divided by the square of their size: they take longer to copy,
/// and fewer of them fill a vector.
const LONG: usize = 256;

/// The least number of rows in a block that needs no copy of rows.
const MIN_ROWS: usize = 4;
/// The least number of rows in a block that copies an operand which the function could take as one element of
/// each row.
const MIN_ROWS_WITH_COPIES: usize = 32;

/// The bytes of a tile of the smallest elements.
const TILE: usize = 4 * BLOCK;
/// The bytes of a row of a tile: whole cache lines of an operand, so that each line is read once.
const TILE_ROW: usize = 128;

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowAccess {
    /// In place, and each row begins where the one before it ends.
    Linear,
    /// In place, row by row.
    Row,
    /// One element for the whole call, from a block that is filled once.
    FilledOnce,
    /// One row for the whole call, from a block that is filled once with copies of it.
    RepeatedRow,
    /// One element for each row, from a block that is filled for the row.
    FilledPerRow,
    /// One element for each row or for the whole call, in place: the function takes one element.
    Broadcast,
    /// From a block to which the elements are copied.
    Copied,
}

impl RowAccess {
    const fn is_in_place(self) -> bool {
        matches!(self, RowAccess::Linear | RowAccess::Row | RowAccess::Broadcast)
    }
}

/// A call of a kernel for all elements.
#[allow(clippy::struct_excessive_bools, reason = "they are answers to questions of their own")]
pub(super) struct Walk<'a, const N: usize> {
    kernel: &'a Kernel,
    /// The elements, without the innermost axis.
    space: &'a Space<N>,
    inner: Axis<N>,
    copiers: [Copier; N],
    out_copier: Copier,
    access: [RowAccess; N],
    /// The function, as it is called without casts, and the sizes of elements.
    call: Fused<N>,
    /// True if results are written in place: they are aligned, and contiguous along a row, or in blocks
    /// throughout.
    writes_in_place: bool,
    /// True if one writer can store all results past the caches, in the order of the walk: they are
    /// contiguous throughout, and the function does not compute in place.
    streams: bool,
    /// True if the call does not fit in the caches.
    beyond_caches: bool,
    /// True if strided operands are read in parts of
    /// [`non_temporal::PART`](crate::memory::non_temporal::PART), so that the others do not wait.
    in_parts: bool,
    shape: Shape,
}

/// What a walk does.
struct Pass<'a> {
    pipeline: Option<&'a Pipeline>,
    /// True if operands are only checked.
    checks: bool,
    /// The writer of all results, if they go past the caches.
    writer: Option<&'a mut NtWriter>,
}

impl Pass<'_> {
    /// Returns true if the function writes results where they belong, without casts.
    const fn only_computes(&self) -> bool {
        self.pipeline.is_none() && !self.checks && self.writer.is_none()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Rows,
    Blocks,
    Tiles,
}

impl<'a, const N: usize> Walk<'a, N> {
    /// Returns the walk over a space of at least one element, which loses its innermost axis. The space is
    /// borrowed, because it is too large to be moved for a call.
    pub(super) fn new(
        kernel: &'a Kernel,
        space: &'a mut Space<N>,
        operands: &[Operand<'_>; N],
        out: Out,
        working_set: WorkingSet,
    ) -> Walk<'a, N> {
        let out_size = out.size;
        let mut sizes = operands.each_ref().map(|operand| operand.size);
        let mut reads = operands.each_ref().map(|operand| operand.access);
        let tiled = tiled_axis(space, &reads);
        if let Some(axis) = tiled {
            let near = space.axes.remove(axis);
            space.axes.insert(space.axes.len() - 1, near);
        }
        // A single element has no axis.
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
                Access::Broadcast => RowAccess::FilledOnce,
                _ if everywhere(&space.axes, k) => RowAccess::FilledOnce,
                _ if stride == 0 => RowAccess::FilledPerRow,
                Access::Direct | Access::InPlace if stride == size => {
                    if space.is_linear(sizes[k], |axis| axis.inputs[k]) {
                        RowAccess::Linear
                    } else {
                        RowAccess::Row
                    }
                }
                _ => RowAccess::Copied,
            }
        });
        let scattered = out.is_staged() || inner.out != out_size.cast_signed();
        let out_linear = !scattered && space.is_linear(out_size, |axis| axis.out);
        space.axes.pop();
        let repeats = |k: usize| everywhere(&space.axes, k);
        // A call for each row costs less than a block as soon as rows would have to be copied to it.
        let copies_rows = !out_linear || (0..N).any(|k| access[k] == RowAccess::Row && !repeats(k));
        let greatest = sizes.iter().fold(out_size, |greatest, size| core::cmp::max(greatest, *size));
        let least = if takes_one && access[1] == RowAccess::FilledPerRow {
            BLOCK / MIN_ROWS_WITH_COPIES
        } else {
            BLOCK / MIN_ROWS
        };
        let short =
            if copies_rows { inner.len * greatest * greatest < LONG } else { inner.len * greatest <= least };
        let shape = match tiled {
            Some(_) => Shape::Tiles,
            None if short && !space.axes.is_empty() => Shape::Blocks,
            None => Shape::Rows,
        };
        for (k, access) in access.iter_mut().enumerate() {
            let blocks = shape == Shape::Blocks;
            *access = match *access {
                RowAccess::Row | RowAccess::Copied if blocks && repeats(k) => RowAccess::RepeatedRow,
                RowAccess::Row if blocks => RowAccess::Copied,
                // A block has rows of several elements.
                RowAccess::FilledPerRow if blocks => RowAccess::FilledPerRow,
                RowAccess::FilledPerRow | RowAccess::FilledOnce if takes_one && k == 1 => {
                    RowAccess::Broadcast
                }
                other => other,
            };
        }
        let (functions, stores) = kernel.functions(working_set);
        let level = Level::active();
        let (copiers, out_copier) =
            (sizes.map(|size| Copier::new(size, level)), Copier::new(out_size, level));
        let broadcast = N > 1 && access[1] == RowAccess::Broadcast;
        let writes_in_place = if shape == Shape::Blocks { out_linear } else { !scattered };
        // The rows of a tile are short.
        let streams = writes_in_place && shape != Shape::Tiles;
        let stores = if stores == Stores::NonTemporal && !streams { Stores::Lines } else { stores };
        let streams = stores == Stores::NonTemporal;
        let call = Fused::new(functions, broadcast, sizes, out_size, stores);
        Walk {
            kernel,
            space,
            inner,
            copiers,
            out_copier,
            access,
            call,
            writes_in_place,
            streams: streams && out_linear && !held,
            beyond_caches: working_set == WorkingSet::Memory,
            in_parts: kernel.is_memory_bound() && working_set != WorkingSet::Private,
            shape,
        }
    }

    /// Computes all elements, or with `checks` only checks the operands for values that the op refuses.
    ///
    /// # Safety
    ///
    /// Every address that the axes lead to holds an element of its input, of the size that the kernel has for
    /// it, or has room for a result. No result is written to where something is still to be read, except at
    /// its own index: of an operand that is staged, or by a pipeline, which reads a block before it writes.
    /// The machine has the kernel's level.
    pub(super) unsafe fn run(&self, checks: bool) -> Result<(), CallError> {
        let pipeline = self.kernel.pipeline.as_ref();
        // A function whose operand is `out` reads it from blocks, to which each element is copied before its
        // result is stored.
        if pipeline.is_none() && self.streams && self.call.can_stream(self.space.out) {
            debug_assert!(!checks, "a function that waits for memory does not trap");
            let mut writer = NtWriter::new(self.space.out);
            // SAFETY: as the caller promises; where results stream there is AVX, and room for all that the
            // writer takes.
            return unsafe {
                let done = self.in_shape(Pass { pipeline, checks, writer: Some(&mut writer) });
                writer.finish();
                done
            };
        }
        // SAFETY: as the caller promises.
        unsafe { self.in_shape(Pass { pipeline, checks, writer: None }) }
    }

    /// Walks in the shape that was chosen.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn in_shape(&self, mut pass: Pass<'_>) -> Result<(), CallError> {
        // SAFETY: as the caller promises.
        unsafe {
            match self.shape {
                Shape::Rows => self.rows(&mut pass),
                Shape::Blocks => self.blocks(&mut pass),
                Shape::Tiles => self.tiles(&mut pass),
            }
        }
    }

    /// Returns how many elements blocks of `bytes` hold of each operand that needs one; `usize::MAX` if none
    /// does.
    fn most(&self, bytes: usize) -> usize {
        let used = self.access.iter().zip(self.call.sizes).filter(|(access, _)| !access.is_in_place());
        let greatest =
            used.map(|(_, size)| size).chain((!self.writes_in_place).then_some(self.call.out_size));
        greatest.reduce(core::cmp::max).map_or(usize::MAX, |greatest| bytes / greatest)
    }

    /// Calls the kernel for `m` elements, whose operands are contiguous at these addresses.
    ///
    /// # Safety
    ///
    /// As [`fused`](crate::kernel::run::fused), of aligned operands. Unless the pass only checks, there
    /// is room for results, which overlaps no operand except the first one where the function takes it so,
    /// and operands at equal positions where a pipeline casts its results.
    #[inline]
    unsafe fn call(
        &self,
        m: usize,
        inputs: [*const u8; N],
        out: *mut u8,
        pass: &mut Pass<'_>,
    ) -> Result<(), CallError> {
        let Some(pipeline) = pass.pipeline else {
            let call = &self.call;
            if let Some(writer) = pass.writer.as_deref_mut() {
                // SAFETY: as below; these results follow those before them, can stream, and there is AVX,
                // since there is a writer.
                return unsafe { call.run_non_temporal(m, inputs, writer) };
            }
            let out = if pass.checks { core::ptr::null_mut() } else { out };
            // SAFETY: the inputs have `m` aligned elements, or the second one where that is said, which the
            // function takes; `out` has room for as many. It overlaps none, unless it is the first and the
            // function takes it so; it is null where the op may trap, of which alone there is such a look.
            return unsafe { call.run(m, inputs, out) };
        };
        let operands: [_; N] = core::array::from_fn(|k| Operand::direct(inputs[k], self.call.sizes[k]));
        let out = Out { beyond_caches: self.beyond_caches, ..Out::new(out, self.call.out_size, true) };
        let out = if pass.checks { out.nowhere() } else { out };
        // SAFETY: as the caller promises.
        unsafe { pipeline::run::run(self.kernel, pipeline, m, &operands, out, Order::Forward) }
    }

    /// Copies `m` elements of an input, from `pointer` on along a row, to a block.
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

    /// Copies `m` results from a block to a row.
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

/// Returns the axis along which an input has several elements in a cache line, if the innermost axis is not
/// that one.
fn tiled_axis<const N: usize>(space: &Space<N>, reads: &[Access; N]) -> Option<usize> {
    /// Axes that are shorter are not worth a tile.
    const SHORT: usize = 4;
    let (inner, outer) = space.axes.split_last()?;
    let near = |k: usize| {
        let stride = |axis: &Axis<N>| axis.inputs[k].unsigned_abs();
        let far = reads[k] != Access::Broadcast && stride(inner) >= TILE_ROW;
        let long = outer.iter().enumerate().filter(|(_, axis)| axis.len >= SHORT && stride(axis) > 0);
        let found =
            long.min_by_key(|(_, axis)| stride(axis)).filter(|(_, axis)| far && stride(axis) < TILE_ROW);
        found.map(|(at, _)| at)
    };
    if inner.len < SHORT { None } else { (0..N).find_map(near) }
}
