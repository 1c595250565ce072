//! Memory whose size follows from what a caller hands over: an allocation that fails is an error of the call.

use alloc::vec::Vec;

use crate::kernel::CallError;

/// Returns an empty list with room for so many values.
///
/// # Errors
/// There is no memory for them.
pub(crate) fn room_for<T>(count: usize) -> Result<Vec<T>, CallError> {
    let mut list = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    list.try_reserve_exact(count).map_err(|_| CallError::Memory { bytes })?;
    Ok(list)
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
