//! Views with arbitrary shapes and strides: each is refused or valid, and no call on a view reads or writes
//! outside its elements.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use promote::CallError;
use promote::{
    Argument, Axes, CustomDType, DType, Element, Error, IterationConfig, IterationError, NumPy, Op, Operand,
    RuleSet, TensorView, TensorViewMut, Torch, ViewError,
};

const GREAT: usize = isize::MAX as usize;

/// The ops by which a rule set reduces floats.
fn reductions(rules: RuleSet) -> impl Iterator<Item = Op> {
    let known = move |op: &Op| {
        RuleSet::is_reduction(*op) && rules.op_types(*op, &[Operand::Array(DType::F64)]).is_ok()
    };
    Op::STANDARD.iter().copied().filter(known)
}

fn rule_sets() -> [RuleSet; 2] {
    [Torch::new().rule_set(), NumPy::new().rule_set()]
}

/// Returns true if the address of a slice is aligned for its elements.
fn is_proper<T: Element>(slice: &[T]) -> bool {
    let address = slice.as_ptr().addr();
    address != 0 && address.is_multiple_of(align_of::<T>())
}

#[test]
fn slices_of_empty_views_are_aligned() {
    let mut bytes = [0_u8; 17];
    // One of two adjacent bytes has an odd address.
    for from in 0..2 {
        let view = TensorView::from_bytes(DType::F64, &bytes[from..], &[3, 0], &[isize::MIN, 8], 99).unwrap();
        let elements = view.as_slice().unwrap().as_slice::<f64>().unwrap();
        assert!(elements.is_empty() && is_proper(elements));
        let mut view = TensorViewMut::from_bytes(DType::F64, &mut bytes[from..], &[0], &[8], 0).unwrap();
        let mut slice = view.as_mut_slice().unwrap();
        let elements = slice.as_mut_slice::<f64>().unwrap();
        assert!(elements.is_empty() && is_proper(elements));
    }
    // SAFETY: without elements the address may be anything.
    let a = unsafe { TensorView::from_raw_parts(DType::F64, core::ptr::null(), &[0, 2], &[1, isize::MIN]) }
        .unwrap();
    // SAFETY: as above.
    let out = unsafe { TensorViewMut::from_raw_parts(DType::F64, core::ptr::null_mut(), &[0, 2], &[1, 1]) }
        .unwrap();
    for rules in rule_sets() {
        assert_eq!(rules.call(Op::Add, &[(&a).into(), (&a).into()]).unwrap().shape(), [0, 2]);
    }
    Torch::new().rule_set().prepare(Op::Exp, &[(&a).into()]).out(out).run().unwrap();
}

#[test]
fn strides_of_unit_axes_are_ignored() {
    let numbers = [1.5_f32, 2.5, 4.0];
    let (shape, strides) = ([1, 3, 1], [isize::MIN, 4, isize::MAX]);
    let a = TensorView::byte_strided(&numbers[..], &shape, &strides, 0).unwrap();
    let one = TensorView::byte_strided(&numbers[..], &[1], &[isize::MIN], 8).unwrap();
    let mut out = [0.0_f32; 3];
    for rules in rule_sets() {
        let sum = rules.call(Op::Add, &[(&a).into(), (&one).into()]).unwrap();
        assert_eq!((sum.shape(), sum.as_slice()), (&shape[..], Some(&[5.5_f32, 6.5, 8.0][..])));
        let cast = rules.astype(&a, DType::I8, None).unwrap();
        assert_eq!(cast.as_slice(), Some(&[1_i8, 2, 4][..]));
        for axes in [Axes::All, Axes::Of(&[1]), Axes::Of(&[0, 1]), Axes::Of(&[-1, -2])] {
            assert_eq!(
                rules.prepare(Op::Sum, &[(&a).into()]).axes(axes).run().unwrap().as_slice(),
                Some(&[8.0_f32][..])
            );
        }
        assert_eq!(
            rules.prepare(Op::Max, &[(&a).into()]).axes(&[0]).keep_dims(true).run().unwrap().as_slice(),
            Some(&numbers[..])
        );
        assert_eq!(
            rules.call(Op::Dot, &[(&one).into(), (&one).into()]).unwrap().item().unwrap().get(),
            Some(16.0_f32)
        );
        out = numbers;
        let view =
            TensorViewMut::byte_strided(&mut out[..], &shape, &[isize::MAX, 4, isize::MIN], 0).unwrap();
        rules.prepare(Op::Multiply, &[(&one).into()]).in_place(view).run().unwrap();
        assert_eq!(out, [6.0, 10.0, 16.0]);
    }
    assert_eq!(TensorView::byte_strided(&out[..], &[2], &[isize::MIN], 0).unwrap_err(), ViewError::TooLarge);
    assert_eq!(TensorView::byte_strided(&out[..], &[1], &[0], GREAT).unwrap_err(), ViewError::TooLarge);
    assert_eq!(TensorView::byte_strided(&out[..], &[1], &[0], usize::MAX).unwrap_err(), ViewError::TooLarge);
}

