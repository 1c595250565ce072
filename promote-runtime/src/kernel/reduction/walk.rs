//! The order in which the axes of a reduction are walked, the blocks, and the parts for threads.
//!
//! The functions take one axis. If the nearest elements are reduced, it is their axis: a *run* of elements
//! for each output. Otherwise it is an axis of the result, in *rows* that have an element for each output;
//! the states of these outputs are contiguous. Elements that are strided or cast go through a tile. Shape and
//! strides alone decide how elements are split, so threads change no result.

use super::axes::{Along, Axis, SplitAxes, each, last};
use super::elements::{Casts, Elements, TILE, Tile};
use super::finish::{Finish, MAX_STATES, Values};
use super::fold::{Pass, ROWS, STATES, states_at_once};
use super::reducer::{self, After, Reducer, Reduction, read_as};
use super::short::{self, Short};
use super::table::{self, FoldKind, Row};
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::block::Block;
use crate::memory::slice::element_size;
use crate::memory::{Layout, ScalarValue, TensorView, threads};
use crate::{Op, OpTypes};

/// The states of outputs that are computed together.
type States = Block<STATES>;

/// The bytes of elements that are transposed together: they stay in the cache beside their copies.
const TRANSPOSED: usize = 8 * 1024;

/// The least number of elements in a part of a reduction. The states of parts are merged in order.
const PART: usize = if cfg!(fuzzing) { 1 << 10 } else { 1 << 18 };

/// Runs of fewer elements are slower than rows of as many outputs, even if rows have to be gathered.
pub(super) const SHORT: usize = 48;

/// The memory that a reduction writes to.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) pointer: *mut u8,
    pub(super) layout: &'a Layout<'a>,
    /// True if the axes that are reduced are among those of the layout.
    pub(super) keepdims: bool,
    pub(super) to: To<'a>,
}

/// What a reduction writes.
#[derive(Clone, Copy)]
pub(super) enum To<'a> {
    /// The elements of the result.
    Elements(&'a Finish),
    /// States, which are merged with those that are there.
    #[cfg(feature = "alloc")]
    States,
}

/// A reduction of the elements of a view to elements or states.
pub(super) struct Reduced<'a> {
    reducer: &'a Reducer,
    /// The function for runs that are short and contiguous.
    short: Option<Short>,
    elements: Elements<'a>,
    pass: Pass,
    axes: SplitAxes,
    to: To<'a>,
    by_rows: bool,
    /// The number of rows that are read as one, because rows are short, and of the states for each output.
    phases: usize,
    /// The number of outputs that are computed together.
    segment: usize,
    /// The length of a part along the outermost reduced axis.
    part: usize,
    /// The number of elements for each output.
    count: usize,
}

