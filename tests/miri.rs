//! A few small calls for each path from an operand to its memory, on one thread. `.ci/miri` runs them under
//! Miri, which detects undefined behaviour that no result shows. Miri interprets neither SIMD instructions
//! nor non-temporal stores; an address sanitizer and the fuzz targets cover those.
//!
//! Each call is compared with a call on contiguous copies of its operands, so these tests are useful without
//! Miri, too. Other tests compare values.
#![cfg(all(feature = "kernels", feature = "std", feature = "torch"))]
#![allow(clippy::float_cmp, reason = "results are exact")]

use std::ops::{Add, Mul};

use half::{bf16, f16};
use num_complex::Complex;
use promote::{
    Argument, Axes, DType, Element, Error, IterationConfig, Kind, Number, Op, Operand, RuleSet, Tensor,
    TensorView, TensorViewMut, Torch,
};
use promote::{CallError, ScalarValue, Slice, SliceMut};
use promote_runtime::__private::kernel::Accumulator;

fn rules() -> RuleSet {
    Torch::new().rule_set()
}

/// Returns bytes of many values, most of which are not valid for a `bool`.
fn bytes() -> Vec<u8> {
    (0..240_usize).map(|i| (i * 37 % 251) as u8).collect()
}

/// Returns a contiguous copy of a view.
fn contiguous(view: &TensorView<'_>) -> Tensor {
    rules().astype(view, view.dtype(), None).expect("a cast to the same dtype")
}

/// Asserts that two arrays have equal bytes, apart from the payloads of NaN.
fn assert_same(found: &Tensor, expected: &Tensor, what: &str) {
    if (found.dtype(), found.shape(), found.as_bytes())
        == (expected.dtype(), expected.shape(), expected.as_bytes())
    {
        return;
    }
    assert!(found.dtype().kind() >= Kind::Float, "{what}: {found:?} is not {expected:?}");
    let f64s = |tensor: &Tensor| -> Vec<String> {
        let wide = if found.dtype().name().starts_with('c') { DType::C128 } else { DType::F64 };
        let wide = rules().astype(&tensor.view(), wide, None).expect("a cast");
        (0..wide.len())
            .map(|i| format!("{:?}", wide.view().get(&index(wide.shape(), i)).and_then(|x| x.number())))
            .collect()
    };
    assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()), "{what}");
    assert_eq!(f64s(found), f64s(expected), "{what}");
}

/// The calls below that PyTorch refuses.
const REFUSED: [(Op, DType); 4] =
    [(Op::Norm, DType::Bool), (Op::Norm, DType::I64), (Op::Argmin, DType::Bool), (Op::Argmin, DType::C64)];

/// Asserts that two results are equal as in [`assert_same`], or that both are refusals and one is expected.
fn assert_same_call(
    found: Result<Tensor, Error>,
    expected: Result<Tensor, Error>,
    refused: bool,
    what: &str,
) {
    match (found, expected) {
        (Ok(found), Ok(expected)) if !refused => assert_same(&found, &expected, what),
        (Err(Error::Promote(_)), Err(Error::Promote(_))) if refused => {}
        (found, expected) => panic!("{what}: {found:?} and {expected:?}"),
    }
}

/// The index of the element that is the `i`-th in row-major order.
fn index(shape: &[usize], mut i: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, len) in index.iter_mut().zip(shape).rev() {
        *at = i % len;
        i /= len;
    }
    index
}

const DTYPES: [DType; 6] = [DType::Bool, DType::I16, DType::F8E4M3FN, DType::BF16, DType::F64, DType::C64];

/// Strides in bytes and an offset for views of 3 x 4 elements of `size` bytes that are not contiguous, or not
/// aligned.
fn layouts(size: isize) -> [([isize; 2], usize); 4] {
    [
        ([4 * size, size], 1),                             // at odd addresses
        ([size, 3 * size], 0),                             // a transpose
        ([-4 * size, -size], (11 * size).cast_unsigned()), // backwards
        ([0, size + 1], 0),                                // repeated rows, elements apart
    ]
}

#[test]
fn strided_views_are_read_as_their_contiguous_copies() {
    let (bytes, shape) = (bytes(), [3, 4]);
    for dtype in DTYPES {
        let size = dtype.size().expect("a dtype with elements").cast_signed();
        for (strides, offset) in layouts(size) {
            let view = TensorView::from_bytes(dtype, &bytes, &shape, &strides, offset).expect("a valid view");
            let copy = contiguous(&view);
            for op in [Op::Multiply, Op::LogicalNot] {
                let inputs = |view: &'_ TensorView<'_>| -> Result<Tensor, Error> {
                    let arguments = [Argument::from(view), Argument::from(view)];
                    rules().call(op, &arguments[..op.arity()])
                };
                let what = format!("{op} {dtype} {strides:?} {offset}");
                assert_same_call(inputs(&view), inputs(&copy.view()), REFUSED.contains(&(op, dtype)), &what);
            }
        }
    }
}

