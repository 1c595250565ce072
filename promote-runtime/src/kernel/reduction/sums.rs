//! Sums of elements, of their squares and of products: floats in `f64`, integers modulo 2^64.
//!
//! Floats are added in blocks. A block is added up in 128 sums (32 for `f64`), each of every 128th element,
//! and these by halves. The sums of blocks are added one after another, with the rounding errors in a second
//! number. So the result is equal at every level, and its error does not grow with the number of elements.

use core::marker::PhantomData;

use super::fold::{Fold, PairFold, Pass, Rows, at_cache_line, by_rows};
use super::registers;
use crate::convert::Convert;
use crate::each;
use crate::element::Element;
use crate::level::Lanes;
use crate::memory::block::Block;

/// The number of elements in a block.
pub(super) const BLOCK: usize = 2048;
pub(super) use super::registers::HELD;
/// The number of sums in which a block of any dtype but `f64` is added up.
pub(in crate::kernel) const LOOPED: usize = 4 * HELD;

/// A sum, and the rounding errors of its additions.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Total {
    sum: f64,
    lost: f64,
}

impl Total {
    pub(in crate::kernel) const ZERO: Total = Total { sum: 0.0, lost: 0.0 };

    #[inline(always)]
    pub(super) fn add(&mut self, block: f64) {
        let sum = self.sum + block;
        // The rounding error of the addition, exactly (Knuth's two-sum).
        let back = sum - self.sum;
        self.lost += (self.sum - (sum - back)) + (block - back);
        self.sum = sum;
    }

    #[inline(always)]
    pub(super) fn merge(&mut self, other: Total) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    #[inline(always)]
    pub(super) fn scale(&mut self, factor: f64) {
        self.sum *= factor;
        self.lost *= factor;
    }

    /// Returns how much greater the total is than another one.
    #[inline(always)]
    pub(super) fn minus(self, other: Total) -> f64 {
        // The sums of near numbers are subtracted without an error.
        (self.sum - other.sum) + (self.lost - other.lost)
    }

