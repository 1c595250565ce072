//! The axes of a reduction in the order that memory wants; blocks, and parts for threads.
//!
//! One axis is taken by the functions: one that is reduced, if its elements lie nearest, as a *run* of
//! elements for each output; else one that stays, in *rows* that have an element for each of some outputs,
//! whose states stand side by side. Elements that lie apart, or are cast, go through a tile. How the elements
//! are parted depends on shape and strides alone, so that threads change no result.

use arrayvec::ArrayVec;

use super::finish::{After, Finish, SOME, Values};
use super::fold::{Pass, ROWS, STATES, states_at_once};
use super::short::{self, Short};
use super::table::{Row, widened};
use super::{Fold, Reducer, read_as};
use crate::DType;
use crate::error::call::CallError;
use crate::kernel::RawKernel;
use crate::kernel::cast::CastKernel;
use crate::kernel::pointers::invoke;
use crate::kernel::registry::Kernels;
use crate::kernel::strided::gather::{Copier, Run};
use crate::level::Level;
use crate::memory::block::Block;
use crate::memory::{MAX_AXES, TensorView, TensorViewMut, threads};
use crate::memory::{ScalarValue, Slice, SliceMut};
use crate::{Op, OpTypes};

/// States of all outputs that are computed side by side.
type States = Block<STATES>;

/// How many elements a tile has.
const TILE: usize = 1024;
/// Elements that are gathered or cast.
type Tile = Block<{ TILE * 16 }>;

/// The bytes of elements that are turned round at once: they stay in the cache beside their copies.
const TURNED: usize = 8 * 1024;

/// How many elements a part of a reduction has, or more: the states of parts are merged in the order of the
/// parts.
const PART: usize = if cfg!(fuzzing) { 1 << 10 } else { 1 << 18 };

/// Runs that are shorter are worse than rows of as many outputs, even where these have to be gathered.
const SHORT: usize = 48;

/// An axis: its length, the bytes from one element to the next in the operand and in the result, and by how
/// much the index of an element grows.
#[derive(Clone, Copy, Debug)]
struct Axis {
    len: usize,
    from: isize,
    to: isize,
    index: u64,
}

type Axes = ArrayVec<Axis, MAX_AXES>;

const ALONE: Axis = Axis { len: 1, from: 0, to: 0, index: 0 };

/// How elements come to the functions.
#[derive(Clone, Copy)]
struct Reading {
    from: DType,
    read: DType,
    cast: Option<CastKernel>,
    copier: Copier,
    /// Whether all elements are aligned.
    aligned: bool,
}

impl Reading {
    fn size(&self) -> usize {
        self.from.size().unwrap_or(1)
    }

    /// Whether elements so far apart are read where they lie.
    fn direct(&self, stride: isize) -> bool {
        self.cast.is_none() && self.aligned && stride == self.size().cast_signed()
    }

    /// Copies `n` elements side by side into `tile`, cast.
    ///
    /// # Safety
    ///
    /// There are `n` elements so far apart, and room for as many of the dtype that is read; `n` is at most
    /// [`TILE`].
    unsafe fn fetch(
        &self,
        pointer: *const u8,
        stride: isize,
        n: usize,
        tile: *mut u8,
    ) -> Result<(), CallError> {
        let size = self.size();
        let from = Run { pointer, stride };
        let contiguous = size.cast_signed();
        let Some(cast) = &self.cast else {
            // SAFETY: as the caller promises.
            unsafe { self.copier.copy(n, from, Run { pointer: tile, stride: contiguous }) };
            return Ok(());
        };
        let mut room = Tile::new();
        let mut source = pointer;
        if !self.aligned || stride != contiguous {
            // SAFETY: as the caller promises, and a tile has room for them.
            unsafe { self.copier.copy(n, from, Run { pointer: room.pointer(), stride: contiguous }) };
            source = room.pointer();
        }
        self.cast_all(cast, source, n, tile)
    }

