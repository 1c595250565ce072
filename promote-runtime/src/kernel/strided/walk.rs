//! The walk of a call over all its places: in rows, in blocks of short rows, or in tiles.
//!
//! - A **row** is what lies along the innermost axis. Operands that lie side by side there are read where they lie; others go through blocks.
//! - Where rows are short, a block takes several, and every operand that does not lie side by side throughout goes through one.
//! - An operand whose places are far apart along the innermost axis, and near along another one (a transpose), would use a few bytes of each
//!   cache line it touches. Both axes are then walked in tiles.

#![allow(clippy::needless_range_loop, reason = "`k` is an input, which has its place in several arrays")]

use super::axes::{Axis, Odometer, Space, parts};
use super::gather::{Copier, Run};
use crate::kernel::block::Block;
use crate::kernel::chain::Chains;
use crate::kernel::error::CallError;
use crate::kernel::fused::Fused;
use crate::kernel::run::{Plan, blocked};
use crate::kernel::scalar::ScalarValue;
use crate::kernel::stage::{BLOCK, Order, Sink, Source};
use crate::level::Level;

/// From how many places on a row is called by itself, where it lies apart from others.
const LONG: usize = 256;

/// How many rows a block takes at least, of such as need not be copied for it.
const LEAST_ROWS: usize = 4;
/// The same where an operand is copied that need not be, row by row.
const MOST_ROWS: usize = 64;

/// The bytes of a tile of the smallest elements, and of a row of it: cache lines of an operand that are read together, so
/// that each is read once.
const TILE: usize = 4 * BLOCK;
const LINE: usize = 128;

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Where it lies; throughout, the next row goes on where one ends.
    Linear,
    /// Where it lies, row by row.
    Row,
    /// The same element for every place: from a block that is filled once.
    Same,
    /// The same row for every row: where it lies, or from a block that is filled once with as many as it holds.
    Repeat,
    /// The same element for a whole row: from a block that is filled for each.
    Spread,
    /// The same element for a whole row, or for every place: where it lies, by a function that takes one element.
    One,
    /// Copied to a block.
    Gather,
}

/// An input of a walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    /// Of a scalar, its value.
    pub(super) scalar: Option<&'a ScalarValue>,
    /// Whether a kernel can read the elements where they lie, and does not write there.
    pub(super) direct: bool,
    /// Whether they are what `out` holds, and the function takes that for its first input.
    pub(super) held: bool,
}

/// A call of a plan for all places.
pub(super) struct Walk<'a, P, const N: usize> {
    plan: &'a P,
    /// The places, without the innermost axis.
    space: &'a Space<N>,
    inner: Axis<N>,
    sizes: [usize; N],
    copiers: [Copier; N],
    out_size: usize,
    out_copier: Copier,
    access: [Access; N],
    /// Of a scalar, its value.
    scalars: [Option<&'a ScalarValue>; N],
    /// Whether results go through a block: along a row they lie apart, or are not aligned.
    scattered: bool,
    /// The same, looking at all rows together.
    out_linear: bool,
    shape: Shape,
}

/// What is done on a walk.
#[derive(Clone, Copy)]
struct Pass<'a> {
    /// The casts of a plan in blocks.
    chains: Option<&'a Chains>,
    /// Whether operands are only looked at.
    looks: bool,
}

/// In what the places are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Rows,
    Blocks,
    Tiles,
}

