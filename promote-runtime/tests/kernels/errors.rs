//! Calls that are refused, and their messages.

use promote_runtime::__private::kernel::{
    Argument, ArgumentRole, CallError, Enters, Kernel, KernelOp, Kernels, ScalarValue, Slice, SliceMut,
};
use promote_runtime::{CustomDType, DType, Op, OpTypes, PromoteError};

use crate::data::{Buffer, levels};
use crate::set::KERNELS;

fn kernel() -> Kernel {
    Kernel::find(&KERNELS, KernelOp::new(Op::Add), DType::I8, DType::F32, OpTypes::uniform(DType::F32))
        .unwrap()
}

#[test]
fn errors_name_the_wrong_operand() {
    let (a, b, mut out) = ([1_i8; 4], [1.0_f32; 4], [0.0_f32; 4]);
    let run = |a: Slice<'_>, b: Slice<'_>, out: SliceMut<'_>| kernel().call_slices(a, b, out).unwrap_err();
    let error = run(Slice::new(&[1_u8; 4]), Slice::new(&b), SliceMut::new(&mut out));
    assert_eq!(error, CallError::DType { role: ArgumentRole::A, expected: DType::I8, found: DType::U8 });
    let error = run(Slice::new(&a), Slice::new(&a), SliceMut::new(&mut out));
    assert_eq!(error, CallError::DType { role: ArgumentRole::B, expected: DType::F32, found: DType::I8 });
    let error = run(Slice::new(&a), Slice::new(&b), SliceMut::new(&mut [0.0_f64; 4]));
    assert_eq!(error, CallError::DType { role: ArgumentRole::Out, expected: DType::F32, found: DType::F64 });
    let error = run(Slice::new(&a[..3]), Slice::new(&b), SliceMut::new(&mut out));
    assert_eq!(error, CallError::Length { role: ArgumentRole::A, expected: 4, found: 3 });
    assert_eq!(
        error.to_string(),
        "operand `a` has 3 elements and `out` has 4; help: pass slices of one length, or a scalar operand"
    );
    let error = run(Slice::new(&a), Slice::new(&b[..3]), SliceMut::new(&mut out));
    assert_eq!(error, CallError::Length { role: ArgumentRole::B, expected: 4, found: 3 });
    let one = Argument::ZeroDim(ScalarValue::new(1.0_f64));
    let error = kernel().call(Slice::new(&a).into(), one, SliceMut::new(&mut out)).unwrap_err();
    assert_eq!(error, CallError::DType { role: ArgumentRole::B, expected: DType::F32, found: DType::F64 });
    assert_eq!(out, [0.0; 4]);
}

#[test]
fn errors_name_operands_as_given_if_the_kernel_swaps_them() {
    let kernel =
        Kernel::find(&KERNELS, KernelOp::new(Op::Add), DType::F32, DType::I8, OpTypes::uniform(DType::F32))
            .unwrap();
    let error = kernel.call_slices(Slice::new(&[1_i8]), Slice::new(&[1_i8]), SliceMut::new(&mut [0.0_f32]));
    assert_eq!(
        error,
        Err(CallError::DType { role: ArgumentRole::A, expected: DType::F32, found: DType::I8 })
    );
}

#[test]
fn slices_of_bytes_reject_partial_elements_and_other_types() {
    let buffer = Buffer::new(DType::F64, 2, 0);
    let bytes = buffer.bytes();
    assert_eq!(
        Slice::from_bytes(DType::F64, &bytes[..9]).unwrap_err(),
        CallError::PartialElement { dtype: DType::F64, bytes: 9 }
    );
    assert_eq!(Slice::from_bytes(DType::I4, bytes).unwrap_err(), CallError::NoElements { dtype: DType::I4 });
    assert!(Slice::from_bytes(DType::F64, bytes).unwrap().as_slice::<i64>().is_none());
    assert_eq!(Slice::from_bytes(DType::F64, bytes).unwrap().as_slice::<f64>(), Some(&[0.0, 0.0][..]));
}

