//! Masks have the dtype that the device's settings name, so that burn's ops take them beside its own.
//!
//! This is a test program of its own because settings hold for the whole process.

use burn_tensor::{BoolDType, BoolStore, DType, Device, DeviceConfig, Tensor};
use promote_burn::MixedOps;

#[test]
fn masks_are_stored_as_the_device_is_configured() {
    let mut device = Device::flex();
    device
        .configure(DeviceConfig::default().bool_dtype(BoolDType::U8))
        .expect("settings before the first use");
    let halves = Tensor::<1>::from_data([0.5, 1.5], (&device, DType::F16));
    let floats = Tensor::<1>::from_data([1.0, 1.0], (&device, DType::F32));
    let mask = halves.mixed_lower(&floats).expect("a mask");
    assert_eq!(mask.dtype(), DType::Bool(BoolStore::U8));
    let both = mask.bool_and(floats.equal_scalar(1.0));
    assert_eq!(both.try_into_vec_as::<f32>().expect("elements"), [1.0, 0.0]);
}
