//! Pairs: numbers with twice the precision of a float, as the sum of two floats.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use super::batch::Arithmetic;
use crate::level::Lanes;

/// The number `hi + lo`, where `lo` is at most about one unit in the last place of `hi`.
#[derive(Clone, Copy)]
pub(crate) struct Pair<N = f64> {
    pub(crate) hi: N,
    pub(crate) lo: N,
}

impl<N: Arithmetic> Pair<N> {
    #[inline(always)]
    pub(crate) fn new(hi: N, lo: N) -> Self {
        Pair { hi, lo }
    }

    /// Returns `a + b` exactly, if `a` is 0, or not less than `b` in magnitude, or a multiple of the last
    /// place of `b`.
    #[inline(always)]
    pub(crate) fn ordered_sum(a: N, b: N) -> Self {
        let hi = a + b;
        Pair { hi, lo: b - (hi - a) }
    }

    /// Returns `a - b` exactly, as [`Pair::ordered_sum`] does a sum.
    #[inline(always)]
    pub(crate) fn ordered_difference(a: N, b: N) -> Self {
        let hi = a - b;
        Pair { hi, lo: (a - hi) - b }
    }

    /// Returns `a + b` exactly.
    #[inline(always)]
    pub(crate) fn sum(a: N, b: N) -> Self {
        let hi = a + b;
        let part = hi - a;
        Pair { hi, lo: (a - (hi - part)) + (b - part) }
    }

    /// Returns `a · b` exactly, if nothing underflows.
    #[inline(always)]
    pub(crate) fn product<L: Lanes>(lanes: L, a: N, b: N) -> Self {
        let hi = a * b;
        Pair { hi, lo: a.fma(lanes, b, -hi) }
    }

    /// Normalizes the pair, so that `lo` is small beside `hi` again.
    #[inline(always)]
    pub(crate) fn renormalised(self) -> Self {
        Pair::ordered_sum(self.hi, self.lo)
    }

    /// Returns `self · other`, with a relative error of about 2^-104.
    #[inline(always)]
    pub(crate) fn times<L: Lanes>(self, lanes: L, other: Self) -> Self {
        let p = Pair::product(lanes, self.hi, other.hi);
        Pair { hi: p.hi, lo: self.hi.fma(lanes, other.lo, self.lo.fma(lanes, other.hi, p.lo)) }
    }

    /// Returns `self + b`, if `b` is not greater than `self` in magnitude.
    #[inline(always)]
    pub(crate) fn plus(self, b: N) -> Self {
        let sum = Pair::ordered_sum(self.hi, b);
        Pair { hi: sum.hi, lo: sum.lo + self.lo }
    }

    /// Multiplies both parts by a power of two.
    #[inline(always)]
    pub(crate) fn scaled(self, power: N) -> Self {
        Pair { hi: self.hi * power, lo: self.lo * power }
    }

    #[inline(always)]
    pub(crate) fn value(self) -> N {
        self.hi + self.lo
    }
}
