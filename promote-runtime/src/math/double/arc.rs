//! The inverse trigonometric functions.

use super::exp::clamp;
use super::pair::{Pair, polynomial, polynomial_from, select};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, Table, Tabled};

/// π/4; up to 4 times the first part is exact.
const QUARTER: Pair = Pair { hi: 0.7853981633974483, lo: 3.061616997868383e-17 };

/// (atan q - q) / q³ in q² for |q| <= ½: the error is below 2^-62 of atan q.
const ATAN_FIRST: f64 = -0.33333333333333315;
const ATAN: [f64; 12] = [
    0.19999999999993417,
    -0.14285714284974887,
    0.11111111069218038,
    -0.09090907687762219,
    0.07692277395677236,
    -0.06666222693958128,
    0.058778007899300794,
    -0.05229980566215597,
    0.0458933981356669,
    -0.03711644220903359,
    0.023652235112690777,
    -0.008364216146608795,
];

/// Tangents of the middles of intervals. The index is the last three bits of the exponent and the first one
/// of the fraction. The first interval is from 0 to 3/32; the last one, from 12 on, has the tangent 1 / 0.
const TANGENTS: [f64; 16] = [
    2.414213562373095,
    3.4340578300578994,
    4.807987240796891,
    6.860057095782636,
    9.604121959736899,
    1.0,
    0.0,
    0.10934861907578702,
    0.1561011871016718,
    0.2185463135071192,
    0.3113914953808537,
    0.4360695124673429,
    0.6180339887498949,
    0.8672954016950679,
    1.219803902718557,
    1.7231796783283642,
];

/// The divisors of [`TANGENTS`].
const ONES: [f64; 16] = {
    let mut ones = [1.0; 16];
    ones[(12f64.to_bits() >> 51) as usize % 16] = 0.0;
    ones
};

/// The angles of [`TANGENTS`] in two parts.
const ARCS: [[f64; 16]; 2] = [
    [
        1.1780972450961724,
        1.2874317180331434,
        1.3657326565241512,
        1.4260444908142025,
        1.4670482135772953,
        1.5707963267948966,
        0.0,
        0.10891588785267545,
        0.15485147227122809,
        0.21516330656127947,
        0.30187466669871815,
        0.41120913963568917,
        0.5535743588970453,
        0.7144496360953664,
        0.8840959433223887,
        1.0449712205207098,
    ],
    [
        2.7563998718653792e-17,
        5.0801952814698895e-17,
        -8.200088840802228e-17,
        -5.008093825679454e-18,
        -3.3864908226719837e-17,
        6.123233995736766e-17,
        0.0,
        6.141789352441601e-18,
        1.0912423778350865e-17,
        -1.162529301392705e-17,
        2.467994593191151e-17,
        6.717223915532891e-18,
        -2.4692790719227026e-17,
        -2.003188292325058e-17,
        -2.4756945095918142e-17,
        -2.0282993489313522e-17,
    ],
];

/// (atan t - t) / t³ in t² for |t| < 0.1: the error is below 2^-61 of atan t.
const SHORT_ATAN: [f64; 6] = [
    -0.3333333333333333,
    0.19999999999979295,
    -0.14285714261064178,
    0.11111100371273963,
    -0.09088791546749461,
    0.07499338097368718,
];

/// (asin s - s) / s³ in s² for |s| <= ½: the error is below 2^-59 of asin s.
const ASIN: [f64; 13] = [
    0.16666666666666763,
    0.07499999999970099,
    0.04464285717528633,
    0.030381942675273575,
    0.022372215905853508,
    0.017351595505830222,
    0.013981018401382479,
    0.011397294707356396,
    0.01078930872594987,
    0.003672243448630504,
    0.02179047852338002,
    -0.021116444769295147,
    0.032701968964201564,
];

/// Returns `base`·π/4 + `hi + lo`, where `base` is 0 or the first term is the larger one.
#[inline(always)]
fn from_base<L: Lanes, N: Number>(lanes: L, base: N, hi: N, lo: N) -> Pair<N> {
    let sum = Pair::ordered_sum(base * N::of(QUARTER.hi), hi);
    Pair::new(sum.hi, base.fma(lanes, N::of(QUARTER.lo), sum.lo + lo))
}

/// Returns `value`, negated if `minus` is set.
#[inline(always)]
fn negated<N: Number>(minus: N::Mask, value: N) -> N {
    select(minus, -value, value)
}

/// Returns the angle of the point (x, y) from 0 to π, with a relative error of 2^-56: that of `less / more`,
/// in the octant that the two flags select.
///
/// If `less` is above half of `more`, the angle is π/4 plus that of (less - more) / (less + more), whose
/// parts are exact. So the quotient is at most ½.
#[inline(always)]
fn angle<L: Lanes, N: Number>(lanes: L, less: N, more: N, steep: N::Mask, left: N::Mask) -> Pair<N> {
    let zero = N::of(0.0);
    let near = more.less(less + less);
    let above = less - select(near, more, zero);
    let below = Pair::ordered_sum(more, select(near, less, zero));
    let q = Pair::new(above, zero).over(lanes, below);
    let square = q.hi * q.hi;
    let rest = q.lo + q.hi * square * polynomial_from(lanes, square, ATAN_FIRST, &ATAN);
    let base = select(near, N::of(1.0), zero);
    let base = select(steep, N::of(2.0) - base, base);
    let base = select(left, N::of(4.0) - base, base);
    let minus = steep ^ left;
    from_base(lanes, base, negated(minus, q.hi), negated(minus, rest))
}

const TWO_100: f64 = f64::from_bits((1023 + 100) << 52);
const TWO_480: f64 = f64::from_bits((1023 + 480) << 52);

