//! Allocations whose size a file or an argument determines. They return an error where an ordinary allocation
//! would abort.

use std::fmt::Display;

use crate::failure::Failure;

/// Allocates `len` bytes of zeros.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn zeroed(what: &str, len: usize) -> Result<Vec<u8>, Failure> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| not_enough(what, len))?;
    memory.resize(len, 0);
    Ok(memory)
}

/// Checks that `len` bytes can be allocated, before calling code that aborts if they cannot.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn check(what: &str, len: usize) -> Result<(), Failure> {
    // The compiler may remove an allocation that is not used.
    let mut memory = Vec::<u8>::new();
    let reserved = std::hint::black_box(&mut memory).try_reserve_exact(len);
    reserved.map_err(|_| not_enough(what, len))
}

/// The error for `what`, which needs so many bytes.
pub(crate) fn not_enough(what: &str, bytes: impl Display) -> Failure {
    Failure::new(format!("not enough memory for {what}: {bytes} bytes"))
}
