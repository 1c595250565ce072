//! Logarithms of sums of exponentials, computed in `f64` as `max + log(1 + exp(-|a - b|))`.
//!
//! If that sum cancels, a single `f64` is not precise enough. Then `w = exp(a) + exp(b) - 1` is computed as a
//! pair of `f64`, and the result is `log(1 + w)`. An estimate within 2^-17 finds such operands, which are
//! rare. A kernel may instead run the fast path and check the results by [`settled`], which is cheaper than
//! the estimate.

#![allow(clippy::needless_range_loop, reason = "the arrays of a batch are all at one index")]

use core::f64::consts::{LN_2, LOG2_E};

use super::parts::{ROUND, ROUND64, poly, poly_halves, scale};
use crate::each::falling;
use crate::level::Lanes;
use crate::math::batch::{Batch, Number};
use crate::math::{Function2, Real};

/// 2^f for |f| <= 1/2; the error is 2^-40.
const EXP2: [f64; 9] = [
    1.0,
    0.693_147_180_546_149_3,
    0.240_226_506_955_537_88,
    0.055_504_109_407_066_536,
    0.009_618_129_219_597_642,
    0.001_333_345_090_242_421_7,
    0.000_154_034_153_619_123_44,
    1.531_001_116_406_731_5e-5,
    1.326_351_786_263_712_2e-6,
];

/// ln(1 + e) / e for e from 0 to 1; the error is 2^-43.
const LN1P: [f64; 16] = [
    0.999_999_999_999_925_1,
    -0.499_999_999_959_600_4,
    0.333_333_329_775_874_9,
    -0.249_999_876_072_344_92,
    0.199_997_722_276_089_8,
    -0.166_641_166_726_259_34,
    0.142_667_822_308_651_88,
    -0.124_014_895_994_073_75,
    0.107_378_049_523_433_36,
    -0.089_399_520_620_539_42,
    0.067_817_564_405_294_59,
    -0.043_848_764_801_748_15,
    0.022_425_928_331_907_773,
    -0.008_300_048_852_659_798,
    0.001_945_930_552_983_985_9,
    -0.000_214_893_586_745_230_67,
];

/// The polynomial of [`EXP2`] with an error of 2^-18.
const EXP2_ROUGH: [f32; 5] = [1.000_000_1, 6.931_211_4e-1, 2.402_189_8e-1, 5.592_156_2e-2, 9.684_91e-3];

/// The polynomial of [`LN1P`] with an error of 2^-19.
const LN1P_ROUGH: [f32; 6] =
    [9.999_016_5e-1, -4.978_751_2e-1, 3.176_490_7e-1, -1.937_606_6e-1, 8.556_948e-2, -1.833_866_2e-2];

/// 1 / k! from k = 1 on, as pairs.
const FACTORIALS: [(f64, f64); 9] = [
    (1.0, 0.0),
    (0.5, 0.0),
    (0.166_666_666_666_666_66, 9.251_858_538_542_97e-18),
    (0.041_666_666_666_666_664, 2.312_964_634_635_742_7e-18),
    (0.008_333_333_333_333_333, 1.156_482_317_317_871_4e-19),
    (0.001_388_888_888_888_889, -5.300_543_954_373_577e-20),
    (0.000_198_412_698_412_698_4, 1.720_955_829_342_070_5e-22),
    (2.480_158_730_158_73e-5, 2.151_194_786_677_588_2e-23),
    (2.755_731_922_398_589_3e-6, -1.858_393_274_046_472e-22),
];

/// 1 / k! from k = 10 on.
const FACTORIALS_TAIL: [f64; 12] = [
    2.755_731_922_398_589e-7,
    2.505_210_838_544_172e-8,
    2.087_675_698_786_81e-9,
    1.605_904_383_682_161_3e-10,
    1.147_074_559_772_972_5e-11,
    7.647_163_731_819_816e-13,
    4.779_477_332_387_385e-14,
    2.811_457_254_345_520_6e-15,
    1.561_920_696_858_622_6e-16,
    8.220_635_246_624_33e-18,
    4.110_317_623_312_165e-19,
    1.957_294_106_339_126_3e-20,
];

/// ln 2 in three parts: its leading 40 bits, and a pair of the remainder.
const LN_2_HIGH: f64 = 0.693_147_180_559_208_2;
const LN_2_MIDDLE: f64 = 7.371_002_565_167_799e-13;
/// ln 2 minus its nearest `f64`.
const LN_2_LOW: f64 = 2.319_046_813_846_299_6e-17;

