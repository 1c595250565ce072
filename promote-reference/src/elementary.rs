//! The elementary functions in `f64`. The caller rounds the results.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, FRAC_PI_2, LN_2, LOG2_E, LOG10_E};

use num_complex::Complex;
use promote_runtime::Op;

/// Returns the function of one real number; `None` for other ops.
pub(crate) fn real(op: Op, x: f64) -> Option<f64> {
    Some(match op {
        Op::Sqrt => x.sqrt(),
        Op::Exp => x.exp(),
        Op::Expm1 => x.exp_m1(),
        Op::Exp2 => x.exp2(),
        Op::Log => x.ln(),
        Op::Log1p => x.ln_1p(),
        Op::Log2 => x.log2(),
        Op::Log10 => x.log10(),
        Op::Sin => x.sin(),
        Op::Cos => x.cos(),
        Op::Tan => x.tan(),
        Op::Asin => x.asin(),
        Op::Acos => x.acos(),
        Op::Atan => x.atan(),
        Op::Sinh => x.sinh(),
        Op::Cosh => x.cosh(),
        Op::Tanh => x.tanh(),
        Op::Asinh => asinh(x),
        Op::Acosh => acosh(x),
        Op::Atanh => atanh(x),
        Op::Cbrt => x.cbrt(),
        Op::Erf => libm::erf(x),
        Op::Erfc => libm::erfc(x),
        Op::Silu => times_sigmoid(x, x),
        Op::Softplus if x.is_nan() => x,
        Op::Softplus => x.max(0.0) + (-x.abs()).exp().ln_1p(),
        Op::Gelu => x * (libm::erfc(-x * FRAC_1_SQRT_2) / 2.0),
        // (1 + tanh v) / 2 is the sigmoid of 2v.
        Op::GeluTanh => times_sigmoid(x, TWICE_GELU * (x + 0.044_715 * x * x * x)),
        _ => return None,
    })
}

/// 2·√(2 / π).
pub(crate) const TWICE_GELU: f64 = 2.0 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// Computes x / (1 + e^-u), by the exponential that does not overflow. `u` has the sign of `x`.
fn times_sigmoid(x: f64, u: f64) -> f64 {
    let power = (-u.abs()).exp();
    x * (if u < 0.0 { power } else { 1.0 }) / (1.0 + power)
}

/// The bound above which the square root of `x * x + 1` is `x`.
const GREAT: f64 = 268_435_456.0;

/// Computes log(|x| + sqrt(x² + 1)); for a small `x` by log1p, which keeps the digits.
fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let result = if size > GREAT {
        size.ln() + LN_2
    } else {
        (size + size * size / (1.0 + (size * size + 1.0).sqrt())).ln_1p()
    };
    result.copysign(x)
}

/// Computes log(x + sqrt(x² - 1)); near 1 by log1p.
fn acosh(x: f64) -> f64 {
    if x > GREAT {
        return x.ln() + LN_2;
    }
    if x < 1.0 {
        return f64::NAN;
    }
    let above = x - 1.0;
    (above + (2.0 * above + above * above).sqrt()).ln_1p()
}

/// Computes log((1 + x) / (1 - x)) / 2.
fn atanh(x: f64) -> f64 {
    let size = x.abs();
    (0.5 * (2.0 * size / (1.0 - size)).ln_1p()).copysign(x)
}

type C = Complex<f64>;

/// Returns the function of one complex number, on the principal branch; `None` for other ops.
pub(crate) fn complex(op: Op, z: C) -> Option<C> {
    // Trigonometric functions follow from hyperbolic functions of i·z: sin z is -i sinh(iz).
    let (turned, back) = (|z: C| C::new(-z.im, z.re), |z: C| C::new(z.im, -z.re));
    Some(match op {
        Op::Sqrt => sqrt(z),
        Op::Exp => exp(z),
        Op::Expm1 => expm1(z),
        Op::Exp2 => exp(z * LN_2),
        Op::Log => log(z),
        Op::Log1p => log1p(z),
        Op::Log2 => log(z) * LOG2_E,
        Op::Log10 => log(z) * LOG10_E,
        Op::Sin => back(sinh(turned(z))),
        Op::Cos => cosh(turned(z)),
        Op::Tan => back(tanh(turned(z))),
        Op::Asin => asin(z),
        Op::Acos => acos(z),
        Op::Atan => back(atanh_complex(turned(z))),
        Op::Sinh => sinh(z),
        Op::Cosh => cosh(z),
        Op::Tanh => tanh(z),
        Op::Asinh => back(asin(turned(z))),
        Op::Acosh => acosh_complex(z),
        Op::Atanh => atanh_complex(z),
        _ => return None,
    })
}

