//! Real arithmetic in a format. Every step is rounded to it.

use promote_runtime::Op;

use crate::elementary;
use crate::format::{F32, F64, Format};
use crate::semantics::Semantics;

/// The four operations, each rounded once.
impl Format {
    pub(crate) fn add(self, a: f64, b: f64) -> f64 {
        self.round(a + b)
    }

    pub(crate) fn subtract(self, a: f64, b: f64) -> f64 {
        self.round(a - b)
    }

    pub(crate) fn multiply(self, a: f64, b: f64) -> f64 {
        self.round(a * b)
    }

    pub(crate) fn divide(self, a: f64, b: f64) -> f64 {
        self.round(a / b)
    }

    /// Computes `a * b + c` with one rounding. In a format narrower than `f32` the `f32` is rounded again.
    pub(crate) fn multiply_add(self, a: f64, b: f64, c: f64) -> f64 {
        if self == F64 { a.mul_add(b, c) } else { self.round((a as f32).mul_add(b as f32, c as f32).into()) }
    }

    /// Computes an op of one operand that has a function in [`elementary`].
    pub(crate) fn elementary(self, op: Op, x: f64) -> f64 {
        self.round(elementary::real(op, x).unwrap_or(f64::NAN))
    }
}

/// Computes an op of two real numbers; `None` for other ops.
pub(crate) fn binary(op: Op, format: Format, a: f64, b: f64, semantics: Semantics) -> Option<f64> {
    Some(match op {
        Op::Add => format.add(a, b),
        Op::Subtract => format.subtract(a, b),
        Op::Multiply => format.multiply(a, b),
        Op::Divide => format.divide(a, b),
        Op::FloorDivide if semantics.truncate => format.divide(a, b).trunc(),
        Op::FloorDivide if semantics.rounded_quotient => format.divide(a, b).floor(),
        Op::FloorDivide => floor_divide(format, a, b),
        Op::DivideTrunc => format.divide(a, b).trunc(),
        // The remainder of two values of a format is one of its values.
        Op::Fmod => a % b,
        Op::Remainder => remainder(format, a, b, semantics),
        Op::Pow | Op::FloatPower => format.round(a.powf(b)),
        Op::Maximum | Op::ClampMin => greater(a, b),
        Op::Minimum => -greater(-a, -b),
        Op::Fmax => if_number(a, b, greater),
        Op::Fmin => if_number(a, b, |a, b| -greater(-a, -b)),
        Op::Atan2 => format.round(a.atan2(b)),
        Op::Hypot => format.round(a.hypot(b)),
        Op::Copysign => a.copysign(b),
        Op::Nextafter => format.next_after(a, b),
        Op::Heaviside => heaviside(a, b, semantics),
        Op::Logaddexp => log_add(format, a, b, Op::Exp, Op::Log1p, 1.0),
        // log2(1 + x) is log1p(x) / ln 2.
        Op::Logaddexp2 => log_add(format, a, b, Op::Exp2, Op::Log1p, std::f64::consts::LOG2_E),
        Op::Xlogy => xlogy(format, a, b),
        Op::Ldexp => format.multiply(a, format.elementary(Op::Exp2, b)),
        _ => return None,
    })
}

/// Computes an op of one real number; `None` for other ops.
pub(crate) fn unary(op: Op, format: Format, x: f64, semantics: Semantics) -> Option<f64> {
    Some(match op {
        Op::Relu if x <= 0.0 => 0.0,
        Op::Rsqrt => format.divide(1.0, format.elementary(Op::Sqrt, x)),
        Op::Negative => -x,
        Op::Abs => x.abs(),
        Op::Sign if x.is_nan() => step_of_nan(semantics),
        Op::Sign if x == 0.0 => 0.0,
        Op::Sign => 1.0_f64.copysign(x),
        Op::Square => format.multiply(x, x),
        Op::Reciprocal => format.divide(1.0, x),
        Op::Sigmoid => format.divide(1.0, format.add(1.0, format.elementary(Op::Exp, -x))),
        Op::Floor => x.floor(),
        Op::Ceil => x.ceil(),
        Op::Trunc => x.trunc(),
        Op::Round => x.round_ties_even(),
        Op::Conj | Op::Real | Op::Astype | Op::Positive | Op::Relu => x,
        Op::Imag => 0.0,
        Op::Angle if x.is_nan() => x,
        Op::Angle => format.round(if x < 0.0 { std::f64::consts::PI } else { 0.0 }),
        _ => format.round(elementary::real(op, x)?),
    })
}