/// The base of the exponentials.
trait Base {
    /// log2 of the base.
    const LOG2: f64;
    /// One over its natural logarithm.
    const LOG: f64;
    /// Returns `g` as a pair, where `x` times the logarithm of the base is `n ln 2 + g`.
    fn rest<L: Lanes>(lanes: L, x: f64, n: f64) -> (f64, f64);
}

struct E;

impl Base for E {
    const LOG2: f64 = LOG2_E;
    const LOG: f64 = 1.0;

    #[inline(always)]
    fn rest<L: Lanes>(lanes: L, x: f64, n: f64) -> (f64, f64) {
        // Exact, because an `f32`, of which bits below 2^-40 are left only where `n` is 0.
        let g = x - n * LN_2_HIGH;
        let product = n * LN_2_MIDDLE;
        let high = g - product;
        let low = (g - high) - product;
        (high, low - n.fma(lanes, LN_2_MIDDLE, -product))
    }
}

struct Two;

impl Base for Two {
    const LOG2: f64 = 1.0;
    const LOG: f64 = LOG2_E;

    #[inline(always)]
    fn rest<L: Lanes>(lanes: L, x: f64, n: f64) -> (f64, f64) {
        let f = x - n;
        let high = f * LN_2;
        (high, f.fma(lanes, LN_2_LOW, f.fma(lanes, LN_2, -high)))
    }
}

/// Returns the larger number, and the other one minus it. The second result is NaN if one of them is NaN, or
/// if both are equal infinities.
#[inline(always)]
fn order(a: f32, b: f32) -> (f32, f32) {
    if a > b { (a, b) } else { (b, a) }
}

/// Returns 2^n from the sum of an integer n from -1000 to 1000 and [`ROUND64`].
#[inline(always)]
fn power<N: Number>(sum: N) -> N {
    sum.with_bits(|sum| 1.0_f64.to_bits().wrapping_add(sum << 52))
}

/// The least magnitude of a result for which one `f64` is precise enough: 2^-14.
const MIN_RESULT: f32 = 6.103_515_6e-5;

/// Returns true if the fast path was right, judging by its result: it is neither tiny nor infinite nor NaN.
#[inline(always)]
pub(crate) fn settled(result: f32) -> bool {
    (result.abs() > MIN_RESULT) & (result.abs() < f32::INFINITY)
}

/// Returns true if an estimate shows that the result is [`settled`].
#[inline(always)]
fn in_fast_domain<B: Base>(a: f32, b: f32) -> bool {
    let (max, min) = order(a, b);
    let d = min - max;
    let d = if d < -80.0 { -80.0 } else { d };
    let t = d * B::LOG2 as f32;
    let sum = t + ROUND;
    let f = t - (sum - ROUND);
    let e = scale(plain(f, EXP2_ROUGH), sum);
    let estimate = (max + e * (plain(e, LN1P_ROUGH) * B::LOG as f32)).abs();
    (estimate > 1.5 * MIN_RESULT) & (estimate < f32::MAX)
}

/// Evaluates a polynomial without fused multiply-adds, for the estimate, which has no token of a level.
#[inline(always)]
fn plain<const N: usize>(x: f32, c: [f32; N]) -> f32 {
    falling!(N - 1; sum = c[N - 1], i => sum * x + c[i])
}

/// Computes [`fast`] in `f64`, for one pair or a batch, from the larger number and the other one.
#[inline(always)]
fn of_ordered<B: Base, L: Lanes, N: Number>(lanes: L, max: N, min: N) -> N {
    let d = min - max;
    // From here on the added logarithm does not change the result, unless this is 0.
    let d = N::select(d.below(-200.0), N::of(-200.0), d);
    let sum = d.fma(lanes, N::of(B::LOG2), N::of(ROUND64));
    let f = d.fma(lanes, N::of(B::LOG2), N::of(ROUND64) - sum);
    let e = poly_halves(lanes, f, EXP2) * power(sum);
    let log = e * poly_halves(lanes, e, LN1P);
    log.fma(lanes, N::of(B::LOG), max)
}

#[inline(always)]
fn fast<B: Base, L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
    let (max, min) = order(a, b);
    of_ordered::<B, L, f64>(lanes, max as f64, min as f64) as f32
}

/// Computes [`fast`] for a batch.
#[inline(always)]
fn fast_batch<B: Base, L: Lanes, const K: usize>(
    lanes: L,
    a: Batch<K, f32>,
    b: Batch<K, f32>,
) -> Batch<K, f32> {
    let (mut max, mut min) = ([0.0; K], [0.0; K]);
    for i in 0..K {
        let (more, less) = order(a.0[i], b.0[i]);
        (max[i], min[i]) = (more as f64, less as f64);
    }
    let sum = of_ordered::<B, L, _>(lanes, Batch(max), Batch(min));
    let mut out = [0.0; K];
    for i in 0..K {
        out[i] = sum.0[i] as f32;
    }
    Batch(out)
}

