//! Views: broadcasting, strides, zero-dimensional operands, outputs and casts.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use half::f16;
use promote::{
    Argument, Casting, DType, Error, NumPy, Number, Op, PromoteError, RuleSet, Tensor, TensorView,
    TensorViewMut, Torch, ViewError,
};
use promote::{CallError, ScalarValue, Slice};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn numbers<T: promote::Element>(tensor: &Tensor) -> &[T] {
    tensor.as_slice().expect("the dtype of the result")
}

#[test]
fn a_row_and_a_column_broadcast_to_a_matrix() {
    let (row, column) = ([1_i8, 2, 3], [f16::from_f32(10.0), f16::from_f32(20.0)]);
    let row = TensorView::new(&row[..], &[3]).unwrap();
    let column = TensorView::new(&column[..], &[2, 1]).unwrap();
    let sum = torch().call(Op::Add, &[(&row).into(), (&column).into()]).unwrap();
    assert_eq!((sum.dtype(), sum.shape()), (DType::F16, &[2, 3][..]));
    let found: Vec<f32> = numbers::<f16>(&sum).iter().map(|x| x.to_f32()).collect();
    assert_eq!(found, [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
}

#[test]
fn strides_can_be_negative_and_zero() {
    let a = [1_i32, 2, 3, 4, 5, 6];
    let reversed = TensorView::byte_strided(&a[..], &[6], &[-4], 20).unwrap();
    let repeated = TensorView::byte_strided(&a[..], &[2, 3], &[4, 0], 4).unwrap();
    let transpose = TensorView::byte_strided(&a[..], &[3, 2], &[4, 12], 0).unwrap();
    let negative = |view: &TensorView<'_>| torch().call(Op::Negative, &[view.into()]).unwrap();
    assert_eq!(numbers::<i32>(&negative(&reversed)), [-6, -5, -4, -3, -2, -1]);
    assert_eq!(numbers::<i32>(&negative(&repeated)), [-2, -2, -2, -3, -3, -3]);
    assert_eq!(numbers::<i32>(&negative(&transpose)), [-1, -4, -2, -5, -3, -6]);
}

#[test]
fn results_are_written_to_the_elements_of_the_view() {
    let a = [1.5_f32, 2.5, 3.5];
    let mut out = [0.0_f32; 7];
    let view = TensorViewMut::byte_strided(&mut out[..], &[3], &[-8], 20).unwrap();
    torch().prepare(Op::Add, &[(&a[..]).into(), Number::Int(1).into()]).out(view).run().unwrap();
    assert_eq!(out, [0.0, 4.5, 0.0, 3.5, 0.0, 2.5, 0.0]);
}

#[test]
fn zero_dimensional_views_have_one_element_and_empty_views_none() {
    let x = [2.0_f64];
    let zero_dim = TensorView::new(&x[..], &[]).unwrap();
    let square = torch().call(Op::Multiply, &[(&zero_dim).into(), (&zero_dim).into()]).unwrap();
    assert_eq!((square.shape(), numbers::<f64>(&square)), (&[][..], &[4.0][..]));
    let empty = TensorView::new(&x[..0], &[3, 0]).unwrap();
    let sum = torch().call(Op::Add, &[(&empty).into(), (&zero_dim).into()]).unwrap();
    assert_eq!((sum.shape(), sum.len()), (&[3, 0][..], 0));
}

#[test]
fn zero_dimensional_views_promote_as_the_rule_set_says() {
    let (array, x) = ([1.0_f32, 2.0], [0.5_f64]);
    let zero_dim = TensorView::new(&x[..], &[]).unwrap();
    let one = TensorView::new(&x[..], &[1]).unwrap();
    let add = |rules: RuleSet, b: &TensorView<'_>| {
        rules.call(Op::Add, &[(&array[..]).into(), b.into()]).unwrap().dtype()
    };
    assert_eq!([add(torch(), &zero_dim), add(torch(), &one)], [DType::F32, DType::F64]);
    let numpy = NumPy::new().rule_set();
    assert_eq!([add(numpy, &zero_dim), add(numpy, &one)], [DType::F64, DType::F64]);
}

#[cfg(feature = "numpy1")]
#[test]
fn values_of_zero_dimensional_views_count_under_value_based_rules() {
    let rules = promote::NumPy1::new().rule_set();
    let (array, small, large) = ([1_i8, 2], [100_i64], [1000_i64]);
    let dtype = |b: &[i64]| {
        let b = TensorView::new(b, &[]).unwrap();
        rules.call(Op::Add, &[(&array[..]).into(), (&b).into()]).unwrap().dtype()
    };
    assert_eq!([dtype(&small), dtype(&large)], [DType::I8, DType::I16]);
}

#[test]
fn where_broadcasts_its_three_operands() {
    let condition = [true, false];
    let condition = TensorView::new(&condition[..], &[2, 1]).unwrap();
    let a = [1_u8, 2, 3];
    let chosen =
        torch().call(Op::Where, &[(&condition).into(), (&a[..]).into(), Number::Float(0.5).into()]).unwrap();
    assert_eq!(numbers::<f32>(&chosen), [1.0, 2.0, 3.0, 0.5, 0.5, 0.5]);
}

#[test]
fn a_kernel_with_extra_inputs_that_is_cached_serves_each_destination() {
    // Each call finds what the calls before it have cached, and none the kernel for another destination.
    let condition = [true, false, false];
    let (a, b) = ([1_u8, 2, 3], [0.5_f32, 1.5, 2.5]);
    let operands = [(&condition).into(), (&a).into(), (&b).into()];
    for _ in 0..3 {
        let mut wide = [0.0_f64; 3];
        let out = TensorViewMut::from(&mut wide[..]);
        torch().prepare(Op::Where, &operands).out(out).run().unwrap();
        assert_eq!(wide, [1.0, 1.5, 2.5]);
        let chosen = torch().call(Op::Where, &operands).unwrap();
        assert_eq!(numbers::<f32>(&chosen), [1.0, 1.5, 2.5]);
        // The weight comes behind the operands.
        let mut half = [f16::ZERO; 3];
        let out = TensorViewMut::from(&mut half[..]);
        let operands = [(&b).into(), (&[1.5_f32, 3.5, 4.5]).into(), (&[1.0_f32, 0.5, 0.0]).into()];
        torch().prepare(Op::Lerp, &operands).out(out).run().unwrap();
        assert_eq!(half.map(f16::to_f32), [1.5, 2.5, 2.5]);
        let between = torch().call(Op::Lerp, &operands).unwrap();
        assert_eq!(numbers::<f32>(&between), [1.5, 2.5, 2.5]);
    }
    let refused = torch().call(Op::Where, &[(&a).into(), (&a).into(), (&b).into()]);
    assert!(refused.is_err(), "a condition is of bools");
}

#[test]
fn an_extra_number_is_no_array_whatever_was_looked_up_before() {
    for _ in 0..5 {
        torch().kernel(Op::PoissonNllLoss, DType::I32, DType::F32).unwrap();
        let (a, b) = ([1_i32, 2], [0.5_f32, 1.5]);
        let refused = torch().call(Op::PoissonNllLoss, &[(&a).into(), (&b).into(), (&b).into()]).unwrap_err();
        assert!(refused.to_string().contains("must be a number, not an array"), "{refused}");
    }
}

#[test]
fn in_place_keeps_dtype_and_shape_of_the_left_operand() {
    let mut a = [1_i16, 2, 3, 4];
    let row = [10_i64, 20];
    let out = TensorViewMut::new(&mut a[..], &[2, 2]).unwrap();
    torch().prepare(Op::Add, &[(&row[..]).into()]).in_place(out).run().unwrap();
    assert_eq!(a, [11, 22, 13, 24]);
    // In place on a transpose.
    let out = TensorViewMut::byte_strided(&mut a[..], &[2, 2], &[2, 4], 0).unwrap();
    torch().prepare(Op::Subtract, &[(&row[..]).into()]).in_place(out).run().unwrap();
    assert_eq!(a, [1, 12, -7, 4]);
    let half = [0.5_f32];
    let out = TensorViewMut::from(&mut a[..]);
    let refused = torch().prepare(Op::Add, &[(&half[..]).into()]).in_place(out).run().unwrap_err();
    assert!(matches!(refused, Error::Promote(PromoteError::CastRefused { .. })), "{refused}");
    assert_eq!(a, [1, 12, -7, 4]);
}

#[test]
fn results_are_cast_to_out_as_the_rule_set_allows() {
    let (a, b) = ([1_i32, 2], [3_i32, 4]);
    for rules in [torch(), NumPy::new().rule_set()] {
        let mut wide = [0.0_f64; 2];
        let inputs = [(&a[..]).into(), (&b[..]).into()];
        rules.prepare(Op::Add, &inputs).out(&mut wide[..]).run().unwrap();
        assert_eq!(wide, [4.0, 6.0]);
        let mut narrow = [false; 2];
        let refused = rules.prepare(Op::Add, &inputs).out(&mut narrow[..]).run().unwrap_err();
        assert!(matches!(refused, Error::Promote(PromoteError::CastRefused { .. })), "{refused}");
    }
}

#[test]
fn casts_are_checked_at_the_given_level() {
    let a = [1.5_f64, -2.5];
    let view = TensorView::from(&a[..]);
    let numpy = NumPy::new().rule_set();
    assert_eq!(numbers::<i32>(&numpy.astype(&view, DType::I32, None).unwrap()), [1, -2]);
    assert_eq!(
        numbers::<f32>(&numpy.astype(&view, DType::F32, Some(Casting::SameKind)).unwrap()),
        [1.5, -2.5]
    );
    let refused = numpy.astype(&view, DType::F32, Some(Casting::Safe)).unwrap_err();
    assert!(matches!(refused, Error::Promote(PromoteError::CastRefused { .. })), "{refused}");
}

#[test]
fn shapes_that_do_not_fit_are_named_by_axis() {
    let numbers = [0.0_f32; 12];
    let a = TensorView::new(&numbers[..], &[3, 4]).unwrap();
    let b = TensorView::new(&numbers[..6], &[2, 3, 1]).unwrap();
    let c = TensorView::new(&numbers[..3], &[3]).unwrap();
    let text = |result: Result<Tensor, Error>| result.unwrap_err().to_string();
    assert_eq!(
        text(torch().call(Op::Add, &[(&a).into(), (&c).into()])),
        "operand `b` has length 3 along axis -1, and the inputs before it have 4; help: only an axis of length 1 broadcasts to another \
         length"
    );
    let mut out = [0.0_f32; 12];
    let mut into = |shape: &[usize], inputs: &[Argument<'_>]| {
        let out = TensorViewMut::new(&mut out[..shape.iter().product()], shape).unwrap();
        torch().prepare(Op::Add, inputs).out(out).run().unwrap_err()
    };
    assert!(matches!(
        into(&[3, 4], &[(&a).into(), (&b).into()]),
        Error::Call(CallError::Rank { expected: 2, found: 3, .. })
    ));
    assert!(matches!(
        into(&[3, 1], &[(&c).into(), (&a).into()]),
        Error::Call(CallError::Broadcast { axis: 1, expected: 1, found: 3, .. })
    ));
}

#[test]
fn views_reject_elements_outside_their_memory() {
    let mut a = [0_u16; 6];
    let refused = |shape: &[usize], strides: &[isize], offset| {
        TensorView::byte_strided(&a[..], shape, strides, offset).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(&[7], &[2], 0), ViewError::OutOfBounds { first: 0, end: 14, bytes: 12 });
    assert_eq!(refused(&[6], &[2], 1), ViewError::OutOfBounds { first: 1, end: 13, bytes: 12 });
    assert_eq!(refused(&[2], &[-2], 0), ViewError::OutOfBounds { first: -2, end: 2, bytes: 12 });
    assert_eq!(refused(&[2, 2], &[2], 0), ViewError::Rank { shape: 2, strides: 1 });
    assert_eq!(refused(&[usize::MAX, 2], &[2, 2], 0), ViewError::TooLarge);
    assert_eq!(refused(&[3], &[isize::MIN], 0), ViewError::TooLarge);
    assert_eq!(refused(&[1], &[2], usize::MAX), ViewError::TooLarge);
    assert_eq!(
        TensorView::new(&a[..], &[2, 4]).map(|_| ()).unwrap_err(),
        ViewError::Length { expected: 8, found: 6 }
    );
    let aliased = TensorViewMut::byte_strided(&mut a[..], &[2, 3], &[0, 2], 0).map(|_| ());
    assert_eq!(aliased.unwrap_err(), ViewError::Aliased);
    // An empty view has no element outside its memory.
    assert!(TensorView::byte_strided(&a[..0], &[0, 9], &[2, 2], 0).is_ok());
}

#[test]
fn misaligned_elements_and_bools_of_any_byte_are_read() {
    let mut bytes = [0_u8; 13];
    bytes[1..13].copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let a = TensorView::from_bytes(DType::I32, &bytes, &[3], &[4], 1).unwrap();
    let truth = [0_u8, 2, 255];
    let truth = TensorView::from_bytes(DType::Bool, &truth, &[3], &[1], 0).unwrap();
    let sum = torch().call(Op::Add, &[(&a).into(), (&truth).into()]).unwrap();
    assert_eq!(numbers::<i32>(&sum), [1, 3, 4]);
}

#[test]
fn traps_leave_the_output_untouched() {
    let (a, b) = ([1_i32; 12], [1_i32, 0, 1]);
    let a = TensorView::byte_strided(&a[..], &[4, 3], &[4, 16], 0).unwrap();
    let mut out = [7_i32; 24];
    let view = TensorViewMut::byte_strided(&mut out[..], &[4, 3], &[24, 8], 0).unwrap();
    let trapped =
        torch().prepare(Op::FloorDivide, &[(&a).into(), (&b[..]).into()]).out(view).run().unwrap_err();
    assert_eq!(trapped, Error::Call(CallError::DivisionByZero));
    assert_eq!(out, [7; 24]);
}

#[test]
fn a_kernel_is_found_once_and_called_on_many_views() {
    let kernel = torch().kernel(Op::Multiply, DType::I8, DType::F32).unwrap();
    let (a, b) = ([1_i8, 2, 3, 4], [0.5_f32, 2.0]);
    let column = TensorView::new(&b[..], &[2, 1]).unwrap();
    let mut out = [0.0_f32; 4];
    for (strides, expected) in [([2, 1], [0.5, 1.0, 6.0, 8.0]), ([1, 2], [0.5, 1.5, 4.0, 8.0])] {
        let a = TensorView::byte_strided(&a[..], &[2, 2], &strides, 0).unwrap();
        let out_view = TensorViewMut::new(&mut out[..], &[2, 2]).unwrap();
        kernel.call_views(&[(&a).into(), (&column).into()], out_view).unwrap();
        assert_eq!(out, expected);
    }
}

#[test]
fn tensors_give_back_their_elements() {
    let tensor = Tensor::new(&[1_u8, 2, 3, 4, 5, 6][..], &[2, 3]).unwrap();
    assert_eq!(tensor.view().get(&[1, 0]).and_then(|x| x.get()), Some(4_u8));
    let tensor = tensor.into_shape(&[3, 2]).unwrap();
    assert_eq!((tensor.shape(), tensor.as_bytes()), (&[3, 2][..], &[1, 2, 3, 4, 5, 6][..]));
    assert_eq!(Tensor::zeros(DType::C64, &[2]).unwrap().as_bytes(), [0; 16]);
    let one = Tensor::new(Slice::new(&[2.5_f64]), &[1, 1]).unwrap();
    assert_eq!(one.item().as_ref().and_then(ScalarValue::get), Some(2.5));
    let huge = Tensor::zeros(DType::F64, &[1 << 60]).unwrap_err();
    assert!(matches!(huge, CallError::Memory { .. }), "{huge}");
    let missing = Tensor::zeros(DType::U8, &[isize::MAX as usize]).unwrap_err();
    assert!(matches!(missing, CallError::Memory { .. }), "{missing}");
}

/// Expects what PyTorch and NumPy write into an `out` of a wider dtype, of an unrelated one, and of the
/// compute dtype.
#[test]
fn a_result_is_rounded_to_the_dtype_of_the_op_before_it_is_cast_to_that_of_out() {
    let halves = |x: [f32; 2]| x.map(f16::from_f32);
    let (a, b) = (halves([2048.0, 2050.0]), halves([1.0, 1.0]));
    let mut wide = [0.0_f32; 2];
    torch().prepare(Op::Add, &[(&a[..]).into(), (&b[..]).into()]).out(&mut wide[..]).run().unwrap();
    assert_eq!(wide, [2048.0, 2052.0]);
    // 1 + 2^-8 + 2^-12 is a tie in bf16 once f16 has lost the last bit.
    let (a, b) = (halves([1.0; 2]), halves([(2.0_f32).powi(-8) + (2.0_f32).powi(-12); 2]));
    let mut third = [half::bf16::ZERO; 2];
    torch().prepare(Op::Add, &[(&a[..]).into(), (&b[..]).into()]).out(&mut third[..]).run().unwrap();
    assert_eq!(third.map(half::bf16::to_f32), [1.0; 2]);
    let mut root = [0.0_f64];
    let numpy = NumPy::new().rule_set();
    numpy.prepare(Op::Sqrt, &[(&[31_i8][..]).into()]).out(&mut root[..]).run().unwrap();
    assert_eq!(root, [5.566_406_25]);
    // A number that is not rounded to the common dtype first.
    let mut scaled = [0.0_f32];
    let x = [half::bf16::from_f32(2049.0)];
    torch().prepare(Op::Multiply, &[(&x[..]).into(), 1.001.into()]).out(&mut scaled[..]).run().unwrap();
    assert_eq!(scaled, [2048.0]);
}

/// PyTorch's `addcmul_` casts the result to the dtype of the left operand, not to the promoted dtype.
#[test]
fn third_operands_may_be_wider_than_an_output_in_place() {
    let mut a = [num_complex::Complex::new(1.0_f32, 1.0)];
    let (b, c) = ([num_complex::Complex::new(2.0_f64, 0.0)], [3_i8]);
    torch().prepare(Op::Addcmul, &[(&b[..]).into(), (&c[..]).into()]).in_place(&mut a[..]).run().unwrap();
    assert_eq!(a, [num_complex::Complex::new(7.0, 1.0)]);
    let mut a = [1_i32];
    let others = [(&[2.5_f32][..]).into(), (&[3.0_f32][..]).into()];
    let refused = torch().prepare(Op::Addcmul, &others).in_place(&mut a[..]).run().unwrap_err();
    assert!(matches!(refused, Error::Promote(_)), "{refused}");
    assert_eq!(a, [1]);
}
