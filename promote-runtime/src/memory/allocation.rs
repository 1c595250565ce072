//! Allocations whose size a caller chooses. They return an error instead of aborting the process.

use alloc::vec::Vec;

use crate::error::call::CallError;

/// Returns an empty vector with capacity for `count` values.
///
/// # Errors
/// Returns an error if there is not enough memory.
pub(crate) fn room_for<T>(count: usize) -> Result<Vec<T>, CallError> {
    let mut empty = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    empty.try_reserve_exact(count).map_err(|_| CallError::Memory { bytes })?;
    Ok(empty)
}

/// Returns a copy of some values.
///
/// # Errors
/// Returns an error if there is not enough memory.
pub(crate) fn copy_of<T: Copy>(values: &[T]) -> Result<Vec<T>, CallError> {
    let mut copy = room_for(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}
