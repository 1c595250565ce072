//! The axes of a call on views, in the order in which it is best walked.

use arrayvec::ArrayVec;

use crate::memory::operand::Operand;
use crate::memory::{Layout, MAX_AXES};

/// An axis: its length, and the bytes from one element to the next in `out` and in each input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis<const N: usize> {
    pub(crate) len: usize,
    pub(crate) out: isize,
    pub(crate) inputs: [isize; N],
}

/// The elements of a call, by their axes and the addresses of the first ones.
#[derive(Clone, Debug)]
pub(crate) struct Space<const N: usize> {
    /// The axes, the innermost last.
    pub(crate) axes: ArrayVec<Axis<N>, MAX_AXES>,
    pub(crate) out: *mut u8,
    pub(crate) inputs: [*const u8; N],
}

impl<const N: usize> Space<N> {
    /// Returns a space without axes, to be filled in its place: to move a space takes as long as all else.
    #[inline(always)]
    pub(crate) const fn empty(out: *mut u8, inputs: [*const u8; N]) -> Space<N> {
        Space { axes: ArrayVec::new_const(), out, inputs }
    }

    /// Adds the axes of `out`, which is not empty, in memory order. The inputs broadcast to its shape; one
    /// without a layout is a single element.
    ///
    /// Axes of length 1 are left out, and axes along which all operands are contiguous are joined.
    pub(crate) fn fill(&mut self, layout: &Layout<'_>, inputs: &[Operand<'_>; N]) {
        let layouts = inputs.each_ref().map(Operand::layout);
        let mut walks = layouts.each_ref().map(|layout| layout.as_ref().map(Layout::axes_from_last));
        for (len, out) in layout.axes_from_last() {
            let inputs = walks.each_mut().map(|walk| match walk.as_mut().and_then(Iterator::next) {
                Some((own, stride)) if own == len => stride,
                _ => 0,
            });
            if len > 1 {
                // No more than there is room for: with one more, the elements of `out` could not be counted.
                self.axes.push(Axis { len, out, inputs });
            }
        }
        self.ascend();
        // The innermost came first.
        self.axes.reverse();
        // No two strides of `out` are equal, or two of its elements were one.
        self.axes.sort_unstable_by_key(|axis| core::cmp::Reverse(axis.out));
        self.join();
    }

    /// Reverses axes along which the addresses of `out` fall.
    fn ascend(&mut self) {
        for axis in self.axes.iter_mut().filter(|axis| axis.out < 0) {
            let last = (axis.len - 1).cast_signed();
            self.out = self.out.wrapping_offset(last * axis.out);
            axis.out = -axis.out;
            for (pointer, stride) in self.inputs.iter_mut().zip(&mut axis.inputs) {
                *pointer = pointer.wrapping_offset(last * *stride);
                *stride = -*stride;
            }
        }
    }

    /// Joins two axes if the outer one continues where the inner one ends.
    fn join(&mut self) {
        let mut kept = 0;
        for i in 1..self.axes.len() {
            let inner = self.axes[i];
            let outer = &mut self.axes[kept];
            let span = inner.len.cast_signed();
            let goes_on = |outer: isize, inner: isize| inner.checked_mul(span) == Some(outer);
            if goes_on(outer.out, inner.out) && (0..N).all(|k| goes_on(outer.inputs[k], inner.inputs[k])) {
                *outer = Axis { len: outer.len * inner.len, ..inner };
            } else {
                kept += 1;
                self.axes[kept] = inner;
            }
        }
        self.axes.truncate(kept + 1);
    }

    /// Exchanges the first two inputs.
    pub(crate) fn exchange(&mut self) {
        self.inputs.swap(0, 1);
        for axis in &mut self.axes {
            axis.inputs.swap(0, 1);
        }
    }

    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.len).product()
    }

    /// Returns the innermost axis, the others, and the number of rows along those. A space without axes has
    /// one row of one element.
    #[inline]
    pub(crate) fn rows(&self) -> (Axis<N>, &[Axis<N>], usize) {
        let alone = || (Axis { len: 1, out: 0, inputs: [0; N] }, &[][..]);
        let (inner, outer) = self.axes.split_last().map_or_else(alone, |(inner, outer)| (*inner, outer));
        (inner, outer, outer.iter().map(|axis| axis.len).product())
    }

    /// Returns true if the elements of an operand are contiguous in the order of the walk.
    pub(crate) fn is_linear(&self, size: usize, stride: impl Fn(&Axis<N>) -> isize) -> bool {
        let mut next = size;
        self.axes.iter().rev().all(|axis| {
            let fits = stride(axis) == next.cast_signed();
            next *= axis.len;
            fits
        })
    }

    /// Adds the axes of `whole` to a space without axes, and takes the `len` elements from `from` on along
    /// one of them.
    pub(crate) fn fill_part(&mut self, whole: &Space<N>, axis: usize, from: usize, len: usize) {
        self.axes.extend(whole.axes.iter().copied());
        if let Some(axis) = self.axes.get_mut(axis) {
            axis.len = len;
            let from = from.cast_signed();
            self.out = self.out.wrapping_offset(from * axis.out);
            self.inputs = core::array::from_fn(|k| self.inputs[k].wrapping_offset(from * axis.inputs[k]));
        }
    }
}

