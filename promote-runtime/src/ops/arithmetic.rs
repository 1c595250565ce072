//! The steps of float arithmetic, in a register form or in a narrower format to which each step is rounded.

use core::marker::PhantomData;

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};

use crate::convert::{Nan, Overflow};
use crate::custom::CustomElement;
use crate::element::{Element, Register};
use crate::level::{Lanes, Scalar};
use crate::math::Real as _;
use crate::types;

/// Operations that ops on reals consist of. Each rounds once.
pub(super) trait LaneArith: Copy + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;
    const NAN: Self;

    /// Returns the nearest value.
    fn of(x: f64) -> Self;
    fn plus(self, b: Self) -> Self;
    fn minus(self, b: Self) -> Self;
    fn times(self, b: Self) -> Self;
    /// Returns the product with a number that has the precision of a register.
    fn scaled(self, by: f64) -> Self;
    fn over(self, b: Self) -> Self;
    /// Returns the remainder of the truncated quotient, which is exact.
    fn rest(self, b: Self) -> Self;
    fn negated(self) -> Self;
    fn size(self) -> Self;
    /// Returns the number with the sign of `b`.
    fn signed(self, b: Self) -> Self;
    /// Returns the common bits of two numbers that are equal or zeros.
    fn meet(self, b: Self) -> Self;
    /// Returns the bits of either of two numbers that are equal or zeros.
    fn join(self, b: Self) -> Self;
    /// Rounds down to a whole number; the sign of zero stays.
    fn down(self) -> Self;
    /// Rounds towards zero.
    fn cut(self) -> Self;
    /// Rounds to the nearest whole number, ties to even.
    fn even(self) -> Self;
    /// Returns the next value towards `b`.
    fn next(self, b: Self) -> Self;
    fn root(self) -> Self;

    #[inline(always)]
    fn up(self) -> Self {
        self.negated().down().negated()
    }

    #[inline(always)]
    #[allow(clippy::eq_op, reason = "what is unequal to itself is NaN")]
    fn is_no_number(self) -> bool {
        self != self
    }
}

macro_rules! exact {
    ($($ty:ident $digits:literal;)*) => {$(
        impl LaneArith for $ty {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const NAN: Self = $ty::NAN;

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $ty
            }

            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                self + b
            }

            #[inline(always)]
            fn minus(self, b: Self) -> Self {
                self - b
            }

            #[inline(always)]
            fn times(self, b: Self) -> Self {
                self * b
            }

            #[inline(always)]
            fn scaled(self, by: f64) -> Self {
                self * by as $ty
            }

            #[inline(always)]
            fn over(self, b: Self) -> Self {
                self / b
            }

            #[inline(always)]
            fn rest(self, b: Self) -> Self {
                self % b
            }

            #[inline(always)]
            fn negated(self) -> Self {
                -self
            }

            #[inline(always)]
            fn size(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn signed(self, b: Self) -> Self {
                self.copysign(b)
            }

            #[inline(always)]
            fn meet(self, b: Self) -> Self {
                $ty::from_bits(self.to_bits() & b.to_bits())
            }

            #[inline(always)]
            fn join(self, b: Self) -> Self {
                $ty::from_bits(self.to_bits() | b.to_bits())
            }

            #[inline(always)]
            fn down(self) -> Self {
                let near = self.even();
                // `near` is at most one too great.
                let below = if near > self { near - 1.0 } else { near };
                below.copysign(self)
            }

            #[inline(always)]
            fn cut(self) -> Self {
                let near = self.abs().even();
                let below = if near > self.abs() { near - 1.0 } else { near };
                below.copysign(self)
            }

            #[inline(always)]
            fn even(self) -> Self {
                // Beside a number so great every sum is rounded to a whole one; what is greater is whole
                // already, or no number.
                const WHOLE: $ty = (1_u64 << $digits) as $ty;
                let size = self.abs();
                let near = ((size + WHOLE) - WHOLE).copysign(self);
                if size < WHOLE { near } else { self }
            }

            #[inline(always)]
            fn next(self, b: Self) -> Self {
                // The values of one sign stand in the order of their bits.
                let size = self.to_bits() << 1 >> 1;
                let away = (self < b) == (self > 0.0);
                let moved = if away { size.wrapping_add(1) } else { size.wrapping_sub(1) };
                let moved = $ty::from_bits(moved).copysign(self);
                let from_zero = $ty::from_bits(1).copysign(b);
                let other = if self == 0.0 { from_zero } else { moved };
                let found = if self == b { b } else { other };
                if (self != self) | (b != b) { $ty::NAN } else { found }
            }

            #[inline(always)]
            fn root(self) -> Self {
                crate::math::Real::root(self)
            }
        }
    )*};
}

