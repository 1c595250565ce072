//! w^z = e^(z·ln w), with the logarithm and the product as pairs.

use super::exponential::{Exp2, exp_of_pairs, exp_of_pairs_any};
use super::logarithm::{in_domain, ln, ln_any};
use super::{C, NAN, one, size};
use crate::level::Lanes;
use crate::math::double::pair::{Pair, select};
use crate::math::double::trigonometric::ROUND;
use crate::math::{Function, Function2, Real};

/// w^z: 1 where z is 0; where w is, 0 or an infinity of no angle as the sign of the real part of z says, else
/// NaN; w where z is 1.
///
/// A whole real exponent up to [`Pow::WHOLE`] multiplies, so that small integers have exact powers; all
/// others take the logarithm, of which the cut is left of 0.
pub(crate) struct Pow;

impl Pow {
    /// Up to it, an integer exponent is computed by multiplication.
    const WHOLE: f64 = 64.0;
}

/// Returns `c`·(`hi + lo`) as a pair.
#[inline(always)]
fn times<L: Lanes>(lanes: L, c: f64, Pair { hi, lo }: Pair) -> Pair {
    let product = Pair::product(lanes, c, hi);
    Pair::new(product.hi, c.fma(lanes, lo, product.lo))
}

#[inline(always)]
fn sum(a: Pair, b: Pair) -> Pair {
    let sum = Pair::sum(a.hi, b.hi);
    Pair::new(sum.hi, sum.lo + (a.lo + b.lo)).renormalised()
}

#[inline(always)]
fn negated(a: Pair) -> Pair {
    a.scaled(-1.0)
}

/// z·ln w
#[inline(always)]
fn exponent<L: Lanes>(lanes: L, [re, im]: [Pair; 2], z: C) -> [Pair; 2] {
    [
        sum(times(lanes, z.re, re), negated(times(lanes, z.im, im))),
        sum(times(lanes, z.im, re), times(lanes, z.re, im)),
    ]
}

/// A zero angle has the sign that z·ln w has in plain numbers.
#[inline(always)]
fn signed(power: C, angle: Pair, ln: [Pair; 2], z: C) -> C {
    let plain = z.im * ln[0].hi + z.re * ln[1].hi;
    C { re: power.re, im: select(angle.hi == 0.0, 0.0_f64.copysign(plain), power.im) }
}

/// A complex number whose parts are pairs.
type Wide = [Pair; 2];

#[inline(always)]
fn product<L: Lanes>(lanes: L, a: Wide, b: Wide) -> Wide {
    let times = |a: Pair, b: Pair| a.times(lanes, b).renormalised();
    [sum(times(a[0], b[0]), negated(times(a[1], b[1]))), sum(times(a[0], b[1]), times(a[1], b[0]))]
}

/// w^n for a whole n other than 0, by squaring; the powers on the way must be normal numbers with normal
/// rests.
#[inline(always)]
fn whole<L: Lanes>(lanes: L, w: C, n: f64) -> C {
    let mut square = [Pair::new(w.re, 0.0), Pair::new(w.im, 0.0)];
    let mut left = n.abs() as u32;
    while left & 1 == 0 {
        square = product(lanes, square, square);
        left >>= 1;
    }
    let mut result = square;
    while left > 1 {
        square = product(lanes, square, square);
        left >>= 1;
        if left & 1 != 0 {
            result = product(lanes, result, square);
        }
    }
    if n < 0.0 {
        // The conjugate over the square of the absolute value.
        let [re, im] = result;
        let below = sum(re.times(lanes, re).renormalised(), im.times(lanes, im).renormalised());
        result = [re.over(lanes, below), negated(im).over(lanes, below)];
    }
    C { re: result[0].value(), im: result[1].value() }
}

/// Returns the exponent of a number; -1023 for 0 and subnormal numbers.
#[inline(always)]
pub(super) fn exponent_of(x: f64) -> f64 {
    f64::from((x.to_bits() >> 52 & 0x7ff) as u16) - 1023.0
}

#[inline(always)]
fn is_whole(z: C) -> bool {
    (z.im == 0.0) & (z.re.abs() <= Pow::WHOLE) & ((z.re + ROUND) - ROUND == z.re)
}

impl Function2<C> for Pow {
    #[inline(always)]
    fn in_fast_domain(w: C, z: C) -> bool {
        // Neither ln |w| nor the angle is above (|k| + 5)·ln 2, where k is the exponent of the greater part.
        let bound = (z.re.abs() + z.im.abs()) * (exponent_of(size(w)).abs() + 5.0);
        in_domain(w) & (bound < 1000.0) & !is_whole(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, w: C, z: C) -> C {
        let ln = ln(lanes, w);
        let [re, im] = exponent(lanes, ln, z);
        signed(exp_of_pairs(lanes, re, im), im, ln, z)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, w: C, z: C) -> C {
        if Self::in_fast_domain(w, z) {
            return Self::fast(lanes, w, z);
        }
        if z.re == 0.0 && z.im == 0.0 {
            return C { re: 1.0, im: 0.0 };
        }
        if w.re == 0.0 && w.im == 0.0 && z.im.is_finite() {
            return match () {
                () if z.re > 0.0 => C { re: 0.0, im: 0.0 },
                () if z.re < 0.0 => C { re: f64::INFINITY, im: f64::NAN },
                () => NAN,
            };
        }
        if z.re == 1.0 && z.im == 0.0 {
            return w;
        }
        let log2 = exponent_of(size(w)).abs() + 1.0;
        if is_whole(z) && in_domain(w) && log2 * z.re.abs() < 450.0 {
            return whole(lanes, w, z.re);
        }
        let ln = if in_domain(w) { ln(lanes, w) } else { ln_any(lanes, w) };
        let [re, im] = exponent(lanes, ln, z);
        // If a term is infinite, only the first parts are right.
        let plain =
            |pair: Pair, value: f64| if pair.value().is_finite() { pair } else { Pair::new(value, 0.0) };
        let re = plain(re, z.re * ln[0].hi - z.im * ln[1].hi);
        let im = plain(im, z.im * ln[0].hi + z.re * ln[1].hi);
        signed(exp_of_pairs_any(lanes, re, im), im, ln, z)
    }
}

/// Returns a·2^b, with a product that is not fused.
pub(crate) struct Ldexp;

impl Function2<C> for Ldexp {
    #[inline(always)]
    fn in_fast_domain(_: C, b: C) -> bool {
        Exp2::in_fast_domain(b)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, a: C, b: C) -> C {
        a * Exp2::fast(lanes, b)
    }

    #[inline(always)]
    fn general<L: Lanes>(_: L, a: C, b: C) -> C {
        a * one::<Exp2>(b)
    }
}
