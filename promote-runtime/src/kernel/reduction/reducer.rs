//! The functions of a reduction, looked up by op and dtypes.

use super::table::{self, FoldKind, Row};
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::memory::slice::element_size;
use crate::memory::{Slice, SliceMut};
use crate::{DType, Kind, Op, OpTypes};

/// What is computed from a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// The sum divided by the number of elements.
    Quotient,
    /// The square root; for complex numbers, that of the sum of both parts.
    Root,
}

/// An op that reduces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    pub(super) kind: FoldKind,
    /// True if the smallest element is searched instead of the greatest.
    pub(super) reversed: bool,
    pub(super) after: After,
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
    pub(super) op: Op,
    pub(super) reduction: Reduction,
    pub(super) level: Level,
    /// The dtype that the functions read, and the cast of elements to it.
    pub(super) read: DType,
    pub(super) cast: Option<CastKernel>,
    pub(super) row: &'static Row,
    pub(super) kernels: &'static Kernels,
    /// The dtype of the result, and the dtype that it is cast to.
    pub(super) output: [DType; 2],
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
        let row = row(kernels, op, kind, read)?;
        Ok(Reducer { op, reduction, level, read, cast, row, kernels, output: [types.output, target] })
    }
}

/// Returns the cast between two dtypes; `None` if they are equal.
pub(super) fn cast_between(
    (level, kernels): (Level, &'static Kernels),
    from: DType,
    to: DType,
) -> Result<Option<CastKernel>, CallError> {
    if from == to { Ok(None) } else { CastKernel::find_at(level, kernels, from, to, 0).map(Some) }
}

/// Casts `n` contiguous, aligned elements.
pub(super) fn cast_block(cast: &CastKernel, from: *const u8, n: usize, to: *mut u8) -> Result<(), CallError> {
    let [source, _, target] = cast.dtypes();
    cast.call(Slice::from_parts(source, from, n, true), SliceMut::from_parts(target, to, n, true, false))
}

/// Returns the dtype that the functions read: that of the elements, if the accumulators hold the dtype that
/// the op computes in.
pub(super) fn read_as(kind: FoldKind, from: DType, types: OpTypes) -> DType {
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

/// Looks up the functions that reduce elements of a dtype.
///
/// # Errors
///
/// Returns an error if this build lacks them.
pub(super) fn row(
    kernels: &Kernels,
    op: Op,
    kind: FoldKind,
    dtype: DType,
) -> Result<&'static Row, CallError> {
    let row = kernels.reductions().and_then(|all| all.row(kind, dtype));
    row.ok_or(CallError::NotReducible { op, dtype })
}
