//! Variances, medians, sums without NaN, logarithms of sums of powers, and the arguments `dtype` and
//! `correction`.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use fastrand::Rng;
use promote::{
    Argument, Axes, CallError, DType, Error, MlDtypes, NumPy, Op, RuleSet, Tensor, TensorView, Torch,
};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn numpy() -> RuleSet {
    NumPy::new().rule_set()
}

fn text(rules: RuleSet, op: Op, operand: Argument<'_>) -> String {
    rules.call(op, &[operand]).expect("a result").to_string()
}

/// The bound that the documentation of `Call::axes` states, for means of up to 2^35 deviations.
#[test]
fn errors_of_variances_do_not_grow_with_the_mean_or_the_length() {
    let mut random = Rng::with_seed(7);
    for (n, mean) in [(3, 50), (60, 50), (2049, 50), (300_000, 50), (300_000, 0), (300_000, 53)] {
        // Whole numbers of which the sum with the mean is exact.
        let rests: Vec<i64> = (0..n).map(|_| random.i64(0..1 << 19) * 2).collect();
        let a: Vec<f64> = rests.iter().map(|rest| ((1_i64 << mean) + rest) as f64).collect();
        let (sum, squares) = rests.iter().fold((0_i128, 0_i128), |(sum, squares), rest| {
            (sum + i128::from(*rest), squares + i128::from(*rest) * i128::from(*rest))
        });
        // n² times the variance is a whole number.
        let exact = (n as i128 * squares - sum * sum) as f64 / n as f64 / n as f64;
        let twice: Vec<f64> = a.iter().flat_map(|x| [*x, -*x]).collect();
        let [row, columns] =
            [Tensor::new(&a[..], &[n]), Tensor::new(&twice[..], &[n, 2])].map(Result::unwrap);
        let shape = [n];
        let backward = TensorView::strided(&a[..], &shape, &[-1], n - 1).expect("a view");
        let found = [
            numpy().call(Op::Var, &[(&row).into()]).expect("a result"),
            numpy().call(Op::Var, &[(&backward).into()]).expect("a result"),
            numpy().prepare(Op::Var, &[(&columns).into()]).axis(0).run().expect("a result"),
        ];
        for found in found.iter().flat_map(|found| found.as_slice::<f64>().expect("f64")) {
            assert!((found - exact).abs() <= 2.0_f64.powi(-44) * exact, "{n}: {found}, not {exact}");
        }
        let deviation = numpy().call(Op::Std, &[(&row).into()]).expect("a result");
        let deviation = deviation.as_slice::<f64>().expect("f64")[0];
        assert!((deviation / exact.sqrt() - 1.0).abs() <= 2.0_f64.powi(-44));
    }
}

#[test]
fn the_rule_file_chooses_the_correction_of_a_variance_and_a_call_may_choose_another() {
    let x = [1.0_f32, 2.0, 3.0];
    assert_eq!(text(torch(), Op::Var, (&x).into()), "1.0");
    assert_eq!(text(numpy(), Op::Var, (&x).into()), "0.6666667");
    assert_eq!(text(torch(), Op::Std, (&[2.0_f64]).into()), "NaN");
    assert_eq!(text(numpy(), Op::Std, (&[2.0_f64]).into()), "0.0");
    let corrected = |correction: f64| {
        torch().prepare(Op::Var, &[(&x).into()]).correction(correction).run().map(|found| found.to_string())
    };
    assert_eq!(corrected(0.5).as_deref(), Ok("0.8"));
    assert_eq!(corrected(-1.0).as_deref(), Ok("0.5"));
    assert_eq!(corrected(3.0).as_deref(), Ok("inf"));
    assert_eq!(corrected(5.0).as_deref(), Ok("inf"));
    for wrong in [f64::NAN, f64::INFINITY] {
        let name = "correction";
        let error = Error::Call(CallError::Parameter { name, problem: "is not finite" });
        assert_eq!(corrected(wrong), Err(error));
    }
    let sum = torch().prepare(Op::Sum, &[(&x).into()]).correction(1.0).run();
    assert_eq!(sum, Err(Error::Call(CallError::NoArgument { op: Op::Sum, name: "correction" })));
    // Integers are refused by PyTorch, and f64 in NumPy.
    assert!(torch().call(Op::Var, &[(&[1, 2]).into()]).is_err());
    assert_eq!(
        numpy().call(Op::Var, &[(&[1_u8, 255]).into()]).expect("a result").as_slice(),
        Some(&[16129.0_f64][..])
    );
}