impl<'a> Reduced<'a> {
    /// `whole` is the shape of the array of which `a` is a part, and `count` the number of elements of `a`
    /// for each output.
    pub(super) fn new(
        reducer: &'a Reducer,
        (a, whole): (&TensorView<'_>, &[usize]),
        along: &dyn Fn(usize) -> bool,
        out: Target<'a>,
        pass: Pass,
        count: usize,
    ) -> Reduced<'a> {
        let Reducer { row, level, read, ref casts, kernels, reduction: Reduction { kind, .. }, .. } =
            *reducer;
        let elements = Elements::new(a, read, casts, level);
        let elements =
            if reducer.reduction.skips_nan { elements.without_nan(a.dtype(), level) } else { elements };
        let size = elements.size.cast_signed();
        let is_position = kind == FoldKind::Position;
        let Target { pointer, layout, keepdims, to } = out;
        let order = if is_position {
            Along::Positions { keepdims, shape: whole }
        } else {
            Along::Reduced { keepdims }
        };
        let axes = SplitAxes::new(a, along, (pointer, layout), order);
        let (lane, inner) = (last(&axes.kept), last(&axes.along));
        let nearer = inner.from.unsigned_abs() <= lane.from.unsigned_abs() || lane.len == 1;
        let by_rows = inner.len == 1 && lane.len > 1 || !nearer || inner.len < SHORT && lane.len >= SHORT;
        // An axis without elements is not among the axes, but counts.
        let runs = (2..=short::LONGEST).contains(&inner.len) && inner.len == count;
        let contiguous = || elements.is_direct(inner.from) && lane.from == inner.len.cast_signed() * size;
        let elements_wanted = matches!(to, To::Elements(_));
        let short = if kind == FoldKind::Sum && runs && elements_wanted && contiguous() {
            Short::find(level, kernels, read, kind.value(read))
        } else {
            None
        };
        let run_on = lane.len.cast_signed().checked_mul(lane.from) == Some(inner.from);
        let direct = elements.is_direct(column_stride(&lane, size));
        // A tile has enough rows of so many columns that adding their groups to the states costs little.
        let merges = matches!(kind, FoldKind::Moments | FoldKind::Powers);
        let some = if merges { 2 * TILE / ROWS } else { TILE / 4 };
        let most = states_at_once(row.state).min(if direct { usize::MAX } else { some });
        // Merging the states of several rows costs time, so each is of many elements.
        let phases = if by_rows && !is_position && run_on {
            (most / lane.len).min(inner.len / (ROWS / 4)).max(1)
        } else {
            1
        };
        // Few long outputs together, so that threads can share the work.
        let segment = if by_rows { most } else { (PART / count.max(1)).clamp(1, most) };
        let outputs_at_once = if by_rows { lane.len.min(segment) } else { 1 };
        let each = count / axes.along[0].len.max(1) * outputs_at_once;
        Reduced {
            reducer,
            short,
            elements,
            pass,
            part: (PART / each.max(1)).max(1),
            axes,
            to,
            by_rows,
            phases,
            segment,
            count,
        }
    }

    /// Computes all outputs.
    ///
    /// # Safety
    ///
    /// The machine has the level of the functions. The axes lead to elements of the operand, and to room for
    /// those of the result, which nothing else accesses.
    pub(super) unsafe fn run(&self) -> Result<(), CallError> {
        let lane = last(&self.axes.kept);
        let units = self.axes.units(self.segment);
        let parts = self.axes.along[0].len.div_ceil(self.part);
        let each = self.count.saturating_mul(lane.len.min(self.segment)).max(1);
        let (row, size) = (self.reducer.row, self.elements.size);
        // Threads share either the units, or the parts of one unit after the other.
        let shared = units.len() >= parts;
        let unit = |u: usize| {
            let (a, out, n) = units.get(u);
            if let (Some(short), To::Elements(finish)) = (&self.short, self.to) {
                // SAFETY: as the caller promises.
                return unsafe { self.take_short(short, a, n, out, finish) };
            }
            let mut room = States::new();
            let states = room.pointer();
            let take = |part: usize, states: *mut u8| {
                let from = part * self.part;
                let len = self.part.min(self.axes.along[0].len - from);
                // SAFETY: as the caller promises, for some of the elements; there are as many states as
                // outputs and phases.
                unsafe { self.take(a, (from, len), n, states) }
            };
            let taken = if self.count == 0 { 0 } else { parts };
            let bytes = each / parts.max(1) * size;
            // SAFETY: there is room for all states, and parts can be reduced side by side.
            unsafe { in_parts(row, taken, !shared, n * self.phases, bytes, states, take) }?;
            for phase in 1..self.phases {
                let other = states.wrapping_add(phase * n * row.state);
                // SAFETY: each phase has `n` contiguous states.
                unsafe { (row.merge)(states, other, n) };
            }
            match self.to {
                // SAFETY: there are `n` states, and, as the caller promises, room for as many elements.
                To::Elements(finish) => unsafe { finish.write(states, n, out, lane.to) },
                #[cfg(feature = "alloc")]
                To::States => {
                    let together = if lane.to == row.state.cast_signed() { n } else { 1 };
                    for from in (0..n).step_by(together) {
                        let other = states.wrapping_add(from * row.state);
                        let state = out.wrapping_offset(from.cast_signed() * lane.to);
                        // SAFETY: there are as many states in both. If `out` has them in another distance,
                        // they are merged one by one.
                        unsafe { (row.merge)(state, other, together) };
                    }
                    Ok(())
                }
            }
        };
        if !shared {
            return (0..units.len()).try_for_each(unit);
        }
        let some = |from: usize, len: usize| (from..from + len).try_for_each(&unit);
        // SAFETY: units write to elements of their own.
        unsafe { threads::each_unit(units.len(), each, size, false, |len| len, some) }
    }

