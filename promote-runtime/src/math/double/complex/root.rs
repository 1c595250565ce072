//! The square root, after Kahan, and the sign.

use super::{C, NAN, size};
use crate::level::Lanes;
use crate::math::double::hypot::Hypot;
use crate::math::double::pair::select;
use crate::math::{Function, Function2, Real};

const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
const TWO_300: f64 = f64::from_bits((1023 + 300) << 52);
const TWO_400: f64 = f64::from_bits((1023 + 400) << 52);
/// Up to it, squares do not overflow.
pub(super) const TWO_500: f64 = f64::from_bits((1023 + 500) << 52);

/// The root of z with a real part of at least 0, and twice its imaginary part; both parts of z are at most
/// 2^500.
///
/// t = √((|x| + |z|) / 2) is one of the parts, |y| / 2t the other. Twice, so that no bit of a subnormal y is
/// lost.
#[inline(always)]
pub(super) fn root<L: Lanes>(lanes: L, z: C) -> (f64, f64) {
    let small = size(z) < 1.0 / TWO_400;
    let scale = select(small, TWO_600, 1.0);
    let (x, y) = (z.re.abs() * scale, z.im.abs() * scale);
    let length = x.fma(lanes, x, y * y).root();
    let t = (0.5 * (x + length)).root();
    let back = select(small, 1.0 / TWO_300, 1.0);
    // The least normal number is negligible beside a t, and keeps 0 / 0 away.
    let twice = y / (t + f64::MIN_POSITIVE) * back;
    let t = t * back;
    let right = z.re >= 0.0;
    (select(right, t, 0.5 * twice), select(right, twice, 2.0 * t).copysign(z.im))
}

/// Returns true if the squares of the parts are normal.
#[inline(always)]
pub(super) fn in_domain(z: C) -> bool {
    (size(z) <= TWO_500) & !z.im.is_nan()
}

/// The square root with a real part of at least 0; the cut is left of 0.
pub(crate) struct Sqrt;

impl Function<C> for Sqrt {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let (re, twice) = root(lanes, z);
        C { re, im: 0.5 * twice }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        match () {
            () if in_domain(z) => Self::fast(lanes, z),
            () if z.im.is_infinite() => C { re: f64::INFINITY, im: z.im },
            () if z.re.is_nan() || z.im.is_nan() && !z.re.is_infinite() => NAN,
            () if z.re.is_infinite() => {
                let other = if z.im.is_nan() { z.im } else { 0.0 };
                if z.re > 0.0 {
                    C { re: z.re, im: other.copysign(z.im) }
                } else {
                    C { re: other, im: f64::INFINITY.copysign(z.im) }
                }
            }
            () => {
                // The greater part from what is scaled, the other from what is not, lest it vanish on the
                // way.
                let (re, twice) = root(lanes, z * (1.0 / TWO_600));
                let right = z.re >= 0.0;
                let t = select(right, re, 0.5 * twice.abs()) * TWO_300;
                let other = z.im.abs() / (2.0 * t);
                C { re: select(right, t, other), im: select(right, other, t).copysign(z.im) }
            }
        }
    }
}

/// z / |z|; +0 at zeros, NaN beside NaN. An infinite part alone gives ±1 or ±i, two of them give NaN.
pub(crate) struct Sign;

impl Function<C> for Sign {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        in_domain(z) & (size(z) >= 1.0 / TWO_400)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        let length = Hypot::fast(lanes, z.re, z.im);
        C { re: z.re / length, im: z.im / length }
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, z: C) -> C {
        let unit = |part: f64| if part.is_infinite() { 1.0_f64.copysign(part) } else { 0.0 };
        match () {
            () if Self::in_fast_domain(z) => Self::fast(lanes, z),
            () if z.re == 0.0 && z.im == 0.0 => C { re: 0.0, im: 0.0 },
            () if z.re.is_infinite() && z.im.is_infinite() => NAN,
            () if z.re.is_infinite() || z.im.is_infinite() => C { re: unit(z.re), im: unit(z.im) },
            () if z.re.is_nan() || z.im.is_nan() => NAN,
            () if size(z) > 1.0 => Self::fast(lanes, z * (1.0 / TWO_600)),
            () => Self::fast(lanes, z * TWO_600),
        }
    }
}
