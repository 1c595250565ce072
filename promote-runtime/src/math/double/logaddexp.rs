//! ln(e^a + e^b) and its base-2 twin: the larger operand plus ln(1 + e^-d), where d is the difference.

use super::cancelling;
use super::exp::{LN2, Power, clamp};
use super::log::{LOG2_E, TWO_THIRDS};
use super::pair::{Pair, polynomial, select};
use crate::level::Lanes;
use crate::math::{Function2, Real};

/// (e^r - 1 - r - r²/2 - r³/6 - r⁴/24) / r⁵ for |r| <= ln 2 / 2: the error is below 2^-69 of e^r.
const FIFTH: [f64; 9] = [
    0.008333333333333307,
    0.0013888888888883596,
    0.0001984126984141394,
    2.4801587329078318e-05,
    2.755731894636327e-06,
    2.7557268379653593e-07,
    2.5052322915062556e-08,
    2.09168667051187e-09,
    1.6011095558051118e-10,
];
const TWENTY_FOURTH: Pair = Pair { hi: 0.041666666666666664, lo: 2.3129646346357427e-18 };
const SIXTH: Pair = Pair { hi: 0.16666666666666666, lo: 9.25185853854297e-18 };

/// (2·atanh s - 2·s - ⅔·s³ - ⅖·s⁵) / s⁷ in s² for |s| <= ⅓: the error is below 2^-69 of 2·atanh s.
const SEVENTH: [f64; 10] = [
    0.2857142857142245,
    0.22222222223586352,
    0.18181818056465787,
    0.1538462173353025,
    0.13333134928078277,
    0.11768733199407717,
    0.10472299840719174,
    0.09996794707628433,
    0.061261466993851155,
    0.15570982817173007,
];
const TWO_FIFTHS: Pair = Pair { hi: 0.4, lo: -2.2204460492503132e-17 };

/// `c + x·p`, where `c` is the larger term.
#[inline(always)]
fn step<L: Lanes>(lanes: L, c: Pair, x: Pair, p: Pair) -> Pair {
    let product = x.times(lanes, p);
    let sum = Pair::ordered_sum(c.hi, product.hi);
    Pair::new(sum.hi, sum.lo + (product.lo + c.lo))
}

/// e^(r + rest) without its power of two, with an error of some 2^-67.
#[inline(always)]
fn exp_mantissa<L: Lanes>(lanes: L, power: Power) -> Pair {
    let r = Pair::new(power.r, power.rest);
    let one = Pair::new(1.0, 0.0);
    let fourth = Pair::ordered_sum(TWENTY_FOURTH.hi, r.hi * polynomial(lanes, r.hi, &FIFTH));
    let fourth = Pair::new(fourth.hi, fourth.lo + TWENTY_FOURTH.lo);
    let third = step(lanes, SIXTH, r, fourth);
    let second = step(lanes, Pair::new(0.5, 0.0), r, third);
    let first = step(lanes, one, r, second);
    step(lanes, one, r, first).renormalised()
}

/// ln(1 + e) for 0 <= e <= 1, with an error of some 2^-65.
#[inline(always)]
fn ln_1p<L: Lanes>(lanes: L, e: Pair) -> Pair {
    let s = e.over(lanes, Pair::ordered_sum(2.0, e.hi).plus(e.lo));
    let square = Pair::product(lanes, s.hi, s.hi);
    let square = Pair::new(square.hi, (2.0 * s.hi).fma(lanes, s.lo, square.lo));
    let fifth = Pair::ordered_sum(TWO_FIFTHS.hi, square.hi * polynomial(lanes, square.hi, &SEVENTH));
    let fifth = Pair::new(fifth.hi, fifth.lo + TWO_FIFTHS.lo);
    let third = step(lanes, TWO_THIRDS, square, fifth);
    let two = Pair::new(2.0, 0.0);
    let result = s.times(lanes, step(lanes, two, square, third)).renormalised();
    // So small an e is its own logarithm, and may be subnormal.
    let small = e.hi < f64::EPSILON / 256.0;
    Pair::new(select(small, e.hi, result.hi), select(small, 0.0, result.lo))
}

/// The larger operand and the difference, which is 0 for equal infinities and at most 1100.
#[inline(always)]
fn ordered(a: f64, b: f64) -> (f64, Pair) {
    let (more, less) = (select(a < b, b, a), select(a < b, a, b));
    let difference = Pair::sum(more, -less);
    let hi = select(a == b, 0.0, clamp(difference.hi, 0.0, 1100.0));
    (more, Pair::new(hi, select(hi == difference.hi, difference.lo, 0.0)))
}

