//! Scans along an axis: each element of the result is the sum or the product of the elements up to it.
//!
//! Elements are cast to `i64`, `f64` or complex numbers of these, a tile at a time, scanned in place, and
//! cast to the dtype of the result. If elements of the other axes are nearer in memory than those of the
//! scanned axis, a tile is some rows of them, and every column has a state.

use super::axes::{Along, SplitAxes, last};
use super::elements::{Casts, Elements, TILE, Tile, apart, cast_between, cast_block};
use super::finish::{MAX_STATES, Values};
use super::reducer::{Request, read_as};
use super::steps::{STATE, ScanRow, Scans};
use super::table::FoldKind;
use super::walk::SHORT;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::cast::CastKernel;
use crate::kernel::copy::{Copier, Run};
use crate::kernel::overlap::Copied;
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::block::Block;
use crate::memory::prefetch::prefetch;
use crate::memory::slice::{element_size, is_aligned};
use crate::memory::{TensorView, TensorViewMut, threads};
use crate::{DType, Kind, Op};

/// The number of columns that are scanned together. Their rows are long enough for vectors, and a tile has
/// several.
const COLUMNS: usize = 256;

/// The functions of a scan of elements of one dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scanner {
    level: Level,
    kernels: &'static Kernels,
    /// The casts of elements to values.
    casts: Casts,
    row: &'static ScanRow,
    /// The dtype of values, of the result, and of `out`.
    dtypes: [DType; 3],
}

impl Scanner {
    /// Returns true if the op is a scan.
    pub(crate) const fn scans(op: Op) -> bool {
        matches!(op, Op::Cumsum | Op::Cumprod)
    }

    /// Returns the dtype of `out`.
    #[cfg(feature = "alloc")]
    pub(crate) const fn target(&self) -> DType {
        self.dtypes[2]
    }

    /// Looks up the functions of a scan at an available level.
    ///
    /// # Errors
    ///
    /// Returns an error if the op is no scan, if this build has no scans, or if a dtype has no elements.
    pub(crate) fn find(
        kernels: &'static Kernels,
        level: Level,
        request: &Request,
    ) -> Result<Scanner, CallError> {
        let Request { op, from, types, target, .. } = *request;
        if !Scanner::scans(op) {
            return Err(CallError::NotComputed { op });
        }
        element_size(from)?;
        let read = read_as(FoldKind::Sum, request.elements(), types);
        let value =
            FoldKind::Sum.value(if types.compute.kind() > read.kind() { types.compute } else { read });
        let missing = CallError::NotReducible { op, dtype: read };
        let Scans { sums, products } = kernels.reductions().map(|all| all.scans).ok_or(missing)?;
        let rows = if op == Op::Cumsum { sums } else { products };
        let row = match (types.compute, value.kind()) {
            (DType::F16, _) => &rows[3],
            (DType::BF16, _) => &rows[4],
            (_, Kind::Complex) => &rows[2],
            (_, Kind::Float) => &rows[1],
            _ => &rows[0],
        };
        let at = (level, kernels);
        let casts = request.casts(at, read, value)?;
        for [from, to] in [[value, types.output], [types.output, target]] {
            cast_between(at, from, to)?;
        }
        Ok(Scanner { level, kernels, casts, row, dtypes: [value, types.output, target] })
    }

    /// Scans elements along an axis; an array without axes is one element. `out` has the shape of `a`.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if `out` has another dtype or shape, or if it overlaps
    /// the elements and they cannot be copied.
    pub(crate) fn call(
        &self,
        a: &TensorView<'_>,
        axis: Option<usize>,
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let (role, expected, found) = (ArgumentRole::Out, self.dtypes[2], out.dtype());
        if expected != found {
            return Err(CallError::DType { role, expected, found });
        }
        if a.rank() != out.rank() {
            return Err(CallError::Rank { role, expected: a.rank(), found: out.rank() });
        }
        for (axis, (expected, found)) in a.shape().iter().zip(out.shape()).enumerate() {
            if expected != found {
                return Err(CallError::OutShape { axis, expected: *expected, found: *found });
            }
        }
        let mut copy = Copied::NONE;
        let a = apart(a, &out, &mut copy)?;
        if out.is_empty() {
            return Ok(());
        }
        let scanned = Scanned::new(self, &a, axis, &mut out)?;
        // SAFETY: the level was available when the functions were found; views are valid, `a` does not
        // overlap `out`, and both have one shape.
        unsafe { scanned.run() }
    }
}

