//! Loops and pipelines, at every level, against the naive reference.

use promote_runtime::__private::kernel::{Enters, Kernel, KernelOp};
use promote_runtime::__private::semantics;
use promote_runtime::{DType, Op, OpTypes};

use crate::data::{Buffer, canonical, elements, levels};
use crate::reference::{convert, operate};
use crate::set::KERNELS;

/// Returns the expected result of an op, element by element.
pub(crate) fn expected(op: KernelOp, dtypes: [DType; 2], types: OpTypes, a: &[u8], b: &[u8]) -> Vec<u64> {
    let saturate = op.saturates();
    let operand = |dtype: DType, x: &[u8]| {
        let common = convert(dtype, x, types.common, saturate);
        convert(types.common, &common, types.compute, saturate)
    };
    let [a_dtype, b_dtype] = dtypes;
    let pairs = a.chunks(a_dtype.size().unwrap()).zip(b.chunks(b_dtype.size().unwrap()));
    let out: Vec<u8> = pairs
        .flat_map(|(x, y)| {
            let (dtype, z) = operate(op, types.compute, &operand(a_dtype, x), &operand(b_dtype, y));
            convert(dtype, &z, types.output, saturate)
        })
        .collect();
    canonical(types.output, &out)
}

/// Calls the kernels of all levels in both ways on `n` elements and compares.
fn check(op: KernelOp, [a, b]: [DType; 2], types: OpTypes, n: usize, offset: usize) {
    let (x, y) = (elements(a, n, 11 + n as u64), elements(b, n, 77 + n as u64));
    let expected = expected(op, [a, b], types, &x, &y);
    let (x, y) = (Buffer::of(a, &x, offset), Buffer::of(b, &y, (offset * 2) % 3));
    for level in levels() {
        let operands = ((a, Enters::Common), (b, Enters::Common));
        let found = Kernel::find_at(level, &KERNELS, op, operands.0, operands.1, types);
        let pipeline = Kernel::find_pipeline(level, &KERNELS, op, operands.0, operands.1, types);
        for kernel in [found, pipeline] {
            let kernel = kernel.unwrap_or_else(|error| panic!("{op} {a} {b} {types:?} at {level}: {error}"));
            assert_eq!(kernel.dtypes(), [a, b, types.output]);
            let mut out = Buffer::new(types.output, n, offset);
            kernel.call_slices(x.slice(a), y.slice(b), out.slice_mut(types.output)).unwrap();
            let found = canonical(types.output, out.bytes());
            if let Some(i) = (0..found.len()).find(|&i| found[i] != expected[i]) {
                let plan = if kernel.is_fused() { "loop" } else { "pipeline" };
                panic!(
                    "{op} {a} {b} {types:?}, {n} elements, {plan} at {level}: part {i} is {:x}, not {:x}",
                    found[i], expected[i]
                );
            }
        }
    }
}

/// Returns every loop of the set, as the dtypes that it is found by.
fn fused() -> impl Iterator<Item = (KernelOp, [DType; 2], OpTypes)> {
    KERNELS.ops().flat_map(|(op, registry)| {
        registry.dtypes().map(move |[a, b, common, output]| {
            (op, [a, b], OpTypes { common, compute: common.register(), output })
        })
    })
}

#[test]
fn every_loop_and_its_pipeline_give_the_reference() {
    let mut count = 0;
    for (op, dtypes, types) in fused() {
        check(op, dtypes, types, 3000, 0);
        count += 1;
    }
    assert!(count > 80);
}

#[test]
fn swapped_operands_find_the_same_kernels() {
    for (op, [a, b], types) in fused().filter(|(op, ..)| op.commutes()) {
        check(op, [b, a], types, 200, 1);
        let kernel = Kernel::find(&KERNELS, op, b, a, types).unwrap();
        let straight = Kernel::find(&KERNELS, op, a, b, types).unwrap();
        assert_eq!(kernel.is_fused(), straight.is_fused());
    }
    for (less, greater) in [
        (KernelOp::new(Op::Less), KernelOp::new(Op::Greater)),
        (KernelOp::new(Op::LessEqual), KernelOp::new(Op::GreaterEqual)),
    ] {
        for (_, [a, b], types) in fused().filter(|(op, ..)| *op == less) {
            check(greater, [b, a], types, 200, 0);
        }
    }
}

#[test]
fn pipelines_compute_slices_of_any_length_and_start() {
    let cases = [
        (KernelOp::new(Op::Add), [DType::I8, DType::F32], OpTypes::uniform(DType::F32)),
        (KernelOp::new(Op::Add), [DType::F16, DType::F16], OpTypes::uniform(DType::F16)),
        (KernelOp::new(Op::Add), [DType::BF16, DType::BF16], OpTypes::uniform(DType::BF16)),
        (KernelOp::new(Op::Multiply), [DType::C32, DType::C32], OpTypes::uniform(DType::C32)),
        (KernelOp::new(Op::Add), [DType::U8, DType::U8], OpTypes::uniform(DType::U8)),
        (KernelOp::new(Op::Less), [DType::I8, DType::F32], OpTypes::comparison(DType::F32)),
        // A pipeline only, with casts on both sides and on the way out.
        (KernelOp::new(Op::Multiply), [DType::I16, DType::BF16], OpTypes::uniform(DType::F16)),
    ];
    for (op, dtypes, types) in cases {
        for n in (0..200).chain([255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 9000]) {
            check(op, dtypes, types, n, n % 3);
        }
    }
}

#[test]
fn any_pair_of_dtypes_has_a_pipeline() {
    for &a in DType::WITH_TYPE {
        for &b in DType::WITH_TYPE {
            for common in [DType::F32, DType::F16, DType::F8E4M3FN, DType::C128, DType::U8, DType::Bool] {
                check(KernelOp::new(Op::Add), [a, b], OpTypes::uniform(common), 40, 0);
            }
            check(
                KernelOp::new(Op::Add).with_semantics(semantics::OVERFLOW_SATURATE),
                [a, b],
                OpTypes::uniform(DType::F8E4M3FN),
                40,
                0,
            );
            check(KernelOp::new(Op::Equal), [a, b], OpTypes::comparison(DType::F16), 40, 0);
            // Computed in another dtype than the common one, and rounded to a third.
            let types = OpTypes { common: DType::I16, compute: DType::F64, output: DType::BF16 };
            check(KernelOp::new(Op::Divide), [a, b], types, 40, 0);
        }
    }
}
