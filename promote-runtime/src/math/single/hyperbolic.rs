//! Hyperbolic functions.

use core::f32::consts::{LN_2, LOG2_E};

use super::exp::{Exp, exp_parts, exp_rest, reduce};
use super::parts::{ROUND, poly, rounded, scale, scale_each, scale_far, with_sign};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, ShortTable, Tabled};
use crate::math::{Function, Real};

/// The least number of the second part of [`TANH`].
const NEAR: f32 = f32::from_bits(0x3f33_0000);

/// tanh in sixteen parts: the value at a centre, the centre, and the coefficients in `z`, which is the
/// distance from it, of (tanh(x) - value) / z. The first part, up to [`NEAR`], has the coefficients in x^2 of
/// (tanh(x) - x) / x^3. A part is a quarter of the numbers between two powers of two. The error is 2^-25 of
/// tanh(x) in the first part, 2^-26 in the others; the centres are such that the values are nearly `f32`.
static TANH: ShortTable<7, 16> = ShortTable::new([
    [
        0.0, 0.6416369, 0.7089806, 0.78217614, 0.85398793, 0.9087216, 0.94422185, 0.97039384, 0.98765635,
        0.99557143, 0.998341, 0.9995468, 0.99992496, 0.99998975, 0.9999988, 0.9999999,
    ],
    [
        0.0, 0.7609512, 0.88513124, 1.0509518, 1.2707025, 1.5201375, 1.7756175, 2.099003, 2.540785, 3.055305,
        3.546936, 4.1960773, 5.0952845, 6.09059, 7.1664734, 8.317766,
    ],
    [
        -0.33333188,
        0.5883021,
        0.4973465,
        0.3882005,
        0.27070463,
        0.174225,
        0.10844509,
        0.058335803,
        0.02453492,
        0.008837522,
        0.0033151999,
        0.0009061431,
        0.00015007907,
        2.0503834e-05,
        2.3843406e-06,
        2.3832887e-07,
    ],
    [
        0.13329113,
        -0.37747633,
        -0.35260907,
        -0.30364174,
        -0.23117957,
        -0.15832253,
        -0.102396354,
        -0.05660846,
        -0.024231236,
        -0.008797968,
        -0.0033095286,
        -0.000905415,
        -0.00014993451,
        -2.048556e-05,
        -2.3824557e-06,
        -2.3724603e-07,
    ],
    [
        -0.053559277,
        0.046101943,
        0.084210426,
        0.108102225,
        0.10718681,
        0.08579468,
        0.06053674,
        0.035487555,
        0.01575553,
        0.0058128,
        0.0021990945,
        0.0006031668,
        9.9982506e-05,
        1.3666435e-05,
        1.5812275e-06,
        1.6032521e-07,
    ],
    [
        0.020093683,
        0.09624767,
        0.057900596,
        0.016898118,
        -0.014196875,
        -0.025063368,
        -0.022995202,
        -0.015591756,
        -0.0075366613,
        -0.002881519,
        -0.0011032255,
        -0.00030905887,
        -5.2118547e-05,
        -7.123337e-06,
        -8.236537e-07,
        -8.73625e-08,
    ],
    [
        -0.005140679,
        -0.063944615,
        -0.05785917,
        -0.04064247,
        -0.017245114,
        -0.0018021605,
        0.003921494,
        0.0045583467,
        0.002670016,
        0.0011217946,
        0.0004340714,
        0.00012238984,
        2.0641644e-05,
        2.801071e-06,
        3.698177e-07,
        3.0351764e-08,
    ],
]);

/// (cosh(g) - 1) / g^2, in g^2, for |g| <= 0.347; the error is 2^-29 of cosh(g).
const COSH_TAIL: [f32; 3] = [0.5, 0.041666266, 0.0013946355];

/// (sinh(g) / g - 1) / g^2, in g^2, for |g| <= 0.347; the error is 2^-30 of sinh(g).
const SINH_TAIL: [f32; 3] = [0.16666667, 0.008333289, 0.000199051];

/// tanh x: a polynomial of each of sixteen parts, whose coefficients are looked up.
///
/// Within 0.912 ULP (every `f32`). Zeros are returned unchanged, infinities 1 with their sign.
pub(crate) struct Tanh;

impl Tabled<1, f32> for Tanh {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
        /// The bits of the number a part below [`NEAR`].
        const FIRST: u32 = NEAR.to_bits() - (1 << 21);
        // From 9.02 on the result is 1.
        let a = x.size();
        let a = N::select(a.above(9.18), N::of(9.18), a);
        let near = a.below(NEAR);
        let index = N::select(near, N::of(f32::from_bits(FIRST)), a);
        let index = index.with_bits(|bits| bits.wrapping_sub(FIRST) >> 21);
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

/// From here on e^-x is negligible beside e^x, and 2^n of [`Split`] would not be normal.
const LARGE: f32 = 87.0;

/// The parts of `a = n ln 2 + g + rest`, for `a` from 0 to [`LARGE`].
struct Split {
    /// 2^n / 2.
    up: f32,
    /// 2^-n / 2.
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
        // `g` is exact, because both terms are multiples of 2^-25 and |g| <= 0.347.
        Split { up: scale(0.5, sum), down, g: n.fma(lanes, -LN_2, a), rest: n * -LN_2_REST }
    }

    /// Returns `even cosh(g + rest) + odd sinh(g + rest)`, where `high + low` is `even + odd g`, and `even`
    /// and `odd` are the sum and the difference of `up` and `down`, or the other way round.
    #[inline(always)]
    fn combined<L: Lanes>(&self, lanes: L, even: f32, odd: f32, high: f32, low: f32) -> f32 {
        let square = self.g * self.g;
        let cosh = even * poly(lanes, square, COSH_TAIL);
        let tail = (odd * self.g).fma(lanes, poly(lanes, square, SINH_TAIL), cosh);
        // The rest is 0 if `n` is. Otherwise the derivative of the result is near enough to the result.
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
/// Within 0.944 ULP (every `f32`). Zeros and infinities are returned unchanged.
pub(crate) struct Sinh;

/// cosh x: `(2^n + 2^-n) / 2 cosh(g) + (2^n - 2^-n) / 2 sinh(g)` for `x = n ln 2 + g`.
///
/// Within 0.823 ULP (every `f32`). Infinities give infinity.
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
