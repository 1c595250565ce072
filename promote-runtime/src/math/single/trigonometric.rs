//! Sine, cosine and tangent, computed in `f64`, except for the tangent below 2^15: the reduced angle has a
//! relative error of 2^-30 even near multiples of pi.
//!
//! Below 2^24 two fused steps subtract a multiple of pi. From there on `x` is an integer, and its product
//! with 1 / pi modulo 2 is computed in 64-bit integers.

use core::f32::consts::{FRAC_2_PI, FRAC_PI_2};
use core::f64::consts::{FRAC_1_PI, PI};

use super::parts::{ROUND, ROUND64, poly, poly_each};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::pair::Pair;
use crate::math::{Function, Real};

/// pi minus its nearest `f64`.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// sin(r) / r, in r^2, for |r| <= pi / 2; the error is 2^-35.
const SIN: [f64; 6] = [
    1.0,
    -0.166_666_666_314_651_1,
    0.008_333_331_310_849_667,
    -0.000_198_408_922_852_228_34,
    2.752_651_821_363_151e-6,
    -2.390_735_996_485_126e-8,
];

/// tan(r) / r, in r^2, for |r| <= pi / 4; the error is 2^-33.
const TAN: [f64; 9] = [
    1.0,
    0.333_333_316_627_145_5,
    0.133_334_182_797_227_25,
    0.053_953_538_008_814_15,
    0.021_992_014_442_617_138,
    0.008_305_018_889_403_583,
    0.005_044_759_992_707_28,
    -0.000_649_020_446_224_179_2,
    0.002_063_171_943_114_658_8,
];

/// (tan(r) - r) / r^3, in r^2, for |r| <= 0.7868; the error is 2^-29 of tan(r).
const TAN_TAIL: [f32; 7] =
    [0.3333335, 0.13332671, 0.05405971, 0.021281071, 0.01084275, 7.6868084e-05, 0.0043840064];

/// pi / 2 in three parts. The first is below it, so that the second is positive: its product with 0 is +0,
/// and -0 minus +0 is -0.
const HALF_PI: [f32; 3] = [f32::from_bits(FRAC_PI_2.to_bits() - 1), 7.549_79e-8, -1.715_124_5e-15];

/// 2^15: below it three parts of pi / 2 are enough, and 2 / pi has enough digits.
const NEAR: f32 = 32_768.0;

/// 2^24: from here on the integers are reduced.
const MAX_ANGLE: f32 = 16_777_216.0;

/// The bits of 1 / pi, from 2^0 on.
const INVERSE_PI: [u32; 7] =
    [0x28be_60db, 0x9391_054a, 0x7f09_d5f4, 0x7d4d_3770, 0x36d8_a566, 0x4f10_e410, 0x7f94_58ea];

/// Returns `x / pi` modulo 2, from -1 to 1, as a pair, for finite |x| >= 2^24. The first part is a multiple
/// of 2^-31, the second is below 2^-31.
#[inline(always)]
fn turns(x: f32) -> (f64, f64) {
    let bits = x.to_bits();
    let mantissa = u64::from((bits & 0x007f_ffff) | 0x0080_0000);
    // |x| = mantissa · 2^e with e from 1 to 104, so 96 bits of 1 / pi from 2^-e on are needed.
    let e = ((bits >> 23) & 0xff).wrapping_sub(150);
    let (skip, shift) = (e >> 5, e & 31);
    // Selected by masks, because LLVM would turn comparisons into an index and a gather.
    let (odd, upper) = (0_u32.wrapping_sub(skip & 1), 0_u32.wrapping_sub(skip >> 1 & 1));
    let choose = |mask: u32, a: u32, b: u32| a ^ ((a ^ b) & mask);
    let word = |i: usize| {
        let lower = choose(odd, INVERSE_PI[i], INVERSE_PI[i + 1]);
        u64::from(choose(upper, lower, choose(odd, INVERSE_PI[i + 2], INVERSE_PI[i + 3])))
    };
    let words = [word(0), word(1), word(2), word(3)];
    let window = |i: usize| (((words[i] << 32) | words[i + 1]) >> (32 - shift)) & 0xffff_ffff;
    let product = ((mantissa * window(0)) << 32)
        .wrapping_add(mantissa * window(1))
        .wrapping_add((mantissa * window(2)) >> 32);
    let high = f64::from((product >> 32) as u32 as i32) * (1.0 / 2_147_483_648.0);
    let low = f64::from(((product as u32) >> 1) as i32) * (1.0 / 4_611_686_018_427_387_904.0);
    if bits >> 31 == 0 { (high, low) } else { (-high, -low) }
}

