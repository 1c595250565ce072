//! Reductions: single cases, error bounds compared with exact sums, and random views compared with loops over
//! single elements.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use std::cmp::Ordering;

use fastrand::Rng;
use half::{bf16, f16};
use num_complex::Complex;
use promote::{ArgumentRole, CallError, ScalarValue, Slice};
use promote::{
    Axes, DType, Error, Kind, Level, NumPy, Number, Op, RuleSet, Tensor, TensorView, TensorViewMut, Torch,
};

use crate::aligned::Aligned;
use crate::random::{Layout, random_dtype, random_layout, random_shape, rule_sets, same, unravel};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn numpy() -> RuleSet {
    NumPy::new().rule_set()
}

fn numbers<T: promote::Element>(tensor: &Tensor) -> &[T] {
    tensor.as_slice().expect("the dtype of the result")
}

/// The one element of the result over all axes.
fn all<T: promote::Element, U: promote::Element>(rules: RuleSet, op: Op, elements: &[T]) -> U {
    let found = rules.call(op, &[elements.into()]).expect("the op has a kernel");
    assert_eq!(found.shape(), &[] as &[usize]);
    numbers::<U>(&found)[0]
}

#[test]
fn reduced_axes_are_removed_or_kept_with_length_1() {
    let numbers_2x3 = [1_i32, 2, 3, 4, 5, 6];
    let matrix = TensorView::new(&numbers_2x3[..], &[2, 3]).unwrap();
    let sum = |axes: Axes<'_>, keepdims| {
        torch().prepare(Op::Sum, &[(&matrix).into()]).axes(axes).keep_dims(keepdims).run().unwrap()
    };
    let rows = sum(Axes::Of(&[1]), false);
    assert_eq!((rows.dtype(), rows.shape(), numbers::<i64>(&rows)), (DType::I64, &[2][..], &[6, 15][..]));
    let columns = sum(Axes::Of(&[-2]), true);
    assert_eq!((columns.shape(), numbers::<i64>(&columns)), (&[1, 3][..], &[5, 7, 9][..]));
    let one = sum(Axes::Of(&[1, 0]), true);
    assert_eq!((one.shape(), numbers::<i64>(&one)), (&[1, 1][..], &[21][..]));
    let none = sum(Axes::Of(&[]), false);
    assert_eq!((none.shape(), numbers::<i64>(&none)), (&[2, 3][..], &[1, 2, 3, 4, 5, 6][..]));
    let mut out = [0_i64; 2];
    for shape in [&[2][..], &[2, 1]] {
        let out = TensorViewMut::new(&mut out[..], shape).unwrap();
        torch().prepare(Op::Sum, &[(&matrix).into()]).axes(&[1]).out(out).run().unwrap();
    }
    assert_eq!(out, [6, 15]);
}

#[test]
fn results_are_cast_into_out_as_the_rule_set_casts_results() {
    let tenths = [0.1_f32; 3];
    let view = TensorView::from(&tenths[..]);
    let mut wide = [0.0_f64; 1];
    torch()
        .prepare(Op::Sum, &[(&view).into()])
        .out(TensorViewMut::new(&mut wide[..], &[]).unwrap())
        .run()
        .unwrap();
    // The sum is rounded to f32, the dtype of the op, before it is cast to f64.
    assert_eq!(wide, [f64::from(0.3_f32)]);
    // Both systems cast an integer result to a float `out`, which may be strided.
    let (mut halves, ints) = ([f16::ZERO; 6], [7_i64, 300, -5]);
    let column = TensorView::new(&ints[..], &[3, 1]).unwrap();
    for rules in [numpy(), torch()] {
        halves.fill(f16::ZERO);
        let strided = TensorViewMut::byte_strided(&mut halves[..], &[3], &[4], 0).unwrap();
        rules.prepare(Op::Max, &[(&column).into()]).axes(&[1]).out(strided).run().unwrap();
    }
    assert_eq!(halves.map(f16::to_f32), [7.0, 0.0, 300.0, 0.0, -5.0, 0.0]);
    let mut whole = [9_i32; 1];
    for rules in [torch(), numpy()] {
        let out = TensorViewMut::new(&mut whole[..], &[]).unwrap();
        let refused = rules.prepare(Op::Sum, &[(&view).into()]).out(out).run();
        assert_eq!(refused, Err(Error::Promote(rules.can_cast_result(DType::F32, DType::I32).unwrap_err())));
        assert_eq!(whole, [9]);
    }
    // An index is cast as well, to a narrower integer by the level `same_kind`.
    let mut small = [0_i8; 1];
    torch()
        .prepare(Op::Argmax, &[(&view).into()])
        .out(TensorViewMut::new(&mut small[..], &[]).unwrap())
        .run()
        .unwrap();
    assert_eq!(small, [0]);
}

#[test]
fn out_has_the_axes_that_keep_dims_asks_for() {
    let view = TensorView::new(&[1_i64; 12][..], &[4, 3]).unwrap();
    let reduced = |keep_dims: Option<bool>, shape: &[usize]| {
        let (mut sums, operands) = ([0_i64; 3], [(&view).into()]);
        let call = torch().prepare(Op::Sum, &operands).axes(&[0]);
        let call = keep_dims.map_or(call, |keep_dims| call.keep_dims(keep_dims));
        call.out(TensorViewMut::new(&mut sums[..], shape).unwrap()).run().map(|()| sums)
    };
    let refused =
        |expected, found| Err(Error::Call(CallError::Rank { role: ArgumentRole::Out, expected, found }));
    for (keep_dims, shape) in [(None, &[3][..]), (None, &[1, 3]), (Some(false), &[3]), (Some(true), &[1, 3])]
    {
        assert_eq!(reduced(keep_dims, shape), Ok([4; 3]), "{keep_dims:?} {shape:?}");
    }
    assert_eq!(reduced(Some(false), &[1, 3]), refused(1, 2));
    assert_eq!(reduced(Some(true), &[3]), refused(2, 1));
}

