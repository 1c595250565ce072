//! Complex arithmetic. Each step on the parts is rounded to their format.

use num_complex::Complex;
use promote_runtime::{Number, Op};

use crate::format::{F64, Format};
use crate::real::{self, option};
use crate::{Options, elementary};

type C = Complex<f64>;

/// Computes an op of two complex numbers; `None` for other ops.
pub(crate) fn binary(op: Op, format: Format, a: C, b: C, options: &Options) -> Option<Number> {
    let complex = match op {
        Op::L1Loss => return unary(Op::Abs, format, subtract(format, a, b)),
        Op::MseLoss => {
            let distance = subtract(format, a, b);
            multiply(format, distance, distance)
        }
        Op::Lerp => lerp(format, a, b, option(format, options.weight)),
        Op::Maximum | Op::ClampMin => greater(a, b),
        Op::Minimum => -greater(-a, -b),
        Op::Fmax => if_number(a, b, greater),
        Op::Fmin => if_number(a, b, |a, b| -greater(-a, -b)),
        Op::Add => add(format, a, b),
        Op::Subtract => subtract(format, a, b),
        Op::Multiply => multiply(format, a, b),
        Op::Divide => divide(format, a, b),
        // The quotient's parts rounded to whole numbers, halves away from zero.
        Op::Remainder => {
            let quotient = divide(format, a, b);
            let whole = C::new(quotient.re.round(), quotient.im.round());
            subtract(format, a, multiply(format, whole, b))
        }
        Op::Logaddexp => log_add(format, a, b, [Op::Exp, Op::Log, Op::Log1p], 1.0)?,
        Op::Logaddexp2 => log_add(format, a, b, [Op::Exp2, Op::Log2, Op::Log1p], std::f64::consts::LN_2)?,
        Op::Atan2 => round(format, atan2(a, b)?),
        Op::Hypot => round(format, hypot(a, b)),
        // exp(a) - b a, of a logarithm, and a - b log(a + eps) of what is none.
        Op::PoissonNllLoss if !options.full => {
            let step = |op, z| Some(round(format, elementary::complex(op, z)?));
            if options.log_input {
                subtract(format, step(Op::Exp, a)?, multiply(format, b, a))
            } else {
                let log = step(Op::Log, add(format, a, C::new(option(format, options.eps), 0.0)))?;
                subtract(format, a, multiply(format, b, log))
            }
        }
        Op::Pow | Op::FloatPower => round(format, power(a, b)?),
        Op::Ldexp => {
            // Rounded once, so that a power that overflows beside 0 is none.
            round(format, a * elementary::complex(Op::Exp2, b)?)
        }
        _ => return None,
    };
    Some(Number::Complex(complex.re, complex.im))
}

/// Computes an op of one complex number, with a complex or real result; `None` for other ops.
pub(crate) fn unary(op: Op, format: Format, z: C) -> Option<Number> {
    let complex = match op {
        Op::Abs => return Some(Number::Float(format.round(z.re.hypot(z.im)))),
        Op::Angle => return Some(Number::Float(format.round(z.im.atan2(z.re)))),
        Op::Real => return Some(Number::Float(z.re)),
        Op::Imag => return Some(Number::Float(z.im)),
        Op::Relu => greater(z, C::new(0.0, 0.0)),
        Op::Negative => -z,
        Op::Conj => z.conj(),
        Op::Round => C::new(z.re.round_ties_even(), z.im.round_ties_even()),
        Op::Astype | Op::Positive => z,
        Op::Sign => round(format, sign(z)),
        Op::Square => multiply(format, z, z),
        Op::Reciprocal => divide(format, C::new(1.0, 0.0), z),
        Op::Rsqrt => round(format, divide(F64, C::new(1.0, 0.0), elementary::complex(Op::Sqrt, z)?)),
        Op::Silu => round(format, multiply(F64, z, sigmoid(F64, z)?)),
        Op::Softplus => {
            let zero = C::new(0.0, 0.0);
            log_add(format, z, zero, [Op::Exp, Op::Log, Op::Log1p], 1.0)?
        }
        // (1 + tanh v) / 2 is the sigmoid of 2v.
        Op::GeluTanh => {
            let cube = multiply(F64, multiply(F64, z, z), z);
            let twice = (z + cube * 0.044_715) * elementary::TWICE_GELU;
            round(format, multiply(F64, z, sigmoid(F64, twice)?))
        }
        Op::Sigmoid => sigmoid(format, z)?,
        _ => round(format, elementary::complex(op, z)?),
    };
    Some(Number::Complex(complex.re, complex.im))
}

