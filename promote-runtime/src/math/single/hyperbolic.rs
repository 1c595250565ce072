//! Hyperbolic functions.

use core::f32::consts::LOG2_E;

use super::log::LOG2_E_LOW;
use super::parts::{ROUND, poly, scale};
use crate::level::Lanes;
use crate::math::{Function, Real};

/// tanh(x) / x - 1 over x^2, in x^2, for |x| <= 1; the error is 2^-27 of tanh(x).
const TANH_TAIL: [f32; 7] =
    [-3.333_33e-1, 1.333_240_4e-1, -5.388_359_4e-2, 2.149_776e-2, -7.962_562e-3, 2.313_369_2e-3, -3.618_774_6e-4];

/// 2^f for |f| <= 0.5; the error is 2^-28.
const EXP2: [f32; 7] =
    [1.0, 6.931_472e-1, 2.402_265e-1, 5.550_359_6e-2, 9.618_062_5e-3, 1.339_098_6e-3, 1.546_287e-4];

/// tanh x: a polynomial up to 1, above `1 - 2e / (1 + e)` with `e = exp(-2x)`, of which only the subtraction rounds much.
///
/// Zeros give themselves, infinities 1 with their sign.
pub(crate) struct Tanh;

impl Function<f32> for Tanh {
    #[inline(always)]
    fn usual(_: f32) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let a = x.abs();
        let square = a * a;
        let near = a.fma(lanes, square * poly(lanes, square, TANH_TAIL), a);
        // From 9.02 on the result is 1.
        let t = if a > 10.0 { 10.0 } else { a };
        let sum = t.fma(lanes, -2.0 * LOG2_E, ROUND);
        let f = t.fma(lanes, -2.0 * LOG2_E, ROUND - sum);
        let f = t.fma(lanes, -2.0 * LOG2_E_LOW, f);
        let e = scale(poly(lanes, f, EXP2), sum);
        let high = 1.0 + e;
        let low = e - (high - 1.0);
        let less = (e + e) / high;
        // The last factor of `less * low / high` is near enough to 1: `low` is only a rounding.
        let far = 1.0 - less.fma(lanes, -low, less);
        let result = if a > 1.0 { far } else { near };
        f32::from_bits(result.to_bits() | (x.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f32) -> f32 {
        Self::fast(lanes, x)
    }
}
