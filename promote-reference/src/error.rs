//! Why there is no result.

use std::fmt;

use promote_runtime::{DType, Op, PromoteError};

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The rule set refuses, or does not have the op or the dtype.
    Promote(PromoteError),
    /// The op is defined, but not for these values.
    Trap(Trap),
    /// The reference does not compute the op in this dtype: `matmul`, `concatenate`, `stack` and `isin` in
    /// none, since they are not of single elements; `addcmul`, `dot` and the reductions have functions of
    /// their own.
    NotEvaluated {
        /// The op.
        op: Op,
        /// The dtype that it would compute in.
        dtype: DType,
    },
    /// The dtype has no Rust type, and so no elements.
    NoElements {
        /// The dtype.
        dtype: DType,
    },
    /// `astype` without the dtype that it gives.
    NoTarget,
    /// Of no elements there is no greatest one and the like.
    Empty {
        /// The op.
        op: Op,
    },
}

/// For which values an op is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// An integer is divided by zero, and the word is `by_zero: error`.
    DivisionByZero,
    /// An integer is raised to a negative power, and the word of `negative_exponent` says that this is an
    /// error.
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