fn sigmoid(format: Format, z: C) -> Option<C> {
    // The exponent is not positive, so that no infinity is divided.
    let one = C::new(1.0, 0.0);
    let power = round(format, elementary::complex(Op::Exp, if z.re < 0.0 { z } else { -z })?);
    Some(divide(format, if z.re < 0.0 { power } else { one }, add(format, one, power)))
}

/// Returns the greater number by the real part, then by the imaginary part. A NaN in any part gives NaN in
/// both parts. +0 is greater than -0.
fn greater(a: C, b: C) -> C {
    let parts = C::new(real::greater(a.re, b.re), real::greater(a.im, b.im));
    match () {
        () if parts.re.is_nan() || parts.im.is_nan() => C::new(f64::NAN, f64::NAN),
        () if a.re == b.re => parts,
        () if a.re > b.re => a,
        () => b,
    }
}

/// Returns the operand without NaN, or combines two such operands.
fn if_number(a: C, b: C, choose: impl Fn(C, C) -> C) -> C {
    match (a.re.is_nan() || a.im.is_nan(), b.re.is_nan() || b.im.is_nan()) {
        (true, false) => b,
        (false, true) => a,
        _ => choose(a, b),
    }
}

fn round(format: Format, z: C) -> C {
    C::new(format.round(z.re), format.round(z.im))
}

pub(crate) fn add(format: Format, a: C, b: C) -> C {
    C::new(format.add(a.re, b.re), format.add(a.im, b.im))
}

pub(crate) fn subtract(format: Format, a: C, b: C) -> C {
    C::new(format.subtract(a.re, b.re), format.subtract(a.im, b.im))
}

/// Computes (ac - bd) + (ad + bc)i without fused steps.
pub(crate) fn multiply(format: Format, a: C, b: C) -> C {
    let times = |x, y| format.multiply(x, y);
    C::new(
        format.subtract(times(a.re, b.re), times(a.im, b.im)),
        format.add(times(a.re, b.im), times(a.im, b.re)),
    )
}

/// Interpolates from `a` to `b` by `weight`, starting at the nearer end.
fn lerp(format: Format, a: C, b: C, weight: f64) -> C {
    let by = |distance: C, weight| multiply(format, distance, C::new(weight, 0.0));
    let distance = subtract(format, b, a);
    if weight.abs() < 0.5 {
        add(format, a, by(distance, weight))
    } else {
        subtract(format, b, by(distance, format.subtract(1.0, weight)))
    }
}

/// Divides by Smith's algorithm, scaled by the greater part of the divisor. If the divisor is zero, both
/// parts are divided by that zero.
pub(crate) fn divide(format: Format, a: C, b: C) -> C {
    let by = b.re.abs();
    if b.re == 0.0 && b.im == 0.0 {
        return C::new(format.divide(a.re, by), format.divide(a.im, by));
    }
    let (add, subtract) = (|x, y| format.add(x, y), |x, y| format.subtract(x, y));
    let (times, over) = (|x, y| format.multiply(x, y), |x, y| format.divide(x, y));
    if by >= b.im.abs() {
        let ratio = over(b.im, b.re);
        let scale = over(1.0, add(b.re, times(b.im, ratio)));
        C::new(times(add(a.re, times(a.im, ratio)), scale), times(subtract(a.im, times(a.re, ratio)), scale))
    } else {
        let ratio = over(b.re, b.im);
        let scale = over(1.0, add(b.im, times(b.re, ratio)));
        C::new(times(add(a.im, times(a.re, ratio)), scale), times(subtract(times(a.im, ratio), a.re), scale))
    }
}

/// Computes log(e^a + e^b), or for another base, whose natural logarithm is given, with the imaginary part of
/// the logarithm.
fn log_add(format: Format, a: C, b: C, [power, log, log1p]: [Op; 3], ln_base: f64) -> Option<C> {
    let (great, small) = if a.re >= b.re { (a, b) } else { (b, a) };
    let finite =
        great.re.is_finite() && great.im.is_finite() && (small.re.is_finite() && small.im.is_finite());
    // The difference of two infinities says nothing.
    if !(finite || small.re == f64::NEG_INFINITY && great.re.is_finite() && great.im.is_finite()) {
        let sum = elementary::complex(power, a)? + elementary::complex(power, b)?;
        return Some(round(format, elementary::complex(log, sum)?));
    }
    let difference = C::new(small.re - great.re, if finite { small.im - great.im } else { 0.0 });
    let rest = elementary::complex(log1p, elementary::complex(power, difference)?)? / ln_base;
    let angle = (great.im + rest.im) * ln_base;
    // The angle of the unit of that angle lies where angles lie.
    let angle = angle.sin().atan2(angle.cos()) / ln_base;
    Some(round(format, C::new(great.re + rest.re, angle)))
}