#[test]
fn empty_views_accept_any_axis_length() {
    let (shape, strides) = ([0, 3, 1 << 60], [isize::MIN, isize::MAX, isize::MIN]);
    let a = TensorView::from_bytes(DType::F64, &[], &shape, &strides, usize::MAX).unwrap();
    for (rules, op) in rule_sets().into_iter().flat_map(|rules| reductions(rules).map(move |op| (rules, op)))
    {
        let empty = matches!(op, Op::Max | Op::Amax | Op::Min | Op::Amin | Op::Argmax | Op::Argmin);
        let all = rules.call(op, &[(&a).into()]);
        assert_eq!(all.is_err(), empty, "{op:?}: {all:?}");
        // The result would have more elements than memory can hold.
        assert!(rules.prepare(op, &[(&a).into()]).axes(&[0]).run().is_err(), "{op:?}");
        let left = rules.prepare(op, &[(&a).into()]).axes(&[1, 2]).run().unwrap();
        assert_eq!((left.shape(), left.len()), (&[0][..], 0), "{op:?}");
    }
    for rules in rule_sets() {
        // Apart from the axis of length 0, the size in bytes fits in a `usize` for bool, and not for f64.
        assert_eq!(rules.astype(&a, DType::Bool, None).unwrap().shape(), shape);
        let refused = rules.call(Op::Add, &[(&a).into(), 1.0.into()]).unwrap_err();
        assert!(matches!(refused, Error::Call(CallError::Memory { .. })), "{refused}");
    }
    let found = TensorView::from_bytes(DType::U8, &[], &[0, 4, 1 << 61], &[0; 3], 0).map(|_| ());
    assert_eq!(found.unwrap_err(), ViewError::TooLarge);
}

#[test]
fn broadcast_views_can_have_more_elements_than_memory() {
    let element = [2.5_f64];
    let a = TensorView::byte_strided(&element[..], &[GREAT], &[0], 0).unwrap();
    assert_eq!(a.get(&[GREAT - 1]).and_then(|x| x.get()), Some(2.5_f64));
    assert!(a.as_slice().is_none() && a.get(&[GREAT]).is_none());
    let rows = TensorView::byte_strided(&element[..], &[1 << 40, 1], &[0, 0], 0).unwrap();
    let columns = TensorView::byte_strided(&element[..], &[1 << 40], &[0], 0).unwrap();
    for rules in rule_sets() {
        for inputs in [[&a, &a], [&rows, &columns]] {
            let refused = rules.call(Op::Add, &inputs.map(Argument::Array)).unwrap_err();
            assert!(matches!(refused, Error::Call(CallError::Memory { .. })), "{refused}");
        }
        assert!(rules.astype(&a, DType::F64, None).is_err());
        // The number of elements overflows, and no output needs memory for them.
        let mut config = IterationConfig::new();
        config.add_input(&rows).add_input(&columns);
        let mut iteration = config.build(&rules).unwrap();
        assert_eq!(*iteration.shape(), [1 << 40, 1 << 40]);
        let refused = iteration.for_each(|_, _| panic!("there is no such run")).unwrap_err();
        assert!(matches!(refused, Error::Call(CallError::Memory { .. })), "{refused}");
    }
}

