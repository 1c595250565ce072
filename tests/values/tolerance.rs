//! The distance that is allowed between a lane and the recorded one, op by op.

use core::f64::consts::TAU;

use num_complex::Complex;
use promote::{DType, Kind, Number, Op, OpTypes, ScalarValue};

use crate::lane::Lane;
use crate::recorded::{Case, looks_at_all};
use crate::ways::of_integers;

/// The parts of the tolerance in which recordings differ.
pub(crate) struct Tolerance {
    /// The units that an elementary function of real numbers may be off.
    elementary: f64,
    /// True if the size of an operand counts for a sum of an operand and a rest, which may be small beside
    /// both.
    operands_count: bool,
    /// True if vector loops may fuse one of the two products of a part of a complex product.
    fused_products: bool,
    /// The units that a reduction may be off after the last rounding.
    reduced: f64,
}

/// Elementary functions lie on one of the two floats beside the exact result.
pub(crate) const BESIDE_EXACT: Tolerance =
    Tolerance { elementary: 1.0, operands_count: false, fused_products: false, reduced: 1.0 };

/// As [`BESIDE_EXACT`], for recordings that do not know the exact results.
pub(crate) const WITHOUT_EXACT: Tolerance = Tolerance { operands_count: true, ..BESIDE_EXACT };

/// Elementary functions are correctly rounded below `f64`, and lie beside the polynomials of vector loops.
/// The worst of these is a `tanh`.
pub(crate) const ANY_VECTOR_LOOP: Tolerance =
    Tolerance { elementary: 3.0, operands_count: true, fused_products: true, reduced: 0.0 };

impl Tolerance {
    /// Returns the units that a lane may be off, and the magnitude whose unit is meant. `total` is the sum of
    /// absolute values that a reduction adds up.
    pub(crate) fn allowed(&self, case: &Case, types: &OpTypes, total: f64, lane: &Lane) -> (f64, f64) {
        let result = lane.theirs;
        let size = magnitude(parts(result));
        let reduces = looks_at_all(case.op) || case.op == Op::Dot;
        if let Some(op) = case.then.or_else(|| reduces.then_some(case.op)) {
            return (self.reduced(case, op, types, total, lane) / unit(result.dtype(), size), size);
        }
        let [a, b] = lane.operands.map(|operand| operand.parts);
        let units = units(case.op, result.dtype(), a, b);
        let complex = lane.operands[0].dtype.kind() == Kind::Complex;
        match case.op {
            Op::Multiply | Op::Square if complex && self.fused_products => {
                (1.0, a[0].hypot(a[1]) * b[0].hypot(b[1]))
            }
            // The root of a sum of squares.
            Op::Abs if complex && self.fused_products => (1.0, size),
            Op::L1Loss if types.compute == DType::C128 && result.dtype() == DType::F64 => (1.0, size),
            _ if units == 1.0 => (self.elementary, size),
            // These sum an operand and a rest, and the sum may be small beside both.
            Op::Logaddexp | Op::Logaddexp2 | Op::PoissonNllLoss if self.operands_count => {
                (units, magnitude(a).max(magnitude(b)).max(size))
            }
            _ => (units, size),
        }
    }

    /// Returns how far the result of a reduction may be off.
    fn reduced(&self, case: &Case, op: Op, types: &OpTypes, total: f64, lane: &Lane) -> f64 {
        let dtype = lane.theirs.dtype();
        // Sums of integers are exact in any order.
        let exact = of_integers(case) && matches!(op, Op::Sum | Op::Mean | Op::Prod);
        if exact || dtype.kind() < Kind::Float {
            return 0.0;
        }
        let lanes = case.lanes();
        // A mean divides the sum, and its rounding errors with it.
        let total = if op == Op::Mean { total / lanes as f64 } else { total };
        let compute = if case.then.is_some() { types.output.register() } else { types.compute };
        let size = magnitude(parts(lane.theirs));
        let bound = reordered(op, compute, lanes, total, size);
        if bound == 0.0 { 0.0 } else { bound + self.reduced * unit(dtype, size) }
    }
}

/// Returns the real and the imaginary part of an element.
pub(crate) fn parts(element: ScalarValue) -> [f64; 2] {
    match element.number() {
        Some(Number::Float(x)) => [x, 0.0],
        Some(Number::Complex(re, im)) => [re, im],
        Some(Number::Int(x)) => [x as f64, 0.0],
        Some(Number::Bool(x)) => [x as u8 as f64, 0.0],
        _ => unreachable!("every recorded dtype has elements"),
    }
}

/// Returns true for equal bits, and for NaN and NaN.
pub(crate) fn same(a: ScalarValue, b: ScalarValue) -> bool {
    let alike = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    a.as_bytes() == b.as_bytes()
        || a.dtype().kind() >= Kind::Float && parts(a).iter().zip(&parts(b)).all(alike)
}

/// Returns the unit in the last place of a number of a dtype, or of a part of it. Numbers of 8 bits have to
/// be as exact as those of `f64`.
pub(crate) fn unit(dtype: DType, x: f64) -> f64 {
    crate::unit::unit(if dtype.bits() == 8 { DType::F64 } else { dtype }, x)
}

