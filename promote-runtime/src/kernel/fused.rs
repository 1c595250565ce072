//! Calls of a fused function on operands in place: once, split at the first cache line, or in parts whose
//! results bypass the caches.

use super::entry::Functions;
use super::{RawKernel, Status};
use crate::error::call::CallError;
use crate::level::function::invoke;
use crate::memory::block::{LINE, is_lined};
use crate::memory::non_temporal::{self, NtWriter};
use crate::memory::operand::{Operand, Out};

/// How a call stores its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stores {
    /// With one call, from the first address on.
    Plain,
    /// In whole cache lines.
    Lines,
    /// In whole cache lines that bypass the caches, unless results are computed in place, where their lines
    /// are read anyway. The machine has AVX.
    NonTemporal,
}

/// A fused function of `N` inputs, and the bytes of their elements.
#[derive(Clone, Copy)]
pub(super) struct Fused<const N: usize> {
    /// The function for an `out` that is not an input.
    raw: RawKernel,
    /// The function for an `out` that is the first input, if the kernel computes in place.
    in_place: RawKernel,
    /// The bytes from one element of an input to the next, or 0 for a single element.
    pub(super) sizes: [usize; N],
    pub(super) out_size: usize,
    pub(super) stores: Stores,
}

impl<const N: usize> Fused<N> {
    /// Returns the call of a kernel's functions, with `broadcast` for a second input of one element.
    ///
    /// # Panics
    ///
    /// Panics if there is no function that takes one element.
    pub(super) fn new(
        functions: Functions,
        broadcast: bool,
        mut sizes: [usize; N],
        out_size: usize,
        stores: Stores,
    ) -> Fused<N> {
        let Functions { apart, in_place_and_broadcast } = functions;
        let [in_place, one] = in_place_and_broadcast.unwrap_or([apart; 2]);
        if !broadcast {
            return Fused { raw: apart, in_place, sizes, out_size, stores };
        }
        assert!(in_place_and_broadcast.is_some(), "a kernel that takes no single element");
        sizes[1] = 0;
        Fused { raw: one, in_place, sizes, out_size, stores }
    }

    /// Computes `n` elements.
    ///
    /// # Safety
    ///
    /// As [`RawKernel`](super::RawKernel) for `n` elements. If the call was made for a broadcast input, the
    /// second input is one element, and `out` is no input. If the kernel computes in place, `out` may be the
    /// first input, is then initialised, and overlaps no other. A function that may trap has checked its
    /// operands before, unless `out` is null.
    #[inline(always)]
    pub(super) unsafe fn run(&self, n: usize, inputs: [*const u8; N], out: *mut u8) -> Result<(), CallError> {
        if self.is_one_call(n, out.addr()) {
            // SAFETY: as the caller promises.
            return unsafe { self.at_once(n, &inputs, out) };
        }
        // SAFETY: as the caller promises.
        unsafe { self.past_or_lined(n, inputs, out) }
    }

    /// Returns true if one call of the function computes `n` results from an address on, whatever the inputs.
    #[inline(always)]
    const fn is_one_call(&self, n: usize, out: usize) -> bool {
        match self.stores {
            Stores::Plain => true,
            Stores::Lines => is_lined(out, n * self.out_size),
            Stores::NonTemporal => false,
        }
    }

    /// Computes `n` elements, by non-temporal stores if they can be used.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`].
    #[inline(never)]
    unsafe fn past_or_lined(&self, n: usize, inputs: [*const u8; N], out: *mut u8) -> Result<(), CallError> {
        let in_place = inputs.first() == Some(&out.cast_const());
        let streams = self.stores == Stores::NonTemporal;
        if streams && n * self.out_size >= 2 * non_temporal::PART && !in_place && self.can_stream(out) {
            let mut writer = NtWriter::new(out);
            // SAFETY: as the caller promises; `out` is no input, and there is AVX for such stores.
            let done = unsafe { self.run_non_temporal(n, inputs, &mut writer) };
            // SAFETY: what was taken are results, for which there is room from `out` on.
            unsafe { writer.finish() };
            return done;
        }
        // SAFETY: as the caller promises.
        unsafe { self.lined(n, inputs, out) }
    }