#[test]
fn mixed_dtypes_and_broadcasts_are_cast_in_blocks_and_loops() {
    let (bytes, shape, row) = (bytes(), [3, 4], [4]);
    for a in [DType::Bool, DType::F16] {
        for b in [DType::U8, DType::F64, DType::C64] {
            let [width, other] = [a, b].map(|dtype| dtype.size().expect("elements").cast_signed());
            let (transposed, row_major) = ([width, 3 * width], [other]);
            let a = TensorView::from_bytes(a, &bytes, &shape, &transposed, 0);
            let b = TensorView::from_bytes(b, &bytes, &row, &row_major, 16);
            let (a, b) = (a.expect("a valid view"), b.expect("a valid view"));
            let (left, right) = (contiguous(&a), contiguous(&b));
            for op in [Op::Add, Op::Equal, Op::Divide, Op::Pow] {
                let found = rules().call(op, &[(&a).into(), (&b).into()]).expect("a kernel");
                let (left, right) = (left.view(), right.view());
                let expected = rules().call(op, &[(&left).into(), (&right).into()]).expect("a kernel");
                assert_same(&found, &expected, &format!("{op} {} {}", a.dtype(), b.dtype()));
            }
        }
    }
}

#[test]
fn where_reads_its_condition_from_any_byte() {
    let conditions = [0_u8, 1, 2, 128, 255, 0];
    let condition = Slice::from_bytes(DType::Bool, &conditions).expect("bytes of bools");
    let (a, b) = ([1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], [-1_i8; 6]);
    let mut out = [0.0_f32; 6];
    rules()
        .where_(condition.into(), (&a[..]).into(), (&b[..]).into(), SliceMut::new(&mut out))
        .expect("a kernel");
    assert_eq!(out, [-1.0, 2.0, 3.0, 4.0, 5.0, -1.0]);
}

#[test]
fn outputs_may_overlap_operands() {
    let rules = rules();
    // Slices of one buffer, with `out` before, between and after the operands.
    for (a, b, out) in [(0, 8, 4), (4, 4, 0), (0, 0, 4), (1, 9, 5), (0, 3, 0)] {
        let mut room = bytes();
        let (operands, len) = (room.clone(), 40);
        let first = room.as_mut_ptr();
        // SAFETY: 4 · 40 + 9 bytes are fewer than `room` has; nobody else uses it during the call.
        let result = unsafe {
            let slice = |at: usize| Slice::from_raw_parts(DType::I32, first.add(at), len).unwrap();
            let target = SliceMut::from_raw_parts(DType::I32, first.add(out), len).unwrap();
            rules.binary(Op::Add, slice(a).into(), slice(b).into(), target)
        };
        result.expect("overlap is legal");
        let read = |bytes: &[u8], at: usize| i32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
        for i in 0..len {
            let sum = read(&operands, a + 4 * i).wrapping_add(read(&operands, b + 4 * i));
            assert_eq!(read(&room, out + 4 * i), sum, "{a} {b} {out}, element {i}");
        }
    }
}

#[test]
fn outputs_at_an_address_may_be_uninitialised_until_the_call() {
    let rules = rules();
    let mut room = Vec::<i32>::with_capacity(3);
    let (first, shape) = (room.as_mut_ptr().cast::<u8>(), [3]);
    // SAFETY: `room` has memory for 3 elements, which nobody else uses until the length is set.
    let mut out = unsafe { TensorViewMut::from_raw_parts(DType::I32, first, &shape, &[4]) }.unwrap();
    assert!(!format!("{out:?}").contains("elements"));
    rules.prepare(Op::Add, &[(&[1, 2, 3]).into(), 10.into()]).out(out.reborrow()).run().unwrap();
    assert_eq!(out.as_view().unwrap().to_string(), "[11, 12, 13]");
    // SAFETY: as above. The call has initialised the elements.
    let slice = unsafe { SliceMut::from_raw_parts(DType::I32, first, 3) }.unwrap();
    assert!(!format!("{:?}", TensorViewMut::from(slice)).contains("elements"));
    // SAFETY: the call has initialised 3 elements.
    unsafe { room.set_len(3) };
    assert_eq!(room, [11, 12, 13]);
}

