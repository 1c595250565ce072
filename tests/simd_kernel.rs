//! Custom kernels of vectors at every level: lengths around that of a vector, broadcast, unaligned and
//! in-place operands, views, typed calls and calls at run time.
#![allow(clippy::float_cmp, reason = "results are exact")]
#![cfg(all(feature = "torch", feature = "numpy", feature = "kernels"))]

use half::{bf16, f16};
use promote::op::OpType;
use promote::{
    Argument, DType, Level, NumPy, Number, Op, RuleSet, ScalarValue, Slice, SliceMut, TensorView,
    TensorViewMut, Torch, kernel, pulp,
};

/// The lesser of `a · b` and `c`: exact for the small integers of these tests.
#[kernel(simd)]
fn capped<S: pulp::Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
    simd.min_f32s(simd.mul_f32s(a, b), c)
}

/// `x - y`, whose operands cannot be exchanged.
#[kernel(simd)]
fn minus<S: pulp::Simd>(simd: S, x: S::f64s, y: S::f64s) -> S::f64s {
    simd.sub_f64s(x, y)
}

#[kernel(simd)]
fn flipped<S: pulp::Simd>(simd: S, x: S::f32s) -> S::f32s {
    simd.neg_f32s(x)
}

/// `a · b + c · d`
#[kernel(simd, like = multiply)]
fn two_products<S: pulp::Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s, d: S::f32s) -> S::f32s {
    simd.add_f32s(simd.mul_f32s(a, b), simd.mul_f32s(c, d))
}

/// All lengths up to more than two vectors of the widest level, and some that are split into parts.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=35).chain([63, 64, 65, 127, 128, 129, 255, 256, 257, 1000])
}

/// Calls a function at each level that the machine has.
fn at_each_level(mut call: impl FnMut(Level)) {
    for &level in Level::ALL {
        if Level::set(level) == level {
            call(level);
        }
    }
    Level::set(Level::best());
}

fn rules() -> RuleSet {
    Torch::new().rule_set()
}

/// Small integers of either sign.
fn small(n: usize, seed: usize) -> Vec<i8> {
    (0..n).map(|i| ((i * 7 + seed * 13) % 23) as i8 - 11).collect()
}

fn expected(a: &[i8], b: &[i8], c: &[i8]) -> Vec<f32> {
    a.iter().zip(b).zip(c).map(|((a, b), c)| (f32::from(*a) * f32::from(*b)).min(f32::from(*c))).collect()
}

#[test]
fn every_length_equals_the_scalar_reference() {
    at_each_level(|level| {
        for n in lengths() {
            let [a, b, c] = [1, 2, 3].map(|seed| small(n, seed));
            let floats = |x: &[i8]| x.iter().map(|x| f32::from(*x)).collect::<Vec<_>>();
            let (x, y, z) = (floats(&a), floats(&b), floats(&c));
            let expected = expected(&a, &b, &c);
            // The last element is not part of the output.
            let mut out = vec![77.0_f32; n + 1];
            Torch::capped_into(&x, &y, &z, &mut out[..n]).expect("equal lengths");
            assert_eq!((&out[..n], out[n]), (&expected[..], 77.0), "{n} elements with types at {level}");
            out.fill(77.0);
            let inputs = [&x, &y, &z].map(|x| Argument::Slice(Slice::new(&x[..])));
            rules().elementwise(Capped::OP, &inputs, SliceMut::new(&mut out[..n])).expect("f32");
            assert_eq!((&out[..n], out[n]), (&expected[..], 77.0), "{n} elements at run time at {level}");
        }
    });
}

