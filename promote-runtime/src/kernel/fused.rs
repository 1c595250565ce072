//! The call of a fused function where its operands lie.

use super::RawKernel;
use super::error::CallError;
use super::loops::SPREAD;
use super::run::check;
use super::stage::{Sink, Source};

/// The bytes that a processor reads and writes at once.
pub(super) const LINE: usize = 64;

/// From how many bytes of results on it pays that they begin with a line: a call of a few elements before costs less than vectors that reach over two. In
/// place, where the same line is read and written, that is soon; else it is so of long calls, while rows that wait for the memory are slower in two parts.
pub(super) const LINED: usize = 2048;
const LINED_APART: usize = 64 * 1024;

/// A fused function of `N` inputs, and the bytes of their elements.
#[derive(Clone, Copy)]
pub(super) struct Fused<const N: usize> {
    pub(super) raw: RawKernel,
    pub(super) sizes: [usize; N],
    pub(super) out_size: usize,
    /// Whether the second input is one element, which a function that computes in place takes.
    pub(super) one: bool,
}

impl<const N: usize> Fused<N> {
    /// Computes `n` elements; those before a line begins by themselves, where there are many.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`] for `n` elements, or with one element as the second input where that is said; a function that may trap has looked at its operands
    /// before, unless `out` is null.
    #[inline]
    pub(super) unsafe fn run(&self, n: usize, inputs: [*const u8; N], out: *mut u8) -> Result<(), CallError> {
        debug_assert!(n & SPREAD == 0, "a number of elements");
        let one = if self.one { SPREAD } else { 0 };
        let over = out.addr() % LINE;
        let in_place = inputs.first() == Some(&out.cast_const());
        debug_assert!(!(self.one && in_place), "one element, and results in place");
        let least = if in_place { LINED } else { LINED_APART };
        if over == 0 || n * self.out_size < least {
            // SAFETY: as the caller promises.
            return check(unsafe { (self.raw)(n | one, inputs.as_ptr(), out) });
        }
        let head = (LINE - over) / self.out_size;
        let behind: [*const u8; N] = core::array::from_fn(|k| match k {
            1 if self.one => inputs[k],
            _ => inputs[k].wrapping_add(head * self.sizes[k]),
        });
        // SAFETY: as the caller promises, of so many elements; there are more, since those of a line are fewer than `LINED` bytes.
        check(unsafe { (self.raw)(head | one, inputs.as_ptr(), out) })?;
        // SAFETY: as the caller promises, of the elements behind them; both ends of `out` move alike, so that what it overlaps stays the same.
        check(unsafe {
            (self.raw)((n - head) | one, behind.as_ptr(), out.wrapping_add(head * self.out_size))
        })
    }
}

/// Where the inputs of a call lie, of which the second is one element, if a function that computes in place (`replaceable` is not 0) can have them there: of
/// a function whose operands can be exchanged (2), that may be the first source. `out` is no input then, and overlaps none.
#[inline]
pub(super) fn with_one<const N: usize>(
    replaceable: usize,
    sources: &[Source<'_>; N],
    sink: Sink,
) -> Option<[*const u8; N]> {
    if replaceable == 0 || sink.copies() || sink.is_nowhere() {
        return None;
    }
    let (k, value) = sources.iter().enumerate().find_map(|(k, source)| match source {
        Source::Scalar(value) if k == 1 || replaceable == 2 => Some((k, value)),
        _ => None,
    })?;
    let mut pointers = sources.map(Source::pointer);
    pointers[k] = value.pointer();
    pointers.swap(k, 1);
    let other = sources[1 - k];
    (matches!(other, Source::Aligned(_)) && !sink.is(other)).then_some(pointers)
}
