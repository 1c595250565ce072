//! Iterations: dtypes, casts, broadcasting, outputs and overlap.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use half::f16;
use promote::{
    Argument, Casting, DType, Error, IterationConfig, IterationError, NumPy, Number, Op, PromoteError,
    RuleSet, Tensor, TensorView, TensorViewMut, Torch, TorchDefaultDtype,
};
use promote::{CallError, Slice, SliceMut};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn read<'b, T: promote::Element>(slice: &Slice<'b>) -> &'b [T] {
    slice.as_slice().expect("the common dtype")
}

/// Adds the inputs of a run, as numbers of `T`.
fn sum<T: promote::Element + std::ops::Add<Output = T>>(inputs: &[Slice<'_>], outputs: &mut [SliceMut<'_>]) {
    let (a, b) = (read::<T>(&inputs[0]), read::<T>(&inputs[1]));
    let out = outputs[0].as_mut_slice::<T>().expect("the dtype of results");
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = *a + *b;
    }
}

/// As PyTorch configures a binary op.
fn binary<'a>(a: impl Into<Argument<'a>>, b: impl Into<Argument<'a>>) -> IterationConfig<'a> {
    let mut config = IterationConfig::new();
    config
        .add_input(a)
        .add_input(b)
        .promote_inputs_to_common_dtype(true)
        .cast_common_dtype_to_outputs(true)
        .enforce_safe_casting_to_output(true);
    config
}

#[test]
fn functions_get_promoted_inputs_and_their_results_are_cast() {
    let (row, column) = ([1_i8, 2, 3], [0.5_f32, 1.5]);
    let row = TensorView::new(&row[..], &[3]).unwrap();
    let column = TensorView::new(&column[..], &[2, 1]).unwrap();
    let mut out = [f16::ZERO; 6];
    let mut config = binary(&row, &column);
    config.add_output(TensorViewMut::new(&mut out[..], &[2, 3]).unwrap());
    let mut iteration = config.build(&torch()).unwrap();
    assert_eq!(iteration.common_dtype(), Some(DType::F32));
    assert_eq!((iteration.is_cast(0), iteration.is_cast(1)), (true, false));
    assert_eq!((iteration.output_dtype(0), iteration.result_dtype(0)), (DType::F16, DType::F32));
    assert_eq!(*iteration.shape(), [2, 3]);
    iteration.for_each(sum::<f32>).unwrap();
    assert_eq!(out.map(f16::to_f32), [1.5, 2.5, 3.5, 2.5, 3.5, 4.5]);
}

#[test]
fn contiguous_operands_of_the_common_dtype_are_passed_without_a_copy() {
    let (a, b, mut out) = (vec![1_i32; 100_000], vec![2_i32; 100_000], vec![0_i32; 100_000]);
    let at = (a.as_ptr(), out.as_ptr());
    let mut config = binary(&a[..], &b[..]);
    config.add_output(&mut out[..]);
    let mut calls = 0;
    config
        .build(&torch())
        .unwrap()
        .for_each(|inputs, outputs| {
            calls += 1;
            let there = outputs[0].as_mut_slice::<i32>().unwrap().as_ptr();
            assert_eq!((read::<i32>(&inputs[0]).as_ptr(), there), at);
            sum::<i32>(inputs, outputs);
        })
        .unwrap();
    assert_eq!((calls, out), (1, vec![3; 100_000]));
}

#[test]
fn new_outputs_are_of_the_common_dtype_or_the_declared_one() {
    let (a, b) = ([1_i16, 5], [3.0_f64, 4.0]);
    let mut config = binary(&a[..], &b[..]);
    config.add_new_output();
    let mut iteration = config.build(&torch()).unwrap();
    iteration.for_each(sum::<f64>).unwrap();
    let made = iteration.take_output(0).unwrap();
    assert_eq!((made.shape(), made.as_slice::<f64>()), (&[2][..], Some(&[4.0, 9.0][..])));
    assert!(iteration.take_output(0).is_none());

    // As PyTorch configures a comparison.
    let mut config = IterationConfig::new();
    config.add_input(&a[..]).add_input(&b[..]).add_new_output();
    config.promote_inputs_to_common_dtype(true).declare_static_dtype(DType::Bool);
    let mut iteration = config.build(&torch()).unwrap();
    assert_eq!((iteration.common_dtype(), iteration.output_dtype(0)), (Some(DType::F64), DType::Bool));
    iteration.op(Op::Less).unwrap();
    assert_eq!(iteration.take_output(0).unwrap().as_slice::<bool>(), Some(&[true, false][..]));
}

