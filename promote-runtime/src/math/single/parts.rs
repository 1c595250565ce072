//! Helpers of the functions of `f32`: polynomials, rounding to an integer, powers of two.

use crate::each::falling;
use crate::level::Lanes;
use crate::math::Real;
use crate::math::batch::{Float, Number};
use crate::math::pair::Pair;

/// `1.5 · 2^23`: adding it rounds a number to an integer, which the low bits of the sum hold.
pub(super) const ROUND: f32 = 12_582_912.0;

/// `1.5 · 2^52`, which is for `f64` what [`ROUND`] is for `f32`.
pub(super) const ROUND64: f64 = 6_755_399_441_055_744.0;

/// Evaluates the polynomial with the coefficients `c`, from the constant one on, by Horner's rule.
#[inline(always)]
pub(super) fn poly<L: Lanes, T: Real, const N: usize>(lanes: L, x: T, c: [T; N]) -> T {
    falling!(N - 1; sum = c[N - 1], i => sum.fma(lanes, x, c[i]))
}

/// Computes [`poly`] for one number or a batch.
#[inline(always)]
pub(super) fn poly_each<L: Lanes, F: Float, N: Number<F>, const M: usize>(lanes: L, x: N, c: [F; M]) -> N {
    falling!(M - 1; sum = N::of(c[M - 1]), i => sum.fma(lanes, x, N::of(c[i])))
}

/// Clamps `x` to `low..=high`; NaN stays NaN.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    // Each line is one instruction, which returns its second operand if one of the two is NaN.
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Returns the integer that a sum with [`ROUND`] was rounded to.
#[inline(always)]
pub(super) fn rounded(sum: f32) -> i32 {
    sum.to_bits().wrapping_sub(ROUND.to_bits()) as i32
}

/// Returns `x · 2^n`, if `x` and the result are normal; `sum` is `n` plus [`ROUND`].
#[inline(always)]
pub(super) fn scale(x: f32, sum: f32) -> f32 {
    // The low nine bits of the sum are those of `n`.
    f32::from_bits(x.to_bits().wrapping_add(sum.to_bits() << 23))
}

/// Computes [`scale`] for one number or a batch.
#[inline(always)]
pub(super) fn scale_each<N: Number<f32>>(x: N, sum: N) -> N {
    x.with_bits_of(sum, |x, sum| x.wrapping_add(sum << 23))
}

/// Returns `2^n` for `n` from -126 to 127.
#[inline(always)]
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// Returns `x · 2^n`, rounded once, for `n` from -252 to 254; NaN stays NaN.
#[inline(always)]
pub(super) fn scale_far(x: f32, n: i32) -> f32 {
    let half = n >> 1;
    x * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// Computes [`scale_far`] for one number or a batch; `sum` is `n` plus [`ROUND`].
#[inline(always)]
pub(super) fn scale_far_each<N: Number<f32>>(x: N, sum: N) -> N {
    let n = |sum: u32| sum.wrapping_sub(ROUND.to_bits()) as i32;
    let half = sum.with_bits(|sum| power_of_two(n(sum) >> 1).to_bits());
    let other = sum.with_bits(|sum| power_of_two(n(sum).wrapping_sub(n(sum) >> 1)).to_bits());
    x * half * other
}

/// Returns true if `x` is positive, finite and normal.
#[inline(always)]
pub(super) fn positive_normal(x: f32) -> bool {
    x.to_bits().wrapping_sub(0x0080_0000) < 0x7f00_0000
}

/// Returns `x`, which is not negative, with the sign of `sign`.
#[inline(always)]
pub(super) fn with_sign(x: f32, sign: f32) -> f32 {
    f32::from_bits(x.to_bits() | (sign.to_bits() & 0x8000_0000))
}

/// Returns the square root as a pair, without a division and with a relative error of 2^-28, for 0 or an `x`
/// whose second part is at most 2^-13 of the first. The second part of the root is up to 2^-14 of the first.
#[inline(always)]
pub(super) fn quick_root<L: Lanes, N: Number<f32>>(lanes: L, x: Pair<N>) -> Pair<N> {
    /// The approximate sum of the bits of a number and of 0.794 times its inverse.
    const BOTH: u32 = 0x7ec6_671d;
    let root = x.hi.root();
    let rest = (-root).fma(lanes, root, x.hi) + x.lo;
    // The product p of estimate and root is from 0.775 to 0.813, where (1.19 - p)^2 + 0.472 is 1 / 2p within
    // 2^-18. With 0.794, which is 2^(-1/3), the square has the coefficient 1. All of these are finite for 0.
    let estimate = root.with_bits(|bits| BOTH.wrapping_sub(bits));
    let rest_of_p = (-estimate).fma(lanes, root, N::of(1.190_721_6));
    let half_inverse = estimate * rest_of_p.fma(lanes, rest_of_p, N::of(0.472_334_86));
    Pair::new(root, rest * half_inverse)
}
