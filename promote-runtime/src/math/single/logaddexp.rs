//! Logarithms of sums of exponentials, computed in `f64` as `max + log(1 + exp(-|a - b|))`.
//!
//! If that sum cancels, a single `f64` is not precise enough. Then `w = exp(a) + exp(b) - 1` is computed as a
//! pair of `f64`, and the result is `log(1 + w)`. A kernel computes all lanes of a block and checks the
//! results. Only where one of them is tiny, an estimate within 2^-17 finds the lanes to compute again.

use core::f64::consts::{LN_2, LOG2_E};

use super::parts::{ROUND, ROUND64, poly, poly_each, scale};
use crate::each::falling;
use crate::level::Lanes;
use crate::math::registers::{Lookup, Table, Tabled};
use crate::math::{Function, Function2, Real, double};

/// 2^(f / 16) for |f| <= 1/2; the error is 2^-47.
const SIXTEENTH: [f64; 6] = [
    1.0000000000000044,
    0.04332169878499661,
    0.000938384792486206,
    1.355080777749983e-05,
    1.467644462189871e-07,
    1.2716085030349987e-09,
];

/// ln(1 + z) / z for |z| <= 0.045; the error is 2^-44 of 1.
const LN1P: [f64; 7] = [
    1.0000000000000535,
    -0.500000000102583,
    0.33333333276899135,
    -0.24999958073523626,
    0.20000074261797166,
    -0.16709512747680538,
    0.1427825067467499,
];

/// 2^f for |f| <= 1/2; the error is 2^-18.
const EXP2_ROUGH: [f32; 5] = [1.000_000_1, 6.931_211_4e-1, 2.402_189_8e-1, 5.592_156_2e-2, 9.684_91e-3];

/// ln(1 + e) / e for e from 0 to 1; the error is 2^-19.
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

/// Returns the larger number and the other one.
#[inline(always)]
fn order(a: f32, b: f32) -> (f32, f32) {
    if a > b { (a, b) } else { (b, a) }
}

/// Returns 2^n from the sum of an integer n from -1000 to 1000 and [`ROUND64`].
#[inline(always)]
fn power(sum: f64) -> f64 {
    f64::from_bits(1.0_f64.to_bits().wrapping_add(sum.to_bits() << 52))
}

/// The least magnitude of a result for which one `f64` is precise enough: 2^-14.
const MIN_RESULT: f64 = 1.0 / 16384.0;

/// Returns true if an estimate shows that the result is not tiny.
#[inline(always)]
fn in_fast_domain<B: Base>(a: f32, b: f32) -> bool {
    let (max, min) = order(a, b);
    let d = min - max;
    let d = if d < -80.0 { -80.0 } else { d };
    let t = d * B::LOG2 as f32;
    let sum = t + ROUND;
    let f = t - (sum - ROUND);
    let e = scale(plain(f, EXP2_ROUGH), sum);
    (max + e * (plain(e, LN1P_ROUGH) * B::LOG as f32)).abs() > 1.5 * MIN_RESULT as f32
}

/// Evaluates a polynomial without fused multiply-adds, for the estimate, which has no token of a level.
#[inline(always)]
fn plain<const N: usize>(x: f32, c: [f32; N]) -> f32 {
    falling!(N - 1; sum = c[N - 1], i => sum * x + c[i])
}

/// Computes the logarithm of a sum that is not near 1.
#[inline(always)]
fn each<B: Base, L: Lanes, N: Lookup>(lanes: L, [a, b]: [N; 2]) -> N {
    let less = a.less(b);
    let (max, min) = (N::select(less, b, a), N::select(less, a, b));
    // From -200 on the added logarithm does not change the result, unless this is 0.
    let d = min - max;
    let d = N::select(d.below(-200.0), N::of(-200.0), d);
    // The difference of equal infinities is NaN.
    let d = N::select(max.same(min), N::of(0.0), d);
    let sum = d.fma(lanes, N::of(16.0 * B::LOG2), N::of(ROUND64));
    let f = d.fma(lanes, N::of(16.0 * B::LOG2), N::of(ROUND64) - sum);
    let [power] = sum.lookup(const { &Table::new([double::SIXTEENTHS[0]]) });
    let power = power.with_bits_of(sum, |power, sum| power.wrapping_add((sum >> 4) << 52));
    let e = power * poly_each(lanes, f, SIXTEENTH);
    let [inverse, log, _] = e.fma(lanes, N::of(15.0), N::of(ROUND64)).lookup(const { &double::OF_SUM });
    let z = e.fma(lanes, inverse, inverse - N::of(1.0));
    let log = z.fma(lanes, poly_each(lanes, z, LN1P), log);
    log.fma(lanes, N::of(B::LOG), max)
}

#[inline(always)]
fn fast<B: Base, L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
    each::<B, L, f64>(lanes, [a as f64, b as f64]) as f32
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

/// Computes the result from both exponentials, if it is below 2^-14.
#[inline(always)]
fn near_one<B: Base, L: Lanes>(lanes: L, a: f32, b: f32) -> f32 {
    let (max, min) = order(a, b);
    let (x, y) = (max as f64, min as f64);
    let y = if y < -300.0 { -300.0 } else { y };
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
    log.fma(lanes, w * w.fma(lanes, 1.0 / 3.0, -0.5), log) as f32
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
    let result = each::<B, L, f64>(lanes, [a as f64, b as f64]);
    if result.abs() < MIN_RESULT { near_one::<B, L>(lanes, a, b) } else { result as f32 }
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
        impl Tabled<2> for $name {
            #[inline(always)]
            fn is_settled<N: Lookup>(_: [N; 2], result: N) -> N::Mask {
                // True for NaN and infinities.
                !(result.below(MIN_RESULT) & result.above(-MIN_RESULT))
            }

            #[inline(always)]
            fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, operands: [N; 2]) -> N {
                each::<$base, L, N>(lanes, operands)
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

/// ln(1 + e^x), as [`Logaddexp`] of x and 0.
///
/// Within 0.501 ULP (every `f32`). 0 at -infinity.
pub(crate) struct Softplus;

impl Tabled for Softplus {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        each::<E, L, N>(lanes, [x, N::of(0.0)])
    }
}

impl Function<f32> for Softplus {
    #[inline(always)]
    fn in_fast_domain(_: f32) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Softplus::each::<true, L, f64>(lanes, [x as f64]) as f32
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        Softplus::fast(lanes, x)
    }
}
