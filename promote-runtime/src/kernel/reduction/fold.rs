//! The trait of reductions, the loop over rows, and the bodies of the kernel functions.

use core::marker::PhantomData;

use crate::each;
use crate::kernel::Status;
use crate::level::Lanes;
use crate::level::doors::{Body, Target};
use crate::level::function::Pointers;
use crate::memory::block::Block;

/// The bytes of the states of outputs that are computed together.
pub(super) const STATES: usize = 32 * 1024;
/// The largest number of outputs that are computed together.
pub(super) const MAX_OUTPUTS: usize = 4096;
/// The number of rows whose elements go to accumulators before these are added to the states.
pub(super) const ROWS: usize = 64;
/// The number of rows that are read together, so that each accumulator is loaded and stored once for them.
const TOGETHER: usize = 4;
/// The number of columns of a block.
const COLUMNS: usize = 64;

/// Returns how many states of `state` bytes are kept at a time.
pub(super) const fn states_at_once(state: usize) -> usize {
    let room = STATES / state;
    if room < MAX_OUTPUTS { room } else { MAX_OUTPUTS }
}

/// Splits elements at the first multiple of 64 bytes, because a vector that lies in two cache lines takes two
/// loads. This is only for reductions whose result does not depend on how elements are split: the address of
/// an array must not change a result.
#[inline(always)]
pub(super) fn at_cache_line<T>(items: &[T]) -> [&[T]; 2] {
    /// Fewer bytes are read as fast in one piece.
    const MIN_BYTES: usize = 2048;
    let at = if size_of_val(items) < MIN_BYTES { 0 } else { items.as_ptr().align_offset(64) };
    let (first, others) = items.split_at(at.min(items.len()));
    [first, others]
}

/// The parameters of a call beside the elements.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::kernel) struct Pass {
    /// The number of rows, and the bytes from one to the next.
    pub(super) rows: usize,
    pub(super) stride: isize,
    /// The index of the first element or row, and its increase to the next one, for the position of an
    /// extremum.
    pub(super) index: u64,
    pub(super) step: u64,
    /// Bits that reverse the order of keys: see `order`.
    pub(super) flip: u64,
    /// The mask that identifies a NaN, or a zero: see `order`.
    pub(super) mask: u64,
}

/// Rows of a matrix.
pub(in crate::kernel) struct Rows<'a, T> {
    first: *const T,
    columns: usize,
    pass: Pass,
    memory: PhantomData<&'a [T]>,
}

impl<'a, T> Rows<'a, T> {
    /// # Safety
    ///
    /// There are as many rows as the pass says, at that stride, of `columns` aligned elements each, for `'a`.
    pub(super) const unsafe fn new(first: *const T, pass: &Pass, columns: usize) -> Self {
        Rows { first, columns, pass: *pass, memory: PhantomData }
    }

    pub(super) const fn len(&self) -> usize {
        self.pass.rows
    }

    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> &'a [T] {
        assert!(row < self.pass.rows, "a row that is there");
        let first = self.first.wrapping_byte_offset(row.cast_signed() * self.pass.stride);
        // SAFETY: the row is there, checked above, as was promised when this was made.
        unsafe { core::slice::from_raw_parts(first, self.columns) }
    }

    /// Calls `f` with the first column and the blocks of rows that are read together, from row `from` to
    /// `to` at most. Returns the first row that is left; of the rows before it, the columns from
    /// [`Rows::behind_blocks`] on are left.
    #[inline(always)]
    fn blocks(
        &self,
        from: usize,
        to: usize,
        mut f: impl FnMut(usize, [&'a [T; COLUMNS]; TOGETHER]),
    ) -> usize {
        let mut row = from;
        while row + TOGETHER <= to {
            let rows: [&[[T; COLUMNS]]; TOGETHER] =
                core::array::from_fn(|k| self.get(row + k).as_chunks::<COLUMNS>().0);
            for at in 0..self.columns / COLUMNS {
                f(at * COLUMNS, each::map(rows, |blocks| &blocks[at]));
            }
            row += TOGETHER;
        }
        row
    }

    /// Returns the first column that [`Rows::blocks`] leaves.
    const fn behind_blocks(&self) -> usize {
        self.columns - self.columns % COLUMNS
    }
}

impl<'a, T, const PARTS: usize> Rows<'a, [T; PARTS]> {
    /// Returns the rows of the parts of elements.
    #[inline(always)]
    pub(super) fn parts(&self) -> Rows<'a, T> {
        let Rows { first, columns, pass, memory: _ } = *self;
        Rows { first: first.cast(), columns: PARTS * columns, pass, memory: PhantomData }
    }
}

