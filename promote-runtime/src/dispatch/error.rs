//! What goes wrong in a call.

use core::fmt;

use crate::error::PromoteError;
use crate::kernel::CallError;
use crate::view::{IterationError, ViewError};

/// Why a call did not compute.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The rule set gives no dtypes.
    Promote(PromoteError),
    /// No kernel was found, or it could not be called.
    Call(CallError),
    /// A view could not be made: for callers that make views and call with them.
    View(ViewError),
    /// The operands of an iteration do not fit together.
    Iteration(IterationError),
}

impl From<PromoteError> for Error {
    fn from(error: PromoteError) -> Self {
        Error::Promote(error)
    }
}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        Error::Call(error)
    }
}

impl From<ViewError> for Error {
    fn from(error: ViewError) -> Self {
        Error::View(error)
    }
}

impl From<IterationError> for Error {
    fn from(error: IterationError) -> Self {
        Error::Iteration(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Promote(error) => error.fmt(f),
            Error::Call(error) => error.fmt(f),
            Error::View(error) => error.fmt(f),
            Error::Iteration(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}
