//! Ops that take arrays as a whole: `concatenate`, `stack`, `isin` and `matmul`.

mod isin;
mod join;
#[cfg(feature = "matmul")]
mod matmul;

use super::{Axes, Error};
use crate::element::Element;
use crate::error::call::{ArgumentRole, CallError};
use crate::memory::{Argument, ScalarValue, Slice, Tensor, TensorView, TensorViewMut};
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, Op, OpTypes};

/// Returns true if this module computes the op, in this build. `dot` is computed like a reduction.
pub(super) const fn is_computed_whole(op: Op) -> bool {
    match op {
        Op::Dot => false,
        Op::Matmul => cfg!(feature = "matmul"),
        op => op.takes_whole_arrays(),
    }
}

impl RuleSet {
    /// Computes an op of whole arrays into a new one. The rule set lets the result be cast to `target`;
    /// `None` stands for its own dtype.
    pub(super) fn whole(
        &self,
        op: Op,
        operands: &[Argument<'_>],
        axes: Option<Axes<'_>>,
        target: Option<DType>,
    ) -> Result<Tensor, Error> {
        if op.joins_arrays() {
            let axis = match axes {
                None => 0,
                Some(Axes::One(axis) | Axes::Of(&[axis])) => axis,
                Some(_) => return Err(Error::Call(CallError::OneAxis { op })),
            };
            return self.join_arrays(op, operands, axis, target);
        }
        if axes.is_some() {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        let [a, b] = operands else {
            return Err(Error::Call(CallError::Inputs { expected: 2, found: operands.len() }));
        };
        #[cfg(feature = "matmul")]
        if op == Op::Matmul {
            return self.matmul([a, b], target);
        }
        self.isin([a, b], target)
    }

    /// Computes an op of whole arrays, and casts the result to the dtype of `out`.
    pub(super) fn whole_into(
        &self,
        op: Op,
        operands: &[Argument<'_>],
        axes: Option<Axes<'_>>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        let found = self.whole(op, operands, axes, Some(out.dtype()))?;
        let (expected, lengths) = (found.shape(), out.shape());
        if expected.len() != lengths.len() {
            let (role, expected, found) = (ArgumentRole::Out, expected.len(), lengths.len());
            return Err(Error::Call(CallError::Rank { role, expected, found }));
        }
        if let Some(axis) = (0..expected.len()).find(|axis| expected[*axis] != lengths[*axis]) {
            let (expected, found) = (expected[axis], lengths[axis]);
            return Err(Error::Call(CallError::OutShape { axis, expected, found }));
        }
        self.astype_into(&found.view(), None, out)
    }

    /// Returns the dtypes of an op of two operands, of which the result can be cast to `target`.
    fn types_of_whole(
        &self,
        op: Op,
        operands: [Operand; 2],
        target: Option<DType>,
    ) -> Result<OpTypes, Error> {
        let types = self.op_types(op, &operands)?;
        match target.filter(|target| *target != types.output) {
            Some(target) => Ok(self.out_types(op, &operands, target)?),
            None => Ok(types),
        }
    }

    /// Returns the elements of an operand in the dtype of the computation, in row-major order.
    fn entered<'v>(&self, operand: &'v Argument<'_>, types: OpTypes) -> Result<Entered<'v>, Error> {
        let OpTypes { common, compute, .. } = types;
        // A bool in memory may be any byte.
        let compute = if compute == DType::Bool { DType::U8 } else { compute.register() };
        if let Argument::Number(number) = operand {
            let value = Argument::ZeroDim(ScalarValue::from_number(*number, common)?);
            return Ok(Entered::Cast(self.astype(&value.elements()?, compute, None)?));
        }
        let view = operand.elements()?;
        if view.dtype() == compute
            && common == compute
            && let Some(slice) = operand.as_slice().filter(Slice::is_readable)
        {
            return Ok(Entered::AsIs(slice));
        }
        Ok(Entered::Cast(if view.dtype() == common || common == compute {
            self.astype(&view, compute, None)?
        } else {
            self.astype(&self.astype(&view, common, None)?.view(), compute, None)?
        }))
    }
}

/// Elements of an operand in the dtype of the computation.
enum Entered<'v> {
    AsIs(Slice<'v>),
    Cast(Tensor),
}

impl Entered<'_> {
    fn slice(&self) -> Slice<'_> {
        match self {
            Entered::AsIs(slice) => *slice,
            Entered::Cast(tensor) => tensor.elements(),
        }
    }
}

/// Returns a view of an operand that is an array.
fn array<'v>(argument: &'v Argument<'_>, op: Op, input: usize) -> Result<TensorView<'v>, CallError> {
    match argument {
        Argument::Number(_) => Err(CallError::NoArray { op, input }),
        argument => argument.elements(),
    }
}

/// Returns elements that have been converted to the dtype of a type.
fn read<T: Element>(slice: Slice<'_>) -> Result<&[T], CallError> {
    slice.as_slice().ok_or(CallError::Uninitialised)
}
