//! Logarithms of sums of exponentials.

use core::f64::consts::{LN_2, PI};

use super::exponential::{
    Exp, Exp2, MAX_REAL, exp_of_pairs, exp_of_pairs_any, exp2_of_pairs, exp2_of_pairs_any, reduce_times_ln2,
    times_ln2, turned, with_rest,
};
use super::logarithm::{Log, Log1p, Log2};
use super::{C, one};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::double::arc::Atan2;
use crate::math::double::log::LOG2_E;
use crate::math::double::pair::{Pair, select};
use crate::math::double::trigonometric::{MAX_ANGLE, Reduced, reduce, reduce_any};

/// ln(e^a + e^b), or with `TWO` log2(2^a + 2^b), with an imaginary part from -π to π, of base 2 from -π/ln 2
/// to π/ln 2.
///
/// The result is the exponent of the greater power plus the logarithm of 1 + their quotient, whose exponent
/// b - a is known as a sum of two. The error is that of the greater part of result and operands, and where
/// the powers cancel 2^-53 over what is left of 1.
pub(crate) struct LogOfSum<const TWO: bool>;

pub(crate) type Logaddexp = LogOfSum<false>;
pub(crate) type Logaddexp2 = LogOfSum<true>;

/// Returns the operand of the greater power, and the other one.
#[inline(always)]
fn ordered(a: C, b: C) -> [C; 2] {
    let first = (a.re > b.re) | ((a.re == b.re) & (a.im >= b.im));
    let choose = |first, a: C, b: C| C { re: select(first, a.re, b.re), im: select(first, a.im, b.im) };
    [choose(first, a, b), choose(!first, a, b)]
}

/// Returns the angle of a sum, from -π to π.
#[inline(always)]
fn principal((quarters, r): Reduced) -> f64 {
    const HALF_PI: Pair = Pair { hi: 1.5707963267948966, lo: 6.123233995736766e-17 };
    let odd = select(quarters & 1 == 0, 0.0, 1.0);
    let half = quarters & 2 != 0;
    let turn = select(half, odd - 2.0, odd);
    // Half a turn, and then back.
    let turn = select((turn == -2.0) & (r.hi <= 0.0), 2.0, turn);
    turn * HALF_PI.hi + (r.hi + (r.lo + turn * HALF_PI.lo))
}

impl<const TWO: bool> LogOfSum<TWO> {
    /// The result, of the greater exponent, the natural logarithm of what is beside its power, and the angle
    /// of their product.
    #[inline(always)]
    fn result(great: C, rest: C, angle: Reduced) -> C {
        let half_turn = if TWO { PI / LN_2 } else { PI };
        let more = if TWO { rest * LOG2_E.hi } else { rest };
        let sum = C { re: great.re + more.re, im: great.im + more.im };
        let angle = principal(angle);
        let angle = if TWO { angle * LOG2_E.hi } else { angle };
        C { re: sum.re, im: select(sum.im.abs() < half_turn, sum.im, angle) }
    }

    /// As it is written.
    fn plain(a: C, b: C) -> C {
        if TWO {
            one::<Log2>(one::<Exp2>(a) + one::<Exp2>(b))
        } else {
            one::<Log>(one::<Exp>(a) + one::<Exp>(b))
        }
    }
}

impl<const TWO: bool> Function2<C> for LogOfSum<TWO> {
    #[inline(always)]
    fn in_fast_domain(a: C, b: C) -> bool {
        // The difference is NaN for infinities and NaN.
        ((a.re - b.re).abs() < MAX_REAL) & (a.im.abs() < MAX_ANGLE / 4.0) & (b.im.abs() < MAX_ANGLE / 4.0)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, a: C, b: C) -> C {
        let [great, small] = ordered(a, b);
        let (re, im) = (Pair::sum(small.re, -great.re), Pair::sum(small.im, -great.im));
        let power = if TWO { exp2_of_pairs(lanes, re, im) } else { exp_of_pairs(lanes, re, im) };
        let rest = C { re: Log1p::real(lanes, power), im: Atan2::general(lanes, power.im, 1.0 + power.re) };
        let angle = if TWO { times_ln2(lanes, great.im) } else { Pair::new(great.im, 0.0) };
        let sum = Pair::sum(angle.hi, rest.im);
        Self::result(great, rest, with_rest(reduce(lanes, sum.hi), sum.lo + angle.lo))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, a: C, b: C) -> C {
        if Self::in_fast_domain(a, b) {
            return Self::fast(lanes, a, b);
        }
        let [great, small] = ordered(a, b);
        let nothing = small.re == f64::NEG_INFINITY;
        let numbers = great.re.is_finite()
            & great.im.is_finite()
            & (nothing | small.re.is_finite() & small.im.is_finite());
        if !numbers {
            return Self::plain(a, b);
        }
        let rest = if nothing {
            C { re: 0.0, im: 0.0 }
        } else {
            let (re, im) = (Pair::sum(small.re, -great.re), Pair::sum(small.im, -great.im));
            one::<Log1p>(if TWO { exp2_of_pairs_any(lanes, re, im) } else { exp_of_pairs_any(lanes, re, im) })
        };
        let angle = if TWO { reduce_times_ln2(lanes, great.im) } else { reduce_any(lanes, great.im) };
        Self::result(great, rest, turned(lanes, angle, reduce(lanes, rest.im)))
    }
}
