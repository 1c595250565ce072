//! The error of promotion.

#[cfg(feature = "kernels")]
pub(crate) mod call;

use core::fmt;

use crate::{Casting, DType, NumberKind, Op};

/// Defines an error. Each variant is followed by its message: a format string over its fields or, for several
/// messages, an expression that writes to a formatter.
macro_rules! errors {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {$(
            $(#[$doc:meta])*
            $variant:ident $({$($(#[$field_doc:meta])* $field:ident: $ty:ty,)*})?
                => $($message:literal)? $(|$f:ident| $print:expr)?,
        )*}
    ) => {
        $(#[$meta])*
        pub enum $name {$(
            $(#[$doc])*
            $variant $({$($(#[$field_doc])* $field: $ty,)*})?,
        )*}

        impl core::fmt::Display for $name {
            #[allow(unused_variables, reason = "not every message names every field")]
            fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {$(
                    $name::$variant $({ $($field),* })? => {
                        $(write!(out, $message))?
                        $({
                            let $f = out;
                            $print
                        })?
                    }
                )*}
            }
        }

        impl core::error::Error for $name {}
    };
}
#[cfg(feature = "kernels")]
pub(crate) use errors;

/// An operand without its value, as errors print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperandKind {
    /// An array with at least one axis.
    Array(DType),
    /// An array without axes.
    ZeroDim(DType),
    /// A number without a width.
    Number(NumberKind),
    /// Several numbers, which promote to this dtype together.
    PromotedNumber(DType),
    /// A weakly typed array.
    Weak(DType),
}

/// A 128-bit integer in two halves. An `i128` would make every error larger because of its alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideInteger {
    high: i64,
    low: u64,
}

impl WideInteger {
    /// Splits an integer into its halves.
    pub const fn new(value: i128) -> WideInteger {
        WideInteger { high: (value >> 64) as i64, low: value as u64 }
    }

    /// Returns the integer.
    pub const fn get(self) -> i128 {
        (self.high as i128) << 64 | self.low as i128
    }
}

errors! {
    /// The error of promotion: a rule set refuses operands, or does not know a dtype or an op.
    ///
    /// ```
    /// use promote::{DType, PromoteError, Torch};
    ///
    /// let error = Torch::new().rule_set().promote_types(DType::U16, DType::I32).unwrap_err();
    /// let PromoteError::Refused { reason, file, line, .. } = error else { unreachable!() };
    /// assert!(error.to_string().ends_with(&format!("{reason} ({file}:{line})")));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PromoteError {
        /// The rule set does not have the dtype.
        UnknownDType {
            /// The rule set.
            rules: &'static str,
            /// The dtype.
            dtype: DType,
        } => "{rules} has no dtype `{dtype}`; help: cast to one of its dtypes",
        /// The rule set does not have the op.
        UnknownOp {
            /// The rule set.
            rules: &'static str,
            /// The op.
            op: Op,
        } => "{rules} has no op `{op}`; help: add it to the rule file, or use one of the rule set's ops",
        /// A clause of the rule file refuses the operands.
        Refused {
            /// The rule set.
            rules: &'static str,
            /// The op; `None` for promotion alone.
            op: Option<Op>,
            /// The operands; an op of one operand has no second one.
            operands: (OperandKind, Option<OperandKind>),
            /// The reason that the clause gives.
            reason: &'static str,
            /// True for a clause with `lacks`: the system has a result, but in a dtype that the rule set does
            /// not have. False for a clause with `refuse`: the system has no result.
            lacks: bool,
            /// The rule file.
            file: &'static str,
            /// The line of the clause.
            line: u32,
        } => |f| {
            if *lacks {
                write!(f, "{rules} has no dtype for ")?;
            }
            let (a, b) = operands;
            match (op, b) {
                (None, Some(b)) => write!(f, "{a} and {b}")?,
                (None, None) => write!(f, "{a}")?,
                (Some(op), Some(b)) => write!(f, "`{op}` of {a} and {b}")?,
                (Some(op), None) => write!(f, "`{op}` of {a}")?,
            }
            match (op, b) {
                _ if *lacks => {}
                (None, Some(_)) => write!(f, " do not promote under {rules}")?,
                _ => write!(f, " is refused under {rules}")?,
            }
            write!(f, ": {reason} ({file}:{line})")
        },
        /// No clause decides for such an operand, for example for a number of this kind.
        Undefined {
            /// The rule set.
            rules: &'static str,
            /// The operand, or the first of two.
            operand: OperandKind,
        } => "{rules} has no rule for {operand}; help: make an array with a dtype of it",
        /// A clause of the rule file refuses a cast.
        CastRefused {
            /// The rule set.
            rules: &'static str,
            /// The dtype of the source, the dtype of the target, and the casting level.
            cast: (DType, DType, Casting),
            /// The reason that the clause gives.
            reason: &'static str,
            /// The rule file.
            file: &'static str,
            /// The line of the clause.
            line: u32,
        } => |f| {
            let (from, to, casting) = cast;
            write!(
                f,
                "`{from}` cannot be cast to `{to}` at level {casting} under {rules}: {reason} ({file}:{line})"
            )
        },
        /// The rule set does not have the casting level.
        UnknownCasting {
            /// The rule set.
            rules: &'static str,
            /// The level of casting.
            casting: Casting,
        } => "{rules} has no level of casting `{casting}`; help: use one of `RuleSet::castings`",
        /// The rule set does not define the op in place, or the left operand is a number.
        NotInPlace {
            /// The rule set.
            rules: &'static str,
            /// The op.
            op: Op,
        } => "{rules} does not define `{op}` in place for these operands; help: write to a new array",
        /// The rule set has no casting level for results, so a result must have the dtype of its array.
        NoResultCast {
            /// The rule set.
            rules: &'static str,
        } => "{rules} does not cast results; help: pass an array of the result's dtype",
        /// An integer number does not fit the dtype that it is converted to. This is an error for ops with
        /// the option `number: error`, and for [`RuleSet::promote_arrays`](crate::RuleSet).
        NumberDoesNotFit {
            /// The rule set.
            rules: &'static str,
            /// The op; `None` for promotion alone.
            op: Option<Op>,
            /// The number.
            number: WideInteger,
            /// The dtype.
            dtype: DType,
        } => |f| {
            write!(f, "{} does not fit {dtype}: ", number.get())?;
            match op {
                Some(op) => write!(f, "`{op}` refuses it under {rules}")?,
                None => write!(f, "the operands promote to {dtype} under {rules}")?,
            }
            f.write_str("; help: cast the array to a dtype that holds it, or make an array of the number")
        },
        /// An op takes another number of operands, or there are no operands to promote.
        Arity {
            /// The op; `None` for promotion alone, which takes any number of operands except 0.
            op: Option<Op>,
            /// The number of operands that the op takes; 1 for promotion alone.
            expected: usize,
            /// The number of operands passed.
            found: usize,
        } => |f| match op {
            Some(op) => {
                let s = if *expected == 1 { "" } else { "s" };
                write!(f, "`{op}` takes {expected} operand{s}, not {found}; help: pass {expected}")
            }
            None => f.write_str("no operands to promote; help: pass at least one"),
        },
    }
}

impl PromoteError {
    /// Returns true if the rule set does not say what its system does: it does not have a dtype or the op, or
    /// a clause says `lacks`.
    ///
    /// A program that asks rule sets for another engine can leave such operands to the engine. Every other
    /// error is the rule set's answer.
    ///
    /// ```
    /// mod rules {
    ///     promote::rules! {
    ///         rules Sql;
    ///         dtypes bool u64 i64;
    ///         promote {
    ///             u64, i64  => lacks "a decimal(20, 0)";
    ///             bool, int => refuse "cast one";
    ///             same      => a;
    ///         }
    ///     }
    /// }
    /// use promote::DType;
    ///
    /// # fn main() {
    /// let rules = rules::Sql::new().rule_set();
    /// assert!(rules.promote_types(DType::U64, DType::I64).unwrap_err().is_unanswered());
    /// assert!(rules.promote_types(DType::U64, DType::F32).unwrap_err().is_unanswered());
    /// assert!(!rules.promote_types(DType::U64, DType::Bool).unwrap_err().is_unanswered());
    /// # }
    /// ```
    pub const fn is_unanswered(&self) -> bool {
        use PromoteError::{Refused, UnknownDType, UnknownOp};
        matches!(self, UnknownDType { .. } | UnknownOp { .. } | Refused { lacks: true, .. })
    }
}

impl fmt::Display for OperandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperandKind::Array(dtype) => write!(f, "`{dtype}`"),
            OperandKind::ZeroDim(dtype) => write!(f, "zero-dimensional `{dtype}`"),
            OperandKind::Number(kind) => write!(f, "a number of kind {}", kind.name()),
            OperandKind::PromotedNumber(dtype) => write!(f, "numbers that promote to `{dtype}`"),
            OperandKind::Weak(dtype) => write!(f, "weak `{dtype}`"),
        }
    }
}