/// Returns the bytes of `n` elements.
fn row_size(n: usize, dtype: DType) -> Result<usize, CallError> {
    Ok(n * element_size(dtype)?)
}

/// Returns true if `n` elements at this stride, of so many bytes in all, are contiguous.
const fn is_contiguous(n: usize, stride: isize, bytes: usize) -> bool {
    n == 1 || stride * n.cast_signed() == bytes.cast_signed()
}

/// A scan of the elements of a view.
struct Scanned<'a> {
    scanner: &'a Scanner,
    elements: Elements<'a>,
    axes: SplitAxes,
    /// The casts of values to results.
    casts: [Option<CastKernel>; 2],
    copier: Copier,
    /// True if the columns of the innermost axis are scanned together.
    by_rows: bool,
}

impl<'a> Scanned<'a> {
    fn new(
        scanner: &'a Scanner,
        a: &TensorView<'_>,
        axis: Option<usize>,
        out: &mut TensorViewMut<'_>,
    ) -> Result<Scanned<'a>, CallError> {
        let Scanner { level, kernels, ref casts, dtypes: [value, output, target], .. } = *scanner;
        let (pointer, is_scanned) = (out.pointer(), |i| Some(i) == axis);
        let axes = SplitAxes::new(a, &is_scanned, (pointer, out.layout()), Along::Scanned);
        let (lane, along) = (last(&axes.kept), last(&axes.along));
        let nearer = lane.from != 0 && lane.from.unsigned_abs() < along.from.unsigned_abs();
        let by_rows = lane.len > 1 && (nearer && along.len > 1 || along.len < SHORT && lane.len >= SHORT);
        let at = (level, kernels);
        Ok(Scanned {
            scanner,
            elements: Elements::new(a, value, casts, level),
            axes,
            casts: [cast_between(at, value, output)?, cast_between(at, output, target)?],
            copier: Copier::new(element_size(target)?, level),
            by_rows,
        })
    }

    /// Computes all results.
    ///
    /// # Safety
    ///
    /// The machine has the level of the functions. The axes lead to elements of the operand, and to room for
    /// those of the result, which nothing else accesses.
    unsafe fn run(&self) -> Result<(), CallError> {
        let columns = if self.by_rows { COLUMNS.min(last(&self.axes.kept).len) } else { 1 };
        let units = self.axes.units(columns);
        let unit = |u: usize| {
            let (a, out, n) = units.get(u);
            // SAFETY: as the caller promises, for some of the elements.
            unsafe { self.scan(a, out, n) }
        };
        let some = |from: usize, len: usize| (from..from + len).try_for_each(unit);
        let (elements, bytes) = (last(&self.axes.along).len * columns, self.elements.size);
        // SAFETY: units write to elements of their own.
        unsafe { threads::each_unit(units.len(), elements, bytes, true, |len| len, some) }
    }

    /// Scans the elements along the axis in `n` columns.
    ///
    /// # Safety
    ///
    /// As [`Scanned::run`]; `n` is 1, or at most [`COLUMNS`] by rows.
    unsafe fn scan(&self, a: *const u8, out: *mut u8, n: usize) -> Result<(), CallError> {
        let Scanner { row, level, .. } = *self.scanner;
        let (lane, along) = (last(&self.axes.kept), last(&self.axes.along));
        let mut room = Block::<{ COLUMNS * STATE }>::new();
        let states = room.pointer();
        // SAFETY: there is room for `n` states, of which each has at most `STATE` bytes.
        unsafe { (row.start)(states, n) };
        let mut tile = Tile::new();
        let size = row_size(n, self.scanner.dtypes[2])?;
        // Values that are results are computed where they belong.
        let is_result = self.casts.iter().all(Option::is_none) && is_contiguous(n, lane.to, size);
        let together = if is_result && n > 1 && along.to != size.cast_signed() {
            1
        } else {
            self.elements.rows_at_once(n).min(TILE / n)
        };
        for from in (0..along.len).step_by(together) {
            let rows = together.min(along.len - from);
            let first = a.wrapping_offset(from.cast_signed() * along.from);
            let out = out.wrapping_offset(from.cast_signed() * along.to);
            let in_place = is_result
                && (rows == 1 || along.to == size.cast_signed())
                && is_aligned(self.scanner.dtypes[2], out);
            let values = if in_place { out } else { tile.pointer() };
            let (shape, strides) =
                if n == 1 { ([1, rows], [0, along.from]) } else { ([rows, n], [along.from, lane.from]) };
            let from = if n == 1 && self.elements.is_direct(along.from) {
                first
            } else {
                // SAFETY: as the caller promises, and there is room for all rows in the tile, or in `out`,
                // where they are contiguous.
                unsafe { self.elements.fetch(shape, first, strides, values) }?;
                // Casts and scans take turns, so the next elements are prefetched while these are scanned.
                let sizes = [self.elements.size.cast_signed(), size.cast_signed()];
                for (next, step, size) in
                    [(first, along.from, sizes[0]), (out.cast_const(), along.to, sizes[1])]
                {
                    if n == 1 && step == size {
                        let bytes = rows.cast_signed() * step;
                        prefetch(next.wrapping_offset(bytes), bytes.cast_unsigned());
                    }
                }
                values.cast_const()
            };
            if n == 1 {
                let level = if row.is_scalar { Level::BASE } else { level };
                // SAFETY: the machine has the level; there are as many values, room for as many, and a state
                // of the function's type.
                unsafe { invoke(row.run.expect(level), rows, &[states.cast_const(), from], values) };
            } else {
                let inputs = [states.cast_const(), core::ptr::from_ref(&n).cast()];
                // SAFETY: likewise; the values are in place.
                unsafe { invoke(row.rows.expect(level), rows * n, &inputs, values) };
            }
            if !in_place {
                // SAFETY: the tile has the values, and the caller promises the room.
                unsafe { self.write(values, [rows, n], out, [along.to, lane.to]) }?;
            }
        }
        Ok(())
    }

    /// Casts rows of `n` values, and writes them, `row` bytes from row to row and `stride` bytes from one
    /// element of a row to the next.
    ///
    /// # Safety
    ///
    /// There are as many values, at most [`MAX_STATES`], and room for as many elements of the dtype of `out`.
    unsafe fn write(
        &self,
        mut values: *mut u8,
        [rows, n]: [usize; 2],
        out: *mut u8,
        [row, stride]: [isize; 2],
    ) -> Result<(), CallError> {
        const { assert!(MAX_STATES >= TILE) };
        let [.., target] = self.scanner.dtypes;
        let size = element_size(target)?.cast_signed();
        let all = rows * n;
        let contiguous = (n == 1 || stride == size) && (rows == 1 || row == n.cast_signed() * size);
        let in_place = contiguous && is_aligned(target, out);
        let mut second = Values::new();
        let mut others = second.pointer();
        let last = self.casts.iter().rposition(Option::is_some);
        for (i, cast) in self.casts.iter().enumerate() {
            let Some(cast) = cast else { continue };
            if in_place && Some(i) == last {
                return cast_block(cast, values, all, out);
            }
            cast_block(cast, values, all, others)?;
            core::mem::swap(&mut values, &mut others);
        }
        // Along the longer side of the tile.
        let line = |len: usize, from: usize, step: usize, to: *mut u8, stride: isize| {
            let stride_of = step.cast_signed() * size;
            let pointer = values.wrapping_add(from * size.cast_unsigned()).cast_const();
            // SAFETY: there are as many elements, and the caller promises the room.
            unsafe {
                self.copier.copy(len, Run { pointer, stride: stride_of }, Run { pointer: to, stride });
            }
        };
        if contiguous {
            line(all, 0, 1, out, size);
        } else if n < rows {
            (0..n).for_each(|j| line(rows, j, n, out.wrapping_offset(j.cast_signed() * stride), row));
        } else {
            (0..rows).for_each(|i| line(n, i * n, 1, out.wrapping_offset(i.cast_signed() * row), stride));
        }
        Ok(())
    }
}