    /// Copies `rows` of `n` elements into `tile`, cast: elements of one column lie side by side, those of one
    /// row `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// There are as many elements, and room for as many of the dtype that is read; of either dtype they have
    /// at most the bytes of a tile.
    unsafe fn fetch_turned(
        &self,
        [rows, n]: [usize; 2],
        pointer: *const u8,
        stride: isize,
        tile: *mut u8,
    ) -> Result<(), CallError> {
        let mut room = Tile::new();
        let to = if self.cast.is_some() { room.pointer() } else { tile };
        let row = self.size().cast_signed();
        // SAFETY: as the caller promises, and a tile has room for them.
        unsafe { self.copier.copy_tile([rows, n], Run { pointer, stride }, row, to, true) };
        self.cast.as_ref().map_or(Ok(()), |cast| self.cast_all(cast, to, rows * n, tile))
    }

    fn cast_all(
        &self,
        cast: &CastKernel,
        source: *const u8,
        n: usize,
        tile: *mut u8,
    ) -> Result<(), CallError> {
        let elements = Slice::of_view(self.from, source, n, true);
        cast.call(elements, SliceMut::of_view(self.read, tile, n, true, false))
    }
}

/// A reduction of the elements of a view to those of another.
#[allow(clippy::struct_field_names, reason = "axes that are reduced")]
pub(super) struct Reduced {
    row: &'static Row,
    run: RawKernel,
    rows: RawKernel,
    /// What takes the runs, where they are short and lie one after the other.
    short: Option<Short>,
    reading: Reading,
    pass: Pass,
    /// The innermost are the last; there is one at least of each.
    kept: Axes,
    reduced: Axes,
    a: *const u8,
    out: *mut u8,
    by_rows: bool,
    /// How many rows are taken as one, where a row is short: as many states are there for each output.
    phases: usize,
    /// How many outputs are computed side by side.
    segment: usize,
    /// How many places of the outermost reduced axis a part has.
    part: usize,
    /// How many elements each output is made of.
    count: usize,
}

