//! Operations of [`Pair`] that need constants of `f64`, and polynomials.

use crate::each::falling;
use crate::level::Lanes;
use crate::math::batch::Number;
pub(super) use crate::math::pair::Pair;

impl Pair {
    /// The constant.
    #[inline(always)]
    pub(super) fn of<N: Number>(self) -> Pair<N> {
        Pair { hi: N::of(self.hi), lo: N::of(self.lo) }
    }
}

impl<N: Number> Pair<N> {
    /// Returns `self / other`, with an error of about 2^-104 and one division.
    #[inline(always)]
    pub(super) fn over<L: Lanes>(self, lanes: L, other: Self) -> Self {
        let inverse = N::of(1.0) / other.hi;
        let q = self.hi * inverse;
        let rest = (-q).fma(lanes, other.hi, self.hi) + (-q).fma(lanes, other.lo, self.lo);
        Pair { hi: q, lo: rest * inverse }
    }

    /// Returns `self / other`, rounded once from a number with an error of about 2^-104. A dividend of
    /// -0 is kept if `other` is positive.
    #[inline(always)]
    pub(super) fn quotient<L: Lanes>(self, lanes: L, other: Self) -> N {
        let inverse = N::of(1.0) / other.hi;
        let q = self.hi * inverse;
        let over = q.fma(lanes, other.hi, -self.hi) + q.fma(lanes, other.lo, -self.lo);
        (-over).fma(lanes, inverse, q)
    }

    /// Returns the square root of 0 or of a normal positive number, with an error of about 2^-57, by a root
    /// but no division.
    #[inline(always)]
    pub(super) fn root<L: Lanes>(self, lanes: L) -> Self {
        /// The bits of a number, subtracted from these, give half of its inverse within 1/19; those of 0 give
        /// some finite number.
        const HALF: u64 = 0x7fce_6238_5024_84ba;
        let root = self.hi.root();
        let rest = (-root).fma(lanes, root, self.hi) + self.lo;
        Pair { hi: root, lo: rest * root.with_bits(|bits| HALF.wrapping_sub(bits)) }
    }
}

/// Evaluates the polynomial with these coefficients, from the constant one on.
///
/// Two coefficients are combined at a time, as a polynomial in x². The chain of dependent operations is about
/// half of that of Horner's rule, for one multiplication more.
#[inline(always)]
pub(super) fn polynomial<L: Lanes, N: Number, const M: usize>(lanes: L, x: N, c: &[f64; M]) -> N {
    let square = x * x;
    let highest = if const { M % 2 == 1 } { N::of(c[M - 1]) } else { two_terms(lanes, x, c, M - 2) };
    falling!(
        (M - 1) / 2;
        sum = highest, two => sum.fma(lanes, square, two_terms(lanes, x, c, 2 * two))
    )
}

/// Returns the coefficient at `i` plus the next one times `x`.
#[inline(always)]
fn two_terms<L: Lanes, N: Number, const M: usize>(lanes: L, x: N, c: &[f64; M], i: usize) -> N {
    N::of(c[i + 1]).fma(lanes, x, N::of(c[i]))
}

/// Returns `first` + x·the polynomial with the other coefficients, so that a larger constant term is rounded
/// once.
#[inline(always)]
pub(super) fn polynomial_from<L: Lanes, N: Number, const M: usize>(
    lanes: L,
    x: N,
    first: f64,
    c: &[f64; M],
) -> N {
    x.fma(lanes, polynomial(lanes, x, c), N::of(first))
}

/// Selects `a` or `b`, without a branch.
#[inline(always)]
pub(super) fn select<N: Number>(condition: N::Mask, a: N, b: N) -> N {
    N::select(condition, a, b)
}
