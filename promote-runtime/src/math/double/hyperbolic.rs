//! Hyperbolic functions, from e^x or e^x - 1 as a pair.

use super::exp::{Opposite, Power, TINY};
use super::pair::{Pair, polynomial, polynomial_from, select};
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, Tabled};

/// (tanh x - x) / x³ in x² for |x| <= 0.9, as the quotient of two polynomials: the error is below 2^-56 of
/// tanh x.
///
/// The constant terms are -⅓ and 1.
const ABOVE: [f64; 3] = [-0.02141215314634446, -0.00024340518095944063, -1.730771850624416e-08];
const BELOW: [f64; 3] = [0.46423645943903313, 0.024520037413734288, 0.00025443906409301277];

/// tanh x: x plus x times a quotient of polynomials up to 0.8, beyond it 1 - 2 / (e^2x + 1), of which the
/// divisor is rounded once.
///
/// Both are computed for every lane, but for the division. A single form, (e^2x - 1) / (e^2x + 1) with its
/// rests, is a longer chain and slower.
///
/// Error 0.98 in 3.9 million samples, just above 0.8 (bound by analysis: 0.995). ±1 at the ends; ±0 is
/// returned unchanged.
pub(crate) struct Tanh;

impl Tanh {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let one = N::of(1.0);
        // From 20 on the result is 1.
        let size = select(x.size().above(20.0), N::of(20.0), x.size());
        let square = size * size;
        let above = square * polynomial_from(lanes, square, -1.0 / 3.0, &ABOVE);
        let below = polynomial_from(lanes, square, 1.0, &BELOW);

        let power = Power::of(lanes, size + size);
        let (scale, sum) = (power.power(0), Pair::ordered_sum(one, power.r));
        // 2^n·(1 + r) + 1 without an error; the product is exact.
        let divisor = scale.fma(lanes, sum.hi, one);
        let lost = one - (-scale).fma(lanes, sum.hi, divisor);
        let divisor = divisor + scale.fma(lanes, sum.lo + power.tail, lost);

        let near = size.below(0.8);
        let quotient = select(near, above, N::of(-2.0)) / select(near, below, divisor);
        let factor = select(near, size, one);
        factor.fma(lanes, quotient, factor).signed(x)
    }
}

impl Function<f64> for Tanh {
    #[inline(always)]
    fn in_fast_domain(_: f64) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Tanh::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        Tanh::each(lanes, x)
    }
}

/// (sinh r - r) / r³ in r² for |r| <= ln 2 / 32: the error is below 2^-67 of sinh r.
const SINH: [f64; 3] = [0.16666666666666669, 0.008333333332992049, 0.0001984146379930815];

/// (cosh r - 1) / r² in r² for |r| <= ln 2 / 32: the error is below 2^-64.
const COSH: [f64; 3] = [0.5000000000000001, 0.0416666666635951, 0.0013889063451309521];

/// sinh x = cosh a·sinh r + sinh a·cosh r, where a is a multiple of ln 2 / 16 and r the remainder, which is
/// all of a small x; ±0 is returned unchanged. The second part of cosh a is left out, which costs
/// at most 0.1 units.
///
/// Error 0.60 in 14 million samples. ±∞ beyond the range.
pub(crate) struct Sinh;

/// cosh x = cosh a·cosh r + sinh a·sinh r, as [`Sinh`].
///
/// Error 0.56 in 4.2 million samples. ∞ beyond the range; 1 at ±0.
pub(crate) struct Cosh;

/// Returns |x|, at most 711 if `FAST` is false: from there on results are infinite.
#[inline(always)]
fn size<const FAST: bool, N: Number>(x: N) -> N {
    let size = x.size();
    if FAST { size } else { select(size.above(711.0), N::of(711.0), size) }
}

impl Tabled for Sinh {
    #[inline(always)]
    fn in_domain<N: Lookup>([x]: [N; 1]) -> N::Mask {
        x.size().below(700.0)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let size = size::<FAST, N>(x);
        let Opposite { sum: cosh, difference: sinh, r } = Opposite::of::<FAST, L>(lanes, size);
        let square = r.hi * r.hi;
        let third = (r.hi * square).fma(lanes, polynomial(lanes, square, &SINH), r.lo);
        let first = Pair::product(lanes, cosh.hi, r.hi);
        let result = Pair::ordered_sum(sinh.hi, first.hi);
        let lo = cosh.hi.fma(lanes, third, (result.lo + sinh.lo) + first.lo);
        let lo = (sinh.hi * square).fma(lanes, polynomial(lanes, square, &COSH), lo);
        let result = result.hi + lo;
        if FAST {
            return result.signed(x);
        }
        // A quarter of a small x may have lost its last bits.
        select(size.below(TINY), size, N::of(4.0) * result).signed(x)
    }
}

impl Tabled for Cosh {
    #[inline(always)]
    fn in_domain<N: Lookup>([x]: [N; 1]) -> N::Mask {
        x.size().below(700.0)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let Opposite { sum: cosh, difference: sinh, r } = Opposite::of::<FAST, L>(lanes, size::<FAST, N>(x));
        let square = r.hi * r.hi;
        let sinh_r = (r.hi * square).fma(lanes, polynomial(lanes, square, &SINH), r.hi);
        let lo = (cosh.hi * square).fma(lanes, polynomial(lanes, square, &COSH), cosh.lo);
        let result = cosh.hi + sinh.hi.fma(lanes, sinh_r, lo);
        if FAST { result } else { N::of(4.0) * result }
    }
}

tabled! { f64: Sinh Cosh }