impl Reduced {
    pub(super) fn new(
        reducer: &Reducer,
        read: DType,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        out: &mut TensorViewMut<'_>,
        pass: Pass,
        count: usize,
    ) -> Reduced {
        let Reducer { row, level, from, cast, .. } = *reducer;
        let places = reducer.reduction.fold == Fold::Place;
        let (mut kept, mut reduced) = (Axes::new(), Axes::new());
        let keepdims = out.rank() == a.rank();
        let (mut source, mut target) = (a.pointer(), out.pointer());
        let mut index = 1_u64;
        let mut steps = out.layout().strides_from_last();
        for (axis, from) in (0..a.rank()).rev().zip(a.layout().strides_from_last()) {
            let len = a.shape()[axis];
            let along = along(axis);
            let to = if keepdims || !along { steps.next().unwrap_or(0) } else { 0 };
            let mut found =
                Axis { len, from, to: if along { 0 } else { to }, index: if along { index } else { 0 } };
            if along {
                index = index.wrapping_mul(len as u64);
            }
            if len <= 1 {
                continue;
            }
            // Indices of places rise with the axis; all else may be taken from the end.
            if from < 0 && !(along && places) {
                let last = (len - 1).cast_signed();
                source = source.wrapping_offset(last * from);
                target = target.wrapping_offset(last * found.to);
                (found.from, found.to) = (-from, -found.to);
            }
            if along { &mut reduced } else { &mut kept }.push(found);
        }
        drop(steps);
        for axes in [&mut kept, &mut reduced] {
            axes.reverse();
            // Where the same element stands for all, the axis is taken last.
            axes.sort_unstable_by_key(|axis| core::cmp::Reverse(axis.from.unsigned_abs().wrapping_sub(1)));
            join(axes, places);
            if axes.is_empty() {
                axes.push(ALONE);
            }
        }
        let (lane, inner) = (last(&kept), last(&reduced));
        let nearer = inner.from.unsigned_abs() <= lane.from.unsigned_abs() || lane.len == 1;
        let by_rows = inner.len == 1 && lane.len > 1 || !nearer || inner.len < SHORT && lane.len >= SHORT;
        let reading = Reading {
            from,
            read,
            cast: cast.map(|(kernel, _)| kernel),
            copier: Copier::new(a.layout().size(), level),
            aligned: a.is_aligned(),
        };
        // An axis without elements is not among them, but counts.
        let runs = inner.len > 1 && inner.len <= short::LONGEST && inner.len == count;
        let size = reading.size().cast_signed();
        let in_line =
            runs && reading.aligned && inner.from == size && lane.from == inner.len.cast_signed() * size;
        let sums = reducer.reduction.fold == Fold::Sum && reading.cast.is_none();
        let value = row.value.filter(|_| sums && in_line);
        let short = value.and_then(|value| Short::find(level, reducer.kernels, read, value));
        let run_on = lane.len.cast_signed().checked_mul(lane.from) == Some(inner.from);
        // Of one column any stride is the right one.
        let stride = if lane.len == 1 { reading.size().cast_signed() } else { lane.from };
        let most = states_at_once(row.state).min(if reading.direct(stride) { usize::MAX } else { TILE });
        // More than one only where what comes of them is little beside what they are made of.
        let phases = if by_rows && !places && run_on {
            (most / lane.len).min(inner.len / (ROWS / 4)).max(1)
        } else {
            1
        };
        // Few outputs at a time, where each is long, so that threads have something to share.
        let segment = if by_rows { most } else { (PART / count.max(1)).clamp(1, most) };
        let outputs_at_once = if by_rows { lane.len.min(segment) } else { 1 };
        let each = count / reduced[0].len.max(1) * outputs_at_once;
        Reduced {
            row,
            run: row.run.expect(level),
            rows: row.rows.expect(level),
            short,
            reading,
            pass,
            part: (PART / each.max(1)).max(1),
            kept,
            reduced,
            a: source,
            out: target,
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
    /// The machine has the functions' level; the axes lead to elements of the operand, and to room for those
    /// of the result, in which nobody else reads or writes; the states of `finish` are those of the
    /// functions.
    pub(super) unsafe fn run(&self, finish: &Finish) -> Result<(), CallError> {
        let (lane, outer) = self.kept.split_last().unwrap_or((&ALONE, &[]));
        let segments = lane.len.div_ceil(self.segment);
        let units = outer.iter().map(|axis| axis.len).product::<usize>() * segments;
        let parts = self.reduced[0].len.div_ceil(self.part);
        let each = self.count.saturating_mul(lane.len.min(self.segment)).max(1);
        let size = self.reading.size();
        // Either units are shared among threads, or the parts of one after the other.
        let shared = units >= parts;
        let unit = |u: usize| {
            let from = u % segments * self.segment;
            let n = self.segment.min(lane.len - from);
            let place = from.cast_signed();
            let (mut a, mut out) =
                (self.a.wrapping_offset(place * lane.from), self.out.wrapping_offset(place * lane.to));
            let mut rest = u / segments;
            for axis in outer.iter().rev() {
                let at = (rest % axis.len).cast_signed();
                rest /= axis.len;
                (a, out) = (a.wrapping_offset(at * axis.from), out.wrapping_offset(at * axis.to));
            }
            if let Some(short) = &self.short {
                // SAFETY: as the caller promises.
                return unsafe { self.take_short(short, a, n, out, finish) };
            }
            let mut room = States::new();
            let states = room.pointer();
            let take = |part: usize, states: *mut u8| {
                let from = part * self.part;
                let len = self.part.min(self.reduced[0].len - from);
                // SAFETY: as the caller promises, of some of the elements; the states are as many as the
                // outputs and phases.
                unsafe { self.take(a, (from, len), n, states) }
            };
            let taken = if self.count == 0 { 0 } else { parts };
            // SAFETY: the room is that of all states, and parts can be taken side by side.
            unsafe {
                in_parts(self.row, taken, !shared, n * self.phases, each / parts.max(1) * size, states, take)
            }?;
            for phase in 1..self.phases {
                let other = states.wrapping_add(phase * n * self.row.state);
                // SAFETY: the states of each phase are `n`, side by side.
                unsafe { (self.row.merge)(states, other, n) };
            }
            // SAFETY: there are `n` states, and, as the caller promises, room for as many elements.
            unsafe { finish.write(states, n, out, lane.to) }
        };
        if !shared {
            return (0..units).try_for_each(unit);
        }
        let some = |from: usize, len: usize| (from..from + len).try_for_each(&unit);
        // SAFETY: units write to places of their own.
        unsafe { threads::each_unit(units, each, size, false, |len| len, some) }
    }

    /// Computes `n` outputs, each of a short run; the first of these begins at `a`.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`]; the runs lie one after the other.
    unsafe fn take_short(
        &self,
        short: &Short,
        a: *const u8,
        n: usize,
        out: *mut u8,
        finish: &Finish,
    ) -> Result<(), CallError> {
        let (lane, length) = (last(&self.kept), last(&self.reduced).len);
        let mut values = Values::new();
        for from in (0..n).step_by(SOME) {
            let (n, place) = (SOME.min(n - from), from.cast_signed());
            // SAFETY: as the caller promises; there is room for so many values.
            unsafe { short.take([n, length], a.wrapping_offset(place * lane.from), values.pointer()) }?;
            // SAFETY: these are the values, and the caller promises the room.
            unsafe { finish.write_values(&mut values, n, out.wrapping_offset(place * lane.to), lane.to) }?;
        }
        Ok(())
    }

    /// Takes `len` places of the outermost reduced axis from `from` on, of `n` outputs whose first elements
    /// lie from `a` on.
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
        let lane = last(&self.kept);
        let mut axes = self.reduced.clone();
        let more = from + len < axes[0].len;
        let (a, at) = (a.wrapping_offset(from.cast_signed() * axes[0].from), from as u64 * axes[0].index);
        axes[0].len = len;
        let inner = last(&axes);
        axes.pop();
        if !self.by_rows {
            for i in 0..n {
                let first = a.wrapping_offset(i.cast_signed() * lane.from);
                let state = states.wrapping_add(i * self.row.state);
                // SAFETY: as the caller promises; there is such a state.
                each(&axes, first, at, &mut |first, at| unsafe { self.take_run(first, at, inner, state) })?;
            }
            return Ok(());
        }
        each(&axes, a, at, &mut |first, at| {
            let k = self.phases;
            let (whole, rest) = (inner.len / k, inner.len % k);
            let stride = inner.from.wrapping_mul(k.cast_signed());
            if whole > 0 {
                // After these rows others are read, or the columns beside them.
                let then =
                    if more || k > 1 { whole.cast_signed() * stride } else { n.cast_signed() * lane.from };
                let rows = Pass { rows: whole, stride, then, at, step: inner.index, ..self.pass };
                // SAFETY: as the caller promises; rows go on where the one before ends, where there are
                // several phases.
                unsafe { self.take_rows(first, n * k, rows, states) }?;
            }
            if rest > 0 {
                let first = first.wrapping_offset(whole.cast_signed() * stride);
                let at = at + whole as u64 * inner.index;
                // SAFETY: as above, of the rows that are left.
                unsafe {
                    self.take_rows(first, n * rest, Pass { rows: 1, stride, at, ..self.pass }, states)
                }?;
            }
            Ok(())
        })
    }

    /// Takes the elements along an axis for one output.
    ///
    /// # Safety
    ///
    /// As [`Reduced::run`]; it is the state of the output.
    unsafe fn take_run(
        &self,
        first: *const u8,
        at: u64,
        axis: Axis,
        state: *mut u8,
    ) -> Result<(), CallError> {
        let call = |n: usize, elements: *const u8, at: u64| {
            let pass = Pass { at, step: axis.index, ..self.pass };
            let inputs = [elements, core::ptr::from_ref(&pass).cast()];
            // SAFETY: the machine has the level; there are `n` aligned elements, and the state is of the
            // function's type.
            unsafe { invoke(self.run, n, &inputs, state) };
        };
        if self.reading.direct(axis.from) {
            call(axis.len, first, at);
            return Ok(());
        }
        let mut tile = Tile::new();
        for from in (0..axis.len).step_by(TILE) {
            let n = TILE.min(axis.len - from);
            let pointer = first.wrapping_offset(from.cast_signed() * axis.from);
            // SAFETY: as the caller promises, and there is room in the tile.
            unsafe { self.reading.fetch(pointer, axis.from, n, tile.pointer()) }?;
            call(n, tile.pointer(), at + from as u64 * axis.index);
        }
        Ok(())
    }

    /// Takes rows of `columns` elements, as many as `pass` says, for as many states.
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
        let lane = last(&self.kept);
        let call = |columns: usize, elements: *const u8, pass: &Pass, states: *mut u8| {
            let inputs = [elements, core::ptr::from_ref(pass).cast()];
            // SAFETY: the machine has the level; there are as many rows of aligned elements, and states of
            // the function's type.
            unsafe { invoke(self.rows, columns, &inputs, states) };
        };
        let (size, source) = (self.reading.read.size().unwrap_or(1), self.reading.size());
        // Of one column any stride is the right one.
        let stride = if lane.len == 1 { source.cast_signed() } else { lane.from };
        if self.reading.direct(stride) {
            call(columns, first, &pass, states);
            return Ok(());
        }
        let mut tile = Tile::new();
        // Rows that lie beside each other are turned round, few columns at a time.
        let turned = pass.stride == source.cast_signed();
        let width = if turned { (TURNED / (pass.rows.next_power_of_two() * source)).max(1) } else { columns };
        for column in (0..columns).step_by(width) {
            let n = width.min(columns - column);
            let (first, states) = (
                first.wrapping_offset(column.cast_signed() * stride),
                states.wrapping_add(column * self.row.state),
            );
            // With a cast the elements that are read may be the wider ones.
            let together = (TILE * 16 / (n * size.max(source))).max(1);
            for from in (0..pass.rows).step_by(together) {
                let rows = together.min(pass.rows - from);
                let pointer = first.wrapping_offset(from.cast_signed() * pass.stride);
                if turned {
                    // SAFETY: as the caller promises, and there is room in the tile for all rows.
                    unsafe { self.reading.fetch_turned([rows, n], pointer, stride, tile.pointer()) }?;
                } else {
                    for row in 0..rows {
                        let pointer = pointer.wrapping_offset(row.cast_signed() * pass.stride);
                        let place = tile.pointer().wrapping_add(row * n * size);
                        // SAFETY: as the caller promises, and there is room in the tile for all rows.
                        unsafe { self.reading.fetch(pointer, stride, n, place) }?;
                    }
                }
                let at = pass.at + from as u64 * pass.step;
                let pass = Pass { rows, stride: (n * size).cast_signed(), then: 0, at, ..pass };
                call(n, tile.pointer(), &pass, states);
            }
        }
        Ok(())
    }
}