#[test]
fn dtypes_are_those_of_the_rule_set() {
    let bytes = [200_u8, 100, 0];
    assert_eq!(all::<u8, i64>(torch(), Op::Sum, &bytes), 300);
    assert_eq!(all::<u8, u64>(numpy(), Op::Sum, &bytes), 300);
    assert_eq!(all::<u8, f64>(numpy(), Op::Mean, &bytes), 100.0);
    assert_eq!(all::<u8, u8>(torch(), Op::Any, &bytes), 1);
    assert_eq!(all::<u8, u8>(torch(), Op::All, &bytes), 0);
    assert!(all::<u8, bool>(numpy(), Op::Any, &bytes));
    assert_eq!(all::<u8, i64>(torch(), Op::Argmin, &bytes), 2);
    let halves = [f16::from_f32(60000.0); 3];
    // The sum overflows f16. The mean does not, because its sum is not rounded to f16.
    assert_eq!(all::<f16, f16>(torch(), Op::Sum, &halves), f16::INFINITY);
    assert_eq!(all::<f16, f16>(torch(), Op::Mean, &halves), halves[0]);
    let complex = [Complex::new(3.0_f32, 0.0), Complex::new(0.0, 4.0)];
    assert_eq!(all::<Complex<f32>, f32>(torch(), Op::Norm, &complex), 5.0);
    assert_eq!(all::<Complex<f32>, Complex<f32>>(torch(), Op::Prod, &complex), Complex::new(0.0, 12.0));
    let refused = torch().call(Op::Mean, &[(&bytes[..]).into()]);
    assert!(matches!(refused, Err(Error::Promote(_))));
}