#[test]
fn iterations_with_too_many_outputs_are_refused() {
    for rules in rule_sets() {
        for (promote, same) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut outputs = [[0.0_f32]; 5];
            let mut config = IterationConfig::new();
            for output in &mut outputs {
                config.add_in_place(&mut output[..]);
            }
            config.check_all_same_dtype(same).promote_inputs_to_common_dtype(promote);
            let expected = Error::Iteration(IterationError::TooMany);
            assert_eq!(config.build(&rules).map(|_| ()).unwrap_err(), expected);
            assert_eq!(config.build_op(&rules, Op::Add).map(|_| ()).unwrap_err(), expected);
        }
    }
}

#[test]
fn a_refused_output_leaves_the_iteration_as_it_was() {
    let mut numbers = [1.0_f32, 2.0, 3.0, 4.0];
    let mut other = [0.0_f32; 2];
    let first = numbers.as_mut_ptr().cast::<u8>();
    // SAFETY: the three views lie within the numbers, which nobody else reads or writes until the iteration
    // is done.
    let a = unsafe { TensorView::from_raw_parts(DType::F32, first, &[2], &[4]) }.unwrap();
    // SAFETY: as above.
    let apart =
        unsafe { TensorViewMut::from_raw_parts(DType::F32, first.wrapping_add(8), &[2], &[4]) }.unwrap();
    let mut config = IterationConfig::new();
    config.add_input(&a).add_output(apart).add_output(&mut other[..]);
    for rules in rule_sets() {
        let mut iteration = config.build(&rules).unwrap();
        // The new output overlaps the input and the first output.
        // SAFETY: as above; it is refused.
        let again =
            unsafe { TensorViewMut::from_raw_parts(DType::F32, first.wrapping_add(4), &[2], &[4]) }.unwrap();
        let refused = iteration.set_output(1, again).unwrap_err();
        assert!(matches!(refused, Error::Iteration(_)), "{refused}");
        iteration
            .for_each(|inputs, outputs| {
                let copy = rules.cast_kernel(DType::F32, DType::F32).unwrap();
                for out in outputs {
                    copy.call(inputs[0], out.reborrow()).unwrap();
                }
            })
            .unwrap();
    }
    assert_eq!((numbers, other), ([1.0, 2.0, 1.0, 2.0], [1.0, 2.0]));
}

#[test]
fn mutable_views_reject_overlapping_elements() {
    let mut bytes = vec![0_u8; 1 << 16];
    let mut made = |dtype, shape: &[usize], strides: &[isize], offset| {
        TensorViewMut::from_bytes(dtype, &mut bytes, shape, strides, offset).map(|_| ())
    };
    // Elements that overlap in part, a stride of 0, and rows that interlock, in either direction.
    assert_eq!(made(DType::I32, &[2], &[3], 0), Err(ViewError::Aliased));
    assert_eq!(made(DType::I32, &[2], &[-3], 3), Err(ViewError::Aliased));
    assert_eq!(made(DType::U8, &[2, 1], &[0, 7], 0), Err(ViewError::Aliased));
    assert_eq!(made(DType::U8, &[3, 4], &[3, 1], 0), Err(ViewError::Aliased));
    assert_eq!(made(DType::U8, &[3, 4], &[-3, 1], 8), Err(ViewError::Aliased));
    assert_eq!(made(DType::U8, &[2, 3], &[3, 2], 0), Ok(()));
    assert_eq!(made(DType::U8, &[3, 3], &[3, 2], 0), Ok(()));
    assert_eq!(made(DType::U8, &[3, 4], &[3, 2], 0), Err(ViewError::Aliased));
    assert_eq!(made(DType::C128, &[2, 2], &[16, -32], 32), Ok(()));
    // No two elements overlap, but the exact test would take too long, so the view is refused.
    let strides: Vec<isize> = (0..12).map(|k| (1 << 12) + (1 << k)).collect();
    assert_eq!(made(DType::U8, &[2; 12], &strides, 0), Err(ViewError::Aliased));
    // Views of at most one element cannot overlap themselves.
    assert_eq!(made(DType::U8, &[1; 70], &[0; 70], 65535), Ok(()));
    assert_eq!(made(DType::U8, &[0, 2], &[0, 0], 70_000), Ok(()));
}