/// The innermost axis.
fn last(axes: &Axes) -> Axis {
    axes.last().copied().unwrap_or(ALONE)
}

/// Makes one of two axes where the outer one goes on where the inner one ends; with `places`, in the indices
/// too.
fn join(axes: &mut Axes, places: bool) {
    let mut kept = 0;
    for i in 1..axes.len() {
        let (outer, inner) = (axes[kept], axes[i]);
        let span = inner.len.cast_signed();
        let goes_on = |outer: isize, inner: isize| inner.checked_mul(span) == Some(outer);
        let indices = !places || outer.index == inner.index.wrapping_mul(inner.len as u64);
        if goes_on(outer.from, inner.from) && goes_on(outer.to, inner.to) && indices {
            axes[kept] = Axis { len: outer.len * inner.len, ..inner };
        } else {
            kept += 1;
            axes[kept] = inner;
        }
    }
    axes.truncate(kept + 1);
}

/// Calls `f` with the first element and its index at every place of the axes.
fn each(
    axes: &[Axis],
    first: *const u8,
    at: u64,
    f: &mut dyn FnMut(*const u8, u64) -> Result<(), CallError>,
) -> Result<(), CallError> {
    let Some((axis, inner)) = axes.split_first() else { return f(first, at) };
    for i in 0..axis.len {
        let first = first.wrapping_offset(i.cast_signed() * axis.from);
        each(inner, first, at + i as u64 * axis.index, f)?;
    }
    Ok(())
}

