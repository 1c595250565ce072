//! Operands and destinations wherever they lie: not aligned, in place, one over the other.

use promote_runtime::__private::kernel::{
    Argument, CallError, CastKernel, Enters, Kernel, KernelOp, ScalarValue, Slice, SliceMut,
};
use promote_runtime::{DType, Op, OpTypes};

use crate::data::{Buffer, Random, canonical, elements, levels};
use crate::set::{DIVISION, KERNELS};

/// Sizes of the operands and the result: equal, growing, shrinking, and all that is stored in blocks.
const KINDS: &[(KernelOp, DType, DType, OpTypes)] = &[
    (KernelOp::new(Op::Add), DType::F32, DType::F32, OpTypes::uniform(DType::F32)),
    (KernelOp::new(Op::Subtract), DType::F64, DType::F64, OpTypes::uniform(DType::F64)),
    (KernelOp::new(Op::Add), DType::I8, DType::F32, OpTypes::uniform(DType::F32)),
    (KernelOp::new(Op::Subtract), DType::F32, DType::I8, OpTypes::uniform(DType::F32)),
    (
        KernelOp::new(Op::Less),
        DType::F32,
        DType::F32,
        OpTypes { output: DType::Bool, ..OpTypes::uniform(DType::F32) },
    ),
    (
        KernelOp::new(Op::Less),
        DType::I8,
        DType::F32,
        OpTypes { output: DType::Bool, ..OpTypes::uniform(DType::F32) },
    ),
    (
        KernelOp::new(Op::Add),
        DType::F16,
        DType::F16,
        OpTypes { compute: DType::F32, ..OpTypes::uniform(DType::F16) },
    ),
    (KernelOp::new(Op::Add), DType::F64, DType::C64, OpTypes::uniform(DType::C128)),
    (KernelOp::new(Op::Add), DType::U8, DType::I32, OpTypes::uniform(DType::I32)),
];

fn kernels(op: KernelOp, a: DType, b: DType, types: OpTypes) -> impl Iterator<Item = Kernel> {
    let set = if op == KernelOp::new(Op::FloorDivide) { &DIVISION } else { &KERNELS };
    levels().flat_map(move |level| {
        let (a, b) = ((a, Enters::Common), (b, Enters::Common));
        [Kernel::find_at, Kernel::find_pipeline].map(|find| find(level, set, op, a, b, types).unwrap())
    })
}

/// Slices at any addresses in one buffer, and what comes out if they are copied to aligned ones first.
#[test]
fn overlapping_operands_give_the_results_of_copies() {
    let mut random = Random(2024);
    for &(op, a, b, types) in KINDS {
        let sizes = [a, b, types.output].map(|dtype| dtype.size().unwrap());
        for kernel in kernels(op, a, b, types) {
            for round in 0..24 {
                // Some lengths need several blocks; some distances are so small that the slices overlap.
                let n = [0, 1, 5, 64, 700, 1500][round % 6];
                let near = if round % 2 == 0 { 40 } else { 8000 };
                let starts: [usize; 3] = core::array::from_fn(|_| (random.next() % near) as usize);
                let ends = [0, 1, 2].map(|i| starts[i] + n * sizes[i]);
                let mut arena = elements(DType::U8, ends.into_iter().max().unwrap(), random.next());
                if matches!(a, DType::F32 | DType::F64) {
                    let floats = elements(a, arena.len() / sizes[0], random.next());
                    arena[..floats.len()].copy_from_slice(&floats);
                }
                let mut expected = Buffer::new(types.output, n, 0);
                let (x, y) = (
                    Buffer::of(a, &arena[starts[0]..ends[0]], 0),
                    Buffer::of(b, &arena[starts[1]..ends[1]], 0),
                );
                kernel.call_slices(x.slice(a), y.slice(b), expected.slice_mut(types.output)).unwrap();
                let mut outside = arena.clone();

                let base = arena.as_mut_ptr();
                // SAFETY: all three lie within the arena, which nothing else names until the call is over.
                let (x, y, out) = unsafe {
                    (
                        Slice::from_raw_parts(a, base.add(starts[0]), n).unwrap(),
                        Slice::from_raw_parts(b, base.add(starts[1]), n).unwrap(),
                        SliceMut::from_raw_parts(types.output, base.add(starts[2]), n).unwrap(),
                    )
                };
                if round % 3 == 0 {
                    kernel.call(x.into(), y.into(), out).unwrap();
                } else {
                    kernel.call_slices(x, y, out).unwrap();
                }
                let found = &arena[starts[2]..ends[2]];
                assert_eq!(
                    canonical(types.output, found),
                    canonical(types.output, expected.bytes()),
                    "{op} {a} {b}, {n} elements at {starts:?}, {kernel:?}"
                );
                outside[starts[2]..ends[2]].copy_from_slice(found);
                assert_eq!(outside, arena, "{op} {a} {b} wrote elsewhere, {n} elements at {starts:?}");
            }
        }
    }
}

