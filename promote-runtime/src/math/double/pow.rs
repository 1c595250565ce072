//! x^y = e^(y·ln x), with the logarithm and the product as pairs; and x·ln y.

use super::exp::Power;
use super::log::{Split, WHOLE};
use super::pair::{Pair, select};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::batch::Number;

/// x^y: the exponential of y times a logarithm with some 12 bits more than an `f64`.
///
/// Error 0.77 in 1.5 million samples, with x near 1 and results over the whole range among them. Special
/// values by the table of C99, F.9.4.4: 1 where x is 1 or y is 0, even beside NaN.
pub(crate) struct Pow;

impl Function2<f64> for Pow {
    const HAS_TRIVIAL_RESULTS: bool = true;

    #[inline(always)]
    fn in_fast_domain(x: f64, y: f64) -> bool {
        // |log2 x| is at most |k| + 1; below 1020 times 1 / |y| the result is normal.
        let k = f64::from_bits(WHOLE.to_bits() | (x.to_bits() >> 52)) - (WHOLE + 1023.0);
        (x >= f64::MIN_POSITIVE) & (x < f64::INFINITY) & (y.abs() * (k.abs() + 1.0) < 1020.0)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        Pow::each(lanes, x, y)
    }

    /// The result for +0, which occurs among integers that were converted to floats.
    #[inline(always)]
    fn trivial_result(x: f64, y: f64) -> Option<f64> {
        let end = if y < 0.0 { f64::INFINITY } else { 0.0 };
        let end = if y == 0.0 { 1.0 } else { end };
        ((x.to_bits() == 0) & !y.is_nan()).then_some(end)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        Pow::each_any(lanes, x, y)
    }
}

impl Pow {
    /// Computes [`Function2::fast`] for one pair or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N, y: N) -> N {
        let power = Power::of_pair(lanes, product(lanes, y, Split::normal(x).ln(lanes)));
        power.scale(power.rounded_mantissa())
    }

    /// Computes [`Function2::general`] for one pair or a batch.
    #[inline(always)]
    pub(crate) fn each_any<L: Lanes, N: Number>(lanes: L, x: N, y: N) -> N {
        let p = product(lanes, y, Split::any(x.size()).ln(lanes));
        // The second part of an infinite product is NaN.
        let (low, high) = (p.hi.below(-746.0), p.hi.above(710.0));
        let hi = select(low, N::of(-746.0), select(high, N::of(710.0), p.hi));
        let power = Power::of_pair(lanes, Pair::new(hi, select(low | high, N::of(0.0), p.lo)));
        let result = power.scale_all(lanes, power.rounded_mantissa());
        with_special(x, y, result)
    }
}

/// Returns `y`·(`hi + lo`).
#[inline(always)]
fn product<L: Lanes, N: Number>(lanes: L, y: N, Pair { hi, lo }: Pair<N>) -> Pair<N> {
    let p = Pair::product(lanes, y, hi);
    Pair::new(p.hi, y.fma(lanes, lo, p.lo))
}

/// x^y where `result` is |x|^y for a finite |x| above 0 and a finite y: the table of C99, F.9.4.4.
#[inline(always)]
fn with_special<N: Number>(x: N, y: N, result: N) -> N {
    let (zero, one, infinity, nan) = (N::of(0.0), N::of(1.0), N::of(f64::INFINITY), N::of(f64::NAN));
    let (base, exponent) = (x.size(), y.size());
    // Below 2^52, the sum with 2^52 is whole and its lowest bit is that of y; from there to 2^53 the lowest
    // bit is y's own.
    let sum = exponent + N::of(WHOLE);
    let small = exponent.below(WHOLE);
    let whole = !small | (sum - N::of(WHOLE)).same(exponent);
    let odd = whole & select(small, sum, exponent).odd() & exponent.below(2.0 * WHOLE);
    let negative = x.with_bits(|bits| bits >> 63).odd();

    let (endless, grows) = (base.is(f64::INFINITY), y.above(0.0));
    let up = select(endless ^ grows, zero, infinity);
    let result = select(endless | base.is(0.0), up, result);
    let up = select(base.above(1.0) ^ grows, zero, infinity);
    let result = select(exponent.is(f64::INFINITY), select(base.is(1.0), one, up), result);
    let result = select(negative & odd, -result, result);
    let result = select(x.below(0.0) & !endless & !whole, nan, result);
    let result = select(!x.same(x) | !y.same(y), nan, result);
    select(x.is(1.0) | y.is(0.0), one, result)
}

/// x·ln y, with the logarithm of [`Pow`]; 0 where x is 0, unless y is NaN.
///
/// Error 0.90 in 1.2 million samples (0.5 where the result is normal).
pub(crate) struct Xlogy;

impl Function2<f64> for Xlogy {
    #[inline(always)]
    fn in_fast_domain(x: f64, y: f64) -> bool {
        (y >= f64::MIN_POSITIVE) & (y < f64::INFINITY) & (x.abs() < 1e300)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        let result = product(lanes, x, Split::normal(y).ln(lanes)).value();
        // The sum of a pair is never -0.
        let result = select(y == 1.0, x * 0.0, result);
        select(x == 0.0, 0.0, result)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        let p = product(lanes, x, Split::any(y).ln(lanes));
        let result = select(p.hi.abs() < f64::INFINITY, p.value(), p.hi);
        // If ln y is 0 or not finite, the plain product is right.
        let ln = select(y == 0.0, f64::NEG_INFINITY, select(y < 0.0, f64::NAN, y));
        let ln = select(y == 1.0, 0.0, ln);
        let result = select((y > 0.0) & (y < f64::INFINITY) & (y != 1.0), result, x * ln);
        select((x == 0.0) & !y.is_nan(), 0.0, result)
    }
}