/// The angle of a point: the arc tangent of the smaller coordinate by the larger one, with the quotient as a
/// pair.
///
/// Error 0.86 in 1.5 million samples. Special values by the table of C99, F.9.1.4.
pub(crate) struct Atan2;

impl Atan2 {
    /// Returns the angle of a point in the fast domain, with a relative error of 2^-56.
    #[inline(always)]
    pub(super) fn pair<L: Lanes>(lanes: L, y: f64, x: f64) -> Pair {
        let (height, width) = (y.abs(), x.abs());
        let steep = height > width;
        let (less, more) = (select(steep, width, height), select(steep, height, width));
        let Pair { hi, lo } = angle(lanes, less, more, steep, x.is_sign_negative());
        let minus = y.is_sign_negative();
        Pair::new(negated(minus, hi), negated(minus, lo))
    }
}

impl Function2<f64> for Atan2 {
    #[inline(always)]
    fn in_fast_domain(y: f64, x: f64) -> bool {
        let (y, x) = (y.abs(), x.abs());
        let (less, more) = (select(y > x, x, y), select(y > x, y, x));
        (more <= TWO_480) & (more >= 1.0 / TWO_480) & ((less >= 1.0 / TWO_480) | (less == 0.0))
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, y: f64, x: f64) -> f64 {
        Atan2::pair(lanes, y, x).value().copysign(y)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, y: f64, x: f64) -> f64 {
        const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
        const TWO_M60: f64 = f64::from_bits((1023 - 60) << 52);
        const TWO_300: f64 = f64::from_bits((1023 + 300) << 52);
        const TWO_900: f64 = f64::from_bits((1023 + 900) << 52);
        let (height, width) = (y.abs(), x.abs());
        let steep = height > width;
        let (less, more) = (select(steep, width, height), select(steep, height, width));
        // So that neither the rounding error of the quotient nor the inverse of the sum underflows.
        let scale = select(more > TWO_900, TWO_M60, select(more < TWO_300, TWO_600, 1.0));
        let endless = more == f64::INFINITY;
        let less = select(endless, select(less == f64::INFINITY, 1.0, 0.0), less * scale);
        let more = select(endless | (more == 0.0), 1.0, more * scale);
        let result = angle(lanes, less, more, steep, x.is_sign_negative()).value().copysign(y);
        select(y.is_nan() | x.is_nan(), f64::NAN, result)
    }
}

/// The arc tangent: that of the middle of one of sixteen intervals, and a polynomial for the rest of the
/// angle; ±0 is returned unchanged.
///
/// Error 0.84 in 20 million samples. ±π/2 at the ends.
pub(crate) struct Atan;

impl Tabled for Atan {
    #[inline(always)]
    fn in_domain<N: Lookup>(x: N) -> N::Mask {
        x.size().below(f64::INFINITY)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, x: N) -> N {
        let size = x.size();
        // From 2^100 on it is π/2.
        let size = if FAST { size } else { select(size.above(TWO_100), N::of(TWO_100), size) };
        // Each interval is the lower or the upper half of the numbers with one exponent.
        let [one, tangent, hi, lo] = clamp(size, 0.0625, 12.0)
            .with_bits(|bits| bits >> 51)
            .lookup(const { &Table::new([ONES, TANGENTS, ARCS[0], ARCS[1]]) });
        // The tangent of the rest of the angle: (size - tangent) / (1 + size·tangent), at the end -1 / size.
        let t = size.fma(lanes, one, -tangent) / size.fma(lanes, tangent, one);
        let square = t * t;
        let rest = (t * square).fma(lanes, polynomial(lanes, square, &SHORT_ATAN), lo);
        let sum = Pair::ordered_sum(hi, t);
        (sum.hi + (sum.lo + rest)).signed(x)
    }
}

tabled! { Atan }

/// Returns s and asin s - s, where s is |x| up to ½, and √((1 - |x|) / 2) as a pair beyond it.
#[inline(always)]
fn half_arc<L: Lanes, N: Number>(lanes: L, x: N) -> (N::Mask, N, N) {
    let (zero, size) = (N::of(0.0), x.size());
    let large = size.above(0.5);
    let square = select(large, (N::of(1.0) - size) * N::of(0.5), size * size);
    let root = Pair::new(square, zero).root(lanes);
    let s = select(large, root.hi, size);
    // There is no root beyond 1.
    let rest = select(size.above(1.0), N::of(f64::NAN), select(large, root.lo, zero));
    (large, s, (s * square).fma(lanes, polynomial(lanes, square, &ASIN), rest))
}

/// The arc sine: a polynomial up to ½, beyond it π/2 - 2·asin √((1 - x) / 2); NaN beyond 1; ±0 is returned
/// unchanged.
///
/// Error 0.65 in 3.3 million samples.
pub(crate) struct Asin;

impl Asin {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let (large, s, rest) = half_arc(lanes, x);
        let factor = select(large, N::of(-2.0), N::of(1.0));
        let base = select(large, N::of(2.0), N::of(0.0));
        from_base(lanes, base, factor * s, factor * rest).value().signed(x)
    }
}

/// The arc cosine: π/2 - asin x, beyond ½ 2·asin √((1 - x) / 2) and its complement to π; NaN beyond 1.
///
/// Error 0.61 in 3.3 million samples. +0 at 1.
pub(crate) struct Acos;

impl Acos {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let (large, s, rest) = half_arc(lanes, x);
        let left = x.with_bits(|bits| bits >> 63).odd();
        let factor = select(large, N::of(2.0), N::of(-1.0));
        let base = select(large, select(left, N::of(4.0), N::of(0.0)), N::of(2.0));
        from_base(lanes, base, negated(left, factor * s), negated(left, factor * rest)).value()
    }
}

total! { Asin Acos }
