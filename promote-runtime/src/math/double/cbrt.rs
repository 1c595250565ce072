//! The cube root.

use super::pair::{polynomial, select};
use crate::level::Lanes;
use crate::math::batch::Number;

/// r^(-⅓) for r from 0.89 to 1.115: the error is below 2^-22. `tests/data/fit_erf.py` prints it.
const CBRT: [f64; 5] =
    [1.8746054547896525, -1.8791597271404907, 1.6120591466996748, -0.751733895682637, 0.14422900571820169];

/// x^⅓: an estimate from a third of the bits, the estimate times a polynomial in its cube by x, rounded to 26
/// bits, and a step of Newton's method, of which only the last two operations are rounded noticeably.
///
/// NaN, infinities and ±0 are returned unchanged.
pub(crate) struct Cbrt;

impl Cbrt {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        /// 2^54, which makes every subnormal number normal, and the cube root of its inverse.
        const UP: f64 = 18_014_398_509_481_984.0;
        const DOWN: f64 = 1.0 / 262_144.0;
        /// Two thirds of the bits of 1, and a correction that halves the greatest error.
        const BIAS: u64 = 715_094_163 << 32;
        let size = x.size();
        let small = size.below(f64::MIN_POSITIVE);
        let a = select(small, size * N::of(UP), size);
        // A third of the upper 32 bits, by a product of 64 bits.
        let t = a.with_bits(|bits| ((((bits >> 32) * 0xaaaa_aaab) >> 33) << 32).wrapping_add(BIAS));
        let cube = (t * t) * (t / a);
        let t = t * polynomial(lanes, cube, &CBRT);
        // The square of 26 bits is exact.
        let t = t.with_bits(|bits| bits.wrapping_add(1 << 26) & !((1 << 27) - 1));
        let quotient = a / (t * t);
        let step = (quotient - t) / (t + t + quotient);
        let root = t.fma(lanes, step, t);
        let root = select(small, root * N::of(DOWN), root).signed(x);
        let finite = size.above(0.0) & size.below(f64::INFINITY);
        select(finite, root, x)
    }
}

total! { Cbrt }
