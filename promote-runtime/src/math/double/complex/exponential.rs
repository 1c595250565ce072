//! Exponential functions: a power of a real number times the cosine and the sine of an angle.

use super::{C, NAN};
use crate::each;
use crate::level::Lanes;
use crate::math::double::exp::{self, LN2, Power, TINY, clamp};
use crate::math::double::pair::{Pair, select};
use crate::math::double::payne_hanek;
use crate::math::double::trigonometric::{MAX_ANGLE, Reduced, both_of, reduce, reduce_any};
use crate::math::{Function, Real};

/// Below it e^|x| and e^-|x| are normal numbers.
pub(super) const MAX_REAL: f64 = 700.0;

/// Returns true if both the power and the angle are in the fast domain.
#[inline(always)]
pub(super) fn in_domain(z: C) -> bool {
    (z.re.abs() < MAX_REAL) & (z.im.abs() < MAX_ANGLE)
}

/// Returns the sine and the cosine of an angle in the fast domain. The sine is ±0 if the angle is.
#[inline(always)]
pub(super) fn sin_cos<L: Lanes>(lanes: L, y: f64) -> (f64, f64) {
    let (sin, cos) = both_of(lanes, reduce(lanes, y));
    (select(y == 0.0, y, sin), cos)
}

/// Returns the sine and the cosine of any angle.
#[inline(always)]
pub(super) fn sin_cos_any<L: Lanes>(lanes: L, y: f64) -> (f64, f64) {
    let (sin, cos) = both_of(lanes, reduce_any(lanes, y));
    (select(y == 0.0, y, sin), cos)
}

/// e^x of every x, as a power for [`times_power`]; beyond the ends it is what gives 0 and infinity there.
#[inline(always)]
pub(super) fn power_of<L: Lanes>(lanes: L, x: f64) -> Power {
    Power::of(lanes, clamp(x, -760.0, 1500.0))
}

/// `value`·e^x / 2^`less`, of which the first is at most 1, in steps, so that none overflows before the
/// product does.
#[inline(always)]
pub(super) fn times_power<L: Lanes>(lanes: L, power: Power, less: f64, value: f64) -> f64 {
    const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
    let far = power.n > 1000.0;
    let value = select(far, value * TWO_600, value) * power.rounded_mantissa();
    let n = power.n - less - select(far, 600.0, 0.0);
    exp::times_power(lanes, value, n)
}

/// The power of e or 2 times the cosine and the sine of the angle, where x and y are the parts that these
/// belong to.
#[inline(always)]
fn polar<L: Lanes>(lanes: L, power: Power, angle: Reduced, z: C) -> C {
    if !z.im.is_finite() && z.re.is_infinite() {
        // 0 has no angle, and infinity has no second part.
        return if z.re < 0.0 {
            C { re: 0.0, im: 0.0_f64.copysign(z.im) }
        } else {
            C { re: z.re, im: f64::NAN }
        };
    }
    let (sin, cos) = both_of(lanes, angle);
    let im = if z.im == 0.0 { z.im } else { times_power(lanes, power, 0.0, sin) };
    C { re: times_power(lanes, power, 0.0, cos), im }
}

/// Returns e^z for any z.
#[inline(always)]
pub(super) fn exp_any<L: Lanes>(lanes: L, z: C) -> C {
    polar(lanes, power_of(lanes, z.re), reduce_any(lanes, z.im), z)
}

/// e^z of a sum of two, whose real part is in the domain, and the angle.
#[inline(always)]
pub(super) fn exp_of_pairs<L: Lanes>(lanes: L, re: Pair, im: Pair) -> C {
    let power = Power::of_pair(lanes, re);
    let size = power.scale(power.rounded_mantissa());
    let (sin, cos) = both_of(lanes, with_rest(reduce(lanes, im.hi), im.lo));
    C { re: size * cos, im: size * sin }
}

/// Computes it for any pair.
#[inline(always)]
pub(super) fn exp_of_pairs_any<L: Lanes>(lanes: L, re: Pair, im: Pair) -> C {
    let within = re.hi.abs() < 1400.0;
    let clamped = Pair::new(clamp(re.hi, -760.0, 1500.0), if within { re.lo } else { 0.0 });
    let angle = reduce_pair(lanes, im);
    polar(lanes, Power::of_pair(lanes, clamped), angle, C { re: re.hi, im: im.hi })
}