impl<'a, P: Plan<N>, const N: usize> Walk<'a, P, N> {
    /// Over a space of at least one place and one axis, which becomes what the walk needs of it: it is too long to be moved for a call.
    pub(super) fn new(
        plan: &'a P,
        space: &'a mut Space<N>,
        mut readings: [Reading<'a>; N],
        out_aligned: bool,
    ) -> Walk<'a, P, N> {
        let (sizes, out_size): ([usize; N], usize) =
            (core::array::from_fn(|k| plan.size(k)), plan.out_size());
        let tiled = tiled_axis(space, &readings);
        if let Some(axis) = tiled {
            let near = space.axes.remove(axis);
            space.axes.insert(space.axes.len() - 1, near);
        }
        // A single place has no axis at all.
        let alone = Axis { len: 1, out: out_size.cast_signed(), inputs: [0; N] };
        let one = |k: usize, readings: &[Reading<'_>; N], space: &Space<N>| {
            let Reading { scalar, direct, .. } = readings[k];
            scalar.is_some() || direct && space.axes.last().is_some_and(|inner| inner.inputs[k] == 0)
        };
        // A function that takes one element takes it for its second input.
        if plan.replaceable() == 2 && one(0, &readings, space) && !one(1, &readings, space) {
            space.exchange();
            readings.swap(0, 1);
        }
        let takes_one = plan.replaceable() > 0 && !readings[0].held && one(1, &readings, space);
        let inner = space.axes.last().copied().unwrap_or(alone);
        let everywhere = |axes: &[Axis<N>], k: usize| axes.iter().all(|axis: &Axis<N>| axis.inputs[k] == 0);
        let mut access = core::array::from_fn(|k| {
            let (stride, size) = (inner.inputs[k], sizes[k].cast_signed());
            match readings[k] {
                Reading { scalar: Some(_), .. } => Access::Same,
                _ if everywhere(&space.axes, k) => Access::Same,
                _ if stride == 0 => Access::Spread,
                Reading { direct: true, .. } if stride == size => {
                    if space.is_linear(sizes[k], |axis| axis.inputs[k]) {
                        Access::Linear
                    } else {
                        Access::Row
                    }
                }
                _ => Access::Gather,
            }
        });
        let scattered = !out_aligned || inner.out != out_size.cast_signed();
        let out_linear = !scattered && space.is_linear(out_size, |axis| axis.out);
        space.axes.pop();
        let repeats = |k: usize| everywhere(&space.axes, k);
        // Where rows that lie apart would be copied, a call for each costs less sooner.
        let copies_rows = !out_linear || (0..N).any(|k| access[k] == Access::Row && !repeats(k));
        let greatest = sizes.iter().fold(out_size, |greatest, size| core::cmp::max(greatest, *size));
        let least =
            if takes_one && access[1] == Access::Spread { BLOCK / MOST_ROWS } else { BLOCK / LEAST_ROWS };
        let short = if copies_rows { inner.len < LONG } else { inner.len * greatest <= least };
        let shape = match tiled {
            Some(_) => Shape::Tiles,
            None if short && !space.axes.is_empty() => Shape::Blocks,
            None => Shape::Rows,
        };
        for (k, access) in access.iter_mut().enumerate() {
            match *access {
                Access::Row | Access::Gather if shape == Shape::Blocks && repeats(k) => {
                    *access = Access::Repeat
                }
                // A block has rows of several elements.
                Access::Spread if shape == Shape::Blocks => {}
                Access::Spread | Access::Same if takes_one && k == 1 => *access = Access::One,
                _ => {}
            }
        }
        let scalars = readings.map(|reading| reading.scalar);
        let level = Level::active();
        let (copiers, out_copier) =
            (sizes.map(|size| Copier::new(size, level)), Copier::new(out_size, level));
        Walk {
            plan,
            space,
            inner,
            sizes,
            copiers,
            out_size,
            out_copier,
            access,
            scalars,
            scattered,
            out_linear,
            shape,
        }
    }

    /// Computes all places, or with `looks` only looks at the operands for what the op refuses.
    ///
    /// # Safety
    ///
    /// Every address that the axes lead to holds an element of its input, of the size that the plan has for it, or has room for a result; no
    /// result is written to where something is still to be read, but in the same place: by a reading that is not direct, or by a plan that reads a
    /// block before it writes it. The machine has the plan's level.
    pub(super) unsafe fn run(&self, looks: bool) -> Result<(), CallError> {
        match self.plan.home() {
            // Once for all places: a block of a row is as soon done as its casts are found.
            Some(home) => self.plan.with_chains(home, |chains| {
                // SAFETY: as the caller promises.
                unsafe { self.places(Pass { chains: Some(chains), looks }) }
            }),
            // SAFETY: as the caller promises.
            None => unsafe { self.places(Pass { chains: None, looks }) },
        }
    }

