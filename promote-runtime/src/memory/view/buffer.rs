//! The heap memory of a tensor, which can be taken from a `Vec` and turned back into one.

use alloc::alloc::{alloc, alloc_zeroed, dealloc};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::element::{Element, check_layout};

/// An allocation with the alignment of an element type. Its bytes may be uninitialised.
pub(crate) struct Buffer {
    pointer: NonNull<u8>,
    /// The layout of the allocation; nothing is allocated if its size is 0.
    layout: Layout,
}

// SAFETY: the buffer owns its bytes, and elements are `Send`.
unsafe impl Send for Buffer {}
// SAFETY: through a shared reference the bytes can only be read, and elements are `Sync`.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Allocates a buffer; `None` if there is not enough memory, or if the size exceeds `isize::MAX`.
    pub(crate) fn new(bytes: usize, align: usize, zeroed: bool) -> Option<Buffer> {
        let layout = Layout::from_size_align(bytes, align).ok()?;
        if bytes == 0 {
            return Some(Buffer { pointer: dangling(layout), layout });
        }
        // SAFETY: the layout's size is not 0.
        let pointer = unsafe { if zeroed { alloc_zeroed(layout) } else { alloc(layout) } };
        Some(Buffer { pointer: NonNull::new(pointer)?, layout })
    }

    /// Takes the memory of a vector of elements.
    pub(crate) fn from_vec<T: Element>(elements: Vec<T>) -> Buffer {
        check_layout::<T>();
        // Elements are `Copy`, so only the memory has to be freed.
        let mut elements = ManuallyDrop::new(elements);
        let bytes = elements.capacity().saturating_mul(size_of::<T>());
        // SAFETY: a vector's capacity in bytes is at most `isize::MAX`, and its alignment is that of a type.
        let layout = unsafe { Layout::from_size_align_unchecked(bytes, align_of::<T>()) };
        // SAFETY: a vector's pointer is never null.
        let pointer = unsafe { NonNull::new_unchecked(elements.as_mut_ptr().cast()) };
        Buffer { pointer, layout }
    }

    /// Returns the memory as a vector of `len` elements, if it was allocated as that of a `Vec<T>` is.
    ///
    /// # Safety
    ///
    /// The first `len` elements are initialised, as values of `T`.
    pub(crate) unsafe fn into_vec<T: Element>(self, len: usize) -> Result<Vec<T>, Buffer> {
        let size = size_of::<T>();
        if size == 0 || self.layout.align() != align_of::<T>() || !self.layout.size().is_multiple_of(size) {
            return Err(self);
        }
        let buffer = ManuallyDrop::new(self);
        let capacity = buffer.layout.size() / size;
        // SAFETY: the memory was allocated by the global allocator with the size of `capacity` elements and
        // the alignment of `T`, or is dangling and aligned if there are none; `len` elements are initialised,
        // as the caller promises, and fit, since the buffer holds them.
        Ok(unsafe { Vec::from_raw_parts(buffer.pointer.as_ptr().cast(), len, capacity) })
    }

    pub(crate) const fn pointer(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }

    pub(crate) const fn layout(&self) -> Layout {
        self.layout
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.layout.size() != 0 {
            // SAFETY: the memory was allocated with this layout, here or by a vector, and is owned by this
            // buffer.
            unsafe { dealloc(self.pointer.as_ptr(), self.layout) }
        }
    }
}

fn dangling(layout: Layout) -> NonNull<u8> {
    // An alignment is never 0.
    NonNull::new(core::ptr::without_provenance_mut(layout.align())).unwrap_or(NonNull::dangling())
}
