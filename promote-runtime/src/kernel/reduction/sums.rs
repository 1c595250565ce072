//! Sums, of elements, of their squares and of products: floats in `f64`, integers modulo 2^64.
//!
//! Floats are added in blocks, each in 128 sums, of `f64` 32, every one of every 128th element; these by halves; and the blocks one after another, with what
//! each addition loses kept beside. So it is the same at every level, and the error does not grow with the number of elements.

use core::marker::PhantomData;

use super::fold::{Fold, PairFold, Pass, Rows, Stepped, by_rows};
use crate::convert::Convert;
use crate::element::Element;
use crate::level::Lanes;

/// How many elements a block has.
pub(super) const BLOCK: usize = 2048;
/// How many sums a block of `f64` is added up in: as many as registers hold.
pub(super) const HELD: usize = 32;
/// How many sums a block of anything else is added up in: so many that LLVM makes a vector loop of a conversion and an addition to all of them.
pub(in crate::kernel) const LOOPED: usize = 128;

/// A sum and what its additions have lost.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Total {
    sum: f64,
    lost: f64,
}

impl Total {
    pub(in crate::kernel) const ZERO: Total = Total { sum: 0.0, lost: 0.0 };

    #[inline(always)]
    fn add(&mut self, block: f64) {
        let sum = self.sum + block;
        // What the addition has lost, exactly (Knuth's two-sum).
        let back = sum - self.sum;
        self.lost += (self.sum - (sum - back)) + (block - back);
        self.sum = sum;
    }

    #[inline(always)]
    fn merge(&mut self, other: Total) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    pub(in crate::kernel) fn get(self) -> f64 {
        // Of infinities and NaN there is nothing to be mended.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// What is added of an element.
pub(in crate::kernel) trait Term: 'static {
    /// Whether it is the element itself.
    const PLAIN: bool = false;

    fn of(x: f64) -> f64;
}

/// Itself.
pub(in crate::kernel) struct Plain;
/// Its square.
pub(super) struct Square;

impl Term for Plain {
    const PLAIN: bool = true;

    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }
}

impl Term for Square {
    #[inline(always)]
    fn of(x: f64) -> f64 {
        x * x
    }
}

#[inline(always)]
fn double<L: Lanes, A: Element<Reg: Convert<f64>>>(lanes: L, repr: A::Repr) -> f64 {
    A::load(lanes, repr).convert(false)
}

/// Adds sums by halves, until there are `left`.
#[inline(always)]
fn halve<const N: usize>(sums: &mut [f64; N], left: usize) {
    let mut half = N / 2;
    while half >= left {
        let (low, high) = sums.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        half /= 2;
    }
}

/// The sums of every `N`th element of a block.
#[inline(always)]
fn block<L: Lanes, A: Element<Reg: Convert<f64>>, T: Term, const N: usize>(
    lanes: L,
    items: &[A::Repr],
) -> [f64; N] {
    let mut sums = [0.0; N];
    let whole = items.chunks_exact(N);
    let rest = whole.remainder();
    for row in whole {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += T::of(double::<L, A>(lanes, *x));
        }
    }
    for (sum, x) in sums.iter_mut().zip(rest) {
        *sum += T::of(double::<L, A>(lanes, *x));
    }
    sums
}

/// The sum of floats.
pub(in crate::kernel) struct FloatSum<A, T, const N: usize>(PhantomData<(A, T)>);

impl<A: Element<Reg: Convert<f64>>, T: Term, const N: usize> Stepped for FloatSum<A, T, N> {
    type Item = A::Repr;
    type State = Total;
    type Acc = f64;
    const ZERO: f64 = 0.0;
    // An 8-bit float takes longer to convert than to read.
    const TOGETHER: bool = T::PLAIN && size_of::<A::Repr>() > 1;

    #[inline(always)]
    fn step<L: Lanes>(lanes: L, acc: f64, item: A::Repr, _: &Pass) -> f64 {
        acc + T::of(double::<L, A>(lanes, item))
    }

    #[inline(always)]
    fn settle(state: &mut Total, acc: f64) {
        state.add(acc);
    }
}

