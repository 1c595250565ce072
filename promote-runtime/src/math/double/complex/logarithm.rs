//! Logarithms: that of the absolute value, from its square as a pair, and the angle.

use super::{C, size};
use crate::each;
use crate::level::Lanes;
use crate::math::double::arc::Atan2;
use crate::math::double::exp::LN2;
use crate::math::double::log::{self, LOG2_E, LOG10_E, ln_of_pair};
use crate::math::double::pair::{Pair, select};
use crate::math::{Function, Function2};

/// Between them a square and its rounding error are normal.
const TWO_480: f64 = f64::from_bits((1023 + 480) << 52);
const TWO_M450: f64 = f64::from_bits((1023 - 450) << 52);

/// ½ ln(1 + d), where `one` is 1, or ½ ln d, where it is 0; to some 2^-59 of itself.
#[inline(always)]
fn half_ln<L: Lanes>(lanes: L, d: Pair, one: f64, more: f64) -> Pair {
    let sum = Pair::sum(one, d.hi);
    let ln = ln_of_pair(lanes, Pair::ordered_sum(sum.hi, sum.lo + d.lo), more);
    // Two terms of the series.
    let near = (one != 0.0) & (d.hi.abs() < 1e-10);
    let rest = d.lo - 0.5 * d.hi * d.hi;
    Pair::new(0.5 * select(near, d.hi, ln.hi), 0.5 * select(near, rest, ln.lo))
}

/// Returns the sum of `a`, `b` and `rest`, which is much smaller than they are, unless they cancel.
#[inline(always)]
fn sum_of_three(a: f64, b: f64, rest: Pair) -> Pair {
    let sum = Pair::sum(a, b);
    let less = Pair::sum(sum.lo, rest.hi);
    let all = Pair::sum(sum.hi, less.hi);
    Pair::new(all.hi, all.lo + (less.lo + rest.lo))
}

/// Returns true if 1 is to be subtracted from a square before it is added to another.
#[inline(always)]
fn is_near_one(square: f64) -> bool {
    (square >= 0.5) & (square <= 2.0)
}

/// ln |2^(`more` / 2)·z|, where the greater part is between 2^-450 and 2^480: of the sum of the squares less
/// 1, where that is near 1; each square is a sum of two.
#[inline(always)]
pub(super) fn ln_abs<L: Lanes>(lanes: L, z: C, more: f64) -> Pair {
    let (re, im) = (z.re.abs(), z.im.abs());
    let (large, small) = (select(re < im, im, re), select(re < im, re, im));
    let (large, small) = (Pair::product(lanes, large, large), Pair::product(lanes, small, small));
    let one = select(is_near_one(large.hi), 1.0, 0.0);
    let d = sum_of_three(large.hi - one, small.hi, Pair::sum(large.lo, small.lo));
    half_ln(lanes, d, one, more)
}

/// Returns ln |z| for any z.
#[inline(always)]
pub(super) fn ln_abs_any<L: Lanes>(lanes: L, z: C) -> Pair {
    const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
    let value = match () {
        () if z.re.is_infinite() || z.im.is_infinite() => f64::INFINITY,
        () if z.re.is_nan() || z.im.is_nan() => f64::NAN,
        () if z.re == 0.0 && z.im == 0.0 => f64::NEG_INFINITY,
        () => {
            let size = size(z);
            let (scale, more) = match () {
                () if size > TWO_480 => (1.0 / TWO_600, 1200.0),
                () if size < TWO_M450 => (TWO_600, -1200.0),
                () => (1.0, 0.0),
            };
            return ln_abs(lanes, z * scale, more);
        }
    };
    Pair::new(value, 0.0)
}

/// Returns ln |2z| for any z.
#[inline(always)]
pub(super) fn ln_twice_abs_any<L: Lanes>(lanes: L, z: C) -> f64 {
    let ln = ln_abs_any(lanes, z);
    ln.hi + (ln.lo + LN2.hi)
}

/// Returns true if both the logarithm of the absolute value and the angle are in the fast domain.
#[inline(always)]
pub(super) fn in_domain(z: C) -> bool {
    (size(z) >= TWO_M450) & Atan2::in_fast_domain(z.im, z.re)
}