#[test]
fn in_place_reads_the_destination_as_an_operand() {
    // Results that are narrowed are computed 64 at a time, and the last ones by themselves.
    let lengths = [63, 64, 65, 129, 3000];
    for (&(op, a, b, types), n) in KINDS.iter().flat_map(|kind| lengths.map(|n| (kind, n))) {
        for (place, dtype) in [a, b].into_iter().enumerate().filter(|(_, dtype)| *dtype == types.output) {
            for kernel in kernels(op, a, b, types) {
                for offset in [0, 1] {
                    let (x, y) = (elements(a, n, 5), elements(b, n, 6));
                    let (x, y) = (Buffer::of(a, &x, offset), Buffer::of(b, &y, 0));
                    let mut expected = Buffer::new(types.output, n, 0);
                    kernel.call_slices(x.slice(a), y.slice(b), expected.slice_mut(types.output)).unwrap();
                    let (held, other) =
                        if place == 0 { (&x, Argument::from(y.slice(b))) } else { (&y, x.slice(a).into()) };
                    let mut out = Buffer::of(dtype, held.bytes(), offset);
                    let own = Argument::InPlace(dtype);
                    let inputs = if place == 0 { [own, other] } else { [other, own] };
                    kernel.call(inputs[0], inputs[1], out.slice_mut(dtype)).unwrap();
                    assert_eq!(
                        canonical(dtype, out.bytes()),
                        canonical(dtype, expected.bytes()),
                        "{op} {a} {b}"
                    );
                }
            }
        }
    }
}

#[test]
fn in_place_takes_scalars_and_the_destination_itself() {
    let types = OpTypes::uniform(DType::F32);
    for kernel in kernels(KernelOp::new(Op::Subtract), DType::F32, DType::F32, types) {
        let mut out: Vec<f32> = (0..2000_u16).map(f32::from).collect();
        let own = Argument::InPlace(DType::F32);
        kernel.call(ScalarValue::new(1.0_f32).into(), own, SliceMut::new(&mut out)).unwrap();
        assert!(out.iter().zip(0..2000_u16).all(|(&found, i)| found == 1.0 - f32::from(i)));
        kernel.call(own, own, SliceMut::new(&mut out)).unwrap();
        assert!(out.iter().all(|&found| found == 0.0));
    }
}

/// The destination is one operand, exactly, and the other lies over it, beside it, or is a scalar.
#[test]
fn in_place_accepts_a_partly_overlapping_operand() {
    const N: usize = 1500;
    let start: Vec<f64> = elements(DType::I16, N + 8, 7).chunks(2).map(|x| f64::from(x[0])).collect();
    for (op, minus) in [(KernelOp::new(Op::Subtract), -1.0), (KernelOp::new(Op::Add), 1.0)] {
        for kernel in kernels(op, DType::F64, DType::F64, OpTypes::uniform(DType::F64)) {
            for (place, other) in (0..=8).flat_map(|other| [(0, other), (1, other)]) {
                let (held, beside) = (&start[4..4 + N], &start[other..other + N]);
                let (a, b) = if place == 0 { (held, beside) } else { (beside, held) };
                let expected: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + minus * b).collect();
                let mut arena = start.clone();
                let base = arena.as_mut_ptr();
                // SAFETY: all of them lie within the arena, which nothing else names until the call is over.
                let [held, beside] = [4, other].map(|from| unsafe {
                    Slice::from_raw_parts(DType::F64, base.add(from).cast(), N).unwrap()
                });
                // SAFETY: as above.
                let out = unsafe { SliceMut::from_raw_parts(DType::F64, base.add(4).cast(), N).unwrap() };
                let (a, b) = if place == 0 { (held, beside) } else { (beside, held) };
                kernel.call_slices(a, b, out).unwrap();
                assert_eq!(arena[4..4 + N], expected, "{op}, place {place}, {other}, {kernel:?}");
                assert!(arena[..4] == start[..4] && arena[4 + N..] == start[4 + N..]);
            }
            let mut out = start.clone();
            let own = Argument::InPlace(DType::F64);
            kernel.call(own, ScalarValue::new(3.0_f64).into(), SliceMut::new(&mut out)).unwrap();
            assert!(out.iter().zip(&start).all(|(found, x)| *found == x + minus * 3.0), "{op} {kernel:?}");
        }
    }
}

#[test]
fn in_place_rejects_a_destination_of_another_dtype() {
    let types = OpTypes { output: DType::Bool, ..OpTypes::uniform(DType::F32) };
    let kernel = Kernel::find(&KERNELS, KernelOp::new(Op::Less), DType::F32, DType::F32, types).unwrap();
    let mut out = [true; 3];
    let error =
        kernel.call(Argument::InPlace(DType::Bool), (&[0.0_f32; 3][..]).into(), SliceMut::new(&mut out));
    assert!(
        matches!(error, Err(CallError::DType { expected: DType::F32, found: DType::Bool, .. })),
        "{error:?}"
    );
    assert_eq!(out, [true; 3]);
    let add = KernelOp::new(Op::Add);
    let kernel = Kernel::find(&KERNELS, add, DType::F32, DType::F32, OpTypes::uniform(DType::F32)).unwrap();
    let mut out = [1.0_f32; 3];
    let error = kernel.call(Argument::InPlace(DType::F64), 1.into(), SliceMut::new(&mut out));
    assert!(matches!(error, Err(CallError::DType { found: DType::F64, .. })), "{error:?}");
    assert_eq!(out, [1.0; 3]);
}

