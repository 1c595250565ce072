//! Logarithms.
//!
//! `x = 2^k m` with `m` from 0.711 to 1.422, and a table has an inverse `r` near `1 / m` for each of eight
//! parts of that range, so that `z = m r - 1` is small, and exact. The logarithm of `x` is that of `2^k / r`,
//! whose first part is exact, plus `c z + z^2 w(z)`, where `c` is the logarithm of e.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use super::parts::{poly, poly_each};
use crate::level::Lanes;
use crate::math::pair::Pair;
use crate::math::registers::{Lookup, ShortTable, Tabled};
use crate::math::{Function, Real};

/// A base of logarithms.
trait Base {
    /// The logarithm of e in two parts, if it is not 1.
    const E: Option<(f32, f32)>;
    /// The logarithm of 2 in two parts; the first is a multiple of 2^-16, and so is k times it.
    const TWO: (f32, f32);
    /// For each part of the range of `m` the inverse `r`, and the logarithm of 1 / r in two parts, of which
    /// the first is a multiple of 2^-16.
    const TABLE: &'static ShortTable<3>;
    /// (log(1 + z) - z log(e)) / z^2 for |z| <= 0.067; the error is 2^-29 of log(1 + z).
    const TAIL: [f32; 5];
}

/// The inverses that all bases share: multiples of a 16th above 1, of a 32nd below, so that `z` is exact.
const INVERSES: [f32; 8] = [1.375, 1.25, 1.125, 1.0625, 1.0, 9.0625e-1, 8.125e-1, 7.5e-1];

struct Natural;

impl Base for Natural {
    const E: Option<(f32, f32)> = None;
    const TWO: (f32, f32) = (LN_2_HIGH, LN_2_LOW);
    const TABLE: &'static ShortTable<3> = &ShortTable::new([
        INVERSES,
        [
            -3.1845093e-1,
            -2.2314453e-1,
            -1.1778259e-1,
            -6.062317e-2,
            0.0,
            9.843445e-2,
            2.076416e-1,
            2.876892e-1,
        ],
        [
            -2.8033842e-6,
            9.799357e-7,
            -4.4288294e-7,
            -1.4528712e-6,
            0.0,
            5.6245713e-6,
            -2.2367842e-6,
            -7.1365325e-6,
        ],
    ]);
    const TAIL: [f32; 5] = [-5.0e-1, 3.3333266e-1, -2.5000653e-1, 2.0068988e-1, -1.6485584e-1];
}

struct Binary;

impl Base for Binary {
    const E: Option<(f32, f32)> = Some((core::f32::consts::LOG2_E, LOG2_E_LOW));
    const TWO: (f32, f32) = (1.0, 0.0);
    const TABLE: &'static ShortTable<3> = &ShortTable::new([
        INVERSES,
        [
            -4.5942688e-1,
            -3.2192993e-1,
            -1.6992188e-1,
            -8.746338e-2,
            0.0,
            1.4201355e-1,
            2.9956055e-1,
            4.1503906e-1,
        ],
        [
            -4.7387543e-6,
            1.8367533e-6,
            -3.1264424e-6,
            5.376559e-7,
            0.0,
            5.455068e-6,
            -2.650161e-7,
            -1.5632212e-6,
        ],
    ]);
    const TAIL: [f32; 5] = [-7.213475e-1, 4.8089737e-1, -3.606832e-1, 2.895343e-1, -2.3783669e-1];
}

struct Decimal;

impl Base for Decimal {
    const E: Option<(f32, f32)> = Some((core::f32::consts::LOG10_E, LOG10_E_LOW));
    const TWO: (f32, f32) = (3.010254e-1, 4.605039e-6);
    const TABLE: &'static ShortTable<3> = &ShortTable::new([
        INVERSES,
        [
            -1.3830566e-1,
            -9.690857e-2,
            -5.114746e-2,
            -2.6321411e-2,
            0.0,
            4.2755127e-2,
            9.017944e-2,
            1.24938965e-1,
        ],
        [
            2.9658963e-6,
            -1.4436721e-6,
            -5.06151e-6,
            -7.5275893e-6,
            0.0,
            -3.1465322e-6,
            -2.8130103e-6,
            -2.2823545e-7,
        ],
    ]);
    const TAIL: [f32; 5] = [-2.1714725e-1, 1.4476454e-1, -1.0857646e-1, 8.715851e-2, -7.159598e-2];
}

/// log2(e) minus its nearest `f32`.
const LOG2_E_LOW: f32 = 1.925_963e-8;
/// log10(e) minus its nearest `f32`.
const LOG10_E_LOW: f32 = -1.010_305e-8;

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

/// Returns `k ln 2 + ln(1 + z)`.
#[inline(always)]
fn ln_parts<L: Lanes>(lanes: L, k: f32, z: f32) -> f32 {
    let high = k.fma(lanes, LN_2_HIGH, z);
    // Exact, because `k ln 2`, which needs no rounding, is 0 or the larger one.
    let low = z + k.fma(lanes, LN_2_HIGH, -high);
    let low = k.fma(lanes, LN_2_LOW, low);
    high + (z * z).fma(lanes, poly(lanes, z, LN1P_TAIL), low)
}