    #[inline(always)]
    pub(in crate::kernel) fn get(self) -> f64 {
        // Infinities and NaN need no correction.
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[inline(always)]
pub(super) fn double<L: Lanes, A: Element<Reg: Convert<f64>>>(lanes: L, repr: A::Repr) -> f64 {
    A::load(lanes, repr).convert(false)
}

/// Converts an element to a summand: itself or its square.
#[inline(always)]
fn summand<L: Lanes, A: Element<Reg: Convert<f64>>, const SQUARED: bool>(lanes: L, repr: A::Repr) -> f64 {
    let x = double::<L, A>(lanes, repr);
    if SQUARED { x * x } else { x }
}

/// The sum of floats of type `A` or of complex numbers of two such parts, or of the squares of the parts.
pub(in crate::kernel) struct FloatSum<A, const SQUARED: bool, const N: usize, const PARTS: usize>(
    PhantomData<A>,
);

impl<A: Element<Reg: Convert<f64>>, const SQUARED: bool, const N: usize, const PARTS: usize> Fold
    for FloatSum<A, SQUARED, N, PARTS>
{
    type Item = [A::Repr; PARTS];
    type State = [Total; PARTS];
    type Value = [f64; PARTS];

    fn start() -> [Total; PARTS] {
        [Total::ZERO; PARTS]
    }

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[[A::Repr; PARTS]], _: &Pass, state: &mut [Total; PARTS]) {
        for items in items.as_flattened().chunks(BLOCK) {
            let plain = || registers::plain::<_, N>(items, |x| summand::<L, A, SQUARED>(lanes, x));
            let sums = registers::known::<L, A::Repr, N, SQUARED>(lanes, items);
            let [even, odd] = sums.unwrap_or_else(plain);
            match &mut state[..] {
                [re, im] => {
                    re.add(even);
                    im.add(odd);
                }
                totals => totals[0].add(even + odd),
            }
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(lanes: L, rows: &Rows<'_, [A::Repr; PARTS]>, _: &Pass, states: &mut [[Total; PARTS]]) {
        let add = |sum, repr| sum + summand::<L, A, SQUARED>(lanes, repr);
        by_rows::<true, _, _, _>(&rows.parts(), states.as_flattened_mut(), 0.0, add, Total::add);
    }

    fn merge(mut state: [Total; PARTS], other: [Total; PARTS]) -> [Total; PARTS] {
        each::zip(&mut state, &other, |state, other| state.merge(*other));
        state
    }

    fn value(state: [Total; PARTS], _: &Pass) -> [f64; PARTS] {
        each::map(state, Total::get)
    }
}

impl<A: Element<Reg: Convert<f64>>, const N: usize, const PARTS: usize> PairFold
    for FloatSum<A, false, N, PARTS>
{
    #[inline(always)]
    fn pairs<L: Lanes>(lanes: L, a: &[[A::Repr; PARTS]], b: &[[A::Repr; PARTS]], state: &mut [Total; PARTS]) {
        let mut room = Block::<{ BLOCK * size_of::<f64>() }>::new();
        let parts = |item: [A::Repr; PARTS]| each::map(item, |part| double::<L, A>(lanes, part));
        let some = BLOCK / PARTS;
        for (a, b) in a.chunks(some).zip(b.chunks(some)) {
            for (part, total) in state.iter_mut().enumerate() {
                let product = |a: [A::Repr; PARTS], b: [A::Repr; PARTS]| {
                    let (x, y) = (parts(a), parts(b));
                    match part {
                        _ if PARTS == 1 => x[0] * y[0],
                        0 => x[0] * y[0] - x[1] * y[1],
                        _ => x[0] * y[1] + x[1] * y[0],
                    }
                };
                let [even, odd] = if PARTS == 1 && N > HELD {
                    registers::plain_pairs::<_, N>(a, b, product)
                } else {
                    // Of so few sums, or of parts of numbers, LLVM does not always make vectors.
                    let products = &mut room.room::<f64>()[..a.len().min(b.len())];
                    for (i, to) in products.iter_mut().enumerate() {
                        to.write(product(a[i], b[i]));
                    }
                    // SAFETY: all have been written.
                    let products = unsafe { &*(core::ptr::from_ref(products) as *const [f64]) };
                    registers::floats::<L, f64, N, false>(lanes, products)
                };
                total.add(even + odd);
            }
        }
    }
}

/// An integer or `bool`.
pub(super) trait Whole: Element<Reg: Convert<i64>> {
    /// A narrow type that holds the sum of [`ROWS`](super::fold::ROWS) elements.
    type Small: Copy + Default + Into<i64>;

    fn add(sum: Self::Small, repr: Self::Repr) -> Self::Small;

    /// Returns the sum modulo 2^64.
    fn sum<L: Lanes>(lanes: L, items: &[Self::Repr]) -> i64;
}

macro_rules! wholes {
    // Bytes, which are added up in registers. A `bool` is any byte, and counts as 1 unless it is 0.
    (bytes $ty:ident $small:ident $flip:literal $most:literal) => {
        impl Whole for $ty {
            type Small = $small;

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
    // LLVM vectorises the sum of a block, which `$small` holds.
    ($small:ident: $($ty:ident)*) => {$(
        impl Whole for $ty {
            type Small = $small;

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
// Flipping the sign bit adds 128 to each.
wholes!(bytes i8 i16 128 255);
wholes!(i32: u16 i16);
wholes!(i64: u32 i32 i64);

/// The sum of integers.
pub(super) struct WholeSum<A>(PhantomData<A>);

impl<A: Whole> Fold for WholeSum<A> {
    type Item = A::Repr;
    type State = i64;
    type Value = i64;

    fn start() -> i64 {
        0
    }

    #[inline(always)]
    fn run<L: Lanes>(lanes: L, items: &[A::Repr], _: &Pass, state: &mut i64) {
        for items in at_cache_line(items) {
            *state = state.wrapping_add(A::sum(lanes, items));
        }
    }

    #[inline(always)]
    fn rows<L: Lanes>(_: L, rows: &Rows<'_, A::Repr>, _: &Pass, states: &mut [i64]) {
        let settle = |state: &mut i64, sum: A::Small| *state = state.wrapping_add(sum.into());
        by_rows::<true, _, _, _>(rows, states, A::Small::default(), A::add, settle);
    }

    fn merge(state: i64, other: i64) -> i64 {
        state.wrapping_add(other)
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
