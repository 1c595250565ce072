//! Hyperbolic functions.

use core::f32::consts::{LN_2, LOG2_E};

use super::exp::{Exp, exp_parts, exp_rest, reduce};
use super::parts::{ROUND, poly, rounded, scale, scale_each, scale_far, with_sign};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, ShortTable, Tabled};
use crate::math::{Function, Real};

/// The least number of the second interval of [`TANH`].
const NEAR: f32 = f32::from_bits(0x3f54_8000);

/// tanh in eight intervals: the value at a centre, the centre, and the coefficients in `z`, which is the
/// distance from it, of (tanh(x) - value) / z. The first interval, up to [`NEAR`], has the coefficients in
/// x^2 of (tanh(x) - x) / x^3. Each of the others has 2^22 consecutive `f32`, half as many as lie between two
/// powers of two. The error is at most 2^-25.8 of tanh(x); the centres are such that the values are nearly
/// `f32`.
static TANH: ShortTable<8> = ShortTable::new([
    [0.0, 0.75940734, 0.8874487, 0.9640447, 0.99318624, 0.9993024, 0.9999748, 0.99999976],
    [0.0, 0.9948135, 1.4097862, 2.0002422, 2.8392725, 3.9803224, 5.6406474, 7.9711924],
    [-0.3333328, 0.4233005, 0.21243463, 0.070617735, 0.013581271, 0.0013948978, 5.050189e-05, 4.810526e-07],
    [
        0.13331796,
        -0.3214575,
        -0.18852495,
        -0.06807854,
        -0.013488781,
        -0.0013938025,
        -5.0442493e-05,
        -4.7825165e-07,
    ],
    [-0.053819664, 0.10301516, 0.09651018, 0.04209887, 0.008864237, 0.0009249703, 3.300217e-05, 2.98867e-07],
    [
        0.021194357,
        0.028925003,
        -0.022793911,
        -0.017895302,
        -0.004309328,
        -0.00046196653,
        -1.665525e-05,
        -1.5342971e-07,
    ],
    [
        -0.0072468542,
        -0.046759874,
        -0.007715834,
        0.0046515423,
        0.0016722981,
        0.00019727745,
        7.919987e-06,
        8.4552745e-08,
    ],
    [
        0.0014946904,
        0.018499414,
        0.009875946,
        -3.4655426e-05,
        -0.00049439276,
        -6.376904e-05,
        -2.5345582e-06,
        -2.675447e-08,
    ],
]);

/// (cosh(g) - 1) / g^2, in g^2, for |g| <= 0.347; the error is 2^-29 of cosh(g).
const COSH_TAIL: [f32; 3] = [0.5, 0.041666266, 0.0013946355];

/// (sinh(g) / g - 1) / g^2, in g^2, for |g| <= 0.347; the error is 2^-30 of sinh(g).
const SINH_TAIL: [f32; 3] = [0.16666667, 0.008333289, 0.000199051];

/// tanh x: a polynomial for each of eight intervals, whose coefficients are looked up.
///
/// Within 0.981 ULP (every `f32`). Zeros are returned unchanged, infinities 1 with their sign.
pub(crate) struct Tanh;

impl Tabled<1, f32> for Tanh {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
        /// The bits of the `f32` one interval below [`NEAR`], which has the index 0.
        const FIRST: u32 = NEAR.to_bits() - (1 << 22);
        // From 9.02 on the result is 1.
        let a = x.size();
        let a = N::select(a.above(9.2), N::of(9.2), a);
        let near = a.below(NEAR);
        let index = N::select(near, N::of(f32::from_bits(FIRST)), a);
        let index = index.with_bits(|bits| bits.wrapping_sub(FIRST) >> 22);
        let [value, centre, c @ ..] = index.lookup(&TANH);
        let z = a - centre;
        let square = z * z;
        let t = N::select(near, square, z);
        let rest = N::select(near, square * z, z);
        rest.fma(lanes, poly(lanes, t, c), N::select(near, z, value)).signed(x)
    }
}

tabled! { f32: Tanh }

/// ln 2 minus its nearest `f32`.
const LN_2_REST: f32 = -1.904_654_3e-9;

