//! Hyperbolic functions.

use core::f32::consts::LOG2_E;

use super::exp::{EXP2, Exp, exp_parts, reduce};
use super::log::LOG2_E_LOW;
use super::parts::{ROUND, poly, poly_each, scale, scale_each, with_sign};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::{Function, Real};

/// tanh(x) / x - 1 over x^2, in x^2, for |x| <= 1; the error is 2^-27 of tanh(x).
const TANH_TAIL: [f32; 7] = [
    -3.333_33e-1,
    1.333_240_4e-1,
    -5.388_359_4e-2,
    2.149_776e-2,
    -7.962_562e-3,
    2.313_369_2e-3,
    -3.618_774_6e-4,
];

/// sinh(x) / x - 1 over x^2, in x^2, for |x| <= 1; the error is 2^-31 of sinh(x).
const SINH_TAIL: [f32; 4] = [1.666_666_7e-1, 8.333_311e-3, 1.984_263_5e-4, 2.783_925_5e-6];

/// tanh x: a polynomial up to 1, above it `1 - 2e / (1 + e)` with `e = exp(-2x)`, in which only the
/// subtraction rounds noticeably.
///
/// Within 0.941 ULP (every `f32`). Zeros are returned unchanged, infinities 1 with their sign.
pub(crate) struct Tanh;

impl Function<f32> for Tanh {
    #[inline(always)]
    fn in_fast_domain(_: f32) -> bool {
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
        let half = e / high;
        // The last factor of `half * low / high` can be taken as 1, since `low` is a rounding error.
        let far = half.fma(lanes, -low, half).fma(lanes, -2.0, 1.0);
        let result = if a > 1.0 { far } else { near };
        with_sign(result, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        Self::fast(lanes, x)
    }
}

/// Returns half of e^a for `a` from 0 to 89.5, as a pair, and a quarter of its inverse. Both are multiplied
/// by `down`, a power of two.
#[inline(always)]
fn half_exp<L: Lanes, N: Number<f32>>(lanes: L, a: N, down: N) -> (N, N, N) {
    let (sum, g) = reduce(lanes, a);
    let (high, low) = exp_parts(lanes, g);
    let whole = high + low;
    let rest = low - (whole - high);
    let m = scale_each(N::of(0.5) * down, sum);
    let half = whole * m;
    (half, rest * m, N::of(0.25) * down * down / half)
}

/// sinh x: a polynomial up to 1, above it `e^x / 2 - e^-x / 2`, with the first term as a pair.
///
/// Within 0.852 ULP (every `f32`). Zeros and infinities are returned unchanged.
pub(crate) struct Sinh;

/// cosh x: `e^x / 2 + e^-x / 2`, with the first term as a pair.
///
/// Within 0.875 ULP (every `f32`). Infinities give infinity.
pub(crate) struct Cosh;

impl Sinh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        Sinh::lane(lanes, x, x.size(), N::of(1.0))
    }

    #[inline(always)]
    fn lane<L: Lanes, N: Number<f32>>(lanes: L, x: N, a: N, down: N) -> N {
        let square = a * a;
        let near = a.fma(lanes, square * poly_each(lanes, square, SINH_TAIL), a);
        let (half, rest, inverse) = half_exp(lanes, a, down);
        let far = half + (rest - inverse);
        N::select(a.below(1.0), near, far).signed(x)
    }
}

impl Cosh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        Cosh::lane(lanes, x.size(), N::of(1.0))
    }

    #[inline(always)]
    fn lane<L: Lanes, N: Number<f32>>(lanes: L, a: N, down: N) -> N {
        let (half, rest, inverse) = half_exp(lanes, a, down);
        half + (rest + inverse)
    }
}

macro_rules! even_odd {
    ($($name:ident |$lanes:ident, $x:ident, $a:ident, $down:ident| $lane:expr;)*) => {$(
        impl Function<f32> for $name {
            #[inline(always)]
            fn in_fast_domain(x: f32) -> bool {
                x.abs() < 87.0
            }

            #[inline(always)]
            fn fast<L: Lanes>($lanes: L, $x: f32) -> f32 {
                let ($a, $down) = ($x.abs(), 1.0);
                $lane
            }

            #[inline(always)]
            fn general<L: Lanes>($lanes: L, $x: f32) -> f32 {
                // Beyond 89.5 the result is infinite. Above 64 everything is scaled by a quarter, so that
                // only the last product overflows.
                let $a = if $x.abs() > 89.5 { 89.5 } else { $x.abs() };
                let large = $a > 64.0;
                let $down = if large { 0.25 } else { 1.0 };
                let result = $lane;
                if large { result * 4.0 } else { result }
            }
        }
    )*};
}

even_odd! {
    Sinh |lanes, x, a, down| Sinh::lane(lanes, x, a, down);
    Cosh |lanes, x, a, down| Cosh::lane(lanes, a, down);
}

/// 1 / (1 + e^-x): the inverse is corrected by its rounding error and that of the sum.
///
/// Within 0.805 ULP (every `f32`). Infinities give 0 and 1.
pub(crate) struct Sigmoid;

impl Sigmoid {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        let one = N::of(1.0);
        let (sum, g) = reduce(lanes, -x);
        let (high, low) = exp_parts(lanes, g);
        let (high, low) = (scale_each(high, sum), low * scale_each(one, sum));
        // 1 + high + low, with the rounding errors of both sums: either term may be the larger one.
        let above = high.above(1.0);
        let large = N::select(above, high, one);
        let small = N::select(above, one, high);
        let first = large + small;
        let rest = small - (first - large);
        let under = first + low;
        let rest = (low - (under - first)) + rest;
        let inverse = one / under;
        let error = inverse.fma(lanes, -under, one);
        inverse.fma(lanes, inverse.fma(lanes, -rest, error), inverse)
    }
}

impl Function<f32> for Sigmoid {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < 80.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Sigmoid::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let held = if x > 80.0 { 80.0 } else { x };
        // Below -80 the 1 is negligible.
        let near = Self::fast(lanes, if held < -80.0 { -80.0 } else { held });
        let far = Exp::general(lanes, held);
        if x < -80.0 { far } else { near }
    }
}