#[test]
fn integers_become_the_float_that_the_rule_set_divides_in() {
    let a = [1_i32, 2];
    let common = |rules: RuleSet| {
        let mut config = binary(&a[..], Number::Int(2));
        config.add_new_output().promote_integer_inputs_to_float(true);
        config.build(&rules).unwrap().common_dtype()
    };
    assert_eq!(common(torch()), Some(DType::F32));
    let f64s = Torch::new().with_default_dtype(TorchDefaultDtype::F64);
    assert_eq!(common(f64s.rule_set()), Some(DType::F64));
    assert_eq!(common(NumPy::new().rule_set()), Some(DType::F64));
}

#[test]
fn inputs_are_raised_to_the_lowest_dtype() {
    let (half, double, int) = ([f16::ONE], [1.0_f64], [1_i64]);
    let common = |input: Argument<'_>| {
        let mut config = IterationConfig::new();
        config
            .add_input(input)
            .add_new_output()
            .lowest_dtype(DType::F32)
            .promote_inputs_to_common_dtype(true);
        config.build(&torch()).unwrap().common_dtype()
    };
    assert_eq!(common((&half[..]).into()), Some(DType::F32));
    assert_eq!(common((&double[..]).into()), Some(DType::F64));
    assert_eq!(common((&int[..]).into()), Some(DType::F32));
    // Without promotion each input is raised alone.
    let mut config = IterationConfig::new();
    config.add_input(&half[..]).add_input(&double[..]).check_all_same_dtype(false);
    let mut iteration = config.lowest_dtype(DType::F32).build(&torch()).unwrap();
    assert_eq!((iteration.common_dtype(), iteration.input_dtype(0)), (None, DType::F32));
    assert_eq!(iteration.input_dtype(1), DType::F64);
    let refused = iteration.op(Op::Add).unwrap_err();
    assert_eq!(refused, Error::Iteration(IterationError::OneOutput { found: 0 }));
    let mut seen = None;
    iteration
        .for_each(|inputs, _| seen = Some((read::<f32>(&inputs[0])[0], read::<f64>(&inputs[1])[0])))
        .unwrap();
    assert_eq!(seen, Some((1.0, 1.0)));
    let mut out = [0.0_f64];
    let mut config = IterationConfig::new();
    config.add_input(&half[..]).add_input(&double[..]).check_all_same_dtype(false).add_output(&mut out[..]);
    let refused = config.lowest_dtype(DType::F32).build(&torch()).unwrap().op(Op::Add);
    assert_eq!(refused, Err(Error::Iteration(IterationError::NoCommonDType { option: "lowest_dtype" })));
}

#[test]
fn several_outputs_have_their_own_dtypes() {
    // The quotient goes into a reversed column, and the remainder into f32.
    let (a, b) = ([7_i64, 8, -9], [2_i8]);
    let (mut quotients, mut remainders) = ([0_i32; 6], [0.0_f32; 3]);
    let mut config = IterationConfig::new();
    config
        .add_output(TensorViewMut::byte_strided(&mut quotients[..], &[3], &[-8], 20).unwrap())
        .add_output(&mut remainders[..])
        .add_input(&a[..])
        .add_input(&b[..])
        .promote_inputs_to_common_dtype(true)
        .cast_common_dtype_to_outputs(true)
        .enforce_safe_casting_to_output(true);
    let mut iteration = config.build(&torch()).unwrap();
    iteration
        .for_each(|inputs, outputs| {
            let (a, b) = (read::<i64>(&inputs[0]), read::<i64>(&inputs[1]));
            let [quotients, remainders] = outputs else { panic!("two outputs") };
            let (quotients, remainders) =
                (quotients.as_mut_slice().unwrap(), remainders.as_mut_slice().unwrap());
            for i in 0..a.len() {
                (quotients[i], remainders[i]) = (a[i].div_euclid(b[i]), a[i].rem_euclid(b[i]));
            }
        })
        .unwrap();
    assert_eq!(iteration.op(Op::Add), Err(Error::Iteration(IterationError::OneOutput { found: 2 })));
    assert_eq!((quotients, remainders), ([0, -5, 0, 4, 0, 3], [1.0, 0.0, 1.0]));
}

