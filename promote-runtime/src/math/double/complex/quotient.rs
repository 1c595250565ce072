//! The angle of two complex numbers.

use core::f64::consts::PI;

use super::logarithm::ln_abs_any;
use super::power::exponent_of;
use super::{C, NAN, size};
use crate::each;
use crate::level::Lanes;
use crate::math::double::arc;
use crate::math::double::log::Log1p;
use crate::math::double::pair::{Pair, select};
use crate::math::{Function, Function2, Real};

/// The angle of x and y, which is -i·ln((x + iy) / √(x² + y²)): of real numbers that of the point (x, y),
/// with a real part from -π to π. NaN where an operand is not finite or x² + y² is 0.
///
/// With u = x + iy and v = x - iy it is half the angle of u/v, or π more or less, as the angles of u and v
/// say, and ½ ln |v/u| times i. The products of parts are sums of two numbers, so that nothing is lost where
/// u and v lie beside each other; where one of them is near 0 it is the difference of parts, which is rounded
/// once.
pub(crate) struct Atan2;

/// ab + cd, with one rounding but for what is lost twice.
#[inline(always)]
pub(super) fn products<L: Lanes>(lanes: L, [a, b, c, d]: [f64; 4]) -> f64 {
    let (first, second) = (Pair::product(lanes, a, b), Pair::product(lanes, c, d));
    let sum = Pair::sum(first.hi, second.hi);
    sum.hi + (sum.lo + (first.lo + second.lo))
}

/// x + iy and x - iy
#[inline(always)]
fn factors(y: C, x: C) -> [C; 2] {
    [C { re: x.re - y.im, im: x.im + y.re }, C { re: x.re + y.im, im: x.im - y.re }]
}

/// (|x + iy|² - |x - iy|²) / 4
#[inline(always)]
fn less<L: Lanes>(lanes: L, y: C, x: C) -> f64 {
    products(lanes, [x.im, y.re, -x.re, y.im])
}

/// Returns `plain`, or `scaled` if `plain` overflowed. Both have one sign, but `scaled` may have vanished.
#[inline(always)]
pub(super) fn either(plain: f64, scaled: f64) -> f64 {
    select(plain.is_finite(), plain, scaled)
}