    /// Computes `n` outputs, each of a short run; the first run begins at `a`.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`]; the runs are contiguous.
    unsafe fn take_short(
        &self,
        short: &Short,
        a: *const u8,
        n: usize,
        out: *mut u8,
        finish: &Finish,
    ) -> Result<(), CallError> {
        let (lane, length) = (last(&self.axes.kept), last(&self.axes.along).len);
        let mut values = Values::new();
        for from in (0..n).step_by(MAX_STATES) {
            let (n, from) = (MAX_STATES.min(n - from), from.cast_signed());
            // SAFETY: as the caller promises; there is room for `n` values.
            unsafe { short.take([n, length], a.wrapping_offset(from * lane.from), values.pointer()) }?;
            // SAFETY: these are the values, and the caller promises the room.
            unsafe { finish.write_values(&mut values, n, out.wrapping_offset(from * lane.to), lane.to) }?;
        }
        Ok(())
    }

    /// Reduces a part, `len` long from `from` on along the outermost reduced axis, for `n` outputs. Their
    /// elements begin at `a`.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`]; there are `n` states for each phase.
    unsafe fn take(
        &self,
        a: *const u8,
        (from, len): (usize, usize),
        n: usize,
        states: *mut u8,
    ) -> Result<(), CallError> {
        let lane = last(&self.axes.kept);
        let mut axes = self.axes.along.clone();
        let a = a.wrapping_offset(from.cast_signed() * axes[0].from);
        let index = self.pass.index + from as u64 * axes[0].index;
        axes[0].len = len;
        let inner = last(&axes);
        axes.pop();
        if !self.by_rows {
            for i in 0..n {
                let first = a.wrapping_offset(i.cast_signed() * lane.from);
                let state = states.wrapping_add(i * self.reducer.row.state);
                each(&axes, first, index, &mut |first, index| {
                    // SAFETY: as the caller promises; there is such a state.
                    unsafe { self.take_run(first, index, inner, state) }
                })?;
            }
            return Ok(());
        }
        each(&axes, a, index, &mut |first, index| {
            let k = self.phases;
            let (whole, rest) = (inner.len / k, inner.len % k);
            let stride = inner.from.wrapping_mul(k.cast_signed());
            let pass = Pass { rows: whole, stride, index, step: inner.index, ..self.pass };
            if whole > 0 {
                // SAFETY: as the caller promises; with several phases, rows are contiguous.
                unsafe { self.take_rows(first, n * k, pass, states) }?;
            }
            if rest == 0 {
                return Ok(());
            }
            let first = first.wrapping_offset(whole.cast_signed() * stride);
            let index = index + whole as u64 * inner.index;
            // SAFETY: as above, for the rows that are left.
            unsafe { self.take_rows(first, n * rest, Pass { rows: 1, index, ..pass }, states) }
        })
    }

    /// Reduces the elements along an axis for one output.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`]; `state` is that of the output.
    unsafe fn take_run(
        &self,
        first: *const u8,
        index: u64,
        axis: Axis,
        state: *mut u8,
    ) -> Result<(), CallError> {
        let run = self.reducer.row.run.expect(self.reducer.level);
        let call = |n: usize, elements: *const u8, index: u64| {
            let pass = Pass { index, step: axis.index, ..self.pass };
            let inputs = [elements, core::ptr::from_ref(&pass).cast()];
            // SAFETY: the machine has the level; there are `n` aligned elements, and the state is of the
            // function's type.
            unsafe { invoke(run, n, &inputs, state) };
        };
        if self.elements.is_direct(axis.from) {
            call(axis.len, first, index);
            return Ok(());
        }
        let mut tile = Tile::new();
        for from in (0..axis.len).step_by(TILE) {
            let n = TILE.min(axis.len - from);
            let first = first.wrapping_offset(from.cast_signed() * axis.from);
            // SAFETY: as the caller promises, and there is room in the tile.
            unsafe { self.elements.fetch([1, n], first, [0, axis.from], tile.pointer()) }?;
            call(n, tile.pointer(), index + from as u64 * axis.index);
        }
        Ok(())
    }

