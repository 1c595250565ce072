//! Scans along an axis: every layout of the operand and of the result, threads, errors.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use promote::{CallError, DType, Error, NumPy, Op, RuleSet, Tensor, TensorView, TensorViewMut, Torch};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

/// Returns sums or products of every line along an axis, one element after another.
fn expected(op: Op, a: &[f64], shape: &[usize], axis: usize) -> Vec<f64> {
    let step: usize = shape[axis + 1..].iter().product();
    let mut found = a.to_vec();
    for i in 0..a.len() {
        if !(i / step).is_multiple_of(shape[axis]) {
            found[i] = if op == Op::Cumsum { found[i - step] + a[i] } else { found[i - step] * a[i] };
        }
    }
    found
}

/// Returns small whole numbers: their sums and products are exact in every order.
fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| [1.0, -1.0, 2.0, 0.5, -1.0, 0.5, 1.0, 2.0, -2.0, 0.25, 1.0][i * i % 11]).collect()
}

#[test]
fn scans_of_every_axis_equal_a_loop() {
    for shape in
        [&[1][..], &[7], &[3000], &[5, 3], &[3, 700], &[700, 3], &[2, 60, 1], &[4, 5, 300], &[300, 2, 90]]
    {
        let n: usize = shape.iter().product();
        let a = numbers(n);
        let tensor = Tensor::new(&a[..], shape).expect("a tensor");
        let signs: Vec<f64> = a.iter().map(|x| x.signum()).collect();
        let of_signs = Tensor::new(&signs[..], shape).expect("a tensor");
        for axis in 0..shape.len() {
            for (op, tensor, a) in [(Op::Cumsum, &tensor, &a), (Op::Cumprod, &of_signs, &signs)] {
                let found = torch().prepare(op, &[tensor.into()]).axis(axis as isize).run().expect("a scan");
                assert_eq!(found.shape(), shape);
                assert_eq!(
                    found.as_slice::<f64>().expect("f64"),
                    expected(op, a, shape, axis),
                    "{op} {shape:?} {axis}"
                );
                let negative = axis as isize - shape.len() as isize;
                assert_eq!(
                    torch().prepare(op, &[tensor.into()]).axis(negative).run().expect("a scan"),
                    found
                );
            }
        }
    }
}

#[test]
fn scans_read_and_write_any_layout() {
    let shape = [6, 70, 9];
    let a: Vec<f32> = numbers(6 * 70 * 9).iter().map(|x| *x as f32).collect();
    let wide: Vec<f64> = a.iter().map(|x| f64::from(*x)).collect();
    // The last axis first, every second element, backward, and one element for a whole axis.
    let layouts: [([isize; 3], usize); 4] =
        [([630, 9, 1], 0), ([1, 6, 420], 0), ([-630, -9, -1], a.len() - 1), ([630, 0, 1], 0)];
    for (strides, offset) in layouts {
        let view = TensorView::strided(&a[..], &shape, &strides, offset).expect("a view");
        let at = |i: usize| {
            let index = [i / 630, i / 9 % 70, i % 9];
            let by: isize = index.iter().zip(strides).map(|(at, stride)| *at as isize * stride).sum();
            wide[(offset as isize + by) as usize]
        };
        let elements: Vec<f64> = (0..a.len()).map(at).collect();
        for axis in 0..3 {
            let expected = expected(Op::Cumsum, &elements, &shape, axis);
            let found =
                torch().prepare(Op::Cumsum, &[(&view).into()]).axis(axis as isize).run().expect("a scan");
            let found: Vec<f64> =
                found.as_slice::<f32>().expect("f32").iter().map(|x| f64::from(*x)).collect();
            assert_eq!(found, expected, "{strides:?} {axis}");
            // Into the first elements of pairs, the axes in another order.
            let mut out = vec![7.0_f32; 2 * a.len()];
            let target = TensorViewMut::strided(&mut out[..], &shape, &[2, 12, 840], 0).expect("a view");
            torch()
                .prepare(Op::Cumsum, &[(&view).into()])
                .axis(axis as isize)
                .out(target)
                .run()
                .expect("a scan");
            for (i, expected) in expected.iter().enumerate() {
                let index = 2 * (i / 630) + 12 * (i / 9 % 70) + 840 * (i % 9);
                assert_eq!(
                    [f64::from(out[index]), f64::from(out[index + 1])],
                    [*expected, 7.0],
                    "{strides:?} {axis}"
                );
            }
        }
    }
}