#[test]
fn views_in_place_and_reversed_operands_of_one_array() {
    let mut numbers: Vec<f32> = (0..12_u8).map(f32::from).collect();
    let expected: Vec<f32> = (0..12).map(|i| numbers[i] + numbers[11 - i]).collect();
    let (first, shape) = (numbers.as_mut_ptr().cast::<u8>(), [12]);
    // SAFETY: both are the elements of `numbers`, which nobody else uses during the call.
    let (reversed, out) = unsafe {
        (
            TensorView::from_raw_parts(DType::F32, first.add(44), &shape, &[-4]).unwrap(),
            TensorViewMut::from_raw_parts(DType::F32, first, &shape, &[4]).unwrap(),
        )
    };
    rules().prepare(Op::Add, &[(&reversed).into()]).in_place(out).run().expect("overlap is legal");
    assert_eq!(numbers, expected);

    let mut matrix = Tensor::new(&[1_i32, 2, 3, 4, 5, 6][..], &[2, 3]).unwrap();
    rules().prepare(Op::Subtract, &[(&[1_i8, 2, 3][..]).into()]).in_place(matrix.view_mut()).run().unwrap();
    rules().prepare(Op::Multiply, &[Number::Int(10).into()]).in_place(matrix.view_mut()).run().unwrap();
    assert_eq!(matrix.as_slice::<i32>(), Some(&[0, 0, 0, 30, 30, 30][..]));
}

#[test]
fn tensors_are_borrowed_where_they_were_moved_and_give_their_memory_back() {
    let tensors: Vec<Tensor> =
        (0..3_u8).map(|i| Tensor::from_vec(vec![f64::from(i); 6], &[2, 3]).expect("six elements")).collect();
    let mut moved = Box::new(tensors);
    moved.swap(0, 2);
    let sum = rules().call(Op::Add, &[(&moved[0]).into(), (&moved[1]).into()]).expect("a kernel");
    rules().prepare(Op::Multiply, &[(&sum).into()]).in_place(moved[2].view_mut()).run().expect("a kernel");
    let reshaped = moved.remove(0).into_shape(&[3, 2]).expect("six elements");
    assert_eq!(reshaped.clone(), reshaped);
    assert_eq!(sum.into_vec::<f64>().expect("f64s"), [3.0; 6]);
    assert!(reshaped.into_vec::<f32>().is_err());
}

#[test]
fn calls_that_stop_at_an_operand_leave_the_output_untouched() {
    let (a, b) = ([7_i32; 9], [1, 2, 3, 4, 0, 5, 6, 7, 8]);
    let mut out = [99_i32; 9];
    let result = rules().binary(Op::FloorDivide, (&a[..]).into(), (&b[..]).into(), SliceMut::new(&mut out));
    assert!(matches!(result, Err(Error::Call(CallError::DivisionByZero))));
    assert_eq!(out, [99; 9]);
}

#[test]
fn uninitialised_outputs_are_written_whole() {
    let (a, mut out) = ([f16::ONE; 70], [const { std::mem::MaybeUninit::<f16>::uninit() }; 70]);
    rules().unary(Op::Exp, (&a[..]).into(), SliceMut::uninit(&mut out)).expect("a kernel");
    // SAFETY: a call that succeeds has written all of `out`.
    assert!(out.iter().all(|x| unsafe { x.assume_init() } == f16::from_f32(core::f32::consts::E)));
}

#[test]
fn reductions_read_views_of_every_layout() {
    let (bytes, shape) = (bytes(), [3, 4]);
    for dtype in [DType::Bool, DType::I64, DType::F16, DType::C64] {
        let size = dtype.size().expect("a dtype with elements").cast_signed();
        for (strides, offset) in layouts(size) {
            let view = TensorView::from_bytes(dtype, &bytes, &shape, &strides, offset).expect("a valid view");
            let copy = contiguous(&view);
            let ops = [Op::Sum, Op::Norm, Op::Argmin, Op::Any];
            // The last digits of sums and products of wide floats depend on the order of the elements in
            // memory.
            let exact = if dtype == DType::C64 { 2 } else { 0 };
            for op in ops.into_iter().skip(exact) {
                for axes in [Axes::Of(&[0]), Axes::Of(&[-1])] {
                    let reduce = |view: &TensorView<'_>| rules().prepare(op, &[view.into()]).axes(axes).run();
                    let what = format!("{op} {dtype} {strides:?} {axes:?}");
                    let refused = REFUSED.contains(&(op, dtype));
                    assert_same_call(reduce(&view), reduce(&copy.view()), refused, &what);
                }
            }
        }
    }
}