#[test]
fn variances_of_complex_numbers_are_real() {
    let z = [num_complex::Complex::new(1.0_f32, 1.0), num_complex::Complex::new(2.0, -1.0), 0.0.into()];
    let found = torch().call(Op::Var, &[(&z).into()]).expect("a result");
    assert_eq!(found.as_slice(), Some(&[2.0_f32][..]));
}

#[test]
fn variances_of_nothing_and_of_infinities_are_nan() {
    let none = Tensor::zeros(DType::F32, &[0, 2]).expect("a tensor");
    for op in [Op::Std, Op::Var] {
        for correction in [-1.0, 0.0, 1.0] {
            let found = torch().prepare(op, &[(&none).into()]).axis(0).correction(correction).run();
            let found = found.expect("a result");
            assert!(found.as_slice::<f32>().expect("f32").iter().all(|x| x.is_nan()) && found.shape() == [2]);
        }
        for x in [f32::INFINITY, f32::NAN] {
            assert_eq!(text(torch(), op, (&[1.0, x, 2.0]).into()), "NaN");
        }
    }
}

/// Returns the element in the middle, and the mean of the two in the middle.
#[allow(clippy::manual_midpoint, reason = "as it is computed")]
fn middles(mut x: Vec<f64>) -> (f64, f64) {
    x.sort_by(f64::total_cmp);
    let (lower, upper) = (x[(x.len() - 1) / 2], x[x.len() / 2]);
    (lower, (lower + upper) / 2.0)
}

#[test]
fn medians_of_every_axis_equal_those_of_sorted_elements() {
    let mut random = Rng::with_seed(9);
    for shape in [[1, 1, 1], [4, 5, 6], [3, 2000, 2], [2, 3, 1500]] {
        let n = shape.iter().product();
        let a: Vec<f64> = (0..n).map(|_| f64::from(random.i16(-500..500)) / 4.0).collect();
        let whole: Vec<i32> = a.iter().map(|x| *x as i32).collect();
        let view = TensorView::new(&a[..], &shape).expect("a view");
        let of_whole = TensorView::new(&whole[..], &shape).expect("a view");
        for axes in [&[0][..], &[1], &[2], &[0, 2], &[1, 0], &[0, 1, 2], &[]] {
            let kept: Vec<usize> = (0..3).filter(|axis| !axes.contains(&(*axis as isize))).collect();
            let outputs: usize = kept.iter().map(|axis| shape[*axis]).product();
            let mut groups = vec![Vec::new(); outputs];
            for i in 0..n {
                let at = [i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]];
                groups[kept.iter().fold(0, |group, axis| group * shape[*axis] + at[*axis])].push(i);
            }
            let torch = |view| torch().prepare(Op::Median, &[view]).axes(axes).run().expect("a median");
            let lower = torch((&view).into());
            let mean = numpy().prepare(Op::Median, &[(&view).into()]).axes(axes).run().expect("a median");
            let lower_whole = torch((&of_whole).into());
            for (group, indices) in groups.iter().enumerate() {
                let (lowest, middle) = middles(indices.iter().map(|i| a[*i]).collect());
                assert_eq!(lower.as_slice::<f64>().expect("f64")[group], lowest, "{shape:?} {axes:?}");
                assert_eq!(mean.as_slice::<f64>().expect("f64")[group], middle, "{shape:?} {axes:?}");
                let (lowest, _) = middles(indices.iter().map(|i| f64::from(whole[*i])).collect());
                assert_eq!(f64::from(lower_whole.as_slice::<i32>().expect("i32")[group]), lowest);
            }
        }
    }
}