#[inline(always)]
pub(super) fn with_rest((quarters, r): Reduced, rest: f64) -> Reduced {
    (quarters, Pair::new(r.hi, r.lo + rest).renormalised())
}

/// Reduces any sum of two numbers. The second one may exceed a whole turn; if it is not finite, it is left
/// out.
#[inline(always)]
fn reduce_pair<L: Lanes>(lanes: L, Pair { hi, lo }: Pair) -> Reduced {
    turned(lanes, reduce_any(lanes, hi), reduce_any(lanes, if lo.is_finite() { lo } else { 0.0 }))
}

/// Returns the sum of two angles.
#[inline(always)]
pub(super) fn turned<L: Lanes>(lanes: L, (first, r): Reduced, (second, rest): Reduced) -> Reduced {
    let sum = Pair::sum(r.hi, rest.hi);
    let (third, near) = reduce(lanes, sum.hi);
    let quarters = first.wrapping_add(second).wrapping_add(third);
    with_rest((quarters, near), sum.lo + (r.lo + rest.lo))
}

/// e^z: e^x cos y + i·e^x sin y.
pub(crate) struct Exp;

impl Function<C> for Exp {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let power = Power::of(lanes, z.re);
        let size = power.scale(power.rounded_mantissa());
        let (sin, cos) = sin_cos(lanes, z.im);
        C { re: size * cos, im: size * sin }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) { Self::fast(lanes, z) } else { exp_any(lanes, z) }
    }
}

/// Returns y·ln 2 as a pair.
#[inline(always)]
pub(super) fn times_ln2<L: Lanes>(lanes: L, y: f64) -> Pair {
    let product = Pair::product(lanes, y, LN2.hi);
    Pair::new(product.hi, y.fma(lanes, LN2.lo, product.lo))
}

/// Returns the angle of a power of two whose imaginary part is a pair.
#[inline(always)]
fn times_ln2_of<L: Lanes>(lanes: L, Pair { hi, lo }: Pair) -> Pair {
    let angle = times_ln2(lanes, hi);
    Pair::new(angle.hi, lo.fma(lanes, LN2.hi, angle.lo))
}

/// 2^z of a sum of two, whose real part is in the domain, and the angle.
#[inline(always)]
pub(super) fn exp2_of_pairs<L: Lanes>(lanes: L, re: Pair, im: Pair) -> C {
    let power = Power::of_two(lanes, re);
    let size = power.scale(power.rounded_mantissa());
    let angle = times_ln2_of(lanes, im);
    let (sin, cos) = both_of(lanes, with_rest(reduce(lanes, angle.hi), angle.lo));
    C { re: size * cos, im: size * sin }
}

/// Returns the angle x·ln 2 for any x.
#[inline(always)]
pub(super) fn reduce_times_ln2<L: Lanes>(lanes: L, x: f64) -> Reduced {
    if x.abs() < MAX_ANGLE {
        let angle = times_ln2(lanes, x);
        with_rest(reduce(lanes, angle.hi), angle.lo)
    } else {
        payne_hanek::reduce_times_ln2(lanes, x)
    }
}

/// Computes it for any pair.
#[inline(always)]
pub(super) fn exp2_of_pairs_any<L: Lanes>(lanes: L, re: Pair, im: Pair) -> C {
    let within = re.hi.abs() < 2000.0;
    let clamped = Pair::new(clamp(re.hi, -1097.0, 2160.0), if within { re.lo } else { 0.0 });
    let [first, second] = each::map([im.hi, im.lo], |part| reduce_times_ln2(lanes, part));
    let angle = turned(lanes, first, second);
    polar(lanes, Power::of_two(lanes, clamped), angle, C { re: re.hi, im: im.hi })
}

/// 2^z: 2^x and the angle y·ln 2, a sum of two for z in the domain, else reduced by as many digits as it has.
pub(crate) struct Exp2;

