//! Logarithms: x = 2^k·m, and for m the series of the inverse hyperbolic tangent in s = (m - 1) / (m + 1).

use super::pair::{Pair, polynomial, select};
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;

/// The bits of √½, the least m.
const LEAST: u64 = 0x3fe6a09e667f3bcd;
/// From the bits of √½ to those of 1.
const TO_ONE: u64 = ONE - LEAST;
/// The bits of 1.
const ONE: u64 = 0x3ff0000000000000;
const FRACTION: u64 = (1 << 52) - 1;
/// 2^52: its low bits hold an integer.
const WHOLE: f64 = 4503599627370496.0;

/// ln 2 in two parts; k times the first part is exact.
const LN2_SHORT: Pair = Pair { hi: 0.6931471805598903, lo: 5.497923018708371e-14 };
/// 1 / ln 2.
pub(super) const LOG2_E: Pair = Pair { hi: 1.4426950408889634, lo: 2.0355273740931033e-17 };
/// 1 / ln 10.
pub(super) const LOG10_E: Pair = Pair { hi: 0.4342944819032518, lo: 1.098319650216765e-17 };
/// lg 2 in two parts; k times the first part is exact.
const LOG10_2: Pair = Pair { hi: 0.30102999566395283, lo: 2.8363394551044964e-14 };

/// (2·atanh s - 2·s) / s³ in s² for |s| <= 3 - √8: the error is below 2^-59 of 2·atanh s.
const NEAR: [f64; 7] = [
    0.6666666666666735,
    0.39999999999411057,
    0.285714287432757,
    0.2222219847443712,
    0.18183569825598256,
    0.153139009754252,
    0.14797530926864386,
];

/// (2·atanh s - 2·s) / s³ in s² for |s| <= 0.204: the error is below 2^-60 of 2·atanh s.
const WIDER: [f64; 8] = [
    0.6666666666666666,
    0.4000000000001033,
    0.28571428566223595,
    0.22222223220262582,
    0.1818172438894776,
    0.15389386673377584,
    0.13199693635096899,
    0.13684515991823415,
];

/// (2·atanh s - 2·s - ⅔·s³) / s⁵ in s² for |s| <= 3 - √8: the error is below 2^-73 of 2·atanh s.
const FIFTH: [f64; 8] = [
    0.3999999999999998,
    0.2857142857144522,
    0.22222222217510593,
    0.18181818873494796,
    0.1538455665372512,
    0.13336325788698888,
    0.11674648406406865,
    0.11990431461535521,
];
pub(super) const TWO_THIRDS: Pair = Pair { hi: 0.6666666666666666, lo: 3.700743415417188e-17 };

/// A positive number as 2^k·m, with m from √½ to √2.
#[derive(Clone, Copy)]
pub(super) struct Split<N = f64> {
    pub(super) k: N,
    pub(super) m: N,
    /// The number whose bits from position 52 on are k + 1023.
    shifted: N,
}

impl<N: Number> Split<N> {
    /// Splits a positive normal number.
    #[inline(always)]
    pub(super) fn normal(x: N) -> Self {
        let shifted = x.with_bits(|bits| bits.wrapping_add(TO_ONE));
        let k = shifted.with_bits(|bits| WHOLE.to_bits() | (bits >> 52)) - N::of(WHOLE + 1023.0);
        Split { k, m: shifted.with_bits(|bits| (bits & FRACTION) + LEAST), shifted }
    }

    /// Splits any positive finite number; for others the result is unspecified.
    #[inline(always)]
    pub(super) fn any(x: N) -> Self {
        let subnormal = x.below(f64::MIN_POSITIVE);
        let split = Split::normal(select(subnormal, x * N::of(TWO_54), x));
        Split { k: select(subnormal, split.k - N::of(54.0), split.k), ..split }
    }

    /// Returns the logarithm as a pair, with an error below 2^-64.
    #[inline(always)]
    pub(super) fn ln<L: Lanes>(self, lanes: L) -> Pair<N> {
        let s = self.quotient(lanes);
        with_exponent(lanes, self.k, twice_atanh(lanes, s))
    }

    /// Returns `lo`·2^-k. 2^(1 - k) is at most 2^1023; it is out of range only for the largest k, and then 0.
    #[inline(always)]
    fn beside(self, lo: N) -> N {
        N::of(0.5) * lo * self.shifted.with_bits(|bits| 2047u64.wrapping_sub(bits >> 52) << 52)
    }

    /// Returns (m - 1) / (m + 1).
    #[inline(always)]
    fn quotient<L: Lanes>(self, lanes: L) -> Pair<N> {
        let above = self.m - N::of(1.0);
        let below = self.m + N::of(1.0);
        let lost = above - (below - N::of(2.0));
        let inverse = N::of(1.0) / below;
        let q = above * inverse;
        let rest = (-q).fma(lanes, lost, (-q).fma(lanes, below, above));
        Pair::new(q, rest * inverse)
    }
}