/// Returns the natural logarithm of a pair, of which the first part is positive and normal, divided by
/// 2^`less`.
#[inline(always)]
pub(super) fn ln_of_pair<L: Lanes, N: Lookup<f32>>(lanes: L, x: Pair<N>, less: N) -> N {
    logarithm::<Natural, L, N>(lanes, x.hi, Some(x.lo), less)
}

/// Returns the logarithm of a positive normal `x`, divided by 2^`less`. If there is an `error`, of at most
/// 2^-19 of `x`, it is that of the sum of both.
#[inline(always)]
fn logarithm<B: Base, L: Lanes, N: Lookup<f32>>(lanes: L, x: N, error: Option<N>, less: N) -> N {
    /// The bits of the least `m`: 91/128.
    const MIN_BITS: u32 = 0x3f36_0000;
    let from_least = |bits: u32| bits.wrapping_sub(MIN_BITS);
    let k = x.with_bits(|bits| ((from_least(bits) as i32 >> 23) as f32).to_bits()) - less;
    let m = x.with_bits(|bits| bits.wrapping_sub(from_least(bits) & 0xff80_0000));
    let [inverse, high, low] = x.with_bits(|bits| from_least(bits) >> 20).lookup(B::TABLE);
    let z = m.fma(lanes, inverse, N::of(-1.0));
    let whole = k.fma(lanes, N::of(B::TWO.0), high);
    let low = if B::TWO.1 == 0.0 { low } else { k.fma(lanes, N::of(B::TWO.1), low) };
    let low = match error {
        None => low,
        Some(error) => {
            let scale = x.with_bits(|bits| 0x3f80_0000_u32.wrapping_sub(from_least(bits) & 0xff80_0000));
            let rest = error * scale * inverse;
            // The derivative of ln(1 + z) is nearly 1 - z + z^2.
            (-z).fma(lanes, (-z).fma(lanes, rest, rest), rest) + low
        }
    };
    let tail = poly_each(lanes, z, B::TAIL);
    // If `whole` is 0, `low` is 0 apart from the part of `error`, and the last sum is exact.
    whole
        + match B::E {
            None => z + (z * z).fma(lanes, tail, low),
            Some((e, e_low)) => {
                let tail = tail.fma(lanes, z, N::of(e_low));
                z.fma(lanes, N::of(e), tail.fma(lanes, z, low))
            }
        }
}

/// No comparison with it holds for NaN, and none needs to be inverted.
const MAX_SUBNORMAL: f32 = f32::from_bits(0x007f_ffff);

macro_rules! logarithms {
    ($($(#[$doc:meta])* $name:ident $base:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Tabled<1, f32> for $name {
            #[inline(always)]
            fn in_domain<N: Lookup<f32>>([x]: [N; 1]) -> N::Mask {
                x.above(MAX_SUBNORMAL) & x.below(f32::INFINITY)
            }

            #[inline(always)]
            fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
                if const { FAST } {
                    return logarithm::<$base, L, N>(lanes, x, None, N::of(0.0));
                }
                let small = x.below(f32::MIN_POSITIVE);
                let normal = N::select(small, x * N::of(8_388_608.0), x);
                let less = N::select(small, N::of(23.0), N::of(0.0));
                special(x, logarithm::<$base, L, N>(lanes, normal, None, less))
            }
        }
    )*};
}

/// Returns `log` if `x` is positive and finite, otherwise the special value of a logarithm.
#[inline(always)]
fn special<N: Lookup<f32>>(x: N, log: N) -> N {
    // For a NaN, `x` itself and not a constant, so that the payload stays, as in the other functions.
    let log = N::select(x.below(f32::INFINITY), log, x);
    let log = N::select(x.below(0.0), N::of(f32::NAN), log);
    N::select(x.is(0.0), N::of(f32::NEG_INFINITY), log)
}

logarithms! {
    /// ln x; see the module.
    ///
    /// Within 0.758 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; 1 gives +0.
    Log Natural;
    /// log2 x; see the module.
    ///
    /// Within 0.768 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; powers of 2 give exact integers.
    Log2 Binary;
    /// log10 x; see the module.
    ///
    /// Within 0.768 ULP (every `f32`). Zeros give -infinity, infinity gives infinity, negative numbers give
    /// NaN; 1 gives +0.
    Log10 Decimal;
}

tabled! { f32: Log Log2 Log10 }

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
        let result = ln_parts(lanes, k, z);
        // The sums lose the sign of -0.
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        // Above 2^64 the 1 is negligible.
        let large = x > 18_446_744_073_709_551_616.0;
        let (k, z) = Log1p::split(lanes, if large { x * 0.25 } else { x });
        let result = ln_parts(lanes, if large { k + 2.0 } else { k }, z);
        let result = if x < f32::INFINITY { result } else { x };
        let result = if x > -1.0 { result } else { f32::NAN };
        let result = if x == -1.0 { f32::NEG_INFINITY } else { result };
        if x == 0.0 || x.is_nan() { x } else { result }
    }
}