    /// All places, in the shape of the walk.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn places(&self, pass: Pass<'_>) -> Result<(), CallError> {
        // SAFETY: as the caller promises.
        unsafe {
            match self.shape {
                Shape::Rows => self.rows(pass),
                Shape::Blocks => self.blocks(pass),
                Shape::Tiles => self.tiles(pass),
            }
        }
    }

    /// How many places go through blocks of `bytes` at once; all places, where nothing does.
    fn most(&self, bytes: usize) -> usize {
        let used = self.access.iter().zip(self.sizes).filter(|(access, _)| !self.reads_in_place(**access));
        let written_in_place = if self.shape == Shape::Blocks { self.out_linear } else { !self.scattered };
        let greatest = used.map(|(_, size)| size).chain((!written_in_place).then_some(self.out_size));
        greatest.reduce(core::cmp::max).map_or(usize::MAX, |greatest| bytes / greatest)
    }

    fn reads_in_place(&self, access: Access) -> bool {
        match self.shape {
            Shape::Blocks => matches!(access, Access::Linear | Access::One),
            Shape::Rows | Shape::Tiles => matches!(access, Access::Linear | Access::Row | Access::One),
        }
    }

    /// The call for `m` places, whose operands lie side by side at these addresses.
    ///
    /// # Safety
    ///
    /// As [`in_order`](crate::kernel::run::in_order) of aligned sources and, unless it looks only, a destination with room that overlaps none, but the first where the function takes
    /// it so, and such as lie in its places where a plan casts its results.
    #[inline]
    unsafe fn call(
        &self,
        m: usize,
        inputs: [*const u8; N],
        out: *mut u8,
        pass: Pass<'_>,
    ) -> Result<(), CallError> {
        let Some(chains) = pass.chains else {
            let out = if pass.looks { core::ptr::null_mut() } else { out };
            let one = N > 1 && self.access[1] == Access::One;
            let call = Fused { raw: self.plan.raw(), sizes: self.sizes, out_size: self.out_size, one };
            // SAFETY: the inputs have `m` aligned elements, or the second one where that is said, which the function takes; `out` has room for as many. It
            // overlaps none, unless it is the first and the function takes it so; it is null where the op may trap, of which alone there is such a look.
            return unsafe { call.run(m, inputs, out) };
        };
        let sink = Sink::new(out, self.out_size, false);
        let sink = if pass.looks { sink.nowhere() } else { sink };
        // SAFETY: as the caller promises.
        unsafe { blocked(self.plan, chains, m, &inputs.map(Source::Aligned), sink, Order::Forward) }
    }

    /// Fills a block with `m` times the element of an input that is the same for them.
    ///
    /// # Safety
    ///
    /// There is an element at `pointer`, unless the input is a scalar; the block has room for `m`.
    unsafe fn fill(&self, k: usize, pointer: *const u8, m: usize, block: *mut u8) {
        if let Some(value) = self.scalars[k] {
            // SAFETY: the caller promises room; a block is aligned.
            unsafe { value.fill(block, m) };
        } else {
            let to = Run { pointer: block, stride: self.sizes[k].cast_signed() };
            // SAFETY: the caller promises the element and room for `m`; a block overlaps no operand.
            unsafe { self.copiers[k].copy(m, Run { pointer, stride: 0 }, to) };
        }
    }

    /// Row by row.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn rows(&self, pass: Pass<'_>) -> Result<(), CallError> {
        let (mut blocks, mut results) = ([const { Block::<BLOCK>::new() }; N], Block::<BLOCK>::new());
        let (blocks, results) = (blocks.each_mut().map(Block::pointer), results.pointer());
        let (inner, outer) = (&self.inner, self.space.axes.as_slice());
        let most = core::cmp::min(self.most(BLOCK), inner.len);
        let copied = |access: &Access| matches!(access, Access::Spread | Access::Gather);
        if most == inner.len && !self.scattered && !self.access.iter().any(copied) {
            for k in (0..N).filter(|k| self.access[*k] == Access::Same) {
                // SAFETY: there is such an element, as the caller promises; a block has room for `most`.
                unsafe { self.fill(k, self.space.inputs[k], most, blocks[k]) };
            }
            // SAFETY: as the caller promises; the blocks are filled.
            return unsafe { self.whole_rows(&blocks, pass) };
        }
        let count: usize = outer.iter().map(|axis| axis.len).product();
        let mut row = Odometer::new(self.space, outer);
        for r in 0..count {
            for k in 0..N {
                if self.access[k] == Access::Spread || self.access[k] == Access::Same && r == 0 {
                    // SAFETY: the row's first element is there, as the caller promises; a block has room for `most`.
                    unsafe { self.fill(k, row.inputs[k], most, blocks[k]) };
                }
            }
            // SAFETY: as the caller promises; the blocks that are filled are.
            unsafe { self.row(&row, inner, most, &blocks, results, pass) }?;
            row.advance(outer);
        }
        Ok(())
    }

    /// Row by row, of which nothing is copied.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; the blocks of what is the same for all places are filled for a row.
    unsafe fn whole_rows(&self, blocks: &[*mut u8; N], pass: Pass<'_>) -> Result<(), CallError> {
        let alone = Axis { len: 1, out: 0, inputs: [0; N] };
        let (near, outer) = self.space.axes.split_last().unwrap_or((&alone, &[]));
        let count: usize = outer.iter().map(|axis| axis.len).product();
        let mut first = Odometer::new(self.space, outer);
        for _ in 0..count {
            let (mut inputs, mut out) = (first.inputs, first.out);
            for k in (0..N).filter(|k| self.access[*k] == Access::Same) {
                inputs[k] = blocks[k].cast_const();
            }
            for _ in 0..near.len {
                // SAFETY: the inputs have a row of aligned elements each, and `out` has room for as many results, aligned; it overlaps no input, but
                // the first where the function takes it so, and such as a plan reads before it writes.
                unsafe { self.call(self.inner.len, inputs, out, pass) }?;
                out = out.wrapping_offset(near.out);
                for k in 0..N {
                    inputs[k] = inputs[k].wrapping_offset(near.inputs[k]);
                }
            }
            first.advance(outer);
        }
        Ok(())
    }

    /// One row, `most` places at once.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; the blocks of what is the same for a row are filled, and all have room for `most` elements.
    #[inline(always)]
    unsafe fn row(
        &self,
        row: &Odometer<N>,
        inner: &Axis<N>,
        most: usize,
        blocks: &[*mut u8; N],
        results: *mut u8,
        pass: Pass<'_>,
    ) -> Result<(), CallError> {
        for (from, m) in parts(inner.len, most) {
            let at = from.cast_signed();
            let mut inputs = [core::ptr::null(); N];
            for k in 0..N {
                let pointer = row.inputs[k].wrapping_offset(at * inner.inputs[k]);
                inputs[k] = match self.access[k] {
                    Access::Linear | Access::Row | Access::One => pointer,
                    // There are none such but in blocks.
                    Access::Repeat | Access::Same | Access::Spread => blocks[k].cast_const(),
                    Access::Gather => {
                        let from = Run { pointer, stride: inner.inputs[k] };
                        let to = Run { pointer: blocks[k], stride: self.sizes[k].cast_signed() };
                        // SAFETY: the row has `m` elements from there on, and the block has room for them; it is of this call alone.
                        unsafe { self.copiers[k].copy(m, from, to) };
                        blocks[k].cast_const()
                    }
                };
            }
            let out = row.out.wrapping_offset(at * inner.out);
            let place = if self.scattered { results } else { out };
            // SAFETY: the inputs have `m` aligned elements each; `place` has room for `m` results, aligned, and overlaps no input: those
            // that lie where the results go are in blocks.
            unsafe { self.call(m, inputs, place, pass) }?;
            if self.scattered && !pass.looks {
                let from = Run { pointer: results.cast_const(), stride: self.out_size.cast_signed() };
                // SAFETY: the call has written `m` results to the block; the row has room for them from there on.
                unsafe { self.out_copier.copy(m, from, Run { pointer: out, stride: inner.out }) };
            }
        }
        Ok(())
    }

    /// Several rows at once.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn blocks(&self, pass: Pass<'_>) -> Result<(), CallError> {
        let (mut blocks, mut results) = ([const { Block::<BLOCK>::new() }; N], Block::<BLOCK>::new());
        let (blocks, results) = (blocks.each_mut().map(Block::pointer), results.pointer());
        let (inner, outer) = (&self.inner, self.space.axes.as_slice());
        let total = self.space.len() * inner.len;
        // Whole rows, so that every block begins with one.
        let most = core::cmp::min(self.most(BLOCK), BLOCK);
        let rows = core::cmp::max(1, most / inner.len);
        let most = rows * inner.len;
        let count = core::cmp::min(rows, self.space.len());
        for k in 0..N {
            let pointer = self.space.inputs[k];
            match self.access[k] {
                // SAFETY: there is such an element, as the caller promises; a block has room for as many rows.
                Access::Same => unsafe { self.fill(k, pointer, count * inner.len, blocks[k]) },
                Access::Repeat => {
                    let from = Run { pointer, stride: inner.inputs[k] };
                    // SAFETY: there is such a row, as the caller promises; a block has room for so many.
                    unsafe { self.copiers[k].copy_rows([count, inner.len], from, 0, blocks[k]) };
                }
                _ => {}
            }
        }
        let gathered = |k: &usize| matches!(self.access[*k], Access::Row | Access::Spread | Access::Gather);
        let gathers = (0..N).any(|k| gathered(&k));
        let near = |k: usize| outer.last().map_or(0, |axis| axis.inputs[k]);
        // One goes on where rows are read, the other where they are written.
        let mut row = Odometer::new(self.space, outer);
        let mut result = row.clone();
        for (from, m) in parts(total, most) {
            let count = m / inner.len;
            let mut done = 0;
            while done < count && gathers {
                let rows = core::cmp::min(count - done, row.left(outer));
                for k in (0..N).filter(gathered) {
                    let from = Run { pointer: row.inputs[k], stride: inner.inputs[k] };
                    let to = blocks[k].wrapping_add(done * inner.len * self.sizes[k]);
                    // SAFETY: so many rows follow along the last of the other axes, and the block has room for `count` of them in all.
                    unsafe { self.copiers[k].copy_rows([rows, inner.len], from, near(k), to) };
                }
                row.advance_by(rows, outer);
                done += rows;
            }
            let inputs = core::array::from_fn(|k| match self.access[k] {
                Access::Linear => self.space.inputs[k].wrapping_add(from * self.sizes[k]),
                Access::One => self.space.inputs[k],
                _ => blocks[k].cast_const(),
            });
            let place =
                if self.out_linear { self.space.out.wrapping_add(from * self.out_size) } else { results };
            // SAFETY: the inputs have `m` aligned elements; `place` has room for `m` results, aligned, and overlaps no input, unless it is the
            // first and the function takes it so.
            unsafe { self.call(m, inputs, place, pass) }?;
            if self.out_linear || pass.looks {
                continue;
            }
            for r in 0..count {
                let from = results.cast_const().wrapping_add(r * inner.len * self.out_size);
                let from = Run { pointer: from, stride: self.out_size.cast_signed() };
                // SAFETY: the call has written `m` results to the block; the row has room for as many as it is long.
                unsafe {
                    self.out_copier.copy(inner.len, from, Run { pointer: result.out, stride: inner.out });
                };
                result.advance(outer);
            }
        }
        Ok(())
    }

    /// In tiles of the two innermost axes.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    unsafe fn tiles(&self, pass: Pass<'_>) -> Result<(), CallError> {
        let (mut blocks, mut tiles) =
            ([const { Block::<BLOCK>::new() }; N], [const { Block::<TILE>::new() }; N]);
        let mut results = Block::<BLOCK>::new();
        let (blocks, tiles) = (blocks.each_mut().map(Block::pointer), tiles.each_mut().map(Block::pointer));
        let results = results.pointer();
        let inner = &self.inner;
        // Only where there is an axis beside the innermost one are there tiles.
        let Some((near, outer)) = self.space.axes.split_last() else { return Ok(()) };
        let size = self.sizes.iter().copied().chain([self.out_size]).fold(1, core::cmp::max);
        let (rows, cols) = (LINE / size, TILE / LINE);
        let is_tiled = |k: usize| self.access[k] == Access::Gather && near.inputs[k] != 0;
        let count: usize = outer.iter().map(|axis| axis.len).product();
        let mut all = Odometer::new(self.space, outer);
        for k in 0..N {
            if self.access[k] == Access::Same {
                // SAFETY: there is such an element, as the caller promises; a block has room for a row of a tile.
                unsafe { self.fill(k, self.space.inputs[k], core::cmp::min(cols, inner.len), blocks[k]) };
            }
        }
        for _ in 0..count {
            for (i, rows) in parts(near.len, rows) {
                for (j, cols) in parts(inner.len, cols) {
                    let corner = |first: *const u8, k: usize| {
                        let (i, j) = (i.cast_signed() * near.inputs[k], j.cast_signed() * inner.inputs[k]);
                        first.wrapping_offset(i + j)
                    };
                    for k in (0..N).filter(|k| is_tiled(*k)) {
                        let from = Run { pointer: corner(all.inputs[k], k), stride: inner.inputs[k] };
                        // SAFETY: there are as many rows and columns from there on, and a tile has room for `rows` times `cols` of the
                        // largest elements.
                        unsafe { self.copiers[k].copy_tile([rows, cols], from, near.inputs[k], tiles[k]) };
                    }
                    for r in 0..rows {
                        let mut inputs = blocks.map(<*mut u8>::cast_const);
                        for k in 0..N {
                            let pointer =
                                corner(all.inputs[k], k).wrapping_offset(r.cast_signed() * near.inputs[k]);
                            let to = Run { pointer: blocks[k], stride: self.sizes[k].cast_signed() };
                            match self.access[k] {
                                Access::Linear | Access::Row | Access::One => inputs[k] = pointer,
                                Access::Same | Access::Repeat => {}
                                _ if is_tiled(k) => {
                                    inputs[k] = tiles[k].cast_const().wrapping_add(r * cols * self.sizes[k]);
                                }
                                Access::Spread | Access::Gather => {
                                    let from = Run { pointer, stride: inner.inputs[k] };
                                    // SAFETY: the row has `cols` elements from there on, and a block has room for them.
                                    unsafe { self.copiers[k].copy(cols, from, to) };
                                }
                            }
                        }
                        let out = (i + r).cast_signed() * near.out + j.cast_signed() * inner.out;
                        let out = all.out.wrapping_offset(out);
                        let place = if self.scattered { results } else { out };
                        // SAFETY: the inputs have `cols` elements each; `place` has room for as many results, aligned, and overlaps no
                        // input: those that lie where results go are in blocks or tiles.
                        unsafe { self.call(cols, inputs, place, pass) }?;
                        if self.scattered && !pass.looks {
                            let from =
                                Run { pointer: results.cast_const(), stride: self.out_size.cast_signed() };
                            // SAFETY: the call has written the results to the block, and the row has room for them.
                            unsafe {
                                self.out_copier.copy(cols, from, Run { pointer: out, stride: inner.out });
                            };
                        }
                    }
                }
            }
            all.advance(outer);
        }
        Ok(())
    }
}

