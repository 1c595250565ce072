//! Arithmetic of complex numbers, in which each step on the parts is rounded once.

use num_complex::Complex;

use super::arithmetic::LaneArith;
use super::real::{greater, lesser};
use super::{
    Abs, Add, Clamp, Conj, Divide, Fmax, Fmin, Imag, Isclose, Maximum, Minimum, Multiply, Negative, OpLane,
    Positive, Real, Reciprocal, Relu, Remainder, Round, Square, Subtract,
};
use crate::level::Scalar;

macro_rules! complex {
    ($($ty:ident)*) => {$(
        rows! { Complex<$ty>;
            Add |a, b| a + b;
            Subtract |a, b| a - b;
            Multiply |a, b| multiply(a, b);
            Divide |a, b| divide(a, b);
            Remainder |a, b| {
                let quotient = divide(a, b);
                let whole = Complex { re: nearest(quotient.re), im: nearest(quotient.im) };
                a - multiply(whole, b)
            };
            // Numbers are ordered by the real part, then by the imaginary part; +0 is greater than -0. NaN in
            // any part gives NaN in both parts.
            Maximum |a, b| {
                let both = Complex { re: greater(a.re, b.re), im: greater(a.im, b.im) };
                extremum(a, b, both, a.re > b.re)
            };
            Minimum |a, b| {
                let both = Complex { re: lesser(a.re, b.re), im: lesser(a.im, b.im) };
                extremum(a, b, both, a.re < b.re)
            };
            // Returns the operand without NaN, if there is one.
            Fmax |a, b| {
                let both = Complex { re: greater(a.re, b.re), im: greater(a.im, b.im) };
                number(a, b, extremum(a, b, both, a.re > b.re))
            };
            Fmin |a, b| {
                let both = Complex { re: lesser(a.re, b.re), im: lesser(a.im, b.im) };
                number(a, b, extremum(a, b, both, a.re < b.re))
            };
        }
        rows_with! { Complex<$ty>;
            Clamp [lanes, _semantics] |a, least, most| {
                let above = <Maximum as OpLane<Complex<$ty>>>::apply(lanes, (a, least));
                <Minimum as OpLane<Complex<$ty>>>::apply(lanes, (above, most))
            };
        }
        rows_with! { Complex<$ty> => bool;
            // The tolerances are real.
            Isclose [lanes, _semantics] |a, b, rtol, atol| {
                let size = |z: Complex<$ty>| <Abs as OpLane<Complex<$ty>, (Complex<$ty>,)>>::apply(lanes, (z,));
                let distance = size(a - b);
                let near = distance <= atol.re + size(multiply(rtol, b));
                (near & (distance < $ty::INFINITY)) | ((a.re == b.re) & (a.im == b.im))
            };
        }
        rows! { Complex<$ty>;
            Positive |a| a;
            Relu |a| <Maximum as OpLane<Complex<$ty>>>::apply(Scalar, (a, Complex { re: 0.0, im: 0.0 }));
            Negative |a| Complex { re: -a.re, im: -a.im };
            Conj |a| Complex { re: a.re, im: -a.im };
            Round |a| Complex { re: a.re.even(), im: a.im.even() };
            Square |a| multiply(a, a);
            Reciprocal |a| divide(Complex { re: 1.0, im: 0.0 }, a);
        }
        rows! { Complex<$ty> => $ty;
            Real |a| a.re;
            Imag |a| a.im;
        }
    )*};
}

complex! { f32 f64 }

/// Returns (ac - bd) + (ad + bc)i, not fused.
#[inline(always)]
pub(super) fn multiply<T: LaneArith>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    Complex { re: a.re.times(b.re).minus(a.im.times(b.im)), im: a.re.times(b.im).plus(a.im.times(b.re)) }
}

/// Returns the quotient by Smith's algorithm, with selects instead of branches. For a divisor of zero, both
/// parts are divided by it.
#[inline(always)]
pub(super) fn divide<T: LaneArith>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    let by_real = b.re.size() >= b.im.size();
    let zero = (b.re == T::ZERO) & (b.im == T::ZERO);
    let (great, small) = if by_real { (b.re, b.im) } else { (b.im, b.re) };
    let ratio = small.over(great);
    let scale = T::ONE.over(great.plus(small.times(ratio)));
    let (p, q) = if by_real { (a.re, a.im) } else { (a.im, a.re) };
    let re = p.plus(q.times(ratio)).times(scale);
    let im = if by_real { a.im.minus(a.re.times(ratio)) } else { a.im.times(ratio).minus(a.re) }.times(scale);
    let by = b.re.size();
    Complex { re: if zero { a.re.over(by) } else { re }, im: if zero { a.im.over(by) } else { im } }
}

/// Returns the nearest whole number; ties round away from 0.
#[inline(always)]
fn nearest<T: LaneArith>(x: T) -> T {
    let whole = x.cut();
    let rest = x.minus(whole).size();
    if rest >= T::HALF { whole.plus(T::ONE.signed(x)) } else { whole }
}

/// Returns the extremum of two complex numbers: `a` or `b` as `first` says if their real parts differ, and
/// `both`, the extrema of the parts, if they are equal. NaN in any part gives NaN in both parts.
#[inline(always)]
fn extremum<T: LaneArith>(a: Complex<T>, b: Complex<T>, both: Complex<T>, first: bool) -> Complex<T> {
    let nan = both.re.is_no_number() | both.im.is_no_number();
    let one = if first { a } else { b };
    let ordered = if a.re == b.re { both } else { one };
    if nan { Complex { re: T::NAN, im: T::NAN } } else { ordered }
}

/// Returns the operand without NaN, or `both` if neither or each of them has NaN.
#[inline(always)]
fn number<T: LaneArith>(a: Complex<T>, b: Complex<T>, both: Complex<T>) -> Complex<T> {
    let nan = |z: Complex<T>| z.re.is_no_number() | z.im.is_no_number();
    let found = if nan(a) & !nan(b) { b } else { both };
    if nan(b) & !nan(a) { a } else { found }
}
