//! Prefetching of memory that is needed next.

/// Tells the processor that the `len` bytes from `first` on may be read or written soon. They may lie outside
/// of any allocation.
#[inline(always)]
pub(crate) fn prefetch<T>(first: *const T, len: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use super::block::LINE;
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // Over pointers: LLVM unrolls a loop that counts to a number it knows, by 64.
        let (mut line, end) = (first.cast::<i8>(), first.cast::<i8>().wrapping_add(len));
        while line < end {
            // SAFETY: every machine of this kind has the instruction, which takes any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
            line = line.wrapping_add(LINE);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, len);
}
