//! Pointers that a caller passes, checked for what can be checked: null and alignment.

use std::ffi::{CStr, c_char};

use crate::error::Failure;

fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::argument(format!("`{name}` is a null pointer; help: pass a valid one")));
    }
    if !pointer.is_aligned() {
        let align = align_of::<T>();
        return Err(Failure::argument(format!(
            "`{name}` is not aligned to {align} bytes; help: pass the address of a variable of its type"
        )));
    }
    Ok(())
}

/// Returns a reference to what a pointer points to. `name` is that of the argument, for the error.
///
/// # Safety
///
/// The pointer is null, is misaligned, or points to a `T` that nothing writes to during `'a`.
pub(crate) unsafe fn get<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: the pointer is aligned and not null; the caller promises the rest.
    Ok(unsafe { &*pointer })
}

/// Returns the elements from a pointer on. Without elements the pointer may be anything.
///
/// # Safety
///
/// The pointer is null, is misaligned, or points to `len` elements that nothing writes to during `'a`.
pub(crate) unsafe fn list<'a, T>(pointer: *const T, len: usize, name: &str) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    if len > isize::MAX.cast_unsigned() / size_of::<T>() {
        return Err(Failure::argument(format!("`{name}` has {len} elements; help: check its length")));
    }
    // SAFETY: the pointer is aligned and not null, and the size does not overflow; the caller promises the
    // rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, len) })
}

/// Returns a C string as text.
///
/// # Safety
///
/// The pointer is null, or points to a C string that nothing writes to during `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: the pointer is not null; the caller promises the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format!("`{name}` is not UTF-8; help: pass a name in UTF-8")))
}

/// Writes values from a pointer on, which may be anything if there are none.
///
/// # Safety
///
/// The pointer is null, is misaligned, or points to memory for as many values, which nothing else uses.
pub(crate) unsafe fn write_list<T: Copy>(pointer: *mut T, values: &[T], name: &str) -> Result<(), Failure> {
    if !values.is_empty() {
        check(pointer, name)?;
        // SAFETY: the pointer is aligned and not null; the caller promises memory of the caller's own.
        unsafe { pointer.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }
    Ok(())
}

/// A place to which a result is written, in memory of the caller's that may be uninitialised.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    /// Takes a pointer to where a result goes. `name` is that of the argument, for the error.
    ///
    /// # Safety
    ///
    /// The pointer is null, is misaligned, or points to memory for a `T` that nothing else uses as long as
    /// the place lives.
    pub(crate) unsafe fn new(pointer: *mut T, name: &str) -> Result<Place<T>, Failure> {
        check(pointer, name)?;
        Ok(Place(pointer))
    }

    pub(crate) fn write(self, value: T) {
        // SAFETY: the pointer is aligned and not null, and the caller of `new` promised memory for a `T`.
        unsafe { self.0.write(value) }
    }
}
