//! What a call in blocks reads and writes: operands that are no aligned slices of their own, and a
//! destination that is none.

use crate::memory::{Argument, ScalarValue, SliceMut, block};

/// The bytes of a usual part of a call.
pub(super) const BLOCK: usize = 4096;
/// Room for a part and the rest that is done with it.
pub(super) type Block = block::Block<{ room(BLOCK) }>;

/// How much the longest part of a call takes, of one that usually has `most`: see [`Order::parts`].
pub(super) const fn room(most: usize) -> usize {
    most + most / 4
}

/// Where the elements of an operand come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// From memory that a kernel reads where it lies.
    Aligned(*const u8),
    /// From memory that is copied to a block first.
    Unaligned(*const u8),
    /// The same for every place.
    Scalar(&'a ScalarValue),
}

impl<'a> Source<'a> {
    /// The elements of an input of a call that writes to `out`.
    #[inline(always)]
    pub(super) fn of(input: &'a Argument<'_>, out: &mut SliceMut<'_>) -> Self {
        let (pointer, aligned) = match input {
            Argument::Slice(slice) => (slice.pointer(), slice.is_aligned()),
            // Of such that lie side by side; others are read by a walk over their axes.
            Argument::Array(view) | Argument::Weak(view) => (view.pointer(), view.is_aligned()),
            Argument::InPlace(_) => (out.pointer().cast_const(), out.is_aligned()),
            Argument::ZeroDim(value) => return Source::Scalar(value),
            // A kernel handle converts numbers before it resolves its inputs.
            Argument::Number(_) => unreachable!("a number among the inputs of a function"),
        };
        if aligned { Source::Aligned(pointer) } else { Source::Unaligned(pointer) }
    }

    /// Where the elements lie; of a scalar, where it does.
    #[inline(always)]
    pub(super) const fn pointer(self) -> *const u8 {
        match self {
            Source::Aligned(pointer) | Source::Unaligned(pointer) => pointer,
            Source::Scalar(value) => core::ptr::from_ref(value).cast(),
        }
    }

    /// The address at which `n` elements of `size` bytes begin, and the one behind them; `None` for a scalar.
    #[inline(always)]
    fn range(self, n: usize, size: usize) -> Option<(usize, usize)> {
        match self {
            Source::Scalar(_) => None,
            _ => Some((self.pointer().addr(), self.pointer().addr() + n * size)),
        }
    }

    /// The elements from `from` on.
    #[inline(always)]
    pub(super) const fn from(self, from: usize, size: usize) -> Self {
        match self {
            Source::Aligned(pointer) => Source::Aligned(pointer.wrapping_add(from * size)),
            Source::Unaligned(pointer) => Source::Unaligned(pointer.wrapping_add(from * size)),
            Source::Scalar(value) => Source::Scalar(value),
        }
    }
}

/// An operand as a function reads it, block after block.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    pointer: *const u8,
    /// The bytes from one element to the next; 0 where every block is the same.
    stride: usize,
    aligned: bool,
}

impl Stream {
    pub(super) const NOTHING: Stream = Stream { pointer: core::ptr::null(), stride: 0, aligned: true };

    /// A block that stands for every block.
    #[inline(always)]
    pub(super) const fn same(block: *const u8) -> Stream {
        Stream { pointer: block, stride: 0, aligned: true }
    }

    /// Whether elements are read to a block before the function runs, or lie in one.
    #[inline(always)]
    pub(super) const fn is_moved(&self) -> bool {
        !self.aligned || self.stride == 0
    }

    /// The elements of a slice; of a scalar, `n` copies in `block`.
    ///
    /// # Safety
    ///
    /// A scalar's elements have `size` bytes: 1, 2, 4, 8 or 16; the block has room for `n` of them and is
    /// aligned to 16 bytes.
    #[inline(always)]
    pub(super) unsafe fn spread(source: Source<'_>, n: usize, size: usize, block: *mut u8) -> Stream {
        match source {
            Source::Aligned(pointer) => Stream { pointer, stride: size, aligned: true },
            Source::Unaligned(pointer) => Stream { pointer, stride: size, aligned: false },
            Source::Scalar(value) => {
                // SAFETY: as the caller promises.
                unsafe { value.fill(block, n) };
                Stream::same(block)
            }
        }
    }