/// Lets `take` add parts to `n` states, and merges what comes of them in order: side by side, where `threads`
/// says so, it pays and there is memory for the states of all parts; else one after the other, with the same
/// result.
///
/// # Safety
///
/// There is room for `n` states; `take` adds a part to as many, and can be called by several threads at a
/// time.
unsafe fn in_parts(
    row: &Row,
    parts: usize,
    threads: bool,
    n: usize,
    bytes: usize,
    states: *mut u8,
    take: impl Fn(usize, *mut u8) -> Result<(), CallError>,
) -> Result<(), CallError> {
    // SAFETY: there is room for them.
    unsafe { (row.start)(states, n) };
    if parts == 1 {
        return take(0, states);
    }
    #[cfg(feature = "rayon")]
    if threads && parts > 1 {
        // Each part's states are aligned, being a multiple of 16 bytes apart.
        let chunks = (n * row.state).div_ceil(16);
        let mut room = alloc::vec::Vec::<u128>::new();
        if room.try_reserve_exact(chunks.saturating_mul(parts)).is_ok() {
            let room = room.as_mut_ptr();
            let some = |from: usize, len: usize| {
                (from..from + len).try_for_each(|part| {
                    let states = room.wrapping_add(part * chunks).cast::<u8>();
                    // SAFETY: the room of each part is as large.
                    unsafe { (row.start)(states, n) };
                    take(part, states)
                })
            };
            // SAFETY: parts write to states of their own; the caller promises the rest.
            unsafe { threads::each_unit(parts, bytes, 1, false, |len| len, some) }?;
            for part in 0..parts {
                let others = room.wrapping_add(part * chunks).cast::<u8>();
                // SAFETY: all states have been started.
                unsafe { (row.merge)(states, others.cast_const(), n) };
            }
            return Ok(());
        }
    }
    let _ = (threads, bytes);
    let mut room = States::new();
    for part in 0..parts {
        // SAFETY: there is room for as many as of any.
        unsafe { (row.start)(room.pointer(), n) };
        take(part, room.pointer())?;
        // SAFETY: both are started.
        unsafe { (row.merge)(states, room.pointer(), n) };
    }
    Ok(())
}

