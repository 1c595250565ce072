//! Errors as exceptions of Python.

use std::panic::{AssertUnwindSafe, catch_unwind};

use promote::{CallError, Error, PromoteError, ViewError};
use promote_dlpack::DlpackError;
use pyo3::exceptions::{
    PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError, PyZeroDivisionError,
};
use pyo3::prelude::*;

/// The reason why a function of this package fails.
pub(crate) enum Failure {
    /// `promote` refuses the arguments.
    Promote(Error),
    /// Python raised an exception, or this package makes one.
    Python(PyErr),
}

impl Failure {
    pub(crate) fn type_error(message: String) -> Failure {
        Failure::Python(PyTypeError::new_err(message))
    }

    pub(crate) fn value_error(message: String) -> Failure {
        Failure::Python(PyValueError::new_err(message))
    }
}

macro_rules! of_promote {
    ($($error:ident)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Promote(error.into())
            }
        }
    )*};
}

of_promote! { Error PromoteError CallError ViewError }

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl From<DlpackError> for Failure {
    fn from(error: DlpackError) -> Failure {
        Failure::type_error(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let error = match failure {
            Failure::Python(error) => return error,
            Failure::Promote(error) => error,
        };
        let message = error.to_string();
        match error {
            Error::Promote(PromoteError::NumberDoesNotFit { .. }) => PyOverflowError::new_err(message),
            Error::Call(CallError::Memory { .. }) | Error::View(ViewError::Memory { .. }) => {
                PyMemoryError::new_err(message)
            }
            Error::Call(CallError::DivisionByZero) => PyZeroDivisionError::new_err(message),
            Error::Promote(_)
            | Error::Call(
                CallError::NotComputed { .. }
                | CallError::NoKernel { .. }
                | CallError::NoReduction { .. }
                | CallError::NotReducible { .. }
                | CallError::NoCast { .. }
                | CallError::NoElements { .. }
                | CallError::Inputs { .. },
            )
            | Error::View(ViewError::NoElements { .. }) => PyTypeError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

/// Runs a function. A panic becomes an exception that `except Exception` catches.
pub(crate) fn guard<T>(function: impl FnOnce() -> Result<T, Failure>) -> PyResult<T> {
    // Unwind safety: what a panic leaves half done is the result alone.
    match catch_unwind(AssertUnwindSafe(function)) {
        Ok(result) => result.map_err(PyErr::from),
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let text = text.unwrap_or("no message");
            Err(PyRuntimeError::new_err(format!(
                "a bug in promote: it panicked: {text}; help: please report it"
            )))
        }
    }
}
