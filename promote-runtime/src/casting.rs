//! Casts that a rule set allows, and the dtypes of results that go into existing arrays.

use promote_core::table::{Clause, InPlace, NO_CLAUSE};

use crate::error::PromoteError;
use crate::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::{Casting, DType, Op, OpTypes};

impl RuleSet {
    /// The levels of casting that the rule set defines.
    pub const fn castings(&self) -> &'static [Casting] {
        self.tables.castings
    }

    /// Checks that a cast is allowed at a level.
    ///
    /// # Errors
    /// Returns an error with the rule set's reason if it refuses the cast, and an error if it does not have
    /// the level or one of the dtypes.
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

    /// Returns the dtypes of an op in place, as in `a += b`: those of [`RuleSet::out_types`] for the left
    /// operand's dtype or, if the operand becomes the result as in Paddle, those of [`RuleSet::op_types`].
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::out_types`], and an error if the left operand is a number.
    pub fn in_place_types(&self, op: Op, operands: &[Operand]) -> Result<OpTypes, PromoteError> {
        let target = operands.first().and_then(|operand| operand.dtype());
        self.types_in(op, operands, target.ok_or(PromoteError::NotInPlace { rules: self.name(), op })?)
    }

    /// Returns the dtypes of an op in place whose left operand has the dtype `target`.
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

    /// Checks that a result may be cast to the dtype of an existing array, as with `out=` in PyTorch and
    /// NumPy. The rule set's level of casting for results decides, whatever the op.
    ///
    /// # Errors
    /// Returns an error if the cast is refused, or if the rule set has no such level.
    pub fn can_cast_result(&self, from: DType, to: DType) -> Result<(), PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NoResultCast { rules: self.name() });
        };
        self.can_cast(from, to, self.tables.castings[level as usize])
    }

    /// Returns the dtypes of an op whose result goes into an array of the dtype `out`, as with `out=` in
    /// PyTorch and NumPy: those of [`RuleSet::op_types`] with `out` as the output, if its result can be cast
    /// to `out` at the rule set's level of casting for results.
    ///
    /// # Errors
    /// Returns an error if the op or the cast is refused, or if the rule set has no such level.
    pub fn out_types(&self, op: Op, operands: &[Operand], out: DType) -> Result<OpTypes, PromoteError> {
        let (_, answer) = self.decide(op, operands, &mut Trace::new())?;
        self.types_into(op, self.tables.types(answer), out)
    }

    /// [`RuleSet::out_types`] of an op whose dtypes are known.
    pub(crate) fn types_into(&self, op: Op, types: OpTypes, out: DType) -> Result<OpTypes, PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NotInPlace { rules: self.name(), op });
        };
        self.can_cast(types.output, out, self.tables.castings[level as usize])?;
        Ok(OpTypes { output: out, ..types })
    }
}
