//! The operands of the comparison: every pair of special values, and random bits.

use promote::ScalarValue;
use promote::{DType, Kind, Number, Op};

use crate::unit::unit;

/// The number of lanes of random bits beside the special ones.
const RANDOM: usize = 144;

/// Special values: zeros, limits, infinities, NaN and the neighbours of thresholds.
fn special(dtype: DType) -> Vec<ScalarValue> {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        3.0,
        7.0,
        1e-3,
        448.0,
        65504.0,
        1e30,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        6e-8,
        1e-45,
        5e-324,
        2.0_f64.powi(31),
        2.0_f64.powi(63),
    ];
    let ints = [
        0,
        1,
        2,
        3,
        5,
        7,
        31,
        32,
        63,
        64,
        127,
        128,
        255,
        i128::from(i64::MAX),
        -1,
        -2,
        -7,
        i128::from(i64::MIN),
    ];
    let numbers: Vec<Number> = match dtype.kind() {
        Kind::Bool => vec![Number::Bool(false), Number::Bool(true)],
        Kind::Signed | Kind::Unsigned => {
            let low: i128 = if dtype.kind() == Kind::Signed { -(1 << (dtype.bits() - 1)) } else { 0 };
            let high = low + (1 << dtype.bits()) - 1;
            ints.into_iter().chain([low, low + 1, high, high - 1]).map(Number::Int).collect()
        }
        Kind::Float => floats.into_iter().map(Number::Float).collect(),
        Kind::Complex => {
            let parts = [0.0, -0.0, 1.0, -2.5, 1e30, f64::INFINITY, f64::NAN];
            parts.iter().flat_map(|re| parts.iter().map(|im| Number::Complex(*re, *im))).collect()
        }
        kind => unreachable!("no dtype with elements is {kind:?}"),
    };
    numbers
        .into_iter()
        .map(|number| ScalarValue::from_number(number, dtype).expect("a dtype with elements"))
        .collect()
}

/// Columns of operands: every special value beside every other one, then any bits.
pub(crate) fn elements(dtypes: &[DType]) -> Vec<Vec<ScalarValue>> {
    let pools: Vec<Vec<ScalarValue>> = dtypes.iter().map(|dtype| special(*dtype)).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut columns = match &pools[..] {
        [a] => vec![a.clone()],
        [a, b] => vec![
            a.iter().flat_map(|a| b.iter().map(|_| *a)).collect(),
            a.iter().flat_map(|_| b.iter().copied()).collect(),
        ],
        _ => unreachable!("one operand or two"),
    };
    for i in 0..RANDOM {
        for (column, dtype) in columns.iter_mut().zip(dtypes) {
            let size = dtype.size().expect("a dtype with a Rust type");
            let bits = (u128::from(random()) << 64 | u128::from(random())).to_le_bytes();
            let small = ScalarValue::from_number(Number::Int(i128::from(random() % 19) - 9), *dtype)
                .expect("elements");
            let any = ScalarValue::from_bytes(*dtype, &bits[..size]).expect("an element");
            let float = dtype.kind() == Kind::Float;
            // A number from 0 to 1, as a probability is.
            let fraction =
                ScalarValue::from_number(Number::Float(random() as f64 / 2.0_f64.powi(64)), *dtype);
            column.push(match i % 3 {
                0 => small,
                1 if float => fraction.expect("elements"),
                _ => any,
            });
        }
    }
    columns
}

pub(crate) fn is_nan(value: ScalarValue) -> bool {
    parts(value).iter().any(|x| x.is_nan())
}

/// Returns the parts of an element; zeros for a bool or an integer, whose bits are compared.
fn parts(value: ScalarValue) -> [f64; 2] {
    match value.number() {
        Some(Number::Float(x)) => [x, 0.0],
        Some(Number::Complex(re, im)) => [re, im],
        Some(Number::Int(_) | Number::Bool(_)) => [0.0, 0.0],
        _ => unreachable!("every dtype here has elements"),
    }
}

/// Returns the [`distance`] of complex numbers in units of their absolute value, because the error of the
/// smaller part is usually as large as that of the greater one. The sign of a zero part is ignored, and so is
/// that of an infinite part beside a NaN. Without an `angle`, either part may be the infinite one.
#[allow(clippy::float_cmp, reason = "infinities are compared")]
pub(crate) fn distance_by_size(a: ScalarValue, b: ScalarValue, compute: DType, angle: bool) -> f64 {
    let (a_parts, b_parts) = (parts(a), parts(b));
    let size = b_parts.iter().filter(|x| x.is_finite()).fold(0.0_f64, |size, x| size.max(x.abs()));
    let unit = unit(a.dtype(), size).max(unit(compute, size));
    let any_sign = is_nan(b);
    let endless = |parts: &[f64; 2]| parts.iter().any(|x| x.is_infinite());
    if !angle && endless(&a_parts) && endless(&b_parts) {
        return 0.0;
    }
    let part = |(x, y): (&f64, &f64)| match () {
        () if x == y || x.is_nan() && y.is_nan() => 0.0,
        () if x.is_finite() && y.is_finite() => (x - y).abs() / unit,
        () if any_sign && x.abs() == y.abs() => 0.0,
        () => f64::INFINITY,
    };
    a_parts.iter().zip(&b_parts).map(part).fold(0.0, f64::max)
}

/// Returns the magnitude of the exponent of e in a function of complex operands, 0 for other functions. The
/// reference's error grows by this factor.
pub(crate) fn exponent(op: Op, operands: &[ScalarValue]) -> f64 {
    let number = |value: ScalarValue| match value.number() {
        Some(Number::Int(x)) => [x as f64, 0.0],
        Some(Number::Bool(x)) => [f64::from(u8::from(x)), 0.0],
        _ => parts(value),
    };
    let [a, b] = [operands[0], operands[operands.len() - 1]].map(number);
    let log = || (a[0].hypot(a[1]).ln()).hypot(a[1].atan2(a[0]));
    match op {
        Op::Exp2 => a[0].hypot(a[1]),
        Op::Ldexp => b[0].hypot(b[1]),
        Op::Logaddexp | Op::Logaddexp2 => a[1].abs().max(b[1].abs()),
        Op::Pow | Op::FloatPower if a != [0.0, 0.0] => b[0].hypot(b[1]) * log(),
        _ => 0.0,
    }
}

/// Returns the distance of two elements in units in the last place, for complex ones the greater distance of
/// their parts. The unit is that of the compute dtype if it is narrower than the dtype of the elements.
#[allow(clippy::float_cmp, reason = "zeros of two signs are what is asked for")]
pub(crate) fn distance(a: ScalarValue, b: ScalarValue, compute: DType) -> f64 {
    if a.as_bytes() == b.as_bytes() {
        return 0.0;
    }
    if !matches!(a.dtype().kind(), Kind::Float | Kind::Complex) {
        return f64::INFINITY;
    }
    let part = |(x, y): (&f64, &f64)| match () {
        () if x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan() => 0.0,
        () if x == y || !x.is_finite() || !y.is_finite() => f64::INFINITY,
        () => (x - y).abs() / unit(a.dtype(), *y).max(unit(compute, *y)),
    };
    parts(a).iter().zip(&parts(b)).map(part).fold(0.0, f64::max)
}
