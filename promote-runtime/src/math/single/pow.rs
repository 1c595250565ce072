//! Powers.
//!
//! `2^(y log2 x)` with the logarithm as a pair of `f32`, whose first part holds the integer part. The pair
//! has 32 correct bits, so the product with `y` has an error of 2^-25 even near the ends of the range.

use super::exp::exp2_sum;
use super::parts::{ROUND, poly_each, positive_normal, scale_each, scale_far_each};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::batch::Number;

/// 2 log2(e) in two parts.
const TWICE: f32 = 2.0 * core::f32::consts::LOG2_E;
const TWICE_LOW: f32 = 3.851_926e-8;

/// (log2((1 + s) / (1 - s)) - 2 log2(e) s) / s^3, in s^2, for |s| <= 0.0745; the error is 2^-38 of `s`.
const TAIL: [f32; 3] = [9.617_967e-1, 5.770_685e-1, 4.154_507_5e-1];

/// The bits of the least `m`: 0.69.
const MIN_BITS: u32 = 0x3f30_a3d7;

/// Returns log2 x of a positive normal `x`, minus the integer `zero - ROUND`, as a pair. The second part is
/// at most 2^-9 of the first.
#[inline(always)]
fn log2<L: Lanes, N: Number<f32>>(lanes: L, x: N, zero: N) -> (N, N) {
    // x = 2^k m, and m = (1 + z) / r, where r has few enough bits that z is exact, and |z| < 0.138.
    let exponent = |bits: u32| bits.wrapping_sub(MIN_BITS) & 0xff80_0000;
    let k = x.with_bits(|bits| ROUND.to_bits().wrapping_add_signed(exponent(bits) as i32 >> 23));
    let k = k - zero;
    let m = x.with_bits(|bits| bits.wrapping_sub(exponent(bits)));
    let (below, above) = (m.below(0.88), m.above(1.11));
    let three = |less: f32, more: f32, middle: f32| {
        N::select(below, N::of(less), N::select(above, N::of(more), N::of(middle)))
    };
    let r = three(1.25, 0.8125, 1.0);
    // -log2 r; its first part has few enough bits that the sum with `k` is exact.
    let high = three(-3.219_299_3e-1, 2.995_605_5e-1, 0.0);
    let low = three(1.836_753_3e-6, -2.650_161e-7, 0.0);
    let whole = k + high;
    let z = m.fma(lanes, r, N::of(-1.0));
    // s = z / (2 + z), and its rounding error: `z - 2 s` is exact.
    let reciprocal = N::of(1.0) / (N::of(2.0) + z);
    let s = z * reciprocal;
    let rest = s.fma(lanes, N::of(-2.0), z);
    let rest = s.fma(lanes, -z, rest) * reciprocal;
    let square = s * s;
    // The derivative of the logarithm by `s` is 2 log2(e) / (1 - s^2).
    let rest = rest.fma(lanes, square, rest);
    let sum = s.fma(lanes, N::of(TWICE), whole);
    // Exact, because `whole` is 0 or the larger one.
    let low = low + s.fma(lanes, N::of(TWICE), whole - sum);
    let low = s.fma(lanes, N::of(TWICE_LOW), low);
    let low = rest.fma(lanes, N::of(TWICE), low);
    (sum, (s * square).fma(lanes, poly_each(lanes, square, TAIL), low))
}

/// x^y, as C's `pow`, with the logarithm as a pair.
///
/// Within 0.94 ULP (300 million pairs, all of them powers that fill the range). 1 if `y` is 0 or `x` is 1,
/// even beside NaN; NaN if `x` is negative and `y` is not an integer.
pub(crate) struct Pow;

impl Pow {
    /// Computes [`Function2::fast`] for one pair or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number<f32>>(lanes: L, x: N, y: N) -> N {
        let (high, low) = log2(lanes, x, N::of(ROUND));
        let e = high * y;
        let e_low = low.fma(lanes, y, high.fma(lanes, y, -e));
        let sum = (e + e_low) + N::of(ROUND);
        let f = (e - (sum - N::of(ROUND))) + e_low;
        scale_each(exp2_sum(lanes, f), sum)
    }

    /// Computes [`Function2::general`] for one pair or a batch.
    #[inline(always)]
    pub(crate) fn each_any<L: Lanes, N: Number<f32>>(lanes: L, x: N, y: N) -> N {
        let a = x.size();
        let small = a.below(f32::MIN_POSITIVE);
        let zero = N::select(small, N::of(ROUND + 23.0), N::of(ROUND));
        let (high, low) = log2(lanes, N::select(small, a * N::of(8_388_608.0), a), zero);
        let product = high * y;
        let e = N::select(product.below(-160.0), N::of(-160.0), product);
        let e = N::select(e.above(160.0), N::of(160.0), e);
        let e_low = low.fma(lanes, y, high.fma(lanes, y, -e));
        let e_low = N::select(e.same(product), e_low, N::of(0.0));
        let sum = (e + e_low) + N::of(ROUND);
        let f = (e - (sum - N::of(ROUND))) + e_low;
        special(x, y, scale_far_each(exp2_sum(lanes, f), sum))
    }
}

impl Function2<f32> for Pow {
    const HAS_TRIVIAL_RESULTS: bool = true;

    #[inline(always)]
    fn in_fast_domain(x: f32, y: f32) -> bool {
        // The bits as an integer approximate the logarithm within 0.09, and are at least 0.69 of it.
        let rough = x.to_bits().wrapping_sub(0x3f80_0000) as i32 as f32;
        positive_normal(x) & ((rough * y).abs() < 86.0 * 8_388_608.0)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        Pow::each(lanes, x, y)
    }

    /// The result for +0, which occurs among integers that were converted to floats.
    #[inline(always)]
    fn trivial_result(x: f32, y: f32) -> Option<f32> {
        let end = if y < 0.0 { f32::INFINITY } else { 0.0 };
        let end = if y == 0.0 { 1.0 } else { end };
        ((x.to_bits() == 0) & !y.is_nan()).then_some(end)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f32, y: f32) -> f32 {
        Pow::each_any(lanes, x, y)
    }
}

/// Returns true if `a`, which is not negative, has no fraction. Infinity has none.
#[inline(always)]
fn whole<N: Number<f32>>(a: N) -> N::Mask {
    // 2^23: from here on every number is an integer.
    let from = N::of(8_388_608.0);
    !a.below(8_388_608.0) | ((a + from) - from).same(a)
}

/// Returns the special value of C99, Annex F, or `result` with its sign. `result` is |x|^y for a finite |x|
/// other than 0 and a finite y.
#[inline(always)]
fn special<N: Number<f32>>(x: N, y: N, result: N) -> N {
    let (zero, one, infinity, a) = (N::of(0.0), N::of(1.0), N::of(f32::INFINITY), x.size());
    let (none, endless) = (a.is(0.0), a.is(f32::INFINITY));
    let end = N::select(none ^ y.below(0.0), zero, infinity);
    let result = N::select(none | endless, end, result);
    let result = N::select(a.is(1.0), one, result);
    let integer = whole(y.size());
    let odd = integer & !whole(y.size() * N::of(0.5));
    let result = N::select(x.below(0.0) & !integer & !endless, N::of(f32::NAN), result);
    let negative = x.with_bits(|bits| bits >> 31).odd();
    let result = N::select(odd & negative, -result, result);
    let result = N::select(!x.same(x) | !y.same(y), x + y, result);
    N::select(x.is(1.0) | y.is(0.0), one, result)
}
