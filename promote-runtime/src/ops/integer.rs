//! Ops on integers, which wrap, and on bools, which are 0 and 1.

use num_traits::{PrimInt, Unsigned};

use super::{
    Abs, Add, BitwiseAnd, BitwiseNot, BitwiseOr, BitwiseXor, Ceil, Clamp, ClampMin, Conj, Divide,
    DivideTrunc, FastPath, Floor, FloorDivide, Fmax, Fmin, Fmod, Gcd, Heaviside, Imag, L1Loss, Lcm,
    LeftShift, Maximum, Minimum, Multiply, Negative, OpLane, Positive, Pow, Real, Relu, Remainder,
    RightShift, Round, Sign, Square, Subtract, Threshold, Trap, Trunc,
};
use crate::level::Lanes;
use crate::math::Real as _;
use crate::semantics::{
    BY_ZERO_ONES, BY_ZERO_ZERO, COUNT_CLAMPED, COUNT_WRAPS, NEGATIVE_EXPONENT_ERROR, ROUNDING_TRUNCATE,
    ROUNDING_TRUNCATE_INTEGERS,
};

/// Division of integers, as vector code where the level has instructions for it.
trait Quotient: Copy {
    /// True if there is a fast path for small operands.
    const HAS_FAST_PATH: bool = false;

    /// Returns true if `self` is small enough for [`Quotient::fast_quotient`].
    #[inline(always)]
    fn is_small(self) -> bool {
        false
    }

    /// Returns the quotient, truncated and wrapping; `b` is not 0.
    fn quotient<L: Lanes>(self, lanes: L, b: Self) -> Self;

    /// Returns the quotient of small operands; the result is unspecified for others.
    #[inline(always)]
    fn fast_quotient<L: Lanes>(self, lanes: L, b: Self) -> Self {
        self.quotient(lanes, b)
    }
}

/// Every value of the integer, and so every quotient, is exact in the float; a quotient rounded to the float
/// is not rounded up to the next whole number, since it has more digits than both operands together.
macro_rules! by_float {
    ($($ty:ident $float:ident)*) => {$(
        impl Quotient for $ty {
            #[inline(always)]
            #[allow(unused_comparisons, reason = "unsigned integers have no -1")]
            fn quotient<L: Lanes>(self, _: L, b: Self) -> Self {
                let quotient = self as $float / b as $float;
                // Only the quotient of the least integer and -1 is out of range.
                let inside = if quotient <= $ty::MAX as $float { quotient } else { 0.0 };
                // SAFETY: `b` is not 0, by the caller's promise or, if it was, `inside` is 0: NaN and
                // infinity are not at most MAX, and a negative infinity can't be, as it is replaced below.
                let inside = if inside >= $ty::MIN as $float { inside } else { 0.0 };
                // SAFETY: as just selected, `inside` is no NaN and lies between the ends of the integer.
                let cut: $ty = unsafe { inside.to_int_unchecked() };
                if quotient > $ty::MAX as $float { $ty::MIN } else { cut }
            }
        }
    )*};
}

by_float! { u8 f32 i8 f32 u16 f32 i16 f32 u32 f64 i32 f64 }

