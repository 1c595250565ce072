//! Arrays that own their elements: from vectors and back, printed, compared, and as operands.
#![cfg(all(feature = "kernels", feature = "std", feature = "torch"))]
#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

use half::f16;
use num_complex::Complex;
use promote::Slice;
use promote::{
    Argument, CallError, DType, Element, Error, Op, RuleSet, Tensor, TensorView, TensorViewMut, Torch,
    ViewError,
};

fn rules() -> RuleSet {
    Torch::new().rule_set()
}

fn round_trips<T: Element + PartialEq + std::fmt::Debug>(elements: &[T]) {
    let mut owned = elements.to_vec();
    // The vector has spare capacity.
    owned.reserve(100);
    let address = owned.as_ptr();
    let tensor = Tensor::from_vec(owned, &[elements.len()]).expect("a shape of as many elements");
    assert_eq!((tensor.dtype(), tensor.shape()), (T::DTYPE, &[elements.len()][..]));
    assert_eq!(tensor.as_slice::<T>(), Some(elements));
    let back = tensor.into_vec::<T>().expect("elements of its dtype");
    assert_eq!((&back[..], back.as_ptr()), (elements, address), "{}", T::DTYPE);
    assert!(back.capacity() >= elements.len() + 100);
}

#[test]
fn vectors_become_tensors_and_vectors_again_without_a_copy() {
    round_trips(&[true, false, true]);
    round_trips(&[1_u8, 2, 3]);
    round_trips(&[1_i16, -2]);
    round_trips(&[f16::ONE, f16::NEG_ONE]);
    round_trips(&[0.5_f64, 2.5, -1.0]);
    round_trips(&[Complex::new(1.0_f32, 2.0)]);
    round_trips::<f32>(&[]);
}

#[test]
fn results_become_vectors() {
    let sum = rules().call(Op::Add, &[(&[1_i8, 2, 3]).into(), (&[0.5_f32, 0.5, 0.5]).into()]);
    assert_eq!(sum.expect("a kernel").into_vec::<f32>().expect("f32s"), [1.5, 2.5, 3.5]);
    let zeros = Tensor::zeros(DType::C128, &[2, 0]).expect("memory");
    assert_eq!(zeros.into_vec::<Complex<f64>>().expect("no elements"), []);
}

#[test]
fn a_tensor_of_another_dtype_is_given_back() {
    let tensor = Tensor::from_vec(vec![1_i32, 2], &[2, 1]).expect("two elements");
    let same = tensor.into_vec::<f32>().expect_err("they are i32s");
    assert_eq!((same.shape(), same.as_slice::<i32>()), (&[2, 1][..], Some(&[1, 2][..])));
}

#[test]
fn bytes_that_are_no_bools_stay_in_the_tensor() {
    let bytes = [0_u8, 2, 1];
    let view = TensorView::from_bytes(DType::Bool, &bytes, &[3], &[1], 0).expect("three bytes");
    let elements = Slice::from_bytes(DType::Bool, &bytes).expect("three bytes");
    let tensor = Tensor::new(elements, &[3]).expect("memory");
    let tensor = tensor.into_vec::<bool>().expect_err("2 is no bool");
    assert_eq!(tensor.as_bytes(), bytes);
    assert_eq!(rules().astype(&view, DType::Bool, None).expect("a cast").to_string(), "[false, true, true]");
}

#[test]
fn shapes_of_other_lengths_are_refused() {
    let wrong = ViewError::Length { expected: 4, found: 3 };
    assert_eq!(Tensor::from_vec(vec![1_u8; 3], &[2, 2]).unwrap_err(), wrong);
}

