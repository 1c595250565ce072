//! The loops of scans over contiguous values.
//!
//! Values are `i64`, `f64` or complex numbers of two `f64`. Floats are added in chunks: a chunk of 16 is
//! scanned by itself in four rounds, and then the sum before it is added to each. So 16 elements wait for one
//! addition, and not for 16.

#![allow(clippy::needless_range_loop, reason = "iterators are not inlined in every build")]

use core::marker::PhantomData;

use half::{bf16, f16};
use num_complex::Complex;

use super::sums::Total;
use crate::element::Element;
use crate::formats::narrow::Saturate;
use crate::kernel::Status;
use crate::kernel::per_level::{PerLevel, body};
use crate::level::doors::{Body, Levels, Target};
use crate::level::function::Pointers;

/// The number of values that are added to each other before they are added to the state: the fewer, the
/// smaller the error of a sum.
const BLOCK: usize = 512;

/// The most bytes of a state.
pub(super) const STATE: usize = 32;

/// A scan: what it keeps of the elements read so far.
pub(super) trait Step: 'static {
    /// An element, and a result.
    type Value: Copy + 'static;
    type State: Copy + 'static;

    /// The result before the first element.
    const FIRST: Self::Value;
    const START: Self::State;
    /// The number of values in a chunk: 1, 2 or 16. Vectors are worth it for floats. Integers are added one
    /// after another, which is as fast. Halves of which every step is rounded have to be.
    const CHUNK: usize;

    /// True if the values of a block are joined by themselves, so that the state can keep what a sum loses.
    const RESTARTS: bool;

    fn join(a: Self::Value, b: Self::Value) -> Self::Value;

    /// Joins an element to the state.
    fn advance(state: &mut Self::State, value: Self::Value);

    fn value(state: &Self::State) -> Self::Value;

    /// Ends a block: `value` is that of the block, or without [`Step::RESTARTS`] that of all elements so far.
    fn close(state: &mut Self::State, value: Self::Value);
}

/// Running sums: of integers modulo 2^64, of floats with their rounding errors, of halves that are rounded.
pub(super) struct Sums<T>(PhantomData<T>);

/// Running products: of integers modulo 2^64, of floats in `f64`, of halves that are rounded.
pub(super) struct Products<T>(PhantomData<T>);

macro_rules! plain {
    ($($step:ty: $value:ty, $first:expr, $chunk:literal, $join:expr;)*) => {$(
        impl Step for $step {
            type Value = $value;
            type State = $value;

            const FIRST: $value = $first;
            const START: $value = $first;
            const CHUNK: usize = $chunk;
            const RESTARTS: bool = false;

            #[inline(always)]
            fn join(a: $value, b: $value) -> $value {
                $join(a, b)
            }

            #[inline(always)]
            fn advance(state: &mut $value, value: $value) {
                *state = Self::join(*state, value);
            }

            #[inline(always)]
            fn value(state: &$value) -> $value {
                *state
            }

            #[inline(always)]
            fn close(state: &mut $value, value: $value) {
                *state = value;
            }
        }
    )*};
}

plain! {
    Sums<i64>: i64, 0, 1, i64::wrapping_add;
    Products<i64>: i64, 1, 2, i64::wrapping_mul;
    Products<f64>: f64, 1.0, 16, |a, b| a * b;
    Products<Complex<f64>>: Complex<f64>, Complex::new(1.0, 0.0), 2, |a, b| a * b;
    Sums<f16>: f64, 0.0, 1, |a, b| stepwise::<f16>(a, b, |a, b| a + b);
    Sums<bf16>: f64, 0.0, 1, |a, b| stepwise::<bf16>(a, b, |a, b| a + b);
    Products<f16>: f64, 1.0, 1, |a, b| stepwise::<f16>(a, b, |a, b| a * b);
    Products<bf16>: f64, 1.0, 1, |a, b| stepwise::<bf16>(a, b, |a, b| a * b);
}

/// Computes in `f32`, and rounds to a narrow float: what a rule file calls `stepwise`.
#[inline(always)]
fn stepwise<A: Element<Reg = f32>>(a: f64, b: f64, join: impl Fn(f32, f32) -> f32) -> f64 {
    f64::from(A::quantise::<Saturate>(join(a as f32, b as f32)))
}