/// 1.5·2^52: the bits of its sum with a whole number below 2^51 are its own plus that number.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Returns the truncated quotient of two numbers of a magnitude below 2^51.
///
/// The quotient of the floats, which are exact, is rounded to a whole number; what is left is exact too,
/// being at most half of `b` and a little. Where it has another sign than `a`, the number is one too great.
#[inline(always)]
fn small_quotient<L: Lanes>(lanes: L, a: i64, b: i64) -> i64 {
    let float = |x: i64| f64::from_bits(WHOLE.to_bits().wrapping_add_signed(x)) - WHOLE;
    let (x, y) = (float(a), float(b));
    let sum = x / y + WHOLE;
    let near = sum - WHOLE;
    let rest = (-near).fma(lanes, y, x);
    let beyond = ((rest < 0.0) != (x < 0.0)) & (rest != 0.0);
    let one = if (x < 0.0) == (y < 0.0) { 1.0 } else { -1.0 };
    let cut = if beyond { near - one } else { near };
    (cut + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i64
}

/// Returns the quotient, computed by two divisions of floats; `b` is not 0.
///
/// Each quotient of floats is made less by more than their rounding could have added. The first leaves a rest
/// of at most 2^15 times `b`; the second is then at most one too small.
#[inline(always)]
fn wide_quotient(a: u64, b: u64) -> u64 {
    const LESS: f64 = 1.0 - 1.0 / ((1_u64 << 50) as f64);
    let part = |a: u64| {
        let quotient = a as f64 / b as f64 * LESS;
        // Always so, since `b` is at least 1, but for a caller that breaks its promise.
        let inside = if quotient < u64::MAX as f64 { quotient } else { 0.0 };
        // SAFETY: as just selected, `inside` is no NaN and below 2^64; a quotient of unsigned integers is not
        // negative.
        let cut: u64 = unsafe { inside.to_int_unchecked() };
        (cut, a.wrapping_sub(cut.wrapping_mul(b)))
    };
    let (first, rest) = part(a);
    let (second, rest) = part(rest);
    first.wrapping_add(second).wrapping_add((rest >= b) as u64)
}

/// Division as vector code where the level converts 64-bit integers, else by the instruction for integers.
macro_rules! by_integer {
    ($($ty:ident |$a:ident, $b:ident| $wide:expr;)*) => {$(
        impl Quotient for $ty {
            const HAS_FAST_PATH: bool = true;

            #[inline(always)]
            fn is_small(self) -> bool {
                self.magnitude() >> 51 == 0
            }

            #[inline(always)]
            fn quotient<L: Lanes>(self, _: L, b: Self) -> Self {
                let ($a, $b) = (self, b);
                if L::AVX512 { $wide } else { $a.wrapping_div($b) }
            }

            #[inline(always)]
            fn fast_quotient<L: Lanes>(self, lanes: L, b: Self) -> Self {
                // Without the instruction a fused multiply-add is far slower than a division.
                if L::FMA { small_quotient(lanes, self as i64, b as i64) as $ty } else { self.wrapping_div(b) }
            }
        }
    )*};
}

by_integer! {
    u64 |a, b| wide_quotient(a, b);
    i64 |a, b| {
        let size = wide_quotient(a.magnitude(), b.magnitude()) as i64;
        if (a ^ b) < 0 { size.wrapping_neg() } else { size }
    };
}

/// Returns the result of a division by zero where it is not an error.
const fn by_zero<const SEMANTICS: u16>() -> i8 {
    if SEMANTICS & BY_ZERO_ONES != 0 { -1 } else { 0 }
}

/// Returns the error of a division by zero, unless the semantics give it a result.
const fn division_trap<const SEMANTICS: u16>() -> Option<Trap> {
    if SEMANTICS & (BY_ZERO_ZERO | BY_ZERO_ONES) == 0 { Some(Trap::DivisionByZero) } else { None }
}

macro_rules! common {
    ({} bool $bool:tt integer [$($ty:ident)*] float $float:tt complex $complex:tt) => {$(
        rows! { $ty;
            Add |a, b| a.wrapping_add(b);
            Subtract |a, b| a.wrapping_sub(b);
            Multiply |a, b| a.wrapping_mul(b);
            Maximum |a, b| if a > b { a } else { b };
            Minimum |a, b| if a < b { a } else { b };
            BitwiseAnd |a, b| a & b;
            BitwiseOr |a, b| a | b;
            BitwiseXor |a, b| a ^ b;
            // A shift by the width or more, or by less than 0, shifts every bit out.
            LeftShift |a, b| {
                let last = ($ty::BITS - 1) as $ty;
                let count = clamp(b, 0, last);
                let shifted = a.wrapping_shl(if SEMANTICS & COUNT_WRAPS != 0 { b } else { count } as u32);
                if (SEMANTICS & (COUNT_CLAMPED | COUNT_WRAPS) != 0) | (count == b) { shifted } else { 0 }
            };
            // A shift to the right leaves copies of the sign.
            RightShift |a, b| {
                let last = ($ty::BITS - 1) as $ty;
                let count = clamp(b, 0, last);
                let shifted = a.wrapping_shr(if SEMANTICS & COUNT_WRAPS != 0 { b } else { count } as u32);
                let beyond = (0 as $ty).wrapping_sub(below_zero(a));
                if (SEMANTICS & (COUNT_CLAMPED | COUNT_WRAPS) != 0) | (count == b) { shifted } else { beyond }
            };
            Gcd |a, b| gcd(a.magnitude(), b.magnitude()) as $ty;
            Lcm |a, b| {
                let (a, b) = (a.magnitude(), b.magnitude());
                let common = gcd(a, b);
                (if common == 0 { 0 } else { (a / common).wrapping_mul(b) }) as $ty
            };
            Fmax |a, b| if a > b { a } else { b };
            ClampMin |a, b| if a > b { a } else { b };
            Fmin |a, b| if a < b { a } else { b };
            L1Loss |a, b| a.wrapping_sub(b).size();
            Heaviside |a, b| if a == 0 { b } else { (a > 0) as $ty };
        }
        rows_with! { $ty;
            Clamp [_lanes, _semantics] |a, least, most| {
                let above = if a > least { a } else { least };
                if above < most { above } else { most }
            };
            Threshold [_lanes, _semantics] |a, threshold, value| if a <= threshold { value } else { a };
        }
        rows! { $ty;
            Positive |a| a;
            Relu |a| if a > 0 { a } else { 0 };
            Negative |a| a.wrapping_neg();
            Abs |a| a.size();
            Sign |a| ((a > 0) as $ty).wrapping_sub(below_zero(a));
            Square |a| a.wrapping_mul(a);
            BitwiseNot |a| !a;
            Conj |a| a;
            Real |a| a;
            Imag |_a| 0;
            Floor |a| a;
            Ceil |a| a;
            Trunc |a| a;
            Round |a| a;
        }
        division!($ty);
        power!($ty);
    )*};
}

/// Rounds a truncated quotient as the semantics say.
macro_rules! rounded {
    ($ty:ident, $quotient:ident, $rest:ident, $b:ident) => {
        if SEMANTICS & (ROUNDING_TRUNCATE | ROUNDING_TRUNCATE_INTEGERS) != 0 {
            $quotient
        } else {
            $quotient.wrapping_sub(crosses($rest, $b) as $ty)
        }
    };
}

macro_rules! division {
    ($ty:ident) => {
        division!($ty FloorDivide |a, b, quotient, rest| rounded!($ty, quotient, rest, b));
        division!($ty Divide |a, b, quotient, rest| rounded!($ty, quotient, rest, b));
        division!($ty DivideTrunc |a, b, quotient, rest| quotient);
        division!($ty Remainder |a, b, quotient, rest| if crosses(rest, b) { rest.wrapping_add(b) } else { rest });
        division!($ty Fmod |a, b, quotient, rest| rest);
    };
    ($ty:ident $op:ident |$a:ident, $b:ident, $quotient:ident, $rest:ident| $body:expr) => {
        impl<const SEMANTICS: u16> OpLane<$ty> for $op<SEMANTICS> {
            type Out = $ty;
            const TRAP: Option<Trap> = division_trap::<SEMANTICS>();
            const FAST_PATH: FastPath = FastPath::when(<$ty as Quotient>::HAS_FAST_PATH);

            #[inline(always)]
            fn traps((_, b): ($ty, $ty)) -> bool {
                b == 0
            }

            #[inline(always)]
            fn in_fast_domain((a, b): ($ty, $ty)) -> bool {
                a.is_small() & b.is_small()
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, (a, b): ($ty, $ty)) -> $ty {
                division!(@lane $ty, a, b, |a, b| Quotient::fast_quotient(a, lanes, b); |$a, $b, $quotient, $rest| $body)
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): ($ty, $ty)) -> $ty {
                division!(@lane $ty, a, b, |a, b| Quotient::quotient(a, lanes, b); |$a, $b, $quotient, $rest| $body)
            }
        }
    };
    (@lane $ty:ident, $x:ident, $y:ident, $divide:expr; |$a:ident, $b:ident, $quotient:ident, $rest:ident| $body:expr) => {{
        let ($a, $b) = ($x, if $y == 0 { 1 } else { $y });
        let $quotient = ($divide)($a, $b);
        #[allow(unused_variables, reason = "not every op looks at the remainder")]
        let $rest = $a.wrapping_sub($quotient.wrapping_mul($b));
        // An integer whose bits are all 1, or 0.
        let zero = by_zero::<SEMANTICS>() as $ty;
        // Computed in any case: under a branch it is no vector code at V3.
        let found = $body;
        if $y == 0 { zero } else { found }
    }};
}

