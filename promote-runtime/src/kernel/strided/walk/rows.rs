//! The walks in rows and in tiles.

#![allow(clippy::needless_range_loop, reason = "`k` is an input, which has its place in several arrays")]

use super::{Pass, RowAccess, TILE, TILE_ROW, Walk};
use crate::error::call::CallError;
use crate::kernel::copy::{Run, TURN};
use crate::memory::axes::{Odometer, parts};
use crate::memory::block::Block;
use crate::memory::non_temporal;
use crate::memory::staging::BLOCK;

impl<const N: usize> Walk<'_, N> {
    /// Walks row by row.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    pub(super) unsafe fn rows(&self, pass: &mut Pass<'_>) -> Result<(), CallError> {
        let room = if self.in_parts { non_temporal::PART } else { BLOCK };
        let most = core::cmp::min(self.most(room), self.inner.len);
        let copied = |access: &RowAccess| matches!(access, RowAccess::FilledPerRow | RowAccess::Copied);
        if most == self.inner.len && self.writes_in_place && !self.access.iter().any(copied) {
            // SAFETY: as the caller promises; a row fits in a block.
            return unsafe { self.whole_rows(pass) };
        }
        // SAFETY: as the caller promises; `most` elements fit in a block, and there is no tile.
        unsafe { self.rectangles([1, most], [core::ptr::null_mut(); N], pass) }
    }

    /// Walks in tiles of the two innermost axes.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    pub(super) unsafe fn tiles(&self, pass: &mut Pass<'_>) -> Result<(), CallError> {
        let mut tiles = [const { Block::<TILE>::new() }; N];
        let size = self.call.sizes.iter().copied().chain([self.call.out_size]).fold(1, core::cmp::max);
        // Tiles of bytes are small enough to be transposed by halves.
        let (rows, cols) = (TILE_ROW / size, if size == 1 { TURN / TILE_ROW } else { TILE / TILE_ROW });
        // SAFETY: as the caller promises; the tiles have room for so many of the largest elements, and a
        // block for a row of them.
        unsafe { self.rectangles([rows, cols], tiles.each_mut().map(Block::pointer), pass) }
    }

    /// Walks row by row where nothing is copied.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; a block has room for a row of what is broadcast.
    unsafe fn whole_rows(&self, pass: &mut Pass<'_>) -> Result<(), CallError> {
        let mut blocks = [const { Block::<BLOCK>::new() }; N];
        let (near, outer, count) = self.space.rows();
        let mut first = Odometer::new(self.space, outer);
        let mut same = [None; N];
        for k in (0..N).filter(|k| self.access[*k] == RowAccess::FilledOnce) {
            let block = blocks[k].pointer();
            // SAFETY: there is such an element, as the caller promises, and room for a row.
            unsafe { self.gather(k, self.space.inputs[k], self.inner.len, block) };
            same[k] = Some(block.cast_const());
        }
        for _ in 0..count {
            let mut inputs = core::array::from_fn(|k| same[k].unwrap_or(first.inputs[k]));
            let mut out = first.out;
            if pass.only_computes() {
                // SAFETY: each of these rows has operands, aligned and contiguous, or one element where the
                // function takes it so, and room for results, which overlaps no input but the first one where
                // the function takes it so. If it may trap, the pass before this one has looked. There is an
                // `out`.
                unsafe { self.call.rows(self.inner.len, near.len, (inputs, &near.inputs), (out, near.out)) }?;
                first.advance(outer);
                continue;
            }
            for _ in 0..near.len {
                // SAFETY: the inputs have a row of aligned elements each, and `out` has room for as many
                // results, aligned; it overlaps no input, but the first where the function takes it so, and
                // such as a pipeline reads before it writes.
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

    /// Walks in rectangles of at most `rows` times `cols` elements along the two innermost axes. If there are
    /// tiles, operands that are contiguous along the outer one of the two are transposed into them.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; blocks have room for `cols` elements of each operand, and tiles, if they are not
    /// null, for a rectangle.
    unsafe fn rectangles(
        &self,
        [rows, cols]: [usize; 2],
        tiles: [*mut u8; N],
        pass: &mut Pass<'_>,
    ) -> Result<(), CallError> {
        let (mut blocks, mut results) = ([const { Block::<BLOCK>::new() }; N], Block::<BLOCK>::new());
        let (blocks, results) = (blocks.each_mut().map(Block::pointer), results.pointer());
        let (inner, sizes) = (&self.inner, &self.call.sizes);
        let (near, outer, count) = self.space.rows();
        let tiled: [bool; N] = core::array::from_fn(|k| {
            !tiles[k].is_null() && self.access[k] == RowAccess::Copied && near.inputs[k] != 0
        });
        for k in (0..N).filter(|k| self.access[*k] == RowAccess::FilledOnce) {
            // SAFETY: there is such an element, and a block has room for `cols`, as the caller promises.
            unsafe { self.gather(k, self.space.inputs[k], core::cmp::min(cols, inner.len), blocks[k]) };
        }
        let mut all = Odometer::new(self.space, outer);
        for _ in 0..count {
            for (i, rows) in parts(near.len, rows) {
                for (j, cols) in parts(inner.len, cols) {
                    let offset = |near: isize, inner: isize| i.cast_signed() * near + j.cast_signed() * inner;
                    let first: [*const u8; N] = core::array::from_fn(|k| {
                        all.inputs[k].wrapping_offset(offset(near.inputs[k], inner.inputs[k]))
                    });
                    let first_out = all.out.wrapping_offset(offset(near.out, inner.out));
                    for k in (0..N).filter(|k| tiled[*k]) {
                        let from = Run { pointer: first[k], stride: inner.inputs[k] };
                        // Only bytes are transposed faster by halves.
                        let (row, by_halves) = (near.inputs[k], sizes[k] == 1);
                        // SAFETY: there are as many rows and columns from there on, and a tile has room.
                        unsafe { self.copiers[k].copy_tile([rows, cols], from, row, tiles[k], by_halves) };
                    }
                    for r in 0..rows {
                        let mut inputs = [core::ptr::null(); N];
                        for k in 0..N {
                            let pointer = first[k].wrapping_offset(r.cast_signed() * near.inputs[k]);
                            inputs[k] = match self.access[k] {
                                access if access.is_in_place() => pointer,
                                _ if tiled[k] => tiles[k].wrapping_add(r * cols * sizes[k]),
                                access => {
                                    // A block that is filled for a row serves all parts of it, of which the
                                    // first is the longest.
                                    let fills = access == RowAccess::FilledPerRow && (j == 0 || rows > 1);
                                    if fills || access == RowAccess::Copied {
                                        // SAFETY: the row has `cols` elements from there on, for which a
                                        // block has room.
                                        unsafe { self.gather(k, pointer, cols, blocks[k]) };
                                    }
                                    blocks[k]
                                }
                            };
                        }
                        let out = first_out.wrapping_offset(r.cast_signed() * near.out);
                        let place = if self.writes_in_place { out } else { results };
                        // SAFETY: the inputs have `cols` aligned elements each; `place` has room for as many
                        // results, aligned, and overlaps no input: those that lie where results go are in
                        // blocks or tiles.
                        unsafe { self.call(cols, inputs, place, pass) }?;
                        if !self.writes_in_place && !pass.checks {
                            // SAFETY: the call has written the results to the block, and the row has room for
                            // them.
                            unsafe { self.scatter(results, cols, out) };
                        }
                    }
                }
            }
            all.advance(outer);
        }
        Ok(())
    }
}
