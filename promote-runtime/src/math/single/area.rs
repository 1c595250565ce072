//! Inverse hyperbolic functions: logarithms of pairs, and of a quotient of pairs.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use super::log::ln_of_pair;
use super::parts::{ROUND, poly_each, quick_root, with_sign};
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;
use crate::math::pair::Pair;
use crate::math::registers::{Lookup, Tabled};

/// (2 atanh(s) - 2 s) / s^3, in s^2, for |s| <= 0.204; the error is 2^-30 of 2 atanh(s).
const TAIL: [f32; 4] = [6.666_667e-1, 4.000_035_2e-1, 2.852_948_3e-1, 2.381_141_5e-1];

/// Returns `k ln 2` plus the logarithm of a quotient, from the difference and the sum of its two numbers:
/// twice the inverse hyperbolic tangent of difference by sum, which is at most 0.204.
#[inline(always)]
fn ln_of_quotient<L: Lanes, N: Number<f32>>(lanes: L, k: N, difference: Pair<N>, sum: Pair<N>) -> Pair<N> {
    let inverse = N::of(1.0) / sum.hi;
    let s = difference.hi * inverse;
    let rest = (-s).fma(lanes, sum.hi, difference.hi) + (-s).fma(lanes, sum.lo, difference.lo);
    let square = s * s;
    let higher = (s * square) * poly_each(lanes, square, TAIL);
    let twice = Pair::ordered_sum(k * N::of(LN_2_HIGH), s + s);
    let lo = (rest + rest).fma(lanes, inverse, higher) + twice.lo;
    Pair::new(twice.hi, k.fma(lanes, N::of(LN_2_LOW), lo))
}

/// 2^60: squares of smaller numbers are finite.
const LARGE: f32 = 1_152_921_504_606_846_976.0;

/// Returns ln y, or ln 2a if `a` is [`LARGE`] or more, where `y` is no longer right.
#[inline(always)]
fn ln_or_twice<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, y: Pair<N>, a: N) -> N {
    if const { FAST } {
        return ln_of_pair(lanes, y, N::of(0.0));
    }
    // Times 2^-64, because the scale of the second part is infinite for numbers near 2^128.
    let scaled = a * N::of(5.421_010_9e-20);
    let small = a.below(LARGE);
    let y = Pair::new(N::select(small, y.hi, scaled), N::select(small, y.lo, N::of(0.0)));
    ln_of_pair(lanes, y, N::select(small, N::of(0.0), N::of(-65.0)))
}

/// (asinh(x) - x) / x^3, in x^2, for |x| <= 1/8; the error is 2^-27 of asinh(x).
const ASINH_TAIL: [f32; 2] = [-0.16666204, 0.07403986];

/// The inverse of sinh: `ln(x + root(x^2 + 1))`, with the sum as a pair; below 1/8 a polynomial.
///
/// Within 0.637 ULP (every `f32`). Zeros and infinities are returned unchanged.
pub(crate) struct Asinh;

impl Tabled<1, f32> for Asinh {
    #[inline(always)]
    fn in_domain<N: Lookup<f32>>([x]: [N; 1]) -> N::Mask {
        x.below(LARGE) & x.above(-LARGE)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
        let a = x.size();
        let square = Pair::product(lanes, a, a);
        let radicand = Pair::sum(N::of(1.0), square.hi);
        let root = quick_root(lanes, Pair::new(radicand.hi, radicand.lo + square.lo));
        let y = Pair::ordered_sum(root.hi, a);
        let far = ln_or_twice::<FAST, L, N>(lanes, Pair::new(y.hi, y.lo + root.lo), a);
        let near = a.fma(lanes, square.hi * poly_each(lanes, square.hi, ASINH_TAIL), a);
        let result = N::select(a.below(0.125), near, far).signed(x);
        if const { FAST } { result } else { N::select(a.below(f32::INFINITY), result, x) }
    }
}

/// The inverse of cosh: `ln(x + root(x^2 - 1))`, with the sum as a pair.
///
/// Within 0.747 ULP (every `f32`). 1 gives +0, infinity gives infinity, numbers below 1 give NaN.
pub(crate) struct Acosh;

impl Tabled<1, f32> for Acosh {
    #[inline(always)]
    fn in_domain<N: Lookup<f32>>([x]: [N; 1]) -> N::Mask {
        x.below(LARGE) & !x.below(1.0)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup<f32>>(lanes: L, [x]: [N; 1]) -> N {
        let square = Pair::product(lanes, x, x);
        let radicand = Pair::ordered_sum(square.hi, N::of(-1.0));
        // The second part is at most 2^-13 of the first, at x = 1 + 2^-12.
        let root = quick_root(lanes, Pair::new(radicand.hi, radicand.lo + square.lo));
        let y = Pair::ordered_sum(x, root.hi);
        let result = ln_or_twice::<FAST, L, N>(lanes, Pair::new(y.hi, y.lo + root.lo), x);
        if const { FAST } {
            return result;
        }
        let result = N::select(x.below(f32::INFINITY), result, x);
        N::select(x.below(1.0), N::of(f32::NAN), result)
    }
}

tabled! { f32: Asinh Acosh }

/// The inverse of tanh: `ln((1 + x) / (1 - x)) / 2`, with both as pairs.
///
/// Within 0.613 ULP (every `f32`). Zeros are returned unchanged, 1 and -1 infinities; beyond is NaN.
pub(crate) struct Atanh;

impl Atanh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        let (one, a) = (N::of(1.0), x.size());
        let (more, less) = (Pair::ordered_sum(one, a), Pair::ordered_sum(one, -a));
        // The bits are nearly a logarithm: the difference, rounded to an integer, is the k for which
        // `less 2^k` is from 2/3 to 3/2 of `more`.
        let whole = more.hi.with_bits_of(less.hi, |a, b| a.wrapping_sub(b).wrapping_add(1 << 22) >> 23);
        let k = whole.with_bits(|bits| ROUND.to_bits().wrapping_add(bits)) - N::of(ROUND);
        let less = less.scaled(whole.with_bits(|bits| bits.wrapping_add(127) << 23));
        let difference = more.hi - less.hi;
        // All of these are exact; where k is 0, both parts of the difference together are 2 a.
        let sum = more.hi + less.hi;
        let lost = ((more.hi + more.hi) - sum) - difference;
        let rest = more.lo - less.lo;
        let sum = Pair::new(sum, lost + (more.lo + less.lo));
        let result = ln_of_quotient(lanes, k, Pair::new(difference, rest), sum).value();
        (N::of(0.5) * result).signed(x)
    }
}

impl Function<f32> for Atanh {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < 1.0
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Atanh::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let result = Self::fast(lanes, x);
        let result = if x.abs() < 1.0 { result } else { f32::NAN };
        if x.abs() == 1.0 { with_sign(f32::INFINITY, x) } else { result }
    }
}
