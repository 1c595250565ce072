//! The functions of a reduction, looked up by op and dtypes.

use super::elements::Casts;
use super::table::{self, FoldKind, Row};
use crate::error::call::CallError;
use crate::kernel::cast::CastKernel;
use crate::kernel::registry::Kernels;
use crate::level::Level;
use crate::memory::slice::element_size;
use crate::{DType, Kind, Op, OpTypes};

/// What is computed from a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// The sum divided by the number of elements.
    Quotient,
    /// The square root; for complex numbers, that of the sum of both parts.
    Root,
    /// The sum divided by the number of elements less a correction.
    Variance,
    /// The root of this quotient.
    Deviation,
}

/// An op that reduces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    pub(super) kind: FoldKind,
    /// True if the smallest element is searched instead of the greatest.
    pub(super) reversed: bool,
    /// True if NaN counts as 0.
    pub(super) skips_nan: bool,
    pub(super) after: After,
}

impl Reduction {
    const fn of(op: Op) -> Option<Reduction> {
        let (kind, reversed, after) = match op {
            Op::Sum | Op::Nansum => (FoldKind::Sum, false, After::Nothing),
            Op::Mean => (FoldKind::Sum, false, After::Quotient),
            Op::Norm => (FoldKind::Squares, false, After::Root),
            Op::Var => (FoldKind::Moments, false, After::Variance),
            Op::Logsumexp => (FoldKind::Powers, false, After::Nothing),
            Op::Std => (FoldKind::Moments, false, After::Deviation),
            Op::Prod => (FoldKind::Product, false, After::Nothing),
            Op::Max | Op::Amax => (FoldKind::Extremum, false, After::Nothing),
            Op::Min | Op::Amin => (FoldKind::Extremum, true, After::Nothing),
            Op::Argmax => (FoldKind::Position, false, After::Nothing),
            Op::Argmin => (FoldKind::Position, true, After::Nothing),
            Op::All => (FoldKind::Predicate, true, After::Nothing),
            Op::Any => (FoldKind::Predicate, false, After::Nothing),
            _ => return None,
        };
        Some(Reduction { kind, reversed, skips_nan: matches!(op, Op::Nansum), after })
    }
}

/// The dtypes of a reduction or a scan, and what is done to its elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) op: Op,
    /// The dtype of the elements.
    pub(crate) from: DType,
    /// The cast of elements to a dtype that the call names, before all else.
    pub(crate) cast: Option<CastKernel>,
    pub(crate) types: OpTypes,
    /// The dtype of `out`.
    pub(crate) target: DType,
    /// What is taken from the number of elements that a sum of squares is divided by.
    pub(crate) correction: f64,
}

impl Request {
    /// Returns the dtype of the elements after the cast that the call names.
    pub(super) fn elements(&self) -> DType {
        self.cast.map_or(self.from, |cast| cast.dtypes()[2])
    }

    /// Looks up the casts of elements to `read`, from a dtype to which the rule set may round them first.
    pub(super) fn casts(
        &self,
        at: (Level, &'static Kernels),
        rounded: DType,
        read: DType,
    ) -> Result<Casts, CallError> {
        let elements = self.elements();
        Casts::from(self.cast).and_then(at, elements, rounded)?.and_then(at, rounded, read)
    }
}

/// The functions of a reduction of elements of one dtype.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reducer {
    pub(super) op: Op,
    pub(super) reduction: Reduction,
    pub(super) level: Level,
    /// The dtype that the functions read, and the casts of elements to it.
    pub(super) read: DType,
    pub(super) casts: Casts,
    pub(super) row: &'static Row,
    pub(super) kernels: &'static Kernels,
    /// The dtype of the result, and the dtype that it is cast to.
    pub(super) output: [DType; 2],
    pub(super) correction: f64,
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
        request: &Request,
    ) -> Result<Reducer, CallError> {
        let Request { op, from, types, target, correction, .. } = *request;
        let reduction = Reduction::of(op).ok_or(CallError::NotComputed { op })?;
        element_size(from)?;
        let kind = reduction.kind;
        let rounded = read_as(kind, request.elements(), types);
        let read = table::widened(kind, rounded);
        let casts = request.casts((level, kernels), rounded, read)?;
        let row = row(kernels, op, kind, read)?;
        let output = [types.output, target];
        Ok(Reducer { op, reduction, level, read, casts, row, kernels, output, correction })
    }
}

/// Returns the dtype that the functions read: that of the elements, if the accumulators hold the dtype that
/// the op computes in.
pub(super) fn read_as(kind: FoldKind, from: DType, types: OpTypes) -> DType {
    let OpTypes { common, compute, output } = types;
    match kind {
        FoldKind::Predicate => from,
        // The rule set may round elements before it compares them.
        FoldKind::Extremum | FoldKind::Position => common,
        FoldKind::Sum | FoldKind::Squares | FoldKind::Product | FoldKind::Moments | FoldKind::Powers => {
            let rank = |dtype: DType| dtype.kind().max(Kind::Signed);
            let floats = rank(compute) > Kind::Signed;
            let rounds = output.kind() >= Kind::Float;
            let counted = from.size().is_some_and(|size| size < 4) || matches!(from, DType::U32 | DType::I32);
            match rank(from) {
                _ if rank(common) > rank(compute) => common,
                // The sum of narrow integers is exact, and that of a mean in an integer dtype wraps.
                Kind::Signed if floats && kind == FoldKind::Sum && (counted || !rounds) => from,
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