    /// Where the elements from `from` on lie, if a function can read them there.
    #[inline(always)]
    pub(super) const fn aligned_at(&self, from: usize) -> Option<*const u8> {
        if self.aligned { Some(self.pointer.wrapping_add(from * self.stride)) } else { None }
    }

    /// Where the `m` elements from `from` on are to be read: where they lie, or in `block`, to which they are
    /// copied.
    ///
    /// # Safety
    ///
    /// There are as many elements, or every block is the same; `block` has room for `m`, and is not what the
    /// elements lie in.
    #[inline(always)]
    pub(super) unsafe fn at(&self, from: usize, m: usize, block: *mut u8) -> *const u8 {
        if let Some(pointer) = self.aligned_at(from) {
            return pointer;
        }
        let pointer = self.pointer.wrapping_add(from * self.stride);
        // SAFETY: the caller promises `m` elements of `stride` bytes there, and room for them in a block of
        // this call, which no operand overlaps.
        unsafe { core::ptr::copy_nonoverlapping(pointer, block, m * self.stride) };
        block
    }
}

/// Where the results go.
#[derive(Clone, Copy)]
pub(super) struct Sink {
    pointer: *mut u8,
    size: usize,
    /// Whether results are computed in a block and copied, since the destination is not aligned.
    copied: bool,
    /// Whether they are since it overlaps an operand that is read while they are written.
    overlaps: bool,
    /// Whether the call does not fit in the caches.
    beyond: bool,
}

impl Sink {
    #[inline(always)]
    pub(super) const fn new(pointer: *mut u8, size: usize, copied: bool) -> Sink {
        Sink { pointer, size, copied, overlaps: false, beyond: false }
    }

    /// The destination, `overlaps` if it overlaps an operand that is read while results are written.
    #[inline(always)]
    pub(super) const fn overlapping(self, overlaps: bool) -> Sink {
        Sink { overlaps, ..self }
    }

    /// The destination of a call that does not fit in the caches, if it does not.
    #[inline(always)]
    pub(super) const fn beyond_caches(self, beyond: bool) -> Sink {
        Sink { beyond, ..self }
    }

    /// Whether it is of such a call.
    #[inline(always)]
    pub(super) const fn is_beyond_caches(self) -> bool {
        self.beyond
    }

    /// No destination: the op only looks at its operands.
    #[inline(always)]
    pub(super) const fn nowhere(self) -> Sink {
        Sink { pointer: core::ptr::null_mut(), copied: false, overlaps: false, ..self }
    }

    #[inline(always)]
    pub(super) const fn is_nowhere(self) -> bool {
        self.pointer.is_null()
    }

    /// Whether kernels write to a block, which is copied.
    #[inline(always)]
    pub(super) const fn copies(self) -> bool {
        self.copied || self.overlaps
    }

    /// Whether it is nothing but where a source begins, which a kernel could read where it lies.
    #[inline(always)]
    pub(super) fn is(self, source: Source<'_>) -> bool {
        !self.copied && matches!(source, Source::Aligned(pointer) if core::ptr::eq(pointer, self.pointer))
    }

    /// Where a kernel is to write the results from `from` on: null if nowhere.
    #[inline(always)]
    pub(super) const fn at(self, from: usize, block: *mut u8) -> *mut u8 {
        match (self.copies(), self.is_nowhere()) {
            (true, _) => block,
            (false, true) => self.pointer,
            (false, false) => self.pointer.wrapping_add(from * self.size),
        }
    }

    /// Puts the `m` results from `from` on, which a kernel wrote to [`Sink::at`], in their place.
    ///
    /// # Safety
    ///
    /// There is room for them in the destination, and `block` holds `m` elements if that is where they were
    /// written.
    #[inline(always)]
    pub(super) unsafe fn put(self, from: usize, m: usize, block: *const u8) {
        if self.copies() {
            let pointer = self.pointer.wrapping_add(from * self.size);
            // SAFETY: the caller promises room for `m` elements; they may be uninitialised nowhere, since the
            // kernel wrote all; a block of this call overlaps no destination.
            unsafe { core::ptr::copy_nonoverlapping(block, pointer, m * self.size) };
        }
    }