#[test]
fn an_op_computes_in_the_common_dtype_of_the_iteration() {
    let (a, b) = ([200_u8, 100], [100_i8, 100]);
    let mut out = [0_i64; 2];
    let mut config = binary(&a[..], &b[..]);
    config.add_output(&mut out[..]).build(&torch()).unwrap().op(Op::Add).unwrap();
    assert_eq!(out, [300, 200]);
    // Inputs become floats, although the op has an integer result for these operands.
    let mut config = binary(&a[..], &b[..]);
    config.add_new_output().promote_integer_inputs_to_float(true);
    let mut iteration = config.build(&torch()).unwrap();
    iteration.op(Op::Multiply).unwrap();
    let made = iteration.take_output(0).unwrap();
    assert_eq!(made.as_slice::<f32>(), Some(&[20_000.0, 10_000.0][..]));
    // `divide` does not leave integers as they are.
    let mut config = binary(&a[..], &b[..]);
    let found = config.add_new_output().build(&torch()).unwrap().op(Op::Divide);
    let wanted = IterationError::OpDType { op: Op::Divide, common: DType::I16, wanted: DType::F32 };
    assert_eq!(found, Err(Error::Iteration(wanted)));
}

#[test]
fn an_op_can_decide_on_the_dtypes() {
    let (a, b) = ([1_i32, 2], [f16::ONE, f16::ONE]);
    let mut config = IterationConfig::new();
    config.add_input(&a[..]).add_input(&b[..]).add_new_output();
    let mut iteration = config.build_op(&torch(), Op::Less).unwrap();
    assert_eq!((iteration.common_dtype(), iteration.output_dtype(0)), (Some(DType::F16), DType::Bool));
    iteration.op(Op::Less).unwrap();
    assert_eq!(iteration.take_output(0).unwrap().as_slice::<bool>(), Some(&[false, false][..]));
    let iteration = config.build_op(&torch(), Op::Multiply).unwrap();
    assert_eq!((iteration.compute_dtype(), iteration.input_dtype(0)), (Some(DType::F32), DType::F16));
}

#[test]
fn in_place_outputs_are_the_left_operand() {
    let mut a = [1.0_f32, 2.0, 3.0];
    let mut config = IterationConfig::new();
    config.add_in_place(&mut a[..]).add_input(Number::Float(0.5));
    config.promote_inputs_to_common_dtype(true);
    let mut iteration = config.build(&torch()).unwrap();
    iteration.for_each(sum::<f32>).unwrap();
    iteration.op(Op::Multiply).unwrap();
    assert_eq!(a, [0.75, 1.25, 1.75]);

    let mut a = [1_i64, 2];
    let mut config = binary(Number::Float(0.5), Number::Int(1));
    let refused = config.add_in_place(&mut a[..]).build(&torch()).map(|_| ()).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Promote(PromoteError::CastRefused { cast: (DType::F32, DType::I64, _), .. })
        ),
        "{refused}"
    );
    // Without the check the result is cast.
    config.enforce_safe_casting_to_output(false).build(&torch()).unwrap();
    assert_eq!(torch().can_cast_result(DType::F32, DType::F16), Ok(()));
    assert!(NumPy::new().rule_set().can_cast(DType::F64, DType::F32, Casting::SameKind).is_ok());
}

