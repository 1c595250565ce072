//! Typed calls and typed scalars.

use promote_runtime::kernel::{
    Kernel, KernelOp, KernelSource, Kernels, ScalarValue, SliceMut, SliceRef, call,
};
use promote_runtime::{Compute, DType, Level, OpRule, OpTypes, op};

use crate::set::KERNELS;

struct Rules;

impl KernelSource for Rules {
    const KERNELS: &'static Kernels = &KERNELS;
}

impl OpRule<op::Add, i8, f32> for Rules {
    type Common = f32;
    type Compute = f32;
    type Output = f32;
    type Kernel = promote_runtime::kernel::ops::Add;
}

#[test]
fn slices_scalars_and_types_agree() {
    let (a, b) = ([1_i8, -2, 3], [0.5_f32, 0.25, -1.0]);
    let expected = [1.5_f32, -1.75, 2.0];
    for &level in Level::ALL {
        Level::set(level);
        let types = OpTypes::uniform(DType::F32);
        let kernel = Kernel::find(&KERNELS, KernelOp::ADD, DType::I8, DType::F32, types).unwrap();
        let mut out = [0.0; 3];
        kernel.call_slices(SliceRef::new(&a), SliceRef::new(&b), SliceMut::new(&mut out)).unwrap();
        assert_eq!(out, expected);
        kernel.call(a.as_slice().into(), ScalarValue::new(2.0_f32).into(), SliceMut::new(&mut out)).unwrap();
        assert_eq!(out, [3.0, 0.0, 5.0]);
        call::<Rules, op::Add, i8, f32>(&a, &b, &mut out).unwrap();
        assert_eq!(out, expected);
    }
    assert_eq!(<Rules as Compute<op::Add, i8, f32>>::compute(1, 0.5), 1.5);
}