    /// The destination from `from` on.
    #[inline(always)]
    pub(super) const fn from(self, from: usize) -> Sink {
        if self.is_nowhere() {
            self
        } else {
            Sink { pointer: self.pointer.wrapping_add(from * self.size), ..self }
        }
    }
}

/// In which order the blocks of a call are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Forward,
    Backward,
}

impl Order {
    /// Which parts `0..n` has, of `most` elements each, which is a power of two: where each begins, and how
    /// long it is.
    ///
    /// What is left over has a part of its own, or is done with the last one if it is at most a quarter: the
    /// calls for a part cost as much as that.
    #[inline(always)]
    pub(super) fn parts(self, n: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
        debug_assert!(most.is_power_of_two(), "elements in a block");
        // By a shift: a division takes as long as a short block.
        let (whole, rest) = (n >> most.trailing_zeros(), n & (most - 1));
        let count = whole + usize::from(rest > most / 4 || whole == 0 && rest > 0);
        (0..count).map(move |i| {
            let at = if matches!(self, Order::Forward) { i } else { count - 1 - i };
            let from = most * at;
            (from, if at + 1 == count { n - from } else { most })
        })
    }
}

/// How the operands of a call and its destination lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlap {
    /// The destination overlaps no operand.
    None,
    /// It does; but in this order nothing is written before it has been read, if a block is written after all
    /// of its operands are read.
    Ordered(Order),
    /// It overlaps some so that neither order will do.
    Tangled,
}

impl Overlap {
    /// Of operands and a destination that have `n` elements each.
    ///
    /// After the first d elements, forward, the first `d * size` bytes of `out` are written, and of an
    /// operand those from `d * size` on are still to be read. Both ends of that are linear in d, so they are
    /// in order everywhere if they are so at 0 and at n; backward it is the other way round.
    #[inline(always)]
    pub(super) fn of(n: usize, sources: &[Source<'_>], sizes: &[usize], out: Sink) -> Overlap {
        let (start, end) = (out.pointer.addr(), out.pointer.addr() + n * out.size);
        let (mut any, mut forward, mut backward) = (false, true, true);
        for (source, size) in sources.iter().zip(sizes) {
            let Some((first, last)) = source.range(n, *size) else { continue };
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
            (true, false, false) => Overlap::Tangled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(n: usize, inputs: [(usize, usize); 2], out: (usize, usize)) -> Overlap {
        let at = |address| core::ptr::without_provenance_mut::<u8>(address);
        let sources = inputs.map(|(address, _)| Source::Aligned(at(address).cast_const()));
        Overlap::of(n, &sources, &inputs.map(|(_, size)| size), Sink::new(at(out.0), out.1, false))
    }

    #[test]
    fn memory_is_ordered_as_one_would_move_it() {
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
        assert_eq!(overlap(8, [(1000, 4), (1008, 4)], (1004, 4)), Overlap::Tangled);
        assert_eq!(overlap(8, [(1000, 8), AWAY], (1016, 2)), Overlap::Tangled);
    }

    #[test]
    fn the_parts_of_either_order_are_all_there_is() {
        for n in [0, 1, 7, 8, 9, 10, 11, 24, 25, 26, 27, 31, 32] {
            let forward: [(usize, usize); 5] = {
                let mut parts = Order::Forward.parts(n, 8);
                let parted = core::array::from_fn(|_| parts.next().unwrap_or((n, 0)));
                assert_eq!(parts.next(), None);
                parted
            };
            let mut end = 0;
            for (from, m) in forward {
                assert_eq!(from, end, "the parts of {n} lie side by side");
                assert!(m <= room(8), "{m} of {n} at once");
                end += m;
            }
            assert_eq!(end, n);
            let mut backward = Order::Backward.parts(n, 8);
            for part in forward.iter().rev().filter(|part| part.1 > 0) {
                assert_eq!(backward.next(), Some(*part));
            }
            assert_eq!(backward.next(), None);
        }
    }
}
