//! Errors of the reference.

use std::fmt;

use promote_runtime::{DType, Op, PromoteError};

/// The reason why there is no result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The rule set refuses, or does not have the op or the dtype.
    Promote(PromoteError),
    /// The op fails for these values.
    Trap(Trap),
    /// The reference does not compute the op in this dtype. `matmul`, `concatenate`, `stack` and `isin` are
    /// not computed at all, because they do not work on single elements. `addcmul`, `clamp`, `dot` and the
    /// reductions have functions of their own.
    NotEvaluated {
        /// The op.
        op: Op,
        /// The compute dtype.
        dtype: DType,
    },
    /// The dtype has no Rust type, and therefore no elements.
    NoElements {
        /// The dtype.
        dtype: DType,
    },
    /// `astype` was called without the result dtype.
    NoTarget,
    /// The reduction has no result for no elements.
    Empty {
        /// The op.
        op: Op,
    },
}

/// The values for which an op fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// An integer is divided by zero, under `by_zero: error`.
    DivisionByZero,
    /// An integer is raised to a negative power, which the option `negative_exponent` makes an error.
    NegativeExponent,
    /// A probability is not in 0 to 1.
    Probability,
}

impl From<PromoteError> for Error {
    fn from(error: PromoteError) -> Self {
        Error::Promote(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Promote(error) => error.fmt(f),
            Error::Trap(trap) => trap.fmt(f),
            Error::NotEvaluated { op, dtype } => {
                write!(f, "the reference does not compute `{op}` in `{dtype}`")
            }
            Error::NoElements { dtype } => write!(f, "`{dtype}` has no elements"),
            Error::NoTarget => f.write_str("`astype` to which dtype is not said"),
            Error::Empty { op } => write!(f, "`{op}` needs an element"),
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::DivisionByZero => "an integer is divided by zero",
            Trap::NegativeExponent => "an integer is raised to a negative power",
            Trap::Probability => "a probability is not in 0 to 1",
        })
    }
}

impl std::error::Error for Error {}