/// A row of a walk over all axes but the innermost ones, and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Odometer<const N: usize> {
    index: ArrayVec<usize, MAX_AXES>,
    pub(crate) out: *mut u8,
    pub(crate) inputs: [*const u8; N],
}

impl<const N: usize> Odometer<N> {
    /// Returns the first row of a walk over these axes.
    #[inline(always)]
    pub(crate) fn new(space: &Space<N>, axes: &[Axis<N>]) -> Odometer<N> {
        let mut first = Odometer { index: ArrayVec::new(), out: space.out, inputs: space.inputs };
        first.index.extend(axes.iter().map(|_| 0));
        first
    }

    /// Returns the number of rows that are left along the innermost of the axes, including this one.
    pub(crate) fn left(&self, axes: &[Axis<N>]) -> usize {
        self.index.last().zip(axes.last()).map_or(1, |(at, axis)| axis.len - at)
    }

    /// Advances by at least one of the rows that are left along the innermost of the axes.
    pub(crate) fn advance_by(&mut self, rows: usize, axes: &[Axis<N>]) {
        if let (Some(at), Some(axis)) = (self.index.last_mut(), axes.last()) {
            *at += rows - 1;
            let by = (rows - 1).cast_signed();
            self.out = self.out.wrapping_offset(by * axis.out);
            for (pointer, stride) in self.inputs.iter_mut().zip(axis.inputs) {
                *pointer = pointer.wrapping_offset(by * stride);
            }
        }
        self.advance(axes);
    }

    /// Advances to the next row, and from the last one to the first.
    #[inline]
    pub(crate) fn advance(&mut self, axes: &[Axis<N>]) {
        for (at, axis) in self.index.iter_mut().zip(axes).rev() {
            *at += 1;
            let back = if *at < axis.len { 0 } else { axis.len.cast_signed() };
            let by = |stride: isize| stride.wrapping_mul(1 - back);
            self.out = self.out.wrapping_offset(by(axis.out));
            for (pointer, stride) in self.inputs.iter_mut().zip(axis.inputs) {
                *pointer = pointer.wrapping_offset(by(stride));
            }
            if back == 0 {
                return;
            }
            *at = 0;
        }
    }
}

/// Splits `0..n` into parts of at most `most`, which is at least 1. Returns the start and the length of each.
pub(crate) fn parts(n: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    // `step_by` divides, which takes as long as a short row.
    core::iter::from_fn(move || {
        let (from, len) = (next, core::cmp::min(n - next, most));
        next += len;
        (len > 0).then_some((from, len))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::operand::Arrangement;

    fn space(shape: &[usize], strides: [&[isize]; 2]) -> Space<1> {
        let out = Layout::strided(shape, crate::memory::Strides::bytes(strides[0]), 4).unwrap();
        let input = Layout::strided(shape, crate::memory::Strides::bytes(strides[1]), 4).unwrap();
        let at = core::ptr::without_provenance_mut::<u8>(1 << 20);
        let view = Operand { arrangement: Arrangement::View(&input), ..Operand::direct(at.cast_const(), 4) };
        let mut space = Space::empty(at, [view.pointer]);
        space.fill(&out, &[view]);
        space
    }

    fn axes(space: &Space<1>) -> std::vec::Vec<(usize, isize, isize)> {
        space.axes.iter().map(|axis| (axis.len, axis.out, axis.inputs[0])).collect()
    }

    #[test]
    fn axes_that_go_on_are_one() {
        assert_eq!(axes(&space(&[2, 3, 4], [&[48, 16, 4], &[48, 16, 4]])), [(24, 4, 4)]);
        // Both in the order of Fortran.
        assert_eq!(axes(&space(&[2, 3, 4], [&[4, 8, 24], &[4, 8, 24]])), [(24, 4, 4)]);
        assert_eq!(axes(&space(&[2, 3, 4], [&[48, 16, 4], &[0, 16, 4]])), [(2, 48, 0), (12, 4, 4)]);
        assert_eq!(axes(&space(&[2, 1, 4], [&[16, 99, 4], &[16, -7, 4]])), [(8, 4, 4)]);
        assert_eq!(axes(&space(&[2, 3], [&[12, 4], &[4, 8]])), [(2, 12, 4), (3, 4, 8)]);
        assert_eq!(axes(&space(&[], [&[], &[]])), []);
    }

    #[test]
    fn addresses_of_out_rise() {
        let turned = space(&[2, 3], [&[-12, -4], &[12, 4]]);
        assert_eq!(axes(&turned), [(6, 4, -4)]);
        assert_eq!((turned.out.addr(), turned.inputs[0].addr()), ((1 << 20) - 20, (1 << 20) + 20));
    }

    #[test]
    fn the_last_axis_turns_fastest() {
        let space = space(&[2, 3], [&[12, 4], &[4, 8]]);
        let mut odometer = Odometer::new(&space, &space.axes);
        let mut found = std::vec::Vec::new();
        for _ in 0..7 {
            found.push((odometer.out.addr() - (1 << 20), odometer.inputs[0].addr() - (1 << 20)));
            odometer.advance(&space.axes);
        }
        assert_eq!(found, [(0, 0), (4, 8), (8, 16), (12, 4), (16, 12), (20, 20), (0, 0)]);
    }
}