#[test]
fn different_dtypes_are_refused_unless_promoted_or_allowed() {
    let (a, b) = ([1_i32], [1.0_f32]);
    let mut out = [0.0_f64];
    let mut config = IterationConfig::new();
    config.add_input(&a[..]).add_input(&b[..]);
    let error = |config: &mut IterationConfig<'_>| match config.build(&torch()) {
        Err(Error::Iteration(error)) => Some(error),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    };
    let (expected, found) = (DType::I32, DType::F32);
    assert_eq!(error(&mut config), Some(IterationError::InputDType { input: 1, expected, found }));
    config.check_all_same_dtype(false);
    assert_eq!(error(&mut config), None);
    for word in
        ["cast_common_dtype_to_outputs", "enforce_safe_casting_to_output", "promote_integer_inputs_to_float"]
    {
        let mut config = IterationConfig::new();
        config
            .add_input(Number::Int(1))
            .add_input(Number::Float(1.0))
            .check_all_same_dtype(false)
            .cast_common_dtype_to_outputs(word.starts_with("cast"))
            .enforce_safe_casting_to_output(word.starts_with("enforce"))
            .promote_integer_inputs_to_float(word.starts_with("promote"));
        assert_eq!(error(&mut config), Some(IterationError::NoCommonDType { option: word }));
    }
    let mut config = IterationConfig::new();
    config.add_input(&b[..]).add_output(&mut out[..]);
    let (expected, found) = (DType::F32, DType::F64);
    assert_eq!(error(&mut config), Some(IterationError::OutputDType { output: 0, expected, found }));
    let mut config = IterationConfig::new();
    config.add_new_output();
    assert_eq!(error(&mut config), Some(IterationError::NoCommonDType { option: "add_new_output" }));
    // Without promotion an op gets the dtypes of its inputs, and has its own result dtype.
    let mut out = [0.0_f32];
    let mut config = IterationConfig::new();
    config.add_input(&a[..]).add_input(&b[..]).check_all_same_dtype(false).add_output(&mut out[..]);
    config.build(&torch()).unwrap().op(Op::Add).unwrap();
    assert_eq!(out, [2.0]);
    let mut out = [0.0_f64];
    let mut config = IterationConfig::new();
    config.add_input(&a[..]).add_input(&b[..]).check_all_same_dtype(false).add_output(&mut out[..]);
    let refused = config.build(&torch()).unwrap().op(Op::Add);
    assert!(matches!(refused, Err(Error::Call(CallError::DType { found: DType::F64, .. }))), "{refused:?}");
}

#[test]
fn outputs_are_resized_or_broadcast_the_inputs() {
    let a = [1_i32, 2, 3];
    let error = |config: &mut IterationConfig<'_>| config.build(&torch()).map(|_| ()).unwrap_err();
    let mut wide = [0_i32; 6];
    let mut config = binary(&a[..], Number::Int(1));
    config.add_output(TensorViewMut::new(&mut wide[..], &[2, 3]).unwrap());
    assert_eq!(error(&mut config), Error::Iteration(IterationError::OutputShape { output: 0 }));
    config.resize_outputs(false).build(&torch()).unwrap().op(Op::Add).unwrap();
    assert_eq!(wide, [2, 3, 4, 2, 3, 4]);
    // The shape of an output takes part in broadcasting, but the output is not repeated.
    let mut narrow = [0_i32; 1];
    let mut config = binary(&a[..], Number::Int(1));
    config.add_output(&mut narrow[..]).resize_outputs(false);
    assert_eq!(error(&mut config), Error::Iteration(IterationError::OutputShape { output: 0 }));

    let mut array = Tensor::zeros(DType::I64, &[7]).unwrap();
    let mut config = binary(&a[..], Number::Int(1));
    config.add_output_tensor(&mut array).build(&torch()).unwrap().op(Op::Add).unwrap();
    assert_eq!((array.shape(), array.as_slice::<i64>()), (&[3][..], Some(&[2, 3, 4][..])));
    let mut config = binary(&a[..], Number::Int(1));
    config.add_output_tensor(&mut array).build(&torch()).unwrap().for_each(sum::<i32>).unwrap();
    assert_eq!(array.as_slice::<i64>(), Some(&[2, 3, 4][..]));

    let mut config = binary(&a[..], Number::Int(1));
    let mut iteration = config.add_new_output().declare_static_shape(&[2, 3]).build(&torch()).unwrap();
    iteration.op(Op::Add).unwrap();
    assert_eq!(iteration.take_output(0).unwrap().shape(), [2, 3]);
    let mut config = binary(&a[..], Number::Int(1));
    let misfit = IterationError::InputShape { input: 0, from_last: 1, expected: 2, found: 3 };
    assert_eq!(error(config.add_new_output().declare_static_shape(&[2])), Error::Iteration(misfit));
    let b = [1_i32, 2];
    let mut config = binary(&a[..], &b[..]);
    let misfit = IterationError::InputShape { input: 1, from_last: 1, expected: 3, found: 2 };
    assert_eq!(error(config.add_new_output()), Error::Iteration(misfit));
}

