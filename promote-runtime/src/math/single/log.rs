//! Logarithms.
//!
//! `x = 2^k (1 + z)` with `1 + z` between 2/3 and 4/3, and `log(1 + z) = c z + z^2 w(z)` where `c` is the
//! logarithm of e. The sum of `k log 2` and `c z` keeps its rounding error, so only the last sum
//! rounds noticeably.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use super::parts::{poly, positive_normal};
use crate::level::Lanes;
use crate::math::{Function, Real};

/// (ln(1 + z) - z) / z^2 for |z| <= 1/3; the error is 2^-27 of ln(1 + z).
const LN_TAIL: [f32; 9] = [
    -5.0e-1,
    3.333_321_5e-1,
    -2.499_980_3e-1,
    2.001_044e-1,
    -1.668_028_5e-1,
    1.400_542_7e-1,
    -1.218_654_96e-1,
    1.398_633e-1,
    -1.288_337_7e-1,
];

/// (log2(1 + z) - z log2(e)) / z^2 for |z| <= 1/3; the error is 2^-27 of log2(1 + z).
const LOG2_TAIL: [f32; 9] = [
    -7.213_475e-1,
    4.808_967e-1,
    -3.606_715e-1,
    2.886_866e-1,
    -2.406_337_6e-1,
    2.020_959e-1,
    -1.759_212_8e-1,
    2.016_107_7e-1,
    -1.855_208_6e-1,
];

/// (log10(1 + z) - z log10(e)) / z^2 for |z| <= 1/3; the error is 2^-27 of log10(1 + z).
const LOG10_TAIL: [f32; 9] = [
    -2.171_472_5e-1,
    1.447_642_9e-1,
    -1.085_724_1e-1,
    8.690_539e-2,
    -7.244_995e-2,
    6.080_851_3e-2,
    -5.284_504_6e-2,
    6.081_338e-2,
    -5.622_392e-2,
];

/// log2(e) minus its nearest `f32`.
pub(super) const LOG2_E_LOW: f32 = 1.925_963e-8;
/// log10(e) minus its nearest `f32`.
const LOG10_E_LOW: f32 = -1.010_305e-8;
/// the leading 15 bits of log10(2).
const LOG10_2_HIGH: f32 = 3.010_254e-1;
/// log10(2) minus [`LOG10_2_HIGH`].
const LOG10_2_LOW: f32 = 4.605_039e-6;

/// (ln(1 + z) - z) / z^2 for z from -1/4 to 1/2; the error is 2^-27 of ln(1 + z).
const LN1P_TAIL: [f32; 9] = [
    -5.0e-1,
    3.333_345e-1,
    -2.500_011e-1,
    1.999_084_8e-1,
    -1.664_687_8e-1,
    1.447_763e-1,
    -1.316_393_8e-1,
    1.047_255_8e-1,
    -4.515_234_4e-2,
];

/// The bits of the least `1 + z`: 2/3.
const MIN_BITS: u32 = 0x3f2a_aaab;

/// The bits of the least `1 + z` for [`Log10`]: 0.6669. Just above 4/3, where the logarithm falls below 1/8,
/// `k` is then 0 and nothing cancels.
const LEAST_10: u32 = 0x3f2a_b9f5;

/// Splits a positive normal `x = 2^k (1 + z)` into `k` and `z`, exactly.
#[inline(always)]
fn split(x: f32, least: u32) -> (f32, f32) {
    let k = (x.to_bits().wrapping_sub(least) as i32) >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((k as u32) << 23));
    (k as f32, m - 1.0)
}

/// Computes [`split`] for any positive finite number, subnormal numbers included.
#[inline(always)]
fn split_any(x: f32, least: u32) -> (f32, f32) {
    let small = x < f32::MIN_POSITIVE;
    let (k, z) = split(if small { x * 8_388_608.0 } else { x }, least);
    (if small { k - 23.0 } else { k }, z)
}

/// Returns `log` if `x` is positive and finite, otherwise the special value of a logarithm.
#[inline(always)]
fn special(x: f32, log: f32) -> f32 {
    let log = if x < f32::INFINITY { log } else { x };
    let log = if x > 0.0 { log } else { f32::NAN };
    let log = if x == 0.0 { f32::NEG_INFINITY } else { log };
    // For a NaN, `x` itself and not a constant, so that the payload stays, as in the other functions.
    if x.is_nan() { x } else { log }
}