/// From here on e^-x is negligible beside e^x, and the bits of `down` of [`Split`] would wrap.
const LARGE: f32 = 87.0;

/// The parts of `a = n ln 2 + g + rest`, for `a` from 0 to [`LARGE`].
struct Split {
    /// 2^n / 2.
    up: f32,
    /// 2^-n / 2, or 0 for the greatest `n`.
    down: f32,
    g: f32,
    rest: f32,
}

impl Split {
    #[inline(always)]
    fn of<L: Lanes>(lanes: L, a: f32) -> Split {
        let sum = a.fma(lanes, LOG2_E, ROUND);
        let n = sum - ROUND;
        let down = f32::from_bits(0.5_f32.to_bits().wrapping_sub(sum.to_bits() << 23));
        // `g` is exact: it is `a`, or both terms are multiples of 2^-25 and |g| <= 0.347.
        Split { up: scale(0.5, sum), down, g: n.fma(lanes, -LN_2, a), rest: n * -LN_2_REST }
    }

    /// Returns `even cosh(g + rest) + odd sinh(g + rest)`, where `high + low` is `even + odd g`, and `even`
    /// and `odd` are the sum and the difference of `up` and `down`, or the other way round.
    #[inline(always)]
    fn combined<L: Lanes>(&self, lanes: L, even: f32, odd: f32, high: f32, low: f32) -> f32 {
        let square = self.g * self.g;
        let cosh = even * poly(lanes, square, COSH_TAIL);
        let tail = (odd * self.g).fma(lanes, poly(lanes, square, SINH_TAIL), cosh);
        // The rest counts times the derivative, which is nearly e^a / 2; `high` differs from it by up to 8 %.
        // It matters for large `n` alone, and is 0 if `n` is.
        high + square.fma(lanes, tail, high.fma(lanes, self.rest, low))
    }
}

/// Returns half of e^a for `a` from [`LARGE`] on.
#[inline(always)]
fn half_exp<L: Lanes>(lanes: L, a: f32) -> f32 {
    // Beyond 89.5 the result is infinite.
    let (sum, g) = reduce(lanes, if a > 89.5 { 89.5 } else { a });
    scale_far(exp_rest(lanes, g), rounded(sum) - 1)
}

/// sinh x: `(2^n - 2^-n) / 2 cosh(g) + (2^n + 2^-n) / 2 sinh(g)` for `x = n ln 2 + g`.
///
/// Within 0.923 ULP (every `f32`). Zeros and infinities are returned unchanged.
pub(crate) struct Sinh;

/// cosh x: `(2^n + 2^-n) / 2 cosh(g) + (2^n - 2^-n) / 2 sinh(g)` for `x = n ln 2 + g`.
///
/// Within 0.844 ULP (every `f32`). Infinities give infinity.
pub(crate) struct Cosh;

impl Function<f32> for Sinh {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < LARGE
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let split = Split::of(lanes, x.abs());
        let (even, odd) = (split.up - split.down, split.up + split.down);
        let high = odd.fma(lanes, split.g, even);
        // From n = 12 on `even` and `odd` may have lost bits of `down`, which costs up to 0.25 ULP. `cosh`
        // adds them again. Here that would be wrong: where `high` is far below `up`, `up - high` is inexact.
        let low = odd.fma(lanes, split.g, even - high);
        with_sign(split.combined(lanes, even, odd, high, low), x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let near = Sinh::fast(lanes, if x.abs() < LARGE { x } else { 0.0 });
        if x.abs() < LARGE { near } else { with_sign(half_exp(lanes, x.abs()), x) }
    }
}

impl Function<f32> for Cosh {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < LARGE
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        let split = Split::of(lanes, x.abs());
        let (even, odd) = (split.up + split.down, split.up - split.down);
        let high = odd.fma(lanes, split.g, even);
        // From n = 12 on `even` may have lost bits of `down`.
        let low = odd.fma(lanes, split.g, split.up - high) + split.down;
        split.combined(lanes, even, odd, high, low)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let near = Cosh::fast(lanes, if x.abs() < LARGE { x } else { 0.0 });
        if x.abs() < LARGE { near } else { half_exp(lanes, x.abs()) }
    }
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
