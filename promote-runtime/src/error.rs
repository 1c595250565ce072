//! Errors of promotion.

use core::fmt;

use crate::Casting;
use crate::DType;
use crate::NumberKind;
use crate::Op;

/// An operand without its value, as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperandKind {
    /// An array with dimensions.
    Array(DType),
    /// An array without dimensions.
    ZeroDim(DType),
    /// A number without a width.
    Number(NumberKind),
    /// Several numbers, which count as a number of this dtype.
    Numbers(DType),
    /// A weakly typed array.
    Weak(DType),
}

/// A 128-bit integer in an error. An `i128` would make every error larger, by its alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideInteger {
    high: i64,
    low: u64,
}

impl WideInteger {
    /// Splits an integer.
    pub const fn new(value: i128) -> WideInteger {
        WideInteger { high: (value >> 64) as i64, low: value as u64 }
    }

    /// The integer.
    pub const fn get(self) -> i128 {
        (self.high as i128) << 64 | self.low as i128
    }
}

/// The error of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PromoteError {
    /// The rule set does not have the dtype.
    UnknownDType {
        /// The rule set.
        rules: &'static str,
        /// The dtype.
        dtype: DType,
    },
    /// The rule set does not have the op.
    UnknownOp {
        /// The rule set.
        rules: &'static str,
        /// The op.
        op: Op,
    },
    /// A clause refuses.
    Refused {
        /// The rule set.
        rules: &'static str,
        /// The op, where one was asked for.
        op: Option<Op>,
        /// The operands; the second is absent for an op of one operand.
        operands: (OperandKind, Option<OperandKind>),
        /// The reason that the clause gives.
        reason: &'static str,
        /// The rule file.
        file: &'static str,
        /// The line of the clause.
        line: u32,
    },
    /// No clause covers such operands, for example a kind of number.
    Undefined {
        /// The rule set.
        rules: &'static str,
        /// The operand, or the first of the two.
        operand: OperandKind,
    },
    /// A clause refuses a cast.
    CastRefused {
        /// The rule set.
        rules: &'static str,
        /// The source, the target and the level.
        cast: (DType, DType, Casting),
        /// The reason that the clause gives.
        reason: &'static str,
        /// The rule file.
        file: &'static str,
        /// The line of the clause.
        line: u32,
    },
    /// The rule set does not have the level of casting.
    UnknownCasting {
        /// The rule set.
        rules: &'static str,
        /// The level.
        casting: Casting,
    },
    /// The rule set does not define how the op's result goes into its left operand.
    NotInPlace {
        /// The rule set.
        rules: &'static str,
        /// The op.
        op: Op,
    },
    /// The rule set has no level of casting for results.
    NoResultCast {
        /// The rule set.
        rules: &'static str,
    },
    /// An integer number does not fit the dtype that it would be converted to. That is an error for ops with
    /// `number: error`, and for conversion to the common dtype.
    NumberDoesNotFit {
        /// The rule set.
        rules: &'static str,
        /// The op; none where operands are converted to their common dtype.
        op: Option<Op>,
        /// The number.
        number: WideInteger,
        /// The dtype that it would enter.
        dtype: DType,
    },
    /// The number of operands is not the op's, or there are no operands to promote.
    Arity {
        /// The op; none where operands are promoted, of which any number but 0 is fine.
        op: Option<Op>,
        /// How many it takes; 1 where operands are promoted.
        expected: usize,
        /// How many there were.
        found: usize,
    },
}

impl fmt::Display for OperandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperandKind::Array(dtype) => write!(f, "`{dtype}`"),
            OperandKind::ZeroDim(dtype) => write!(f, "zero-dimensional `{dtype}`"),
            OperandKind::Number(kind) => write!(f, "a number of kind {}", kind.name()),
            OperandKind::Numbers(dtype) => write!(f, "numbers that are `{dtype}` together"),
            OperandKind::Weak(dtype) => write!(f, "weak `{dtype}`"),
        }
    }
}

impl fmt::Display for PromoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PromoteError::UnknownDType { rules, dtype } => {
                write!(f, "{rules} has no dtype `{dtype}`: cast it to one that it has")
            }
            PromoteError::UnknownOp { rules, op } => write!(f, "{rules} says nothing about the op `{op}`"),
            PromoteError::Refused { rules, op, operands: (a, b), reason, file, line } => {
                match (op, b) {
                    (None, Some(b)) => write!(f, "{a} and {b} do not promote under {rules}")?,
                    (None, None) => write!(f, "{a} is refused under {rules}")?,
                    (Some(op), Some(b)) => write!(f, "`{op}` of {a} and {b} is refused under {rules}")?,
                    (Some(op), None) => write!(f, "`{op}` of {a} is refused under {rules}")?,
                }
                write!(f, ": {reason} ({file}:{line})")
            }
            PromoteError::CastRefused { rules, cast: (from, to, casting), reason, file, line } => {
                write!(
                    f,
                    "`{from}` cannot be cast to `{to}` at level {casting} under {rules}: {reason} ({file}:{line})"
                )
            }
            PromoteError::UnknownCasting { rules, casting } => {
                write!(f, "{rules} has no level of casting `{casting}`")
            }
            PromoteError::NotInPlace { rules, op } => {
                write!(f, "{rules} knows no `{op}` in place of such operands")
            }
            PromoteError::NoResultCast { rules } => {
                write!(f, "{rules} has no level of casting for results: give an array of the result's dtype")
            }
            PromoteError::NumberDoesNotFit { rules, op, number, dtype } => {
                write!(f, "{} does not fit {dtype}: ", number.get())?;
                match op {
                    Some(op) => write!(f, "`{op}` refuses it under {rules}")?,
                    None => write!(f, "the operands promote to {dtype} under {rules}")?,
                }
                f.write_str("; help: cast the array to a dtype that holds it, or make an array of the number")
            }
            PromoteError::Undefined { rules, operand } => write!(f, "{rules} says nothing about {operand}"),
            PromoteError::Arity { op: Some(op), expected, found } => {
                write!(f, "`{op}` takes {expected} operands, not {found}")
            }
            PromoteError::Arity { op: None, .. } => f.write_str("no operands to promote"),
        }
    }
}

impl core::error::Error for PromoteError {}