/// Computes √(a² + b²) of numbers scaled by a power of two. Infinite numbers are squared as in C99. NaN gives
/// NaN.
fn hypot(a: C, b: C) -> C {
    let parts = [a.re, a.im, b.re, b.im];
    let great = parts.iter().fold(0.0_f64, |great, part| great.max(part.abs()));
    let square = |z: C| {
        let im = 1.0_f64.copysign(z.re) * z.im;
        match (z.re.is_infinite(), z.im.is_infinite()) {
            (true, true) => C::new(-0.0, im),
            (true, false) => C::new(f64::INFINITY, 0.0_f64.copysign(im)),
            (false, true) => C::new(f64::NEG_INFINITY, 0.0_f64.copysign(im)),
            (false, false) => C::new(-0.0, -0.0),
        }
    };
    match () {
        () if parts.iter().any(|part| part.is_nan()) => C::new(f64::NAN, f64::NAN),
        () if great.is_infinite() => elementary::sqrt(square(a) + square(b)),
        () => {
            let scale = if great == 0.0 { 1.0 } else { great.log2().floor().exp2() };
            let products = |a: C, b: C| [a.re * a.im, b.re * b.im];
            let side = products(a, b).iter().sum::<f64>();
            let (a, b) = (a / scale, b / scale);
            // (a + ib)(a - ib), which keeps digits where the squares cancel.
            let square = C::new(a.re - b.im, a.im + b.re) * C::new(a.re + b.im, a.im - b.re);
            let [first, second] = products(a, b);
            let im = match first + second {
                // The side of the cut counts: what vanishes when it is scaled has a sign as it was.
                0.0 => 0.0_f64.copysign(side),
                half if half.abs() > 1e-3 * first.abs() => 2.0 * half,
                _ => square.im,
            };
            elementary::sqrt(C::new(square.re, im)) * scale
        }
    }
}

/// Computes -i log((x + iy) / sqrt(x² + y²)); NaN if the divisor is zero.
fn atan2(y: C, x: C) -> Option<C> {
    let finite = [y.re, y.im, x.re, x.im].iter().all(|part| part.is_finite());
    let scale = y.re.abs().max(y.im.abs()).max(x.re.abs()).max(x.im.abs());
    let (y, x) = (y / scale, x / scale);
    let (u, v) = (C::new(x.re - y.im, x.im + y.re), C::new(x.re + y.im, x.im - y.re));
    let zero = C::new(0.0, 0.0);
    if !finite || u == zero || v == zero {
        return Some(C::new(f64::NAN, f64::NAN));
    }
    let root = elementary::complex(Op::Sqrt, u * v)?;
    let log = elementary::complex(Op::Log, u / root)?;
    Some(C::new(log.im, -log.re))
}

/// Computes z / |z|; 0 for zeros. One infinite part decides the direction alone; two infinite parts have
/// none.
fn sign(z: C) -> C {
    match (z.re.is_infinite(), z.im.is_infinite()) {
        (true, true) => C::new(f64::NAN, f64::NAN),
        (true, false) => C::new(z.re.signum(), 0.0),
        (false, true) => C::new(0.0, z.im.signum()),
        _ if z == C::new(0.0, 0.0) => C::new(0.0, 0.0),
        // The greater part is 1 first, so that the absolute value neither overflows nor vanishes.
        _ => {
            let z = z / z.re.abs().max(z.im.abs());
            z / z.re.hypot(z.im)
        }
    }
}

/// Computes e^(b log a); 1 if the exponent is zero.
fn power(a: C, b: C) -> Option<C> {
    if b == C::new(0.0, 0.0) {
        return Some(C::new(1.0, 0.0));
    }
    if b == C::new(1.0, 0.0) && a != C::new(0.0, 0.0) {
        return Some(a);
    }
    elementary::complex(Op::Exp, b * elementary::complex(Op::Log, a)?)
}