/// Computes e^re (cos im + i sin im). A zero imaginary part stays zero, whatever the real part.
fn exp(z: C) -> C {
    let size = z.re.exp();
    // 0 and infinity have no angle.
    if z.re.is_infinite() && !z.im.is_finite() {
        return if z.re < 0.0 { C::new(0.0, 0.0_f64.copysign(z.im)) } else { C::new(size, f64::NAN) };
    }
    if z.im == 0.0 { C::new(size, z.im) } else { C::new(size * z.im.cos(), size * z.im.sin()) }
}

/// Computes e^z - 1. The real part is expm1(re) cos im - 2 sin²(im / 2), which does not cancel near zero.
fn expm1(z: C) -> C {
    // Far out 1 is all or nothing.
    if z.re.is_nan() || z.re.abs() > 700.0 {
        let power = exp(z);
        return C::new(power.re - 1.0, power.im);
    }
    let half = (z.im / 2.0).sin();
    C::new(z.re.exp_m1() * z.im.cos() - 2.0 * half * half, z.re.exp() * z.im.sin())
}

fn log(z: C) -> C {
    C::new(log_abs(z), z.im.atan2(z.re))
}

/// Computes the logarithm of the absolute value; near 1 by log1p.
fn log_abs(z: C) -> f64 {
    let (great, small) = (z.re.abs().max(z.im.abs()), z.re.abs().min(z.im.abs()));
    // `max` and `min` pass a NaN over.
    if great > 0.5 && great < 2.0 && !(z.re + z.im).is_nan() {
        ((great - 1.0) * (great + 1.0) + small * small).ln_1p() / 2.0
    } else {
        z.re.hypot(z.im).ln()
    }
}

fn log1p(z: C) -> C {
    let real = if z.re.abs() < 0.5 && z.im.abs() < 0.5 {
        (z.re * (2.0 + z.re) + z.im * z.im).ln_1p() / 2.0
    } else {
        log_abs(C::new(1.0 + z.re, z.im))
    };
    C::new(real, z.im.atan2(1.0 + z.re))
}

/// Computes the root with a real part of at least 0.
pub(crate) fn sqrt(z: C) -> C {
    if z.im.is_infinite() {
        return C::new(f64::INFINITY, z.im);
    }
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, z.im);
    }
    if z.re.is_infinite() {
        let other = if z.im.is_nan() { f64::NAN } else { 0.0 };
        return if z.re > 0.0 {
            C::new(z.re, other.copysign(z.im))
        } else {
            C::new(other.abs(), f64::INFINITY.copysign(z.im))
        };
    }
    // Scaled, so that the absolute value neither overflows nor vanishes.
    let scale = if z.re.abs().max(z.im.abs()) > 1e300 { 0.25 } else { 1.0 };
    let scale = if z.re.abs().max(z.im.abs()) < 1e-290 { 2.0_f64.powi(120) } else { scale };
    let z = z * scale;
    let root = f64::midpoint(z.re.abs(), z.re.hypot(z.im)).sqrt();
    let (re, im) =
        if z.re >= 0.0 { (root, z.im / root / 2.0) } else { (z.im.abs() / root / 2.0, root.copysign(z.im)) };
    C::new(re, im) / scale.sqrt()
}

fn sinh(z: C) -> C {
    if z.im == 0.0 {
        return C::new(z.re.sinh(), z.im);
    }
    if z.re.is_infinite() && !z.im.is_finite() {
        return C::new(z.re, f64::NAN);
    }
    C::new(times(z.re.sinh(), z.im.cos()), z.re.cosh() * z.im.sin())
}

fn cosh(z: C) -> C {
    if z.im == 0.0 {
        return C::new(z.re.cosh(), z.im * 1.0_f64.copysign(z.re));
    }
    if z.re.is_infinite() && !z.im.is_finite() {
        return C::new(f64::INFINITY, f64::NAN);
    }
    C::new(z.re.cosh() * z.im.cos(), times(z.re.sinh(), z.im.sin()))
}