/// Reduces `x = n pi + r` for |x| < 2^24, and returns `n` plus [`ROUND64`], and `r`. With a `shift` of 1/2,
/// `n - 1/2` takes the place of `n`.
#[inline(always)]
fn reduce<L: Lanes>(lanes: L, x: f64, shift: f64) -> (f64, f64) {
    let sum = x.fma(lanes, FRAC_1_PI, shift) + ROUND64;
    let n = (sum - ROUND64) - shift;
    let r = n.fma(lanes, -PI, x);
    (sum, n.fma(lanes, -PI_LOW, r))
}

/// Computes [`reduce`] of `x` times `factor`, which is 1 or 2, for every finite `x`.
#[inline(always)]
fn reduce_any<L: Lanes>(lanes: L, x: f32, factor: f64, shift: f64) -> (f64, f64) {
    let (sum, r) = reduce(lanes, x as f64 * factor, shift);
    let (high, low) = turns(x);
    let (high, low) = (high * factor, low * factor);
    let far_sum = (high + shift) + ROUND64;
    let far_r = ((high - ((far_sum - ROUND64) - shift)) + low) * PI;
    if (x.abs() >= MAX_ANGLE) & (x.abs() < f32::INFINITY) { (far_sum, far_r) } else { (sum, r) }
}

/// Returns sin r, negated if the integer of `sum` is odd.
#[inline(always)]
fn sine<L: Lanes>(lanes: L, (sum, r): (f64, f64)) -> f32 {
    let sine = r * poly(lanes, r * r, SIN);
    f64::from_bits(sine.to_bits() ^ (sum.to_bits() << 63)) as f32
}

/// sin x, by one odd polynomial over half a turn.
///
/// Within 0.501 ULP (every 211th `f32`). Zeros are returned unchanged, infinities NaN.
pub(crate) struct Sin;

/// cos x: [`Sin`] shifted by a quarter turn.
///
/// Within 0.501 ULP (every 211th `f32`). Infinities give NaN.
pub(crate) struct Cos;

macro_rules! wave {
    ($($name:ident $shift:literal;)*) => {$(
        impl Function<f32> for $name {
            #[inline(always)]
            fn in_fast_domain(x: f32) -> bool {
                x.abs() < MAX_ANGLE
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
                sine(lanes, reduce(lanes, x as f64, $shift))
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
                sine(lanes, reduce_any(lanes, x, 1.0, $shift))
            }
        }
    )*};
}

wave! {
    Sin 0.0;
    Cos 0.5;
}

/// Returns tan r from `2 x = n pi + 2 r`, or -1 / tan r if the integer of `sum` is odd.
#[inline(always)]
fn tangent<L: Lanes>(lanes: L, (sum, twice): (f64, f64)) -> f32 {
    let r = 0.5 * twice;
    let tangent = r * poly(lanes, r * r, TAN);
    let odd = sum.to_bits() & 1 == 1;
    let (over, under) = if odd { (-1.0, tangent) } else { (tangent, 1.0) };
    (over / under) as f32
}

/// tan x: an odd polynomial over a quarter turn, or one over it, in `f32`, with what is rounded carried
/// along; from 2^15 on in `f64`.
///
/// Within 0.953 ULP (every `f32`). Zeros are returned unchanged, infinities NaN.
pub(crate) struct Tan;

impl Tan {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        let one = N::of(1.0);
        let shifted = x.fma(lanes, N::of(FRAC_2_PI), N::of(ROUND));
        let n = shifted - N::of(ROUND);
        // Exact: if n is not 0, both terms are multiples of 2^-24, and their difference is below 1.
        let near = n.fma(lanes, N::of(-HALF_PI[0]), x);
        let second = Pair::product(lanes, n, N::of(HALF_PI[1]));
        // Exact: `near` is a multiple of 2^-24, and so of the last place of `second`, which is below 2^-9.
        let Pair { hi: r, lo } = Pair::ordered_difference(near, second.hi);
        let low = n.fma(lanes, N::of(-HALF_PI[2]), lo - second.lo);
        let square = r * r;
        let cube = r * square;
        let tail = poly_each(lanes, square, TAN_TAIL);
        let tangent = cube.fma(lanes, tail, r);
        // `over` is the amount by which `tangent` exceeds the exact result. The derivative of the tangent is
        // 1 plus its square. Subtracting `over` keeps -0, where adding a correction would not.
        let over = (-cube).fma(lanes, tail, tangent - r);
        let over = (-low).fma(lanes, tangent.fma(lanes, tangent, one), over);
        let minus = -one / tangent;
        let error = (-minus).fma(lanes, over, minus.fma(lanes, tangent, one));
        N::select(shifted.odd(), minus.fma(lanes, error, minus), tangent - over)
    }
}

impl Function<f32> for Tan {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < NEAR
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Tan::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let far = tangent(lanes, reduce_any(lanes, x, 2.0, 0.0));
        if x.abs() < NEAR { Tan::each(lanes, x) } else { far }
    }
}