    /// Reduces rows of `columns` elements, as many as `pass` says, for as many states.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`].
    unsafe fn take_rows(
        &self,
        first: *const u8,
        columns: usize,
        pass: Pass,
        states: *mut u8,
    ) -> Result<(), CallError> {
        let rows = self.reducer.row.rows.expect(self.reducer.level);
        let call = |columns: usize, elements: *const u8, pass: &Pass, states: *mut u8| {
            let inputs = [elements, core::ptr::from_ref(pass).cast()];
            // SAFETY: the machine has the level; there are as many rows of aligned elements, and states of
            // the function's type.
            unsafe { invoke(rows, columns, &inputs, states) };
        };
        let Elements { size, read_size, .. } = self.elements;
        let stride = column_stride(&last(&self.axes.kept), size.cast_signed());
        if self.elements.is_direct(stride) {
            call(columns, first, &pass, states);
            return Ok(());
        }
        let mut tile = Tile::new();
        // Rows whose elements are neighbours are transposed, a few columns at a time.
        let width = if pass.stride == size.cast_signed() {
            (TRANSPOSED / (pass.rows.next_power_of_two() * size)).max(1)
        } else {
            columns
        };
        for column in (0..columns).step_by(width) {
            let n = width.min(columns - column);
            let first = first.wrapping_offset(column.cast_signed() * stride);
            let states = states.wrapping_add(column * self.reducer.row.state);
            let together = self.elements.rows_at_once(n);
            for from in (0..pass.rows).step_by(together) {
                let rows = together.min(pass.rows - from);
                let first = first.wrapping_offset(from.cast_signed() * pass.stride);
                // SAFETY: as the caller promises, and there is room in the tile for all rows.
                unsafe { self.elements.fetch([rows, n], first, [pass.stride, stride], tile.pointer()) }?;
                let index = pass.index + from as u64 * pass.step;
                let stride = (n * read_size).cast_signed();
                call(n, tile.pointer(), &Pass { rows, stride, index, ..pass }, states);
            }
        }
        Ok(())
    }
}

/// Returns the stride along an axis of elements of `size` bytes; any stride is that of a single element.
fn column_stride(axis: &Axis, size: isize) -> isize {
    if axis.len == 1 { size } else { axis.from }
}

/// Calls `take` for each part with `n` states, and merges these states in order. With `threads`, parts are
/// taken by several threads, if that pays and there is memory for the states of all parts.
///
/// # Safety
///
/// There is room for `n` states. `take` adds a part to as many states, and can be called by several threads
/// at a time.
unsafe fn in_parts(
    row: &Row,
    parts: usize,
    threads: bool,
    n: usize,
    bytes: usize,
    states: *mut u8,
    take: impl Fn(usize, *mut u8) -> Result<(), CallError>,
) -> Result<(), CallError> {
    let start_and_take = |part: usize, states: *mut u8| {
        // SAFETY: there is room for `n` states.
        unsafe { (row.start)(states, n) };
        take(part, states)
    };
    if parts == 1 {
        return start_and_take(0, states);
    }
    // SAFETY: there is room for `n` states.
    unsafe { (row.start)(states, n) };
    #[cfg(feature = "rayon")]
    if threads && parts > 1 {
        // The states of each part are aligned to 16 bytes.
        let chunks = (n * row.state).div_ceil(16);
        let mut room = alloc::vec::Vec::<u128>::new();
        if room.try_reserve_exact(chunks.saturating_mul(parts)).is_ok() {
            let room = room.as_mut_ptr();
            let states_of = |part: usize| room.wrapping_add(part * chunks).cast::<u8>();
            let some = |from: usize, len: usize| {
                (from..from + len).try_for_each(|part| start_and_take(part, states_of(part)))
            };
            // SAFETY: parts write to states of their own; the caller promises the rest.
            unsafe { threads::each_unit(parts, bytes, 1, false, |len| len, some) }?;
            for part in 0..parts {
                // SAFETY: all states have been started.
                unsafe { (row.merge)(states, states_of(part).cast_const(), n) };
            }
            return Ok(());
        }
    }
    let _ = (threads, bytes);
    let mut room = States::new();
    for part in 0..parts {
        start_and_take(part, room.pointer())?;
        // SAFETY: both are started.
        unsafe { (row.merge)(states, room.pointer(), n) };
    }
    Ok(())
}

