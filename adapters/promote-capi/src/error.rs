//! Statuses, messages, and the guard around each function.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use promote::{CallError, Error, PromoteError, ViewError};

/// The outcome of a function. If it is not `PROMOTE_STATUS_OK`, `promote_last_error_message` has the reason,
/// and outputs are unchanged.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromoteStatus {
    /// The function succeeded.
    Ok = 0,
    /// An argument of the function is invalid: a null pointer, an unknown number or an unknown name.
    InvalidArgument = 1,
    /// The rule set refuses the operands or the cast, or it does not have the dtype or the op.
    Refused = 2,
    /// There is no kernel, or the operands do not fit it or one another: their dtypes, their shapes, or a
    /// value, such as a divisor of 0 where the rule set makes that an error.
    Call = 3,
    /// The allocator did not have enough memory.
    OutOfMemory = 4,
    /// The library has another version of this interface than the header.
    Version = 5,
    /// A bug in the library: it panicked. Elements of an output may have been written. Please report it.
    Panic = 6,
}

/// A status other than `PROMOTE_STATUS_OK`, with its message.
#[derive(Debug)]
pub(crate) struct Failure {
    status: PromoteStatus,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: PromoteStatus, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Failure {
        Failure::new(PromoteStatus::InvalidArgument, message)
    }
}

impl From<PromoteError> for Failure {
    fn from(error: PromoteError) -> Failure {
        Failure::new(PromoteStatus::Refused, error.to_string())
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        let status = match error {
            CallError::Memory { .. } => PromoteStatus::OutOfMemory,
            _ => PromoteStatus::Call,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Failure {
        let status = match error {
            ViewError::Memory { .. } => PromoteStatus::OutOfMemory,
            _ => PromoteStatus::Call,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Promote(error) => error.into(),
            Error::Call(error) => error.into(),
            Error::View(error) => error.into(),
            other => Failure::new(PromoteStatus::Call, other.to_string()),
        }
    }
}

thread_local! {
    static LAST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Runs a function, keeps the message of its failure for this thread, and returns its status. A panic becomes
/// a status: it must not unwind into C.
pub(crate) fn guard(function: impl FnOnce() -> Result<(), Failure>) -> PromoteStatus {
    // Unwind safety: what a panic leaves half done is the caller's output alone, as `Panic` says, and the
    // list of rule sets, which is pushed to in one step.
    let failure = match catch_unwind(AssertUnwindSafe(function)) {
        Ok(Ok(())) => return PromoteStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::new(PromoteStatus::Panic, panic_message(payload.as_ref())),
    };
    let message = CString::new(failure.message.replace('\0', " ")).unwrap_or_default();
    // The message is lost if the thread is about to end.
    let _ = LAST.try_with(|last| last.replace(Some(message)));
    failure.status
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    format!("a bug in promote: it panicked: {text}; help: please report it")
}

/// Returns the message of the last function of this library that failed on this thread; an empty text if
/// none did.
///
/// Functions that succeed leave it as it is, so read it only after a status that is not
/// `PROMOTE_STATUS_OK`. The text belongs to the library: do not free it. It is valid until the next function
/// of this library fails on this thread, or until the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn promote_last_error_message() -> *const c_char {
    let last = LAST.try_with(|last| last.borrow().as_ref().map(|message| message.as_ptr()));
    last.ok().flatten().unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn message() -> String {
        // SAFETY: the message is a C string, and nothing fails on this thread before it is copied.
        unsafe { CStr::from_ptr(promote_last_error_message()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        let status = guard(|| panic!("index {} of {}", 3, 2));
        assert_eq!(status, PromoteStatus::Panic);
        assert_eq!(message(), "a bug in promote: it panicked: index 3 of 2; help: please report it");
    }

    #[test]
    fn a_message_belongs_to_its_thread_and_survives_successes() {
        assert_eq!(message(), "");
        assert_eq!(guard(|| Err(Failure::argument("a\0b"))), PromoteStatus::InvalidArgument);
        assert_eq!(guard(|| Ok(())), PromoteStatus::Ok);
        assert_eq!(message(), "a b");
        assert_eq!(std::thread::spawn(message).join().unwrap(), "");
    }
}