exact! {
    f32 23;
    f64 52;
}

/// Remainders computed from the quotient.
pub(super) trait FastRest: Copy {
    /// Returns true if the quotient is so small that, once truncated, it is at most one too large.
    fn has_fast_rest(self, b: Self) -> bool;

    /// Returns [`LaneArith::rest`] of such operands; the result is unspecified for others.
    fn fast_rest<L: Lanes>(self, lanes: L, b: Self) -> Self;
}

impl FastRest for f32 {
    #[inline(always)]
    fn has_fast_rest(self, b: f32) -> bool {
        // 2^28; zero is less than nothing, and NaN too.
        (self.abs() < b.abs() * 268_435_456.0) & (b.abs() < f32::INFINITY)
    }

    /// A quotient below 2^28 that is not whole lies at least 2^-24 below the next whole number, and is not
    /// rounded up to it in `f64`; times the 24 digits of `b` it is exact there.
    #[inline(always)]
    fn fast_rest<L: Lanes>(self, _: L, b: f32) -> f32 {
        let (a, b) = (self as f64, b as f64);
        let rest = a - (a / b).cut() * b;
        (rest as f32).copysign(self)
    }
}

impl FastRest for f64 {
    #[inline(always)]
    fn has_fast_rest(self, b: f64) -> bool {
        // 2^52; where `b` is that small, its product with a quotient could be rounded.
        (self.abs() < b.abs() * 4_503_599_627_370_496.0) & (b.abs() < 1e300) & (b.abs() > 1e-290)
    }

    /// The quotient may be rounded up to the next whole number: the rest, which is exact, then has the other
    /// sign.
    #[inline(always)]
    fn fast_rest<L: Lanes>(self, lanes: L, b: f64) -> f64 {
        let rest = (-(self / b).cut()).fma(lanes, b, self);
        let back = rest + b.abs().copysign(self);
        let crossed = (rest < 0.0) != (self < 0.0);
        let rest = if crossed & (rest != 0.0) { back } else { rest };
        rest.copysign(self)
    }
}

/// A value of the narrow float `T`, stored as the `f32` that is equal to it.
#[derive(Debug)]
pub struct RoundedLane<T>(f32, PhantomData<T>);

impl<T> Clone for RoundedLane<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RoundedLane<T> {}

impl<T> PartialEq for RoundedLane<T> {
    #[inline(always)]
    fn eq(&self, b: &Self) -> bool {
        self.0 == b.0
    }
}

impl<T> PartialOrd for RoundedLane<T> {
    #[inline(always)]
    fn partial_cmp(&self, b: &Self) -> Option<core::cmp::Ordering> {
        self.0.partial_cmp(&b.0)
    }

    #[inline(always)]
    fn lt(&self, b: &Self) -> bool {
        self.0 < b.0
    }

    #[inline(always)]
    fn le(&self, b: &Self) -> bool {
        self.0 <= b.0
    }

    #[inline(always)]
    fn gt(&self, b: &Self) -> bool {
        self.0 > b.0
    }

