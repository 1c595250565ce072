//! Inverse trigonometric functions.

use core::f32::consts::{FRAC_PI_2, PI};

use super::parts::{poly, poly_each, with_sign};
use crate::level::Lanes;
use crate::math::registers::{Lookup, ShortTable, Tabled};
use crate::math::{Function, Function2, Real};

/// (atan(q) / q - 1) / q^2 + 1/4, in q^2, for |q| <= 1; the error is 2^-28 of atan(q).
const ATAN_TAIL: [f32; 9] = [
    -8.333_301_5e-2,
    1.999_862_6e-1,
    -1.426_509_2e-1,
    1.095_665_7e-1,
    -8.416_454_5e-2,
    5.817_787_3e-2,
    -3.139_417_2e-2,
    1.102_876_4e-2,
    -1.818_658_9e-3,
];

/// (asin(q) / q - 1) / q^2, in q^2, for |q| <= 1/2; the error is 2^-27 of asin(q).
const ASIN_TAIL: [f32; 5] = [1.666_675_4e-1, 7.495_252e-2, 4.547_604e-2, 2.415_209_4e-2, 4.221_179e-2];

/// pi minus its nearest `f32`, relative to it; the same for pi / 2.
const REST: f32 = -2.782_753_4e-8;

/// Returns `base + atan(q + q_low)` for |q| <= 1, where `base` is 0 or a multiple of pi / 2 rounded to `f32`.
#[inline(always)]
fn atan_sum<L: Lanes>(lanes: L, base: f32, q: f32, q_low: f32) -> f32 {
    let square = q * q;
    // 1 / (1 + q^2) within 0.05, since it only scales a rounding error.
    let slope = square.fma(lanes, -0.5, 0.957);
    // A quarter of the third power is subtracted exactly first; the remainder is small enough to be rounded.
    let quarter = square * -0.25;
    let near = q.fma(lanes, quarter, q);
    let near_low = q.fma(lanes, quarter, q - near);
    let sum = base + near;
    // Exact, because `base` is 0 or the larger one.
    let low = base.fma(lanes, REST, near - (sum - base));
    let low = q_low.fma(lanes, slope, low) + near_low;
    sum + (q * square).fma(lanes, poly(lanes, square, ATAN_TAIL), low)
}

/// The angle of the point (x, y), as C's `atan2`: a polynomial of the ratio, which is a pair.
///
/// Within 0.84 ULP (300 million pairs with ratios near 1, where the error is greatest). Signed zeros and
/// infinities give multiples of pi / 4.
pub(crate) struct Atan2;

impl Atan2 {
    /// Returns the angle for the ratio of `small` to `large`, magnitudes with `small <= large`, and the signs
    /// of `x` and `y`.
    #[inline(always)]
    fn angle<L: Lanes>(lanes: L, y: f32, x: f32, swap: bool, small: f32, large: f32) -> f32 {
        let left = x.is_sign_negative();
        let flip = if swap { 0x8000_0000 } else { 0 } ^ (x.to_bits() & 0x8000_0000);
        let base = if left { PI } else { 0.0 };
        let base = if swap { FRAC_PI_2 } else { base };
        let reciprocal = 1.0 / large;
        let small = f32::from_bits(small.to_bits() ^ flip);
        let q = small * reciprocal;
        let q_low = q.fma(lanes, -large, small) * reciprocal;
        with_sign(atan_sum(lanes, base, q, q_low), y)
    }
}

impl Function2<f32> for Atan2 {
    #[inline(always)]
    fn in_fast_domain(y: f32, x: f32) -> bool {
        let (y, x) = (y.to_bits() & 0x7fff_ffff, x.to_bits() & 0x7fff_ffff);
        // Both are from 2^-48 to 2^48, so the ratio, its rounding error and the inverse are normal.
        (y.wrapping_sub(0x2780_0000) < 0x3000_0000) & (x.wrapping_sub(0x2780_0000) < 0x3000_0000)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, y: f32, x: f32) -> f32 {
        let (a, b) = (y.abs(), x.abs());
        let swap = a > b;
        let (small, large) = if swap { (b, a) } else { (a, b) };
        Self::angle(lanes, y, x, swap, small, large)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, y: f32, x: f32) -> f32 {
        let (a, b) = (y.abs(), x.abs());
        let swap = a > b;
        let (small, large) = if swap { (b, a) } else { (a, b) };
        let infinite = large == f32::INFINITY;
        let both = small == f32::INFINITY;
        let small = if infinite { if both { 1.0 } else { 0.0 } } else { small };
        let large = if infinite | (large == 0.0) { 1.0 } else { large };
        // 2^-64 above 2^48, 2^100 below 2^-48.
        let factor = if large > 281_474_976_710_656.0 { 5.421_011e-20 } else { 1.0 };
        let factor = if large < 3.552_713_7e-15 { 1.267_650_6e30 } else { factor };
        let result = Self::angle(lanes, y, x, swap, small * factor, large * factor);
        // The angle is the ratio, which may be subnormal or zero.
        let ratio =
            (small < large * 9.313_226e-10) & !swap & x.is_sign_positive() & !Self::in_fast_domain(y, x);
        let result = if ratio { with_sign(small / large, y) } else { result };
        if y.is_nan() | x.is_nan() { y + x } else { result }
    }
}

/// The least numbers of the second interval of [`ANGLES`] and of the last one.
const SECOND: f32 = f32::from_bits(0x3eb5_0000);
const LAST: f32 = 8.0 * SECOND;

