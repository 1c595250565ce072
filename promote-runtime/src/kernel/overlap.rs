//! Operands that overlap the destination of a call.

use crate::error::call::CallError;
use crate::kernel::copy::copy_all;
use crate::memory::axes::Space;
use crate::memory::operand::{Arrangement, Operand, Out};
use crate::memory::staging::Order;
use crate::memory::{Layout, TensorViewMut};

/// How the contiguous operands of a call and its destination lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// The destination overlaps no operand.
    None,
    /// The destination overlaps operands. In this order of blocks, nothing is written before it is read.
    Ordered(Order),
    /// The destination overlaps operands, and neither order is safe.
    Unordered,
}

impl Overlap {
    /// Returns how operands and a destination of `n` elements each overlap.
    ///
    /// After d elements, forward, the first `d * size` bytes of `out` are written, and those of an operand
    /// from `d * size` on are still to be read. Both bounds are linear in d, so their order is right for all
    /// d if it is right for 0 and n. Backward it is the other way round.
    #[inline(always)]
    pub(crate) fn of(n: usize, operands: &[Operand<'_>], out: Out) -> Overlap {
        let (start, end) = (out.pointer.addr(), out.pointer.addr() + n * out.size);
        let (mut any, mut forward, mut backward) = (false, true, true);
        for operand in operands.iter().filter(|operand| !operand.is_broadcast()) {
            let (first, last) = (operand.pointer.addr(), operand.pointer.addr() + n * operand.size);
            if first < end && start < last {
                any = true;
                forward &= start <= first && end <= last;
                backward &= start >= first && end >= last;
            }
        }
        match (any, forward, backward) {
            (false, ..) => Overlap::None,
            (true, true, _) => Overlap::Ordered(Order::Forward),
            (true, false, true) => Overlap::Ordered(Order::Backward),
            (true, false, false) => Overlap::Unordered,
        }
    }
}

impl Operand<'_> {
    /// Returns true if `out` may write to an element.
    pub(crate) fn overlaps(&self, out: &TensorViewMut<'_>) -> bool {
        if self.borrowed && out.is_borrowed() {
            return false;
        }
        let Some(layout) = &self.layout() else { return false };
        let range = |pointer: *const u8, layout: &Layout<'_>| {
            let extent = layout.extent();
            let at = |by: isize| pointer.wrapping_offset(by).addr();
            (at(extent.first), at(extent.end))
        };
        let (first, end) = range(self.pointer, layout);
        let (start, last) = range(out.memory().pointer(), out.layout());
        first < last && start < end
    }

    /// Returns true if the elements are those of `out`, index by index.
    pub(crate) fn is_in_place(&self, out: &TensorViewMut<'_>) -> bool {
        let Some(own) = &self.layout() else { return false };
        let other = out.layout();
        let mut axes = own.axes_from_last().zip(other.strides_from_last());
        self.pointer == out.memory().pointer()
            && own.shape() == other.shape()
            && own.size() == other.size()
            && axes.all(|((len, a), b)| a == b || len == 1)
    }
}

/// Memory for the elements of an operand that `out` overlaps.
pub(crate) struct Copied {
    #[cfg(feature = "alloc")]
    memory: alloc::vec::Vec<u128>,
}

impl Copied {
    pub(crate) const NONE: Copied = Copied {
        #[cfg(feature = "alloc")]
        memory: alloc::vec::Vec::new(),
    };

    /// Returns room for so many bytes, aligned for every dtype.
    #[cfg(feature = "alloc")]
    fn room(&mut self, bytes: usize) -> Result<*mut u8, CallError> {
        self.memory.try_reserve_exact(bytes.div_ceil(16)).map_err(|_| CallError::Memory { bytes })?;
        Ok(self.memory.as_mut_ptr().cast())
    }

