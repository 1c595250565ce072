//! Non-temporal stores, which write the results of calls that are too large for the caches.
//!
//! A normal store first reads the cache line that it overwrites, a quarter of what a binary op moves. A
//! non-temporal store avoids that read, but its results are in no cache afterwards. This pays for calls that
//! move as much as the last-level cache holds. Kernels write to a block in the L1 cache, which is copied out.

use crate::level::Level;
use crate::memory::block::{Block, LINE};
use crate::memory::machine::Machine;

/// The number of elements from which a call may be that large; smaller calls move at most 1 MiB an array.
/// Fuzzing uses a lower number, so that small inputs reach this code. `core` has non-temporal stores for
/// x86-64 alone.
pub(crate) const MIN_LEN: usize = match (cfg!(target_arch = "x86_64"), cfg!(fuzzing)) {
    (true, false) => 64 * 1024,
    (true, true) => 64,
    (false, _) => usize::MAX,
};

/// The number of bytes that are computed at a time, for results and for strided operands that are copied.
/// With fewer, kernels wait longer for memory; with more, the next operands are fetched too late.
pub(crate) const PART: usize = 1024;

/// The memory that holds the bytes which a call reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WorkingSet {
    /// Less than an eighth of the last-level cache: the caches of one core are likely to hold it.
    Private,
    /// More than the caches of one core hold: the call waits for the last-level cache. Strided operands are
    /// then read in smaller parts.
    Shared,
    /// At least as much as the last-level cache holds for one program.
    Memory,
}

impl WorkingSet {
    /// Returns the working set of a call of `n` elements that reads and writes this many bytes.
    #[inline(always)]
    pub(crate) fn of(n: usize, bytes: impl FnOnce() -> usize) -> WorkingSet {
        if n < MIN_LEN { WorkingSet::Private } else { WorkingSet::of_long(bytes()) }
    }

    #[cold]
    fn of_long(bytes: usize) -> WorkingSet {
        let last = Machine::found().last_cache;
        if bytes >= last {
            WorkingSet::Memory
        } else if bytes >= last / 8 {
            WorkingSet::Shared
        } else {
            WorkingSet::Private
        }
    }
}

/// Returns the level to use for calls that wait for memory. A processor that splits AVX-512 vectors in two
/// runs them at V3.
#[cold]
pub(crate) fn level(level: Level) -> Level {
    if level == Level::V4 && Machine::found().takes_halves { Level::V3 } else { level }
}

/// A writer that collects results in a block and copies each full block out by non-temporal stores of whole
/// cache lines. Only the results before the first line boundary and after the last one are stored otherwise.
pub(crate) struct NtWriter {
    block: Block<PART>,
    /// The destination of the block, aligned to a cache line.
    to: *mut u8,
    /// The offset of the first result in the block, since the first result need not begin a line.
    begin: usize,
    /// The offset after the last result in the block.
    end: usize,
}

impl NtWriter {
    /// Returns a writer that has written nothing, and whose first result goes to `out`.
    pub(crate) fn new(out: *mut u8) -> NtWriter {
        let begin = out.addr() % LINE;
        NtWriter { block: Block::new(), to: out.wrapping_sub(begin), begin, end: begin }
    }

    /// Returns the room for the next results and its size in bytes, which is never 0. The room fits a whole
    /// number of results if the address of the first one is a multiple of their size.
    #[inline(always)]
    pub(crate) fn room(&mut self) -> (*mut u8, usize) {
        (self.block.pointer().wrapping_add(self.end), PART - self.end)
    }

    /// Takes the next `bytes`, which the caller has written to the room.
    ///
    /// # Safety
    ///
    /// The bytes are initialised, and the destination has room for them after the previous ones. Nothing
    /// else reads or writes there before [`NtWriter::finish`]. The machine has AVX.
    #[inline(always)]
    pub(crate) unsafe fn take(&mut self, bytes: usize) {
        debug_assert!(bytes <= PART - self.end, "the room that there is");
        self.end += bytes;
        if self.end == PART {
            // SAFETY: as the caller promises.
            unsafe { self.flush() };
        }
    }