#[test]
fn partial_overlap_is_refused_or_copied() {
    let mut numbers = [1_i32, 2, 3, 4];
    let at = numbers.as_mut_ptr();
    // SAFETY: the numbers are there as long as the view is used, and only calls read and write them.
    let input = unsafe { TensorView::from_raw_parts(DType::I32, at.cast(), &[3], &[4]) }.unwrap();
    let run = |by: usize, check: bool| {
        // SAFETY: as above; one or no number further there are three as well.
        let out =
            unsafe { TensorViewMut::from_raw_parts(DType::I32, at.add(by).cast(), &[3], &[4]) }.unwrap();
        let mut config = binary(&input, Number::Int(1));
        config.add_output(out).set_check_mem_overlap(check);
        config.build(&torch())?.for_each(sum::<i32>)
    };
    let refused = IterationError::Overlap { input: 0, output: 0 };
    assert_eq!(run(1, true), Err(Error::Iteration(refused)));
    run(1, false).unwrap();
    assert_eq!(numbers, [1, 2, 3, 4]);
    run(0, true).unwrap();
    assert_eq!(numbers, [2, 3, 4, 4]);

    // SAFETY: as above.
    let raw = |by: usize| unsafe { TensorViewMut::from_raw_parts(DType::I32, at.add(by).cast(), &[2], &[4]) };
    let mut config = IterationConfig::new();
    config.add_output(raw(0).unwrap()).add_output(raw(1).unwrap());
    let refused = config.build(&torch()).map(|_| ()).unwrap_err();
    assert_eq!(refused, Error::Iteration(IterationError::Outputs { first: 0, second: 1 }));
}

#[test]
fn functions_get_bools_of_0_and_1_for_any_byte() {
    let (bytes, mut out) = ([0_u8, 1, 2, 255], [7_u8; 4]);
    let input = TensorView::from_bytes(DType::Bool, &bytes, &[4], &[1], 0).unwrap();
    let mut config = IterationConfig::new();
    config
        .add_input(&input)
        .add_output(TensorViewMut::from_bytes(DType::Bool, &mut out, &[4], &[1], 0).unwrap())
        .build(&torch())
        .unwrap()
        .for_each(|inputs, outputs| {
            assert!(
                inputs[0].as_slice::<bool>().is_none(),
                "bytes that are no `bool` are not handed out as such"
            );
            assert_eq!(outputs[0].as_mut_slice::<bool>(), Some(&mut [true; 4][..]));
        })
        .unwrap();
    assert_eq!(out, [1; 4]);
}

#[test]
fn outputs_can_be_set_after_the_build() {
    let (a, mut out) = ([1_i32, 2], [0_i32; 2]);
    let (mut wrong_dtype, mut wrong_shape, mut other) = ([0_i64; 2], [0_i32; 3], [0_i32; 2]);
    let mut config = binary(&a[..], Number::Int(1));
    let mut iteration = config.add_new_output().build(&torch()).unwrap();
    assert!(iteration.set_output(0, (&mut wrong_dtype[..]).into()).is_err());
    assert!(iteration.set_output(0, (&mut wrong_shape[..]).into()).is_err());
    assert!(iteration.set_output(1, (&mut other[..]).into()).is_err());
    iteration.set_output(0, (&mut out[..]).into()).unwrap();
    iteration.op(Op::Add).unwrap();
    assert_eq!(out, [2, 3]);
}

#[test]
fn empty_iterations_call_nothing_and_iterations_without_axes_call_once() {
    let none: [f32; 0] = [];
    let mut config = binary(&none[..], Number::Int(1));
    let mut iteration = config.add_new_output().build(&torch()).unwrap();
    iteration.for_each(|_, _| panic!("there are no elements")).unwrap();
    assert_eq!(iteration.take_output(0).unwrap().shape(), [0]);
    let mut config = binary(Number::Int(2), Number::Float(1.5));
    let mut iteration = config.add_new_output().build(&torch()).unwrap();
    iteration.for_each(sum::<f32>).unwrap();
    let made = iteration.take_output(0).unwrap();
    assert_eq!((made.shape(), made.as_slice::<f32>()), (&[][..], Some(&[3.5][..])));
}

#[test]
fn too_many_operands_are_refused() {
    let mut config = IterationConfig::new();
    for _ in 0..9 {
        config.add_input(Number::Int(1));
    }
    let refused = config.build(&torch()).map(|_| ()).unwrap_err();
    assert_eq!(refused, Error::Iteration(IterationError::TooMany));
    assert_eq!(
        refused.to_string(),
        "an iteration has at most 8 inputs and 4 outputs; help: compute in two iterations"
    );
}