    /// Returns an error: without an allocator nothing can be copied.
    #[cfg(not(feature = "alloc"))]
    fn room(&mut self, _: usize) -> Result<*mut u8, CallError> {
        let Copied {} = self;
        Err(CallError::Overlap)
    }

    /// Copies the elements of an operand in row-major order. Returns the copies, which live as long as
    /// `self`.
    ///
    /// # Safety
    ///
    /// The elements are initialised, and nothing writes to them meanwhile. The operand has a layout. The
    /// result is not used after `self` is dropped, nor after another call on `self`.
    pub(crate) unsafe fn take<'a>(&mut self, operand: &Operand<'a>) -> Result<Operand<'a>, CallError> {
        let Some(layout) = operand.layout() else { return Ok(*operand) };
        let room = self.room(layout.len().saturating_mul(operand.size))?;
        let arrangement = match operand.arrangement {
            Arrangement::View(layout) => Arrangement::Compacted(layout),
            other => other,
        };
        let mut space = Space::empty(room, [operand.pointer]);
        space.fill(&layout.compacted(), &[*operand]);
        // SAFETY: the caller promises the elements, and there is room for all of them.
        unsafe { copy_all(&space, operand.size) };
        Ok(Operand { arrangement, ..Operand::direct(room, operand.size) })
    }

    /// Copies `n` contiguous elements, as [`Copied::take`] does. Typed calls link no copies of others.
    ///
    /// # Safety
    ///
    /// There are `n` initialised elements, and nothing writes to them meanwhile. The result is used as that
    /// of [`Copied::take`].
    pub(crate) unsafe fn take_contiguous<'a>(
        &mut self,
        n: usize,
        operand: &Operand<'a>,
    ) -> Result<Operand<'a>, CallError> {
        let bytes = n * operand.size;
        let room = self.room(bytes)?;
        // SAFETY: the caller promises the elements, and there is room for all of them in memory of its own.
        unsafe { core::ptr::copy_nonoverlapping(operand.pointer, room, bytes) };
        Ok(Operand::direct(room, operand.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(n: usize, inputs: [(usize, usize); 2], out: (usize, usize)) -> Overlap {
        let at = |address| core::ptr::without_provenance_mut::<u8>(address);
        let operands = inputs.map(|(address, size)| Operand::direct(at(address).cast_const(), size));
        Overlap::of(n, &operands, Out::new(at(out.0), out.1, true))
    }

    #[test]
    fn chooses_the_block_order_that_reads_before_it_writes() {
        const AWAY: (usize, usize) = (10_000, 4);
        let forward = Overlap::Ordered(Order::Forward);
        let backward = Overlap::Ordered(Order::Backward);
        assert_eq!(overlap(8, [AWAY, AWAY], (1000, 4)), Overlap::None);
        // Side by side.
        assert_eq!(overlap(8, [(1000, 4), AWAY], (1032, 4)), Overlap::None);
        assert_eq!(overlap(8, [(1000, 4), AWAY], (968, 4)), Overlap::None);
        assert_eq!(overlap(0, [(1000, 4), AWAY], (1000, 4)), Overlap::None);
        // In place, and one element apart.
        assert_eq!(overlap(8, [(1000, 4), AWAY], (1000, 4)), forward);
        assert_eq!(overlap(8, [(1004, 4), AWAY], (1000, 4)), forward);
        assert_eq!(overlap(8, [(1000, 4), AWAY], (1004, 4)), backward);
        // Results that are wider than the operand, from the same place, and narrower ones.
        assert_eq!(overlap(8, [AWAY, (1000, 1)], (1000, 4)), backward);
        assert_eq!(overlap(8, [AWAY, (1000, 8)], (1000, 4)), forward);
        // One operand wants each order, and an operand within which the results lie wants none.
        assert_eq!(overlap(8, [(1000, 4), (1008, 4)], (1004, 4)), Overlap::Unordered);
        assert_eq!(overlap(8, [(1000, 8), AWAY], (1016, 2)), Overlap::Unordered);
    }
}
