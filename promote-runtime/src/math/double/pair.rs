//! What needs constants of numbers as the sum of two `f64`, and polynomials.

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
    /// `self / other`, with an error of some 2^-104; one division.
    #[inline(always)]
    pub(super) fn over<L: Lanes>(self, lanes: L, other: Self) -> Self {
        let inverse = N::of(1.0) / other.hi;
        let q = self.hi * inverse;
        let rest = (-q).fma(lanes, other.hi, self.hi) + (-q).fma(lanes, other.lo, self.lo);
        Pair { hi: q, lo: rest * inverse }
    }

    /// The square root, with an error of some 2^-104, where `hi` is above 0.
    #[inline(always)]
    pub(super) fn root<L: Lanes>(self, lanes: L) -> Self {
        let root = self.hi.root();
        let rest = (-root).fma(lanes, root, self.hi) + self.lo;
        Pair { hi: root, lo: rest * (N::of(0.5) / root) }
    }

    /// As [`Pair::root`], with an error of some 2^-57, without a division.
    #[inline(always)]
    pub(super) fn quick_root<L: Lanes>(self, lanes: L) -> Self {
        /// What the bits of a number and of its inverse sum up to, nearly.
        const BOTH: u64 = 0x7fde_6238_5024_84ba;
        let root = self.hi.root();
        let rest = (-root).fma(lanes, root, self.hi) + self.lo;
        // Within an eighth, and a step of Newton's: within a 64th.
        let inverse = root.with_bits(|bits| BOTH.wrapping_sub(bits));
        let twice = inverse * (-root).fma(lanes, inverse, N::of(2.0));
        Pair { hi: root, lo: N::of(0.5) * rest * twice }
    }
}

/// The polynomial with these coefficients, the constant one first.
///
/// By fours, as a polynomial in x⁴: the chain of operations that wait for one another is a third of Horner's,
/// and the functions are bound by such chains.
#[inline(always)]
pub(super) fn polynomial<L: Lanes, N: Number, const M: usize>(lanes: L, x: N, c: &[f64; M]) -> N {
    let square = x * x;
    let fourth = square * square;
    let i = (M - 1) / 4 * 4;
    let highest = if const { M % 4 == 1 } {
        N::of(c[i])
    } else if const { M % 4 == 2 } {
        two_terms(lanes, x, c, i)
    } else if const { M % 4 == 3 } {
        N::of(c[i + 2]).fma(lanes, square, two_terms(lanes, x, c, i))
    } else {
        two_terms(lanes, x, c, i + 2).fma(lanes, square, two_terms(lanes, x, c, i))
    };
    falling!(
        (M - 1) / 4;
        sum = highest, four => {
            let i = 4 * four;
            let four = two_terms(lanes, x, c, i + 2).fma(lanes, square, two_terms(lanes, x, c, i));
            sum.fma(lanes, fourth, four)
        }
    )
}

/// The coefficient at `i`, and that after it times `x`.
#[inline(always)]
fn two_terms<L: Lanes, N: Number, const M: usize>(lanes: L, x: N, c: &[f64; M], i: usize) -> N {
    N::of(c[i + 1]).fma(lanes, x, N::of(c[i]))
}

/// `first` + x·the polynomial with the other coefficients: a larger constant term is rounded once.
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
pub(super) fn select<N: Number>(condition: N::Truth, a: N, b: N) -> N {
    N::select(condition, a, b)
}
