//! Numbers side by side.
//!
//! The steps of a long function wait for one another, and those of the next lanes come too late to fill the time: the
//! processor does not look that far ahead. So such a function is written once over [`Number`], for an `f64` or for a
//! [`Batch`] of several, of which every step is done for all before the next one begins. Each number of a batch has the
//! bits that it has alone.

#![allow(clippy::needless_range_loop, reason = "the arrays of a step are all at one index")]

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use super::Real;
use crate::level::Lanes;

/// An `f64`, or several on which the same is done.
pub(crate) trait Number:
    Real + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// What a comparison gives.
    type Truth: Copy
        + BitAnd<Output = Self::Truth>
        + BitOr<Output = Self::Truth>
        + BitXor<Output = Self::Truth>
        + Not<Output = Self::Truth>;

    /// The constant.
    fn of(x: f64) -> Self;

    /// The number whose bits are `f` of these bits.
    fn with_bits(self, f: impl Fn(u64) -> u64) -> Self;

    /// The number whose bits are `f` of these bits and those of `b`.
    fn with_bits_of(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self;

    /// Whether the lowest bit is set.
    fn odd(self) -> Self::Truth;

    /// Whether it is less than `b`.
    fn below(self, b: f64) -> Self::Truth;

    /// Whether it is greater than `b`.
    fn above(self, b: f64) -> Self::Truth;

    /// Whether it equals `b`.
    fn is(self, b: f64) -> Self::Truth;

    /// Whether it is less than `b`.
    fn less(self, b: Self) -> Self::Truth;

    /// Whether it equals `b`.
    fn same(self, b: Self) -> Self::Truth;

    /// The magnitude.
    fn size(self) -> Self;

    /// The magnitude, with the sign of `sign`.
    fn signed(self, sign: Self) -> Self;

    /// `if truth { a } else { b }`, said as one value.
    fn select(truth: Self::Truth, a: Self, b: Self) -> Self;
}

impl Number for f64 {
    type Truth = bool;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn with_bits(self, f: impl Fn(u64) -> u64) -> Self {
        f64::from_bits(f(self.to_bits()))
    }

    #[inline(always)]
    fn with_bits_of(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        f64::from_bits(f(self.to_bits(), b.to_bits()))
    }

    #[inline(always)]
    fn odd(self) -> bool {
        self.to_bits() & 1 == 1
    }

    #[inline(always)]
    fn below(self, b: f64) -> bool {
        self < b
    }

    #[inline(always)]
    fn above(self, b: f64) -> bool {
        self > b
    }

    #[inline(always)]
    #[allow(clippy::float_cmp, reason = "an exact comparison is what is asked for")]
    fn is(self, b: f64) -> bool {
        self == b
    }

    #[inline(always)]
    fn less(self, b: Self) -> bool {
        self < b
    }

    #[inline(always)]
    #[allow(clippy::float_cmp, reason = "an exact comparison is what is asked for")]
    fn same(self, b: Self) -> bool {
        self == b
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn signed(self, sign: Self) -> Self {
        self.copysign(sign)
    }

    #[inline(always)]
    fn select(truth: bool, a: Self, b: Self) -> Self {
        if truth { a } else { b }
    }
}

/// `K` numbers.
#[derive(Clone, Copy)]
pub(crate) struct Batch<const K: usize>(pub(crate) [f64; K]);

/// `K` answers.
#[derive(Clone, Copy)]
pub(crate) struct Truths<const K: usize>([bool; K]);

impl<const K: usize> Batch<K> {
    #[inline(always)]
    fn each(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = f(out[i]);
        }
        Batch(out)
    }

    #[inline(always)]
    fn with(self, b: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = f(out[i], b.0[i]);
        }
        Batch(out)
    }

    #[inline(always)]
    fn ask(self, f: impl Fn(f64) -> bool) -> Truths<K> {
        let mut out = [false; K];
        for i in 0..K {
            out[i] = f(self.0[i]);
        }
        Truths(out)
    }

    #[inline(always)]
    fn ask_with(self, b: Self, f: impl Fn(f64, f64) -> bool) -> Truths<K> {
        let mut out = [false; K];
        for i in 0..K {
            out[i] = f(self.0[i], b.0[i]);
        }
        Truths(out)
    }
}

macro_rules! operators {
    ($($op:ident $method:ident)*) => {$(
        impl<const K: usize> $op for Batch<K> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                self.with(b, $op::$method)
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul Div div }

impl<const K: usize> Neg for Batch<K> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|x| -x)
    }
}

macro_rules! truths {
    ($($op:ident $method:ident)*) => {$(
        impl<const K: usize> $op for Truths<K> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                let mut out = self.0;
                for i in 0..K {
                    out[i] = $op::$method(out[i], b.0[i]);
                }
                Truths(out)
            }
        }
    )*};
}

truths! { BitAnd bitand BitOr bitor BitXor bitxor }

impl<const K: usize> Not for Truths<K> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = !out[i];
        }
        Truths(out)
    }
}

impl<const K: usize> Real for Batch<K> {
    #[inline(always)]
    fn fma<L: Lanes>(self, lanes: L, b: Self, c: Self) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = out[i].fma(lanes, b.0[i], c.0[i]);
        }
        Batch(out)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.each(Real::root)
    }
}

impl<const K: usize> Number for Batch<K> {
    type Truth = Truths<K>;

    #[inline(always)]
    fn of(x: f64) -> Self {
        Batch([x; K])
    }

    #[inline(always)]
    fn with_bits(self, f: impl Fn(u64) -> u64) -> Self {
        self.each(|x| f64::from_bits(f(x.to_bits())))
    }

    #[inline(always)]
    fn with_bits_of(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        self.with(b, |x, b| f64::from_bits(f(x.to_bits(), b.to_bits())))
    }

    #[inline(always)]
    fn odd(self) -> Truths<K> {
        self.ask(Number::odd)
    }

    #[inline(always)]
    fn below(self, b: f64) -> Truths<K> {
        self.ask(|x| x < b)
    }

    #[inline(always)]
    fn above(self, b: f64) -> Truths<K> {
        self.ask(|x| x > b)
    }

    #[inline(always)]
    fn is(self, b: f64) -> Truths<K> {
        self.ask(|x| x.is(b))
    }

    #[inline(always)]
    fn less(self, b: Self) -> Truths<K> {
        self.ask_with(b, |x, b| x < b)
    }

    #[inline(always)]
    fn same(self, b: Self) -> Truths<K> {
        self.ask_with(b, Number::same)
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.each(f64::abs)
    }

    #[inline(always)]
    fn signed(self, sign: Self) -> Self {
        self.with(sign, f64::copysign)
    }

    #[inline(always)]
    fn select(truth: Truths<K>, a: Self, b: Self) -> Self {
        let mut out = a.0;
        for i in 0..K {
            out[i] = if truth.0[i] { a.0[i] } else { b.0[i] };
        }
        Batch(out)
    }
}