#[test]
fn operands_of_other_dtypes_are_converted() {
    at_each_level(|level| {
        for n in lengths() {
            let [a, b, c] = [1, 2, 3].map(|seed| small(n, seed));
            let halves: Vec<f16> = b.iter().map(|x| f16::from_f32(f32::from(*x))).collect();
            let rough: Vec<bf16> = c.iter().map(|x| bf16::from_f32(f32::from(*x))).collect();
            let expected = expected(&a, &b, &c);
            let mut out = vec![0.0_f32; n];
            Torch::capped_into(&a, &halves, &rough, &mut out).expect("equal lengths");
            assert_eq!(out, expected, "{n} elements with types at {level}");
            out.fill(77.0);
            let inputs = [(&a[..]).into(), (&halves[..]).into(), (&rough[..]).into()];
            rules().elementwise(Capped::OP, &inputs, SliceMut::new(&mut out)).expect("f32");
            assert_eq!(out, expected, "{n} elements at run time at {level}");
            // The result is rounded to the dtype that operands promote to.
            let mut narrow = vec![f16::ZERO; n];
            Torch::capped_into(&halves, &halves, &a, &mut narrow).expect("equal lengths");
            let squares = b.iter().zip(&a).map(|(b, a)| (f32::from(*b) * f32::from(*b)).min(f32::from(*a)));
            assert!(narrow.iter().map(|x| x.to_f32()).eq(squares), "{n} halves at {level}");
        }
    });
}

#[test]
fn single_elements_are_broadcast() {
    at_each_level(|level| {
        for n in lengths() {
            let x = small(n, 5);
            let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
            let mut out = vec![0.0_f64; n];
            NumPy::minus_into(&wide, 2.5_f64, &mut out).expect("equal lengths");
            assert!(out.iter().zip(&wide).all(|(z, x)| *z == x - 2.5), "{n} at {level}");
            NumPy::minus_into(3_i8, &wide, &mut out).expect("equal lengths");
            assert!(out.iter().zip(&wide).all(|(z, x)| *z == 3.0 - x), "{n} at {level}");
            let inputs = [Argument::Number(Number::Float(2.5)), (&wide[..]).into()];
            rules().elementwise(Minus::OP, &inputs, SliceMut::new(&mut out)).expect("f64");
            assert!(out.iter().zip(&wide).all(|(z, x)| *z == 2.5 - x), "{n} at run time at {level}");
            let inputs = [(&wide[..]).into(), Argument::ZeroDim(ScalarValue::new(4_i16))];
            rules().elementwise(Minus::OP, &inputs, SliceMut::new(&mut out)).expect("f64");
            assert!(out.iter().zip(&wide).all(|(z, x)| *z == x - 4.0), "{n} at run time at {level}");
        }
    });
    let mut out = [0.0_f64; 20];
    NumPy::minus_into(3_i8, 0.5_f64, &mut out).expect("no lengths");
    assert_eq!(out, [2.5; 20]);
}

#[test]
fn single_elements_alone_are_computed() {
    let z: f32 = Torch::capped(3_i8, 4.0_f32, f16::from_f32(5.0));
    assert_eq!((z, Torch::flipped(2_i32), NumPy::minus(5_i64, 0.5_f64)), (5.0, -2.0, 4.5));
    let z: f16 = Torch::two_products(f16::ONE, 2_i8, f16::ONE, 3_u8);
    assert_eq!(z, f16::from_f32(5.0));
}

#[test]
fn slices_at_any_address_are_operands_and_results() {
    at_each_level(|level| {
        for n in lengths() {
            let x = small(n, 9);
            let bytes: Vec<u8> = x.iter().flat_map(|x| f64::from(*x).to_ne_bytes()).collect();
            for shift in [1, 3, 4] {
                let (mut a, mut out) = (vec![0_u8; 8 * n + 8], vec![0_u8; 8 * n + 8]);
                a[shift..shift + 8 * n].copy_from_slice(&bytes);
                let inputs = [
                    Argument::Slice(Slice::from_bytes(DType::F64, &a[shift..shift + 8 * n]).expect("f64")),
                    Argument::ZeroDim(ScalarValue::new(1.0_f64)),
                ];
                let place = SliceMut::from_bytes(DType::F64, &mut out[shift..shift + 8 * n]).expect("f64");
                rules().elementwise(Minus::OP, &inputs, place).expect("f64");
                for (i, x) in x.iter().enumerate() {
                    let found = out[shift + 8 * i..][..8].try_into().expect("8 bytes");
                    assert_eq!(f64::from_ne_bytes(found), f64::from(*x) - 1.0, "{n}, {shift} at {level}");
                }
            }
        }
    });
}

