//! The error of a run-time call.

use core::fmt;

use crate::dispatch::IterationError;
use crate::error::PromoteError;
use crate::error::call::CallError;
use crate::memory::ViewError;

/// The error of a run-time call.
///
/// Its message says what is wrong with the operands, then what to write instead.
///
/// ```
/// use promote::{Error, Op, PromoteError, Torch};
///
/// let error = Torch::new().rule_set().call(Op::Add, &[(&[1_u16]).into(), (&[1_i32]).into()]).unwrap_err();
/// assert!(matches!(error, Error::Promote(PromoteError::Refused { .. })));
/// assert!(error.to_string().starts_with("`add` of `u16` and `i32` is refused under Torch"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The rule set refuses the operands.
    Promote(PromoteError),
    /// There is no kernel for the dtypes, or the operands do not fit it.
    Call(CallError),
    /// A view or a tensor could not be made.
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
