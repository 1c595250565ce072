//! A call allocates its result, and nothing else of a size that grows with the operands.
//!
//! This is a test program of its own because the tool that counts allocations replaces the allocator.

use candle_core::{DType, Device, Result, Tensor};
use promote_candle::MixedOps;
use promote_measure::allocations;

/// Shapes, strides and the records of the graph.
const SMALL: usize = 4096;

fn check(bytes: usize, call: impl Fn() -> Result<Tensor>) -> Result<()> {
    // The first call fills caches.
    call()?;
    let (result, found) = allocations(call);
    let (result, allocated) = (result?, found.bytes);
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