#[test]
fn out_may_overlap_the_elements() {
    for (shift, expected) in [(0, [1_i64, 3, 6, 4]), (8, [1, 1, 3, 6])] {
        let mut numbers = [1_i64, 2, 3, 4];
        let pointer = numbers.as_mut_ptr().cast::<u8>();
        // SAFETY: three elements lie there, to which only the call writes.
        let a = unsafe { TensorView::from_raw_parts(DType::I64, pointer, &[3], &[8]) }.expect("a view");
        let pointer = pointer.wrapping_add(shift);
        // SAFETY: as above.
        let out = unsafe { TensorViewMut::from_raw_parts(DType::I64, pointer, &[3], &[8]) }.expect("a view");
        torch().prepare(Op::Cumsum, &[(&a).into()]).out(out).run().expect("a scan");
        assert_eq!(numbers, expected);
    }
}

#[test]
fn integers_wrap_and_halves_are_added_in_a_wider_dtype() {
    let sums = torch().call(Op::Cumsum, &[(&[200_u8, 100, 3]).into()]).expect("a scan");
    assert_eq!((sums.dtype(), sums.to_string()), (DType::I64, "[200, 300, 303]".to_owned()));
    let sums = torch().call(Op::Cumsum, &[(&[i64::MAX, 1, -1]).into()]).expect("a scan");
    assert_eq!(sums.as_slice(), Some(&[i64::MAX, i64::MIN, i64::MAX][..]));
    let products = NumPy::new().rule_set().call(Op::Cumprod, &[(&[u64::MAX, u64::MAX, 3]).into()]);
    assert_eq!(products.expect("a scan").as_slice(), Some(&[u64::MAX, 1, 3][..]));
    // 2048 + 1 is 2048 in f16, but the sum before it is kept.
    let half = |x| half::f16::from_f32(x);
    let sums = torch().call(Op::Cumsum, &[(&[half(2048.0), half(1.0), half(1.0)]).into()]).expect("a scan");
    assert_eq!(sums.as_slice(), Some(&[half(2048.0), half(2048.0), half(2050.0)][..]));
}

#[test]
fn infinities_and_nan_reach_all_later_results() {
    for n in [4, 40, 5000] {
        let mut a = vec![1.0_f64; n];
        a[1] = f64::INFINITY;
        a[3] = f64::NEG_INFINITY;
        let sums = torch().call(Op::Cumsum, &[(&a).into()]).expect("a scan");
        let sums = sums.as_slice::<f64>().expect("f64");
        assert_eq!((sums[0], sums[1], sums[2]), (1.0, f64::INFINITY, f64::INFINITY));
        assert!(sums[3..].iter().all(|sum| sum.is_nan()), "{n}");
        let columns = Tensor::new(&a.iter().flat_map(|x| [*x, 1.0]).collect::<Vec<_>>()[..], &[n, 2])
            .expect("a tensor");
        let sums = torch().prepare(Op::Cumsum, &[(&columns).into()]).axis(0).run().expect("a scan");
        let sums = sums.as_slice::<f64>().expect("f64");
        assert_eq!((sums[0], sums[2], sums[4], sums[7]), (1.0, f64::INFINITY, f64::INFINITY, 4.0));
        assert!(sums[6].is_nan() && sums[2 * n - 2].is_nan());
    }
}

