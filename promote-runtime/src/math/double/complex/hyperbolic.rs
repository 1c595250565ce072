//! Hyperbolic functions, and the trigonometric ones, which are those of i times the operand.

use super::exponential::{MAX_REAL, in_domain, power_of, sin_cos, sin_cos_any, times_power};
use super::{ByWay, C, NAN};
use crate::each;
use crate::level::Lanes;
use crate::math::double::exp::{Power, TINY};
use crate::math::double::pair::{Pair, select};
use crate::math::double::trigonometric::MAX_ANGLE;
use crate::math::{Function, Real};

/// sinh x and cosh x for |x| below [`MAX_REAL`]: of w = (e^|x| - 1) / 2 and w / e^|x| the sum and the
/// difference plus 1.
#[inline(always)]
fn sinh_cosh<L: Lanes>(lanes: L, x: f64) -> (f64, f64) {
    let size = x.abs();
    let w = Power::of(lanes, size).less_one::<L, 1>(lanes);
    let power = Pair::sum(1.0, 2.0 * w.hi).plus(2.0 * w.lo);
    let quotient = w.over(lanes, power);
    let sum = Pair::ordered_sum(w.hi, quotient.hi);
    let sinh = sum.hi + (sum.lo + (w.lo + quotient.lo));
    let cosh = 1.0 + ((w.hi - quotient.hi) + (w.lo - quotient.lo));
    (select(size < TINY, x, sinh.copysign(x)), cosh)
}

/// (sinh x cos y, cosh x sin y)
#[inline(always)]
fn sinh<L: Lanes>(lanes: L, x: f64, (sin, cos): (f64, f64)) -> C {
    let (sinh, cosh) = sinh_cosh(lanes, x);
    C { re: sinh * cos, im: cosh * sin }
}

/// (cosh x cos y, sinh x sin y)
#[inline(always)]
fn cosh<L: Lanes>(lanes: L, x: f64, (sin, cos): (f64, f64)) -> C {
    let (sinh, cosh) = sinh_cosh(lanes, x);
    C { re: cosh * cos, im: sinh * sin }
}

/// (sinh x cosh x + i·sin y cos y) / (sinh² x + cos² y)
#[inline(always)]
fn tanh<L: Lanes>(lanes: L, x: f64, (sin, cos): (f64, f64)) -> C {
    let (sinh, cosh) = sinh_cosh(lanes, x);
    let below = sinh.fma(lanes, sinh, cos * cos);
    // From 22 on the first part is 1; the quotient could be off by one unit.
    let re = select(x.abs() > 22.0, 1.0_f64.copysign(x), sinh * cosh / below);
    C { re, im: sin * cos / below }
}

/// sinh z = sinh x cos y + i·cosh x sin y.
pub(crate) struct Sinh;

impl Function<C> for Sinh {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        sinh(lanes, z.re, sin_cos(lanes, z.im))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) {
            return Self::fast(lanes, z);
        }
        if !z.im.is_finite() {
            let re = if z.re == 0.0 || z.re.is_infinite() { z.re } else { f64::NAN };
            return C { re, im: f64::NAN };
        }
        let (sin, cos) = sin_cos_any(lanes, z.im);
        if z.re.abs() < MAX_REAL {
            return sinh(lanes, z.re, (sin, cos));
        }
        let power = power_of(lanes, z.re.abs());
        let re = times_power(lanes, power, 1.0, if z.re < 0.0 { -cos } else { cos });
        let im = if z.im == 0.0 { z.im } else { times_power(lanes, power, 1.0, sin) };
        C { re, im }
    }
}

/// cosh z = cosh x cos y + i·sinh x sin y.
pub(crate) struct Cosh;

impl Function<C> for Cosh {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        cosh(lanes, z.re, sin_cos(lanes, z.im))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) {
            return Self::fast(lanes, z);
        }
        if !z.im.is_finite() {
            let re = if z.re.is_infinite() { f64::INFINITY } else { f64::NAN };
            return C { re, im: if z.re == 0.0 { z.re } else { f64::NAN } };
        }
        let (sin, cos) = sin_cos_any(lanes, z.im);
        if z.re.abs() < MAX_REAL {
            return cosh(lanes, z.re, (sin, cos));
        }
        let power = power_of(lanes, z.re.abs());
        let sin = if z.re.is_sign_negative() { -sin } else { sin };
        let im = if z.im == 0.0 { sin } else { times_power(lanes, power, 1.0, sin) };
        C { re: times_power(lanes, power, 1.0, cos), im }
    }
}

/// tanh z, as a quotient whose divisor is a sum of squares.
pub(crate) struct Tanh;

impl Tanh {
    /// Below it the squares do not overflow, and the quotient does not underflow.
    const MAX_REAL: f64 = 300.0;
}

impl Function<C> for Tanh {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        (z.re.abs() < Tanh::MAX_REAL) & (z.im.abs() < MAX_ANGLE)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        tanh(lanes, z.re, sin_cos(lanes, z.im))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if Self::in_fast_domain(z) {
            return Self::fast(lanes, z);
        }
        if !z.im.is_finite() {
            return match () {
                () if z.re.is_infinite() => C { re: 1.0_f64.copysign(z.re), im: 0.0_f64.copysign(z.im) },
                () if z.re == 0.0 => C { re: z.re, im: f64::NAN },
                () => NAN,
            };
        }
        if z.re.is_nan() {
            return C { re: z.re, im: if z.im == 0.0 { z.im } else { f64::NAN } };
        }
        let (sin, cos) = sin_cos_any(lanes, z.im);
        if z.re.abs() < Tanh::MAX_REAL {
            return tanh(lanes, z.re, (sin, cos));
        }
        // 1 / (sinh² + cos²) is 4·e^-2|x|.
        let power = power_of(lanes, -z.re.abs());
        let [sin, cos] = each::map([sin, cos], |part| times_power(lanes, power, -1.0, part));
        C { re: 1.0_f64.copysign(z.re), im: sin * cos }
    }
}

/// sin z = sin x cosh y + i·cos x sinh y.
pub(crate) struct Sin;

impl ByWay for Sin {
    type Of = Sinh;
}

/// cos z = cosh iz.
pub(crate) struct Cos;

impl ByWay for Cos {
    type Of = Cosh;

    #[inline(always)]
    fn there(z: C) -> C {
        C { re: -z.im, im: z.re }
    }

    #[inline(always)]
    fn back(_: C, result: C) -> C {
        result
    }
}

/// tan z, as [`Tanh`].
pub(crate) struct Tan;

impl ByWay for Tan {
    type Of = Tanh;
}
