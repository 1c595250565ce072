//! Products: of floats in `f64`, of integers modulo 2^64.

use core::marker::PhantomData;

use super::fold::{Fold, Pass, Rows, Stepped, by_rows};
use crate::convert::Convert;
use crate::each;
use crate::element::Element;
use crate::level::Lanes;

/// Numbers in which a product is computed.
pub(super) trait Factor: Copy + Send + 'static {
    const ONE: Self;

    fn times(self, other: Self) -> Self;
}

impl Factor for f64 {
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn times(self, other: f64) -> f64 {
        self * other
    }
}

impl Factor for [f64; 2] {
    const ONE: [f64; 2] = [1.0, 0.0];

    #[inline(always)]
    fn times(self, other: [f64; 2]) -> [f64; 2] {
        let ([a, b], [c, d]) = (self, other);
        [a * c - b * d, a * d + b * c]
    }
}

impl Factor for i64 {
    const ONE: i64 = 1;

    #[inline(always)]
    fn times(self, other: i64) -> i64 {
        self.wrapping_mul(other)
    }
}

/// How an element in memory becomes a factor.
pub(super) trait Source: 'static {
    type Item: Copy + 'static;
    type Factor: Factor;

    fn factor<L: Lanes>(lanes: L, item: Self::Item) -> Self::Factor;
}

/// A real number as a `F`.
pub(super) struct Real<A, F>(PhantomData<(A, F)>);
/// A complex number of parts `A`.
pub(super) struct Complex<A>(PhantomData<A>);

impl<A: Element<Reg: Convert<F>>, F: Factor> Source for Real<A, F> {
    type Item = A::Repr;
    type Factor = F;

    #[inline(always)]
    fn factor<L: Lanes>(lanes: L, item: A::Repr) -> F {
        A::load(lanes, item).convert(false)
    }
}

impl<A: Element<Reg: Convert<f64>>> Source for Complex<A> {
    type Item = [A::Repr; 2];
    type Factor = [f64; 2];

    #[inline(always)]
    fn factor<L: Lanes>(lanes: L, item: [A::Repr; 2]) -> [f64; 2] {
        each::map(item, |part| A::load(lanes, part).convert(false))
    }
}

/// The product of elements, of a run in `N` products.
pub(super) struct Product<S, const N: usize>(PhantomData<S>);

impl<S: Source, const N: usize> Stepped for Product<S, N> {
    type Item = S::Item;
    type State = S::Factor;
    type Acc = S::Factor;
    const ZERO: S::Factor = S::Factor::ONE;

    #[inline(always)]
    fn step<L: Lanes>(lanes: L, acc: S::Factor, item: S::Item, _: &Pass) -> S::Factor {
        acc.times(S::factor(lanes, item))
    }

    #[inline(always)]
    fn settle(state: &mut S::Factor, acc: S::Factor) {
        *state = state.times(acc);
    }
}

impl<S: Source, const N: usize> Fold for Product<S, N> {
    type Item = S::Item;
    type State = S::Factor;
    type Value = S::Factor;
    const START: S::Factor = S::Factor::ONE;

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[S::Item], _: &Pass, state: &mut S::Factor) {
        let mut products = [S::Factor::ONE; N];
        let whole = items.chunks_exact(N);
        let rest = whole.remainder();
        for row in whole {
            each::zip(&mut products, row, |product, x| *product = product.times(S::factor(lanes, *x)));
        }
        each::zip(&mut products, rest, |product, x| *product = product.times(S::factor(lanes, *x)));
        *state = products.iter().fold(*state, |all, product| all.times(*product));
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, S::Item>, pass: &Pass, states: &mut [S::Factor]) {
        by_rows::<Self, L>(lanes, rows, pass, states);
    }

    fn merge(state: &mut S::Factor, other: S::Factor) {
        *state = state.times(other);
    }

    fn value(state: S::Factor, _: &Pass) -> S::Factor {
        state
    }
}