#[test]
fn a_median_is_nan_if_an_element_is_and_exact_for_every_integer() {
    assert_eq!(text(torch(), Op::Median, (&[1.0_f32, f32::NAN, 3.0]).into()), "NaN");
    assert_eq!(text(torch(), Op::Median, (&[u64::MAX, u64::MAX - 1, 0]).into()), "18446744073709551614");
    assert_eq!(
        text(torch(), Op::Median, (&[i64::MIN, i64::MAX, i64::MAX - 1]).into()),
        "9223372036854775806"
    );
    assert_eq!(text(numpy(), Op::Median, (&[1, 2]).into()), "1.5");
    assert_eq!(text(numpy(), Op::Median, (&[f64::INFINITY, f64::NEG_INFINITY]).into()), "NaN");
    let none = Tensor::zeros(DType::F32, &[0]).expect("a tensor");
    assert_eq!(text(torch(), Op::Median, (&none).into()), "NaN");
    let none = Tensor::zeros(DType::I32, &[2, 0]).expect("a tensor");
    let empty = torch().prepare(Op::Median, &[(&none).into()]).axis(1).run();
    assert_eq!(empty, Err(Error::Call(CallError::Empty { op: Op::Median })));
    let kept =
        torch().prepare(Op::Median, &[(&none).into()]).axis(0).keep_dims(true).run().expect("no elements");
    assert_eq!(kept.shape(), [1, 0]);
}

#[test]
fn nansum_counts_nan_as_zero() {
    let nan = f32::NAN;
    let row = [1.0, nan, 2.0, nan, -nan, 4.0];
    assert_eq!(text(torch(), Op::Nansum, (&row).into()), "7.0");
    let matrix = TensorView::new(&row[..], &[2, 3]).expect("a view");
    for (axis, expected) in [(0, "[1.0, 0.0, 6.0]"), (1, "[3.0, 4.0]")] {
        let found = torch().prepare(Op::Nansum, &[(&matrix).into()]).axis(axis).run().expect("a sum");
        assert_eq!(found.to_string(), expected);
    }
    assert_eq!(text(torch(), Op::Nansum, (&[nan; 3]).into()), "0.0");
    assert_eq!(text(torch(), Op::Nansum, (&[f32::INFINITY, nan]).into()), "inf");
    assert_eq!(text(torch(), Op::Nansum, (&[1_u8, 255]).into()), "256");
    let z = [num_complex::Complex::new(1.0_f64, 2.0), num_complex::Complex::new(f64::NAN, 5.0)];
    let found = numpy().call(Op::Nansum, &[(&z).into()]).expect("a sum");
    assert_eq!(found.as_slice(), Some(&z[..1]));
    let z = [
        num_complex::Complex::new(half::f16::ONE, half::f16::NAN),
        num_complex::Complex::new(half::f16::ONE, half::f16::ZERO),
    ];
    let found = MlDtypes::new().rule_set().call(Op::Nansum, &[(&z).into()]).expect("a sum");
    assert_eq!(found.as_slice(), Some(&z[1..]));
    for half in [half::f16::NAN, -half::f16::NAN] {
        let found = torch().call(Op::Nansum, &[(&[half, half::f16::ONE]).into()]).expect("a sum");
        assert_eq!(found.as_slice(), Some(&[half::f16::ONE][..]));
    }
}

#[test]
fn no_power_of_logsumexp_overflows() {
    let ln_2 = core::f64::consts::LN_2;
    for x in [0.0, 1000.0, -1000.0, 1e300] {
        let found = torch().call(Op::Logsumexp, &[(&[x, x]).into()]).expect("a result");
        assert_eq!(found.as_slice(), Some(&[x + ln_2][..]));
    }
    for (x, expected) in [
        (&[f64::INFINITY, f64::NEG_INFINITY][..], "inf"),
        (&[f64::NEG_INFINITY; 2], "-inf"),
        (&[f64::INFINITY, f64::NAN], "NaN"),
        (&[1.0, f64::NEG_INFINITY], "1.0"),
        (&[], "-inf"),
    ] {
        assert_eq!(
            text(torch(), Op::Logsumexp, Tensor::new(x, &[x.len()]).as_ref().expect("a tensor").into()),
            expected
        );
    }
    let mut random = Rng::with_seed(11);
    let n = 5000;
    let a: Vec<f64> = (0..n).map(|_| random.f64() * 60.0 - 30.0).collect();
    let columns: Vec<f64> = a.iter().flat_map(|x| [*x, *x]).collect();
    let columns = Tensor::new(&columns[..], &[n, 2]).expect("a tensor");
    let expected = a.iter().map(|x| x.exp()).sum::<f64>().ln();
    let row = torch().call(Op::Logsumexp, &[(&a).into()]).expect("a result");
    let columns = torch().prepare(Op::Logsumexp, &[(&columns).into()]).axis(0).run().expect("a result");
    for found in [row, columns].iter().flat_map(|found| found.as_slice::<f64>().expect("f64")) {
        let bound = 2.0_f64.powi(-44) + n as f64 * 2.0_f64.powi(-53);
        assert!((found - expected).abs() <= bound, "{found}, not {expected}");
    }
}