/// Multiplies; an exact zero gives zero, also with the sine of an infinity.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 && b.is_nan() { a } else { a * b }
}

/// Computes (beta cosh x sinh x + i tan y) / (1 + beta sinh² x) with beta = 1 + tan² y. If sinh overflows,
/// the result is ±1 with a tiny imaginary part.
fn tanh(z: C) -> C {
    if z.re == 0.0 {
        return C::new(z.re, z.im.tan());
    }
    if z.im == 0.0 {
        return C::new(z.re.tanh(), z.im);
    }
    if z.re.is_infinite() {
        let sign = if z.im.is_finite() { (2.0 * z.im).sin() } else { z.im };
        return C::new(1.0_f64.copysign(z.re), 0.0_f64.copysign(sign));
    }
    if z.re.abs() > 22.0 {
        let im = 4.0 * z.im.sin() * z.im.cos() * (-2.0 * z.re.abs()).exp();
        return C::new(if im.is_nan() { im } else { 1.0_f64.copysign(z.re) }, im);
    }
    let (tan, sinh, cosh) = (z.im.tan(), z.re.sinh(), z.re.cosh());
    let beta = 1.0 + tan * tan;
    let below = 1.0 + beta * sinh * sinh;
    C::new(beta * cosh * sinh / below, tan / below)
}

/// Returns true if 1 + z² rounds to z².
fn is_great(z: C) -> bool {
    z.re.abs() > GREAT || z.im.abs() > GREAT
}

/// Computes log(2z) of a large z.
fn log_twice(z: C) -> C {
    C::new(z.re.hypot(z.im).ln() + LN_2, z.im.atan2(z.re))
}

/// Follows Kahan, "Branch cuts for complex elementary functions": the roots of 1 - z and 1 + z keep all
/// digits.
fn acos(z: C) -> C {
    if z.re == 0.0 && z.im.is_nan() {
        return C::new(FRAC_PI_2, z.im);
    }
    if is_great(z) {
        let log = log_twice(z);
        return C::new(log.im.abs(), -log.re.copysign(z.im));
    }
    let (a, b) = (sqrt(C::new(1.0 - z.re, -z.im)), sqrt(C::new(1.0 + z.re, z.im)));
    C::new(2.0 * a.re.atan2(b.re), asinh(b.re * a.im - b.im * a.re))
}

fn acosh_complex(z: C) -> C {
    if z.re == 0.0 && z.im.is_nan() {
        return C::new(z.im, FRAC_PI_2);
    }
    if is_great(z) {
        return log_twice(z);
    }
    let (a, b) = (sqrt(C::new(z.re - 1.0, z.im)), sqrt(C::new(z.re + 1.0, z.im)));
    C::new(asinh(a.re * b.re + a.im * b.im), 2.0 * a.im.atan2(b.re))
}

fn asin(z: C) -> C {
    if z.re == 0.0 {
        return C::new(z.re, asinh(z.im));
    }
    if is_great(z) {
        return C::new(z.re.atan2(z.im.abs()), log_twice(z).re.copysign(z.im));
    }
    let (a, b) = (sqrt(C::new(1.0 - z.re, -z.im)), sqrt(C::new(1.0 + z.re, z.im)));
    C::new(z.re.atan2(a.re * b.re - a.im * b.im), asinh(a.re * b.im - a.im * b.re))
}

/// Computes log((1 + z) / (1 - z)) / 2, part by part. For a large z the real part is that of 1 / z, and the
/// imaginary part ±π / 2.
fn atanh_complex(z: C) -> C {
    if z.re == 0.0 {
        return C::new(z.re, z.im.atan());
    }
    if is_great(z) {
        let size = z.re.hypot(z.im);
        let over = |part: f64| if size.is_infinite() { 0.0_f64.copysign(part) } else { part / size / size };
        let known = !z.im.is_nan() && (z.im.is_infinite() || !z.re.is_nan());
        let im = if known { FRAC_PI_2.copysign(z.im) - over(z.im) } else { f64::NAN };
        return C::new(over(z.re), im);
    }
    let (size, square) = (z.re.abs(), z.im * z.im);
    let re = (4.0 * size / ((1.0 - size) * (1.0 - size) + square)).ln_1p() / 4.0;
    let im = (2.0 * z.im).atan2((1.0 - z.re) * (1.0 + z.re) - square) / 2.0;
    C::new(re.copysign(z.re), im)
}