impl Step for Sums<f64> {
    type Value = f64;
    type State = Total;

    const FIRST: f64 = 0.0;
    const START: Total = Total::ZERO;
    const CHUNK: usize = 16;
    const RESTARTS: bool = true;

    #[inline(always)]
    fn join(a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn advance(state: &mut Total, value: f64) {
        state.add(value);
    }

    #[inline(always)]
    fn value(state: &Total) -> f64 {
        state.get()
    }

    #[inline(always)]
    fn close(state: &mut Total, value: f64) {
        state.add(value);
    }
}

impl Step for Sums<Complex<f64>> {
    type Value = Complex<f64>;
    type State = [Total; 2];

    const FIRST: Complex<f64> = Complex::new(0.0, 0.0);
    const START: [Total; 2] = [Total::ZERO; 2];
    const CHUNK: usize = 2;
    const RESTARTS: bool = true;

    #[inline(always)]
    fn join(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        a + b
    }

    #[inline(always)]
    fn advance([re, im]: &mut [Total; 2], value: Complex<f64>) {
        re.add(value.re);
        im.add(value.im);
    }

    #[inline(always)]
    fn value([re, im]: &[Total; 2]) -> Complex<f64> {
        Complex::new(re.get(), im.get())
    }

    #[inline(always)]
    fn close(state: &mut [Total; 2], value: Complex<f64>) {
        Self::advance(state, value);
    }
}

/// Writes for each of `n` values what the values up to it give.
///
/// # Safety
///
/// There are `n` aligned values at `from`, and room for as many at `out`, which is either `from` or overlaps
/// none of them.
#[inline(always)]
unsafe fn run<S: Step>(from: *const S::Value, n: usize, out: *mut S::Value, state: &mut S::State) {
    // SAFETY: as the caller promises.
    unsafe {
        match S::CHUNK {
            1 => {
                for i in 0..n {
                    S::advance(state, from.add(i).read());
                    out.add(i).write(S::value(state));
                }
            }
            2 => in_chunks::<S, 2>(from, n, out, state),
            _ => in_chunks::<S, 16>(from, n, out, state),
        }
    }
}

/// Returns the result of a value of a block behind the state `before`.
#[inline(always)]
fn behind_block<S: Step>(before: S::Value, local: S::Value) -> S::Value {
    if S::RESTARTS { S::join(before, local) } else { local }
}

/// Scans values in chunks of `N`.
///
/// # Safety
///
/// As [`run`].
#[inline(always)]
unsafe fn in_chunks<S: Step, const N: usize>(
    from: *const S::Value,
    n: usize,
    out: *mut S::Value,
    state: &mut S::State,
) {
    let mut start = 0;
    while start < n {
        let end = if n - start < BLOCK { n } else { start + BLOCK };
        let before = S::value(state);
        let mut local = if S::RESTARTS { S::FIRST } else { before };
        let mut at = start;
        while at + N <= end {
            // SAFETY: as the caller promises; a chunk is read before it is written.
            let mut chunk = unsafe { from.add(at).cast::<[S::Value; N]>().read() };
            let mut distance = 1;
            while distance < N {
                let (last, mut before) = (chunk, [S::FIRST; N]);
                before[distance..].copy_from_slice(&last[..N - distance]);
                // In a long chunk even the first floats are joined, to 0 or 1: LLVM makes vectors of that.
                for i in if N > 2 { 0 } else { distance }..N {
                    chunk[i] = S::join(before[i], last[i]);
                }
                distance *= 2;
            }
            let behind = S::join(local, chunk[N - 1]);
            for value in &mut chunk {
                *value = behind_block::<S>(before, S::join(local, *value));
            }
            // SAFETY: as the caller promises.
            unsafe { out.add(at).cast::<[S::Value; N]>().write(chunk) };
            local = behind;
            at += N;
        }
        for i in at..end {
            // SAFETY: as the caller promises.
            local = S::join(local, unsafe { from.add(i).read() });
            // SAFETY: as the caller promises.
            unsafe { out.add(i).write(behind_block::<S>(before, local)) };
        }
        S::close(state, local);
        start = end;
    }
}

/// Scans rows, each of a value for each state: every value becomes that of the elements up to it in its
/// column.
#[inline(always)]
fn rows<S: Step>(values: &mut [S::Value], states: &mut [S::State]) {
    for row in values.chunks_exact_mut(states.len().max(1)) {
        for i in 0..states.len() {
            S::advance(&mut states[i], row[i]);
            row[i] = S::value(&states[i]);
        }
    }
}

/// Scans `n` values. The inputs are the state, and the values, which may be `out`.
struct RunBody<S>(PhantomData<S>);

impl<S: Step> Body for RunBody<S> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        // SAFETY: the first input is a state, which nothing else accesses.
        let state = unsafe { &mut *inputs.first().cast_mut().cast::<S::State>() };
        // SAFETY: the second input is `n` values, and `out`, which is these or other memory, has room for
        // as many.
        unsafe { run::<S>(inputs.second().cast(), n, out.cast(), state) };
        Status::Done
    }
}

