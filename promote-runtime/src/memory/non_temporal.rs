//! Non-temporal stores: which calls are too large for the caches, and how they write their results.
//!
//! A processor that writes to memory which no cache has reads the line before. A store past the caches (a
//! non-temporal one) spares it that, a quarter of what an op of two operands moves; but results that would
//! have been in a cache are then read from the memory, so that it pays only for a call that moves as much as
//! the last cache holds. A function writes a part of its results to a block in L1, from where they are
//! copied: so that no function needs another form.

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::level::Level;
use crate::memory::block::{Block, LINE};

/// From how many elements on it is asked whether a call is one of those: fewer move 1 MiB an array at most.
/// Less while fuzzing, so that small inputs reach what lies behind it.
#[cfg(target_arch = "x86_64")]
pub(crate) const LEAST: usize = if cfg!(fuzzing) { 64 } else { 64 * 1024 };
/// Never: other kinds of machine have no such instruction in `core`.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const LEAST: usize = usize::MAX;

/// The bytes of a part of the results, and of operands that are copied because they lie apart. If it is less,
/// the functions wait longer for the memory; if more, what lies behind is not fetched as soon.
pub(crate) const PART: usize = 1024;

/// How much of the caches a call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// Little beside the last one.
    Within,
    /// More than those of one core hold: it waits for the last one.
    Shared,
    /// So much that some of it is in memory, for a cache is seldom one's own: operands that lie apart are
    /// read less at a time.
    Far,
    /// All of the last one and more.
    Beyond,
}

impl Reach {
    /// That of a call of `n` elements, which reads and writes so many bytes.
    #[inline(always)]
    pub(crate) fn of(n: usize, bytes: impl FnOnce() -> usize) -> Reach {
        if n < LEAST { Reach::Within } else { Reach::of_long(bytes()) }
    }

    #[cold]
    fn of_long(bytes: usize) -> Reach {
        let last = Machine::found().last_cache;
        if bytes >= last {
            Reach::Beyond
        } else if bytes >= last / 2 {
            Reach::Far
        } else if bytes >= last / 8 {
            Reach::Shared
        } else {
            Reach::Within
        }
    }
}

/// The level whose functions are best for calls that wait for the last cache or the memory, of one whose
/// functions are best for others: a processor that takes the vectors of AVX-512 by halves gains nothing by
/// them, and gets less from there.
#[cold]
pub(crate) fn level(level: Level) -> Level {
    if level == Level::V4 && Machine::found().takes_halves { Level::V3 } else { level }
}

/// What decides.
#[derive(Clone, Copy)]
struct Machine {
    /// The bytes of the largest cache.
    last_cache: usize,
    /// Whether vectors of 64 bytes are worked on by halves.
    takes_halves: bool,
}

#[cfg(target_arch = "x86_64")]
impl Machine {
    /// As the processor says; asked once, since to ask takes longer than a call.
    fn found() -> Machine {
        /// The bytes of the cache, whole lines, and one more for halves.
        static FOUND: AtomicUsize = AtomicUsize::new(0);
        let mut found = FOUND.load(Ordering::Relaxed);
        if found == 0 {
            let Machine { last_cache, takes_halves } = Machine::ask();
            found = last_cache | usize::from(takes_halves);
            FOUND.store(found, Ordering::Relaxed);
        }
        Machine { last_cache: found & !1, takes_halves: found & 1 != 0 }
    }

