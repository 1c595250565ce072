//! Scalar operands: the same bits (or NaN) as a slice of as many copies.

use promote_runtime::__private::kernel::{Argument, CallError, Enters, Kernel, KernelOp, ScalarValue};
use promote_runtime::{DType, Number, Op, OpTypes, TensorView};

use crate::data::{Buffer, canonical, elements, levels};
use crate::set::{BF16, F16, KERNELS};

#[test]
fn scalars_broadcast() {
    let cases = [
        (KernelOp::new(Op::Add), [DType::I8, DType::F32], OpTypes::uniform(DType::F32)),
        (KernelOp::new(Op::Subtract), [DType::I8, DType::F32], OpTypes::uniform(DType::F32)),
        (KernelOp::new(Op::Greater), [DType::I8, DType::F32], OpTypes::comparison(DType::F32)),
        (KernelOp::new(Op::Add), [DType::F16, DType::F16], OpTypes::uniform(DType::F16)),
        (KernelOp::new(Op::Subtract), [DType::F64, DType::F64], OpTypes::uniform(DType::F64)),
        (KernelOp::new(Op::Multiply), [DType::C32, DType::C128], OpTypes::uniform(DType::C32)),
        (KernelOp::new(Op::Subtract), [DType::Bool, DType::U64], OpTypes::uniform(DType::F16)),
        (KernelOp::new(Op::Divide), [DType::U8, DType::I64], OpTypes::uniform(DType::F64)),
    ];
    for (op, [a, b], types) in cases {
        let (a_size, b_size) = (a.size().unwrap(), b.size().unwrap());
        // At its own alignment, where a function may take the one element as it is, and beside it.
        let lengths = [0, 1, 7, 255, 256, 257, 1024, 4097, 9000];
        for (n, offset) in lengths.into_iter().flat_map(|n| [(n, 0), (n, 1)]) {
            let (x, y) = (elements(a, n.max(1), 5), elements(b, n.max(1), 6));
            let (x_one, y_one) = (&x[..a_size], &y[..b_size]);
            let scalars =
                (ScalarValue::from_bytes(a, x_one).unwrap(), ScalarValue::from_bytes(b, y_one).unwrap());
            let (x_all, y_all) = (Buffer::of(a, &x_one.repeat(n), 0), Buffer::of(b, &y_one.repeat(n), 0));
            let (x, y) = (Buffer::of(a, &x[..n * a_size], offset), Buffer::of(b, &y[..n * b_size], offset));
            for level in levels() {
                let operands = ((a, Enters::Common), (b, Enters::Common));
                for kernel in [
                    Kernel::find_at(level, &KERNELS, op, operands.0, operands.1, types).unwrap(),
                    Kernel::find_pipeline(level, &KERNELS, op, operands.0, operands.1, types).unwrap(),
                ] {
                    let run = |a: Argument<'_>, b: Argument<'_>| {
                        let mut out = Buffer::new(types.output, n, offset);
                        kernel.call(a, b, out.slice_mut(types.output)).unwrap();
                        canonical(types.output, out.bytes())
                    };
                    let (xs, ys) = (Argument::Slice(x.slice(a)), Argument::Slice(y.slice(b)));
                    let (all_x, all_y) = (Argument::Slice(x_all.slice(a)), Argument::Slice(y_all.slice(b)));
                    let (one_x, one_y) = (Argument::ZeroDim(scalars.0), Argument::ZeroDim(scalars.1));
                    assert_eq!(run(xs, one_y), run(xs, all_y), "{op} {a} {b} {n} at {level}");
                    assert_eq!(run(one_x, ys), run(all_x, ys), "{op} {a} {b} {n} at {level}");
                    assert_eq!(run(one_x, one_y), run(all_x, all_y), "{op} {a} {b} {n} at {level}");
                }
            }
        }
    }
}