/// The number of exponent bits that the fast path of [`Pow`] covers.
const FAST_BITS: u32 = 5;

macro_rules! power {
    ($ty:ident) => {
        /// By squares, modulo the width. A negative exponent gives 1 / `a`^-`b` cut towards zero, and 0 where
        /// that is 1 / 0.
        impl<const SEMANTICS: u16> OpLane<$ty> for Pow<SEMANTICS> {
            type Out = $ty;
            const TRAP: Option<Trap> = if SEMANTICS & NEGATIVE_EXPONENT_ERROR != 0 && $ty::MIN != 0 {
                Some(Trap::NegativeExponent)
            } else {
                None
            };
            const FAST_PATH: FastPath = FastPath::when(true);

            #[inline(always)]
            #[allow(unused_comparisons, reason = "unsigned integers are never negative")]
            fn traps((_, b): ($ty, $ty)) -> bool {
                b < 0
            }

            #[inline(always)]
            fn in_fast_domain((_, b): ($ty, $ty)) -> bool {
                b & !(((1_u8 << FAST_BITS) - 1) as $ty) == 0
            }

            #[inline(always)]
            fn fast<L: Lanes>(_: L, (a, b): ($ty, $ty)) -> $ty {
                power!(@squares $ty, a, b, FAST_BITS)
            }

            #[inline(always)]
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons, reason = "unsigned integers are never negative")]
            fn apply<L: Lanes>(_: L, (a, b): ($ty, $ty)) -> $ty {
                let power = power!(@squares $ty, a, b, $ty::BITS);
                // Only 1 and -1 have a reciprocal; no unsigned integer is -1.
                let odd = if b & 1 == 0 { 1 } else { a };
                let unit = (a == 1) | ((a.wrapping_add(1) == 0) & ($ty::MIN != 0));
                let reciprocal = if unit { odd } else { 0 };
                if b < 0 { reciprocal } else { power }
            }
        }
    };
    (@squares $ty:ident, $a:ident, $b:ident, $bits:expr) => {{
        let (mut power, mut square, mut left) = (1 as $ty, $a, $b);
        let mut i = 0;
        while i < $bits {
            power = power.wrapping_mul(if left & 1 == 0 { 1 } else { square });
            square = square.wrapping_mul(square);
            left >>= 1;
            i += 1;
        }
        power
    }};
}