    /// Computes `n` elements. If there are many, those before the first whole cache line are a call of their
    /// own.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`].
    #[inline(always)]
    unsafe fn lined(&self, n: usize, inputs: [*const u8; N], out: *mut u8) -> Result<(), CallError> {
        let bytes = n * self.out_size;
        let head = if is_lined(out.addr(), bytes) { 0 } else { (LINE - out.addr() % LINE) / self.out_size };
        if head > 0 {
            // SAFETY: as the caller promises; `n` elements fill more than a line.
            unsafe { self.at_once(head, &inputs, out) }?;
        }
        // SAFETY: as the caller promises, of the elements after them. Inputs and `out` advance by the same
        // number of elements, so an `out` that was the first input still is.
        unsafe { self.part(head, n - head, inputs, out.wrapping_add(head * self.out_size)) }
    }

    /// Computes `count` rows of `n` elements. From one row to the next, operands advance by `strides` bytes,
    /// and results by `stride`.
    ///
    /// Few instructions lie between two rows, so that the processor fetches the elements of the next row
    /// while it still computes this one.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`], of each row; `out` is not null.
    pub(super) unsafe fn rows(
        &self,
        n: usize,
        count: usize,
        (mut inputs, strides): ([*const u8; N], &[isize; N]),
        (mut out, stride): (*mut u8, isize),
    ) -> Result<(), CallError> {
        // A copy can stay in registers.
        let call = *self;
        let lines = stride.unsigned_abs().is_multiple_of(LINE);
        let one_call = call.is_one_call(n, if lines { out.addr() } else { LINE - 1 });
        for _ in 0..count {
            // SAFETY: as the caller promises.
            unsafe {
                if one_call {
                    call.at_once(n, &inputs, out)
                } else if call.stores == Stores::NonTemporal {
                    call.past_or_lined(n, inputs, out)
                } else {
                    call.lined(n, inputs, out)
                }
            }?;
            out = out.wrapping_offset(stride);
            for (input, stride) in inputs.iter_mut().zip(strides) {
                *input = input.wrapping_offset(*stride);
            }
        }
        Ok(())
    }

    /// Returns true if results from `out` on can bypass the caches, and this is faster.
    #[inline]
    pub(super) fn can_stream(&self, out: *mut u8) -> bool {
        can_go_past_caches(out, &self.sizes, self.out_size)
    }

    /// Computes `m` elements, from `from` on of the inputs, to `to`.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`] for `from + m` elements, of room for `m` at `to`.
    #[inline(always)]
    unsafe fn part(
        &self,
        from: usize,
        m: usize,
        inputs: [*const u8; N],
        to: *mut u8,
    ) -> Result<(), CallError> {
        let inputs: [*const u8; N] = core::array::from_fn(|k| inputs[k].wrapping_add(from * self.sizes[k]));
        // SAFETY: as the caller promises.
        unsafe { self.at_once(m, &inputs, to) }
    }

    /// Computes `m` elements by one call of a function.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`].
    #[inline(always)]
    pub(super) unsafe fn at_once(
        &self,
        m: usize,
        inputs: &[*const u8; N],
        out: *mut u8,
    ) -> Result<(), CallError> {
        let in_place = inputs.first() == Some(&out.cast_const());
        debug_assert!(!in_place || N < 2 || self.sizes[1] != 0, "one element, and results in place");
        let raw = if in_place { self.in_place } else { self.raw };
        // SAFETY: as the caller promises.
        check(unsafe { invoke(raw, m, inputs, out) })
    }

    /// Computes `n` elements, which a writer stores past the caches, after the previous results.
    ///
    /// # Safety
    ///
    /// As [`Fused::run`], of room there, which overlaps no input and of which [`Fused::can_stream`]; the
    /// machine has AVX.
    pub(super) unsafe fn run_non_temporal(
        &self,
        n: usize,
        inputs: [*const u8; N],
        writer: &mut NtWriter,
    ) -> Result<(), CallError> {
        let mut from = 0;
        while from < n {
            let (to, bytes) = writer.room();
            let m = core::cmp::min(n - from, bytes / self.out_size);
            // SAFETY: as the caller promises; there is room for `m` results, which overlaps nothing, and is
            // aligned, since a line begins with a result. The function writes them before they are taken, and
            // for all of them there is room after the previous results.
            unsafe {
                self.part(from, m, inputs, to)?;
                writer.take(m * self.out_size);
            }
            from += m;
        }
        Ok(())
    }
}