/// The bound that the documentation of `Call::axis` states.
#[test]
fn errors_of_sums_are_within_the_bound() {
    let mut random = fastrand::Rng::with_seed(3);
    let n = 300_000;
    let a: Vec<f64> = (0..n).map(|_| (random.f64() - 0.5) * 2.0_f64.powi(random.i32(-20..20))).collect();
    let columns =
        Tensor::new(&a.iter().flat_map(|x| [*x, *x]).collect::<Vec<_>>()[..], &[n, 2]).expect("a tensor");
    let rows = torch().prepare(Op::Cumsum, &[(&columns).into()]).axis(0).run().expect("a scan");
    let run = torch().call(Op::Cumsum, &[(&a).into()]).expect("a scan");
    let (rows, run) = (rows.as_slice::<f64>().expect("f64"), run.as_slice::<f64>().expect("f64"));
    // The exact sum is that of two numbers.
    let (mut sum, mut lost, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut worst = 0.0_f64;
    for (i, x) in a.iter().enumerate() {
        let next = sum + x;
        let back = next - sum;
        lost += (sum - (next - back)) + (x - back);
        (sum, size) = (next, size + x.abs());
        for found in [rows[2 * i], rows[2 * i + 1], run[i]] {
            worst = worst.max(((found - sum) - lost).abs() / size);
        }
    }
    assert!(worst <= 2.0_f64.powi(-46), "{worst:e}");
}

#[test]
fn threads_and_levels_change_no_bit() {
    let mut random = fastrand::Rng::with_seed(5);
    let a: Vec<f32> = (0..1 << 20).map(|_| random.f32() - 0.5).collect();
    for shape in [&[1 << 20][..], &[1 << 10, 1 << 10], &[1 << 14, 64], &[64, 1 << 14]] {
        let tensor = Tensor::new(&a[..], shape).expect("a tensor");
        for axis in 0..shape.len() as isize {
            for op in [Op::Cumsum, Op::Cumprod, Op::Var] {
                let operands = [(&tensor).into()];
                let call = torch().prepare(op, &operands).axis(axis);
                let found = call.run().expect("a result");
                for level in promote::Level::ALL {
                    assert_eq!(
                        call.level(*level).run().expect("a result"),
                        found,
                        "{op} {shape:?} {axis} {level}"
                    );
                }
                #[cfg(feature = "rayon")]
                for threads in [1, 2, 3, 8] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                    assert_eq!(
                        pool.install(|| call.run().expect("a result")),
                        found,
                        "{op} {shape:?} {axis}"
                    );
                }
            }
        }
    }
}

#[test]
fn arrays_without_axes_or_elements_are_scanned() {
    let alone =
        torch().call(Op::Cumsum, &[Tensor::new(&[3_i32][..], &[]).as_ref().expect("a tensor").into()]);
    let alone = alone.expect("a scan");
    assert_eq!((alone.shape(), alone.to_string()), (&[][..], "3".to_owned()));
    assert_eq!(torch().call(Op::Cumprod, &[2.5.into()]).expect("a scan").to_string(), "2.5");
    for shape in [&[0][..], &[3, 0], &[0, 3]] {
        let none = Tensor::zeros(DType::F32, shape).expect("a tensor");
        for axis in 0..shape.len() as isize {
            let found = torch().prepare(Op::Cumsum, &[(&none).into()]).axis(axis).run().expect("a scan");
            assert_eq!((found.shape(), found.dtype()), (shape, DType::F32));
        }
    }
}

#[test]
fn mistakes_are_errors_and_leave_the_result_unchanged() {
    let a = Tensor::zeros(DType::F32, &[2, 3]).expect("a tensor");
    let operands = [(&a).into()];
    let error = |call: promote::Call<'_, '_>| call.run().map(|_| ()).expect_err("a mistake").to_string();
    let scan = torch().prepare(Op::Cumsum, &operands);
    assert_eq!(error(scan), "`cumsum` works along one axis; help: name one");
    assert_eq!(error(scan.axes(&[0, 1])), error(scan));
    assert!(error(scan.axis(2)).starts_with("axis 2 is out of range for an array of 2 axes"));
    assert!(error(scan.axes(&[0, 0])).starts_with("axis 0 is named twice"));
    assert_eq!(
        error(scan.axis(0).keep_dims(true)),
        "`cumsum` has no argument `keepdims`; help: leave it out"
    );
    assert_eq!(
        error(scan.axis(0).correction(1.0)),
        "`cumsum` has no argument `correction`; help: leave it out"
    );
    let mut out = [7.0_f32; 6];
    let wrong = TensorViewMut::new(&mut out, &[3, 2]).expect("a view");
    assert_eq!(
        scan.axis(0).out(wrong).run().expect_err("another shape"),
        Error::Call(CallError::OutShape { axis: 0, expected: 2, found: 3 })
    );
    let wrong = TensorViewMut::new(&mut out, &[6]).expect("a view");
    assert!(matches!(scan.axis(0).out(wrong).run(), Err(Error::Call(CallError::Rank { .. }))));
    let mut whole = [7_i32; 6];
    let wrong = TensorViewMut::new(&mut whole, &[2, 3]).expect("a view");
    assert!(matches!(scan.axis(0).out(wrong).run(), Err(Error::Promote(_))));
    assert_eq!((out, whole), ([7.0; 6], [7; 6]));
}
