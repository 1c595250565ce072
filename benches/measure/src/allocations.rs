//! Counts what a call allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What a call allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// The number of allocations.
    pub calls: usize,
    /// The bytes of all of them.
    pub bytes: usize,
    /// The most bytes that were in use at once, beyond those before the call.
    pub peak: usize,
}

thread_local! {
    static COUNTED: Cell<Allocations> = const { Cell::new(Allocations { calls: 0, bytes: 0, peak: 0 }) };
    /// The bytes in use since counting began: fewer than none if older memory was freed.
    static IN_USE: Cell<isize> = const { Cell::new(0) };
}

fn count(size: usize) {
    let Allocations { calls, bytes, peak } = COUNTED.get();
    let in_use = IN_USE.get().wrapping_add_unsigned(size);
    IN_USE.set(in_use);
    let peak = peak.max(usize::try_from(in_use).unwrap_or(0));
    COUNTED.set(Allocations { calls: calls + 1, bytes: bytes + size, peak });
}

fn free(size: usize) {
    IN_USE.set(IN_USE.get().wrapping_sub_unsigned(size));
}

/// The system's allocator, which counts what the current thread allocates.
struct Counting;

// SAFETY: every method passes its arguments to the system's allocator, and returns what that returns. The
// counters are constants in the memory of a thread, so that counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        free(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        free(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of a call, and what the call allocated on this thread.
///
/// ```
/// let (text, found) = promote_measure::allocations(|| vec![0_u8; 1000]);
/// assert_eq!((text.len(), found.calls, found.bytes, found.peak), (1000, 1, 1000, 1000));
/// ```
pub fn allocations<T>(call: impl FnOnce() -> T) -> (T, Allocations) {
    COUNTED.set(Allocations::default());
    IN_USE.set(0);
    let result = call();
    (result, COUNTED.get())
}