#[test]
fn results_take_the_place_of_an_operand() {
    at_each_level(|level| {
        for n in lengths() {
            let x: Vec<f64> = small(n, 4).into_iter().map(f64::from).collect();
            let y: Vec<f64> = small(n, 8).into_iter().map(f64::from).collect();
            for (k, sign) in [(0, 1.0), (1, -1.0)] {
                let mut out = x.clone();
                let mut inputs = [(&y[..]).into(), (&y[..]).into()];
                inputs[k] = Argument::InPlace(DType::F64);
                rules().elementwise(Minus::OP, &inputs, SliceMut::new(&mut out)).expect("f64");
                assert!(out.iter().zip(&x).zip(&y).all(|((z, x), y)| *z == sign * (x - y)), "{n} at {level}");
            }
        }
    });
}

#[test]
fn views_are_operands_and_results() {
    at_each_level(|level| {
        let x: Vec<f64> = (0..30 * 17).map(f64::from).collect();
        let row: Vec<f64> = (0..30).map(|i| f64::from(i) * 100.0).collect();
        let mut out = vec![0.0_f64; 30 * 17];
        // A transposed matrix of 17 x 30, and a row that is broadcast.
        let columns = TensorView::strided(&x[..], &[17, 30], &[1, 17], 0).expect("columns");
        let row_view = TensorView::new(&row[..], &[30]).expect("a row");
        rules()
            .prepare(Minus::OP, &[(&columns).into(), (&row_view).into()])
            .out(TensorViewMut::new(&mut out[..], &[17, 30]).expect("room"))
            .run()
            .expect("f64");
        for (i, row_of_out) in out.chunks(30).enumerate() {
            for (j, z) in row_of_out.iter().enumerate() {
                assert_eq!(*z, x[j * 17 + i] - row[j], "{i}, {j} at {level}");
            }
        }
    });
}

#[test]
fn four_inputs_are_taken() {
    at_each_level(|level| {
        for n in lengths() {
            let [a, b, c, d] = [1, 2, 3, 4].map(|seed| small(n, seed));
            let b: Vec<f32> = b.into_iter().map(f32::from).collect();
            let mut out = vec![0.0_f32; n];
            Torch::two_products_into(&a, &b, 2_i8, &d, &mut out).expect("equal lengths");
            for i in 0..n {
                assert_eq!(out[i], f32::from(a[i]) * b[i] + 2.0 * f32::from(d[i]), "{i} of {n} at {level}");
            }
            let inputs = [(&a[..]).into(), (&b[..]).into(), (&c[..]).into(), (&d[..]).into()];
            rules().elementwise(TwoProducts::OP, &inputs, SliceMut::new(&mut out)).expect("f32");
            for i in 0..n {
                let sum = f32::from(a[i]) * b[i] + f32::from(c[i]) * f32::from(d[i]);
                assert_eq!(out[i], sum, "{i} of {n} at run time at {level}");
            }
        }
    });
}

#[test]
fn other_compute_dtypes_are_refused() {
    let mut out = [0.0_f64; 2];
    let inputs = [(&[1.0_f64; 2][..]).into(), (&[1_i8; 2][..]).into(), (&[2.0_f32; 2][..]).into()];
    let refused = rules().elementwise(Capped::OP, &inputs, SliceMut::new(&mut out)).expect_err("f64");
    assert_eq!(
        refused.to_string(),
        "`capped` computes in `f32`, and these operands are computed in `f64`; help: cast the operands first, or write a kernel for `f64`, too"
    );
    assert_eq!(out, [0.0; 2]);
    let lengths = Torch::flipped_into(&[1.0_f32; 3], &mut [0.0; 2]).expect_err("3 and 2 elements");
    assert!(lengths.to_string().contains('3'), "{lengths}");
    assert_eq!(Op::name(Capped::OP), "capped");
}
