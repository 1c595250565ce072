//! Levels of casting, and what a rule set says of a cast.

use core::fmt;
use core::str::FromStr;

use crate::error::PromoteError;
use crate::explain::Trace;
use crate::op::Op;
use crate::rule_set::{Operand, RuleSet};
use crate::table::{Clause, InPlace, NO_CLAUSE};
use crate::{DType, OpTypes};

/// How much a cast may lose. Which casts a level allows, the rule set says; in NumPy's, each allows more than
/// the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Casting {
    /// None: the same dtype.
    No,
    /// The same dtype but for the order of its bytes.
    Equiv,
    /// No value is lost.
    Safe,
    /// Values may be lost within a kind.
    SameKind,
    /// Any cast.
    Unsafe,
    /// The one level of a system that has no other.
    Default,
}

impl Casting {
    /// Every level.
    pub const ALL: &'static [Casting] =
        &[Casting::No, Casting::Equiv, Casting::Safe, Casting::SameKind, Casting::Unsafe, Casting::Default];

    /// The name, as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Casting::No => "no",
            Casting::Equiv => "equiv",
            Casting::Safe => "safe",
            Casting::SameKind => "same_kind",
            Casting::Unsafe => "unsafe",
            Casting::Default => "default",
        }
    }
}

impl fmt::Display for Casting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no level's of casting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCasting;

impl fmt::Display for UnknownCasting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no level of casting has this name; they are no, equiv, safe, same_kind, unsafe, default")
    }
}

impl core::error::Error for UnknownCasting {}

impl FromStr for Casting {
    type Err = UnknownCasting;

    /// Reads a name.
    ///
    /// ```
    /// # use promote_runtime::Casting;
    /// assert_eq!("same_kind".parse(), Ok(Casting::SameKind));
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownCasting> {
        Casting::ALL.iter().copied().find(|casting| casting.name() == name).ok_or(UnknownCasting)
    }
}

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
        let place = |dtype| self.tables.place(dtype).ok_or(PromoteError::UnknownDType { rules, dtype });
        let (x, y) = (place(from)?, place(to)?);
        let plane = self.tables.casts[self.tables.settings[self.setting as usize].casts[level] as usize];
        let at = 2 * (x as usize * self.tables.dtypes.len() + y as usize);
        match u16::from_le_bytes([plane[at], plane[at + 1]]) {
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