impl Function<C> for Exp2 {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let power = Power::of_two(lanes, Pair::new(z.re, 0.0));
        let size = power.scale(power.rounded_mantissa());
        let angle = times_ln2(lanes, z.im);
        let (sin, cos) = both_of(lanes, with_rest(reduce(lanes, angle.hi), angle.lo));
        C { re: size * cos, im: select(z.im == 0.0, z.im, size * sin) }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) {
            return Self::fast(lanes, z);
        }
        let power = Power::of_two(lanes, Pair::new(clamp(z.re, -1097.0, 2160.0), 0.0));
        polar(lanes, power, reduce_times_ln2(lanes, z.im), z)
    }
}

/// Returns 1 + cos y, without cancellation near -1.
#[inline(always)]
fn one_plus_cos(sin: f64, cos: f64) -> f64 {
    let plus = cos >= 0.0;
    select(plus, 1.0, sin * sin) / select(plus, 1.0 / (1.0 + cos), 1.0 - cos)
}

/// e^z - 1: (e^x - 1) cos y - (1 - cos y), the latter without a loss near 0; and e^x sin y.
pub(crate) struct Expm1;

impl Expm1 {
    /// Computes the function for a real part in the fast domain, from the sine and the cosine of the
    /// imaginary part.
    #[inline(always)]
    fn of<L: Lanes>(lanes: L, x: f64, (sin, cos): (f64, f64)) -> C {
        let power = Power::of(lanes, x);
        let size = power.scale(power.rounded_mantissa());
        let less = 2.0 * power.less_one::<L, 1>(lanes).value();
        let less = select(x.abs() < TINY, x, less);
        let near = cos >= 0.0;
        let rest = select(near, sin * sin, 1.0 - cos) / select(near, 1.0 + cos, 1.0);
        C { re: less.fma(lanes, cos, -rest), im: size * sin }
    }
}

impl Function<C> for Expm1 {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        Expm1::of(lanes, z.re, sin_cos(lanes, z.im))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) {
            return Self::fast(lanes, z);
        }
        if z.re.abs() < MAX_REAL && z.im.is_finite() {
            return Expm1::of(lanes, z.re, sin_cos_any(lanes, z.im));
        }
        // 1 is negligible beside a great power, and all where there is hardly one.
        let power = exp_any(lanes, z);
        C { re: if z.re < 0.0 && !power.re.is_nan() { -1.0 } else { power.re }, im: power.im }
    }
}

/// 1 / (1 + e^-z), with e = e^-|x|, which is at most 1, as (1 + e·cos y + i·e·sin y) / |1 + e·e^iy|², or
/// where x is below 0 as e·(e + cos y + i·sin y) over the same; the sums are made of 1 - e and 1 + cos y, so
/// that they keep their digits near the poles.
pub(crate) struct Sigmoid;

impl Sigmoid {
    /// Computes the function for a real part in the fast domain, from the sine and the cosine of the
    /// imaginary part.
    #[inline(always)]
    fn of<L: Lanes>(lanes: L, x: f64, (sin, cos): (f64, f64)) -> C {
        let size = x.abs();
        let power = Power::of(lanes, -size);
        let e = power.scale(power.rounded_mantissa());
        let less = -2.0 * power.less_one::<L, 1>(lanes).value();
        let less = select(size < TINY, size, less);
        let plus = one_plus_cos(sin, cos);
        let square = less.fma(lanes, less, 2.0 * e * plus);
        let negative = x < 0.0;
        let re = plus - select(negative, less, cos * less);
        let above = C { re: select(negative, e * re, re), im: e * sin };
        C { re: above.re / square, im: above.im / square }
    }
}

impl Function<C> for Sigmoid {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        Sigmoid::of(lanes, z.re, sin_cos(lanes, z.im))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if in_domain(z) {
            return Self::fast(lanes, z);
        }
        if z.re.abs() < MAX_REAL {
            return if z.im.is_finite() { Sigmoid::of(lanes, z.re, sin_cos_any(lanes, z.im)) } else { NAN };
        }
        // For large magnitudes it is e^z, or 1 and almost 0.
        let right = z.re > 0.0;
        let power = exp_any(lanes, C { re: if right { -z.re } else { z.re }, im: z.im });
        C { re: if right && !power.re.is_nan() { 1.0 } else { power.re }, im: power.im }
    }
}
