//! What the functions of `f32` share: polynomials, rounding to an integer, powers of two.

use core::ops::Mul;

use crate::each::falling;
use crate::level::Lanes;
use crate::math::Real;
use crate::math::batch::Number;
use crate::math::pair::Pair;

/// `1.5 · 2^23`: a sum with it is rounded to an integer, which stands in the sum's low bits.
pub(super) const ROUND: f32 = 12_582_912.0;

/// `1.5 · 2^52`, as [`ROUND`].
pub(super) const ROUND64: f64 = 6_755_399_441_055_744.0;

/// The polynomial with the coefficients `c`, the constant one first, by Horner's rule.
#[inline(always)]
pub(super) fn poly<L: Lanes, T: Real, const N: usize>(lanes: L, x: T, c: [T; N]) -> T {
    falling!(N - 1; sum = c[N - 1], i => sum.fma(lanes, x, c[i]))
}

/// As [`poly`], of one number or several.
#[inline(always)]
pub(super) fn poly_each<L: Lanes, N: Number<f32>, const M: usize>(lanes: L, x: N, c: [f32; M]) -> N {
    falling!(M - 1; sum = N::of(c[M - 1]), i => sum.fma(lanes, x, N::of(c[i])))
}

/// As [`poly`], the even and the odd powers apart: where a polynomial is long, waiting for each step would
/// bind the loop.
#[inline(always)]
pub(super) fn poly_halves<L: Lanes, T: Real + Mul<Output = T>, const N: usize>(
    lanes: L,
    x: T,
    c: [T; N],
) -> T {
    let square = x * x;
    let (last, other) = falling!(
        N - 2;
        both = (c[N - 1], c[N - 2]), i => {
            let (last, other) = both;
            (other, last.fma(lanes, square, c[i]))
        }
    );
    // `other` has the constant coefficient, `last` that of the first power.
    last.fma(lanes, x, other)
}

/// `x` held between `low` and `high`; NaN stays.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    // Written so that each line is one instruction, which gives its second operand where one of them is NaN.
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The integer that a sum with [`ROUND`] was rounded to.
#[inline(always)]
pub(super) fn rounded(sum: f32) -> i32 {
    sum.to_bits().wrapping_sub(ROUND.to_bits()) as i32
}

/// `x · 2^n` where `x` and the result are normal, and `sum` is `n` plus [`ROUND`].
#[inline(always)]
pub(super) fn scale(x: f32, sum: f32) -> f32 {
    // The low nine bits of the sum are those of `n`.
    f32::from_bits(x.to_bits().wrapping_add(sum.to_bits() << 23))
}

/// As [`scale`], of one number or several.
#[inline(always)]
pub(super) fn scale_each<N: Number<f32>>(x: N, sum: N) -> N {
    x.with_bits_of(sum, |x, sum| x.wrapping_add(sum << 23))
}

/// `2^n` for `n` from -126 to 127.
#[inline(always)]
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// `x · 2^n`, rounded once, for `n` from -252 to 254; NaN stays.
#[inline(always)]
pub(super) fn scale_far(x: f32, n: i32) -> f32 {
    let half = n >> 1;
    x * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// As [`scale_far`], of one number or several, with the `n` of `sum` as [`scale`] has it.
#[inline(always)]
pub(super) fn scale_far_each<N: Number<f32>>(x: N, sum: N) -> N {
    let n = |sum: u32| sum.wrapping_sub(ROUND.to_bits()) as i32;
    let half = sum.with_bits(|sum| power_of_two(n(sum) >> 1).to_bits());
    let other = sum.with_bits(|sum| power_of_two(n(sum).wrapping_sub(n(sum) >> 1)).to_bits());
    x * half * other
}

/// Whether `x` is positive, finite and no subnormal.
#[inline(always)]
pub(super) fn positive_normal(x: f32) -> bool {
    x.to_bits().wrapping_sub(0x0080_0000) < 0x7f00_0000
}

/// `x`, which is not negative, with the sign of `sign`.
#[inline(always)]
pub(super) fn with_sign(x: f32, sign: f32) -> f32 {
    f32::from_bits(x.to_bits() | (sign.to_bits() & 0x8000_0000))
}

/// The root as a sum of two, without a division: the inverse of the root is needed to a 64th only.
#[inline(always)]
pub(super) fn quick_root<L: Lanes, N: Number<f32>>(lanes: L, x: Pair<N>) -> Pair<N> {
    /// What the bits of a number and of its inverse sum up to, nearly.
    const BOTH: u32 = 0x7ef3_11c7;
    let root = x.hi.root();
    let rest = (-root).fma(lanes, root, x.hi) + x.lo;
    // Within an eighth, and a step of Newton's: within a 64th.
    let inverse = root.with_bits(|bits| BOTH.wrapping_sub(bits));
    let inverse = inverse * (-root).fma(lanes, inverse, N::of(2.0));
    Pair::new(root, N::of(0.5) * rest * inverse)
}
