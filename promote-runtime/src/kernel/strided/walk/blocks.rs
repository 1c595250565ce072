//! The walk in blocks of several rows.

#![allow(clippy::needless_range_loop, reason = "`k` is an input, which has its place in several arrays")]

use super::{Pass, RowAccess, Walk};
use crate::error::call::CallError;
use crate::kernel::copy::Run;
use crate::memory::axes::{Odometer, parts};
use crate::memory::block::Block;
use crate::memory::staging::BLOCK;

impl<const N: usize> Walk<'_, N> {
    /// Walks several rows at a time.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    pub(super) unsafe fn blocks(&self, pass: &mut Pass<'_>) -> Result<(), CallError> {
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
                RowAccess::FilledOnce | RowAccess::RepeatedRow => {
                    let from = Run { pointer, stride: inner.inputs[k] };
                    // SAFETY: there is such a row, as the caller promises; a block has room for so many.
                    unsafe { self.copiers[k].copy_rows([count, inner.len], from, 0, blocks[k]) };
                }
                _ => {}
            }
        }
        let gathered = |k: &usize| matches!(self.access[*k], RowAccess::FilledPerRow | RowAccess::Copied);
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
                    let to = blocks[k].wrapping_add(done * inner.len * self.call.sizes[k]);
                    // SAFETY: so many rows follow along the last of the other axes, and the block has room
                    // for `count` of them in all.
                    unsafe { self.copiers[k].copy_rows([rows, inner.len], from, near(k), to) };
                }
                row.advance_by(rows, outer);
                done += rows;
            }
            let inputs = core::array::from_fn(|k| match self.access[k] {
                RowAccess::Linear => self.space.inputs[k].wrapping_add(from * self.call.sizes[k]),
                RowAccess::Broadcast => self.space.inputs[k],
                _ => blocks[k].cast_const(),
            });
            let place = if self.writes_in_place {
                self.space.out.wrapping_add(from * self.call.out_size)
            } else {
                results
            };
            // SAFETY: the inputs have `m` aligned elements; `place` has room for `m` results, aligned, and
            // overlaps no input, unless it is the first and the function takes it so.
            unsafe { self.call(m, inputs, place, pass) }?;
            if self.writes_in_place || pass.checks {
                continue;
            }
            for r in 0..count {
                let from = results.cast_const().wrapping_add(r * inner.len * self.call.out_size);
                // SAFETY: the call has written `m` results to the block; the row has room for as many as it
                // is long.
                unsafe { self.scatter(from, inner.len, result.out) };
                result.advance(outer);
            }
        }
        Ok(())
    }
}