/// The sum of the products of as many elements of two views of one axis.
pub(super) fn dot(
    kernels: &'static Kernels,
    level: Level,
    types: OpTypes,
    a: &TensorView<'_>,
    b: &TensorView<'_>,
) -> Result<ScalarValue, CallError> {
    // Elements whose products are added; integers that a float is made of are cast, since products of them
    // may not fit.
    let read = widened(Fold::Sum, read_as(Fold::Squares, types.common, types));
    let missing = CallError::NotReducible { op: Op::Dot, dtype: read };
    let found = kernels.reductions().and_then(|all| Some((all.row(Fold::Sum, read)?, all.pairs(read)?)));
    let (row, functions) = found.ok_or(missing)?;
    let function = functions.expect(level);
    let reading = |view: &TensorView<'_>| {
        let (from, aligned) = (view.dtype(), view.is_aligned());
        let cast =
            if from == read { None } else { Some(CastKernel::find_at(level, kernels, from, read, 0)?) };
        let copier = Copier::new(view.layout().size(), level);
        Ok::<_, CallError>((Reading { from, read, cast, copier, aligned }, view.pointer(), view.stride(0)))
    };
    let sides = [reading(a)?, reading(b)?];
    let n = a.len();
    let direct = sides.iter().all(|(reading, _, stride)| reading.direct(*stride));
    let most = if direct { PART } else { TILE };
    let take = |part: usize, state: *mut u8| {
        let end = n.min((part + 1) * PART);
        for from in (part * PART..end).step_by(most) {
            let m = most.min(end - from);
            let (mut left, mut right) = (Tile::new(), Tile::new());
            let mut inputs = [core::ptr::null(); 2];
            for ((input, tile), (reading, first, stride)) in
                inputs.iter_mut().zip([&mut left, &mut right]).zip(&sides)
            {
                let first = first.wrapping_offset(from.cast_signed() * stride);
                *input = if reading.direct(*stride) {
                    first
                } else {
                    // SAFETY: the view has as many elements from there on, and there is room in the tile.
                    unsafe { reading.fetch(first, *stride, m, tile.pointer()) }?;
                    tile.pointer()
                };
            }
            // SAFETY: the machine has the level; both have `m` aligned elements of the function's dtype, and
            // the state is of its type.
            unsafe { invoke(function, m, &inputs, state) };
        }
        Ok(())
    };
    let mut room = States::new();
    let state = room.pointer();
    let bytes = PART * sides.iter().map(|(reading, ..)| reading.size()).sum::<usize>();
    // SAFETY: there is room for a state, and elements are only read.
    unsafe { in_parts(row, n.div_ceil(PART), true, 1, bytes, state, take) }?;
    let dtypes = [read, types.output, types.output];
    let finish = Finish::of(row, After::Nothing, (level, kernels), dtypes, n, Pass::default())?;
    let mut element = Block::<16>::new();
    let size = types.output.size().ok_or(CallError::NoElements { dtype: types.output })?;
    // SAFETY: there is a state, and room for an element.
    unsafe { finish.write(state, 1, element.pointer(), size.cast_signed()) }?;
    // SAFETY: so many bytes are written.
    let bytes = unsafe { core::slice::from_raw_parts(element.pointer(), size) };
    ScalarValue::from_bytes(types.output, bytes)
}