/// Returns e^x - 1 for `x = high + low`, |x| < 0.35, as a pair, with an error of 2^-85.
#[inline(always)]
fn expm1_pair<L: Lanes>(lanes: L, high: f64, low: f64) -> (f64, f64) {
    let tail = high * poly(lanes, high, FACTORIALS_TAIL);
    falling!(
        FACTORIALS.len();
        both = (tail, 0.0), k => {
            let (p, p_low) = both;
            let (c, c_low) = FACTORIALS[k];
            let sum = c + p;
            let rest = p_low + ((p - (sum - c)) + c_low);
            // Times x.
            let product = sum * high;
            let p_low = high.fma(lanes, rest, low.fma(lanes, sum, sum.fma(lanes, high, -product)));
            (product, p_low)
        }
    )
}

/// Computes the result from both exponentials, if exp(a) + exp(b) is near 1.
#[inline(always)]
fn near_one<B: Base, L: Lanes>(lanes: L, a: f32, b: f32, result: f32) -> f32 {
    let (max, min) = order(a, b);
    let (x, y) = (max as f64, min as f64);
    // The exponentials matter only if they are at most near 1; other results are discarded.
    let x = if x < -2.0 { -2.0 } else { x };
    let x = if x > 1.0 { 1.0 } else { x };
    let y = if y < -300.0 { -300.0 } else { y };
    let y = if y > 1.0 { 1.0 } else { y };
    let x_sum = x.fma(lanes, B::LOG2, ROUND64);
    let y_sum = y.fma(lanes, B::LOG2, ROUND64);
    let (x_high, x_low) = B::rest(lanes, x, x_sum - ROUND64);
    let (y_high, y_low) = B::rest(lanes, y, y_sum - ROUND64);
    let (p, p_low) = expm1_pair(lanes, x_high, x_low);
    let (q, q_low) = expm1_pair(lanes, y_high, y_low);
    let (m, n) = (power(x_sum), power(y_sum));
    let (p, p_low, q, q_low) = (p * m, p_low * m, q * n, q_low * n);
    // The sum of the powers of two minus 1 is exact if the whole is near 0.
    let (s, s_low) = two_sum((m - 1.0) + n, p);
    let (w, w_low) = two_sum(s, q);
    let w = w + (w_low + s_low + (p_low + q_low));
    let log = w * B::LOG;
    let log = log.fma(lanes, w * w.fma(lanes, 1.0 / 3.0, -0.5), log) as f32;
    if w.abs() < 0.001 { log } else { result }
}

/// Returns the rounded sum, and its rounding error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[inline(always)]
fn general<B: Base, L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
    let result = fast::<B, L>(lanes, a, b);
    let near = near_one::<B, L>(lanes, a, b, result);
    let result = if settled(result) { result } else { near };
    // Equal infinities.
    let result = if (a == b) & (a.abs() == f32::INFINITY) { a } else { result };
    if a.is_nan() | b.is_nan() { a + b } else { result }
}

/// ln(e^a + e^b); see the module.
///
/// Within 0.501 ULP (12.6 million pairs, a third of them with sums near 1). Equal infinities give that
/// infinity.
pub(crate) struct Logaddexp;

/// log2(2^a + 2^b); see the module.
///
/// Within 0.502 ULP (12.6 million pairs, a third of them with sums near 1). Equal infinities give that
/// infinity.
pub(crate) struct Logaddexp2;

macro_rules! sum {
    ($($name:ident $base:ident;)*) => {$(
        impl $name {
            /// Computes [`Function2::fast`] for a batch.
            #[inline(always)]
            pub(crate) fn each<L: Lanes, const K: usize>(
                lanes: L,
                a: Batch<K, f32>,
                b: Batch<K, f32>,
            ) -> Batch<K, f32> {
                fast_batch::<$base, L, K>(lanes, a, b)
            }
        }

        impl Function2<f32> for $name {
            #[inline(always)]
            fn in_fast_domain(a: f32, b: f32) -> bool {
                in_fast_domain::<$base>(a, b)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
                fast::<$base, L>(lanes, a, b)
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
                general::<$base, L>(lanes, a, b)
            }
        }
    )*};
}

sum! {
    Logaddexp E;
    Logaddexp2 Two;
}