#[test]
fn empty_slices_are_accepted_at_any_address() {
    static LARGE: CustomDType = CustomDType::new("large", 512, 64);
    static LOOSE: CustomDType = CustomDType::new("loose", 24, 0);
    let custom = [DType::Custom(&LARGE), DType::Custom(&LOOSE)];
    let mut bytes = [0_u8; 64];
    for &dtype in DType::WITH_TYPE.iter().chain(&custom) {
        for start in 0..bytes.len() {
            let slice = Slice::from_bytes(dtype, &bytes[start..start]).unwrap();
            assert_eq!((slice.dtype(), slice.len()), (dtype, 0));
            let slice = SliceMut::from_bytes(dtype, &mut bytes[start..start]).unwrap();
            assert_eq!((slice.dtype(), slice.len()), (dtype, 0));
        }
    }
    assert_eq!(Slice::from_bytes(DType::F32, &[]).unwrap().as_slice::<f32>(), Some(&[][..]));
    assert_eq!(Slice::from_bytes(DType::Bool, &[]).unwrap().as_slice::<bool>(), Some(&[][..]));
    assert!(Slice::from_bytes(DType::I4, &[]).is_err());
    for level in levels() {
        let (a, b) = ((DType::I8, Enters::Common), (DType::F32, Enters::Common));
        let types = OpTypes::uniform(DType::F32);
        for find in [Kernel::find_at, Kernel::find_pipeline] {
            let kernel = find(level, &KERNELS, KernelOp::new(Op::Add), a, b, types).unwrap();
            let a = Slice::from_bytes(DType::I8, &[]).unwrap();
            let b = Slice::from_bytes(DType::F32, &[]).unwrap();
            kernel.call_slices(a, b, SliceMut::from_bytes(DType::F32, &mut []).unwrap()).unwrap();
            let one = ScalarValue::new(1.0_f32).into();
            kernel.call(a.into(), one, SliceMut::from_bytes(DType::F32, &mut []).unwrap()).unwrap();
        }
    }
}

#[test]
fn bytes_other_than_0_and_1_read_as_true() {
    let bytes: Vec<u8> = (0..=255).collect();
    let slice = Slice::from_bytes(DType::Bool, &bytes).unwrap();
    assert!(slice.as_slice::<bool>().is_none());
    assert!(Slice::from_bytes(DType::Bool, &bytes[..2]).unwrap().as_slice::<bool>().is_some());
    let zeros = [0_u8; 256];
    for level in levels() {
        let operands = ((DType::Bool, Enters::Common), (DType::U8, Enters::Common));
        let kernel = Kernel::find_at(
            level,
            &KERNELS,
            KernelOp::new(Op::Add),
            operands.0,
            operands.1,
            OpTypes::uniform(DType::U8),
        )
        .unwrap();
        let mut out = [9_u8; 256];
        kernel.call_slices(slice, Slice::new(&zeros), SliceMut::new(&mut out)).unwrap();
        assert!(out.iter().zip(&bytes).all(|(out, byte)| *out == u8::from(*byte != 0)));
        let kernel = Kernel::find_at(
            level,
            &KERNELS,
            KernelOp::new(Op::Add),
            operands.0,
            operands.0,
            OpTypes::uniform(DType::Bool),
        )
        .unwrap();
        let mut out = [9_u8; 256];
        let out_slice = SliceMut::from_bytes(DType::Bool, &mut out).unwrap();
        kernel.call_slices(slice, slice, out_slice).unwrap();
        assert!(Slice::from_bytes(DType::Bool, &out).unwrap().as_slice::<bool>().is_some());
    }
}

#[test]
fn errors_name_what_the_build_lacks() {
    static EMPTY: Kernels = Kernels::EMPTY;
    let error =
        Kernel::find(&EMPTY, KernelOp::new(Op::Add), DType::I8, DType::F32, OpTypes::uniform(DType::F32))
            .unwrap_err();
    assert_eq!(error, CallError::NoKernel { op: Op::Add, compute: DType::F32 });
    let error =
        Kernel::find(&KERNELS, KernelOp::new(Op::Divide), DType::I8, DType::I8, OpTypes::uniform(DType::I8));
    assert_eq!(error.unwrap_err(), CallError::NoKernel { op: Op::Divide, compute: DType::I8 });
    let error =
        Kernel::find(&KERNELS, KernelOp::new(Op::Add), DType::I4, DType::F32, OpTypes::uniform(DType::F32));
    assert_eq!(error.unwrap_err(), CallError::NoElements { dtype: DType::I4 });
}

#[test]
fn arity_errors_say_how_many_operands_are_expected() {
    let error = PromoteError::Arity { op: None, expected: 1, found: 0 };
    assert_eq!(error.to_string(), "no operands to promote; help: pass at least one");
    let error = PromoteError::Arity { op: Some(Op::Add), expected: 2, found: 3 };
    assert_eq!(error.to_string(), "`add` takes 2 operands, not 3; help: pass 2");
}
