//! Batches: floats that a function computes side by side.
//!
//! Each step of a long function waits for the one before, and the processor does not look far enough ahead to
//! fill the time with the next lanes. So such a function is written once over [`Number`], for one float or
//! for a [`Batch`] of several. Each step is done for the whole batch before the next one. Results have the
//! bits of single floats.

#![allow(clippy::needless_range_loop, reason = "the arrays of a step are all at one index")]
#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use super::Real;
use crate::level::Lanes;

/// Arithmetic of floats and of batches.
pub(crate) trait Arithmetic:
    Real + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
}

impl<T> Arithmetic for T where
    T: Real + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T>
{
}

/// `f32` or `f64`.
pub(crate) trait Float: Arithmetic + PartialOrd {
    /// The unsigned integer of the float's width.
    type Bits: Copy;

    fn bits(self) -> Self::Bits;
    fn of_bits(bits: Self::Bits) -> Self;
    fn low_bit(self) -> bool;
    fn magnitude(self) -> Self;
    fn with_sign(self, sign: Self) -> Self;
}

macro_rules! floats {
    ($($float:ident $bits:ident)*) => {$(
        impl Float for $float {
            type Bits = $bits;

            #[inline(always)]
            fn bits(self) -> $bits {
                self.to_bits()
            }

            #[inline(always)]
            fn of_bits(bits: $bits) -> Self {
                Self::from_bits(bits)
            }

            #[inline(always)]
            fn low_bit(self) -> bool {
                self.to_bits() & 1 == 1
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn with_sign(self, sign: Self) -> Self {
                self.copysign(sign)
            }
        }
    )*};
}

floats! { f32 u32 f64 u64 }

/// An `F`, or a [`Batch`] of them.
pub(crate) trait Number<F: Float = f64>: Arithmetic {
    /// The result of a comparison: a bool for each float.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + BitXor<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// Returns a constant.
    fn of(x: F) -> Self;

    /// Returns the number whose bits are `f` of these bits.
    fn with_bits(self, f: impl Fn(F::Bits) -> F::Bits + Copy) -> Self;

    /// Returns the number whose bits are `f` of these bits and those of `b`.
    fn with_bits_of(self, b: Self, f: impl Fn(F::Bits, F::Bits) -> F::Bits + Copy) -> Self;

    /// Tests whether the lowest bit is set.
    fn odd(self) -> Self::Mask;

    /// Tests whether the number is less than `b`.
    fn below(self, b: F) -> Self::Mask;

    /// Tests whether the number is greater than `b`.
    fn above(self, b: F) -> Self::Mask;

    /// Tests whether the number equals `b`.
    fn is(self, b: F) -> Self::Mask;

    /// Tests whether the number is less than `b`.
    fn less(self, b: Self) -> Self::Mask;

    /// Tests whether the number equals `b`.
    fn same(self, b: Self) -> Self::Mask;

    /// Returns the magnitude.
    fn size(self) -> Self;

    /// Returns the magnitude with the sign of `sign`.
    fn signed(self, sign: Self) -> Self;

    /// Selects `a` or `b`, without a branch.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
}

impl<F: Float> Number<F> for F {
    type Mask = bool;

    #[inline(always)]
    fn of(x: F) -> Self {
        x
    }

    #[inline(always)]
    fn with_bits(self, f: impl Fn(F::Bits) -> F::Bits + Copy) -> Self {
        F::of_bits(f(self.bits()))
    }

    #[inline(always)]
    fn with_bits_of(self, b: Self, f: impl Fn(F::Bits, F::Bits) -> F::Bits + Copy) -> Self {
        F::of_bits(f(self.bits(), b.bits()))
    }

    #[inline(always)]
    fn odd(self) -> bool {
        self.low_bit()
    }

    #[inline(always)]
    fn below(self, b: F) -> bool {
        self < b
    }

    #[inline(always)]
    fn above(self, b: F) -> bool {
        self > b
    }

    #[inline(always)]
    fn is(self, b: F) -> bool {
        self == b
    }

    #[inline(always)]
    fn less(self, b: Self) -> bool {
        self < b
    }

    #[inline(always)]
    fn same(self, b: Self) -> bool {
        self == b
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.magnitude()
    }

    #[inline(always)]
    fn signed(self, sign: Self) -> Self {
        self.with_sign(sign)
    }

    #[inline(always)]
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
}

/// A batch of `K` floats.
#[derive(Clone, Copy)]
pub(crate) struct Batch<const K: usize, F = f64>(pub(crate) [F; K]);

/// A bool for each float of a batch.
#[derive(Clone, Copy)]
pub(crate) struct BatchMask<const K: usize>([bool; K]);

impl<const K: usize, F: Float> Batch<K, F> {
    #[inline(always)]
    fn each(self, f: impl Fn(F) -> F + Copy) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = f(out[i]);
        }
        Batch(out)
    }

    #[inline(always)]
    fn with(self, b: Self, f: impl Fn(F, F) -> F + Copy) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = f(out[i], b.0[i]);
        }
        Batch(out)
    }

    #[inline(always)]
    fn ask(self, f: impl Fn(F) -> bool + Copy) -> BatchMask<K> {
        let mut out = [false; K];
        for i in 0..K {
            out[i] = f(self.0[i]);
        }
        BatchMask(out)
    }

    #[inline(always)]
    fn ask_with(self, b: Self, f: impl Fn(F, F) -> bool + Copy) -> BatchMask<K> {
        let mut out = [false; K];
        for i in 0..K {
            out[i] = f(self.0[i], b.0[i]);
        }
        BatchMask(out)
    }
}