/// `more` + the logarithm of 1 + e^-d or 1 + 2^-d, which is `ln`.
#[inline(always)]
fn with_larger(a: f64, b: f64, more: f64, ln: Pair) -> f64 {
    let sum = Pair::sum(more, ln.hi);
    let result = sum.hi + (sum.lo + ln.lo);
    let result = select(more.abs() < f64::INFINITY, result, more);
    select(a.is_nan() | b.is_nan(), f64::NAN, result)
}

/// 2^n times both parts.
#[inline(always)]
fn scaled<L: Lanes>(lanes: L, power: Power, mantissa: Pair) -> Pair {
    Pair::new(power.scale_all(lanes, mantissa.hi), power.scale_all(lanes, mantissa.lo))
}

/// ln(1 + e^-d) for 0 <= d <= 9: the error is below 2^-12.9.
const ROUGHLY: [f64; 9] = [
    0.6932733433571912,
    -0.5016894264772827,
    0.1282369737218707,
    -0.0008061830047668608,
    -0.007316105334757508,
    0.0018874870311713784,
    -0.00022807350054643573,
    1.3956229554618003e-05,
    -3.478875299627058e-07,
];

/// Whether the sum of `more` and the logarithm does not nearly vanish: it is above 2^-11.5, or `more` is not negative.
#[inline(always)]
fn apart(more: f64, difference: f64) -> bool {
    // Plain products and sums: the test has no level, and all levels must take the same form.
    let d = select(difference < 9.0, difference, 9.0);
    let mut roughly = 0.0;
    let mut i = ROUGHLY.len();
    while i > 0 {
        i -= 1;
        roughly = roughly * d + ROUGHLY[i];
    }
    (more >= 0.0) | ((more + roughly).abs() > 1.0 / 2048.0)
}

/// Whether of the larger operand nearly all is cancelled.
#[inline(always)]
fn cancels(more: f64, result: f64) -> bool {
    result.abs() < more.abs() * (1.0 / 1024.0)
}

/// ln(e^a + e^b): exponential and logarithm with some 12 bits more than an `f64`.
///
/// Where the result is nearly 0, [`cancelling`] takes the place of both.
pub(crate) struct Logaddexp;

impl Function2<f64> for Logaddexp {
    #[inline(always)]
    fn usual(a: f64, b: f64) -> bool {
        let (more, less) = (select(a < b, b, a), select(a < b, a, b));
        apart(more, more - less)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, a: f64, b: f64) -> f64 {
        let (more, difference) = ordered(a, b);
        let power = Power::of_pair(lanes, Pair::new(-difference.hi, -difference.lo));
        let ln = ln_1p(lanes, scaled(lanes, power, exp_mantissa(lanes, power)));
        with_larger(a, b, more, ln)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, a: f64, b: f64) -> f64 {
        let result = Self::fast(lanes, a, b);
        let (more, less) = (select(a < b, b, a), select(a < b, a, b));
        if !Self::usual(a, b) & cancels(more, result) {
            return cancelling::log_of_sum(lanes, more, less, false);
        }
        result
    }
}

/// log2(2^a + 2^b): as [`Logaddexp`].
pub(crate) struct Logaddexp2;

impl Function2<f64> for Logaddexp2 {
    #[inline(always)]
    fn usual(a: f64, b: f64) -> bool {
        let (more, less) = (select(a < b, b, a), select(a < b, a, b));
        apart(more * LN2.hi, (more - less) * LN2.hi)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, a: f64, b: f64) -> f64 {
        let (more, difference) = ordered(a, b);
        let power = Power::of_two(lanes, Pair::new(-difference.hi, -difference.lo));
        let ln = ln_1p(lanes, scaled(lanes, power, exp_mantissa(lanes, power)));
        with_larger(a, b, more, ln.times(lanes, LOG2_E))
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, a: f64, b: f64) -> f64 {
        let result = Self::fast(lanes, a, b);
        let (more, less) = (select(a < b, b, a), select(a < b, a, b));
        if !Self::usual(a, b) & cancels(more, result) {
            return cancelling::log_of_sum(lanes, more, less, true);
        }
        result
    }
}
