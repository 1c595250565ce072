//! Allocations whose size a caller determines. They return an error where an ordinary allocation would abort.

use alloc::vec::Vec;

use crate::kernel::CallError;

/// Returns an empty vector with capacity for `count` values.
///
/// # Errors
/// There is no memory for them.
pub(crate) fn room_for<T>(count: usize) -> Result<Vec<T>, CallError> {
    let mut empty = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    empty.try_reserve_exact(count).map_err(|_| CallError::Memory { bytes })?;
    Ok(empty)
}

/// Returns a copy of some values.
///
/// # Errors
/// There is no memory for it.
pub(crate) fn copy_of<T: Copy>(values: &[T]) -> Result<Vec<T>, CallError> {
    let mut copy = room_for(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}