#[test]
fn arrays_that_arrive_in_parts_are_reduced_as_whole_ones() {
    let (bytes, shape) = (bytes(), [4, 6]);
    let parts = [([0, 0], [3, 2]), ([0, 2], [3, 4]), ([3, 0], [1, 6])];
    for (op, dtype) in [(Op::Sum, DType::I16), (Op::Argmax, DType::I16), (Op::Any, DType::Bool)] {
        let size = dtype.size().expect("a dtype with elements");
        let strides = [6 * size.cast_signed(), size.cast_signed()];
        let whole = TensorView::from_bytes(dtype, &bytes, &shape, &strides, 0).expect("a view");
        for axes in [Axes::One(0), Axes::One(-1), Axes::All] {
            let mut reduced =
                Accumulator::new(&rules().prepare(op, &[]).axes(axes), Operand::Array(dtype), &shape)
                    .expect("a reduction");
            for (at, lengths) in &parts {
                let offset = (6 * at[0] + at[1]) * size;
                let part = TensorView::from_bytes(dtype, &bytes, lengths, &strides, offset).expect("a part");
                reduced.add(at, &part).expect("it lies within the array");
            }
            assert!(reduced.add(&[1, 0], &whole).is_err(), "it reaches beyond the array");
            let expected = rules().prepare(op, &[(&whole).into()]).axes(axes).run().expect("a reduction");
            assert_same(&reduced.finish().expect("memory"), &expected, &format!("{op} {axes:?}"));
        }
    }
}

#[test]
fn scans_and_medians_read_and_write_strided_elements() {
    let (bytes, shape) = (bytes(), [4, 6]);
    let view = TensorView::from_bytes(DType::I16, &bytes, &shape, &[2, 8], 0).expect("a view");
    for axis in [0, 1] {
        let call = rules().prepare(Op::Cumsum, &[(&view).into()]).axis(axis).run().expect("a scan");
        let mut out = [0_i64; 48];
        let target = TensorViewMut::strided(&mut out[..], &shape, &[2, 8], 0).expect("a view");
        rules().prepare(Op::Cumsum, &[(&view).into()]).axis(axis).out(target).run().expect("a scan");
        let sums = call.as_slice::<i64>().expect("i64");
        assert!((0..24).all(|i| out[2 * (i / 6) + 8 * (i % 6)] == sums[i]));
        for op in [Op::Median, Op::Nansum] {
            rules().prepare(op, &[(&view).into()]).axis(axis).run().expect("a reduction");
        }
        let floats = rules().astype(&view, DType::F32, None).expect("a cast");
        for op in [Op::Median, Op::Nansum, Op::Var, Op::Logsumexp, Op::Cumprod] {
            rules().prepare(op, &[(&floats).into()]).axis(axis).run().expect("a result");
        }
        rules().prepare(Op::Sum, &[(&view).into()]).axis(axis).dtype(DType::I8).run().expect("a sum");
    }
}

#[test]
fn products_are_added_over_strided_vectors() {
    let numbers: Vec<f32> = (0..40_u8).map(f32::from).collect();
    let (shape, strides) = ([13], [-12]);
    let a = TensorView::byte_strided(&numbers[..], &shape, &strides, 4 * 39).expect("a valid view");
    let b = TensorView::from(&numbers[..13]);
    let dot = rules()
        .call(Op::Dot, &[(&a).into(), (&b).into()])
        .expect("a kernel")
        .item()
        .expect("one element")
        .number();
    let expected: f32 = (0..13).map(|i| numbers[39 - 3 * i] * numbers[i]).sum();
    assert_eq!(dot, Some(Number::Float(f64::from(expected))));
}

#[test]
fn scalars_and_bytes_make_values_of_every_dtype() {
    for dtype in DTYPES {
        let bytes = &bytes()[..dtype.size().expect("a dtype with elements")];
        let scalar = ScalarValue::from_bytes(dtype, bytes).expect("so many bytes");
        let a = [Complex::new(1.0_f64, -1.0); 5];
        let mut out = [false; 5];
        let result = rules().binary(Op::NotEqual, (&a[..]).into(), scalar.into(), SliceMut::new(&mut out));
        result.unwrap_or_else(|error| panic!("{dtype}: {error}"));
        assert_eq!(out, [true; 5], "{dtype}");
    }
}