const TWO_54: f64 = 18014398509481984.0;

/// Returns k·ln 2 + `ln`, where the second term is below ln 2 / 2 or k is 0.
#[inline(always)]
fn with_exponent<L: Lanes, N: Number>(lanes: L, k: N, ln: Pair<N>) -> Pair<N> {
    let sum = Pair::ordered_sum(k * N::of(LN2_SHORT.hi), ln.hi);
    Pair::new(sum.hi, k.fma(lanes, N::of(LN2_SHORT.lo), sum.lo + ln.lo))
}

/// Returns 2·atanh s for |s| <= 3 - √8, with 2 + ⅔·s² as a pair, and higher terms rounded.
#[inline(always)]
fn twice_atanh<L: Lanes, N: Number>(lanes: L, s: Pair<N>) -> Pair<N> {
    let square = Pair::product(lanes, s.hi, s.hi);
    let higher = square.hi.fma(lanes, polynomial(lanes, square.hi, &FIFTH), N::of(TWO_THIRDS.lo));
    let square = Pair::new(square.hi, (s.hi + s.hi).fma(lanes, s.lo, square.lo));
    let third = square.times(lanes, Pair::ordered_sum(N::of(TWO_THIRDS.hi), higher));
    let two = Pair::ordered_sum(N::of(2.0), third.hi);
    s.times(lanes, Pair::new(two.hi, two.lo + third.lo))
}

/// Returns `result` if x is positive and finite, otherwise the special value of every logarithm.
#[inline(always)]
fn with_special(x: f64, result: f64) -> f64 {
    let result = select(x < f64::INFINITY, result, x);
    let result = select(x < 0.0, f64::NAN, result);
    select(x == 0.0, f64::NEG_INFINITY, result)
}

#[inline(always)]
fn positive_normal(x: f64) -> bool {
    (x >= f64::MIN_POSITIVE) & (x < f64::INFINITY)
}

/// Returns z = m - 1, z²/2 and the remainder, so that ln m = z - z²/2 + remainder.
#[inline(always)]
fn series<L: Lanes, N: Number>(lanes: L, m: N) -> (N, Pair<N>, N) {
    let z = m - N::of(1.0);
    let s = z / (m + N::of(1.0));
    let square = s * s;
    let half = Pair::product(lanes, N::of(0.5) * z, z);
    let near = square * polynomial(lanes, square, &NEAR);
    (z, half, s.fma(lanes, half.hi + near, -half.lo))
}

/// Returns ln(2^k·m) as a pair, whose first part is within its last place.
#[inline(always)]
fn ln_short<L: Lanes, N: Number>(lanes: L, k: N, m: N) -> Pair<N> {
    let (z, half, rest) = series(lanes, m);
    let sum = Pair::ordered_sum(k * N::of(LN2_SHORT.hi), z);
    let less = Pair::ordered_sum(sum.hi, -half.hi);
    Pair::new(less.hi, k.fma(lanes, N::of(LN2_SHORT.lo), (sum.lo + less.lo) + rest))
}

/// ln(2^`more`·x) for an x = `hi + lo` with `hi` positive and normal, the first part within the last place.
#[inline(always)]
pub(super) fn ln_of_pair<L: Lanes, N: Number>(lanes: L, x: Pair<N>, more: N) -> Pair<N> {
    let split = Split::normal(x.hi);
    // lo / m by four terms of the series: it is below the last place.
    let z = split.m - N::of(1.0);
    let inverse = (-z).fma(lanes, (-z).fma(lanes, N::of(1.0) - z, N::of(1.0)), N::of(1.0));
    let ln = ln_short(lanes, split.k + more, split.m);
    Pair::new(ln.hi, split.beside(x.lo).fma(lanes, inverse, ln.lo))
}

/// k·ln 2 + ln(`more` / `less`) from the difference of the two and their sum: twice the inverse hyperbolic
/// tangent of the quotient, which is at most 0.204 (from ⅔ to 1½, what is more by what is less).
///
/// If k is 0, the relative error of the result is that of the difference, however small it is.
#[inline(always)]
pub(super) fn ln_of_quotient<L: Lanes, N: Number>(
    lanes: L,
    k: N,
    difference: Pair<N>,
    sum: Pair<N>,
) -> Pair<N> {
    let inverse = N::of(1.0) / sum.hi;
    let s = difference.hi * inverse;
    let rest = (-s).fma(lanes, sum.hi, difference.hi) + (-s).fma(lanes, sum.lo, difference.lo);
    let square = s * s;
    let higher = (s * square) * polynomial(lanes, square, &WIDER);
    let twice = Pair::ordered_sum(k * N::of(LN2_SHORT.hi), s + s);
    let lo = (rest + rest).fma(lanes, inverse, higher) + twice.lo;
    Pair::new(twice.hi, k.fma(lanes, N::of(LN2_SHORT.lo), lo))
}