/// Returns true if results of `out_size` bytes from `out` on can bypass the caches, and this is faster.
#[inline]
pub(super) fn can_go_past_caches(out: *mut u8, sizes: &[usize], out_size: usize) -> bool {
    // Complex numbers are aligned to their parts, so none may begin a line. If the results have few bytes
    // compared with the operands, little is gained.
    !out.is_null() && out.addr().is_multiple_of(out_size) && 4 * out_size >= sizes.iter().sum()
}

/// Returns the addresses of the inputs, the second of which is one element, if a function with a broadcast
/// loop (`replaceable` is not 0) can read them in place. If its operands can be exchanged (2), the element
/// may be the first operand. `out` is no input then, and overlaps none.
#[inline]
pub(super) fn with_one<const N: usize>(
    replaceable: usize,
    operands: &[Operand<'_>; N],
    out: Out,
) -> Option<[*const u8; N]> {
    if replaceable == 0 || out.is_staged() || out.is_nowhere() {
        return None;
    }
    let one = |k: &usize| operands[*k].is_broadcast() && (*k == 1 || replaceable == 2);
    let k = (0..N).find(one)?;
    let other = &operands[1 - k];
    if !other.is_direct() || out.is(other) {
        return None;
    }
    let mut pointers = operands.each_ref().map(|operand| operand.pointer);
    pointers.swap(k, 1);
    Some(pointers)
}

/// Returns the error of a kernel function's status.
#[inline(always)]
pub(crate) fn check(status: Status) -> Result<(), CallError> {
    // Compared by itself, so that a caller compares one byte; LLVM would make a table of all cases.
    if status == Status::Done {
        return Ok(());
    }
    match status {
        Status::Done => Ok(()),
        Status::DivisionByZero => Err(CallError::DivisionByZero),
        Status::NegativeExponent => Err(CallError::NegativeExponent),
        Status::Probability => Err(CallError::Probability),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::kernel::Status;
    use crate::level::Level;
    use std::vec;
    use std::vec::Vec;

    /// `out[i] = a[i] + b[i]` of bytes as u16, or with one element for `b`.
    pub(in crate::kernel) unsafe fn widening_sum<const ONE: bool>(
        n: usize,
        a: *const u8,
        b: *const u8,
        _: *const *const u8,
        out: *mut u8,
    ) -> Status {
        for i in 0..n {
            // SAFETY: the inputs have `n` bytes, or the second one; `out` has room for `n` results, aligned.
            unsafe {
                let sum = u16::from(a.add(i).read()) + u16::from(b.add(if ONE { 0 } else { i }).read());
                out.add(2 * i).cast::<[u8; 2]>().write(sum.to_ne_bytes());
            }
        }
        Status::Done
    }

    /// The call of these functions, none of which computes in place.
    fn sums(one: bool, stores: Stores) -> Fused<2> {
        let (apart, broadcast): (RawKernel, RawKernel) = (widening_sum::<false>, widening_sum::<true>);
        let functions = Functions { apart, in_place_and_broadcast: Some([apart, broadcast]) };
        Fused::new(functions, one, [1, 1], 2, stores)
    }

    fn non_temporal_or_lines() -> Stores {
        if Level::best() == Level::BASE { Stores::Lines } else { Stores::NonTemporal }
    }

    #[test]
    fn results_do_not_depend_on_where_rows_begin() {
        let most = non_temporal_or_lines();
        // Single rows below and above what non-temporal stores write at a time. Several rows that begin like
        // the first one within a line, and that do not.
        let part = non_temporal::PART / 2;
        let single = [1, 2 * part - 1, 2 * part, 2 * part + 1, 3 * part + 31, 5 * part + 33, 4000];
        let several = [(100, 0), (2100, 0), (2100, 4), (2048, 32), (33_000, 5)];
        let calls = single.map(|n| (1, n, 1)).into_iter().chain(several.map(|(n, gap)| (3, n, gap)));
        for (rows, n, gap) in calls {
            let len = n + gap;
            let a: Vec<u8> = (0..rows * len).map(|i| (i * 7) as u8).collect();
            let b: Vec<u8> = (0..n).map(|i| (i * 13 + 5) as u8).collect();
            for (one, stores) in [(false, Stores::Lines), (true, Stores::Lines), (false, most), (true, most)]
            {
                let call = sums(one, stores);
                for begin in (0..33).filter(|begin| rows == 1 || [0, 1, 31, 32].contains(begin)) {
                    let mut out = vec![0xEEEE_u16; begin + rows * len];
                    let results = out[begin..].as_mut_ptr().cast();
                    // SAFETY: there are `rows` rows of `n` elements in `a`, and one in `b`, which every row
                    // reads; there is room for as many results. The machine has AVX where results go past the
                    // caches.
                    unsafe {
                        let inputs = ([a.as_ptr(), b.as_ptr()], &[len.cast_signed(), 0]);
                        call.rows(n, rows, inputs, (results, 2 * len.cast_signed())).expect("sums");
                    }
                    assert!(out[..begin].iter().all(|free| *free == 0xEEEE), "nothing else is written");
                    for (i, found) in out[begin..].iter().enumerate() {
                        let sum = |k: usize| u16::from(a[i]) + u16::from(b[if one { 0 } else { k }]);
                        let expected = if i % len < n { sum(i % len) } else { 0xEEEE };
                        assert_eq!(*found, expected, "element {i} of rows of {n} and {gap}, {begin} behind");
                    }
                }
            }
        }
    }

    /// Adds bytes to those that stand in `out`, which is the first input.
    unsafe fn add_in_place(
        n: usize,
        a: *const u8,
        b: *const u8,
        _: *const *const u8,
        out: *mut u8,
    ) -> Status {
        assert_eq!(a, out.cast_const());
        for i in 0..n {
            // SAFETY: there are `n` bytes in `out` and in `b`.
            unsafe { out.add(i).write(out.add(i).read().wrapping_add(b.add(i).read())) };
        }
        Status::Done
    }

    #[test]
    fn results_in_place_do_not_depend_on_where_rows_begin() {
        for (n, len) in [(100, 128), (4096, 4096), (4500, 4599)] {
            let apart: RawKernel = widening_sum::<false>;
            let functions = Functions { apart, in_place_and_broadcast: Some([add_in_place, apart]) };
            let call = Fused::new(functions, false, [1, 1], 1, Stores::Lines);
            let b: Vec<u8> = (0..n).map(|i| (i * 13 + 5) as u8).collect();
            for begin in [0, 1, 63] {
                let before: Vec<u8> = (0..begin + 3 * len).map(|i| (i * 7) as u8).collect();
                let mut out = before.clone();
                let first = out[begin..].as_mut_ptr();
                let stride = len.cast_signed();
                // SAFETY: there are three rows of `n` bytes in `out`, which are the first input, and one in
                // `b`.
                unsafe { call.rows(n, 3, ([first, b.as_ptr()], &[stride, 0]), (first, stride)) }
                    .expect("sums");
                for (i, found) in out.iter().enumerate() {
                    let place = i.checked_sub(begin).map(|i| i % len).filter(|place| *place < n);
                    let added = place.map_or(0, |place| b[place]);
                    assert_eq!(*found, before[i].wrapping_add(added), "byte {i} of rows of {n}, {len} apart");
                }
            }
        }
    }

    /// Copies elements of 16 bytes.
    unsafe fn copy(n: usize, a: *const u8, _: *const u8, _: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the test gives an input of so many elements, and room for them.
        unsafe { a.copy_to_nonoverlapping(out, 16 * n) };
        Status::Done
    }

    #[test]
    fn complex_results_may_lie_so_that_none_begins_with_a_line() {
        let n = 500;
        let a: Vec<u8> = (0..16 * n).map(|i| (i * 7) as u8).collect();
        let call = Fused::new(Functions::apart(copy), false, [16], 16, non_temporal_or_lines());
        for begin in 0..=16 {
            // By the eight bytes to which parts are aligned.
            let mut out = vec![0_u64; 2 * n + begin];
            // SAFETY: the input has `n` elements, and there is room for them from `begin` on; the machine has
            // AVX where it is said.
            unsafe { call.run(n, [a.as_ptr()], out[begin..].as_mut_ptr().cast()) }.expect("a copy");
            let bytes: Vec<u8> = out[begin..].iter().flat_map(|part| part.to_ne_bytes()).collect();
            assert!(bytes == a, "results {begin} parts behind");
        }
    }
}
