//! How far a lane may lie from what PyTorch computed, op by op.

use core::f64::consts::TAU;

use promote::ScalarValue;
use promote::{DType, Kind, Number, Op};

/// The real and the imaginary part of an element.
pub(crate) fn parts(element: ScalarValue) -> [f64; 2] {
    match element.number() {
        Some(Number::Float(x)) => [x, 0.0],
        Some(Number::Complex(re, im)) => [re, im],
        Some(Number::Int(x)) => [x as f64, 0.0],
        Some(Number::Bool(x)) => [x as u8 as f64, 0.0],
        _ => unreachable!("every recorded dtype has elements"),
    }
}

/// Equal bits, or NaN and NaN.
pub(crate) fn same(a: ScalarValue, b: ScalarValue) -> bool {
    let alike = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    a.bytes() == b.bytes() || a.dtype().kind() >= Kind::Float && parts(a).iter().zip(&parts(b)).all(alike)
}

/// The unit in the last place of a number as a dtype, or a part of it, has it.
pub(crate) fn unit(dtype: DType, x: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F16 | DType::C32 => (11, -14),
        DType::BF16 => (8, -126),
        DType::F32 | DType::C64 => (24, -126),
        _ => (53, -1022),
    };
    let exponent = ((x.to_bits() >> 52 & 0x7FF) as i32 - 1023).max(least) - digits + 1;
    if exponent < -1022 {
        f64::from_bits(1 << (exponent + 1074))
    } else {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    }
}

/// The greater of the two parts in magnitude, as far as they are finite.
pub(crate) fn magnitude(parts: [f64; 2]) -> f64 {
    parts.iter().filter(|part| part.is_finite()).fold(0.0_f64, |size, part| size.max(part.abs()))
}

/// How many units of a number of magnitude `size` two elements lie apart. Of complex numbers it is at least
/// that of the greater part, so large are the intermediate results.
pub(crate) fn distance(a: ScalarValue, b: ScalarValue, size: f64) -> f64 {
    let (x, y) = (parts(a), parts(b));
    x.iter().zip(&y).map(|(x, y)| part_distance(*x, *y) / unit(a.dtype(), size)).fold(0.0, f64::max)
}

fn part_distance(x: f64, y: f64) -> f64 {
    match x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan() {
        true => 0.0,
        // Zeros of different signs, and what is finite and what is not, are not near each other.
        false if x == y || !x.is_finite() || !y.is_finite() => f64::INFINITY,
        false => (x - y).abs(),
    }
}

/// Ops with a tolerance: units for reals, units for complex numbers, and why.
const UNITS: &[(&str, f64, f64, &str)] = &[
    (
        "sqrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid atan2 hypot pow \
         float_power angle",
        1.0,
        3.0,
        "ours is correctly rounded below f64; PyTorch's vector functions are one unit off, its complex ones a few, as they compute \
         in steps",
    ),
    (
        "logaddexp logaddexp2",
        2.0,
        4.0,
        "an elementary function, and then one of its result: one unit each, in complex numbers two",
    ),
    (
        "divide reciprocal",
        0.0,
        2.0,
        "reals are exact; of complex numbers PyTorch scales by the greater part, we divide by it (Smith)",
    ),
    ("ldexp", 1.0, 2.0, "2^b is an elementary function unless b is whole, and then both are exact"),
    ("binary_cross_entropy", 1.0, 2.0, "a logarithm that is one unit off"),
    (
        "poisson_nll_loss",
        4.0,
        4.0,
        "up to three logarithms and powers, and sums of them that are greater than the operands",
    ),
];

/// The units that an op may be off; 0 where it has to be exact.
pub(crate) fn units(op: Op, dtype: DType, a: [f64; 2], b: [f64; 2]) -> f64 {
    let complex = dtype.kind() == Kind::Complex;
    let Some(row) = UNITS.iter().find(|row| row.0.split(' ').any(|name| name == op.name())) else {
        return 0.0;
    };
    // The exponent of e is rounded before the power is taken: its absolute error becomes a relative one.
    let exponent = match op {
        _ if !complex => 0.0,
        Op::Exp2 => a[0].hypot(a[1]),
        Op::Ldexp => b[0].hypot(b[1]),
        Op::Pow | Op::FloatPower => b[0].hypot(b[1]) * a[0].hypot(a[1]).ln().hypot(a[1].atan2(a[0])),
        _ => 0.0,
    };
    match dtype {
        _ if complex => row.2 * (1.0 + exponent.min(100.0)),
        // Computed in f32: what is one unit off there is the same half.
        DType::F16 | DType::BF16 => 0.0,
        _ => row.1,
    }
}

/// The bound on the rounding of a reduction of `n` elements in another order, in the last dtype but one: each
/// of the `n` steps of either order rounds by half a unit of at most `size`.
pub(crate) fn reordered(op: Op, dtype: DType, n: usize, size: f64, result: f64) -> f64 {
    let relative = unit(dtype, 1.0);
    let steps = n as f64 * relative;
    match op {
        // So coarse that there is no bound: they have to be equal, or PyTorch's order is imitated
        // (`composed.rs`).
        _ if matches!(dtype, DType::F16 | DType::BF16) => 0.0,
        Op::Sum | Op::Nansum | Op::Mean | Op::Cumsum | Op::Dot => steps * size,
        // A complex product has two more roundings a step.
        Op::Prod | Op::Cumprod if dtype.kind() == Kind::Complex => 3.0 * steps * result,
        Op::Prod | Op::Cumprod | Op::Std | Op::Var | Op::Norm | Op::Logsumexp => steps * result,
        _ => 0.0,
    }
}

/// Whether two logarithms of a sum of complex powers, of a base of which the logarithm is given, lie as near
/// as rounded steps allow, but for whole turns of their angles: some units of the operands, more where the
/// powers cancel.
#[allow(dead_code, reason = "of PyTorch and JAX")]
pub(crate) fn sums_near(dtype: DType, ln_base: f64, [a, b]: [[f64; 2]; 2], results: [[f64; 2]; 2]) -> bool {
    let [ours, theirs] = results;
    let size = magnitude(a).max(magnitude(b)).max(1.0);
    let left = ((a[0].max(b[0]) - ours[0]) * ln_base).exp();
    let bound = 8.0 * unit(dtype, size) * (1.0 + left);
    let turns = (ours[1] - theirs[1]) * ln_base / TAU;
    let angle = (turns - turns.round()).abs() * TAU / ln_base;
    (ours[0] - theirs[0]).abs() <= bound && angle <= bound + 4.0 * unit(dtype, theirs[1])
}
