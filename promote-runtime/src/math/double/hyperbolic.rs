//! The hyperbolic functions, from e^x - 1 as a sum of two numbers.

use super::exp::{Power, TINY, clamp, part_of_expm1};
use super::pair::{Pair, select};
use crate::level::Lanes;
use crate::math::Function;

/// tanh x = -w / (1 + w) with w = (e^(-2·|x|) - 1) / 2, the quotient with its rest.
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
        let size = x.abs();
        let w = part_of_expm1::<L, 1>(lanes, -2.0 * select(size > 20.0, 20.0, size));
        let below = Pair::ordered_sum(1.0, w.hi).plus(w.lo);
        w.over(lanes, below).value().copysign(x)
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