/// Returns the greater of two numbers; NaN if either is NaN. +0 is greater than -0, so that swapped operands
/// give equal results.
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    match () {
        () if a.is_nan() || b.is_nan() => f64::NAN,
        () if a == b && a.is_sign_negative() => b,
        () if a >= b => a,
        () => b,
    }
}

/// Returns the operand that is not NaN, or combines two such operands.
fn if_number(a: f64, b: f64, choose: impl Fn(f64, f64) -> f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => choose(a, b),
    }
}

/// Computes the quotient rounded down from the remainder, which is right even if a / b rounds up to an
/// integer.
fn floor_divide(format: Format, a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return format.divide(a, b);
    }
    let rest = a % b;
    let quotient = format.divide(format.subtract(a, rest), b);
    let quotient =
        if rest != 0.0 && (rest < 0.0) != (b < 0.0) { format.subtract(quotient, 1.0) } else { quotient };
    if quotient == 0.0 {
        return 0.0_f64.copysign(format.divide(a, b));
    }
    let down = quotient.floor();
    if format.subtract(quotient, down) > 0.5 { format.add(down, 1.0) } else { down }
}

/// Computes the remainder with the sign of the divisor.
fn remainder(format: Format, a: f64, b: f64, semantics: Semantics) -> f64 {
    let rest = a % b;
    match () {
        () if semantics.rounded_quotient => {
            format.subtract(a, format.multiply(format.divide(a, b).floor(), b))
        }
        () if rest == 0.0 && semantics.sign_of_divisor => 0.0_f64.copysign(b),
        () if rest != 0.0 && (rest < 0.0) != (b < 0.0) => format.add(rest, b),
        () => rest,
    }
}

/// Returns 0 for negative numbers, 1 for positive numbers, and `b` for zero.
fn heaviside(a: f64, b: f64, semantics: Semantics) -> f64 {
    match () {
        () if a.is_nan() => step_of_nan(semantics),
        () if a == 0.0 => b,
        () if a > 0.0 => 1.0,
        () => 0.0,
    }
}

fn step_of_nan(semantics: Semantics) -> f64 {
    if semantics.nan_is_zero { 0.0 } else { f64::NAN }
}

/// Computes the logarithm of the sum of two powers as the greater operand plus `log(1 + power(-|a - b|))`,
/// which overflows only if the result does.
fn log_add(format: Format, a: f64, b: f64, power: Op, log: Op, scale: f64) -> f64 {
    // The difference of two infinities of one sign is NaN, but the sum of the powers is that infinity.
    if a == b && a.is_infinite() {
        return a;
    }
    let distance = format.subtract(a, b).abs();
    let rest = elementary::real(log, format.elementary(power, -distance)).unwrap_or(f64::NAN);
    format.add(greater(a, b), format.round(rest * scale))
}

/// Computes `a` times log `b`. If `a` is 0 the result is 0 for every `b` but NaN.
fn xlogy(format: Format, a: f64, b: f64) -> f64 {
    match () {
        () if b.is_nan() => f64::NAN,
        () if a == 0.0 => 0.0,
        () => format.multiply(a, format.elementary(Op::Log, b)),
    }
}

/// Interpolates from `a` to `b` by `weight`, starting at the nearer end, so that both ends are exact.
pub(crate) fn lerp(format: Format, a: f64, b: f64, weight: f64) -> f64 {
    let (distance, weight) = (format.subtract(b, a), format.round(weight));
    if weight.abs() < 0.5 {
        format.multiply_add(weight, distance, a)
    } else {
        format.multiply_add(-distance, format.subtract(1.0, weight), b)
    }
}

/// Returns the format in which a number among the options is kept: at least `f32`.
pub(crate) fn option(format: Format, x: f64) -> f64 {
    if format == F64 { x } else { F32.round(x) }
}