/// Computes the sum of the products of the elements of two views of one axis.
pub(crate) fn dot(
    kernels: &'static Kernels,
    level: Level,
    types: OpTypes,
    a: &TensorView<'_>,
    b: &TensorView<'_>,
) -> Result<ScalarValue, CallError> {
    for (role, view) in [(ArgumentRole::A, a), (ArgumentRole::B, b)] {
        if view.rank() != 1 {
            return Err(CallError::Rank { role, expected: 1, found: view.rank() });
        }
    }
    let n = a.len();
    if n != b.len() {
        return Err(CallError::Length { role: ArgumentRole::B, expected: n, found: b.len() });
    }
    let (op, kind) = (Op::Dot, FoldKind::Sum);
    // The products of integers that become floats may not fit in integers, so these are cast like squares.
    let read = table::widened(kind, read_as(FoldKind::Squares, types.common, types));
    let row = reducer::row(kernels, op, kind, read)?;
    let function = row.pairs.ok_or(CallError::NotReducible { op, dtype: read })?.expect(level);
    let cast = |view: &TensorView<'_>| Casts::between((level, kernels), view.dtype(), read);
    let casts = [cast(a)?, cast(b)?];
    let side = |i: usize, view: &TensorView<'_>| {
        (Elements::new(view, read, &casts[i], level), view.pointer(), view.stride(0))
    };
    let sides = [side(0, a), side(1, b)];
    let direct = sides.iter().all(|(elements, _, stride)| elements.is_direct(*stride));
    let most = if direct { PART } else { TILE };
    let take = |part: usize, state: *mut u8| {
        let end = n.min((part + 1) * PART);
        for from in (part * PART..end).step_by(most) {
            let m = most.min(end - from);
            let (mut left, mut right) = (Tile::new(), Tile::new());
            let mut inputs = [left.pointer().cast_const(), right.pointer().cast_const()];
            for (input, (elements, first, stride)) in inputs.iter_mut().zip(&sides) {
                let first = first.wrapping_offset(from.cast_signed() * stride);
                if elements.is_direct(*stride) {
                    *input = first;
                } else {
                    // SAFETY: the view has as many elements from there on, and there is room in the tile.
                    unsafe { elements.fetch([1, m], first, [0, *stride], input.cast_mut()) }?;
                }
            }
            // SAFETY: the machine has the level; both have `m` aligned elements of the function's dtype, and
            // the state is of its type.
            unsafe { invoke(function, m, &inputs, state) };
        }
        Ok(())
    };
    let mut room = States::new();
    let state = room.pointer();
    let bytes = PART * sides.iter().map(|(elements, ..)| elements.size).sum::<usize>();
    // SAFETY: there is room for a state, and elements are only read.
    unsafe { in_parts(row, n.div_ceil(PART), true, 1, bytes, state, take) }?;
    let reduction = Reduction { kind, reversed: false, skips_nan: false, after: After::Nothing };
    let output = [types.output; 2];
    let reducer =
        Reducer { op, reduction, level, read, casts: Casts::NONE, row, kernels, output, correction: 0.0 };
    let finish = Finish::find(&reducer, n, Pass::default())?;
    let size = element_size(types.output)?.cast_signed();
    let mut written = Ok(());
    // SAFETY: there is a state, and room for an element.
    let write = |element| written = unsafe { finish.write(state, 1, element, size) };
    let value = ScalarValue::written_by(types.output, write);
    written.map(|()| value)
}
