//! Powers of e and of 2.
//!
//! Each takes the nearest integer `n` from the exponent and a polynomial of the remainder; the sum with 1,
//! the polynomial's largest term, is carried out with its error where it would cost more than a quarter of an
//! ULP.

use core::f32::consts::{LN_2, LOG2_E};

use super::parts::{ROUND, clamp, poly, poly_each, rounded, scale, scale_far};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::{Function, Real};

/// the leading 15 bits of ln 2, so that the product with an integer of 9 bits is exact.
pub(super) const LN_2_HIGH: f32 = 6.931_457_5e-1;
/// ln 2 minus [`LN_2_HIGH`].
pub(super) const LN_2_LOW: f32 = 1.428_606_8e-6;

/// (e^g - 1 - g) / g^2 for |g| <= 0.35; the error is 2^-28 of e^g.
pub(super) const EXP_TAIL: [f32; 5] = [5.0e-1, 1.666_651_5e-1, 4.166_637_7e-2, 8.369_394e-3, 1.394_292_2e-3];

/// The polynomial of [`EXP_TAIL`] with more terms, for results less than e^g; the error is 2^-33 of e^g.
const EXPM1_TAIL: [f32; 6] =
    [5.0e-1, 1.666_666_7e-1, 4.166_645_6e-2, 8.333_207e-3, 1.393_593_7e-3, 1.994_500_6e-4];

/// 2^f for |f| <= 1/2; the error is 2^-28.
const EXP2: [f32; 7] =
    [1.0, LN_2, 2.402_265e-1, 5.550_359_6e-2, 9.618_062_5e-3, 1.339_098_6e-3, 1.546_287e-4];

/// `x = n ln 2 + g`: `n` plus [`ROUND`], and `g`.
#[inline(always)]
pub(super) fn reduce<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> (N, N) {
    let (sum, g, _) = reduce_parts(lanes, x);
    (sum, g)
}

/// Computes [`reduce`], with the rounding error of `g` as well.
#[inline(always)]
fn reduce_parts<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> (N, N, N) {
    let sum = x.fma(lanes, N::of(LOG2_E), N::of(ROUND));
    let n = sum - N::of(ROUND);
    let first = n.fma(lanes, N::of(-LN_2_HIGH), x);
    let g = n.fma(lanes, N::of(-LN_2_LOW), first);
    (sum, g, n.fma(lanes, N::of(-LN_2_LOW), first - g))
}

/// Returns e^g for |g| <= 0.35 as a pair, whose second part is below 0.07.
#[inline(always)]
pub(super) fn exp_parts<L: Lanes, N: Number<f32>>(lanes: L, g: N) -> (N, N) {
    let high = N::of(1.0) + g;
    let low = g - (high - N::of(1.0));
    (high, (g * g).fma(lanes, poly_each(lanes, g, EXP_TAIL), low))
}

/// Returns e^g for |g| <= 0.35.
#[inline(always)]
pub(super) fn exp_rest<L: Lanes>(lanes: L, g: f32) -> f32 {
    let (high, low) = exp_parts(lanes, g);
    high + low
}

/// Returns 2^f for |f| <= 1/2 within 0.6 ULP: the rounding error of `1 + f ln 2` is added again.
#[inline(always)]
pub(super) fn exp2_sum<L: Lanes, N: Number<f32>>(lanes: L, f: N) -> N {
    let high = f.fma(lanes, N::of(LN_2), N::of(1.0));
    let low = f.fma(lanes, N::of(LN_2), N::of(1.0) - high);
    let [_, _, tail @ ..] = EXP2;
    high + (f * f).fma(lanes, poly_each(lanes, f, tail), low)
}

/// e^x: a polynomial of the remainder of `x` after a multiple of ln 2, and the rounding error of `1 + g`
/// added again.
///
/// Within 0.812 ULP (every `f32`). NaN gives NaN, infinity gives infinity, -infinity +0.
pub(crate) struct Exp;

impl Function<f32> for Exp {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < 87.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, x);
        scale(exp_rest(lanes, g), sum)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g) = reduce(lanes, clamp(x, -105.0, 89.5));
        scale_far(exp_rest(lanes, g), rounded(sum))
    }
}

/// 2^x: a polynomial of the fraction of `x`.
///
/// Within 0.879 ULP (every `f32`). NaN gives NaN, infinity gives infinity, -infinity +0; integers give exact
/// powers.
pub(crate) struct Exp2;

impl Function<f32> for Exp2 {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < 125.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let sum = x + ROUND;
        scale(poly(lanes, x - (sum - ROUND), EXP2), sum)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let x = clamp(x, -152.0, 129.0);
        let sum = x + ROUND;
        scale_far(poly(lanes, x - (sum - ROUND), EXP2), rounded(sum))
    }
}

/// e^x - 1: computed as [`Exp`], with the 1 subtracted before the last rounding.
///
/// Within 0.898 ULP (every `f32`). NaN gives NaN, both zeros and infinity themselves, -infinity -1.
pub(crate) struct Expm1;

/// `2^n (e^g - 1) + (2^n - 1)`, with `m = 2^n`: the error of the sum's large part is put into the small one.
///
/// `lost` is `2^n - 1` minus `minus_one`.
#[inline(always)]
fn expm1_rest<L: Lanes>(lanes: L, (g, g_low): (f32, f32), m: f32, minus_one: f32, lost: f32) -> f32 {
    let high = m.fma(lanes, g, minus_one);
    let low = m.fma(lanes, g, minus_one - high) + lost;
    let tail = (g * g).fma(lanes, poly(lanes, g, EXPM1_TAIL), g_low);
    high + m.fma(lanes, tail, low)
}

impl Function<f32> for Expm1 {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < 16.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g, g_low) = reduce_parts(lanes, x);
        let m = scale(1.0, sum);
        let result = expm1_rest(lanes, (g, g_low), m, m - 1.0, 0.0);
        // The sums above lose the sign of -0.
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (sum, g, g_low) = reduce_parts(lanes, clamp(x, -18.0, 88.9));
        // If `2^n` could be infinite, it is halved, so that only the last product overflows.
        let (half, double) = if x > 64.0 { (0.5, 2.0) } else { (1.0, 1.0) };
        let m = scale(half, sum);
        let minus_one = m - half;
        let lost = (m - minus_one) - half;
        let result = expm1_rest(lanes, (g, g_low), m, minus_one, lost) * double;
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }
}