/// Copies the elements of an input, of `size` bytes, to the places of `out`.
///
/// # Safety
///
/// Every address that the axes lead to holds an element, or has room for one; the two do not overlap.
pub(super) unsafe fn copy_all(space: &Space<1>, size: usize) {
    let alone = Axis { len: 1, out: size.cast_signed(), inputs: [size.cast_signed()] };
    let (inner, outer) = space.axes.split_last().unwrap_or((&alone, &[]));
    let count: usize = outer.iter().map(|axis| axis.len).product();
    let copier = Copier::new(size, Level::active());
    let mut row = Odometer::new(space, outer);
    for _ in 0..count {
        let from = Run { pointer: row.inputs[0], stride: inner.inputs[0] };
        // SAFETY: a row has as many elements, and room for them, as the caller promises.
        unsafe { copier.copy(inner.len, from, Run { pointer: row.out, stride: inner.out }) };
        row.advance(outer);
    }
}

/// The axis along which places of some input are near each other that are far apart along the innermost one.
fn tiled_axis<const N: usize>(space: &Space<N>, readings: &[Reading<'_>; N]) -> Option<usize> {
    /// Axes that are shorter are not worth a tile.
    const SHORT: usize = 4;
    let (inner, outer) = space.axes.split_last()?;
    let near = |k: usize| {
        let stride = |axis: &Axis<N>| axis.inputs[k].unsigned_abs();
        let far = readings[k].scalar.is_none() && stride(inner) >= LINE;
        let long = outer.iter().enumerate().filter(|(_, axis)| axis.len >= SHORT && stride(axis) > 0);
        let found = long.min_by_key(|(_, axis)| stride(axis)).filter(|(_, axis)| far && stride(axis) < LINE);
        found.map(|(at, _)| at)
    };
    if inner.len < SHORT { None } else { (0..N).find_map(near) }
}
