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

macro_rules! sources {
    ($($variant:ident $source:ident)*) => {
        $(impl From<$source> for Error {
            fn from(error: $source) -> Self {
                Error::$variant(error)
            }
        })*

        impl fmt::Display for Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Error::$variant(error) => error.fmt(f),)*
                }
            }
        }
    };
}

sources!(Promote PromoteError Call CallError View ViewError Iteration IterationError);

impl core::error::Error for Error {}
