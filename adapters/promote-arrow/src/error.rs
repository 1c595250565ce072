//! The error of a call.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use promote::{CallError, DType, Op};

/// The error of a call on Arrow arrays.
///
/// It converts to [`ArrowError`], so that `?` works in functions that return Arrow's errors.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// `promote` does not compute with arrays of this type.
    DataType(DataType),
    /// Arrow has no type for this dtype.
    DType(DType),
    /// Two arrays of a call have different lengths.
    Length {
        /// The length of the first array.
        expected: usize,
        /// The length of the other array.
        found: usize,
    },
    /// The op does not compute element by element.
    NotElementwise(Op),
    /// The rule set refuses the operands, or the call failed.
    Promote(promote::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::DataType(data_type) => write!(
                f,
                "arrays of {data_type} are not computed, only booleans, integers, and floats of 16 to 64 bits; \
                 help: cast the array to one of these types first"
            ),
            Error::DType(dtype) => write!(
                f,
                "Arrow has no type for `{dtype}`; help: cast an operand, or use a rule set or parameters \
                 with another result"
            ),
            Error::Length { expected, found } => write!(
                f,
                "an array has {found} elements, and another one has {expected}; help: pass arrays of one \
                 length, and wrap a single value in `Scalar`"
            ),
            Error::NotElementwise(op) => write!(
                f,
                "`{op}` does not compute element by element; help: use Arrow's own aggregation, or an \
                 elementwise op"
            ),
            Error::Promote(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Promote(error) => Some(error),
            _ => None,
        }
    }
}

macro_rules! sources {
    ($($source:ty)*) => {$(
        impl From<$source> for Error {
            fn from(error: $source) -> Self {
                Error::Promote(error.into())
            }
        }
    )*};
}

sources! { promote::Error promote::PromoteError CallError promote::ViewError }

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        match error {
            Error::Promote(promote::Error::Call(CallError::DivisionByZero)) => ArrowError::DivideByZero,
            Error::Promote(promote::Error::Call(error @ CallError::Memory { .. })) => {
                ArrowError::MemoryError(error.to_string())
            }
            error => ArrowError::ExternalError(Box::new(error)),
        }
    }
}
