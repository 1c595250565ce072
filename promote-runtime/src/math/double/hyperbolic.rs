//! The hyperbolic functions, from e^x or e^x - 1 as a sum of two numbers.

use super::exp::{Power, TINY, clamp, part_of_expm1};
use super::pair::{Pair, polynomial, select};
use crate::level::Lanes;
use crate::math::{Function, Real};

/// (tanh x - x) / x³ in x² for |x| <= 0.8: the error is below 2^-56 of tanh x.
const TANH: [f64; 13] = [
    -0.33333333333333065,
    0.13333333333299816,
    -0.053968253953516614,
    0.021869488209231097,
    -0.008863231241570678,
    0.003592091759409641,
    -0.001455625982802432,
    0.0005891890088057431,
    -0.0002367280510552253,
    9.199691941961747e-05,
    -3.210810605943191e-05,
    8.576933714208414e-06,
    -1.2402633153887272e-06,
];

/// tanh x: a polynomial up to 0.8, beyond it 1 - 2 / (e^2x + 1), of which the divisor is rounded once.
///
/// Both are computed for every lane. A single form, (e^2x - 1) / (e^2x + 1) with its rests, is a longer chain and slower.
pub(crate) struct Tanh;

impl Function<f64> for Tanh {
    #[inline(always)]
    fn usual(_: f64) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Tanh::full(lanes, x)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f64) -> f64 {
        // From 20 on the result is 1.
        let size = select(x.abs() > 20.0, 20.0, x.abs());
        let square = size * size;
        let near = (size * square).fma(lanes, polynomial(lanes, square, &TANH), size);

        let power = Power::of(lanes, size + size);
        let (scale, sum) = (power.power(0), Pair::ordered_sum(1.0, power.r));
        // 2^n·(1 + r) + 1 without an error; the product is exact.
        let divisor = scale.fma(lanes, sum.hi, 1.0);
        let lost = 1.0 - (-scale).fma(lanes, sum.hi, divisor);
        let far = 1.0 - 2.0 / (divisor + scale.fma(lanes, sum.lo + power.tail, lost));
        select(size < 0.8, near, far).copysign(x)
    }
}

/// sinh x = w + w / e^|x| with w = (e^|x| - 1) / 2, all of it a fourth while it is added; ±0 is kept.
pub(crate) struct Sinh;

impl Function<f64> for Sinh {
    #[inline(always)]
    fn usual(_: f64) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Sinh::full(lanes, x)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f64) -> f64 {
        let size = x.abs();
        let w = part_of_expm1::<L, 3>(lanes, select(size > 711.0, 711.0, size));
        // From 40 on the quotient is nothing beside w; without it nothing overflows.
        let large = size > 40.0;
        let part = Pair::new(select(large, 0.125, w.hi), select(large, 0.0, w.lo));
        let power = Pair::sum(1.0, 8.0 * part.hi).plus(8.0 * part.lo);
        let quotient = part.over(lanes, power);
        let sum = Pair::ordered_sum(w.hi, quotient.hi);
        let result = 4.0 * (sum.hi + (sum.lo + (w.lo + quotient.lo)));
        select(size < TINY, x, result.copysign(x))
    }
}

/// cosh x = (e^|x| + e^-|x|) / 2, the first as a sum of two numbers; a fourth while it is added.
pub(crate) struct Cosh;

impl Function<f64> for Cosh {
    #[inline(always)]
    fn usual(_: f64) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Cosh::full(lanes, x)
    }

    #[inline(always)]
    fn full<L: Lanes>(lanes: L, x: f64) -> f64 {
        let power = Power::of(lanes, clamp(x.abs(), 0.0, 711.0));
        let up = power.mantissa().scaled(power.power(-3));
        let down = Pair::new(1.0 / 64.0, 0.0).over(lanes, up);
        let sum = Pair::ordered_sum(up.hi, down.hi);
        4.0 * (sum.hi + (sum.lo + (up.lo + down.lo)))
    }
}
