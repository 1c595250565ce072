//! Functions of `f32` that are computed in `f64`, or whose logarithm or root is, because `f32` would lose too
//! much.

use core::f64::consts::LN_2;

use super::parts::{poly, quick_root};
use crate::level::Lanes;
use crate::math::pair::Pair;
use crate::math::{Function, Function2, Real, double};

/// (ln((1 + s) / (1 - s)) - 2 s) / s^3, in s^2, for |s| <= 0.1718; the error is 2^-43 of the logarithm.
const TAIL: [f64; 5] = [
    0.666_666_666_759_233_6,
    0.399_999_955_750_811_04,
    0.285_721_146_059_445_76,
    0.221_759_421_413_690_48,
    0.195_879_540_327_064_76,
];

/// Returns ln x for a positive normal `x`, with an absolute error of 2^-52 and a relative error of 2^-40.
#[inline(always)]
fn ln<L: Lanes>(lanes: L, x: f64) -> f64 {
    // x = 2^k m with m from 0.707 to 1.414. The exponent is unsigned and inserted into the bits of 2^52,
    // because not every level has signed 64-bit shifts and conversions.
    let from_least = x.to_bits().wrapping_sub(0x3fe6_a09e_667f_3bcd).wrapping_add(0x3ff0_0000_0000_0000);
    let k = f64::from_bits((from_least >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let exponent = (from_least & 0xfff0_0000_0000_0000).wrapping_sub(0x3ff0_0000_0000_0000);
    let m = f64::from_bits(x.to_bits().wrapping_sub(exponent));
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let log = (s * square).fma(lanes, poly(lanes, square, TAIL), s + s);
    k.fma(lanes, LN_2, log)
}

/// x ln y, both in `f64`.
///
/// Within 0.501 ULP (12.6 million pairs). 0 if `x` is 0, unless `y` is NaN.
pub(crate) struct Xlogy;

impl Function2<f32> for Xlogy {
    #[inline(always)]
    fn in_fast_domain(x: f32, y: f32) -> bool {
        (x.abs() < f32::INFINITY) & (y > 0.0) & (y < f32::INFINITY)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        let product = (x as f64 * ln(lanes, y as f64)) as f32;
        if x == 0.0 { 0.0 } else { product }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        let log = ln(lanes, y as f64);
        let log = if y < f32::INFINITY { log } else { y as f64 };
        let log = if y > 0.0 { log } else { f64::NAN };
        let log = if y == 0.0 { f64::NEG_INFINITY } else { log };
        let result = (x as f64 * log) as f32;
        let result = if x == 0.0 { 0.0 } else { result };
        if y.is_nan() { y } else { result }
    }
}

/// The root of x^2 + y^2, with the squares and their sum as pairs, or in `f64` if they could overflow or
/// underflow.
///
/// Within 0.502 ULP (12.6 million pairs). An infinity gives infinity, also beside NaN.
pub(crate) struct Hypot;

impl Function2<f32> for Hypot {
    #[inline(always)]
    fn in_fast_domain(x: f32, y: f32) -> bool {
        let (x, y) = (x.abs(), y.abs());
        let more = if x < y { y } else { x };
        // From 2^-40 to 2^60, and neither is NaN.
        (more > 9.094_947e-13) & (x < 1.152_921_5e18) & (y < 1.152_921_5e18)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        let (x, y) = (x.abs(), y.abs());
        let (more, less) = if x < y { (y, x) } else { (x, y) };
        let square = Pair::product(lanes, more, more);
        let other = Pair::product(lanes, less, less);
        let sum = Pair::ordered_sum(square.hi, other.hi);
        quick_root(lanes, Pair::new(sum.hi, sum.lo + (square.lo + other.lo))).value()
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        let (a, b) = (x as f64, y as f64);
        let far = (a * a + b * b).root() as f32;
        let result = if Self::in_fast_domain(x, y) { Self::fast(lanes, x, y) } else { far };
        if (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY) { f32::INFINITY } else { result }
    }
}

/// Functions that are those of `f64`, rounded: within 0.501 ULP (every `f32`).
macro_rules! rounded {
    ($($name:ident)*) => {$(
        pub(crate) struct $name;

        impl Function<f32> for $name {
            #[inline(always)]
            fn in_fast_domain(_: f32) -> bool {
                true
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
                double::$name::each(lanes, x as f64) as f32
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
                Self::fast(lanes, x)
            }
        }
    )*};
}

rounded! { Cbrt Erf Erfc Gelu GeluTanh Silu }