/// Absolute values, which signed and unsigned integers compute differently.
trait Sizes: Copy {
    type Magnitude;
    /// The absolute value, wrapping.
    fn size(self) -> Self;
    fn magnitude(self) -> Self::Magnitude;
}

macro_rules! sizes {
    ($($signed:ident $unsigned:ident)*) => {$(
        impl Sizes for $signed {
            type Magnitude = $unsigned;

            #[inline(always)]
            fn size(self) -> Self {
                self.wrapping_abs()
            }

            #[inline(always)]
            fn magnitude(self) -> $unsigned {
                self.unsigned_abs()
            }
        }

        impl Sizes for $unsigned {
            type Magnitude = Self;

            #[inline(always)]
            fn size(self) -> Self {
                self
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                self
            }
        }
    )*};
}

// In pairs, which the list of dtypes has not: the magnitude of a signed integer has the unsigned type after
// it. A type that is missing here is an error in `common!`.
sizes! { i8 u8 i16 u16 i32 u32 i64 u64 }

/// Returns 1 for negative numbers and 0 for others, in the integer type.
#[inline(always)]
fn below_zero<T: Copy + PartialOrd + Default + From<bool>>(a: T) -> T {
    T::from(a < T::default())
}

/// Returns true if a remainder is not zero and its sign differs from that of the divisor.
#[inline(always)]
fn crosses<T: Copy + PartialOrd + Default>(rest: T, b: T) -> bool {
    let zero = T::default;
    (rest != zero()) & ((rest < zero()) != (b < zero()))
}

