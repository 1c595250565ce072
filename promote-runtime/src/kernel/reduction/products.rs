//! Products: of floats in `f64`, of integers modulo 2^64.

use core::marker::PhantomData;

use num_complex::Complex;

use super::fold::{Fold, Pass, Rows, by_rows};
use crate::convert::Convert;
use crate::each;
use crate::element::Element;
use crate::level::Lanes;

/// A number in which a product is computed.
pub(super) trait Factor: Copy + Send + 'static {
    const ONE: Self;

    fn times(self, other: Self) -> Self;
}

macro_rules! factors {
    ($($ty:ty, $one:expr, $times:expr;)*) => {$(
        impl Factor for $ty {
            const ONE: $ty = $one;

            #[inline(always)]
            fn times(self, other: $ty) -> $ty {
                $times(self, other)
            }
        }
    )*};
}

factors! {
    i64, 1, i64::wrapping_mul;
    f64, 1.0, |a, b| a * b;
    Complex<f64>, Complex::new(1.0, 0.0), |a, b| a * b;
}

/// The product of elements of type `A`, computed as an `F`; contiguous elements are multiplied in `N`
/// products.
pub(super) struct Product<A, F, const N: usize>(PhantomData<(A, F)>);

impl<A: Element<Reg: Convert<F>>, F: Factor, const N: usize> Fold for Product<A, F, N> {
    type Item = A::Repr;
    type State = F;
    type Value = F;

    fn start() -> F {
        F::ONE
    }

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[A::Repr], _: &Pass, state: &mut F) {
        let mut products = [F::ONE; N];
        let (rows, rest) = items.as_chunks::<N>();
        let multiply =
            |product: &mut F, x: &A::Repr| *product = product.times(A::load(lanes, *x).convert(false));
        // Rows of a known length keep the products in registers.
        for row in rows {
            each::zip(&mut products, row, multiply);
        }
        each::zip(&mut products, rest, multiply);
        *state = products.iter().fold(*state, |all, product| all.times(*product));
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, A::Repr>, _: &Pass, states: &mut [F]) {
        let step = |product: F, x| product.times(A::load(lanes, x).convert(false));
        by_rows::<false, _, _, _>(rows, states, F::ONE, step, |state, product| *state = state.times(product));
    }

    fn merge(state: F, other: F) -> F {
        state.times(other)
    }

    fn value(state: F, _: &Pass) -> F {
        state
    }
}