#[test]
fn errors_say_why_a_reduction_is_refused() {
    let elements = [0_f32; 6];
    let view = TensorView::new(&elements[..], &[2, 3]).unwrap();
    let fails = |op: Op, view: &TensorView<'_>, axes: Axes<'_>| match torch()
        .prepare(op, &[view.into()])
        .axes(axes)
        .run()
    {
        Err(Error::Call(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(fails(Op::Sum, &view, Axes::Of(&[2])), CallError::NoAxis { axis: 2, rank: 2 });
    assert_eq!(fails(Op::Sum, &view, Axes::Of(&[-3])), CallError::NoAxis { axis: -3, rank: 2 });
    assert_eq!(fails(Op::Sum, &view, Axes::Of(&[1, -1])), CallError::AxisTwice { axis: 1 });
    assert_eq!(fails(Op::Add, &view, Axes::All), CallError::NoReduction { op: Op::Add });
    let cube = TensorView::new(&elements[..4], &[2, 2, 1]).unwrap();
    assert_eq!(fails(Op::Argmax, &cube, Axes::Of(&[0, 1])), CallError::Axes { op: Op::Argmax });
    let empty = TensorView::new(&elements[..0], &[2, 0]).unwrap();
    for op in [Op::Max, Op::Amin, Op::Argmax, Op::Argmin] {
        assert_eq!(fails(op, &empty, Axes::Of(&[1])), CallError::Empty { op });
        // A result without elements needs no extremum.
        assert_eq!(torch().prepare(op, &[(&empty).into()]).axes(&[0]).run().unwrap().shape(), [0]);
    }
    let mut out = [7_f32; 3];
    let wrong = TensorViewMut::new(&mut out[..], &[3]).unwrap();
    let found = torch().prepare(Op::Sum, &[(&view).into()]).axes(&[1]).out(wrong).run();
    let expected = CallError::OutShape { axis: 0, expected: 2, found: 3 };
    assert_eq!(found, Err(Error::Call(expected)));
    assert_eq!(out, [7.0; 3]);
    assert_eq!(
        expected.to_string(),
        "`out` has length 3 along axis 0, and the result has 2; help: give `out` the shape of the result; axes \
         that are reduced may be missing or have length 1"
    );
}

#[test]
fn sums_of_rows_and_columns_equal_sums_of_single_rows() {
    /// Sums the rows of a matrix, and the columns of its transpose.
    fn both<T: promote::Element, U: promote::Element>(elements: &[T], shape: [usize; 2]) -> [Vec<U>; 2] {
        let size = size_of::<T>() as isize;
        let rows = TensorView::new(elements, &shape).unwrap();
        let (turned, strides) = ([shape[1], shape[0]], [size, shape[1] as isize * size]);
        let columns = TensorView::byte_strided(elements, &turned, &strides, 0).unwrap();
        [(rows, 1), (columns, 0)].map(|(view, axis)| {
            let found = numpy().prepare(Op::Sum, &[(&view).into()]).axes(&[axis]).run().unwrap();
            numbers::<U>(&found).to_vec()
        })
    }
    for length in 1..=70 {
        for runs in [2, 3, 17, 1100] {
            let whole: Vec<i64> = (0..runs * length).map(|i| (i * i % 251) as i64 - 100).collect();
            let expected: Vec<i64> = whole.chunks(length).map(|run| run.iter().sum()).collect();
            let floats: Vec<f32> = whole.iter().map(|x| *x as f32).collect();
            let doubles: Vec<f64> = whole.iter().map(|x| *x as f64).collect();
            let wide: Vec<u64> = whole.iter().map(|x| *x as u64).collect();
            let small: Vec<i8> = whole.iter().map(|x| *x as i8).collect();
            let bools: Vec<bool> = whole.iter().map(|x| *x > 0).collect();
            let shape = [runs, length];
            for sums in both::<_, f32>(&floats, shape) {
                assert!(sums.iter().zip(&expected).all(|(sum, x)| *sum == *x as f32), "{shape:?}");
            }
            for sums in both::<_, f64>(&doubles, shape) {
                assert!(sums.iter().zip(&expected).all(|(sum, x)| *sum == *x as f64), "{shape:?}");
            }
            for sums in both::<_, u64>(&wide, shape) {
                assert!(sums.iter().zip(&expected).all(|(sum, x)| *sum == *x as u64), "{shape:?}");
            }
            let bytes = |run: &[i8]| run.iter().map(|x| i64::from(*x)).sum::<i64>();
            for sums in both::<_, i64>(&small, shape) {
                assert_eq!(sums, small.chunks(length).map(bytes).collect::<Vec<_>>(), "{shape:?}");
            }
            for sums in both::<_, i64>(&bools, shape) {
                let counts = bools.chunks(length).map(|run| run.iter().filter(|x| **x).count() as i64);
                assert_eq!(sums, counts.collect::<Vec<_>>(), "{shape:?}");
            }
            for sums in both::<_, f32>(&vec![-0.0_f32; runs * length], shape) {
                assert!(sums.iter().all(|sum| sum.to_bits() == 0), "{shape:?}");
            }
        }
    }
}

#[test]
fn reductions_of_no_elements_give_the_identity() {
    let empty: [f32; 0] = [];
    assert_eq!(all::<f32, f32>(torch(), Op::Sum, &empty), 0.0);
    assert_eq!(all::<f32, f32>(torch(), Op::Prod, &empty), 1.0);
    assert!(all::<f32, f32>(torch(), Op::Mean, &empty).is_nan());
    assert_eq!(all::<f32, f32>(torch(), Op::Norm, &empty), 0.0);
    assert!(!all::<f32, bool>(torch(), Op::Any, &empty));
    assert!(all::<f32, bool>(torch(), Op::All, &empty));
    let view = TensorView::new(&empty[..], &[2, 0, 3]).unwrap();
    let sum = numpy().prepare(Op::Prod, &[(&view).into()]).axes(&[1]).run().unwrap();
    assert_eq!((sum.shape(), numbers::<f32>(&sum)), (&[2, 3][..], &[1.0; 6][..]));
    assert_eq!(
        torch().call(Op::Dot, &[(&empty[..]).into(), (&empty[..]).into()]).unwrap().item().unwrap().get(),
        Some(0.0_f32)
    );
}

#[test]
fn extrema_are_nan_and_argmax_gives_the_first_nan() {
    for n in [4, 40, 3000] {
        let mut elements = vec![1.0_f64; n];
        (elements[1], elements[2]) = (f64::INFINITY, f64::NEG_INFINITY);
        assert_eq!(all::<f64, f64>(numpy(), Op::Max, &elements), f64::INFINITY);
        assert_eq!(all::<f64, f64>(numpy(), Op::Min, &elements), f64::NEG_INFINITY);
        assert!(all::<f64, f64>(numpy(), Op::Sum, &elements).is_nan());
        for (at, nan) in [(n - 1, f64::NAN), (3, -f64::NAN)] {
            elements[at] = nan;
            assert!(all::<f64, f64>(numpy(), Op::Max, &elements).is_nan());
            assert!(all::<f64, f64>(torch(), Op::Amin, &elements).is_nan());
            assert_eq!(all::<f64, i64>(numpy(), Op::Argmax, &elements), at as i64);
            assert_eq!(all::<f64, i64>(torch(), Op::Argmin, &elements), at as i64);
        }
        assert!(all::<f64, bool>(numpy(), Op::All, &elements));
    }
    assert!(all::<f32, bool>(torch(), Op::Any, &[-0.0, f32::NAN]));
    assert!(!all::<f32, bool>(torch(), Op::Any, &[-0.0, 0.0]));
    // Any byte but 0 is true.
    let bools = TensorView::from_bytes(DType::Bool, &[2, 0, 255], &[3], &[1], 0).unwrap();
    let of = |op| torch().call(op, &[(&bools).into()]).unwrap();
    assert_eq!(numbers::<i64>(&of(Op::Sum)), [2]);
    assert_eq!(numbers::<bool>(&numpy().call(Op::Max, &[(&bools).into()]).unwrap()), [true]);
    assert_eq!(numbers::<i64>(&numpy().call(Op::Argmax, &[(&bools).into()]).unwrap()), [0]);
    assert_eq!(all::<f32, f32>(torch(), Op::Max, &[-0.0, 0.0, -0.0]).to_bits(), 0);
}

#[test]
fn argmax_gives_the_first_of_equal_elements() {
    assert_eq!(all::<f32, i64>(torch(), Op::Argmax, &[-1.0, -0.0, 0.0]), 1, "both zeros are equal");
    assert_eq!(all::<f32, i64>(torch(), Op::Argmin, &[1.0, 0.0, -0.0]), 1, "both zeros are equal");
    for n in [1, 5, 100, 5000] {
        let mut elements = vec![3_u16; n];
        elements[n / 2] = 9;
        elements[n - 1] = 9;
        assert_eq!(all::<u16, i64>(numpy(), Op::Argmax, &elements), n as i64 / 2);
        assert_eq!(all::<u16, i64>(numpy(), Op::Argmin, &vec![0_u16; n]), 0);
        // A negative stride reverses the order.
        let (line, matrix) = ([n], [n, 40]);
        let back = TensorView::byte_strided(&elements[..], &line, &[-2], 2 * (n - 1)).unwrap();
        let found = numpy().call(Op::Argmax, &[(&back).into()]).unwrap();
        assert_eq!(numbers::<i64>(&found), [0]);
        // Reduced along the columns of a matrix.
        let columns = TensorView::byte_strided(&elements[..], &matrix, &[2, 0], 0).unwrap();
        let found = numpy().prepare(Op::Argmax, &[(&columns).into()]).axes(&[0]).run().unwrap();
        assert_eq!(numbers::<i64>(&found), [n as i64 / 2; 40]);
    }
    // The index in a transpose counts in the transpose's own order.
    let matrix = [0_i8, 7, 0, 7, 0, 0];
    let transpose = TensorView::byte_strided(&matrix[..], &[3, 2], &[1, 3], 0).unwrap();
    assert_eq!(numbers::<i64>(&numpy().call(Op::Argmax, &[(&transpose).into()]).unwrap()), [1]);
}

/// A sum of floats as a multiple of 2^-90, exactly.
#[derive(Clone, Copy, Default)]
struct Exact(i128);

impl Exact {
    fn add(&mut self, x: f64) {
        let scaled = x * 2_f64.powi(90);
        assert!(scaled.fract() == 0.0 && scaled.abs() < 2_f64.powi(115), "{x} is out of this test's range");
        self.0 += scaled as i128;
    }

    /// Returns the distance of a sum from it, with a relative error of about 2^-53.
    fn distance(self, x: f64) -> f64 {
        (((x * 2_f64.powi(90)) as i128) - self.0).abs() as f64 / 2_f64.powi(90)
    }
}

/// Floats of both signs and many magnitudes, with sums that cancel.
fn wild(random: &mut Rng, n: usize) -> Vec<f64> {
    (0..n)
        .map(|_| {
            let sign = if random.bool() { 1.0 } else { -1.0 };
            sign * (1.0 + random.f64()) * 2_f64.powi(random.i32(-30..12))
        })
        .collect()
}

#[test]
fn sums_lie_within_the_bound() {
    let mut random = Rng::with_seed(7);
    for n in [1, 31, 2047, 2049, 70_001, 600_000] {
        let elements = wild(&mut random, n);
        let (mut exact, mut magnitude) = (Exact::default(), 0.0);
        for x in &elements {
            exact.add(*x);
            magnitude += x.abs();
        }
        let bound = magnitude * 2_f64.powi(-46);
        let found: f64 = all(numpy(), Op::Sum, &elements);
        assert!(exact.distance(found) <= bound, "{n} elements: {} > {bound}", exact.distance(found));
        // Along rows, and along rows that are so short that several are reduced at once.
        for columns in [3, 700] {
            let rows = n / columns;
            let shape = [rows, columns];
            let view = TensorView::new(&elements[..rows * columns], &shape).unwrap();
            let sums = numpy().prepare(Op::Sum, &[(&view).into()]).axes(&[0]).run().unwrap();
            for (column, found) in numbers::<f64>(&sums).iter().enumerate() {
                let (mut exact, mut magnitude) = (Exact::default(), 0.0);
                for x in elements[..rows * columns].iter().skip(column).step_by(columns) {
                    exact.add(*x);
                    magnitude += x.abs();
                }
                assert!(exact.distance(*found) <= magnitude * 2_f64.powi(-46));
            }
        }
    }
    // One addition after the other in f32 would stay at 2^24.
    let ones = vec![1_f32; (1 << 24) + 3];
    assert_eq!(all::<f32, f32>(torch(), Op::Sum, &ones), ((1_u32 << 24) + 4) as f32);
    assert_eq!(all::<f32, f32>(torch(), Op::Mean, &ones), 1.0);
}

#[test]
fn sums_of_every_length_have_equal_bits_at_every_level() {
    let mut random = Rng::with_seed(7);
    for n in (0..300).chain([600, 2047, 2048, 4100, 100_000]) {
        // Nothing but rounding errors is left of the sum, which show the order of the additions.
        let mut floats: Vec<f64> = wild(&mut random, n / 2).into_iter().flat_map(|x| [x, -x]).collect();
        random.shuffle(&mut floats);
        let bytes: Vec<i64> = (0..n).map(|_| random.i64(-128..256)).collect();
        for (view, dtype) in [
            (TensorView::from(&floats[..]), DType::F64),
            (TensorView::from(&floats[..]), DType::F32),
            (TensorView::from(&floats[..]), DType::BF16),
            (TensorView::from(&floats[..]), DType::F16),
            (TensorView::from(&floats[..]), DType::C64),
            (TensorView::from(&bytes[..]), DType::I8),
            (TensorView::from(&bytes[..]), DType::U8),
            (TensorView::from(&bytes[..]), DType::Bool),
        ] {
            let elements = torch().astype(&view, dtype, None).unwrap();
            let ops = if dtype.kind() < Kind::Float { &[Op::Sum][..] } else { &[Op::Sum, Op::Norm] };
            for op in ops {
                let operands = [(&elements).into()];
                let at = |level: &Level| torch().prepare(*op, &operands).level(*level).run().unwrap();
                let all: Vec<Tensor> = Level::ALL.iter().map(at).collect();
                assert!(all.iter().all(|found| found.as_bytes() == all[0].as_bytes()), "{op} of {n} {dtype}");
                if dtype.kind() < Kind::Float {
                    let wide = torch().astype(&elements.view(), DType::I64, None).unwrap();
                    assert_eq!(numbers::<i64>(&all[0])[0], numbers::<i64>(&wide).iter().sum::<i64>());
                }
            }
        }
    }
    assert_eq!(all::<u8, i64>(torch(), Op::Sum, &vec![255; 70_000]), 255 * 70_000);
    assert_eq!(all::<f32, f32>(torch(), Op::Sum, &[-0.0; 200]).to_bits(), 0);
}

#[test]
fn sums_of_results_keep_what_blocks_lose() {
    let total = |elements: &[f64]| {
        let inputs = [elements.into(), 0.0.into()];
        let sum = torch().reduced(Op::Add, promote::Flags::DEFAULT, &inputs, promote::Reduction::Sum);
        sum.unwrap().get::<f64>().unwrap()
    };
    let mut elements = vec![0.0; 3 * 1024];
    // One of them in a block of its own; the others would vanish beside it.
    (elements[0], elements[1024], elements[2048]) = (1e16, 1.0, -1e16);
    assert_eq!(total(&elements), 1.0);
    assert_eq!(total(&vec![1.0; 5000]), 5000.0);
    (elements[7], elements[2048]) = (f64::INFINITY, 1.0);
    assert_eq!(total(&elements), f64::INFINITY);
    elements[2500] = f64::NEG_INFINITY;
    assert!(total(&elements).is_nan());
}

#[test]
fn small_sums_are_rounded_once() {
    let mut random = Rng::with_seed(3);
    for n in [3, 1000, 40_000] {
        let floats: Vec<bf16> = (0..n).map(|_| bf16::from_f32(random.f32() - 0.5)).collect();
        let mut exact = Exact::default();
        for x in &floats {
            exact.add(x.to_f64());
        }
        // The exact sum has less than 53 bits, so that it is an f64.
        let expected =
            ScalarValue::from_number(Number::Float(exact.0 as f64 / 2_f64.powi(90)), DType::BF16).unwrap();
        assert_eq!(all::<bf16, bf16>(torch(), Op::Sum, &floats), expected.get().unwrap());
    }
}

#[test]
fn dot_products_are_those_of_the_common_dtype() {
    let (a, b) = ([1_i32, -2, 3], [0.5_f32, 2.0, -1.0]);
    let found = numpy().call(Op::Dot, &[(&a[..]).into(), (&b[..]).into()]).unwrap();
    assert_eq!((found.dtype(), found.item().unwrap().get()), (DType::F64, Some(-6.5_f64)));
    let bytes = [100_u8, 50];
    assert_eq!(
        torch().call(Op::Dot, &[(&bytes[..]).into(), (&bytes[..]).into()]).unwrap().item().unwrap().get(),
        Some(212_u8)
    );
    let complex = [Complex::new(1.0_f64, 2.0), Complex::new(0.0, 1.0)];
    let found = numpy().call(Op::Dot, &[(&complex[..]).into(), (&complex[..]).into()]).unwrap();
    assert_eq!(found.item().unwrap().get(), Some(Complex::new(-4.0_f64, 4.0)));
    let mut random = Rng::with_seed(11);
    for n in [1, 100, 5000, 300_000] {
        let x: Vec<f32> = (0..n).map(|_| random.f32() - 0.5).collect();
        let (mut exact, mut magnitude) = (Exact::default(), 0.0);
        for pair in x.iter().zip(x.iter().rev()) {
            let product = f64::from(*pair.0) * f64::from(*pair.1);
            exact.add(product);
            magnitude += product.abs();
        }
        let shape = [n];
        let reversed = TensorView::byte_strided(&x[..], &shape, &[-4], 4 * (n - 1)).unwrap();
        let found: f32 = torch()
            .call(Op::Dot, &[(&x[..]).into(), (&reversed).into()])
            .unwrap()
            .item()
            .unwrap()
            .get()
            .unwrap();
        let error = exact.distance(f64::from(found));
        assert!(error <= magnitude * 2_f64.powi(-46) + f64::from(found.abs()) * 2_f64.powi(-24));
    }
    let error = torch().call(Op::Dot, &[(&[1.0_f32; 2][..]).into(), (&[1.0_f32; 3][..]).into()]);
    assert!(matches!(error, Err(Error::Call(CallError::Length { .. }))));
}

#[test]
fn out_may_overlap_the_elements() {
    let mut numbers = [1_i64, 2, 3, 4, 5, 6];
    let pointer = numbers.as_mut_ptr().cast::<u8>();
    // SAFETY: six elements lie there, to which only the call writes.
    let a = unsafe { TensorView::from_raw_parts(DType::I64, pointer, &[3, 2], &[16, 8]) }.unwrap();
    // SAFETY: as above.
    let out = unsafe { TensorViewMut::from_raw_parts(DType::I64, pointer, &[3], &[8]) }.unwrap();
    numpy().prepare(Op::Sum, &[(&a).into()]).axes(&[1]).out(out).run().unwrap();
    assert_eq!(numbers, [3, 7, 11, 4, 5, 6]);
}

const OPS: [Op; 12] = [
    Op::Sum,
    Op::Prod,
    Op::Mean,
    Op::Norm,
    Op::Max,
    Op::Min,
    Op::Amax,
    Op::Amin,
    Op::Argmax,
    Op::Argmin,
    Op::Any,
    Op::All,
];

#[test]
fn random_views_are_reduced_as_element_by_element() {
    let cases = std::env::var("PROMOTE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let (sets, mut computed) = (rule_sets(), 0);
    for seed in 0..cases {
        let mut random = Rng::with_seed(seed);
        let rules = *random.choice(&sets).unwrap();
        let (op, dtype) = (*random.choice(&OPS).unwrap(), random_dtype(&mut random));
        let mut buffers = Vec::new();
        let shape = match random.u8(..12) {
            0 => vec![random.usize(500..3000), random.usize(1..6)],
            1 => vec![random.usize(1..6), random.usize(500..3000)],
            _ => random_shape(&mut random),
        };
        let layout = random_layout(&mut random, dtype, shape, true, &mut buffers);
        let mut axes: Vec<isize> = (0..layout.shape.len() as isize).filter(|_| random.bool()).collect();
        random.shuffle(&mut axes);
        if random.bool() {
            for axis in &mut axes {
                *axis -= layout.shape.len() as isize;
            }
        }
        let axes = if random.u8(..4) == 0 { Axes::All } else { Axes::Of(&axes) };
        let Ok(types) = rules.op_types(op, &[promote::Operand::Array(dtype)]) else { continue };
        let memory = Aligned::copy(&buffers[0]);
        let view =
            TensorView::from_bytes(dtype, memory.bytes(), &layout.shape, &layout.strides, layout.offset)
                .unwrap();
        let keepdims = random.bool();
        let what = format!("seed {seed}: {op} of {layout:?} along {axes:?}");
        let mut first: Option<Tensor> = None;
        for level in Level::ALL {
            Level::set(*level);
            match (rules.prepare(op, &[(&view).into()]).axes(axes).keep_dims(keepdims).run(), &first) {
                (Err(Error::Call(CallError::Empty { .. } | CallError::Axes { .. })), None) => break,
                (Err(error), _) => panic!("{what}: {error}"),
                (Ok(found), None) => {
                    assert_eq!(found.dtype(), types.output, "{what}");
                    check(&what, op, &layout, memory.bytes(), axes, keepdims, &found);
                    computed += 1;
                    first = Some(found);
                }
                (Ok(found), Some(first)) => {
                    assert!(elements(first).iter().zip(elements(&found)).all(|(a, b)| same(a, &b)), "{what}");
                }
            }
        }
        Level::set(Level::best());
    }
    assert!(computed * 2 > cases, "{computed} of {cases} cases were computed");
}

fn elements(tensor: &Tensor) -> Vec<ScalarValue> {
    let size = tensor.dtype().size().unwrap();
    let bytes = tensor.as_bytes().chunks(size);
    bytes.map(|bytes| ScalarValue::from_bytes(tensor.dtype(), bytes).unwrap()).collect()
}

/// Compares every element of a result with a reduction of its elements one by one.
fn check(what: &str, op: Op, layout: &Layout, bytes: &[u8], axes: Axes<'_>, keepdims: bool, found: &Tensor) {
    let rank = layout.shape.len() as isize;
    let along = |axis: usize| match axes {
        Axes::All => true,
        Axes::One(own) => own.rem_euclid(rank.max(1)) as usize == axis,
        Axes::Of(axes) => axes.iter().any(|own| own.rem_euclid(rank.max(1)) as usize == axis),
        other => panic!("unknown axes: {other:?}"),
    };
    let shape: Vec<usize> = (0..layout.shape.len())
        .filter(|axis| keepdims || !along(*axis))
        .map(|axis| if along(axis) { 1 } else { layout.shape[axis] })
        .collect();
    assert_eq!(found.shape(), shape, "{what}");
    let mut groups: Vec<Vec<Number>> = vec![Vec::new(); found.len()];
    let size = layout.dtype.size().unwrap();
    for i in 0..layout.shape.iter().product() {
        let index = unravel(i, &layout.shape);
        let group = (0..layout.shape.len())
            .filter(|axis| !along(*axis))
            .fold(0, |at, axis| at * layout.shape[axis] + index[axis]);
        let at = layout.byte(&index);
        let value = ScalarValue::from_bytes(layout.dtype, &bytes[at..at + size]).unwrap();
        groups[group].push(value.number().unwrap());
    }
    for (i, (group, found)) in groups.iter().zip(elements(found)).enumerate() {
        let fits = match op {
            Op::Any => number_is(&found, Number::Bool(group.iter().any(|x| truth(*x)))),
            Op::All => number_is(&found, Number::Bool(group.iter().all(|x| truth(*x)))),
            Op::Argmax | Op::Argmin => {
                let group: Vec<Number> = group.iter().copied().map(one_zero).collect();
                let best = place_of(&group, op == Op::Argmin);
                number_is(&found, Number::Int(best as i128))
            }
            Op::Max | Op::Amax => extremum(group, false, &found),
            Op::Min | Op::Amin => extremum(group, true, &found),
            _ => folded(op, group, &found),
        };
        assert!(
            fits,
            "{what}: output {i} is {:?}, of {} elements, {:?} ..",
            found.number(),
            group.len(),
            &group[..group.len().min(9)]
        );
    }
}

fn truth(x: Number) -> bool {
    let (re, im) = parts(x);
    re != 0.0 || im != 0.0
}

fn parts(x: Number) -> (f64, f64) {
    match x {
        Number::Bool(x) => (f64::from(x), 0.0),
        Number::Int(x) => (x as f64, 0.0),
        Number::Float(x) => (x, 0.0),
        Number::Complex(re, im) => (re, im),
    }
}

fn whole(x: Number) -> Option<i128> {
    match x {
        Number::Bool(x) => Some(i128::from(x)),
        Number::Int(x) => Some(x),
        _ => None,
    }
}

fn number_is(found: &ScalarValue, expected: Number) -> bool {
    ScalarValue::from_number(expected, found.dtype()).unwrap().as_bytes() == found.as_bytes()
}

/// In the order of reductions: NaN last, -0 before +0.
fn order(a: Number, b: Number) -> Ordering {
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return a.cmp(&b);
    }
    let ((a, c), (b, d)) = (parts(a), parts(b));
    match (a.is_nan() || c.is_nan(), b.is_nan() || d.is_nan()) {
        (false, false) => a.total_cmp(&b).then(c.total_cmp(&d)),
        (a, b) => a.cmp(&b),
    }
}

/// The number, with +0 for -0.
fn one_zero(number: Number) -> Number {
    match number {
        Number::Float(x) => Number::Float(x + 0.0),
        Number::Complex(re, im) => Number::Complex(re + 0.0, im + 0.0),
        other => other,
    }
}

fn place_of(group: &[Number], turned: bool) -> usize {
    let nan = |x: Number| parts(x).0.is_nan() || parts(x).1.is_nan();
    let better = |a: Number, b: Number| match (turned && !nan(a) && !nan(b), order(a, b)) {
        (true, order) => order == Ordering::Less,
        (false, order) => order == Ordering::Greater,
    };
    (1..group.len()).fold(0, |best, i| if better(group[i], group[best]) { i } else { best })
}

fn extremum(group: &[Number], turned: bool, found: &ScalarValue) -> bool {
    let expected = group[place_of(group, turned)];
    let expected = ScalarValue::from_number(expected, found.dtype()).unwrap();
    let nan = |value: &ScalarValue| {
        let (re, im) = parts(value.number().unwrap());
        re.is_nan() || im.is_nan()
    };
    nan(&expected) && nan(found) || expected.as_bytes() == found.as_bytes()
}

/// Checks a sum, a product or a result that is computed from one against the documented bounds.
fn folded(op: Op, group: &[Number], found: &ScalarValue) -> bool {
    let wholes: Option<Vec<i128>> = group.iter().map(|x| whole(*x)).collect();
    if let (Some(wholes), Op::Sum | Op::Prod) = (&wholes, op) {
        let fold = |a: i64, b: &i128| {
            if op == Op::Sum { a.wrapping_add(*b as i64) } else { a.wrapping_mul(*b as i64) }
        };
        let expected = wholes.iter().fold(i64::from(op == Op::Prod), fold);
        return ScalarValue::new(expected).cast(found.dtype(), false).unwrap().as_bytes() == found.as_bytes();
    }
    let n = group.len() as f64;
    let (re, im): (Vec<f64>, Vec<f64>) = group.iter().map(|x| parts(*x)).unzip();
    let ends = parts(found.number().unwrap());
    let dtype = if found.dtype().kind() == Kind::Complex { part_of(found.dtype()) } else { found.dtype() };
    if op == Op::Prod {
        // Overflow and underflow on the way depend on the order.
        let all =
            group.iter().fold(Complex::new(1.0, 0.0), |all, x| all * Complex::new(parts(*x).0, parts(*x).1));
        let magnitudes = group.iter().map(|x| parts(*x).0.hypot(parts(*x).1));
        let span: f64 = magnitudes.map(|x| x.log2().abs()).sum();
        if span.is_nan() || span > 900.0 {
            return true;
        }
        let bound = n * 2_f64.powi(-50) * all.norm();
        return within(dtype, ends.0, all.re, bound) && within(dtype, ends.1, all.im, bound);
    }
    match op {
        Op::Mean if group.is_empty() => ends.0.is_nan(),
        Op::Norm => {
            let squares: Vec<f64> = re.iter().chain(&im).map(|x| x * x).collect();
            let expected = double(&squares).sqrt();
            within(dtype, ends.0, expected, expected * 2_f64.powi(-45))
        }
        Op::Sum | Op::Mean => [(re, ends.0), (im, ends.1)].into_iter().all(|(xs, found)| {
            let by = if op == Op::Mean { n } else { 1.0 };
            let magnitude: f64 = xs.iter().map(|x| x.abs()).sum();
            if magnitude.is_infinite() && xs.iter().all(|x| x.is_finite()) {
                // An overflow depends on the order.
                return true;
            }
            within(dtype, found, double(&xs) / by, magnitude / by * 2_f64.powi(-46))
        }),
        _ => panic!("{op} is no fold"),
    }
}

fn part_of(dtype: DType) -> DType {
    match dtype {
        DType::C32 => DType::F16,
        DType::C64 => DType::F32,
        _ => DType::F64,
    }
}

/// Returns true if a number lies between the rounded ends of an interval. A number that is not finite has to
/// equal the expected one.
fn within(dtype: DType, found: f64, expected: f64, bound: f64) -> bool {
    let rounded =
        |x: f64| parts(ScalarValue::from_number(Number::Float(x), dtype).unwrap().number().unwrap()).0;
    if !expected.is_finite() {
        let expected = rounded(expected);
        return found == expected || found.is_nan() && expected.is_nan();
    }
    let slack = bound + expected.abs() * 2_f64.powi(-52);
    let (low, high) = (rounded(expected - slack), rounded(expected + slack));
    // Without infinities an overflow is NaN.
    let overflows = low.is_nan() || high.is_nan();
    let above = low.is_nan() || low <= found;
    above && (high.is_nan() || found <= high) || found.is_nan() && overflows
}

/// Returns the sum and its rounding error.
fn double(xs: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for x in xs {
        let next = sum + x;
        lost += if sum.abs() >= x.abs() { (sum - next) + x } else { (x - next) + sum };
        sum = next;
    }
    if sum.is_finite() { sum + lost } else { sum }
}

#[test]
fn results_do_not_depend_on_where_elements_begin() {
    const N: usize = 5000;
    let mut random = Rng::with_seed(7);
    for dtype in DType::WITH_TYPE.iter().copied() {
        let size = dtype.size().expect("a dtype with elements");
        let bytes: Vec<u8> = (0..N * size).map(|_| random.u8(..)).collect();
        let mut memory = vec![0_u8; bytes.len() + 128];
        for op in [Op::Sum, Op::Prod, Op::Max, Op::Min, Op::Argmax, Op::Argmin, Op::Any, Op::All] {
            let mut first: Option<Tensor> = None;
            for begin in (0..64).step_by(size) {
                let at = memory.as_ptr().align_offset(64) + begin;
                memory[at..at + bytes.len()].copy_from_slice(&bytes);
                let elements =
                    Slice::from_bytes(dtype, &memory[at..at + bytes.len()]).expect("whole elements");
                let Ok(found) = torch().prepare(op, &[elements.into()]).run() else { continue };
                let first = first.get_or_insert_with(|| found.clone());
                // Tests beside this one choose other levels, at which a NaN has other bits.
                let (found, first) = (&self::elements(&found)[0], &self::elements(first)[0]);
                assert!(same(found, first), "{op} of {dtype} from byte {begin} on: {found:?}, not {first:?}");
            }
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_no_bit() {
    let mut random = Rng::with_seed(5);
    let floats = wild(&mut random, 3 << 20);
    for (shape, axes) in [
        (vec![3 << 20], Axes::All),
        (vec![3 << 10, 1 << 10], Axes::Of(&[0])),
        (vec![3 << 10, 1 << 10], Axes::Of(&[1])),
        (vec![3, 1 << 20], Axes::Of(&[1])),
        (vec![1 << 20, 3], Axes::Of(&[0])),
        (vec![1 << 10, 3, 1 << 10], Axes::Of(&[0, 2])),
    ] {
        let view = TensorView::new(&floats[..], &shape).unwrap();
        for op in [Op::Sum, Op::Prod, Op::Min, Op::Argmax, Op::Any] {
            if op == Op::Argmax && matches!(axes, Axes::Of([_, _])) {
                continue;
            }
            let by = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    numpy().prepare(op, &[(&view).into()]).axes(axes).run().unwrap().as_bytes().to_vec()
                })
            };
            let one = by(1);
            assert!([2, 3, 7].into_iter().all(|threads| by(threads) == one), "{op} {shape:?} {axes:?}");
        }
    }
    let a = TensorView::from(&floats[..]);
    let by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            numpy()
                .call(Op::Dot, &[(&a).into(), (&a).into()])
                .unwrap()
                .item()
                .unwrap()
                .get::<f64>()
                .unwrap()
                .to_bits()
        })
    };
    assert_eq!(by(1), by(3));
}

