//! What a rule set says of a cast.

use promote_core::table::{Clause, InPlace, NO_CLAUSE};

use crate::error::PromoteError;
use crate::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::{Casting, DType, Op, OpTypes};

impl RuleSet {
    /// The levels of casting that the rule set has.
    pub const fn castings(&self) -> &'static [Casting] {
        self.tables.castings
    }

    /// Whether a cast is allowed at a level.
    ///
    /// # Errors
    /// The rule set refuses it, and says why; it does not have the level, or one of the dtypes.
    pub fn can_cast(&self, from: DType, to: DType, casting: Casting) -> Result<(), PromoteError> {
        let rules = self.name();
        let level = self.tables.castings.iter().position(|known| *known == casting);
        let level = level.ok_or(PromoteError::UnknownCasting { rules, casting })?;
        let position = |dtype| self.tables.position(dtype).ok_or(PromoteError::UnknownDType { rules, dtype });
        match self.tables.cast(self.setting, level, position(from)?, position(to)?) {
            NO_CLAUSE => Ok(()),
            clause => {
                let Clause { reason, file, line, .. } = self.tables.clauses[clause as usize];
                let reason = reason.unwrap_or("");
                Err(PromoteError::CastRefused { rules, cast: (from, to, casting), reason, file, line })
            }
        }
    }

    /// What an op does whose result goes into its left operand, as `a += b` does: [`RuleSet::out_types`] with
    /// that operand's dtype; where the operand becomes the result, as in Paddle, [`RuleSet::op_types`].
    ///
    /// # Errors
    /// As [`RuleSet::out_types`]; the left operand is a number.
    pub fn in_place_types(&self, op: Op, operands: &[Operand]) -> Result<OpTypes, PromoteError> {
        let target = operands.first().and_then(|operand| operand.dtype());
        self.types_in(op, operands, target.ok_or(PromoteError::NotInPlace { rules: self.name(), op })?)
    }

    /// The dtypes of an op in place, whose left operand is of the dtype `target`.
    pub(crate) fn types_in(
        &self,
        op: Op,
        operands: &[Operand],
        target: DType,
    ) -> Result<OpTypes, PromoteError> {
        if self.tables.inplace == Some(InPlace::Result) {
            return self.op_types(op, operands);
        }
        self.out_types(op, operands, target)
    }

    /// Whether a result of one dtype may go into an array of another, as with PyTorch's and NumPy's `out=`:
    /// by the rule set's level of casting for results, whatever the op.
    ///
    /// # Errors
    /// The cast is refused, or the rule set has no such level.
    pub fn can_cast_result(&self, from: DType, to: DType) -> Result<(), PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NoResultCast { rules: self.name() });
        };
        self.can_cast(from, to, self.tables.castings[level as usize])
    }

    /// What an op does whose result goes into an array of the dtype `out`, as with PyTorch's and NumPy's
    /// `out=`: what it does otherwise, if its result can be cast to that dtype at the rule set's level for
    /// results; `output` is then `out`.
    ///
    /// # Errors
    /// The op or the cast is refused, or the rule set has no such level.
    pub fn out_types(&self, op: Op, operands: &[Operand], out: DType) -> Result<OpTypes, PromoteError> {
        let (_, answer) = self.decide(op, operands, &mut Trace::new())?;
        self.types_into(op, self.tables.types(answer), out)
    }

    /// The same of an op that does otherwise what is said.
    pub(crate) fn types_into(&self, op: Op, types: OpTypes, out: DType) -> Result<OpTypes, PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NotInPlace { rules: self.name(), op });
        };
        self.can_cast(types.output, out, self.tables.castings[level as usize])?;
        Ok(OpTypes { output: out, ..types })
    }
}