macro_rules! operators {
    ($($op:ident $method:ident)*) => {$(
        impl<const K: usize, F: Float> $op for Batch<K, F> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                self.with(b, $op::$method)
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul Div div }

impl<const K: usize, F: Float> Neg for Batch<K, F> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.each(Neg::neg)
    }
}

macro_rules! masks {
    ($($op:ident $method:ident)*) => {$(
        impl<const K: usize> $op for BatchMask<K> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                let mut out = self.0;
                for i in 0..K {
                    out[i] = $op::$method(out[i], b.0[i]);
                }
                BatchMask(out)
            }
        }
    )*};
}

masks! { BitAnd bitand BitOr bitor BitXor bitxor }

impl<const K: usize> Not for BatchMask<K> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        let mut out = self.0;
        for i in 0..K {
            out[i] = !out[i];
        }
        BatchMask(out)
    }
}

impl<const K: usize, F: Float> Real for Batch<K, F> {
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

impl<const K: usize, F: Float> Number<F> for Batch<K, F> {
    type Mask = BatchMask<K>;

    #[inline(always)]
    fn of(x: F) -> Self {
        Batch([x; K])
    }

    #[inline(always)]
    fn with_bits(self, f: impl Fn(F::Bits) -> F::Bits + Copy) -> Self {
        self.each(|x| F::of_bits(f(x.bits())))
    }

    #[inline(always)]
    fn with_bits_of(self, b: Self, f: impl Fn(F::Bits, F::Bits) -> F::Bits + Copy) -> Self {
        self.with(b, |x, b| F::of_bits(f(x.bits(), b.bits())))
    }

    #[inline(always)]
    fn odd(self) -> BatchMask<K> {
        self.ask(F::low_bit)
    }

    #[inline(always)]
    fn below(self, b: F) -> BatchMask<K> {
        self.ask(|x| x < b)
    }

    #[inline(always)]
    fn above(self, b: F) -> BatchMask<K> {
        self.ask(|x| x > b)
    }

    #[inline(always)]
    fn is(self, b: F) -> BatchMask<K> {
        self.ask(|x| x == b)
    }

    #[inline(always)]
    fn less(self, b: Self) -> BatchMask<K> {
        self.ask_with(b, |x, b| x < b)
    }

    #[inline(always)]
    fn same(self, b: Self) -> BatchMask<K> {
        self.ask_with(b, |x, b| x == b)
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.each(F::magnitude)
    }

    #[inline(always)]
    fn signed(self, sign: Self) -> Self {
        self.with(sign, F::with_sign)
    }

    #[inline(always)]
    fn select(mask: BatchMask<K>, a: Self, b: Self) -> Self {
        let mut out = a.0;
        for i in 0..K {
            out[i] = if mask.0[i] { a.0[i] } else { b.0[i] };
        }
        Batch(out)
    }
}