#[test]
fn a_loss_of_views_is_that_of_the_elements_that_it_broadcasts_to() {
    use promote::{Argument, Flags, Reduction};
    let (a, b): (Vec<f32>, Vec<f32>) = (0..6000).map(|i| (i as f32 / 7.0, (i % 50) as f32)).unzip();
    let back = TensorView::byte_strided(&a[..], &[60, 100], &[-400, 4], 4 * 5900).unwrap();
    let turned = TensorView::byte_strided(&b[..], &[60, 100], &[4, 240], 0).unwrap();
    let column = TensorView::byte_strided(&b[..], &[60, 1], &[8, 4], 0).unwrap();
    for (x, y) in [(&back, &turned), (&turned, &back), (&back, &column), (&column, &turned)] {
        let whole = torch().call(Op::MseLoss, &[x.into(), y.into()]).unwrap();
        for (reduction, op) in [(Reduction::Sum, Op::Sum), (Reduction::Mean, Op::Mean)] {
            let inputs = [Argument::from(x), Argument::from(y)];
            let found = torch().reduced(Op::MseLoss, Flags::default(), &inputs, reduction).unwrap();
            let expected = torch().call(op, &[(&whole.view()).into()]).unwrap();
            assert_eq!(found.as_bytes(), expected.as_bytes());
        }
    }
    // A slice counts as a row, and the sum of no elements is 0.
    let row = Argument::from(&b[..100]);
    let row_view = TensorView::from(&b[..100]);
    let reduced = |b: Argument<'_>| {
        torch().reduced(Op::L1Loss, Flags::default(), &[(&back).into(), b], Reduction::Mean).unwrap()
    };
    assert_eq!(reduced(row).as_bytes(), reduced((&row_view).into()).as_bytes());
    let none = TensorView::byte_strided(&a[..], &[0, 100], &[400, 4], 0).unwrap();
    let found =
        torch().reduced(Op::L1Loss, Flags::default(), &[(&none).into(), row], Reduction::Sum).unwrap();
    assert_eq!(found.get(), Some(0.0_f32));
    let wrong = Argument::from(&b[..7]);
    let error = torch().reduced(Op::L1Loss, Flags::default(), &[(&back).into(), wrong], Reduction::Sum);
    assert!(matches!(
        error,
        Err(Error::Call(CallError::Shapes { from_last: 1, expected: 100, found: 7, .. }))
    ));
}

#[test]
fn a_dot_product_goes_into_an_array_without_axes() {
    let (a, mut out) = ([1.0_f32, 2.0, 3.0], [0.0_f64]);
    let operands = [(&a).into(), (&a).into()];
    let room = TensorViewMut::new(&mut out, &[]).unwrap();
    torch().prepare(Op::Dot, &operands).out(room).run().unwrap();
    assert_eq!(out, [14.0]);
    let refused = torch().prepare(Op::Dot, &operands).out(&mut out[..]).run().unwrap_err();
    assert!(matches!(refused, Error::Call(CallError::Rank { expected: 0, found: 1, .. })), "{refused}");
    let mut truth = [false];
    let room = TensorViewMut::new(&mut truth, &[]).unwrap();
    assert!(torch().prepare(Op::Dot, &operands).out(room).run().is_err(), "no float is cast to a bool");
    assert_eq!((out, truth), ([14.0], [false]));
}
