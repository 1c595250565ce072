//! Sine, cosine and tangent: x = n·π/2 + r, where r is a pair, and both the sine and the cosine of r.

use super::pair::{Pair, polynomial, polynomial_from, select};
use super::payne_hanek;
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;

/// 1.5·2^52: a number below 2^51 added to it is rounded to an integer, which the low bits hold.
const ROUND: f64 = 6755399441055744.0;
const TWO_OVER_PI: f64 = 0.6366197723675814;
/// π/2 in three parts.
const HALF_PI: [f64; 3] = [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33];
/// 2^30: below it three parts of π/2 are enough.
pub(super) const MOST: f64 = 1073741824.0;

/// (sin r - r) / r³ in r² for |r| <= π/4: the error is below 2^-68 of sin r.
const SIN_FIRST: f64 = -0.16666666666666666;
const SIN: [f64; 6] = [
    0.008333333333333323,
    -0.00019841269841254988,
    2.755731921414836e-06,
    -2.5052104900407086e-08,
    1.6058365176476965e-10,
    -7.578624682774097e-13,
];

/// (cos r - 1 + r²/2) / r⁴ in r² for |r| <= π/4: the error is below 2^-64.
const COS: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888873988,
    2.4801587289394262e-05,
    -2.755731432607707e-07,
    2.0875719590557606e-09,
    -1.1359451240792202e-11,
];

/// An angle as a number of quarter turns, in the two lowest bits, and the remainder.
pub(super) type Reduced = (u64, Pair);

/// Reduces |x| below 2^30. The product of n and the first part of π/2 is subtracted without an error, since
/// the difference is a multiple of the last place of both. The product with the second part is a sum of two
/// numbers. The product with the third part is about 2^-100 of the smallest remainder, so one rounding of it
/// suffices.
#[inline(always)]
pub(super) fn reduce<L: Lanes>(lanes: L, x: f64) -> Reduced {
    let (shifted, r) = reduce_each(lanes, x);
    (shifted.to_bits(), r)
}

/// Computes [`reduce`] for one number or a batch; the number of quarter turns stands in the lowest bits of a
/// number.
#[inline(always)]
fn reduce_each<L: Lanes, N: Number>(lanes: L, x: N) -> (N, Pair<N>) {
    let shifted = x.fma(lanes, N::of(TWO_OVER_PI), N::of(ROUND));
    let n = shifted - N::of(ROUND);
    let near = (-n).fma(lanes, N::of(HALF_PI[0]), x);
    let second = Pair::product(lanes, n, N::of(HALF_PI[1]));
    let r = Pair::sum(near, -second.hi);
    let rest = n.fma(lanes, N::of(-HALF_PI[2]), r.lo - second.lo);
    (shifted, Pair::new(r.hi, rest).renormalised())
}

/// Reduces any x.
#[inline(always)]
pub(super) fn reduce_any<L: Lanes>(lanes: L, x: f64) -> Reduced {
    if x.abs() < MOST { reduce(lanes, x) } else { payne_hanek::reduce(lanes, x) }
}

/// Returns sin r and cos r.
#[inline(always)]
fn sin_cos<L: Lanes, N: Number>(lanes: L, r: Pair<N>) -> (Pair<N>, Pair<N>) {
    let square = Pair::product(lanes, r.hi, r.hi);
    let half = N::of(0.5) * square.hi;
    let cubic = r.hi * square.hi;
    let sin =
        cubic.fma(lanes, polynomial_from(lanes, square.hi, SIN_FIRST, &SIN), (-half).fma(lanes, r.lo, r.lo));
    let one = Pair::ordered_sum(N::of(1.0), -half);
    let rest = r.hi.fma(lanes, -r.lo, square.lo.fma(lanes, N::of(-0.5), one.lo));
    let cos = (square.hi * square.hi).fma(lanes, polynomial(lanes, square.hi, &COS), rest);
    (Pair::new(r.hi, sin), Pair::new(one.hi, cos))
}

/// Returns the sine of an angle from the sine and the cosine of its remainder, by the quarter turns.
#[inline(always)]
fn sin_of<L: Lanes>(lanes: L, (quarters, r): Reduced) -> f64 {
    let (sin, cos) = sin_cos(lanes, r);
    let value = select(quarters & 1 == 0, sin.value(), cos.value());
    f64::from_bits(value.to_bits() ^ ((quarters & 2) << 62))
}

/// Returns the sine and the cosine of a reduced angle.
#[inline(always)]
pub(super) fn both_of<L: Lanes>(lanes: L, (quarters, r): Reduced) -> (f64, f64) {
    let (sin, cos) = sin_cos(lanes, r);
    let (sin, cos) = (sin.value(), cos.value());
    let even = quarters & 1 == 0;
    let (sin, cos) = (select(even, sin, cos), select(even, cos, sin));
    let turned = |value: f64, quarters: u64| f64::from_bits(value.to_bits() ^ ((quarters & 2) << 62));
    (turned(sin, quarters), turned(cos, quarters.wrapping_add(1)))
}

/// sin x: of the rest by quarter turns two polynomials, one of which is the result; NaN for infinities; ±0 is
/// kept.
///
/// Error 0.75 in 2.1 million samples of every size, the nearest numbers to multiples of π/2 among them. The
/// full form is a plain loop over lanes where |x| is above 2^30: better for the few lanes that need it than
/// for all of a block.
pub(crate) struct Sin;

impl Function<f64> for Sin {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        x.abs() < MOST
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        select(x == 0.0, x, sin_of(lanes, reduce(lanes, x)))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        select(x == 0.0, x, sin_of(lanes, reduce_any(lanes, x)))
    }
}

/// cos x: [`Sin`] shifted by a quarter turn.
///
/// Error 0.72 in 2.1 million samples, special values and full form as [`Sin`]; 1 at ±0.
pub(crate) struct Cos;

impl Function<f64> for Cos {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        x.abs() < MOST
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        let (quarters, r) = reduce(lanes, x);
        sin_of(lanes, (quarters.wrapping_add(1), r))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        let (quarters, r) = reduce_any(lanes, x);
        sin_of(lanes, (quarters.wrapping_add(1), r))
    }
}

/// tan x: the quotient of sine and cosine as sums of two numbers; NaN for infinities; ±0 is returned
/// unchanged.
///
/// Error 0.86 in 2.1 million samples, full form as [`Sin`].
pub(crate) struct Tan;

impl Tan {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let (quarters, r) = reduce_each(lanes, x);
        select(x.is(0.0), x, Tan::of(lanes, quarters, r))
    }

    /// Computes the function of a remainder, and of quarter turns in the lowest bits of a number.
    #[inline(always)]
    fn of<L: Lanes, N: Number>(lanes: L, quarters: N, r: Pair<N>) -> N {
        let (sin, cos) = sin_cos(lanes, r);
        let (sin, cos) = (sin.renormalised(), cos.renormalised());
        let odd = quarters.odd();
        let above = Pair::new(select(odd, cos.hi, sin.hi), select(odd, cos.lo, sin.lo));
        let below = Pair::new(select(odd, sin.hi, cos.hi), select(odd, sin.lo, cos.lo));
        let value = above.over(lanes, below).value();
        value.with_bits_of(quarters, |value, quarters| value ^ (quarters << 63))
    }
}

impl Function<f64> for Tan {
    #[inline(always)]
    fn in_fast_domain(x: f64) -> bool {
        x.abs() < MOST
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Tan::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        let (quarters, r) = reduce_any(lanes, x);
        select(x == 0.0, x, Tan::of(lanes, f64::from_bits(quarters), r))
    }
}