/// For each of eight intervals of the positive numbers a tangent and its angle, in two parts. An interval
/// has 2^22 consecutive `f32`, half as many as lie between two powers of two; the first and the last have the
/// rest. The last tangent is infinity; the 1 in its place is a placeholder.
static ANGLES: ShortTable<3> = ShortTable::new([
    [0.0, 0.421875, 0.59375, 0.828125, 1.15625, 1.640625, 2.296875, 1.0],
    [0.0, 0.39922076, 0.53581125, 0.69165665, 0.8577355, 1.0234034, 1.1601716, 1.5707964],
    [
        0.0,
        4.938259e-09,
        -7.480973e-09,
        -2.7259501e-08,
        -2.0704764e-08,
        3.272025e-08,
        -3.0413204e-08,
        -4.371139e-08,
    ],
]);

/// (atan(q) - q) / q^3, in q^2, for |q| <= 0.354; the error is 2^-27 of atan(q).
const ANGLE_TAIL: [f32; 4] = [-0.33333212, 0.19990501, -0.14050618, 0.08750311];

/// atan x: an angle that is looked up, and a polynomial of the tangent of what is left,
/// `(x - c) / (1 + c x)`, in which `c` is the tangent of that angle.
///
/// Within 0.892 ULP (every `f32`). Zeros are returned unchanged, infinities pi / 2 with their sign.
pub(crate) struct Atan;

impl Tabled<1, f32> for Atan {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
        /// The bits of the `f32` one interval below [`SECOND`], which has the index 0.
        const FIRST: u32 = SECOND.to_bits() - (1 << 22);
        let (one, a) = (N::of(1.0), x.size());
        let far = !a.below(LAST);
        let index = N::select(far, N::of(LAST), a);
        let index = N::select(index.below(SECOND), N::of(f32::from_bits(FIRST)), index);
        let [c, angle, angle_low] = index.with_bits(|bits| bits.wrapping_sub(FIRST) >> 22).lookup(&ANGLES);
        let over = N::select(far, -one, a - c);
        let q = over / N::select(far, a, c.fma(lanes, a, one));
        let square = q * q;
        let tail = (q * square).fma(lanes, poly_each(lanes, square, ANGLE_TAIL), angle_low);
        (angle + (q + tail)).signed(x)
    }
}

tabled! { f32: Atan }

/// Returns asin(q) - q for |q| <= 1/2, where `square` is q^2.
#[inline(always)]
fn asin_tail<L: Lanes>(lanes: L, q: f32, square: f32) -> f32 {
    q * (square * poly(lanes, square, ASIN_TAIL))
}

/// Returns the root of `(1 - a) / 2`, its rounding error, and the square of the root, for `a` from 1/2 to 1.
#[inline(always)]
fn half_root<L: Lanes>(lanes: L, a: f32) -> (f32, f32, f32) {
    let square = a.fma(lanes, -0.5, 0.5);
    let root = square.root();
    let low = root.fma(lanes, -root, square) / (root + root);
    // This is 0 / 0 if `a` is 1.
    (root, if square == 0.0 { 0.0 } else { low }, square)
}

/// asin x: a polynomial up to 1/2, above it `pi / 2 - 2 asin` of the root of `(1 - x) / 2`.
///
/// Within 0.721 ULP (every `f32`). Zeros are returned unchanged; beyond 1 the result is NaN.
pub(crate) struct Asin;

impl Function<f32> for Asin {
    #[inline(always)]
    fn in_fast_domain(_: f32) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let a = x.abs();
        let far = a > 0.5;
        let (root, root_low, square) = half_root(lanes, a);
        let square = if far { square } else { a * a };
        let q = if far { root } else { a };
        let tail = asin_tail(lanes, q, square);
        // pi / 2 - 2 asin(root): the sum of the large parts and its error.
        let high = root.fma(lanes, -2.0, FRAC_PI_2);
        let low = root.fma(lanes, -2.0, FRAC_PI_2 - high) + FRAC_PI_2 * REST;
        let turned = high + (root_low + tail).fma(lanes, -2.0, low);
        with_sign(if far { turned } else { a + tail }, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        Self::fast(lanes, x)
    }
}

/// acos x: with the polynomial of [`Asin`], from pi / 2, or from 0 or pi.
///
/// Within 0.677 ULP (every `f32`). 1 gives +0, numbers beyond 1 give NaN.
pub(crate) struct Acos;

impl Function<f32> for Acos {
    #[inline(always)]
    fn in_fast_domain(_: f32) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let a = x.abs();
        let far = a > 0.5;
        let (root, root_low, square) = half_root(lanes, a);
        let square = if far { square } else { a * a };
        // acos(a) = 2 asin(root) above 1/2; below, acos(x) = pi / 2 - asin(x).
        let q = if far { root } else { x };
        let tail = asin_tail(lanes, q, square);
        let tail = if far { root_low + tail } else { tail };
        let (q, tail) = if far { (2.0 * q, 2.0 * tail) } else { (q, tail) };
        // base - (q + tail), or q + tail if x is above 1/2.
        let base = if far { if x < 0.0 { PI } else { 0.0 } } else { FRAC_PI_2 };
        let (q, tail) = if x > 0.5 { (-q, -tail) } else { (q, tail) };
        let high = base - q;
        let low = (base - high) - q;
        high + (base.fma(lanes, REST, low) - tail)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        Self::fast(lanes, x)
    }
}