#[test]
fn scalars_can_enter_in_the_compute_dtype() {
    let types = OpTypes::uniform(DType::F16);
    let (a, b) = ((DType::F16, Enters::Common), (DType::F32, Enters::Compute));
    let tiny = Argument::ZeroDim(ScalarValue::new(1e-8_f32));
    for level in levels() {
        let x = [F16::from_f32(1000.0); 300];
        let mut out = [F16::ONE; 300];
        let kernel = Kernel::find_at(level, &KERNELS, KernelOp::new(Op::Multiply), a, b, types).unwrap();
        kernel.call(x.as_slice().into(), tiny, out.as_mut_slice().into()).unwrap();
        assert_eq!(out, [F16::from_f32(1e-5); 300]);
        let kernel = Kernel::find_at(level, &KERNELS, KernelOp::new(Op::Multiply), b, a, types).unwrap();
        kernel.call(tiny, x.as_slice().into(), out.as_mut_slice().into()).unwrap();
        assert_eq!(out, [F16::from_f32(1e-5); 300]);
        // Rounded to the common dtype first, it is nothing.
        let kernel =
            Kernel::find_at(level, &KERNELS, KernelOp::new(Op::Multiply), a, (b.0, Enters::Common), types)
                .unwrap();
        kernel.call(x.as_slice().into(), tiny, out.as_mut_slice().into()).unwrap();
        assert_eq!(out, [F16::ZERO; 300]);
    }
}

#[test]
fn arrays_beside_scalars_in_the_compute_dtype_are_rounded_to_the_common_dtype() {
    // 2049 is not an f16: it rounds to 2048 before it meets the scalar.
    let (a, b) = ((DType::I32, Enters::Common), (DType::F32, Enters::Compute));
    let half = Argument::ZeroDim(ScalarValue::new(0.5_f32));
    for level in levels() {
        let mut out = [F16::ONE; 2];
        let kernel =
            Kernel::find_at(level, &KERNELS, KernelOp::new(Op::Multiply), a, b, OpTypes::uniform(DType::F16))
                .unwrap();
        kernel.call([2049_i32, 3].as_slice().into(), half, out.as_mut_slice().into()).unwrap();
        assert_eq!(out, [1024.0, 1.5].map(F16::from_f32));
    }
}

#[test]
fn numbers_have_the_dtype_that_the_kernel_expects() {
    let find = |a, b, types| Kernel::find(&KERNELS, KernelOp::new(Op::Subtract), a, b, types).unwrap();
    let mut out = [0.0_f32; 2];
    let of_integers = find(DType::F32, DType::I32, OpTypes::uniform(DType::F32));
    of_integers.call([2.5_f32, 1.0].as_slice().into(), 1.5.into(), out.as_mut_slice().into()).unwrap();
    assert_eq!(out, [1.5, 0.0], "the second operand is an i32");
    let of_floats = find(DType::F32, DType::F32, OpTypes::uniform(DType::F32));
    of_floats.call(1.into(), Argument::InPlace(DType::F32), out.as_mut_slice().into()).unwrap();
    assert_eq!(out, [-0.5, 1.0]);
    let view = TensorView::new(&[1.0_f32, 2.0], &[2]).unwrap();
    of_floats.call_views(&[(&view).into(), true.into()], out.as_mut_slice().into()).unwrap();
    assert_eq!(out, [0.0, 1.0]);
    let found = of_floats.call_inputs(&[1.into()], out.as_mut_slice().into());
    assert!(matches!(found, Err(CallError::Inputs { expected: 2, found: 1 })), "{found:?}");
}

#[test]
fn numbers_become_elements_as_in_pytorch() {
    let of = |number: Number, dtype| ScalarValue::from_number(number, dtype).unwrap();
    assert_eq!(of(Number::Int(300), DType::U8).get::<u8>(), Some(44));
    assert_eq!(of(Number::Int(-1), DType::U64).get::<u64>(), Some(u64::MAX));
    assert_eq!(of(Number::Int(2), DType::Bool).get::<bool>(), Some(true));
    assert_eq!(of(Number::Int(1 << 100), DType::Bool).get::<bool>(), Some(true));
    assert_eq!(of(Number::Int(1 << 100), DType::F32).get::<f32>(), Some(f32::from_bits((127 + 100) << 23)));
    assert_eq!(of(Number::Float(2.5), DType::I8).get::<i8>(), Some(2));
    assert_eq!(
        of(Number::Float(1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40)), DType::F16).get::<F16>(),
        Some(F16::from_bits(0x3C01))
    );
    assert_eq!(of(Number::Complex(1.5, -2.0), DType::BF16).get::<BF16>(), Some(BF16::from_f32(1.5)));
    assert_eq!(of(Number::Bool(true), DType::F64).get::<f64>(), Some(1.0));
    let f8 = |saturate| ScalarValue::from_number_with(Number::Float(1e9), DType::F8E4M3FN, saturate).unwrap();
    assert_eq!((f8(false).as_bytes(), f8(true).as_bytes()), (&[0x7F][..], &[0x7E][..]));
    assert!(ScalarValue::from_number(Number::Int(1), DType::I4).is_err());
}
