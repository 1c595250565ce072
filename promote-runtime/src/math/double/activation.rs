//! Functions of neural networks: a number times a sigmoid, and the logarithm of 1 + e^x.

use super::exp::{Power, clamp, times_power};
use super::logaddexp::Logaddexp;
use super::pair::{Pair, select};
use crate::level::Lanes;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, Tabled};

/// Returns x / (1 + e^-u) for |u| < 1100, where u has the sign of x.
#[inline(always)]
fn times_sigmoid<L: Lanes, N: Number>(lanes: L, x: N, u: Pair<N>) -> N {
    let negative = u.hi.below(0.0);
    let size = Pair::new(-u.hi.size(), select(negative, u.lo, -u.lo));
    let power = Power::of_pair(lanes, size);
    let mantissa = power.mantissa();
    let one = Pair::new(N::of(1.0), N::of(0.0));
    let below = Pair::ordered_sum(N::of(1.0), power.scale_all(lanes, mantissa.hi));
    let below = Pair::new(below.hi, below.lo + power.scale_all(lanes, mantissa.lo));
    let above = Pair::new(select(negative, mantissa.hi, one.hi), select(negative, mantissa.lo, one.lo));
    let factor = above.over(lanes, below);
    let product = x.fma(lanes, factor.hi, x * factor.lo);
    select(negative, times_power(lanes, product, power.n), product)
}

/// Returns `result` with the sign of `x`; NaN at -∞, where it is -∞ times 0, and ∞ at ∞.
#[inline(always)]
fn at_ends<N: Number>(x: N, result: N) -> N {
    let result = select(x.below(f64::MIN), N::of(f64::NAN), result);
    select(x.above(f64::MAX), x, result).signed(x)
}

/// x / (1 + e^-x): the second factor is a pair.
///
/// NaN at -∞; ±0 is returned unchanged.
pub(crate) struct Silu;

/// x·(1 + tanh v) / 2 with v = √(2 / π)·(x + 0.044715·x³), which is x / (1 + e^-2v): 2v is a pair.
///
/// NaN at -∞; ±0 is returned unchanged.
pub(crate) struct GeluTanh;

/// ln(1 + e^x), as [`Logaddexp`] of x and 0.
///
/// 0 at -∞.
pub(crate) struct Softplus;

impl Silu {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        // Below -760 the result is 0.
        let held = select(x.below(-800.0), N::of(-800.0), x);
        let u = Pair::new(clamp(x, -800.0, 800.0), N::of(0.0));
        at_ends(x, times_sigmoid(lanes, held, u))
    }
}

impl GeluTanh {
    /// 2·√(2 / π), and 0.044715 times it.
    const FIRST: Pair = Pair { hi: 1.5957691216057308, lo: -9.96930880911092e-17 };
    const THIRD: Pair = Pair { hi: 0.07135481627260025, lo: -6.175149918155315e-19 };

    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        // Beyond ±23 the factor is 0 or 1.
        let held = select(x.below(-23.0), N::of(-23.0), x);
        let near = clamp(x, -23.0, 23.0);
        let third = Pair::product(lanes, near, near).times(lanes, Self::THIRD.of());
        let sum = Pair::sum(N::of(Self::FIRST.hi), third.hi);
        let sum = Pair::new(sum.hi, sum.lo + (third.lo + N::of(Self::FIRST.lo)));
        let u = sum.renormalised().times(lanes, Pair::new(near, N::of(0.0)));
        at_ends(x, times_sigmoid(lanes, held, u))
    }
}

impl Tabled for Softplus {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        Logaddexp::each::<false, L, N>(lanes, [x, N::of(0.0)])
    }
}

total! { Silu GeluTanh }
tabled! { f64: Softplus }