/// Scans `n` values in rows, in place: `out` has the values, the first input is the states, and the second
/// one their number.
struct RowsBody<S>(PhantomData<S>);

impl<S: Step> Body for RowsBody<S> {
    #[inline(always)]
    unsafe fn run<L: Target>(_: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second input is a `usize`.
        let columns = unsafe { *inputs.second().cast::<usize>() };
        // SAFETY: the first input is as many states, which nothing else accesses.
        let states = unsafe { core::slice::from_raw_parts_mut(inputs.first().cast_mut().cast(), columns) };
        // SAFETY: `out` is `n` aligned values, which nothing else accesses.
        let values = unsafe { core::slice::from_raw_parts_mut(out.cast(), n) };
        rows::<S>(values, states);
        Status::Done
    }
}

/// The functions that scan values of one type.
#[derive(Debug)]
pub(in crate::kernel) struct ScanRow {
    /// Scans contiguous values: see [`RunBody`].
    pub(super) run: PerLevel,
    /// True if vectors are slower. Those of x86-64 multiply 64-bit integers at a third of the speed.
    pub(super) is_scalar: bool,
    /// Scans rows of values: see [`RowsBody`].
    pub(super) rows: PerLevel,
    /// Writes `n` states of no elements.
    pub(super) start: unsafe fn(states: *mut u8, n: usize),
}

impl ScanRow {
    const fn of<L: Levels, S: Step>() -> ScanRow {
        const { assert!(size_of::<S::State>() <= STATE, "more bytes than there is room for") };
        ScanRow {
            run: body::<L, RunBody<S>>(true),
            is_scalar: S::CHUNK == 2 && size_of::<S::Value>() == size_of::<i64>(),
            rows: body::<L, RowsBody<S>>(true),
            start: start::<S>,
        }
    }
}

/// # Safety
///
/// There is room for `n` states.
unsafe fn start<S: Step>(states: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: the caller promises the room.
        unsafe { states.cast::<S::State>().add(i).write(S::START) };
    }
}

/// The functions of all scans.
#[derive(Debug)]
pub struct Scans {
    /// Of `i64`, `f64`, complex numbers, and of `f64` that are rounded to f16 and to bf16.
    pub(super) sums: [ScanRow; 5],
    pub(super) products: [ScanRow; 5],
}

impl Scans {
    /// Collects the functions.
    pub const fn new<L: Levels>() -> Scans {
        Scans {
            sums: [
                ScanRow::of::<L, Sums<i64>>(),
                ScanRow::of::<L, Sums<f64>>(),
                ScanRow::of::<L, Sums<Complex<f64>>>(),
                ScanRow::of::<L, Sums<f16>>(),
                ScanRow::of::<L, Sums<bf16>>(),
            ],
            products: [
                ScanRow::of::<L, Products<i64>>(),
                ScanRow::of::<L, Products<f64>>(),
                ScanRow::of::<L, Products<Complex<f64>>>(),
                ScanRow::of::<L, Products<f16>>(),
                ScanRow::of::<L, Products<bf16>>(),
            ],
        }
    }
}