/// k and y·2^-k, of which the first part is from ⅔ to 1⅓, for a y whose first part is positive and normal.
#[inline(always)]
pub(super) fn reduced<N: Number>(y: Pair<N>) -> (N, Pair<N>) {
    const TWO_THIRDS: u64 = 0x3fe5555555555555;
    let shifted = y.hi.with_bits(|bits| bits.wrapping_add(ONE.wrapping_sub(TWO_THIRDS)));
    let k = shifted.with_bits(|bits| WHOLE.to_bits() | (bits >> 52)) - N::of(WHOLE + 1023.0);
    let hi = shifted.with_bits(|bits| (bits & FRACTION) + TWO_THIRDS);
    // 2^(1 - k) is at most 2^1023; it is out of range only for the largest k, and then 0.
    let twice = shifted.with_bits(|bits| 2047_u64.wrapping_sub(bits >> 52) << 52);
    (k, Pair::new(hi, y.lo * twice * N::of(0.5)))
}

/// Returns ln m times `factor`.
#[inline(always)]
fn short_times<L: Lanes, N: Number>(lanes: L, m: N, factor: Pair) -> Pair<N> {
    let (z, half, rest) = series(lanes, m);
    let less = Pair::ordered_sum(z, -half.hi);
    Pair::new(less.hi, less.lo + rest).times(lanes, factor.of())
}

/// ln x: a series in s = (m - 1) / (m + 1) of which the terms z - z²/2, z = m - 1, are taken without an
/// error.
///
/// Error 0.61 in 0.9 million samples. -∞ at ±0, ∞ at ∞, NaN below 0; +0 at 1.
pub(crate) struct Log;

impl Log {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        Log::of(lanes, Split::normal(x))
    }

    #[inline(always)]
    fn of<L: Lanes, N: Number>(lanes: L, split: Split<N>) -> N {
        ln_short(lanes, split.k, split.m).value()
    }
}

impl Function<f64> for Log {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        positive_normal(x)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Log::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        with_special(x, Log::of(lanes, Split::any(x)))
    }
}

/// The base-2 logarithm: the natural one of m as a sum of two, times 1 / ln 2, plus k; exact for powers of
/// two.
///
/// Error 0.69 in 0.9 million samples. Special values as of [`Log`].
pub(crate) struct Log2;

impl Log2 {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        Log2::of(lanes, Split::normal(x))
    }

    #[inline(always)]
    fn of<L: Lanes, N: Number>(lanes: L, split: Split<N>) -> N {
        let m = short_times(lanes, split.m, LOG2_E);
        let sum = Pair::ordered_sum(split.k, m.hi);
        sum.hi + (sum.lo + m.lo)
    }
}

impl Function<f64> for Log2 {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        positive_normal(x)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Log2::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        with_special(x, Log2::of(lanes, Split::any(x)))
    }
}

/// The base-10 logarithm: as [`Log2`], with k times lg 2 in two parts; exact for powers of ten.
///
/// Error 0.62 in 0.9 million samples. Special values as of [`Log`].
pub(crate) struct Log10;

impl Log10 {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        Log10::of(lanes, Split::normal(x))
    }

    #[inline(always)]
    fn of<L: Lanes, N: Number>(lanes: L, split: Split<N>) -> N {
        let m = short_times(lanes, split.m, LOG10_E);
        let sum = Pair::ordered_sum(split.k * N::of(LOG10_2.hi), m.hi);
        sum.hi + split.k.fma(lanes, N::of(LOG10_2.lo), sum.lo + m.lo)
    }
}

impl Function<f64> for Log10 {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        positive_normal(x)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Log10::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        with_special(x, Log10::of(lanes, Split::any(x)))
    }
}

/// ln(1 + x): the logarithm of the sum in two parts, by the quotient of what it is above and below 1; ±0 is
/// kept.
///
/// Error 0.61 in 1.5 million samples. -∞ at -1, ∞ at ∞, NaN below -1.
pub(crate) struct Log1p;

impl Log1p {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let (k, m) = reduced(Pair::sum(N::of(1.0), x));
        let less = m.hi - N::of(1.0);
        let sum = Pair::ordered_sum(N::of(2.0), less);
        let sum = Pair::new(sum.hi, sum.lo + m.lo);
        // If k is 0, the difference is x.
        let near = k.is(0.0);
        let difference = Pair::new(select(near, x, less), select(near, N::of(0.0), m.lo));
        ln_of_quotient(lanes, k, difference, sum).value().signed(x)
    }
}

impl Function<f64> for Log1p {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        (x > -1.0) & (x < f64::INFINITY)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Log1p::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        let result = Log1p::fast(lanes, x);
        let result = select(x < f64::INFINITY, result, x);
        let result = select(x < -1.0, f64::NAN, result);
        select(x == -1.0, f64::NEG_INFINITY, result)
    }
}
