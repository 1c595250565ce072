//! Casts that a rule set allows, and the dtypes of results that are written into existing arrays.

use promote_core::__private::table::{Clause, InPlace, NO_CLAUSE};

use crate::error::PromoteError;
use crate::rule_set::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::{Casting, DType, Op, OpTypes};

impl RuleSet {
    /// Returns the casting levels that the rule set defines.
    pub const fn castings(&self) -> &'static [Casting] {
        self.tables.castings
    }

    /// Checks that a cast is allowed at a level.
    ///
    /// # Errors
    /// Returns an error with the rule set's reason if it refuses the cast, and an error if it does not have
    /// the level or one of the dtypes.
    ///
    /// ```
    /// use promote::{Casting, DType, NumPy};
    ///
    /// let rules = NumPy::new().rule_set();
    /// assert!(rules.can_cast(DType::I16, DType::F32, Casting::Safe).is_ok());
    /// assert!(rules.can_cast(DType::I32, DType::F32, Casting::Safe).is_err());
    /// assert!(rules.can_cast(DType::I32, DType::F32, Casting::SameKind).is_ok());
    /// ```
    pub fn can_cast(&self, from: DType, to: DType, casting: Casting) -> Result<(), PromoteError> {
        let rules = self.name();
        let level = self.tables.castings.iter().position(|known| *known == casting);
        let level = level.ok_or(PromoteError::UnknownCasting { rules, casting })?;
        match self.tables.cast(self.setting, level, self.position(from)?, self.position(to)?) {
            NO_CLAUSE => Ok(()),
            clause => {
                let Clause { reason, file, line, .. } = self.tables.clauses[clause as usize];
                let reason = reason.unwrap_or("");
                Err(PromoteError::CastRefused { rules, cast: (from, to, casting), reason, file, line })
            }
        }
    }

    /// Returns the dtypes of an op in place, as in `a += b`.
    ///
    /// The dtypes are those of [`RuleSet::out_types`] for the left operand's dtype. In systems in which the
    /// left operand takes the dtype of the result, such as Paddle, they are those of [`RuleSet::op_types`].
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::out_types`], and an error if the left operand is a number.
    ///
    /// ```
    /// use promote::{DType, Op, Operand, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let (ints, floats) = (Operand::Array(DType::I32), Operand::Array(DType::F32));
    /// assert_eq!(rules.in_place_types(Op::Add, &[floats, ints])?.output, DType::F32);
    /// assert!(rules.in_place_types(Op::Add, &[ints, floats]).is_err());
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
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
    /// NumPy.
    ///
    /// The rule set's casting level for results decides; the op does not matter.
    ///
    /// # Errors
    /// Returns an error if the cast is refused, or if the rule set has no such level.
    ///
    /// ```
    /// use promote::{DType, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// assert!(rules.can_cast_result(DType::F64, DType::F16).is_ok());
    /// assert!(rules.can_cast_result(DType::F32, DType::I64).is_err());
    /// ```
    pub fn can_cast_result(&self, from: DType, to: DType) -> Result<(), PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NoResultCast { rules: self.name() });
        };
        self.can_cast(from, to, self.tables.castings[level as usize])
    }

    /// Returns the dtypes of an op whose result is written into an array of the dtype `out`, as with `out=`
    /// in PyTorch and NumPy.
    ///
    /// The dtypes are those of [`RuleSet::op_types`] with `out` as the output. The rule set's casting level
    /// for results must allow the cast from the op's own result to `out`.
    ///
    /// # Errors
    /// Returns an error if the op or the cast is refused, or if the rule set has no such level.
    ///
    /// ```
    /// use promote::{DType, Op, Operand, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let ints = [Operand::Array(DType::I32); 2];
    /// assert_eq!(rules.out_types(Op::Add, &ints, DType::F64)?.output, DType::F64);
    /// assert!(rules.out_types(Op::Add, &ints, DType::Bool).is_err());
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
    pub fn out_types(&self, op: Op, operands: &[Operand], out: DType) -> Result<OpTypes, PromoteError> {
        let (_, answer) = self.decide(op, operands, &mut Trace::new())?;
        self.types_into(op, self.tables.types(answer), out)
    }

    /// Returns what [`RuleSet::out_types`] does, for an op whose dtypes are known.
    pub(crate) fn types_into(&self, op: Op, types: OpTypes, out: DType) -> Result<OpTypes, PromoteError> {
        let Some(InPlace::Cast(level)) = self.tables.inplace else {
            return Err(PromoteError::NotInPlace { rules: self.name(), op });
        };
        self.can_cast(types.output, out, self.tables.castings[level as usize])?;
        Ok(OpTypes { output: out, ..types })
    }
}
