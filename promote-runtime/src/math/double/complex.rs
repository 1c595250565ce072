//! Functions of complex numbers.
//!
//! The idea: each is made of real functions of the parts, by formulas that cancel nothing where both parts of
//! the result are to be right, and of which some sums are kept as a [`Pair`]. For the usual operands they
//! have no branches; others (infinities, NaN, huge angles, powers that overflow on the way) are computed one
//! by one, through [`Function::general`].
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

/// A function of one number, compiled once for the unusual operands of every level, which have branches, and
/// for all of a level on which a fused multiply-add is a call, and a loop no vector code. Every level gives
/// the same bits, or NaN.
#[inline(always)]
pub(crate) fn one<F: Function<C>>(mut z: C) -> C {
    // By reference: LLVM puts no function that passes pairs of numbers into one with more instructions.
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

/// A function through another one: by exchanged parts, unless it says how.
pub(crate) trait ByWay {
    /// The other function.
    type Of: Function<C>;

    /// What that function is taken of.
    #[inline(always)]
    fn there(z: C) -> C {
        exchanged(z)
    }

    /// What its result makes for `z`.
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

/// The number with its parts exchanged: i times its conjugate. An odd function that is real where its
/// argument is gives the function of the imaginary axis by it: sin z is sinh of the exchanged parts,
/// exchanged.
#[inline(always)]
fn exchanged(z: C) -> C {
    C { re: z.im, im: z.re }
}

/// The greater of the sizes of the parts; NaN where the real part is.
#[inline(always)]
fn size(z: C) -> f64 {
    let (re, im) = (z.re.abs(), z.im.abs());
    super::pair::select(re < im, im, re)
}