/// With the feature `rayon` these are enough for several threads.
const MANY: usize = 120_001;

#[test]
fn long_slices_give_the_results_of_their_parts() {
    for &(op, a, b, types) in KINDS {
        let (x, y) = (Buffer::of(a, &elements(a, MANY, 3), 0), Buffer::of(b, &elements(b, MANY, 4), 0));
        for kernel in kernels(op, a, b, types) {
            let (mut whole, mut parts) =
                (Buffer::new(types.output, MANY, 0), Buffer::new(types.output, MANY, 0));
            kernel.call_slices(x.slice(a), y.slice(b), whole.slice_mut(types.output)).unwrap();
            let [size_a, size_b, size] = [a, b, types.output].map(|dtype| 1000 * dtype.size().unwrap());
            let operands = x.bytes().chunks(size_a).zip(y.bytes().chunks(size_b));
            for ((x, y), out) in operands.zip(parts.bytes_mut().chunks_mut(size)) {
                let (x, y) = (Slice::from_bytes(a, x).unwrap(), Slice::from_bytes(b, y).unwrap());
                kernel.call_slices(x, y, SliceMut::from_bytes(types.output, out).unwrap()).unwrap();
            }
            assert!(
                canonical(types.output, whole.bytes()) == canonical(types.output, parts.bytes()),
                "{op} {a} {b}"
            );
        }
    }
}

/// The zero is the last of many, so that everything before it could have been computed.
#[test]
fn integer_division_by_zero_leaves_the_output_untouched() {
    let a = vec![7_i32; MANY];
    let mut b = vec![2_i32; MANY];
    b[MANY - 1] = 0;
    for kernel in
        kernels(KernelOp::new(Op::FloorDivide), DType::I32, DType::I32, OpTypes::uniform(DType::I32))
    {
        let mut out = vec![-1_i32; MANY];
        let found = kernel.call_slices(Slice::new(&a), Slice::new(&b), SliceMut::new(&mut out));
        assert_eq!(found, Err(CallError::DivisionByZero));
        let mut in_place = b.clone();
        let found = kernel.call((&a[..]).into(), Argument::InPlace(DType::I32), SliceMut::new(&mut in_place));
        assert_eq!(found, Err(CallError::DivisionByZero));
        assert!(out.iter().all(|x| *x == -1) && in_place == b);
        b[MANY - 1] = 3;
        kernel.call_slices(Slice::new(&a), Slice::new(&b), SliceMut::new(&mut out)).unwrap();
        assert!(out[..MANY - 1].iter().all(|x| *x == 3) && out[MANY - 1] == 2);
        b[MANY - 1] = 0;
    }
}

#[test]
fn casts_read_and_write_at_any_address() {
    for level in levels() {
        for (from, to) in [
            (DType::F32, DType::F16),
            (DType::U8, DType::F64),
            (DType::F64, DType::I32),
            (DType::C64, DType::C32),
        ] {
            let cast = CastKernel::find_at(level, &KERNELS, from, to, 0).unwrap();
            let n = 1500;
            let x = elements(from, n, 9);
            let mut expected = Buffer::new(to, n, 0);
            cast.call(Buffer::of(from, &x, 0).slice(from), expected.slice_mut(to)).unwrap();
            for at in [0, 1, 3] {
                let mut bytes = vec![0; at + x.len()];
                bytes[at..].copy_from_slice(&x);
                let mut out = vec![0; at + n * to.size().unwrap()];
                let slice = Slice::from_bytes(from, &bytes[at..]).unwrap();
                cast.call(slice, SliceMut::from_bytes(to, &mut out[at..]).unwrap()).unwrap();
                assert_eq!(
                    canonical(to, &out[at..]),
                    canonical(to, expected.bytes()),
                    "{from} to {to}, {at} bytes on"
                );
            }
        }
    }
}

/// Nothing lies beside the elements that could be read as a Rust slice of them.
#[test]
fn unaligned_and_shared_memory_is_not_given_as_a_rust_slice() {
    let bytes = Buffer::new(DType::F64, 2, 0);
    assert!(Slice::from_bytes(DType::F64, bytes.bytes()).unwrap().as_slice::<f64>().is_some());
    let bytes = [0_u128; 2];
    // SAFETY: they are 32 initialised bytes.
    let bytes = unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), 32) };
    assert!(Slice::from_bytes(DType::F64, &bytes[1..9]).unwrap().as_slice::<f64>().is_none());
    // SAFETY: there are 8 bytes, and nobody writes to them.
    let slice = unsafe { Slice::from_raw_parts(DType::F64, bytes.as_ptr(), 1) }.unwrap();
    assert!(slice.as_slice::<f64>().is_none());
    // SAFETY: as above.
    let error = unsafe { Slice::from_raw_parts(DType::I4, bytes.as_ptr(), 1) };
    assert_eq!(error.unwrap_err(), CallError::NoElements { dtype: DType::I4 });
}