    #[inline(always)]
    fn ge(&self, b: &Self) -> bool {
        self.0 >= b.0
    }
}

impl<T: Element<Reg = f32>> RoundedLane<T> {
    /// Wraps `x`, which must be a value of `T`.
    #[inline(always)]
    pub(crate) fn exact(x: f32) -> Self {
        RoundedLane(x, PhantomData)
    }

    #[inline(always)]
    pub(crate) fn get(self) -> f32 {
        self.0
    }

    #[inline(always)]
    pub(super) fn rounded(x: f32) -> Self {
        RoundedLane::exact(T::quantise::<Nan>(x))
    }
}

/// The value of one lane: a register form, or a narrow float to which each step is rounded.
pub trait LaneValue: Copy {
    /// The register form that holds the value.
    type Reg: Register;

    /// Returns the lane of a register value that this form can represent.
    fn of_reg(reg: Self::Reg) -> Self;

    /// Returns the register value.
    fn reg(self) -> Self::Reg;
}

impl<T: Register> LaneValue for T {
    type Reg = T;

    #[inline(always)]
    fn of_reg(reg: T) -> T {
        reg
    }

    #[inline(always)]
    fn reg(self) -> T {
        self
    }
}

impl<T: Element<Reg = f32>> LaneValue for RoundedLane<T> {
    type Reg = f32;

    #[inline(always)]
    fn of_reg(reg: f32) -> Self {
        RoundedLane::exact(reg)
    }

    #[inline(always)]
    fn reg(self) -> f32 {
        self.0
    }
}

/// The form in which an op computes.
pub trait ComputeForm: 'static {
    /// The elements that all operands are converted to.
    type Common: Element;
    /// The lanes that the op computes on.
    type Lane: LaneValue<Reg = <Self::Common as Element>::Reg>;
    /// The result of overflow in f8e4m3fn, if an operand or a result is converted to it.
    type Overflow: Overflow;
    /// True if operands are rounded to the common dtype, false if only the store of the result rounds.
    const ROUNDS_OPERANDS: bool = true;
    /// True if an op is a few instructions in this form, whose code LLVM may make twice.
    const IS_SHORT: bool = false;
}

/// The form of elements of `T` in which every step of an op is rounded to `T`.
#[derive(Debug)]
pub struct Stepwise<T, W = Nan>(PhantomData<(T, W)>);

macro_rules! stepwise {
    ({} $($kind:ident [$($ty:ident)*])*) => {
        stepwise! { $($(types::$ty => types::$ty)*)* }
    };
    ($($ty:ty => $lane:ty)*) => {$(
        impl<W: Overflow> ComputeForm for Stepwise<$ty, W> {
            type Common = $ty;
            type Lane = $lane;
            type Overflow = W;
        }
    )*};
}

impl<T: CustomElement, W: Overflow> ComputeForm for Stepwise<T, W> {
    type Common = T;
    type Lane = T;
    type Overflow = W;
}

promote_core::__register_dtypes! { stepwise {} }

stepwise! {
    f16 => RoundedLane<f16> bf16 => RoundedLane<bf16> F8E4M3 => RoundedLane<F8E4M3> F8E5M2 => RoundedLane<F8E5M2>
}

