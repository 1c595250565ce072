//! Inverse hyperbolic functions: logarithms of pairs, as for `f64`.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use super::parts::{poly_each, quick_root, with_sign};
use super::wide;
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;
use crate::math::pair::Pair;

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

/// `1.5 · 2^23`: adding it leaves an integer in the low bits.
const WHOLE: f32 = 12_582_912.0;

/// Returns k and the pair `y 2^-k`, whose first part is from 2/3 to 4/3.
#[inline(always)]
fn reduced<N: Number<f32>>(y: Pair<N>) -> (N, Pair<N>) {
    const TWO_THIRDS: u32 = 0x3f2a_aaab;
    let exponent = |bits: u32| bits.wrapping_sub(TWO_THIRDS) & 0xff80_0000;
    let k = y.hi.with_bits(|bits| WHOLE.to_bits().wrapping_add_signed(exponent(bits) as i32 >> 23));
    let hi = y.hi.with_bits(|bits| bits.wrapping_sub(exponent(bits)));
    let inverse = y.hi.with_bits(|bits| 0x3f80_0000_u32.wrapping_sub(exponent(bits)));
    (k - N::of(WHOLE), Pair::new(hi, y.lo * inverse))
}

/// 2^60: squares of smaller numbers are finite.
const LARGE: f32 = 1_152_921_504_606_846_976.0;

/// The inverse of sinh: `ln(x + root(x^2 + 1))`, with the sum as a pair.
///
/// Within 0.674 ULP (every `f32`). Zeros and infinities are returned unchanged.
pub(crate) struct Asinh;

impl Asinh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        let (one, a) = (N::of(1.0), x.size());
        let square = Pair::product(lanes, a, a);
        let radicand = Pair::sum(one, square.hi);
        let root = quick_root(lanes, Pair::new(radicand.hi, radicand.lo + square.lo));
        let y = Pair::ordered_sum(root.hi, a);
        let (k, m) = reduced(Pair::new(y.hi, y.lo + root.lo));
        let less = m.hi - one;
        let sum = Pair::ordered_sum(N::of(2.0), less);
        // Near 0 the difference of y and 1 would cancel; (y - 1) / (y + 1) is also x / (1 + root(x^2 +
        // 1)).
        let near = k.is(0.0);
        let near_sum = Pair::ordered_sum(root.hi, one);
        let difference = Pair::new(N::select(near, a, less), N::select(near, N::of(0.0), m.lo));
        let hi = N::select(near, near_sum.hi, sum.hi);
        let lo = N::select(near, near_sum.lo + root.lo, sum.lo + m.lo);
        ln_of_quotient(lanes, k, difference, Pair::new(hi, lo)).value().signed(x)
    }
}

impl Function<f32> for Asinh {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        x.abs() < LARGE
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Asinh::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let result = if Self::in_fast_domain(x) { Self::fast(lanes, x) } else { wide::asinh(lanes, x) };
        if x.abs() < f32::INFINITY { result } else { x }
    }
}

/// The inverse of cosh: `ln(x + root(x^2 - 1))`, with the sum as a pair.
///
/// Within 0.606 ULP (every `f32`). 1 gives +0, infinity gives infinity, numbers below 1 give NaN.
pub(crate) struct Acosh;

impl Acosh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N) -> N {
        let one = N::of(1.0);
        let square = Pair::product(lanes, x, x);
        let radicand = Pair::ordered_sum(square.hi, -one);
        let root = quick_root(lanes, Pair::new(radicand.hi, radicand.lo + square.lo).renormalised());
        let y = Pair::ordered_sum(x, root.hi);
        let above = Pair::ordered_sum(root.hi, x - one);
        let (k, m) = reduced(Pair::new(y.hi, y.lo + root.lo));
        let near = k.is(0.0);
        let less = N::select(near, above.hi, m.hi - one);
        let rest = N::select(near, above.lo + root.lo, m.lo);
        let sum = Pair::ordered_sum(N::of(2.0), less);
        ln_of_quotient(lanes, k, Pair::new(less, rest), Pair::new(sum.hi, sum.lo + rest)).value()
    }
}

impl Function<f32> for Acosh {
    #[inline(always)]
    fn in_fast_domain(x: f32) -> bool {
        // From 1 to below 2^60, in one comparison of bits.
        x.to_bits().wrapping_sub(0x3f80_0000) < 0x1e00_0000
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32) -> f32 {
        Acosh::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32) -> f32 {
        let result = if Self::in_fast_domain(x) { Self::fast(lanes, x) } else { wide::acosh(lanes, x) };
        let result = if x >= 1.0 { result } else { f32::NAN };
        if (x < f32::INFINITY) | x.is_nan() { result } else { x }
    }
}

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
        let k = whole.with_bits(|bits| WHOLE.to_bits().wrapping_add(bits)) - N::of(WHOLE);
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