/// Returns the logarithm of a z in the fast domain, with pairs as parts.
#[inline(always)]
pub(super) fn ln<L: Lanes>(lanes: L, z: C) -> [Pair; 2] {
    [ln_abs(lanes, z, 0.0), Atan2::pair(lanes, z.im, z.re)]
}

/// Returns the logarithm of any z.
#[inline(always)]
pub(super) fn ln_any<L: Lanes>(lanes: L, z: C) -> [Pair; 2] {
    [ln_abs_any(lanes, z), Pair::new(Atan2::general(lanes, z.im, z.re), 0.0)]
}

macro_rules! logarithms {
    ($($(#[$doc:meta])* $name:ident |$lanes:ident, $ln:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Function<C> for $name {
            #[inline(always)]
            fn in_fast_domain(z: C) -> bool {
                in_domain(z)
            }

            #[inline(always)]
            fn fast<L: Lanes>($lanes: L, z: C) -> C {
                let [re, im] = each::map(ln($lanes, z), |$ln| $value);
                C { re, im: im.copysign(z.im) }
            }

            #[inline(always)]
            fn general<L: Lanes>($lanes: L, z: C) -> C {
                if in_domain(z) {
                    return Self::fast($lanes, z);
                }
                let [re, im] = each::map(ln_any($lanes, z), |$ln| if $ln.hi.is_finite() { $value } else { $ln.hi });
                C { re, im: im.copysign(z.im) }
            }
        }
    )*};
}

logarithms! {
    /// ln z = ln |z| + i·the angle from -π to π; the cut is left of 0.
    Log |_lanes, ln| ln.value();
    /// The base-2 logarithm: the natural one times 1 / ln 2.
    Log2 |lanes, ln| ln.times(lanes, LOG2_E).value();
    /// The base-10 logarithm: the natural one times 1 / ln 10.
    Log10 |lanes, ln| ln.times(lanes, LOG10_E).value();
}

/// ln(1 + z): the logarithm of the absolute value from 2x + x² + y² where 1 plus that is near 1, the angle
/// from 1 + x.
pub(crate) struct Log1p;

impl Log1p {
    /// Returns the logarithm of |1 + z|.
    #[inline(always)]
    pub(super) fn real<L: Lanes>(lanes: L, z: C) -> f64 {
        let above = Pair::sum(1.0, z.re);
        let im = Pair::product(lanes, z.im, z.im);
        let square = Pair::product(lanes, above.hi, above.hi);
        let near = is_near_one(square.hi + im.hi);
        // Near 1 of 2x + x² + y², else of (1 + x)² + y².
        let twice = 2.0 * z.re;
        let own = Pair::product(lanes, z.re, z.re);
        let far = Pair::sum(square.hi, twice_product(above));
        let first = Pair::sum(select(near, twice, far.hi), select(near, own.hi, 0.0));
        let less = Pair::sum(select(near, own.lo, far.lo + square.lo), im.lo);
        let rest = Pair::sum(first.lo, less.hi);
        let d = sum_of_three(first.hi, im.hi, Pair::new(rest.hi, rest.lo + less.lo));
        half_ln(lanes, d, select(near, 1.0, 0.0), 0.0).value()
    }
}

/// 2ab
#[inline(always)]
fn twice_product(Pair { hi, lo }: Pair) -> f64 {
    2.0 * hi * lo
}

impl Function<C> for Log1p {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(C { re: 1.0 + z.re, im: z.im })
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        C { re: Log1p::real(lanes, z), im: Atan2::fast(lanes, z.im, 1.0 + z.re) }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        if Self::in_fast_domain(z) {
            return Self::fast(lanes, z);
        }
        let above = C { re: 1.0 + z.re, im: z.im };
        let im = Atan2::general(lanes, above.im, above.re);
        let within = size(above) <= TWO_480;
        let re = match () {
            () if above.re == 0.0 => log::Log::general(lanes, above.im.abs()),
            // NaN is not within.
            () if within && !z.im.is_nan() => Log1p::real(lanes, z),
            () => ln_abs_any(lanes, above).value(),
        };
        C { re, im }
    }
}
