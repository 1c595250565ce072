//! Reductions of the elements along axes.
//!
//! - `fold`: the trait of reductions, the loop over rows, and the bodies of kernel functions;
//! - `sums`, `products`, `order`: the reductions;
//! - `registers`: sums of contiguous elements, in vector registers; `short`: sums of few elements each;
//! - `table`: the functions for each dtype;
//! - `walk`: the order of axes, blocks, and parts for threads;
//! - `finish`: the conversion of states to elements of the result.
//!
//! The accumulators hold more than any dtype that a rule set computes in: `f64` for floats, 64 bits for
//! integers. If that dtype is wider than the elements, or if elements are rounded to it, they are cast to it
//! first, block by block.

mod finish;
pub(super) mod fold;
mod order;
mod products;
mod registers;
mod short;
pub(super) mod sums;
pub(super) mod table;
mod walk;

use finish::{After, Finish};
use fold::Pass;
use table::{FoldKind, Row};
use walk::Reduced;
pub(crate) use walk::dot;

use super::cast::CastKernel;
use super::registry::Kernels;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::overlap::Copied;
use crate::level::Level;
use crate::memory::operand::Operand;
use crate::memory::slice::element_size;
use crate::memory::{Slice, SliceMut, TensorView, TensorViewMut};
use crate::{DType, Kind};
use crate::{Op, OpTypes};

/// An op that reduces.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    kind: FoldKind,
    /// True if the smallest element is searched instead of the greatest.
    reversed: bool,
    after: After,
}

impl Reduction {
    const fn of(op: Op) -> Option<Reduction> {
        let (kind, reversed, after) = match op {
            Op::Sum => (FoldKind::Sum, false, After::Nothing),
            Op::Mean => (FoldKind::Sum, false, After::Quotient),
            Op::Norm => (FoldKind::Squares, false, After::Root),
            Op::Prod => (FoldKind::Product, false, After::Nothing),
            Op::Max | Op::Amax => (FoldKind::Extremum, false, After::Nothing),
            Op::Min | Op::Amin => (FoldKind::Extremum, true, After::Nothing),
            Op::Argmax => (FoldKind::Position, false, After::Nothing),
            Op::Argmin => (FoldKind::Position, true, After::Nothing),
            Op::All => (FoldKind::Predicate, true, After::Nothing),
            Op::Any => (FoldKind::Predicate, false, After::Nothing),
            _ => return None,
        };
        Some(Reduction { kind, reversed, after })
    }
}

/// The functions of a reduction of elements of one dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reducer {
    op: Op,
    reduction: Reduction,
    level: Level,
    /// The dtype that the functions read, and the cast of elements to it.
    read: DType,
    cast: Option<CastKernel>,
    row: &'static Row,
    kernels: &'static Kernels,
    /// The dtype of the result, and the dtype that it is cast to.
    output: [DType; 2],
}

impl Reducer {
    /// Returns true if the op is a reduction.
    pub(crate) const fn reduces(op: Op) -> bool {
        Reduction::of(op).is_some()
    }

    /// Returns the dtype of `out`.
    #[cfg(feature = "alloc")]
    pub(crate) const fn target(&self) -> DType {
        self.output[1]
    }

    /// Looks up the functions of a reduction at an available level.
    ///
    /// # Errors
    ///
    /// Returns an error if the op is no reduction, if this build has no reductions, or if a dtype has no
    /// elements.
    pub(crate) fn find(
        kernels: &'static Kernels,
        level: Level,
        op: Op,
        from: DType,
        types: OpTypes,
        target: DType,
    ) -> Result<Reducer, CallError> {
        let reduction = Reduction::of(op).ok_or(CallError::NotComputed { op })?;
        element_size(from)?;
        let kind = reduction.kind;
        let read = table::widened(kind, read_as(kind, from, types));
        let cast = cast_between((level, kernels), from, read)?;
        let row = table::find(kernels, op, kind, read)?;
        Ok(Reducer { op, reduction, level, read, cast, row, kernels, output: [types.output, target] })
    }

