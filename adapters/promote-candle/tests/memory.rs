//! A call allocates its result, and nothing else of a size that grows with the operands.
//!
//! This is a test program of its own because it replaces the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use candle_core::{DType, Device, Result, Tensor};
use promote_candle::MixedOps;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes that a thread allocates.
struct Counting;

// SAFETY: all memory is that of the system's allocator, which is called as the caller promises.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Shapes, strides and the records of the graph.
const SMALL: usize = 4096;

fn check(bytes: usize, call: impl Fn() -> Result<Tensor>) -> Result<()> {
    // The first call fills caches.
    call()?;
    let before = ALLOCATED.get();
    let result = call()?;
    let allocated = ALLOCATED.get() - before;
    assert_eq!(result.elem_count() * result.dtype().size_in_bytes(), bytes);
    assert!((bytes..bytes + SMALL).contains(&allocated), "{allocated} bytes for a result of {bytes}");
    Ok(())
}

#[test]
fn allocates_the_result_alone() -> Result<()> {
    let halves = Tensor::ones((256, 512), DType::F16, &Device::Cpu)?;
    let floats = Tensor::ones((256, 512), DType::F32, &Device::Cpu)?;
    let len = 256 * 512;
    check(4 * len, || halves.mixed_add(&floats))?;
    check(4 * len, || halves.t()?.mixed_add(&floats.t()?))?;
    check(2 * len, || halves.mixed_mul(2.5))?;
    // Truth values become a mask in the same memory.
    check(len, || halves.mixed_lt(&floats))?;
    let mask = halves.mixed_eq(&floats)?;
    check(4 * len, || mask.mixed_where_cond(&halves, &floats))
}
