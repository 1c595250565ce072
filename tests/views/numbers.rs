//! Comparisons whose results are ones and zeros of the operands' dtype, also in place.

use promote::{Argument, DType, Kind, Number, Op, TensorView, TensorViewMut, Torch};
use promote::{ScalarValue, Slice, SliceMut};

use crate::aligned::Aligned;

const OPS: [Op; 6] = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual];

/// More than a kernel takes at once, and not a multiple of a cache line.
const LEN: usize = 1237;

/// Numbers of both signs, some of them equal, as far as the dtype has them.
fn values(dtype: DType) -> Vec<ScalarValue> {
    const FLOATS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-8];
    const WHOLE: [i128; 6] = [0, 1, 2, 127, -1, -128];
    let floats = FLOATS.iter().map(|x| ScalarValue::from_number(Number::Float(*x), dtype));
    let whole = WHOLE.iter().map(|x| ScalarValue::from_number(Number::Int(*x), dtype));
    let all: Vec<_> = if dtype.kind() == Kind::Float { floats.collect() } else { whole.collect() };
    all.into_iter().filter_map(Result::ok).collect()
}

#[test]
fn a_comparison_in_numbers_is_the_one_in_bools() {
    let rules = Torch::new().rule_set();
    let mut compared = 0;
    for &dtype in DType::WITH_TYPE {
        let all = values(dtype);
        // Every pair of them.
        let a: Vec<ScalarValue> = (0..LEN).map(|i| all[i / all.len() % all.len()]).collect();
        let b: Vec<ScalarValue> = (0..LEN).map(|i| all[i % all.len()]).collect();
        let (a, b) = (Aligned::of(&a), Aligned::of(&b));
        let [a_slice, b_slice] = [&a, &b].map(|x| Slice::from_bytes(dtype, x.bytes()).unwrap());
        let (a_view, b_view) = (TensorView::from(a_slice), TensorView::from(b_slice));
        let one = TensorView::byte_strided(b_slice, &[], &[], 0).unwrap();
        for (op, b) in OPS.iter().flat_map(|op| [(*op, &b_view), (*op, &one)]) {
            let b: Argument<'_> = b.into();
            let mut truths = [false; LEN];
            if rules.prepare(op, &[(&a_view).into(), b]).out(SliceMut::new(&mut truths[..])).run().is_err() {
                // Complex numbers have no order there.
                continue;
            }
            let number =
                |truth: bool| ScalarValue::from_number(Number::Int(i128::from(truth)), dtype).unwrap();
            let expected = Aligned::of(&truths.map(number));

            let mut out = Aligned::new(a.bytes().len());
            let room = SliceMut::from_bytes(dtype, out.bytes_mut()).unwrap();
            rules.prepare(op, &[(&a_view).into(), b]).out(room).run().unwrap();
            assert!(out.bytes() == expected.bytes(), "{op} of {dtype}");

            let mut out = Aligned::copy(a.bytes());
            let room = SliceMut::from_bytes(dtype, out.bytes_mut()).unwrap();
            rules.prepare(op, &[b]).in_place(TensorViewMut::from(room)).run().unwrap();
            assert!(out.bytes() == expected.bytes(), "{op} of {dtype}, in place");
            compared += 1;
        }
    }
    assert!(compared >= 2 * OPS.len() * 10, "{compared} comparisons");
}
