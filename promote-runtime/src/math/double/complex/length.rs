//! The root of a sum of two squares.

use super::quotient::{difference, either, multiplies, near_one, products, two_to};
use super::root::{Sqrt, root};
use super::{C, NAN, size};
use crate::level::Lanes;
use crate::math::double::pair::select;
use crate::math::{Function, Function2};

/// √(a² + b²) with a real part of at least 0, continuous but for the cut of the root: of real numbers the
/// length of a hypotenuse.
///
/// Nothing overflows on the way, and the parts of a² + b² are sums of products that are rounded once, so that
/// the side of the cut is right where squares cancel. An infinite operand counts by its square: of both,
/// which may be NaN, the root is taken. NaN beside NaN.
pub(crate) struct Hypot;

/// The imaginary part of a² + b²; a zero has the sign of the terms.
#[inline(always)]
fn imaginary<L: Lanes>(lanes: L, a: C, b: C) -> f64 {
    let sum = 2.0 * products(lanes, [a.re, a.im, b.re, b.im]);
    select(sum == 0.0, a.re * a.im + b.re * b.im, sum)
}

/// The real part of a² + b².
#[inline(always)]
fn real<L: Lanes>(lanes: L, a: C, b: C) -> f64 {
    difference(lanes, C { re: a.re, im: b.re }, C { re: a.im, im: b.im })
}

/// The square of an infinite number; of a finite one the zero that changes nothing it is added to.
fn endless_square(z: C) -> C {
    let none = 0.0_f64.copysign(z.re) * 1.0_f64.copysign(z.im);
    match (z.re.is_infinite(), z.im.is_infinite()) {
        (true, true) => C { re: -0.0, im: f64::INFINITY.copysign(none) },
        (true, false) => C { re: f64::INFINITY, im: none },
        (false, true) => C { re: f64::NEG_INFINITY, im: none },
        (false, false) => C { re: -0.0, im: -0.0 },
    }
}

impl Function2<C> for Hypot {
    #[inline(always)]
    fn in_fast_domain(a: C, b: C) -> bool {
        multiplies(a, b)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, a: C, b: C) -> C {
        let (re, twice) = root(lanes, C { re: real(lanes, a, b), im: imaginary(lanes, a, b) });
        C { re, im: 0.5 * twice }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, a: C, b: C) -> C {
        let parts = [a.re, a.im, b.re, b.im];
        match () {
            () if multiplies(a, b) => Self::fast(lanes, a, b),
            () if parts.iter().any(|part| part.is_nan()) => NAN,
            () if parts.iter().any(|part| part.is_infinite()) => {
                Sqrt::general(lanes, endless_square(a) + endless_square(b))
            }
            () => {
                let ([less, more], by) = near_one(size(C { re: size(a), im: size(b) }), [a, b]);
                let scaled = imaginary(lanes, less, more);
                // After an underflow, the unscaled number gives the sign.
                let sign = either(imaginary(lanes, a, b), scaled);
                let im = if scaled == 0.0 { scaled.copysign(sign) } else { scaled };
                let (re, twice) = root(lanes, C { re: real(lanes, less, more), im });
                C { re, im: 0.5 * twice } * two_to(-by / 2) * two_to(by / 2 - by)
            }
        }
    }
}
