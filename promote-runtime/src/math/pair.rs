//! Numbers as the sum of two.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use super::batch::Arithmetic;
use crate::level::Lanes;

/// `hi + lo`, `lo` at most about a unit in the last place of `hi`.
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

    /// `a + b` without an error, where `a` is 0 or not below `b` in magnitude.
    #[inline(always)]
    pub(crate) fn ordered_sum(a: N, b: N) -> Self {
        let hi = a + b;
        Pair { hi, lo: b - (hi - a) }
    }

    /// `a + b` without an error.
    #[inline(always)]
    pub(crate) fn sum(a: N, b: N) -> Self {
        let hi = a + b;
        let part = hi - a;
        Pair { hi, lo: (a - (hi - part)) + (b - part) }
    }

    /// `a · b` without an error, where nothing underflows.
    #[inline(always)]
    pub(crate) fn product<L: Lanes>(lanes: L, a: N, b: N) -> Self {
        let hi = a * b;
        Pair { hi, lo: a.fma(lanes, b, -hi) }
    }

    /// The same sum, `lo` again small beside `hi`.
    #[inline(always)]
    pub(crate) fn renormalised(self) -> Self {
        Pair::ordered_sum(self.hi, self.lo)
    }

    /// `self · other`, with an error of some 2^-104.
    #[inline(always)]
    pub(crate) fn times<L: Lanes>(self, lanes: L, other: Self) -> Self {
        let p = Pair::product(lanes, self.hi, other.hi);
        Pair { hi: p.hi, lo: self.hi.fma(lanes, other.lo, self.lo.fma(lanes, other.hi, p.lo)) }
    }

    /// `self + b`, where `b` is not above `self` in magnitude.
    #[inline(always)]
    pub(crate) fn plus(self, b: N) -> Self {
        let sum = Pair::ordered_sum(self.hi, b);
        Pair { hi: sum.hi, lo: sum.lo + self.lo }
    }

    /// Both parts times a power of two.
    #[inline(always)]
    pub(crate) fn scaled(self, power: N) -> Self {
        Pair { hi: self.hi * power, lo: self.lo * power }
    }

    #[inline(always)]
    pub(crate) fn value(self) -> N {
        self.hi + self.lo
    }
}
