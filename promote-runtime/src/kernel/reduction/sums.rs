//! Sums, of elements, of their squares and of products: floats in `f64`, integers modulo 2^64.
//!
//! Floats are added in blocks, each in 128 sums, of `f64` 32, every one of every 128th element; these by
//! halves; and the blocks one after another, with what each addition loses kept beside. So it is the same at
//! every level, and the error does not grow with the number of elements.

use core::marker::PhantomData;

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::fold::{Fold, PairFold, Pass, Rows, Stepped, by_rows};
use super::registers;
use crate::convert::Convert;
use crate::each;
use crate::element::Element;
use crate::level::Lanes;
use crate::memory::block::Block;

/// How many elements a block has.
pub(super) const BLOCK: usize = 2048;
pub(super) use super::registers::HELD;
/// How many sums a block of anything else than `f64` is added up in.
pub(in crate::kernel) const LOOPED: usize = 4 * HELD;

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

/// Room for the numbers of a block.
type Numbers = Block<{ BLOCK * size_of::<f64>() }>;

/// Writes the first `n` of some numbers.
///
/// # Panics
///
/// If there is no room for so many.
#[inline(always)]
fn written(room: &mut Numbers, n: usize, number: impl Fn(usize) -> f64) -> &[f64] {
    let places = &mut room.room::<f64>()[..n];
    for (i, place) in places.iter_mut().enumerate() {
        place.write(number(i));
    }
    // SAFETY: all have been written.
    unsafe { &*(core::ptr::from_ref(places) as *const [f64]) }
}

/// Two sums of a block, that of the elements at even places and that of those at odd ones, each of `N / 2`
/// sums.
#[inline(always)]
fn block<L: Lanes, A: Element<Reg: Convert<f64>>, T: Term, const N: usize>(
    lanes: L,
    items: &[A::Repr],
) -> [f64; 2] {
    let number = |x: A::Repr| T::of(double::<L, A>(lanes, x));
    if !L::F16C {
        return registers::plain::<_, N>(items, number);
    }
    let sums = if !T::PLAIN {
        registers::known::<L, A::Repr, N, true>(lanes, items)
    } else if let Some(items) = registers::same::<_, f16>(items) {
        // If they are exact, so are those of `N / 2` sums.
        let exact = registers::halves(lanes, items.reinterpret_cast());
        exact.or_else(|| registers::known::<L, f16, N, false>(lanes, items))
    } else {
        registers::known::<L, A::Repr, N, false>(lanes, items)
    };
    sums.unwrap_or_else(|| registers::plain::<_, N>(items, number))
}

/// The sum of floats.
pub(in crate::kernel) struct FloatSum<A, T, const N: usize>(PhantomData<(A, T)>);

impl<A: Element<Reg: Convert<f64>>, T: Term, const N: usize> Stepped for FloatSum<A, T, N> {
    type Item = A::Repr;
    type State = Total;
    type Acc = f64;
    const ZERO: f64 = 0.0;
    const TOGETHER: bool = T::PLAIN;

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
            let [even, odd] = block::<L, A, T, N>(lanes, items);
            state.add(even + odd);
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
            let [re, im] = block::<L, A, T, N>(lanes, items);
            state[0].add(re);
            state[1].add(im);
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
        each::map(state, Total::get)
    }
}

impl<A: Element<Reg: Convert<f64>>, const N: usize> PairFold for FloatSum<A, Plain, N> {
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[A::Repr], b: &[A::Repr], state: &mut Total) {
        let product = |a: A::Repr, b: A::Repr| double::<L, A>(lanes, a) * double::<L, A>(lanes, b);
        let mut room = Numbers::new();
        let n = a.len().min(b.len());
        for from in (0..n).step_by(BLOCK) {
            let n = BLOCK.min(n - from);
            let (a, b) = (&a[from..from + n], &b[from..from + n]);
            let [even, odd] = if N == HELD {
                // Of so few sums LLVM does not always make vectors.
                registers::floats::<L, f64, N, false>(lanes, written(&mut room, n, |i| product(a[i], b[i])))
            } else {
                let mut sums = [0.0; N];
                let ((left, a), (right, b)) = (a.as_chunks::<N>(), b.as_chunks::<N>());
                for (row, a) in left.iter().enumerate() {
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum += product(a[i], right[row][i]);
                    }
                }
                for (i, sum) in sums[..a.len()].iter_mut().enumerate() {
                    *sum += product(a[i], b[i]);
                }
                registers::two(sums)
            };
            state.add(even + odd);
        }
    }
}

impl<A: Element<Reg: Convert<f64>>, const N: usize> PairFold for ComplexSum<A, Plain, N> {
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[[A::Repr; 2]], b: &[[A::Repr; 2]], state: &mut [Total; 2]) {
        let part = |pairs: &[[A::Repr; 2]], i: usize| each::map(pairs[i], |part| double::<L, A>(lanes, part));
        let mut room = Numbers::new();
        let n = a.len().min(b.len());
        for from in (0..n).step_by(BLOCK / 2) {
            let n = (BLOCK / 2).min(n - from);
            let (a, b) = (&a[from..from + n], &b[from..from + n]);
            // The parts of the products, one after the other.
            for (place, state) in state.iter_mut().enumerate() {
                let products = written(&mut room, n, |i| {
                    let ([a, c], [b, d]) = (part(a, i), part(b, i));
                    if place == 0 { a * b - c * d } else { a * d + c * b }
                });
                let [even, odd] = registers::floats::<L, f64, N, false>(lanes, products);
                state.add(even + odd);
            }
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
    fn sum<L: Lanes>(lanes: L, items: &[Self::Repr]) -> i64;
}

macro_rules! wholes {
    // As bytes, which are added up in registers; of `bool` each that is not 0 is 1.
    (bytes $ty:ident $small:ident $flip:literal $most:literal) => {
        impl Whole for $ty {
            type Small = $small;
            const ZERO: $small = 0;

            #[inline(always)]
            fn add(sum: $small, repr: Self::Repr) -> $small {
                sum + <$ty as Element>::load(crate::level::Scalar, repr) as $small
            }

            #[inline(always)]
            fn sum<L: Lanes>(lanes: L, items: &[Self::Repr]) -> i64 {
                // SAFETY: every element is a byte.
                let bytes = unsafe { core::slice::from_raw_parts(items.as_ptr().cast::<u8>(), items.len()) };
                registers::bytes(lanes, bytes, $flip, $most) as i64 - $flip * items.len() as i64
            }
        }
    };
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
            fn sum<L: Lanes>(_: L, items: &[Self::Repr]) -> i64 {
                let block = |items: &[Self::Repr]| items.iter().fold(0, |sum, x| Self::add(sum, *x));
                items.chunks(8192).fold(0, |sum, items| sum.wrapping_add(i64::from(block(items))))
            }
        }
    )*};
}

wholes!(bytes bool u8 0 1);
wholes!(bytes u8 i16 0 255);
// What turns the sign adds 128 to each.
wholes!(bytes i8 i16 128 255);
wholes!(i32: u16 i16);
wholes!(i64: u32 i32 i64);

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
    fn run<L: Lanes>(lanes: L, items: &[A::Repr], _: &Pass, state: &mut i64) {
        *state = state.wrapping_add(A::sum(lanes, items));
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
        let whole = |x: A::Repr| -> i64 { A::load(lanes, x).convert(false) };
        let n = a.len().min(b.len());
        let (a, b) = (&a[..n], &b[..n]);
        *state = (0..n).fold(*state, |sum, i| sum.wrapping_add(whole(a[i]).wrapping_mul(whole(b[i]))));
    }
}
