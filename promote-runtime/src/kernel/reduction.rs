//! Reductions: what becomes of the elements along some axes.
//!
//! - `fold`: what a reduction does with elements, side by side and in rows, and the bodies of kernel
//!   functions;
//! - `sums`, `products`, `order`, `truth`: the reductions themselves;
//! - `registers`: sums of runs, in vectors; `short`: sums of runs that are over soon;
//! - `table`: which functions reduce elements of which dtype;
//! - `walk`: the axes, in the order that memory wants; blocks, and parts for threads;
//! - `finish`: from what is known after all elements to the elements of the result.
//!
//! The accumulators hold more than any dtype that a rule set computes in: `f64` for floats, 64 bits for
//! integers. Where that dtype is the wider one, or rounds elements, these are cast to it block by block
//! first.

mod finish;
pub(super) mod fold;
mod order;
mod products;
mod registers;
mod short;
pub(super) mod sums;
pub(super) mod table;
mod truth;
mod walk;

use finish::{After, Finish};
use fold::Pass;
use table::Row;
use walk::Reduced;

use super::cast::CastKernel;
use super::registry::Kernels;
use super::strided::{Copied, overlaps};
use crate::error::call::{ArgumentRole, CallError};
use crate::level::Level;
use crate::memory::ScalarValue;
use crate::memory::slice::element_size;
use crate::memory::{TensorView, TensorViewMut};
use crate::{DType, Kind};
use crate::{Op, OpTypes};

/// What is computed of elements, in the order of [`Reductions`](table::Reductions); the least is the greatest
/// in the order turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Sum = 0,
    Squares,
    Product,
    Extremum,
    Place,
    Truth,
}

/// An op that reduces.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    fold: Fold,
    turned: bool,
    after: After,
}

impl Reduction {
    const fn of(op: Op) -> Option<Reduction> {
        let (fold, turned, after) = match op {
            Op::Sum => (Fold::Sum, false, After::Nothing),
            Op::Mean => (Fold::Sum, false, After::Quotient),
            Op::Norm => (Fold::Squares, false, After::Root),
            Op::Prod => (Fold::Product, false, After::Nothing),
            Op::Max | Op::Amax => (Fold::Extremum, false, After::Nothing),
            Op::Min | Op::Amin => (Fold::Extremum, true, After::Nothing),
            Op::Argmax => (Fold::Place, false, After::Nothing),
            Op::Argmin => (Fold::Place, true, After::Nothing),
            Op::All => (Fold::Truth, false, After::Nothing),
            Op::Any => (Fold::Truth, true, After::Nothing),
            _ => return None,
        };
        Some(Reduction { fold, turned, after })
    }
}

/// How the elements of one dtype are reduced by an op: found once, called often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reducer {
    op: Op,
    reduction: Reduction,
    level: Level,
    from: DType,
    /// What the functions read, if elements are cast to it.
    cast: Option<(CastKernel, DType)>,
    row: &'static Row,
    kernels: &'static Kernels,
    output: DType,
    /// What is written: the result, cast to it.
    target: DType,
}

impl Reducer {
    /// Whether elements are reduced by the op.
    pub(crate) const fn reduces(op: Op) -> bool {
        Reduction::of(op).is_some()
    }

    /// Looks up the functions of a reduction at an available level.
    ///
    /// # Errors
    ///
    /// The op reduces nothing, or this build lacks a cast, or a dtype has no elements.
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
        let read = table::widened(reduction.fold, read_as(reduction.fold, from, types));
        let cast = if read == from {
            None
        } else {
            Some((CastKernel::find_at(level, kernels, from, read, 0)?, read))
        };
        let missing = CallError::NotReducible { op, dtype: read };
        let row = kernels.reductions().and_then(|all| all.row(reduction.fold, read)).ok_or(missing)?;
        Ok(Reducer { op, reduction, level, from, cast, row, kernels, output: types.output, target })
    }

    /// Reduces elements along the axes for which `along` says so, to `out`, which has the other axes, or all,
    /// those of length 1.
    ///
    /// # Errors
    ///
    /// `out` has another dtype or another shape; elements that are none have no greatest; a place is asked
    /// for among several axes and not all; `out` overlaps the elements and there is no memory for a copy.
    /// `out` is then as it was.
    pub(crate) fn call(
        &self,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let (expected, found) = (self.target, out.dtype());
        if expected != found {
            return Err(CallError::DType { role: ArgumentRole::Out, expected, found });
        }
        fits(a, along, &out)?;
        let mut copy = Copied::default();
        let a = if overlaps(a, &out) { copy.take(a)? } else { *a };
        if out.is_empty() {
            return Ok(());
        }
        let axes = || a.shape().iter().enumerate().filter(|(axis, _)| along(*axis));
        let count = axes().map(|(_, len)| *len).product::<usize>();
        if self.reduction.fold == Fold::Place
            && axes().filter(|(_, len)| **len > 1).count() > 1
            && axes().count() < a.rank()
        {
            return Err(CallError::Axes { op: self.op });
        }
        if count == 0 && matches!(self.reduction.fold, Fold::Extremum | Fold::Place) {
            return Err(CallError::Empty { op: self.op });
        }
        let read = self.cast.map_or(self.from, |(_, read)| read);
        let (flip, bits) = table::bits(self.reduction.fold, read, self.reduction.turned);
        let pass = Pass { flip, bits, ..Pass::default() };
        let finish = Finish::find(self, read, count, &pass)?;
        let reduced = Reduced::new(self, read, &a, along, &mut out, pass, count);
        // SAFETY: the level was available when the functions were found; `a` is checked when it is made, and
        // neither overlaps `out`, whose shape fits.
        unsafe { reduced.run(&finish) }
    }
}

/// The sum of the products of two rows of elements.
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
    if a.len() != b.len() {
        return Err(CallError::Length { role: ArgumentRole::B, expected: a.len(), found: b.len() });
    }
    walk::dot(kernels, level, types, a, b)
}

/// The dtype whose elements the functions read: the operands' own, where the accumulators hold it and all
/// that the op makes of it.
fn read_as(fold: Fold, from: DType, types: OpTypes) -> DType {
    let OpTypes { common, compute, .. } = types;
    match fold {
        // By their order, their place and their truth elements are themselves, unless they were rounded
        // before.
        Fold::Truth => from,
        Fold::Extremum | Fold::Place => common,
        Fold::Sum | Fold::Squares | Fold::Product => {
            let rank = |dtype: DType| dtype.kind().max(Kind::Signed);
            let floats = rank(compute) > Kind::Signed;
            let counted = from.size().is_some_and(|size| size < 4) || matches!(from, DType::U32 | DType::I32);
            match rank(from) {
                _ if rank(common) > rank(compute) => common,
                // The sum of narrow integers is exact.
                Kind::Signed if floats && fold == Fold::Sum && counted => from,
                Kind::Signed if !floats => from,
                Kind::Signed if compute.kind() == Kind::Complex => DType::C128,
                Kind::Signed => DType::F64,
                _ if from == common && rank(from) == rank(compute) => from,
                _ => common,
            }
        }
    }
}

/// Whether `out` has the shape of the result.
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
