//! The axes of reductions and scans: which are kept, and the units of work along these.

use arrayvec::ArrayVec;

use crate::error::call::CallError;
use crate::memory::{Layout, MAX_AXES, TensorView};

/// An axis: its length, the bytes from one element to the next in the operand and in the result, and for the
/// position of an extremum the increase of the index of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) len: usize,
    pub(super) from: isize,
    pub(super) to: isize,
    pub(super) index: u64,
}

/// Axes, the innermost last.
pub(super) type Axes = ArrayVec<Axis, MAX_AXES>;

/// The axis of one element.
pub(super) const ALONE: Axis = Axis { len: 1, from: 0, to: 0, index: 0 };

/// What a call does along the axes that it does not keep.
#[derive(Clone, Copy)]
pub(super) enum Along<'s> {
    /// It reduces elements in any order. With `keepdims`, the result has these axes, of length 1.
    Reduced { keepdims: bool },
    /// It reduces elements to positions in an array of this shape.
    Positions { keepdims: bool, shape: &'s [usize] },
    /// It scans elements in their order. The result has these axes.
    Scanned,
}

/// The axes of a call, and where its elements begin.
pub(super) struct SplitAxes {
    /// The axes of the result that are neither reduced nor scanned; at least one.
    pub(super) kept: Axes,
    /// The axes that are reduced or scanned; at least one.
    pub(super) along: Axes,
    a: *const u8,
    out: *mut u8,
}

impl SplitAxes {
    /// Splits the axes of `a`, from which `along` chooses. `out` is the first element of the result, and its
    /// layout.
    pub(super) fn new(
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        (mut out, layout): (*mut u8, &Layout<'_>),
        order: Along<'_>,
    ) -> SplitAxes {
        let mut first = a.pointer();
        let (mut kept, mut others) = (Axes::new(), Axes::new());
        let keepdims = match order {
            Along::Reduced { keepdims } | Along::Positions { keepdims, .. } => keepdims,
            Along::Scanned => true,
        };
        let mut index = 1_u64;
        let mut strides = layout.strides_from_last();
        for (axis, mut from) in (0..a.rank()).rev().zip(a.layout().strides_from_last()) {
            let (len, is_kept) = (a.shape()[axis], !along(axis));
            let stride = if keepdims || is_kept { strides.next().unwrap_or(0) } else { 0 };
            let mut to = if is_kept || matches!(order, Along::Scanned) { stride } else { 0 };
            if len > 1 && from < 0 && (is_kept || matches!(order, Along::Reduced { .. })) {
                let last = (len - 1).cast_signed();
                first = first.wrapping_offset(last * from);
                out = out.wrapping_offset(last * to);
                (from, to) = (-from, -to);
            }
            let mut found = Axis { len, from, to, index: 0 };
            if let (false, Along::Positions { shape, .. }) = (is_kept, order) {
                found.index = index;
                index = index.wrapping_mul(shape[axis] as u64);
            }
            if len > 1 {
                if is_kept { &mut kept } else { &mut others }.push(found);
            }
        }
        for axes in [&mut kept, &mut others] {
            axes.reverse();
            // Broadcast axes are outermost.
            axes.sort_unstable_by_key(|axis| core::cmp::Reverse(axis.from.unsigned_abs().wrapping_sub(1)));
            join(axes);
            if axes.is_empty() {
                axes.push(ALONE);
            }
        }
        SplitAxes { kept, along: others, a: first, out }
    }

    /// Returns the units of work, of at most so many neighbours along the innermost kept axis each.
    pub(super) fn units(&self, neighbours: usize) -> Units<'_> {
        Units { axes: self, neighbours, segments: last(&self.kept).len.div_ceil(neighbours) }
    }
}

/// Parts of a call that are computed by themselves.
pub(super) struct Units<'a> {
    axes: &'a SplitAxes,
    neighbours: usize,
    /// The number of units along the innermost kept axis.
    segments: usize,
}

impl Units<'_> {
    pub(super) fn len(&self) -> usize {
        let (_, outer) = self.axes.kept.split_last().unwrap_or((&ALONE, &[]));
        outer.iter().map(|axis| axis.len).product::<usize>() * self.segments
    }

    /// Returns the first element of a unit in the operand and in the result, and the number of neighbours.
    pub(super) fn get(&self, unit: usize) -> (*const u8, *mut u8, usize) {
        let SplitAxes { ref kept, mut a, mut out, .. } = *self.axes;
        let (lane, outer) = kept.split_last().unwrap_or((&ALONE, &[]));
        let mut advance = |axis: &Axis, at: usize| {
            a = a.wrapping_offset(at.cast_signed() * axis.from);
            out = out.wrapping_offset(at.cast_signed() * axis.to);
        };
        let from = unit % self.segments * self.neighbours;
        advance(lane, from);
        let mut rest = unit / self.segments;
        for axis in outer.iter().rev() {
            advance(axis, rest % axis.len);
            rest /= axis.len;
        }
        (a, out, self.neighbours.min(lane.len - from))
    }
}

/// Returns the innermost axis.
pub(super) fn last(axes: &Axes) -> Axis {
    axes.last().copied().unwrap_or(ALONE)
}

/// Joins adjacent axes if the outer one continues the inner one, in memory and in the indices of elements.
fn join(axes: &mut Axes) {
    let mut kept = 0;
    for i in 1..axes.len() {
        let (outer, inner) = (axes[kept], axes[i]);
        let span = inner.len.cast_signed();
        let continues = |outer: isize, inner: isize| inner.checked_mul(span) == Some(outer);
        let indexed = outer.index == inner.index.wrapping_mul(inner.len as u64);
        if continues(outer.from, inner.from) && continues(outer.to, inner.to) && indexed {
            axes[kept] = Axis { len: outer.len * inner.len, ..inner };
        } else {
            kept += 1;
            axes[kept] = inner;
        }
    }
    axes.truncate(kept + 1);
}

/// Calls `f` with the first element and its index, for each position along the axes.
pub(super) fn each(
    axes: &[Axis],
    first: *const u8,
    index: u64,
    f: &mut dyn FnMut(*const u8, u64) -> Result<(), CallError>,
) -> Result<(), CallError> {
    let Some((axis, inner)) = axes.split_first() else { return f(first, index) };
    (0..axis.len).try_for_each(|i| {
        each(inner, first.wrapping_offset(i.cast_signed() * axis.from), index + i as u64 * axis.index, f)
    })
}
