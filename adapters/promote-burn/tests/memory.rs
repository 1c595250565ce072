//! A call allocates its result, and nothing else of a size that grows with the operands.
//!
//! This is a test program of its own because the tool that counts allocations replaces the allocator.

use burn_tensor::{DType, Device, Tensor};
use promote_burn::{Error, MixedKind, MixedOps};
use promote_measure::allocations;

/// Shapes, strides and the owners of bytes.
const SMALL: usize = 4096;

fn check<K: MixedKind>(bytes: usize, call: impl Fn() -> Result<Tensor<2, K>, Error>) -> Result<(), Error> {
    // The first call fills caches.
    call()?;
    let (result, found) = allocations(call);
    let (result, allocated) = (result?, found.bytes);
    assert_eq!(result.shape().num_elements() * result.dtype().size(), bytes);
    assert!((bytes..bytes + SMALL).contains(&allocated), "{allocated} bytes for a result of {bytes}");
    Ok(())
}

#[test]
fn allocates_the_result_alone() -> Result<(), Error> {
    let halves = Tensor::<2>::ones([256, 512], (&Device::flex(), DType::F16));
    let floats = Tensor::<2>::ones([256, 512], (&Device::flex(), DType::F32));
    let len = 256 * 512;
    check(4 * len, || halves.mixed_add(&floats))?;
    check(4 * len, || halves.clone().transpose().mixed_add(floats.clone().transpose()))?;
    check(4 * len, || halves.clone().flip([1]).mixed_add(&floats))?;
    check(2 * len, || halves.mixed_mul(2.5))?;
    check(len, || halves.mixed_lower(&floats))?;
    let mask = halves.mixed_equal(&floats)?;
    check(4 * len, || halves.mixed_mask_where(&mask, &floats))
}