#[test]
fn iterations_hand_out_slices_of_the_common_dtype() {
    let (a, b) = ([1_i16, 2, 3, 4, 5, 6], [f16::ONE, f16::ONE, f16::NEG_ONE]);
    let (shape, strides) = ([2, 3], [2, 4]);
    let a = TensorView::byte_strided(&a[..], &shape, &strides, 0).expect("a valid view");
    let (mut sum, mut difference) = ([0.0_f64; 6], [f16::ZERO; 6]);
    let out = TensorViewMut::new(&mut sum[..], &shape).expect("six elements");
    // Backwards, so that results are scattered.
    let second =
        TensorViewMut::byte_strided(&mut difference[..], &shape, &[-6, -2], 10).expect("six elements");
    let mut config = IterationConfig::new();
    config.add_output(out).add_output(second).add_input(&a).add_input(&b[..]);
    config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true);
    let mut iteration = config.build(&rules()).expect("the dtypes promote");
    iteration
        .for_each(|inputs, outputs| {
            let [a, b] = inputs else { panic!("two inputs") };
            let (a, b) = (a.as_slice::<f16>().unwrap(), b.as_slice::<f16>().unwrap());
            let [sum, difference] = outputs else { panic!("two outputs") };
            for (i, out) in sum.as_mut_slice::<f16>().unwrap().iter_mut().enumerate() {
                *out = a[i] + b[i];
            }
            for (i, out) in difference.as_mut_slice::<f16>().unwrap().iter_mut().enumerate() {
                *out = a[i] - b[i];
            }
        })
        .expect("the outputs take the results");
    assert_eq!(sum, [2.0, 4.0, 4.0, 3.0, 5.0, 5.0]);
    assert_eq!(difference.map(f32::from), [7.0, 3.0, 1.0, 6.0, 2.0, 0.0]);
}

/// Fixed-point numbers with 8 fractional bits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Element)]
#[element(via = f32)]
#[repr(transparent)]
pub struct Q8(i16);

impl From<f32> for Q8 {
    fn from(x: f32) -> Q8 {
        Q8((x * 256.0) as i16)
    }
}

impl From<Q8> for f32 {
    fn from(x: Q8) -> f32 {
        f32::from(x.0) / 256.0
    }
}

impl Add for Q8 {
    type Output = Q8;

    fn add(self, b: Q8) -> Q8 {
        Q8(self.0.wrapping_add(b.0))
    }
}

impl Mul for Q8 {
    type Output = Q8;

    fn mul(self, b: Q8) -> Q8 {
        Q8(((i32::from(self.0) * i32::from(b.0)) >> 8) as i16)
    }
}

mod fixed {
    promote::rules! {
        rules Fixed extends promote::Torch;
        kinds bool < int < fixed < float < complex;
        dtype q8: fixed 16 = crate::Q8;
        holds f32 | f64 | c64 | c128: q8;
        promote {
            fixed, bool | int => a;
            fixed, any        => join or refuse "no dtype holds both";
        }
    }
}

#[test]
fn custom_dtypes_are_computed_and_cast() {
    let rules = fixed::Fixed::new().rule_set();
    let (a, b) = ([Q8(256), Q8(-128), Q8(64)], [2_i8, 3, 4]);
    let mut out = [Q8(0); 3];
    fixed::Fixed::multiply_into(&a, &b, &mut out).expect("a kernel");
    assert_eq!(out, [Q8(512), Q8(-384), Q8(256)]);

    let bytes: Vec<u8> = [0_u8].into_iter().chain(a.iter().flat_map(|x| x.0.to_ne_bytes())).collect();
    let odd = TensorView::from_bytes(Q8::DTYPE, &bytes, &[3], &[2], 1).expect("a valid view");
    let reversed = TensorView::from_bytes(Q8::DTYPE, &bytes, &[3], &[-2], 5).expect("a valid view");
    let sum = rules.call(Op::Add, &[(&odd).into(), (&reversed).into()]).expect("a kernel");
    assert_eq!(sum.as_slice::<Q8>(), Some(&[Q8(320), Q8(-256), Q8(320)][..]));
    let wide = rules.call(Op::Add, &[(&odd).into(), (&[1.0_f64; 3][..]).into()]).expect("a kernel");
    assert_eq!(wide.as_slice::<f64>(), Some(&[2.0, 0.5, 1.25][..]));
}

/// `x · y + 1`
#[promote::kernel]
pub fn multiply_add_one<T>(x: T, y: T) -> T {
    x * y + 1.0
}

#[test]
fn kernels_of_users_read_their_inputs() {
    let (x, y) = ([bf16::ONE; 9], [3_i16; 9]);
    let mut out = [bf16::ZERO; 9];
    Torch::multiply_add_one_into(&x, &y, &mut out).expect("a kernel");
    assert_eq!(out, [bf16::from_f32(4.0); 9]);
}