/// Returns 2^n, which must be normal.
#[inline(always)]
pub(super) fn two_to(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// Two numbers times the power of two, of which the exponent comes with them, that brings `great`, a part of
/// them, near 1: in two steps, lest it overflow.
#[inline(always)]
pub(super) fn near_one(great: f64, numbers: [C; 2]) -> ([C; 2], i32) {
    let by = -exponent_of(great) as i32;
    (each::map(numbers, |z| z * two_to(by / 2) * two_to(by - by / 2)), by)
}

/// Returns true if no product of parts overflows or loses digits.
#[inline(always)]
pub(super) fn multiplies(a: C, b: C) -> bool {
    let is = |part: f64| (part == 0.0) | (part.abs() > 1e-60);
    let (of_a, of_b) = (size(a), size(b));
    let great = select(of_a < of_b, of_b, of_a);
    (great < 1e30) & (great > 1e-30) & is(a.re) & is(a.im) & is(b.re) & is(b.im)
}

impl Atan2 {
    /// Returns the imaginary part, from the squares of absolute values.
    #[inline(always)]
    fn imaginary<L: Lanes>(lanes: L, y: C, x: C) -> f64 {
        let [u, v] = factors(y, x);
        let less = less(lanes, y, x);
        let smaller = C { re: select(less > 0.0, v.re, u.re), im: select(less > 0.0, v.im, u.im) };
        let square = smaller.re.fma(lanes, smaller.re, smaller.im * smaller.im);
        (0.25 * Log1p::general(lanes, 4.0 * less.abs() / square)).copysign(0.0 - less)
    }

    /// The result with the imaginary part that is given; `scaled` are y and x times a number with which no
    /// square overflows.
    #[inline(always)]
    fn with<L: Lanes>(lanes: L, y: C, x: C, scaled: [C; 2], im: f64) -> C {
        let [u, v] = factors(y, x);
        // The parts of u/v: twice the real part of x times the conjugate of y, and |x|² - |y|².
        let sin = |y: C, x: C| 2.0 * products(lanes, [x.re, y.re, x.im, y.im]);
        let [less, more] = scaled;
        let half = 0.5 * arc::Atan2::general(lanes, sin(less, more), difference(lanes, more, less));
        let [of_u, of_v] = each::map([u, v], |z| arc::Atan2::general(lanes, z.im, z.re));
        // The angle of the root is half that of uv, which is the sum of both unless that lies beyond π.
        let above = |y: C, x: C| products(lanes, [x.re, x.im, y.re, y.im]);
        let above = either(above(y, x), above(less, more));
        // Both left of 0 and on the axis.
        let on_axis = (u.im == 0.0) & (v.im == 0.0) & (u.re < 0.0) & (v.re < 0.0);
        let left = !u.im.is_sign_negative() & !v.im.is_sign_negative() & (on_axis | (above < 0.0));
        let right = u.im.is_sign_negative() & v.im.is_sign_negative() & (on_axis | (above > 0.0));
        let about = 0.5 * (of_u - of_v) + select(left, PI, select(right, -PI, 0.0));
        let off = (about - half).abs();
        let turned = (off > 0.5 * PI) & (off < 1.5 * PI);
        // Half a turn back; where the angle vanishes, on the side where it does, or on that of y.
        let sin = either(sin(y, x), sin(less, more));
        let half_turn = PI.copysign(select(half == 0.0, select(sin == 0.0, y.re, -sin), -half));
        let re = select(turned, half + half_turn, half);
        let zero = |z: C| (z.re == 0.0) & (z.im == 0.0);
        let undefined = zero(u) | zero(v);
        C { re: select(undefined, f64::NAN, re), im: select(undefined, f64::NAN, im) }
    }
}

impl Function2<C> for Atan2 {
    #[inline(always)]
    fn in_fast_domain(y: C, x: C) -> bool {
        multiplies(y, x)
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, y: C, x: C) -> C {
        Atan2::with(lanes, y, x, [y, x], Atan2::imaginary(lanes, y, x))
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, y: C, x: C) -> C {
        if Self::in_fast_domain(y, x) {
            return Self::fast(lanes, y, x);
        }
        let great = size(C { re: size(y), im: size(x) });
        if !(y.re.is_finite() & y.im.is_finite() & x.re.is_finite() & x.im.is_finite()) || great == 0.0 {
            return NAN;
        }
        // Scaling both does not change their quotient.
        let (scaled, _) = near_one(great, [y, x]);
        let [u, v] = factors(scaled[0], scaled[1]);
        let im = if size(u) > 1e-100 && size(v) > 1e-100 {
            Atan2::imaginary(lanes, scaled[0], scaled[1])
        } else {
            0.5 * (ln_abs_any(lanes, v).value() - ln_abs_any(lanes, u).value())
        };
        // After an underflow, the unscaled number gives the sign.
        let sign = 0.0 - either(less(lanes, y, x), less(lanes, scaled[0], scaled[1]));
        Atan2::with(lanes, y, x, scaled, if im == 0.0 { im.copysign(sign) } else { im })
    }
}

/// |x|² - |y|²
#[inline(always)]
pub(super) fn difference<L: Lanes>(lanes: L, x: C, y: C) -> f64 {
    let squares = each::map([x.re, x.im, y.re, y.im], |part| Pair::product(lanes, part, part));
    let (re, im) = (Pair::sum(squares[0].hi, -squares[2].hi), Pair::sum(squares[1].hi, -squares[3].hi));
    let sum = Pair::sum(re.hi, im.hi);
    let rest = (re.lo + im.lo) + ((squares[0].lo - squares[2].lo) + (squares[1].lo - squares[3].lo));
    sum.hi + (sum.lo + rest)
}