#[test]
fn dtype_casts_the_elements_first() {
    let rules = torch();
    let sum = |dtype, operand: Argument<'_>| {
        rules.prepare(Op::Sum, &[operand]).dtype(dtype).run().map(|found| found.to_string())
    };
    assert_eq!(sum(DType::I8, (&[100_i16, 100, 300]).into()).as_deref(), Ok("-12"));
    assert_eq!(sum(DType::U8, (&[300.7_f64, 1.0]).into()).as_deref(), Ok("45"));
    assert_eq!(sum(DType::Bool, (&[2, 3]).into()).as_deref(), Ok("true"));
    assert_eq!(sum(DType::F16, (&[2049.0_f32, 1.0, 1.0]).into()).as_deref(), Ok("2050.0"));
    let products = rules.prepare(Op::Cumprod, &[(&[3.5_f32, 100.0, 2.0]).into()]).dtype(DType::I8).run();
    assert_eq!(products.expect("a scan").to_string(), "[3, 44, 88]");
    let mean = rules.prepare(Op::Mean, &[(&[1, 2]).into()]).dtype(DType::F32).run().expect("a mean");
    assert_eq!((mean.dtype(), mean.to_string()), (DType::F32, "1.5".to_owned()));
    let refused = rules.prepare(Op::Mean, &[(&[1.0_f32, 2.0]).into()]).dtype(DType::I32).run();
    assert!(matches!(refused, Err(Error::Promote(_))));
    // NumPy's sum wraps before it is divided.
    let mean = numpy().prepare(Op::Mean, &[(&[100_u8, 100]).into()]).dtype(DType::I8).run().expect("a mean");
    assert_eq!((mean.dtype(), mean.to_string()), (DType::I8, "-28".to_owned()));
    // NaN becomes 0 before it would become an integer.
    let whole = rules.prepare(Op::Nansum, &[(&[f32::NAN, 1.0]).into()]).dtype(DType::I32).run();
    assert_eq!(whole.expect("a sum").as_slice(), Some(&[1_i32][..]));
    let refused = rules.prepare(Op::Max, &[(&[1, 2]).into()]).dtype(DType::I32).run();
    assert_eq!(refused, Err(Error::Call(CallError::NoArgument { op: Op::Max, name: "dtype" })));
    let elementwise = rules.prepare(Op::Exp, &[(&[1.0_f32]).into()]).dtype(DType::F32).run();
    assert_eq!(elementwise, Err(Error::Call(CallError::NoReduction { op: Op::Exp })));
    let mut out = [0_i16];
    let other = rules.prepare(Op::Sum, &[(&[1, 2]).into()]).dtype(DType::I32).out(&mut out).run();
    assert!(matches!(other, Err(Error::Call(CallError::DType { .. }))));
}

#[test]
fn dtype_is_read_from_every_layout() {
    let a: Vec<i16> = (0..6000).map(|i| i % 700 - 350).collect();
    let view = TensorView::strided(&a[..], &[20, 30, 10], &[-1, 20, 600], 19).expect("a view");
    let wide = torch().astype(&view, DType::F32, None).expect("a cast");
    for axes in [Axes::All, Axes::One(0), Axes::One(1), Axes::Of(&[0, 2])] {
        for op in [Op::Sum, Op::Mean, Op::Nansum] {
            let named = torch().prepare(op, &[(&view).into()]).axes(axes).dtype(DType::F32).run();
            assert_eq!(named, torch().prepare(op, &[(&wide).into()]).axes(axes).run(), "{op} {axes:?}");
        }
    }
    for axis in 0..3 {
        let named = torch().prepare(Op::Cumsum, &[(&view).into()]).axis(axis).dtype(DType::F32).run();
        assert_eq!(named, torch().prepare(Op::Cumsum, &[(&wide).into()]).axis(axis).run(), "{axis}");
    }
}
