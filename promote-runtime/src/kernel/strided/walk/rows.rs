//! The walk in rows.

#![allow(clippy::needless_range_loop, reason = "`k` is an input, which has its place in several arrays")]

use super::{Pass, RowAccess, Walk};
use crate::error::call::CallError;
use crate::memory::axes::{Axis, Odometer, parts};
use crate::memory::block::Block;
use crate::memory::non_temporal;
use crate::memory::staging::BLOCK;

impl<const N: usize> Walk<'_, N> {
    /// Row by row.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`].
    pub(super) unsafe fn rows(&self, pass: &mut Pass<'_, N>) -> Result<(), CallError> {
        let (mut blocks, mut results) = ([const { Block::<BLOCK>::new() }; N], Block::<BLOCK>::new());
        let (blocks, results) = (blocks.each_mut().map(Block::pointer), results.pointer());
        let (inner, outer) = (&self.inner, self.space.axes.as_slice());
        let room = if self.in_parts { non_temporal::PART } else { BLOCK };
        let most = core::cmp::min(self.most(room), inner.len);
        let copied = |access: &RowAccess| matches!(access, RowAccess::Spread | RowAccess::Gather);
        if most == inner.len && !self.scattered && !self.access.iter().any(copied) {
            for k in (0..N).filter(|k| self.access[*k] == RowAccess::Same) {
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
                if self.access[k] == RowAccess::Spread || self.access[k] == RowAccess::Same && r == 0 {
                    // SAFETY: the row's first element is there, as the caller promises; a block has room for
                    // `most`.
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
    unsafe fn whole_rows(&self, blocks: &[*mut u8; N], pass: &mut Pass<'_, N>) -> Result<(), CallError> {
        let alone = Axis { len: 1, out: 0, inputs: [0; N] };
        let (near, outer) = self.space.axes.split_last().unwrap_or((&alone, &[]));
        let count: usize = outer.iter().map(|axis| axis.len).product();
        let mut first = Odometer::new(self.space, outer);
        for _ in 0..count {
            let (mut inputs, mut out) = (first.inputs, first.out);
            for k in (0..N).filter(|k| self.access[*k] == RowAccess::Same) {
                inputs[k] = blocks[k].cast_const();
            }
            if pass.only_computes() {
                // SAFETY: each of these rows has operands, aligned and side by side, or one element where the
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

    /// One row, `most` places at once.
    ///
    /// # Safety
    ///
    /// As [`Walk::run`]; the blocks of what is the same for a row are filled, and all have room for `most`
    /// elements.
    #[inline(always)]
    unsafe fn row(
        &self,
        row: &Odometer<N>,
        inner: &Axis<N>,
        most: usize,
        blocks: &[*mut u8; N],
        results: *mut u8,
        pass: &mut Pass<'_, N>,
    ) -> Result<(), CallError> {
        for (from, m) in parts(inner.len, most) {
            let at = from.cast_signed();
            let mut inputs = [core::ptr::null(); N];
            for k in 0..N {
                let pointer = row.inputs[k].wrapping_offset(at * inner.inputs[k]);
                inputs[k] = match self.access[k] {
                    RowAccess::Linear | RowAccess::Row | RowAccess::One => pointer,
                    // There are none such but in blocks.
                    RowAccess::Repeat | RowAccess::Same | RowAccess::Spread => blocks[k].cast_const(),
                    RowAccess::Gather => {
                        // SAFETY: the row has `m` elements from there on, and the block has room for them.
                        unsafe { self.gather(k, pointer, m, blocks[k]) };
                        blocks[k].cast_const()
                    }
                };
            }
            let out = row.out.wrapping_offset(at * inner.out);
            let place = if self.scattered { results } else { out };
            // SAFETY: the inputs have `m` aligned elements each; `place` has room for `m` results, aligned,
            // and overlaps no input: those that lie where the results go are in blocks.
            unsafe { self.call(m, inputs, place, pass) }?;
            if self.scattered && !pass.looks {
                // SAFETY: the call has written `m` results to the block; the row has room for them from there
                // on.
                unsafe { self.scatter(results, m, out) };
            }
        }
        Ok(())
    }
}
