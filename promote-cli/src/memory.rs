//! Memory whose size follows from what a file or an argument says.
//!
//! An allocation that fails ends the process, so such memory is reserved first, and a failure becomes a
//! message.

use std::fmt::Display;

use crate::failure::Failure;

/// Bytes that are all zero.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn zeroed(what: &str, len: usize) -> Result<Vec<u8>, Failure> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| not_enough(what, len))?;
    memory.resize(len, 0);
    Ok(memory)
}

/// Checks that there is memory for somebody who would end the process otherwise.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn check(what: &str, len: usize) -> Result<(), Failure> {
    // The compiler may leave out an allocation that nobody looks at.
    let mut memory = Vec::<u8>::new();
    let reserved = std::hint::black_box(&mut memory).try_reserve_exact(len);
    reserved.map_err(|_| not_enough(what, len))
}

/// The refusal.
pub(crate) fn not_enough(what: &str, bytes: impl Display) -> Failure {
    Failure::new(format!("not enough memory for {what}: {bytes} bytes"))
}