/// A reduction of elements of one type.
pub(in crate::kernel) trait Fold: 'static {
    /// An element in memory, for which every bit pattern is valid.
    type Item: Copy + 'static;
    /// What is known of the elements read so far.
    type State: Copy + Send + 'static;
    /// The result.
    type Value: Copy + 'static;

    /// Returns what is known before the first element.
    fn start() -> Self::State;

    /// Reduces contiguous elements.
    fn run<L: Lanes>(lanes: L, items: &[Self::Item], pass: &Pass, state: &mut Self::State);

    /// Reduces each column of some rows; there are as many states as columns.
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, Self::Item>, pass: &Pass, states: &mut [Self::State]);

    /// Combines what is known of two groups of elements.
    fn merge(state: Self::State, other: Self::State) -> Self::State;

    /// Returns the result.
    fn value(state: Self::State, pass: &Pass) -> Self::Value;
}

/// Reduces columns: `step` adds an element to an accumulator that begins as `start`, and `settle` adds an
/// accumulator, of at most [`ROWS`] elements, to a state. The states have at most [`STATES`] bytes.
///
/// With `TOGETHER`, several rows are read together. That is more code, and faster if a step is cheap.
#[inline(always)]
pub(super) fn by_rows<const TOGETHER: bool, T: Copy, S, A: Copy>(
    rows: &Rows<'_, T>,
    states: &mut [S],
    start: A,
    step: impl Fn(A, T) -> A,
    settle: impl Fn(&mut S, A),
) {
    const { assert!(size_of::<A>() <= size_of::<S>()) };
    let mut room = Block::<STATES>::new();
    let accs = filled(&mut room, states.len(), start);
    let mut done = 0;
    while done < rows.len() {
        each::fill(accs, start);
        let end = rows.len().min(done + ROWS);
        let rest = if TOGETHER {
            rows.blocks(done, end, |column, blocks| {
                for (i, acc) in accs[column..column + COLUMNS].iter_mut().enumerate() {
                    *acc = blocks.iter().fold(*acc, |acc, block| step(acc, block[i]));
                }
            })
        } else {
            done
        };
        for row in done..end {
            let from = if row < rest { rows.behind_blocks() } else { 0 };
            each::zip(&mut accs[from..], &rows.get(row)[from..], |acc, item| *acc = step(*acc, *item));
        }
        each::zip(states, accs, |state, acc| settle(state, *acc));
        done = end;
    }
}

/// Fills a block with `n` copies of a value.
///
/// # Panics
///
/// Panics if the block is too small.
#[inline(always)]
pub(super) fn filled<T: Copy, const N: usize>(room: &mut Block<N>, n: usize, value: T) -> &mut [T] {
    let values = &mut room.room::<T>()[..n];
    each::fill(values, core::mem::MaybeUninit::new(value));
    // SAFETY: all have been written.
    unsafe { &mut *(core::ptr::from_mut(values) as *mut [T]) }
}

/// Reduces `n` contiguous elements. The inputs are the elements and the [`Pass`]; `out` is one state.
pub(in crate::kernel) struct RunBody<F>(PhantomData<F>);

impl<F: Fold> Body for RunBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        let (first, pass) = (inputs.first(), inputs.second());
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second is a `Pass`.
        let pass = unsafe { &*pass.cast::<Pass>() };
        // SAFETY: the first has `n` aligned elements.
        let items = unsafe { core::slice::from_raw_parts(first.cast::<F::Item>(), n) };
        // SAFETY: `out` is a state, and overlaps nothing else.
        let state = unsafe { &mut *out.cast::<F::State>() };
        F::run(lanes, items, pass, state);
        Status::Done
    }
}

/// Reduces the columns of rows of `n` elements. The inputs are the first row and the [`Pass`]; `out` is `n`
/// states, of at most [`STATES`] bytes.
pub(in crate::kernel) struct RowsBody<F>(PhantomData<F>);

impl<F: Fold> Body for RowsBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        let (first, pass) = (inputs.first(), inputs.second());
        #[allow(clippy::cast_ptr_alignment, reason = "it is one")]
        // SAFETY: the second is a `Pass`.
        let pass = unsafe { &*pass.cast::<Pass>() };
        // SAFETY: the first has rows of `n` aligned elements, as many and so far apart as the pass says.
        let rows = unsafe { Rows::new(first.cast::<F::Item>(), pass, n) };
        // SAFETY: `out` is `n` states, and overlaps nothing else.
        let states = unsafe { core::slice::from_raw_parts_mut(out.cast::<F::State>(), n) };
        F::rows(lanes, &rows, pass, states);
        Status::Done
    }
}

/// A reduction of the products of two operands' elements.
pub(super) trait PairFold: Fold {
    fn pairs<L: Lanes>(lanes: L, a: &[Self::Item], b: &[Self::Item], state: &mut Self::State);
}

/// Reduces the products of `n` pairs of elements. The inputs are the elements of both operands; `out` is one
/// state.
pub(super) struct PairsBody<F>(PhantomData<F>);

impl<F: PairFold> Body for PairsBody<F> {
    #[inline(always)]
    unsafe fn run<L: Target>(lanes: L, n: usize, inputs: Pointers, out: *mut u8) -> Status {
        let (a, b) = (inputs.first(), inputs.second());
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
