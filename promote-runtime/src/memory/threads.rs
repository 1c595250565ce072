//! Splits a call over several threads (feature `rayon`).
//!
//! Each element is computed by itself, so the split changes no result.

use crate::error::call::CallError;

/// The number of elements from which a call may be worth more than one thread. Fuzzing uses a lower number,
/// so that small inputs are split.
#[cfg(feature = "rayon")]
pub(crate) const MIN_LEN: usize = if cfg!(fuzzing) { 64 } else { 16 * 1024 };
/// The number of elements from which a call may not fit in the caches.
#[cfg(not(feature = "rayon"))]
pub(crate) const MIN_LEN: usize = super::non_temporal::MIN_LEN;

/// Calls `part(from, len)` for ranges that make up `0..n`: on the threads of the current pool if that pays,
/// otherwise once.
///
/// An element reads and writes `bytes` bytes; `costly` is true if it is more than loaded and stored. If
/// several calls fail, one of their errors is returned.
///
/// # Safety
///
/// `part` can be called by several threads at a time, for parts that do not overlap.
#[inline(always)]
pub(crate) unsafe fn each_part(
    n: usize,
    bytes: usize,
    costly: bool,
    part: impl Fn(usize, usize) -> Result<(), CallError>,
) -> Result<(), CallError> {
    /// Ranges begin at a multiple of this number, so that no two threads write to one cache line.
    const STEP: usize = if cfg!(fuzzing) { 64 } else { 1024 };
    // SAFETY: as the caller promises.
    unsafe { each_unit(n, 1, bytes, costly, |len| len.next_multiple_of(STEP), part) }
}

/// Calls `part` for ranges of `n` units of `elements` elements each. `round` rounds the length of a range up.
///
/// # Safety
///
/// As [`each_part`].
#[inline(always)]
#[cfg_attr(not(feature = "rayon"), allow(unused_variables, reason = "one range has all units"))]
pub(crate) unsafe fn each_unit(
    n: usize,
    elements: usize,
    bytes: usize,
    costly: bool,
    round: impl Fn(usize) -> usize,
    part: impl Fn(usize, usize) -> Result<(), CallError>,
) -> Result<(), CallError> {
    #[cfg(feature = "rayon")]
    if let Some(len) = range(n, elements, bytes, costly) {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};

        struct Shared<F>(F);
        // SAFETY: the caller promises that several threads may call it.
        unsafe impl<F> Sync for Shared<F> {}
        impl<F: Fn(usize, usize) -> Result<(), CallError>> Shared<F> {
            fn call(&self, from: usize, len: usize) -> Result<(), CallError> {
                (self.0)(from, len)
            }
        }

        let (len, part) = (round(len), Shared(part));
        return (0..n.div_ceil(len)).into_par_iter().try_for_each(|i| {
            let from = i * len;
            part.call(from, len.min(n - from))
        });
    }
    part(0, n)
}

/// Returns how many units a range has; `None` if one thread computes all of them.
#[cfg(feature = "rayon")]
fn range(n: usize, elements: usize, bytes: usize, costly: bool) -> Option<usize> {
    /// The least number of bytes in a range, for ops that only load and store and for costly ops.
    const CHEAP: usize = if cfg!(fuzzing) { 512 } else { 512 * 1024 };
    const COSTLY: usize = if cfg!(fuzzing) { 512 } else { 64 * 1024 };
    /// The number of ranges for each thread, so that a slow thread delays few of them.
    const PARTS: usize = 4;
    let least = (if costly { COSTLY } else { CHEAP } / (bytes * elements)).max(1);
    if n < 2 * least || n.saturating_mul(elements) < MIN_LEN {
        return None;
    }
    let threads = rayon::current_num_threads();
    (threads > 1).then(|| n.div_ceil(threads * PARTS).max(least))
}