#[test]
fn prints_nested_lists() {
    let tensor = |elements: &[i16], shape: &[usize]| Tensor::new(elements, shape).expect("a tensor");
    assert_eq!(tensor(&[1, -2, 3, 4], &[2, 2]).to_string(), "[[1, -2], [3, 4]]");
    assert_eq!(tensor(&[7], &[]).to_string(), "7");
    assert_eq!(tensor(&[], &[2, 0]).to_string(), "[[], []]");
    let floats = Tensor::new(&[0.1_f32, 2.0, f32::NAN][..], &[3]).expect("a tensor");
    assert_eq!(floats.to_string(), "[0.1, 2.0, NaN]");
    let complex = Tensor::new(&[Complex::new(1.0_f64, -2.0)][..], &[1]).expect("a tensor");
    assert_eq!(complex.to_string(), "[1.0-2.0i]");
    let many: Vec<u16> = (0..1001).collect();
    let many = Tensor::from_vec(many, &[1001]).expect("a tensor");
    assert_eq!(many.to_string(), "[0, 1, 2, .., 998, 999, 1000]");
    let transposed =
        TensorView::byte_strided(&[1_u8, 2, 3, 4, 5, 6][..], &[3, 2], &[1, 3], 0).expect("a view");
    assert_eq!(transposed.to_string(), "[[1, 4], [2, 5], [3, 6]]");
    // A long axis without elements prints nothing.
    let shape = [usize::MAX / 4, 0];
    let empty = TensorView::new(&[0_u8; 0][..], &shape).expect("no elements");
    assert_eq!(empty.to_string(), "[[], [], [], .., [], [], []]");
}

#[test]
fn tensors_are_equal_if_their_elements_are() {
    let tensor = |elements: &[f32], shape: &[usize]| Tensor::new(elements, shape).expect("a tensor");
    assert_eq!(tensor(&[1.0, -0.0], &[2]), tensor(&[1.0, 0.0], &[2]));
    assert_ne!(tensor(&[1.0, 2.0], &[2]), tensor(&[1.0, 2.0], &[2, 1]));
    assert_ne!(tensor(&[f32::NAN], &[1]), tensor(&[f32::NAN], &[1]));
    assert_ne!(tensor(&[1.0], &[1]), Tensor::new(&[1.0_f64][..], &[1]).expect("a tensor"));
    let copy = tensor(&[1.0, 2.0], &[2]).clone();
    assert_eq!(copy, tensor(&[1.0, 2.0], &[2]));
}