impl<A: Element<Reg: Convert<f64>>, T: Term, const N: usize> Fold for FloatSum<A, T, N> {
    type Item = A::Repr;
    type State = Total;
    type Value = f64;
    const START: Total = Total::ZERO;

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[A::Repr], _: &Pass, state: &mut Total) {
        for items in items.chunks(BLOCK) {
            let mut sums = block::<L, A, T, N>(lanes, items);
            halve(&mut sums, 1);
            state.add(sums[0]);
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, A::Repr>, pass: &Pass, states: &mut [Total]) {
        by_rows::<Self, L>(lanes, rows, pass, states);
    }

    fn merge(state: &mut Total, other: Total) {
        state.merge(other);
    }

    fn value(state: Total, _: &Pass) -> f64 {
        state.get()
    }
}

/// The sum of complex numbers: of their parts.
pub(super) struct ComplexSum<A, T, const N: usize>(PhantomData<(A, T)>);

impl<A: Element<Reg: Convert<f64>>, T: Term, const N: usize> Fold for ComplexSum<A, T, N> {
    type Item = [A::Repr; 2];
    type State = [Total; 2];
    type Value = [f64; 2];
    const START: [Total; 2] = [Total::ZERO; 2];

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[[A::Repr; 2]], _: &Pass, state: &mut [Total; 2]) {
        for items in items.as_flattened().chunks(BLOCK) {
            let mut sums = block::<L, A, T, N>(lanes, items);
            halve(&mut sums, 2);
            state[0].add(sums[0]);
            state[1].add(sums[1]);
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, [A::Repr; 2]>, pass: &Pass, states: &mut [[Total; 2]]) {
        by_rows::<FloatSum<A, T, N>, L>(lanes, &rows.halves(), pass, states.as_flattened_mut());
    }

    fn merge(state: &mut [Total; 2], other: [Total; 2]) {
        state[0].merge(other[0]);
        state[1].merge(other[1]);
    }

    fn value(state: [Total; 2], _: &Pass) -> [f64; 2] {
        state.map(Total::get)
    }
}

impl<A: Element<Reg: Convert<f64>>, const N: usize> PairFold for FloatSum<A, Plain, N> {
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[A::Repr], b: &[A::Repr], state: &mut Total) {
        let product = |(a, b): (&A::Repr, &A::Repr)| double::<L, A>(lanes, *a) * double::<L, A>(lanes, *b);
        for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
            let mut sums = [0.0; N];
            let (left, right) = (a.chunks_exact(N), b.chunks_exact(N));
            let rest = left.remainder().iter().zip(right.remainder());
            for (a, b) in left.zip(right) {
                for (sum, pair) in sums.iter_mut().zip(a.iter().zip(b)) {
                    *sum += product(pair);
                }
            }
            for (sum, pair) in sums.iter_mut().zip(rest) {
                *sum += product(pair);
            }
            halve(&mut sums, 1);
            state.add(sums[0]);
        }
    }
}

impl<A: Element<Reg: Convert<f64>>, const N: usize> PairFold for ComplexSum<A, Plain, N> {
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[[A::Repr; 2]], b: &[[A::Repr; 2]], state: &mut [Total; 2]) {
        for (a, b) in a.chunks(BLOCK / 2).zip(b.chunks(BLOCK / 2)) {
            // The parts of the products, each in half of the sums.
            let (mut re, mut im) = ([0.0; N], [0.0; N]);
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                let [a, c] = a.map(|part| double::<L, A>(lanes, part));
                let [b, d] = b.map(|part| double::<L, A>(lanes, part));
                re[i % N] += a * b - c * d;
                im[i % N] += a * d + c * b;
            }
            halve(&mut re, 1);
            halve(&mut im, 1);
            state[0].add(re[0]);
            state[1].add(im[0]);
        }
    }
}

/// An integer, or `bool`, and sums of it that are as narrow as may be.
pub(super) trait Whole: Element<Reg: Convert<i64>> {
    /// Holds the sum of [`ROWS`](super::fold::ROWS) and more of them.
    type Small: Copy + Into<i64>;
    const ZERO: Self::Small;

