//! What is done with elements that are reduced, and the bodies by which a kernel function does it.

use core::marker::PhantomData;

use crate::each;
use crate::kernel::Status;
use crate::kernel::pointers::Pointers;
use crate::kernel::target::{Body, Target};
use crate::level::Lanes;
use crate::memory::block::Block;
use crate::memory::prefetch::prefetch;

/// The bytes of the states of outputs that are computed side by side.
pub(super) const STATES: usize = 32 * 1024;
/// How many outputs are computed side by side at most.
pub(super) const MOST: usize = 4096;
/// How many rows are added up one after the other, before the sums go to what keeps the whole.
pub(super) const ROWS: usize = 64;
/// How many rows are taken together: what is known of the outputs is then loaded and stored once for all of
/// them.
const TOGETHER: usize = 4;
/// How many columns of rows are taken between two hints of what is read next.
const COLUMNS: usize = 64;
/// How many bytes before its turn a row's part is asked for.
const AHEAD: usize = 2560;

/// Returns how many states of `state` bytes a pass keeps at a time.
pub(super) const fn states_at_once(state: usize) -> usize {
    let room = STATES / state;
    if room < MOST { room } else { MOST }
}

/// What a pass over elements is told beside them.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::kernel) struct Pass {
    /// How many rows there are, and the bytes from one to the next.
    pub(super) rows: usize,
    pub(super) stride: isize,
    /// The bytes from the first row to what will be read after the last one; 0 where the rows are in the
    /// cache.
    pub(super) then: isize,
    /// The index of the first element or row, for those that ask where an element is, and by how much it
    /// grows to the next.
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
    then: isize,
    count: usize,
    columns: usize,
    memory: PhantomData<&'a [T]>,
}

impl<'a, T> Rows<'a, T> {
    /// # Safety
    ///
    /// There are as many rows as the pass says, so far apart, of `columns` aligned elements each, for as long
    /// as `'a`.
    pub(super) const unsafe fn new(first: *const T, pass: &Pass, columns: usize) -> Self {
        let Pass { rows: count, stride, then, .. } = *pass;
        Rows { first, stride, then, count, columns, memory: PhantomData }
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

    /// Tells the processor what will be read soon after `block`, which begins `at` bytes behind the first
    /// column of the rows from `row` on that are taken together: what lies [`AHEAD`] in the same row, or in
    /// the one that comes after these.
    ///
    /// The processor itself would go on where a row goes on, which is elsewhere, and looks less far where
    /// several are read at a time.
    #[inline(always)]
    fn hint(&self, row: usize, at: usize, block: &[T; COLUMNS]) {
        if self.then == 0 {
            return;
        }
        let width = self.columns * size_of::<T>();
        let ahead = if at + AHEAD < width {
            AHEAD.cast_signed()
        } else {
            let next = if row + TOGETHER < self.count {
                TOGETHER.cast_signed() * self.stride
            } else {
                self.then - row.cast_signed() * self.stride
            };
            next.wrapping_sub_unsigned(width.saturating_sub(AHEAD))
        };
        prefetch(core::ptr::from_ref(block).wrapping_byte_offset(ahead), size_of_val(block));
    }

    /// Calls `f` for blocks of rows that are taken together, `from..to` at most: with the number of the first
    /// of them, the first column, and the blocks. What is left are the rows from the one that is returned on,
    /// and of those before the columns behind the last whole block.
    #[inline(always)]
    pub(super) fn blocks(
        &self,
        from: usize,
        to: usize,
        mut f: impl FnMut(usize, usize, [&'a [T; COLUMNS]; TOGETHER]),
    ) -> usize {
        let mut row = from;
        while row + TOGETHER <= to {
            let rows: [&[[T; COLUMNS]]; TOGETHER] =
                core::array::from_fn(|k| self.get(row + k).as_chunks::<COLUMNS>().0);
            for at in 0..self.columns / COLUMNS {
                let blocks = each::map(rows, |blocks| &blocks[at]);
                for block in blocks {
                    self.hint(row, at * size_of_val(block), block);
                }
                f(row, at * COLUMNS, blocks);
            }
            row += TOGETHER;
        }
        row
    }

    /// The first column that [`Rows::blocks`] leaves.
    pub(super) const fn behind_blocks(&self) -> usize {
        self.columns - self.columns % COLUMNS
    }

    /// The same rows of pairs as rows of twice as many halves.
    #[inline(always)]
    pub(super) fn halves<H>(&self) -> Rows<'a, H>
    where
        T: AsHalves<Half = H>,
    {
        let Rows { first, stride, then, count, columns, memory: _ } = *self;
        Rows { first: first.cast(), stride, then, count, columns: 2 * columns, memory: PhantomData }
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
    /// Whether rows are taken several at a time, which is more code, and faster where a step is little.
    const TOGETHER: bool = false;

    fn step<L: Lanes>(lanes: L, acc: Self::Acc, item: Self::Item, pass: &Pass) -> Self::Acc;

    /// Adds what came of at most [`ROWS`] rows.
    fn settle(state: &mut Self::State, acc: Self::Acc);
}

/// Takes rows by the steps of `S`; of the states there are at most [`STATES`] bytes.
#[inline(always)]
pub(super) fn by_rows<S: Stepped, L: Lanes>(
    lanes: L,
    rows: &Rows<'_, S::Item>,
    pass: &Pass,
    states: &mut [S::State],
) {
    const { assert!(size_of::<S::Acc>() <= size_of::<S::State>()) };
    let mut room = Block::<STATES>::new();
    let accs = filled(&mut room, states.len(), S::ZERO);
    let mut done = 0;
    while done < rows.len() {
        each::fill(accs, S::ZERO);
        let end = rows.len().min(done + ROWS);
        let rest = if S::TOGETHER {
            rows.blocks(done, end, |_, column, blocks| {
                for (i, acc) in accs[column..column + COLUMNS].iter_mut().enumerate() {
                    *acc = blocks.iter().fold(*acc, |acc, block| S::step(lanes, acc, block[i], pass));
                }
            })
        } else {
            done
        };
        for row in done..end {
            let from = if row < rest { rows.behind_blocks() } else { 0 };
            each::zip(&mut accs[from..], &rows.get(row)[from..], |acc, item| {
                *acc = S::step(lanes, *acc, *item, pass);
            });
        }
        each::zip(states, accs, |state, acc| S::settle(state, *acc));
        done = end;
    }
}

/// The first `n` places of a room, filled.
///
/// # Panics
///
/// If it is not large enough.
#[inline(always)]
pub(super) fn filled<T: Copy, const N: usize>(room: &mut Block<N>, n: usize, value: T) -> &mut [T] {
    let places = &mut room.room::<T>()[..n];
    each::fill(places, core::mem::MaybeUninit::new(value));
    // SAFETY: all have been written.
    unsafe { &mut *(core::ptr::from_mut(places) as *mut [T]) }
}

/// Takes `n` elements side by side: the inputs are they and the [`Pass`], `out` is one state.
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

/// Takes rows of `n` elements: the inputs are the first row and the [`Pass`], `out` is `n` states, of at most
/// [`STATES`] bytes.
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

/// A reduction of two operands' elements, pair by pair.
pub(super) trait PairFold: Fold {
    fn pairs<L: Lanes>(lanes: L, a: &[Self::Item], b: &[Self::Item], state: &mut Self::State);
}

/// Takes `n` pairs of elements: the inputs are those of the one operand and those of the other, `out` is one
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
