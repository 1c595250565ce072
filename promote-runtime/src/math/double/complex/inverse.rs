//! The inverse functions: arc sine and cosine after Kahan ("Branch cuts for complex elementary functions"),
//! from the roots of 1 - z and 1 + z, of which all sums have terms of one sign; the others from these and
//! from a logarithm.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2};

use super::logarithm::ln_twice_abs_any;
use super::root::{TWO_500, in_domain, root};
use super::{ByWay, C, NAN};
use crate::level::Lanes;
use crate::math::double::pair::select;
use crate::math::double::{arc::Atan2, area, hypot::Hypot, log};
use crate::math::{Function, Function2, Real};

/// The roots of 1 - z and 1 + z, as [`root`] gives them.
#[inline(always)]
fn roots<L: Lanes>(lanes: L, z: C) -> [(f64, f64); 2] {
    [root(lanes, C { re: 1.0 - z.re, im: -z.im }), root(lanes, C { re: 1.0 + z.re, im: z.im })]
}

/// asin z; the cuts are on the real axis beyond -1 and 1.
pub(crate) struct Asin;

impl Function<C> for Asin {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let [(a, twice_a), (b, twice_b)] = roots(lanes, z);
        let below = a.fma(lanes, b, -0.25 * twice_a * twice_b);
        let im = 0.5 * a.fma(lanes, twice_b, -twice_a * b);
        C { re: Atan2::general(lanes, z.re, below), im: area::Asinh::general(lanes, im).copysign(z.im) }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        match () {
            () if in_domain(z) => Self::fast(lanes, z),
            () if z.re == 0.0 && z.im.is_nan() => z,
            () => C {
                re: Atan2::general(lanes, z.re, z.im.abs()),
                im: ln_twice_abs_any(lanes, z).copysign(z.im),
            },
        }
    }
}

/// acos z; the cuts are on the real axis beyond -1 and 1.
pub(crate) struct Acos;

impl Function<C> for Acos {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let [(a, twice_a), (b, twice_b)] = roots(lanes, z);
        let im = 0.5 * a.fma(lanes, twice_b, -twice_a * b);
        C { re: 2.0 * Atan2::general(lanes, a, b), im: area::Asinh::general(lanes, im).copysign(-z.im) }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        match () {
            () if in_domain(z) => Self::fast(lanes, z),
            () if z.re == 0.0 && z.im.is_nan() => C { re: FRAC_PI_2, im: z.im },
            () => C {
                re: Atan2::general(lanes, z.im.abs(), z.re),
                im: ln_twice_abs_any(lanes, z).copysign(-z.im),
            },
        }
    }
}

/// atanh z: ¼ ln(1 + 4x / ((1 - x)² + y²)) + i/2·the angle of (1 - x)(1 + x) - y² + 2iy; the cuts are on the
/// real axis beyond -1 and 1.
pub(crate) struct Atanh;

impl Function<C> for Atanh {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z) & ((z.re.abs() != 1.0) | (z.im.abs() > 1.0 / TWO_500))
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let x = z.re.abs();
        let less = 1.0 - x;
        let quotient = 4.0 * x / z.im.fma(lanes, z.im, less * less);
        let cos = (-z.im).fma(lanes, z.im, less * (1.0 + x));
        C {
            re: 0.25 * log::Log1p::general(lanes, quotient).copysign(z.re),
            im: 0.5 * Atan2::general(lanes, 2.0 * z.im, cos),
        }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        match () {
            () if Self::in_fast_domain(z) => Self::fast(lanes, z),
            // So near a pole that the square of the distance underflows.
            () if in_domain(z) => {
                let ln = log::Log::general(lanes, z.im.abs());
                let im = if z.im == 0.0 { z.im } else { FRAC_PI_4.copysign(z.im) };
                C { re: (0.5 * (LN_2 - ln)).copysign(z.re), im }
            }
            () if z.re == 0.0 && z.im.is_nan() => z,
            () if z.re.is_infinite() || z.im.is_infinite() => {
                C { re: 0.0_f64.copysign(z.re), im: select(z.im.is_nan(), z.im, FRAC_PI_2.copysign(z.im)) }
            }
            () if z.re.is_nan() || z.im.is_nan() => NAN,
            () => {
                // 1 / z
                let length = Hypot::general(lanes, z.re, z.im);
                C { re: z.re / length / length, im: FRAC_PI_2.copysign(z.im) }
            }
        }
    }
}

/// asinh z; the cuts are on the imaginary axis beyond -i and i.
pub(crate) struct Asinh;

impl ByWay for Asinh {
    type Of = Asin;
}

/// acosh z = ±i·acos z, the one with a real part of at least 0; the cut is left of 1.
pub(crate) struct Acosh;

impl ByWay for Acosh {
    type Of = Acos;

    #[inline(always)]
    fn there(z: C) -> C {
        z
    }

    #[inline(always)]
    fn back(z: C, result: C) -> C {
        C { re: result.im.abs(), im: result.re.copysign(z.im) }
    }
}

/// atan z; the cuts are on the imaginary axis beyond -i and i.
pub(crate) struct Atan;

impl ByWay for Atan {
    type Of = Atanh;
}
