//! The walk in tiles of two axes.

#![allow(clippy::needless_range_loop, reason = "`k` is an input, which has its place in several arrays")]

use super::{LINE, Pass, RowAccess, TILE, Walk};
use crate::error::call::CallError;
use crate::kernel::copy::{Run, TURN};
use crate::memory::axes::{Odometer, parts};
use crate::memory::block::Block;
use crate::memory::staging::BLOCK;

impl<const N: usize> Walk<'_, N> {
    /// In tiles of the two innermost axes.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    pub(super) unsafe fn tiles(&self, pass: &mut Pass<'_, N>) -> Result<(), CallError> {
        let (mut blocks, mut tiles) =
            ([const { Block::<BLOCK>::new() }; N], [const { Block::<TILE>::new() }; N]);
        let mut results = Block::<BLOCK>::new();
        let (blocks, tiles) = (blocks.each_mut().map(Block::pointer), tiles.each_mut().map(Block::pointer));
        let results = results.pointer();
        let inner = &self.inner;
        // Only where there is an axis beside the innermost one are there tiles.
        let Some((near, outer)) = self.space.axes.split_last() else { return Ok(()) };
        let size = self.call.sizes.iter().copied().chain([self.call.out_size]).fold(1, core::cmp::max);
        // Single bytes are turned round, as long as a tile has room for that.
        let (rows, cols) = (LINE / size, if size == 1 { TURN / LINE } else { TILE / LINE });
        let is_tiled = |k: usize| self.access[k] == RowAccess::Gather && near.inputs[k] != 0;
        let count: usize = outer.iter().map(|axis| axis.len).product();
        let mut all = Odometer::new(self.space, outer);
        for k in 0..N {
            if self.access[k] == RowAccess::Same {
                // SAFETY: there is such an element, as the caller promises; a block has room for a row of a
                // tile.
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
                        // SAFETY: there are as many rows and columns from there on, and a tile has room for
                        // `rows` times `cols` of the largest elements.
                        unsafe {
                            // Elements of two bytes are turned no sooner than they are copied one by one,
                            // longer ones later.
                            let by_halves = self.call.sizes[k] == 1;
                            self.copiers[k].copy_tile(
                                [rows, cols],
                                from,
                                near.inputs[k],
                                tiles[k],
                                by_halves,
                            );
                        };
                    }
                    for r in 0..rows {
                        let mut inputs = blocks.map(<*mut u8>::cast_const);
                        for k in 0..N {
                            let pointer =
                                corner(all.inputs[k], k).wrapping_offset(r.cast_signed() * near.inputs[k]);
                            match self.access[k] {
                                RowAccess::Linear | RowAccess::Row | RowAccess::One => inputs[k] = pointer,
                                RowAccess::Same | RowAccess::Repeat => {}
                                _ if is_tiled(k) => {
                                    inputs[k] =
                                        tiles[k].cast_const().wrapping_add(r * cols * self.call.sizes[k]);
                                }
                                RowAccess::Spread | RowAccess::Gather => {
                                    // SAFETY: the row has `cols` elements from there on, and a block has room
                                    // for them.
                                    unsafe { self.gather(k, pointer, cols, blocks[k]) };
                                }
                            }
                        }
                        let out = (i + r).cast_signed() * near.out + j.cast_signed() * inner.out;
                        let out = all.out.wrapping_offset(out);
                        let place = if self.scattered { results } else { out };
                        // SAFETY: the inputs have `cols` elements each; `place` has room for as many results,
                        // aligned, and overlaps no input: those that lie where results go are in blocks or
                        // tiles.
                        unsafe { self.call(cols, inputs, place, pass) }?;
                        if self.scattered && !pass.looks {
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