/// Returns `k ln 2 + ln(1 + z)`.
#[inline(always)]
fn ln_parts<L: Lanes>(lanes: L, k: f32, z: f32, tail: [f32; 9]) -> f32 {
    let high = k.fma(lanes, LN_2_HIGH, z);
    // Exact, because `k ln 2`, which needs no rounding, is 0 or the larger one.
    let low = z + k.fma(lanes, LN_2_HIGH, -high);
    let low = k.fma(lanes, LN_2_LOW, low);
    high + (z * z).fma(lanes, poly(lanes, z, tail), low)
}

#[inline(always)]
fn log_parts<L: Lanes>(lanes: L, k: f32, z: f32) -> f32 {
    ln_parts(lanes, k, z, LN_TAIL)
}

#[inline(always)]
fn log2_parts<L: Lanes>(lanes: L, k: f32, z: f32) -> f32 {
    use core::f32::consts::LOG2_E;
    let high = z.fma(lanes, LOG2_E, k);
    // Exact, because `k` is 0 or the larger one.
    let low = z.fma(lanes, LOG2_E, k - high);
    let low = z.fma(lanes, LOG2_E_LOW, low);
    high + (z * z).fma(lanes, poly(lanes, z, LOG2_TAIL), low)
}

#[inline(always)]
fn log10_parts<L: Lanes>(lanes: L, k: f32, z: f32) -> f32 {
    use core::f32::consts::LOG10_E;
    let whole = k * LOG10_2_HIGH;
    let high = z.fma(lanes, LOG10_E, whole);
    // Exact, because `whole`, which needs no rounding, is 0 or the larger one.
    let low = z.fma(lanes, LOG10_E, whole - high);
    let low = z.fma(lanes, LOG10_E_LOW, low);
    let low = k.fma(lanes, LOG10_2_LOW, low);
    high + (z * z).fma(lanes, poly(lanes, z, LOG10_TAIL), low)
}

macro_rules! logarithm {
    ($($(#[$doc:meta])* $name:ident $parts:ident $least:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Function<f32> for $name {
            #[inline(always)]
            fn in_fast_domain(x: f32) -> bool {
                positive_normal(x)
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
                let (k, z) = split(x, $least);
                $parts(lanes, k, z)
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
                let (k, z) = split_any(x, $least);
                special(x, $parts(lanes, k, z))
            }
        }
    )*};
}

logarithm! {
    /// ln x; see the module.
    ///
    /// Within 0.883 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; 1 gives +0.
    Log log_parts MIN_BITS;
    /// log2 x; see the module.
    ///
    /// Within 0.931 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; powers of 2 give exact integers.
    Log2 log2_parts MIN_BITS;
    /// log10 x; see the module.
    ///
    /// Within 0.881 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; 1 gives +0.
    Log10 log10_parts LEAST_10;
}

/// ln(1 + x): computed as [`Log`], of `2^-k + 2^-k x - 1`, which is exact where it matters.
///
/// Within 0.917 ULP (every `f32`). Zeros are returned unchanged, -1 gives -infinity, what is below NaN,
/// infinity itself.
pub(crate) struct Log1p;

impl Log1p {
    /// Splits `1 + x = 2^k (1 + z)`: the sum rounded to `f32` chooses `k`, and `z` is computed from `x`.
    ///
    /// With `1 + z` from 3/4 to 3/2, `z` is exact below 2^24: at k = 1, where an error would matter, `x` is
    /// at least 1/2.
    #[inline(always)]
    fn split<L: Lanes>(lanes: L, x: f32) -> (f32, f32) {
        let k = ((1.0 + x).to_bits().wrapping_sub(0x3f40_0000) as i32) >> 23;
        let factor = f32::from_bits(0x3f80_0000_u32.wrapping_sub((k as u32) << 23));
        (k as f32, x.fma(lanes, factor, factor - 1.0))
    }
}

impl Function<f32> for Log1p {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x > -1.0 && x < 1.0e38
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let (k, z) = Log1p::split(lanes, x);
        let result = ln_parts(lanes, k, z, LN1P_TAIL);
        // The sums lose the sign of -0.
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        // Above 2^64 the 1 is negligible.
        let large = x > 18_446_744_073_709_551_616.0;
        let (k, z) = Log1p::split(lanes, if large { x * 0.25 } else { x });
        let result = ln_parts(lanes, if large { k + 2.0 } else { k }, z, LN1P_TAIL);
        let result = if x < f32::INFINITY { result } else { x };
        let result = if x > -1.0 { result } else { f32::NAN };
        let result = if x == -1.0 { f32::NEG_INFINITY } else { result };
        if x == 0.0 || x.is_nan() { x } else { result }
    }
}