    /// Reduces elements along the axes for which `along` returns true. `out` has the other axes, or all axes,
    /// those that are reduced of length 1.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if this build lacks a cast, if `out` has another dtype
    /// or another shape, if there are no elements and the op needs some, if a position is asked for along
    /// several axes and not all, or if `out` overlaps the elements and they cannot be copied.
    pub(crate) fn call(
        &self,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let Reduction { kind, reversed, .. } = self.reduction;
        let ([_, expected], found) = (self.output, out.dtype());
        if expected != found {
            return Err(CallError::DType { role: ArgumentRole::Out, expected, found });
        }
        fits(a, along, &out)?;
        let mut copy = Copied::NONE;
        let own = Operand::view(a);
        let a = if own.overlaps(&out) {
            // SAFETY: a view has all of its elements, and nothing writes to them before the copy is made; the
            // copy is aligned, and lives as long as the call.
            unsafe { a.moved_to(copy.take(&own)?.pointer) }
        } else {
            *a
        };
        if out.is_empty() {
            return Ok(());
        }
        let axes = || a.shape().iter().enumerate().filter(|(axis, _)| along(*axis)).map(|(_, len)| *len);
        let is_position = kind == FoldKind::Position;
        if is_position && axes().filter(|len| *len > 1).count() > 1 && axes().count() < a.rank() {
            return Err(CallError::Axes { op: self.op });
        }
        let count = axes().product::<usize>();
        if count == 0 && (is_position || kind == FoldKind::Extremum) {
            return Err(CallError::Empty { op: self.op });
        }
        let (flip, mask) = table::flip_and_mask(kind, self.read, reversed);
        let pass = Pass { flip, mask, ..Pass::default() };
        let finish = Finish::find(self, count, pass)?;
        let reduced = Reduced::new(self, &a, along, &mut out, pass, count);
        // SAFETY: the level was available when the functions were found; views are valid, `a` does not
        // overlap `out`, and the shape of `out` fits.
        unsafe { reduced.run(&finish) }
    }
}

/// Returns the cast between two dtypes; `None` if they are equal.
fn cast_between(
    (level, kernels): (Level, &'static Kernels),
    from: DType,
    to: DType,
) -> Result<Option<CastKernel>, CallError> {
    if from == to { Ok(None) } else { CastKernel::find_at(level, kernels, from, to, 0).map(Some) }
}

/// Casts `n` contiguous, aligned elements.
fn cast_block(cast: &CastKernel, from: *const u8, n: usize, to: *mut u8) -> Result<(), CallError> {
    let [source, _, target] = cast.dtypes();
    cast.call(Slice::of_view(source, from, n, true), SliceMut::of_view(target, to, n, true, false))
}

/// Returns the dtype that the functions read: that of the elements, if the accumulators hold the dtype that
/// the op computes in.
fn read_as(kind: FoldKind, from: DType, types: OpTypes) -> DType {
    let OpTypes { common, compute, .. } = types;
    match kind {
        FoldKind::Predicate => from,
        // The rule set may round elements before it compares them.
        FoldKind::Extremum | FoldKind::Position => common,
        FoldKind::Sum | FoldKind::Squares | FoldKind::Product => {
            let rank = |dtype: DType| dtype.kind().max(Kind::Signed);
            let floats = rank(compute) > Kind::Signed;
            let counted = from.size().is_some_and(|size| size < 4) || matches!(from, DType::U32 | DType::I32);
            match rank(from) {
                _ if rank(common) > rank(compute) => common,
                // The sum of narrow integers is exact.
                Kind::Signed if floats && kind == FoldKind::Sum && counted => from,
                Kind::Signed if !floats => from,
                Kind::Signed if compute.kind() == Kind::Complex => DType::C128,
                Kind::Signed => DType::F64,
                _ if from == common && rank(from) == rank(compute) => from,
                _ => common,
            }
        }
    }
}

/// Checks that `out` has the shape of the result.
fn fits(a: &TensorView<'_>, along: &dyn Fn(usize) -> bool, out: &TensorViewMut<'_>) -> Result<(), CallError> {
    let kept = (0..a.rank()).filter(|axis| !along(*axis)).count();
    let keepdims = out.rank() == a.rank();
    if !keepdims && out.rank() != kept {
        return Err(CallError::Rank { role: ArgumentRole::Out, expected: kept, found: out.rank() });
    }
    let lengths = a.shape().iter().enumerate();
    let expected = lengths.filter(|(axis, _)| keepdims || !along(*axis));
    for (axis, ((source, len), found)) in expected.zip(out.shape()).enumerate() {
        let expected = if along(source) { 1 } else { *len };
        if *found != expected {
            return Err(CallError::Reduced { axis, expected, found: *found });
        }
    }
    Ok(())
}
