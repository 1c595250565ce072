//! What is done with elements that are reduced, and the bodies by which a kernel function does it.

use core::marker::PhantomData;

use crate::kernel::Status;
use crate::kernel::target::{Body, Target};
use crate::level::Lanes;

/// How many outputs are computed side by side at most.
pub(super) const MOST: usize = 1024;
/// How many rows are added up one after the other, before the sums go to what keeps the whole.
pub(super) const ROWS: usize = 64;

/// What a pass over elements is told beside them.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::kernel) struct Pass {
    /// How many rows there are, and the bytes from one to the next.
    pub(super) rows: usize,
    pub(super) stride: isize,
    /// The index of the first element or row, for those that ask where an element is, and by how much it grows to the next.
    pub(super) at: u64,
    pub(super) step: u64,
    /// What turns the order of elements, or the truth of them, round: see `order` and `truth`.
    pub(super) flip: u64,
    /// The bits that tell a NaN, or a zero: see there.
    pub(super) bits: u64,
}

/// Rows of a matrix with as many elements each.
pub(in crate::kernel) struct Rows<'a, T> {
    first: *const T,
    stride: isize,
    count: usize,
    columns: usize,
    memory: PhantomData<&'a [T]>,
}

impl<'a, T> Rows<'a, T> {
    /// # Safety
    ///
    /// `stride` bytes apart there are `count` rows of `columns` aligned elements each, for as long as `'a`.
    pub(super) const unsafe fn new(first: *const T, stride: isize, count: usize, columns: usize) -> Self {
        Rows { first, stride, count, columns, memory: PhantomData }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> &'a [T] {
        assert!(row < self.count, "a row that is there");
        let first = self.first.wrapping_byte_offset(row.cast_signed() * self.stride);
        // SAFETY: the row is there, checked above, as was promised when this was made.
        unsafe { core::slice::from_raw_parts(first, self.columns) }
    }

    /// The same rows of pairs as rows of twice as many halves.
    #[inline(always)]
    pub(super) fn halves<H>(&self) -> Rows<'a, H>
    where
        T: AsHalves<Half = H>,
    {
        let Rows { first, stride, count, columns, memory: _ } = *self;
        Rows { first: first.cast(), stride, count, columns: 2 * columns, memory: PhantomData }
    }
}

/// A pair of two of one type.
pub(super) trait AsHalves {
    type Half;
}

impl<T> AsHalves for [T; 2] {
    type Half = T;
}

/// A reduction of elements of one type.
pub(in crate::kernel) trait Fold: 'static {
    /// An element in memory, of which every bit pattern is one.
    type Item: Copy + 'static;
    /// What is known after some of the elements.
    type State: Copy + Send + 'static;
    /// What comes of it.
    type Value: Copy + 'static;
    /// What is known before the first element.
    const START: Self::State;

    /// Takes elements that lie side by side.
    fn run<L: Lanes>(lanes: L, items: &[Self::Item], pass: &Pass, state: &mut Self::State);

    /// Takes rows that have an element for each of the states.
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, Self::Item>, pass: &Pass, states: &mut [Self::State]);

    /// Makes one of what is known of two lots of elements.
    fn merge(state: &mut Self::State, other: Self::State);

    fn value(state: Self::State, pass: &Pass) -> Self::Value;
}

/// How rows are taken element by element, in accumulators that are smaller than states.
pub(super) trait Stepped {
    type Item: Copy + 'static;
    type State;
    type Acc: Copy;
    const ZERO: Self::Acc;

    fn step<L: Lanes>(lanes: L, acc: Self::Acc, item: Self::Item, pass: &Pass) -> Self::Acc;

    /// Adds what came of at most [`ROWS`] rows.
    fn settle(state: &mut Self::State, acc: Self::Acc);
}

/// Takes rows by the steps of `S`; of the states there are at most twice [`MOST`].
#[inline(always)]
pub(super) fn by_rows<S: Stepped, L: Lanes>(
    lanes: L,
    rows: &Rows<'_, S::Item>,
    pass: &Pass,
    states: &mut [S::State],
) {
    let mut room = [S::ZERO; 2 * MOST];
    let accs = &mut room[..states.len()];
    let mut done = 0;
    while done < rows.len() {
        accs.fill(S::ZERO);
        let end = rows.len().min(done + ROWS);
        for row in done..end {
            for (acc, item) in accs.iter_mut().zip(rows.get(row)) {
                *acc = S::step(lanes, *acc, *item, pass);
            }
        }
        for (state, acc) in states.iter_mut().zip(accs.iter()) {
            S::settle(state, *acc);
        }
        done = end;
    }
}

/// Takes `n` elements side by side: the inputs are they and the [`Pass`], `out` is one state.
pub(in crate::kernel) struct RunBody<F>(PhantomData<F>);

impl<F: Fold> Body for RunBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs.
        let (first, pass) = unsafe { (*inputs, *inputs.add(1)) };
        // SAFETY: the first has `n` aligned elements.
        let items = unsafe { core::slice::from_raw_parts(first.cast::<F::Item>(), n) };
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second is a `Pass`.
        let pass = unsafe { &*pass.cast::<Pass>() };
        // SAFETY: `out` is a state, and overlaps nothing else.
        let state = unsafe { &mut *out.cast::<F::State>() };
        F::run(lanes, items, pass, state);
        Status::Done
    }
}

/// Takes rows of `n` elements: the inputs are the first row and the [`Pass`], `out` is `n` states, of at most [`MOST`].
pub(in crate::kernel) struct RowsBody<F>(PhantomData<F>);

impl<F: Fold> Body for RowsBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs.
        let (first, pass) = unsafe { (*inputs, *inputs.add(1)) };
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second is a `Pass`.
        let pass = unsafe { &*pass.cast::<Pass>() };
        // SAFETY: the first has rows of `n` aligned elements, as many and so far apart as the pass says.
        let rows = unsafe { Rows::new(first.cast::<F::Item>(), pass.stride, pass.rows, n) };
        // SAFETY: `out` is `n` states, and overlaps nothing else.
        let states = unsafe { core::slice::from_raw_parts_mut(out.cast::<F::State>(), n) };
        F::rows(lanes, &rows, pass, states);
        Status::Done
    }
}

/// A reduction of two operands' elements, pair by pair.
pub(super) trait PairFold: Fold {
    fn pairs<L: Lanes>(lanes: L, a: &[Self::Item], b: &[Self::Item], state: &mut Self::State);
}

/// Takes `n` pairs of elements: the inputs are those of the one operand and those of the other, `out` is one state.
pub(super) struct PairsBody<F>(PhantomData<F>);

impl<F: PairFold> Body for PairsBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller promises two inputs.
        let (a, b) = unsafe { (*inputs, *inputs.add(1)) };
        // SAFETY: it has `n` aligned elements.
        let a = unsafe { core::slice::from_raw_parts(a.cast::<F::Item>(), n) };
        // SAFETY: so has this.
        let b = unsafe { core::slice::from_raw_parts(b.cast::<F::Item>(), n) };
        // SAFETY: `out` is a state, and overlaps nothing else.
        let state = unsafe { &mut *out.cast::<F::State>() };
        F::pairs(lanes, a, b, state);
        Status::Done
    }
}
