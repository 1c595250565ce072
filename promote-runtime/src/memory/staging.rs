//! The blocks through which operands and results are staged, and the order in which a call computes them.
//!
//! Kernels expect aligned, contiguous elements that do not overlap the output. When an operand is unaligned,
//! overlaps the output, or is a single element, its elements are first copied into a block that fits in the
//! L1 cache. Results are staged likewise, and copied out after each block.

use crate::memory::block;

/// The bytes of a part of a call. A short remainder makes the last part longer.
pub(crate) const BLOCK: usize = 4096;
/// Room for a part and the remainder that is computed with it.
pub(crate) type Block = block::Block<{ room(BLOCK) }>;

/// Returns the greatest length of a part of a call whose usual parts have the length `most`; see
/// [`Order::parts`].
pub(crate) const fn room(most: usize) -> usize {
    most + most / 4
}

/// The order in which the blocks of a call are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Forward,
    Backward,
}

impl Order {
    /// Splits `0..n` into parts of `most` elements, which is a power of two. Returns the start and the length
    /// of each.
    ///
    /// A remainder is a part of its own, unless it is at most a quarter of a part. It then belongs to the
    /// last part, because the calls for a part cost as much as such a remainder.
    #[inline(always)]
    pub(crate) fn parts(self, n: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
        debug_assert!(most.is_power_of_two(), "elements in a block");
        // A shift, because a division takes as long as a short block.
        let (whole, rest) = (n >> most.trailing_zeros(), n & (most - 1));
        let count = whole + usize::from(rest > most / 4 || whole == 0 && rest > 0);
        (0..count).map(move |i| {
            let at = if matches!(self, Order::Forward) { i } else { count - 1 - i };
            let from = most * at;
            (from, if at + 1 == count { n - from } else { most })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