#[inline(always)]
fn clamp<T: PartialOrd>(x: T, low: T, high: T) -> T {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// Returns the greatest common divisor by the binary algorithm, and 0 for 0 and 0.
#[inline(always)]
fn gcd<T: PrimInt + Unsigned>(a: T, b: T) -> T {
    if a.is_zero() || b.is_zero() {
        return a | b;
    }
    let twos = |x: T| x.trailing_zeros() as usize;
    let common_twos = twos(a | b);
    // From here on `a` is odd. The difference of two odd numbers is even, and is halved in the next step.
    let (mut a, mut b) = (a >> twos(a), b);
    while !b.is_zero() {
        b = b >> twos(b);
        (a, b) = (a.min(b), a.max(b) - a.min(b));
    }
    a << common_twos
}

promote_core::__register_dtypes! { common {} }

rows! { bool;
    Add |a, b| a | b;
    Multiply |a, b| a & b;
    Maximum |a, b| a | b;
    Minimum |a, b| a & b;
    BitwiseAnd |a, b| a & b;
    BitwiseOr |a, b| a | b;
    BitwiseXor |a, b| a ^ b;
    Fmax |a, b| a | b;
    ClampMin |a, b| a | b;
    Fmin |a, b| a & b;
    // 0 to the power of 0 is 1.
    Pow |a, b| a | !b;
    Heaviside |a, b| a | b;
}

rows_with! { bool;
    Clamp [_lanes, _semantics] |a, least, most| (a | least) & most;
}

rows! { bool;
    Positive |a| a;
    Relu |a| a;
    Abs |a| a;
    Sign |a| a;
    Square |a| a;
    BitwiseNot |a| !a;
    Conj |a| a;
    Real |a| a;
    Imag |_a| false;
    Floor |a| a;
    Ceil |a| a;
    Trunc |a| a;
    Round |a| a;
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::level::Scalar;

    /// Next to every power of two, and random numbers of every length.
    fn numbers() -> Vec<u64> {
        let mut all = Vec::new();
        for k in 0..64 {
            for d in -2..=2 {
                all.extend([(1_u64 << k).wrapping_add_signed(d), (u64::MAX >> k).wrapping_add_signed(d)]);
            }
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for i in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            all.push((state ^ (state >> 29)) >> (i % 64));
        }
        all
    }

    fn check<L: Lanes>(lanes: L, a: u64, b: u64) {
        if b == 0 {
            return;
        }
        let (signed_a, signed_b) = (a as i64, b as i64);
        assert_eq!(wide_quotient(a, b), a / b, "{a} / {b}");
        assert_eq!(
            Quotient::quotient(signed_a, lanes, signed_b),
            signed_a.wrapping_div(signed_b),
            "{signed_a} / {signed_b}"
        );
        if a.is_small() && b.is_small() {
            assert_eq!(Quotient::fast_quotient(a, lanes, b), a / b, "{a} / {b}, small");
        }
        if signed_a.is_small() && signed_b.is_small() {
            assert_eq!(
                Quotient::fast_quotient(signed_a, lanes, signed_b),
                signed_a / signed_b,
                "{signed_a} / {signed_b}, small"
            );
        }
    }

    /// Every pair, and of every pair the multiples and their neighbours, where a quotient is nearest to a
    /// whole number.
    fn check_all<L: Lanes>(lanes: L) {
        let numbers = numbers();
        for &a in &numbers {
            for &b in &numbers {
                let multiple = a.checked_div(b).map_or(0, |quotient| quotient * b);
                for a in [a, multiple, multiple.wrapping_sub(1), a.wrapping_neg(), multiple.wrapping_neg()] {
                    check(lanes, a, b);
                    check(lanes, a, b.wrapping_neg());
                }
            }
        }
    }

    #[test]
    fn a_quotient_of_floats_is_that_of_integers_at_every_level() {
        check_all(Scalar);
        #[cfg(target_arch = "x86_64")]
        {
            use crate::level::tokens::{V3, V4};
            if let Some(lanes) = V3::try_new() {
                check_all(lanes);
            }
            if let Some(lanes) = V4::try_new() {
                check_all(lanes);
            }
        }
    }
}
