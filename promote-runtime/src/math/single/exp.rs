//! Powers of e and of 2.
//!
//! Each takes the nearest integer `n` from the exponent and a polynomial of the rest; the sum with 1, the polynomial's
//! largest term, is carried out with its error where it would cost more than a quarter of an ULP.

use core::f32::consts::{LN_2, LOG2_E};

use super::parts::{ROUND, clamp, poly, rounded, scale, scale_far};
use crate::level::Lanes;
use crate::math::{Function, Real};

/// ln 2: what of it has 15 bits, so that an integer of 9 bits times it is exact.
pub(super) const LN_2_HIGH: f32 = 6.931_457_5e-1;
/// ln 2 less [`LN_2_HIGH`].
pub(super) const LN_2_LOW: f32 = 1.428_606_8e-6;

/// (e^g - 1 - g) / g^2 for |g| <= 0.35; the error is 2^-28 of e^g.
pub(super) const EXP_TAIL: [f32; 5] = [5.0e-1, 1.666_651_5e-1, 4.166_637_7e-2, 8.369_394e-3, 1.394_292_2e-3];

/// (2^f - 1) / f - [`LN_2`], of which the first coefficient is the rest of ln 2, for |f| <= 0.505; the error is 2^-28 of 2^f.
pub(super) const EXP2_TAIL: [f32; 6] =
    [2.536_161e-8, 2.402_265e-1, 5.550_325_3e-2, 9.618_058e-3, 1.340_124e-3, 1.546_485_4e-4];

/// `x = n ln 2 + g`: `n` plus [`ROUND`], and `g`.
#[inline(always)]
pub(super) fn reduce<L: Lanes>(lanes: L, x: f32) -> (f32, f32) {
    let sum = x.fma(lanes, LOG2_E, ROUND);
    let n = sum - ROUND;
    let g = n.fma(lanes, -LN_2_HIGH, x);
    (sum, n.fma(lanes, -LN_2_LOW, g))
}

/// e^g for |g| <= 0.35, as a sum of two: the second is below 0.07.
#[inline(always)]
pub(super) fn exp_parts<L: Lanes>(lanes: L, g: f32) -> (f32, f32) {
    let high = 1.0 + g;
    let low = g - (high - 1.0);
    (high, (g * g).fma(lanes, poly(lanes, g, EXP_TAIL), low))
}

/// e^g for |g| <= 0.35.
#[inline(always)]
fn exp_rest<L: Lanes>(lanes: L, g: f32) -> f32 {
    let (high, low) = exp_parts(lanes, g);
    high + low
}

/// 2^f for |f| <= 0.505.
#[inline(always)]
pub(super) fn exp2_sum<L: Lanes>(lanes: L, f: f32) -> f32 {
    1.0 + f.fma(lanes, LN_2, f * poly(lanes, f, EXP2_TAIL))
}

/// e^x. NaN gives NaN, infinity itself, -infinity +0.
pub(crate) struct Exp;

impl Function<f32> for Exp {
    #[inline(always)]
    fn usual(x: f32) -> bool {
        x.abs() < 87.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, x);
        scale(exp_rest(lanes, g), sum)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, clamp(x, -105.0, 89.5));
        scale_far(exp_rest(lanes, g), rounded(sum))
    }
}

/// 2^x. NaN gives NaN, infinity itself, -infinity +0; integers give exact powers.
pub(crate) struct Exp2;

impl Function<f32> for Exp2 {
    #[inline(always)]
    fn usual(x: f32) -> bool {
        x.abs() < 125.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let sum = x + ROUND;
        scale(exp2_sum(lanes, x - (sum - ROUND)), sum)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f32) -> f32 {
        let x = clamp(x, -152.0, 129.0);
        let sum = x + ROUND;
        scale_far(exp2_sum(lanes, x - (sum - ROUND)), rounded(sum))
    }
}

/// e^x - 1. NaN gives NaN, both zeros and infinity themselves, -infinity -1.
pub(crate) struct Expm1;

/// `2^n (e^g - 1) + (2^n - 1)`, with `m = 2^n`: the error of the sum's large part is put into the small one.
///
/// `lost` is what `minus_one` lacks of `2^n - 1`.
#[inline(always)]
fn expm1_rest<L: Lanes>(lanes: L, g: f32, m: f32, minus_one: f32, lost: f32) -> f32 {
    let high = m.fma(lanes, g, minus_one);
    let low = m.fma(lanes, g, minus_one - high) + lost;
    let tail = (g * g) * poly(lanes, g, EXP_TAIL);
    high + m.fma(lanes, tail, low)
}

impl Function<f32> for Expm1 {
    #[inline(always)]
    fn usual(x: f32) -> bool {
        x.abs() < 16.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, x);
        let m = scale(1.0, sum);
        let result = expm1_rest(lanes, g, m, m - 1.0, 0.0);
        // The sums above lose the sign of -0.
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, clamp(x, -18.0, 88.9));
        // Where `2^n` could be infinite, it is halved: the last product is then the one that overflows.
        let (half, double) = if x > 64.0 { (0.5, 2.0) } else { (1.0, 1.0) };
        let m = scale(half, sum);
        let minus_one = m - half;
        let lost = (m - minus_one) - half;
        let result = expm1_rest(lanes, g, m, minus_one, lost) * double;
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }
}