    /// Copies the full block to its destination.
    ///
    /// # Safety
    ///
    /// As [`NtWriter::take`]; the block is full.
    #[inline(always)]
    unsafe fn flush(&mut self) {
        let (from, first) = (self.block.pointer().cast_const(), self.begin.next_multiple_of(LINE));
        // SAFETY: the block is initialised from `begin` on, and there is as much room after `to`, as the
        // callers of `take` promise. Lines begin at `to`, at the block and so at `first` in both. A block
        // overlaps nothing. The machine has AVX.
        unsafe {
            let (before, to) = (first - self.begin, self.to.wrapping_add(first));
            core::ptr::copy_nonoverlapping(from.add(self.begin), self.to.wrapping_add(self.begin), before);
            copy(from.add(first), to, PART - first);
        }
        (self.to, self.begin, self.end) = (self.to.wrapping_add(PART), 0, 0);
    }

    /// Copies the last results out. All results are then visible to every thread before any later write.
    ///
    /// # Safety
    ///
    /// As [`NtWriter::take`] of what was taken.
    pub(crate) unsafe fn finish(&mut self) {
        let from = self.block.pointer().wrapping_add(self.begin).cast_const();
        // SAFETY: as the caller promises; a block overlaps nothing.
        unsafe {
            core::ptr::copy_nonoverlapping(from, self.to.wrapping_add(self.begin), self.end - self.begin);
        };
        self.begin = self.end;
        fence();
    }
}

/// Copies `len` bytes, whole lines, by non-temporal stores. Other threads see them after a [`fence`].
///
/// # Safety
///
/// There are `len` initialised bytes at `from`, and room for them at `to`; both begin with a line, and do not
/// overlap. Nothing else uses the room before a [`fence`]. The machine has AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[allow(clippy::cast_ptr_alignment, reason = "a line begins there")]
unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    use core::arch::x86_64::{__m256i, _mm256_load_si256, _mm256_stream_si256};
    debug_assert!(
        [from.addr(), to.addr(), len].iter().all(|bytes| bytes.is_multiple_of(LINE)),
        "whole lines"
    );
    let mut done = 0;
    while done < len {
        // SAFETY: there are as many bytes and as much room, whole lines from the beginning of one on, of two
        // vectors each.
        unsafe {
            let from: *const __m256i = from.add(done).cast();
            let to: *mut __m256i = to.add(done).cast();
            let (first, second) = (_mm256_load_si256(from), _mm256_load_si256(from.add(1)));
            _mm256_stream_si256(to, first);
            _mm256_stream_si256(to.add(1), second);
        }
        done += LINE;
    }
}

/// Copies `len` bytes by normal stores. Calls never get here, since [`MIN_LEN`] disables non-temporal
/// stores.
///
/// # Safety
///
/// There are `len` bytes at `from`, initialised, and room for them at `to`, which do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe { core::ptr::copy_nonoverlapping(from, to, len) }
}

/// Makes all earlier copies visible to every thread before any later write.
#[inline(always)]
fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every machine of this kind has the instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn writer_copies_its_input_and_touches_nothing_else() {
        if Level::best() == Level::BASE {
            return;
        }
        // So many bytes at once, again and again: a few, about a line, about a block.
        for each in [1, 7, 63, 64, 65, 1000, PART, 5000] {
            for len in [0, 1, 63, 64, 200, PART - 1, PART, PART + 65, 3 * PART + 77] {
                let expected: Vec<u8> = (0..len).map(|i| (i * 31 + i / 251) as u8).collect();
                for before in 64..128 {
                    let mut memory = vec![0xEE_u8; before + len + 64];
                    let mut writer = NtWriter::new(memory[before..].as_mut_ptr());
                    let mut done = 0;
                    while done < len {
                        let (room, bytes) = writer.room();
                        let m = (len - done).min(each).min(bytes);
                        assert!(m > 0, "there always is some room");
                        // SAFETY: the room has `m` bytes, and `memory` those that are taken; the machine has
                        // AVX.
                        unsafe {
                            expected[done..].as_ptr().copy_to_nonoverlapping(room, m);
                            writer.take(m);
                        }
                        done += m;
                    }
                    // SAFETY: as above.
                    unsafe { writer.finish() };
                    assert!(
                        memory[before..][..len] == expected,
                        "{len} bytes, {each} at once, {before} behind"
                    );
                    let around = memory[..before].iter().chain(&memory[before + len..]);
                    assert!(around.into_iter().all(|byte| *byte == 0xEE), "nothing else is written");
                }
            }
        }
    }
}
