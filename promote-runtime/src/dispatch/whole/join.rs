//! Arrays joined along an axis.

use alloc::vec::Vec;

use super::array;
use crate::dispatch::Error;
use crate::dispatch::reduce::from_first;
use crate::error::call::CallError;
use crate::memory::allocation::{copy_of, room_for};
use crate::memory::{Argument, Tensor, TensorViewMut, Uninit};
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, Op};

impl RuleSet {
    /// Joins arrays along an axis: an existing one for `concatenate`, a new one for `stack`.
    pub(super) fn join_arrays(
        &self,
        op: Op,
        operands: &[Argument<'_>],
        axis: isize,
        target: Option<DType>,
    ) -> Result<Tensor, Error> {
        let Some(first) = operands.first() else {
            return Err(Error::Call(CallError::Inputs { expected: 1, found: 0 }));
        };
        let first = array(first, op, 0)?;
        let (shape, stacks) = (first.shape(), op == Op::Stack);
        if shape.is_empty() && !stacks {
            return Err(Error::Call(CallError::NoArray { op, input: 0 }));
        }
        let rank = shape.len() + usize::from(stacks);
        let axis = from_first(axis, rank).ok_or(CallError::NoAxis { axis, rank })?;
        let mut length = 0_usize;
        for (input, operand) in operands.iter().enumerate() {
            let view = array(operand, op, input)?;
            let own = view.shape();
            if own.len() != shape.len() {
                let (expected, found) = (shape.len(), own.len());
                return Err(Error::Call(CallError::JoinedRank { op, input, expected, found }));
            }
            let differs = |at: &usize| own[*at] != shape[*at] && (stacks || *at != axis);
            if let Some(axis) = (0..own.len()).find(differs) {
                let (expected, found) = (shape[axis], own[axis]);
                return Err(Error::Call(CallError::Joined { op, input, axis, expected, found }));
            }
            // A view whose strides are 0 can have more elements than memory has bytes.
            let own = if stacks { 1 } else { own[axis] };
            length = length.checked_add(own).ok_or(CallError::Memory { bytes: usize::MAX })?;
        }
        let mut joined = copy_of(shape)?;
        if stacks {
            joined.try_reserve(1).map_err(|_| CallError::Memory { bytes: rank * size_of::<usize>() })?;
            joined.insert(axis, length);
        } else {
            joined[axis] = length;
        }
        let mut out = Uninit::new(self.joined_dtype(op, operands, target)?, &joined)?;
        let strides = row_major(&joined)?;
        let mut start = 0;
        for operand in operands {
            let view = operand.elements()?;
            if view.is_empty() {
                continue;
            }
            let mut steps = copy_of(&strides)?;
            if stacks {
                steps.remove(axis);
            }
            let mut all = out.view_mut();
            let elements = all.as_mut_slice().ok_or(CallError::Uninitialised)?;
            let part =
                TensorViewMut::strided(elements, view.shape(), &steps, start * strides[axis].unsigned_abs())?;
            self.astype_into(&view, None, part)?;
            start += if stacks { 1 } else { view.shape()[axis] };
        }
        // SAFETY: the parts cover all elements, and each call that succeeded has written its part.
        Ok(unsafe { out.written() })
    }

    /// Returns the dtype of arrays that are joined. Each is promoted together with the first one, since a
    /// rule set may refuse a pair whose dtypes promote.
    fn joined_dtype(&self, op: Op, operands: &[Argument<'_>], target: Option<DType>) -> Result<DType, Error> {
        let mut kinds = room_for(operands.len())?;
        for operand in operands {
            kinds.push(operand.as_array_operand()?);
        }
        for other in &kinds {
            self.op_types(op, &[kinds[0], *other])?;
        }
        let pair = match kinds[..] {
            [a, b] => [a, b],
            _ => [Operand::Array(self.result_type(&kinds)?.dtype); 2],
        };
        Ok(self.types_of_whole(op, pair, target)?.output)
    }
}

/// Returns the strides of a shape in elements, for elements in row-major order.
fn row_major(shape: &[usize]) -> Result<Vec<isize>, CallError> {
    let mut strides = room_for(shape.len())?;
    strides.resize(shape.len(), 1);
    for axis in (1..shape.len()).rev() {
        // Without elements, strides do not matter.
        strides[axis - 1] = strides[axis] * shape[axis].max(1).cast_signed();
    }
    Ok(strides)
}