#[test]
fn tensors_vectors_and_rust_numbers_are_operands() {
    let (matrix, row) = (Tensor::new(&[1_i8, 2, 3, 4][..], &[2, 2]).expect("a tensor"), vec![10_i16, 20]);
    let of = |op, operands: &[Argument<'_>]| rules().call(op, operands).expect("a kernel").to_string();
    assert_eq!(of(Op::Add, &[(&matrix).into(), (&row).into()]), "[[11, 22], [13, 24]]");
    // As a Python number, 1 does not widen an i8, and 2.5 makes a float of it.
    assert_eq!(rules().call(Op::Add, &[(&matrix).into(), 1.into()]).expect("a kernel").dtype(), DType::I8);
    assert_eq!(of(Op::Multiply, &[(&matrix).into(), 2.5.into()]), "[[2.5, 5.0], [7.5, 10.0]]");
    assert_eq!(of(Op::Multiply, &[(&matrix).into(), Complex::new(0.0, 1.0).into()])[..8], *"[[0.0+1.");
    assert_eq!(of(Op::Add, &[true.into(), 2_u64.into()]), "3");
}

#[test]
fn rule_sets_are_found_by_name_and_compared() {
    assert_eq!(promote::rule_set("torch"), Some(rules()));
    assert_ne!(promote::rule_set("torch"), rules().with("default_dtype", "f64"));
    assert_eq!(promote::rule_set("Torch"), None);
}

#[test]
fn one_call_computes_elementwise_ops_reductions_and_products() {
    let matrix = Tensor::new(&[1_i8, 2, 3, 4][..], &[2, 2]).expect("a tensor");
    let (ints, floats) = ([1_i64, 2, 3], [0.5_f32, 1.0, 2.0]);
    let called = |op, operands: &[Argument<'_>]| {
        let result = rules().call(op, operands).expect("a kernel");
        format!("{} {result}", result.dtype())
    };
    assert_eq!(called(Op::Add, &[(&matrix).into(), 1.into()]), "i8 [[2, 3], [4, 5]]");
    assert_eq!(called(Op::Sum, &[(&matrix).into()]), "i64 10");
    assert_eq!(called(Op::Sum, &[(&ints).into()]), "i64 6");
    assert_eq!(called(Op::Max, &[2.5.into()]), "f32 2.5");
    assert_eq!(called(Op::Dot, &[(&floats).into(), (&floats).into()]), "f32 5.25");
    assert!(rules().call(Op::Sum, &[(&ints).into(), (&ints).into()]).is_err());
    assert!(rules().call(Op::Add, &[(&ints).into()]).is_err());
}

#[test]
fn prepared_calls_reduce_along_axes_and_write_into_arrays() {
    let matrix = Tensor::new(&[1_i8, 2, 3, 4][..], &[2, 2]).expect("a tensor");
    let operands = [Argument::from(&matrix)];
    let sum = rules().prepare(Op::Sum, &operands);
    assert_eq!(sum.axes(&[0]).run().expect("a kernel").to_string(), "[4, 6]");
    let kept = sum.axes(&[-1]).keep_dims(true).run().expect("a kernel");
    assert_eq!((kept.shape(), kept.to_string()), (&[2, 1][..], "[[3], [7]]".to_owned()));
    let mut out = Tensor::zeros(DType::I64, &[2]).expect("memory");
    sum.axes(&[1]).out(out.view_mut()).run().expect("a kernel");
    assert_eq!(out.as_slice(), Some(&[3_i64, 7][..]));

    let mut floats = Tensor::new(&[1.0_f32, 2.0][..], &[2]).expect("a tensor");
    rules().prepare(Op::Multiply, &[3.into()]).in_place(floats.view_mut()).run().expect("a kernel");
    assert_eq!(floats.as_slice(), Some(&[3.0_f32, 6.0][..]));
    rules()
        .prepare(Op::Add, &[(&[1_i8, 2]).into(), 0.5.into()])
        .out(floats.view_mut())
        .run()
        .expect("a kernel");
    assert_eq!(floats.as_slice(), Some(&[1.5_f32, 2.5][..]));

    let loss = [(&[1.0_f32, 3.0]).into(), (&[0.0_f32, 0.0]).into()];
    let mean = rules().prepare(Op::MseLoss, &loss).reduction(promote::Reduction::Mean).run();
    assert_eq!(mean.expect("a kernel").to_string(), "5.0");
}

#[test]
fn axes_of_an_op_that_reduces_nothing_are_refused() {
    let operands = [Argument::from(&[1.0_f32]), 1.into()];
    let refused = rules().prepare(Op::Add, &operands).axes(&[0]).run().expect_err("no reduction");
    assert_eq!(
        refused.to_string(),
        rules().prepare(Op::Add, &operands).keep_dims(true).run().unwrap_err().to_string()
    );
    let mut out = [7.0_f32];
    let into = promote::TensorViewMut::from(&mut out[..]);
    assert!(rules().prepare(Op::Add, &operands).axes(&[0]).out(into).run().is_err());
    assert_eq!(out[0].to_bits(), 7.0_f32.to_bits());
}

#[test]
fn ops_without_kernels_say_so_with_and_without_axes() {
    let operands = [Argument::from(&[1.0_f32, 2.0]), 1.into()];
    let mut out = [7.0_f32; 2];
    for refused in [
        rules().call(Op::Outer, &operands).map(|_| ()),
        rules().prepare(Op::Outer, &operands).axes(&[0]).run().map(|_| ()),
        rules().prepare(Op::Outer, &operands).keep_dims(true).run().map(|_| ()),
        rules().prepare(Op::Outer, &operands).axes(&[0]).out(&mut out[..1]).run(),
    ] {
        let expected = "`outer` has dtypes and no kernels; help: `op_types` returns its dtypes";
        assert_eq!(refused.expect_err("no kernels").to_string(), expected);
    }
}

#[test]
fn vectors_arrays_and_tensors_are_taken_as_out() {
    let (operands, rules) = ([(&[1_i32, 2]).into(), 10.into()], rules());
    let (mut vector, mut array, mut tensor) =
        (vec![0_i32; 2], [0_i32; 2], Tensor::zeros(DType::I32, &[2]).unwrap());
    rules.prepare(Op::Add, &operands).out(&mut vector).run().unwrap();
    rules.prepare(Op::Add, &operands).out(&mut array).run().unwrap();
    rules.prepare(Op::Add, &operands).out(&mut tensor).run().unwrap();
    rules.prepare(Op::Add, &operands[1..]).in_place(&mut array[..1]).run().unwrap();
    assert_eq!((&vector[..], array, tensor.to_string()), (&[11, 12][..], [21, 12], "[11, 12]".into()));
}

#[test]
fn debug_output_shows_dtypes_and_elements_but_no_addresses() {
    let view = TensorView::from(&[1_i32, -2]);
    assert_eq!(format!("{view:?}"), "TensorView { dtype: I32, shape: [2], elements: [1, -2], .. }");
    assert_eq!(format!("{:?}", Slice::new(&[0.5_f32])), "Slice { dtype: F32, elements: [0.5], .. }");
    let kernel = rules().kernel(Op::Add, DType::I32, DType::F16).unwrap();
    assert_eq!(format!("{kernel:?}"), "Kernel { operands: [I32, F16], output: F16, .. }");
}

#[test]
fn a_call_writes_into_an_array_that_the_caller_makes() {
    let (rules, operands) = (rules(), [(&[1_i8, 2]).into(), (&[0.5_f32, 0.25]).into()]);
    let mut made = [0.0_f32; 2];
    rules
        .prepare(Op::Add, &operands)
        .run_into(|dtype, shape| {
            assert_eq!((dtype, shape), (DType::F32, &[2][..]));
            Ok::<_, Error>(TensorViewMut::new(&mut made, &[2])?)
        })
        .unwrap();
    assert_eq!(made, [1.5, 2.25]);
    let mut sum = [0.0_f32];
    rules
        .prepare(Op::Sum, &operands[1..])
        .run_into(|dtype, shape| {
            assert_eq!((dtype, shape), (DType::F32, &[][..]));
            Ok::<_, Error>(TensorViewMut::new(&mut sum, &[])?)
        })
        .unwrap();
    assert_eq!(sum, [0.75]);
}

#[test]
fn an_array_that_the_caller_makes_has_the_dtype_of_the_result() {
    let operands = [(&[1_i8, 2]).into(), (&[0.5_f32, 0.25]).into()];
    let mut made = [7_i64; 2];
    let call = rules().prepare(Op::Add, &operands);
    let error = call.run_into(|_, _| Ok::<_, Error>(TensorViewMut::new(&mut made, &[2])?)).unwrap_err();
    assert!(matches!(error, Error::Call(CallError::DType { expected: DType::F32, found: DType::I64, .. })));
    assert_eq!(made, [7; 2]);
}

#[test]
fn operands_in_error_ask_for_no_array() {
    let operands = [(&[1_u16]).into(), (&[1_i32]).into()];
    let call = rules().prepare(Op::Add, &operands);
    let error = call.run_into(|_, _| -> Result<TensorViewMut<'_>, Error> { unreachable!() }).unwrap_err();
    assert!(matches!(error, Error::Promote(_)));
}

#[cfg(feature = "array-api")]
#[test]
fn a_zero_remainder_has_the_sign_of_the_divisor_under_the_array_api_standard() {
    let rules = promote::ArrayApi::new().rule_set();
    let operands = [(&[-0.0_f64, 0.0]).into(), (&[1.0_f64, -1.0]).into()];
    let found = rules.call(Op::Remainder, &operands).unwrap().into_vec::<f64>().unwrap();
    assert_eq!(found.iter().map(|x| x.is_sign_negative()).collect::<Vec<_>>(), [false, true]);
}