#[test]
fn every_byte_of_a_bool_but_zero_is_true() {
    let bytes: Vec<u8> = (0..=255).flat_map(|byte| [0, byte]).collect();
    let view = TensorView::from_bytes(DType::Bool, &bytes, &[16, 16], &[32, 2], 1).unwrap();
    let turned = TensorView::from_bytes(DType::Bool, &bytes, &[16, 16], &[-2, -32], 511).unwrap();
    let line = TensorView::from_bytes(DType::Bool, &bytes[2..], &[510], &[1], 0).unwrap();
    let truth: Vec<bool> = (0..256).map(|byte| byte != 0).collect();
    assert_eq!(view.get(&[15, 15]).and_then(|x| x.get()), Some(true));
    assert!(line.as_slice().unwrap().as_slice::<bool>().is_none());
    let back: Vec<bool> = (0..256).map(|i| i != 255).collect();
    for rules in rule_sets() {
        let inputs = [Argument::Array(&view)];
        assert_eq!(rules.astype(&view, DType::Bool, None).unwrap().as_slice(), Some(&truth[..]));
        let copied = rules.astype(&line, DType::Bool, None).unwrap();
        assert!(copied.as_bytes().iter().all(|byte| *byte < 2));
        // The view walks the bytes backwards, and its axes are exchanged.
        let columns: Vec<bool> = (0..256).map(|i| back[i % 16 * 16 + i / 16]).collect();
        assert_eq!(rules.astype(&turned, DType::Bool, None).unwrap().as_slice(), Some(&columns[..]));
        for op in [Op::LogicalAnd, Op::BitwiseOr, Op::Maximum, Op::Multiply] {
            let found = rules.call(op, &[inputs[0], inputs[0]]).unwrap();
            assert_eq!(found.as_slice(), Some(&truth[..]), "{op:?}");
        }
        let chosen = rules.call(Op::Where, &[inputs[0], inputs[0], (&turned).into()]).unwrap();
        assert!(chosen.as_slice::<bool>().is_some());
        let sum = rules.call(Op::Sum, &[(&view).into()]).unwrap();
        assert_eq!(sum.as_slice(), Some(&[255_i64][..]));
        let mut kept = bytes.clone();
        let out = TensorViewMut::from_bytes(DType::Bool, &mut kept, &[16, 16], &[32, 2], 1).unwrap();
        rules.prepare(Op::LogicalOr, &inputs).in_place(out).run().unwrap();
        assert!(kept.chunks(2).zip(&truth).all(|(two, truth)| *two == [0, u8::from(*truth)]));
        // Functions of the caller get bools of the bytes 0 and 1 only.
        let mut out = [false; 256];
        let mut config = IterationConfig::new();
        config.add_input(&view).add_output(TensorViewMut::new(&mut out[..], &[16, 16]).unwrap());
        config
            .build(&rules)
            .unwrap()
            .for_each(|inputs, outputs| {
                if let Some(bools) = inputs[0].as_slice::<bool>() {
                    assert!(bools.iter().all(|x| u8::from(*x) < 2));
                }
                let copy = rules.cast_kernel(DType::Bool, DType::Bool).unwrap();
                copy.call(inputs[0], outputs[0].reborrow()).unwrap();
            })
            .unwrap();
        assert_eq!(out[..], truth);
    }
    assert_eq!(
        NumPy::new()
            .rule_set()
            .call(Op::Dot, &[(&line).into(), (&line).into()])
            .unwrap()
            .item()
            .unwrap()
            .get(),
        Some(true)
    );
}