    fn add(sum: Self::Small, repr: Self::Repr) -> Self::Small;

    /// The sum modulo 2^64.
    fn sum(items: &[Self::Repr]) -> i64;
}

macro_rules! wholes {
    // Where a narrow sum pays: lanes of it over so many elements that it holds the sums.
    (lanes $lanes:literal of $small:ident: $($ty:ident)*) => {$(
        impl Whole for $ty {
            type Small = $small;
            const ZERO: $small = 0;

            #[inline(always)]
            fn add(sum: $small, repr: Self::Repr) -> $small {
                sum + <$ty as Element>::load(crate::level::Scalar, repr) as $small
            }

            #[inline(always)]
            fn sum(items: &[Self::Repr]) -> i64 {
                let mut total = 0_i64;
                for items in items.chunks($lanes * 128) {
                    let mut sums = [0; $lanes];
                    let whole = items.chunks_exact($lanes);
                    let rest = whole.remainder();
                    for row in whole {
                        for (sum, x) in sums.iter_mut().zip(row) {
                            *sum = Self::add(*sum, *x);
                        }
                    }
                    for (sum, x) in sums.iter_mut().zip(rest) {
                        *sum = Self::add(*sum, *x);
                    }
                    total = total.wrapping_add(sums.iter().map(|sum| i64::from(*sum)).sum());
                }
                total
            }
        }
    )*};
    // Where LLVM makes lanes of one sum, over so many elements that it holds their sum.
    ($small:ident: $($ty:ident)*) => {$(
        impl Whole for $ty {
            type Small = $small;
            const ZERO: $small = 0;

            #[inline(always)]
            fn add(sum: $small, repr: Self::Repr) -> $small {
                sum.wrapping_add(repr as $small)
            }

            #[inline(always)]
            fn sum(items: &[Self::Repr]) -> i64 {
                let block = |items: &[Self::Repr]| items.iter().fold(0, |sum, x| Self::add(sum, *x));
                items.chunks(8192).fold(0, |sum, items| sum.wrapping_add(i64::from(block(items))))
            }
        }
    )*};
}

wholes!(lanes 256 of i16: bool u8 i8);
wholes!(i32: u16 i16);
wholes!(i64: u32 i32 u64 i64);

/// The sum of integers.
pub(super) struct WholeSum<A>(PhantomData<A>);

impl<A: Whole> Stepped for WholeSum<A> {
    type Item = A::Repr;
    type State = i64;
    type Acc = A::Small;
    const ZERO: A::Small = A::ZERO;
    const TOGETHER: bool = size_of::<A::Repr>() >= 4;

    #[inline(always)]
    fn step<L: Lanes>(_: L, acc: A::Small, item: A::Repr, _: &Pass) -> A::Small {
        A::add(acc, item)
    }

    #[inline(always)]
    fn settle(state: &mut i64, acc: A::Small) {
        *state = state.wrapping_add(acc.into());
    }
}

impl<A: Whole> Fold for WholeSum<A> {
    type Item = A::Repr;
    type State = i64;
    type Value = i64;
    const START: i64 = 0;

    #[inline(always)]
    fn run<L: Lanes>(_: L, items: &[A::Repr], _: &Pass, state: &mut i64) {
        *state = state.wrapping_add(A::sum(items));
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, A::Repr>, pass: &Pass, states: &mut [i64]) {
        by_rows::<Self, L>(lanes, rows, pass, states);
    }

    fn merge(state: &mut i64, other: i64) {
        *state = state.wrapping_add(other);
    }

    fn value(state: i64, _: &Pass) -> i64 {
        state
    }
}

impl<A: Whole> PairFold for WholeSum<A> {
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[A::Repr], b: &[A::Repr], state: &mut i64) {
        let whole = |x: &A::Repr| -> i64 { A::load(lanes, *x).convert(false) };
        *state =
            a.iter().zip(b).fold(*state, |sum, (a, b)| sum.wrapping_add(whole(a).wrapping_mul(whole(b))));
    }
}
