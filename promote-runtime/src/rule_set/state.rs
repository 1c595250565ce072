//! Promotion of operands one at a time.

use super::{Operand, ResultType, RuleSet};
use crate::error::{OperandKind, PromoteError};
use crate::rule_set::explain::Trace;
use crate::table::TableOperand;

/// The number of ranks that categories can have.
pub(super) const RANKS: usize = 4;

/// Promotion of operands that are added one at a time, like PyTorch's `ResultTypeState`.
///
/// Use it for operands that are not in a slice. [`RuleSet::result_type`] promotes a slice.
///
/// Operands of one category are joined in the order in which they are added. Operands of different
/// categories, such as arrays and numbers, may be added in any order. Some rules, such as NumPy's, join
/// operands kind by kind (`fold by_kind`). To get the answer of [`RuleSet::result_type`] under these rules,
/// add operands of higher kinds first.
///
/// ```
/// use promote::{DType, Number, Operand, Torch};
///
/// let mut state = Torch::new().rule_set().result_type_state();
/// state.add(Operand::Number(Number::Float(0.5)))?;
/// assert_eq!(state.result()?.dtype, DType::F32);
/// state.add(Operand::ZeroDim(DType::F64, None))?;
/// assert_eq!(state.result()?.dtype, DType::F64);
/// // A tensor with axes counts more than both, since its kind is theirs.
/// state.add(Operand::Array(DType::F16))?;
/// assert_eq!(state.result()?.dtype, DType::F16);
/// # Ok::<(), promote::PromoteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResultTypeState {
    rules: RuleSet,
    /// What the operands of each rank are joined to, with what messages call it. Categories that `yield` does
    /// not tell apart have one rank.
    groups: [Option<(TableOperand, OperandKind)>; RANKS],
}

impl RuleSet {
    /// Returns the state of promotion before the first operand.
    #[must_use]
    pub const fn result_type_state(&self) -> ResultTypeState {
        ResultTypeState { rules: *self, groups: [None; RANKS] }
    }
}

impl ResultTypeState {
    /// Adds an operand.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves the state as it was, if the rule set refuses the operand together with
    /// those before it, or if it does not have the dtype.
    pub const fn add(&mut self, operand: Operand) -> Result<(), PromoteError> {
        let trace = &mut Trace::new();
        let local = ok!(self.rules.table_operand(operand, trace));
        self.join(local, operand.kind(), trace)
    }

    /// Joins an operand to those of its rank.
    pub(super) const fn join(
        &mut self,
        operand: TableOperand,
        kind: OperandKind,
        trace: &mut Trace,
    ) -> Result<(), PromoteError> {
        let rank = self.rules.tables.ranks[operand.category as usize] as usize;
        self.groups[rank] = Some(ok!(self.rules.join(self.groups[rank], (operand, kind), trace)));
        Ok(())
    }

    /// Returns what all operands promote to.
    ///
    /// # Errors
    ///
    /// Returns an error if no operand was added, or if the rule set refuses two of them.
    pub const fn result(&self) -> Result<ResultType, PromoteError> {
        self.joined(&mut Trace::new())
    }

    /// Joins what the ranks have, from the lowest category up.
    pub(super) const fn joined(&self, trace: &mut Trace) -> Result<ResultType, PromoteError> {
        let mut result: Option<(TableOperand, OperandKind)> = None;
        let mut rank = RANKS;
        while rank > 0 {
            rank -= 1;
            if let Some(group) = self.groups[rank] {
                result = Some(ok!(self.rules.join(result, group, trace)));
            }
        }
        match result {
            Some((found, _)) => Ok(self.rules.result_of(found)),
            None => Err(PromoteError::Arity { op: None, expected: 1, found: 0 }),
        }
    }
}