/// Returns the greater magnitude of the finite parts.
pub(crate) fn magnitude(parts: [f64; 2]) -> f64 {
    parts.iter().filter(|part| part.is_finite()).fold(0.0_f64, |size, part| size.max(part.abs()))
}

/// Returns the distance between two elements, in units of a number of magnitude `size`. For complex numbers
/// the size is at least that of the greater part, because intermediate results are that large.
pub(crate) fn distance(a: ScalarValue, b: ScalarValue, size: f64) -> f64 {
    let (x, y) = (parts(a), parts(b));
    x.iter().zip(&y).map(|(x, y)| part_distance(*x, *y) / unit(a.dtype(), size)).fold(0.0, f64::max)
}

fn part_distance(x: f64, y: f64) -> f64 {
    match x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan() {
        true => 0.0,
        // Zeros of different signs are not near each other, and neither are finite and infinite numbers.
        false if x == y || !x.is_finite() || !y.is_finite() => f64::INFINITY,
        false => (x - y).abs(),
    }
}

/// Ops with a tolerance: units for real numbers, units for complex numbers, and the reason.
const UNITS: &[(&str, f64, f64, &str)] = &[
    (
        "sqrt cbrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc \
         atan2 hypot pow float_power angle",
        1.0,
        3.0,
        "ours is correctly rounded below f64; PyTorch's vector functions are one unit off, its complex ones a few, as they compute \
         in steps",
    ),
    ("rsqrt", 1.0, 4.0, "the root is rounded before the quotient, as PyTorch has it; JAX has other steps"),
    (
        "silu softplus gelu gelu_tanh",
        4.0,
        8.0,
        "ours are within one unit; the others multiply an exponential or an error function, each rounded",
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

/// Returns the units that an op may be off, 0 if it has to be exact.
pub(crate) fn units(op: Op, dtype: DType, a: [f64; 2], b: [f64; 2]) -> f64 {
    let complex = dtype.kind() == Kind::Complex;
    let Some(row) = UNITS.iter().find(|row| row.0.split(' ').any(|name| name == op.name())) else {
        return 0.0;
    };
    // The exponent of e is rounded before the power is taken: its absolute error becomes a relative one.
    let exponent = match op {
        _ if !complex => 0.0,
        Op::Exp2 => a[0].hypot(a[1]),
        // The logarithm of 1 + e^a, which may be near 0.
        Op::Softplus => {
            let z = Complex::new(a[0], a[1]);
            z.norm() / (z.exp() + 1.0).norm()
        }
        // e to the power of a cubic polynomial.
        Op::GeluTanh => {
            let size = a[0].hypot(a[1]);
            1.6 * (size + 0.045 * size * size * size)
        }
        Op::Ldexp => b[0].hypot(b[1]),
        Op::Pow | Op::FloatPower => b[0].hypot(b[1]) * a[0].hypot(a[1]).ln().hypot(a[1].atan2(a[0])),
        _ => 0.0,
    };
    match dtype {
        _ if complex && matches!(op, Op::GeluTanh | Op::Softplus) => row.2 * (1.0 + exponent),
        _ if complex => row.2 * (1.0 + exponent.min(100.0)),
        // An error of one unit in f32 does not change the rounded half.
        DType::F16 | DType::BF16 => 0.0,
        _ => row.1,
    }
}

/// Returns the bound on the rounding of a reduction of `n` elements in another order, in the dtype that it
/// computes in. Each of the `n` steps of either order rounds by half a unit of at most `size`.
pub(crate) fn reordered(op: Op, dtype: DType, n: usize, size: f64, result: f64) -> f64 {
    let relative = unit(dtype, 1.0);
    let steps = n as f64 * relative;
    match op {
        // Halves are so coarse that there is no bound: the results have to be equal, or PyTorch's order is
        // imitated (`composed.rs`).
        _ if matches!(dtype, DType::F16 | DType::BF16) => 0.0,
        Op::Sum | Op::Nansum | Op::Mean | Op::Cumsum | Op::Dot => steps * size,
        // A complex product has two more roundings a step.
        Op::Prod | Op::Cumprod if dtype.kind() == Kind::Complex => 3.0 * steps * result,
        Op::Prod | Op::Cumprod | Op::Std | Op::Var | Op::Norm | Op::Logsumexp => steps * result,
        _ => 0.0,
    }
}

/// Returns true if two logarithms of a sum of complex powers are as near as rounded steps allow, apart from
/// whole turns of their angles: some units of the operands, and more if the powers cancel. `ln_base` is the
/// logarithm of the base.
pub(crate) fn sums_near(dtype: DType, ln_base: f64, [a, b]: [[f64; 2]; 2], results: [[f64; 2]; 2]) -> bool {
    let [ours, theirs] = results;
    let size = magnitude(a).max(magnitude(b)).max(1.0);
    let left = ((a[0].max(b[0]) - ours[0]) * ln_base).exp();
    let bound = 8.0 * unit(dtype, size) * (1.0 + left);
    let turns = (ours[1] - theirs[1]) * ln_base / TAU;
    let angle = (turns - turns.round()).abs() * TAU / ln_base;
    (ours[0] - theirs[0]).abs() <= bound && angle <= bound + 4.0 * unit(dtype, theirs[1])
}