#[test]
fn dtypes_without_kernels_are_refused() {
    static THREE: CustomDType = CustomDType::new("three", 24, 1);
    static NONE: CustomDType = CustomDType::new("none", 0, 0);
    let (three, bytes) = (DType::Custom(&THREE), [7_u8; 12]);
    let made = TensorView::from_bytes(DType::Custom(&NONE), &bytes, &[1], &[0], 0).map(|_| ());
    assert_eq!(made.unwrap_err(), ViewError::NoElements { dtype: DType::Custom(&NONE) });
    let view = TensorView::from_bytes(three, &bytes, &[2, 2], &[3, 6], 0).unwrap();
    let outside = TensorView::from_bytes(three, &bytes, &[5], &[3], 0).map(|_| ());
    assert_eq!(outside.unwrap_err(), ViewError::OutOfBounds { first: 0, end: 15, bytes: 12 });
    assert!(view.get(&[1, 1]).is_none());
    for rules in rule_sets() {
        for op in Op::STANDARD {
            assert!(rules.call(*op, &vec![Argument::Array(&view); op.inputs()]).is_err(), "{op:?}");
        }
        assert!(reductions(rules).all(|op| rules.call(op, &[(&view).into()]).is_err()));
        assert!(rules.astype(&view, three, None).is_err() && rules.astype(&view, DType::F32, None).is_err());
        let mut out = bytes;
        let mut config = IterationConfig::new();
        config.add_input(&view);
        config.add_output(TensorViewMut::from_bytes(three, &mut out, &[2, 2], &[6, 3], 0).unwrap());
        let refused =
            config.build(&rules).unwrap().for_each(|_, _| panic!("there is no such run")).unwrap_err();
        assert_eq!(refused, Error::Call(CallError::NoElements { dtype: three }));
    }
}

#[test]
fn an_operand_of_a_dtype_without_kernels_is_refused_before_it_is_copied() {
    static TWELVE: CustomDType = CustomDType::new("twelve", 96, 4);
    let (twelve, mut memory) = (DType::Custom(&TWELVE), [0_u32; 32]);
    let pointer = memory.as_mut_ptr().cast::<u8>();
    // The output overlaps the input at other positions.
    // SAFETY: the elements are 12 bytes each at 0, 24, 48 and 72, of 128 that are initialised, and only the
    // call below writes there.
    let input = unsafe { TensorView::from_raw_parts(twelve, pointer, &[4], &[24]) }.unwrap();
    // SAFETY: there is room for four such elements from byte 4 on, which nothing but the call writes.
    let out = unsafe { TensorViewMut::from_raw_parts(twelve, pointer.wrapping_add(4), &[4], &[24]) };
    let mut config = IterationConfig::new();
    config.add_input(&input);
    config.add_output(out.unwrap());
    let mut iteration = config.build(&Torch::new().rule_set()).unwrap();
    let refused = iteration.for_each(|_, _| panic!("there is no such run")).unwrap_err();
    assert_eq!(refused, Error::Call(CallError::NoElements { dtype: twelve }));
}

#[test]
fn elements_at_any_address_are_reduced_and_scanned() {
    let bytes: Vec<u8> = (0..64_u32).map(|i| (i * 73 % 256) as u8).collect();
    for (rules, dtype) in
        rule_sets().into_iter().flat_map(|rules| DType::WITH_TYPE.iter().map(move |x| (rules, *x)))
    {
        let reduces = |op: &Op| RuleSet::is_reduction(*op) || RuleSet::is_scan(*op);
        for op in Op::STANDARD.iter().copied().filter(reduces) {
            let reduced = |bytes: &[u8], from: usize| {
                let stride = [dtype.size().unwrap() as isize];
                let view = TensorView::from_bytes(dtype, &bytes[from..], &[3], &stride, 0).unwrap();
                rules.call(op, &[(&view).into()]).map(|found| found.as_bytes().to_vec())
            };
            // Equal elements at each of 16 addresses.
            let found: Vec<_> = (0..16)
                .map(|from| {
                    let mut moved = vec![0; from];
                    moved.extend(&bytes[..48]);
                    reduced(&moved, from)
                })
                .collect();
            assert!(found.iter().all(|other| *other == found[0]), "{op:?} of {dtype}: {found:?}");
        }
    }
}
