//! Functions of complex numbers.
//!
//! Each is composed of real functions of the parts, by formulas in which nothing cancels that both parts of
//! the result need. Some sums are kept as a [`Pair`]. The fast path has no branches. Other operands
//! (infinities, NaN, huge angles, powers that overflow in between) are computed one by one, by
//! [`Function::general`].
//!
//! Errors, in units in the last place of the exact result's greater part: at most 2.9 in 4000 random points
//! each, hard regions among them; 3.7 of `tanh` and `tan`, 5.1 of `sigmoid`, and of w^z 1 more for each 50 of
//! |z·ln w|. The smaller part by itself is as good, but where it is a difference (`expm1 sigmoid pow`).
//!
//! Special values are those of C99, Annex G; on a branch cut the sign of zero says from which side a function
//! is continuous. What Annex G does not have (`expm1`, `log1p`, `exp2`, `log2`, `log10`, `sigmoid`) follows
//! from what it has.

mod exponential;
mod hyperbolic;
mod inverse;
mod length;
mod logarithm;
mod power;
mod quotient;
mod root;
mod sum;

#[cfg(test)]
mod tests;

pub(crate) use exponential::{Exp, Exp2, Expm1, Sigmoid};
pub(crate) use hyperbolic::{Cos, Cosh, Sin, Sinh, Tan, Tanh};
pub(crate) use inverse::{Acos, Acosh, Asin, Asinh, Atan, Atanh};
pub(crate) use length::Hypot;
pub(crate) use logarithm::{Log, Log1p, Log2, Log10};
pub(crate) use power::{Ldexp, Pow};
pub(crate) use quotient::Atan2;
pub(crate) use root::{Sign, Sqrt};
pub(crate) use sum::{Logaddexp, Logaddexp2};

use crate::level::{Lanes, Scalar};
use crate::math::{Function, Function2};

/// A complex number.
pub(super) type C = num_complex::Complex<f64>;

/// Both parts NaN.
const NAN: C = C { re: f64::NAN, im: f64::NAN };

/// Computes the general form of a function of one number. It is compiled once, for operands outside of the
/// fast domain at every level, and for all operands at a level without fused multiply-adds, which has no
/// vector code.
#[inline(always)]
pub(crate) fn one<F: Function<C>>(mut z: C) -> C {
    // By reference, because LLVM does not inline functions that pass pairs of floats into ones with more CPU
    // features.
    #[inline(never)]
    fn replace<F: Function<C>>(z: &mut C) {
        *z = F::general(Scalar, *z);
    }
    replace::<F>(&mut z);
    z
}

/// Computes [`one`] for two numbers.
#[inline(always)]
pub(crate) fn one_of_two<F: Function2<C>>(mut a: C, b: C) -> C {
    #[inline(never)]
    fn replace<F: Function2<C>>(a: &mut C, b: &C) {
        *a = F::general(Scalar, *a, *b);
    }
    replace::<F>(&mut a, &b);
    a
}

/// A function that is computed by another one, by default of exchanged parts.
pub(crate) trait ByWay {
    /// The other function.
    type Of: Function<C>;

    /// Returns the operand of the other function.
    #[inline(always)]
    fn there(z: C) -> C {
        exchanged(z)
    }

    /// Returns the result for `z`, from that of the other function.
    #[inline(always)]
    fn back(_z: C, result: C) -> C {
        exchanged(result)
    }
}

impl<W: ByWay> Function<C> for W {
    #[inline(always)]
    fn in_fast_domain(z: C) -> bool {
        W::Of::in_fast_domain(W::there(z))
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, z: C) -> C {
        W::back(z, W::Of::fast(lanes, W::there(z)))
    }

    #[inline(always)]
    fn general<L: Lanes>(_: L, z: C) -> C {
        W::back(z, one::<W::Of>(W::there(z)))
    }
}

/// Returns the number with its parts exchanged: i times its conjugate. For an odd function that is real on
/// the real axis, this turns the hyperbolic function into the trigonometric one: sin z is sinh of the
/// exchanged parts, exchanged.
#[inline(always)]
fn exchanged(z: C) -> C {
    C { re: z.im, im: z.re }
}

/// Returns the greater magnitude of the two parts; NaN if the real part is NaN.
#[inline(always)]
fn size(z: C) -> f64 {
    let (re, im) = (z.re.abs(), z.im.abs());
    super::pair::select(re < im, im, re)
}