    fn ask() -> Machine {
        /// Where a machine does not say so, or names only what is nearest.
        const USUAL: usize = 32 * 1024 * 1024;
        const LEAST: usize = 1024 * 1024;
        /// Zen 4, and Zen 3, which has no AVX-512.
        const ZEN4: u8 = 0x19;
        if cfg!(fuzzing) {
            return Machine { last_cache: 4096, takes_halves: true };
        }
        let machine = raw_cpuid::CpuId::new();
        let caches = machine.get_cache_parameters();
        let bytes = caches.into_iter().flatten().map(|cache| {
            let line = cache.associativity() * cache.physical_line_partitions() * cache.coherency_line_size();
            line.saturating_mul(cache.sets())
        });
        let amd = machine.get_vendor_info().is_some_and(|vendor| vendor.as_str() == "AuthenticAMD");
        let family = machine.get_feature_info().map(|features| features.family_id());
        Machine {
            last_cache: bytes.max().filter(|bytes| *bytes >= LEAST).unwrap_or(USUAL),
            takes_halves: amd && family == Some(ZEN4),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Machine {
    fn found() -> Machine {
        Machine { last_cache: usize::MAX, takes_halves: false }
    }
}

/// Results on their way past the caches: one after another they come to a block, and from there, as often as
/// it is full, to their places. However few are made at once, so all that is written are whole lines, but for
/// what lies before the first one and behind the last one.
pub(crate) struct Past {
    block: Block<PART>,
    /// Where the block goes: to the beginning of a line.
    to: *mut u8,
    /// Where in it the results begin. The first one need not begin a line.
    begin: usize,
    /// Where they end.
    end: usize,
}

impl Past {
    /// None yet, of which the first goes to `out`.
    pub(crate) fn new(out: *mut u8) -> Past {
        let begin = out.addr() % LINE;
        Past { block: Block::new(), to: out.wrapping_sub(begin), begin, end: begin }
    }

    /// Room for the next results, and how many bytes it has: some, and that of a whole number of results if
    /// the address of the first one is a multiple of their size.
    #[inline(always)]
    pub(crate) fn room(&mut self) -> (*mut u8, usize) {
        (self.block.pointer().wrapping_add(self.end), PART - self.end)
    }

    /// Takes the next `bytes`, which stand in the room.
    ///
    /// # Safety
    ///
    /// There is room for as many, in which they are initialised, and for their place behind those before
    /// them: nobody else writes there, and nobody reads there before [`Past::finish`]. The machine has AVX.
    #[inline(always)]
    pub(crate) unsafe fn take(&mut self, bytes: usize) {
        debug_assert!(bytes <= PART - self.end, "the room that there is");
        self.end += bytes;
        if self.end == PART {
            // SAFETY: as the caller promises.
            unsafe { self.flush() };
        }
    }

    /// The whole block goes to its place.
    ///
    /// # Safety
    ///
    /// As [`Past::take`]; the block is full.
    #[inline(always)]
    unsafe fn flush(&mut self) {
        let (from, first) = (self.block.pointer().cast_const(), self.begin.next_multiple_of(LINE));
        // SAFETY: what the block holds from `begin` on is initialised and has room from there on behind `to`,
        // as the caller of `take` promises; lines begin at `to`, at the block and so at `first` in both; a
        // block overlaps nothing. The machine has AVX.
        unsafe {
            let (before, to) = (first - self.begin, self.to.wrapping_add(first));
            core::ptr::copy_nonoverlapping(from.add(self.begin), self.to.wrapping_add(self.begin), before);
            copy(from.add(first), to, PART - first);
        }
        (self.to, self.begin, self.end) = (self.to.wrapping_add(PART), 0, 0);
    }

    /// The last results go to their places, and all are there, for every thread, before what is written
    /// after.
    ///
    /// # Safety
    ///
    /// As [`Past::take`] of what was taken.
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

/// Copies `len` bytes, whole lines, past the caches. They are there for other threads behind a [`fence`].
///
/// # Safety
///
/// There are `len` bytes at `from`, initialised, and room for them at `to`; both begin with a line, and they
/// do not overlap. Nothing else is done with the room before a [`fence`]. The machine has AVX.
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

/// Copies `len` bytes: no call on other kinds of machine is one of those.
///
/// # Safety
///
/// There are `len` bytes at `from`, initialised, and room for them at `to`, which do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe { core::ptr::copy_nonoverlapping(from, to, len) }
}

/// Everything that was copied before is in its place, seen from any thread, before what is written after.
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
    fn what_is_taken_comes_to_its_place_and_nothing_else_is_written() {
        if Level::best() == Level::BASE {
            return;
        }
        // So many bytes at once, again and again: a few, about a line, about a block.
        for each in [1, 7, 63, 64, 65, 1000, PART, 5000] {
            for len in [0, 1, 63, 64, 200, PART - 1, PART, PART + 65, 3 * PART + 77] {
                let expected: Vec<u8> = (0..len).map(|i| (i * 31 + i / 251) as u8).collect();
                for before in 64..128 {
                    let mut memory = vec![0xEE_u8; before + len + 64];
                    let mut past = Past::new(memory[before..].as_mut_ptr());
                    let mut done = 0;
                    while done < len {
                        let (room, bytes) = past.room();
                        let m = (len - done).min(each).min(bytes);
                        assert!(m > 0, "there always is some room");
                        // SAFETY: the room has `m` bytes, and `memory` those that are taken; the machine has
                        // AVX.
                        unsafe {
                            expected[done..].as_ptr().copy_to_nonoverlapping(room, m);
                            past.take(m);
                        }
                        done += m;
                    }
                    // SAFETY: as above.
                    unsafe { past.finish() };
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