macro_rules! rounded {
    ($($ty:ident $bits:ident)*) => {$(
        impl LaneArith for RoundedLane<$ty> {
            const ZERO: Self = RoundedLane(0.0, PhantomData);
            const ONE: Self = RoundedLane(1.0, PhantomData);
            const HALF: Self = RoundedLane(0.5, PhantomData);
            const NAN: Self = RoundedLane(f32::NAN, PhantomData);

            #[inline(always)]
            fn of(x: f64) -> Self {
                RoundedLane::rounded(crate::formats::narrow::to_odd(x))
            }

            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                RoundedLane::rounded(self.0 + b.0)
            }

            #[inline(always)]
            fn minus(self, b: Self) -> Self {
                RoundedLane::rounded(self.0 - b.0)
            }

            #[inline(always)]
            fn times(self, b: Self) -> Self {
                RoundedLane::rounded(self.0 * b.0)
            }

            #[inline(always)]
            fn scaled(self, by: f64) -> Self {
                RoundedLane::rounded(self.0 * by as f32)
            }

            #[inline(always)]
            fn over(self, b: Self) -> Self {
                RoundedLane::rounded(self.0 / b.0)
            }

            #[inline(always)]
            fn rest(self, b: Self) -> Self {
                RoundedLane::exact(self.0.rest(b.0))
            }

            #[inline(always)]
            fn negated(self) -> Self {
                RoundedLane::exact(-self.0)
            }

            #[inline(always)]
            fn size(self) -> Self {
                RoundedLane::exact(self.0.abs())
            }

            #[inline(always)]
            fn signed(self, b: Self) -> Self {
                RoundedLane::exact(self.0.copysign(b.0))
            }

            #[inline(always)]
            fn meet(self, b: Self) -> Self {
                RoundedLane::exact(self.0.meet(b.0))
            }

            #[inline(always)]
            fn join(self, b: Self) -> Self {
                RoundedLane::exact(self.0.join(b.0))
            }

            #[inline(always)]
            fn down(self) -> Self {
                RoundedLane::exact(self.0.down())
            }

            #[inline(always)]
            fn cut(self) -> Self {
                RoundedLane::exact(self.0.cut())
            }

            #[inline(always)]
            fn even(self) -> Self {
                RoundedLane::exact(self.0.even())
            }

            #[inline(always)]
            fn next(self, b: Self) -> Self {
                let code = <$ty as Element>::store::<Scalar, Nan>(Scalar, self.0).to_bits();
                let away = (self.0 < b.0) == (self.0 > 0.0);
                let size = code & ($bits::MAX >> 1);
                let moved = if away { size.wrapping_add(1) } else { size.wrapping_sub(1) };
                let value = |code: $bits| <$ty as Element>::load(Scalar, $ty::from_bits(code));
                let moved = value(moved).copysign(self.0);
                let from_zero = value(1).copysign(b.0);
                let other = if self.0 == 0.0 { from_zero } else { moved };
                let found = if self.0 == b.0 { b.0 } else { other };
                RoundedLane::exact(if (self.0 != self.0) | (b.0 != b.0) { f32::NAN } else { found })
            }

            #[inline(always)]
            fn root(self) -> Self {
                RoundedLane::rounded(LaneArith::root(self.0))
            }
        }
    )*};
}

rounded! { f16 u16 bf16 u16 F8E4M3 u8 F8E5M2 u8 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_remainder_agrees_with_the_remainder() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut fast = 0;
        for i in 0..400_000 {
            // Quotients from 2^-3 on, of signs of all kinds, and close to whole numbers every other time.
            let digits = |bits: u64| 1.0 + (bits >> 12) as f64 / (1_u64 << 52) as f64;
            let b = digits(random()) * if random() & 1 == 0 { 1.0 } else { -1.0 };
            let scale = f64::from_bits((1020 + random() % 58) << 52);
            let a = if i % 2 == 0 { digits(random()) * scale } else { b * (digits(random()) * scale).cut() };
            let a = if random() & 1 == 0 { a } else { -a };
            if a.has_fast_rest(b) {
                fast += 1;
                assert_eq!(a.fast_rest(Scalar, b).to_bits(), (a % b).to_bits(), "{a:?} % {b:?}");
            }
            let (a, b) = (a as f32, b as f32);
            if a.has_fast_rest(b) {
                fast += 1;
                assert_eq!(a.fast_rest(Scalar, b).to_bits(), (a % b).to_bits(), "{a:?} % {b:?}");
            }
        }
        assert!(fast > 500_000, "{fast} of 800000 take the fast path");
    }
}
