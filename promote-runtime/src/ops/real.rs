//! Ops on reals, for `f32`, `f64` and the formats to which each step is rounded.

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};

use super::arithmetic::{FastRest, LaneArith, RoundedLane};
use super::{
    Abs, Add, Angle, Ceil, Clamp, ClampMin, Conj, Copysign, Divide, DivideTrunc, FastPath, Floor,
    FloorDivide, Fmax, Fmin, Fmod, Heaviside, Imag, Isclose, Maximum, Minimum, Multiply, Negative, Nextafter,
    OpLane, Positive, Real, Reciprocal, Relu, Remainder, Round, Rsqrt, Sign, SignStep, Sqrt, Square,
    Subtract, Threshold, Trunc,
};
use crate::level::Lanes;
use crate::semantics::{NAN_ZERO, QUOTIENT_ROUNDED, ROUNDING_TRUNCATE, ZERO_SIGN_DIVISOR};

macro_rules! reals {
    ($($ty:ty)*) => {$(
        rows! { $ty;
            Add |a, b| a.plus(b);
            Subtract |a, b| a.minus(b);
            Multiply |a, b| a.times(b);
            Divide |a, b| a.over(b);
            Maximum |a, b| greater(a, b);
            Minimum |a, b| lesser(a, b);
            ClampMin |a, b| greater(a, b);
            Fmax |a, b| if a.is_no_number() { b } else { greater_or_second(b, a) };
            Fmin |a, b| if a.is_no_number() { b } else { lesser_or_second(b, a) };
            DivideTrunc |a, b| a.over(b).cut();
            Copysign |a, b| a.signed(b);
            Nextafter |a, b| a.next(b);
            Heaviside |a, b| {
                let step = if a > LaneArith::ZERO { LaneArith::ONE } else { LaneArith::ZERO };
                let step = if a == LaneArith::ZERO { b } else { step };
                if a.is_no_number() { of_nan(SEMANTICS) } else { step }
            };
        }
        rows_with! { $ty;
            Clamp [_lanes, _semantics] |a, least, most| lesser(greater(a, least), most);
            Threshold [_lanes, _semantics] |a, threshold, value| if a <= threshold { value } else { a };
        }
        rows_with! { $ty => bool;
            Isclose [_lanes, _semantics] |a, b, rtol, atol| {
                let distance = a.minus(b).size();
                let near = (distance <= atol.plus(rtol.times(b).size())) & (distance.minus(distance) == LaneArith::ZERO);
                near | (a == b)
            };
        }
        rows! { $ty;
            Sign |a| {
                let sign = if a == LaneArith::ZERO { LaneArith::ZERO } else { <$ty as LaneArith>::ONE.signed(a) };
                if a.is_no_number() { of_nan(SEMANTICS) } else { sign }
            };
            Positive |a| a;
            Relu |a| if a <= LaneArith::ZERO { LaneArith::ZERO } else { a };
            Rsqrt |a| <$ty as LaneArith>::ONE.over(a.root());
            Square |a| a.times(a);
            Reciprocal |a| <$ty as LaneArith>::ONE.over(a);
            Conj |a| a;
            Real |a| a;
            Imag |_a| LaneArith::ZERO;
            Angle |a| {
                let angle = if a < LaneArith::ZERO { LaneArith::of(core::f64::consts::PI) } else { LaneArith::ZERO };
                if a.is_no_number() { a } else { angle }
            };
        }
    )*};
}

/// Rounding to whole numbers by functions of the standard library, which become single instructions where the
/// level has them. Rows are `Op: function steps`.
macro_rules! whole {
    ($($ty:ident)*) => {$(
        whole! { @rows $ty; Floor: floor down, Ceil: ceil up, Trunc: trunc cut, Round: round_ties_even even }
    )*};
    (@rows $ty:ident; $($op:ident: $function:ident $steps:ident),*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty, ($ty,)> for $op<SEMANTICS> {
            type Out = $ty;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): ($ty,)) -> $ty {
                // Every level with a fused multiply-add has the instruction; elsewhere the function would be
                // a call.
                #[cfg(feature = "std")]
                if L::FMA {
                    return a.$function();
                }
                a.$steps()
            }
        }
    )*};
}

whole! { f32 f64 }

/// Rounding to whole numbers in formats to which each step is rounded.
macro_rules! whole_steps {
    ($($ty:ty)*) => {$(
        rows! { $ty;
            Floor |a| a.down();
            Ceil |a| a.up();
            Trunc |a| a.cut();
            Round |a| a.even();
        }
    )*};
}

whole_steps! { RoundedLane<f16> RoundedLane<bf16> RoundedLane<F8E4M3> RoundedLane<F8E5M2> }

reals! { f32 f64 RoundedLane<f16> RoundedLane<bf16> RoundedLane<F8E4M3> RoundedLane<F8E5M2> }

macro_rules! roots {
    ($($ty:ty)*) => {$(
        rows! { $ty; Sqrt |a| a.root(); }
    )*};
}

roots! { f32 RoundedLane<f16> RoundedLane<bf16> RoundedLane<F8E4M3> RoundedLane<F8E5M2> }

/// Ops that change only the sign.
macro_rules! signs {
    ($($ty:ty)*) => {$(
        signs! { @row $ty; Negative Turned negated }
        signs! { @row $ty; Abs Cleared size }
    )*};
    (@row $ty:ty; $op:ident $step:ident $function:ident) => {
        impl<const SEMANTICS: u16> OpLane<$ty, ($ty,)> for $op<SEMANTICS> {
            type Out = $ty;
            const SIGN: Option<SignStep> = Some(SignStep::$step);

            #[inline(always)]
            fn apply<L: Lanes>(_: L, (a,): ($ty,)) -> $ty {
                a.$function()
            }
        }
    };
}

signs! { f32 f64 RoundedLane<f16> RoundedLane<bf16> RoundedLane<F8E4M3> RoundedLane<F8E5M2> }

/// Ops computed from the remainder, as rows `Op (has_fast_path) |a, b, rest| body`. The fast path takes small
/// quotients.
macro_rules! divisions {
    ($($ty:ident)*) => {$(
        divisions! { @impl $ty Fmod (true) |a, b, rest| rest }
        divisions! { @impl $ty Remainder (SEMANTICS & QUOTIENT_ROUNDED == 0) |a, b, rest| remainder(SEMANTICS, a, b, rest) }
        divisions! { @impl $ty FloorDivide (SEMANTICS & (ROUNDING_TRUNCATE | QUOTIENT_ROUNDED) == 0) |a, b, rest| whole_quotient(SEMANTICS, a, b, rest) }
    )*};
    (@impl $ty:ident $op:ident ($has_fast_path:expr) |$a:ident, $b:ident, $rest:ident| $body:expr) => {
        impl<const SEMANTICS: u16> OpLane<$ty> for $op<SEMANTICS> {
            type Out = $ty;
            const FAST_PATH: FastPath = FastPath::when($has_fast_path);

            #[inline(always)]
            fn in_fast_domain((a, b): ($ty, $ty)) -> bool {
                a.has_fast_rest(b)
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "not every op looks at all of them")]
            fn fast<L: Lanes>(lanes: L, ($a, $b): ($ty, $ty)) -> $ty {
                let $rest = $a.fast_rest(lanes, $b);
                $body
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "not every op looks at all of them")]
            fn apply<L: Lanes>(_: L, ($a, $b): ($ty, $ty)) -> $ty {
                let $rest = $a.rest($b);
                $body
            }
        }
    };
}

divisions! { f32 f64 }

macro_rules! rounded_divisions {
    ($($ty:ident)*) => {$(
        rows! { RoundedLane<$ty>;
            Fmod |a, b| a.rest(b);
            Remainder |a, b| remainder(SEMANTICS, a, b, a.rest(b));
            FloorDivide |a, b| whole_quotient(SEMANTICS, a, b, a.rest(b));
        }
    )*};
}

rounded_divisions! { f16 bf16 }

/// Returns the greater number, or NaN if either is NaN; +0 is greater than -0.
///
/// The last step never chooses `a` as it is: in place LLVM would make masked stores of that, which take four
/// times as long on AMD.
#[inline(always)]
pub(super) fn greater<T: LaneArith>(a: T, b: T) -> T {
    if b.is_no_number() { b } else { greater_or_second(b, a) }
}

/// Returns the lesser number, or NaN if either is NaN; -0 is less than +0. See [`greater`].
#[inline(always)]
pub(super) fn lesser<T: LaneArith>(a: T, b: T) -> T {
    if b.is_no_number() { b } else { lesser_or_second(b, a) }
}

/// Returns the greater number, or `b` if either is NaN; +0 is greater than -0.
///
/// The first line alone is one instruction of x86.
#[inline(always)]
fn greater_or_second<T: LaneArith>(a: T, b: T) -> T {
    let chosen = if a > b { a } else { b };
    if a == b { a.meet(b) } else { chosen }
}

/// Returns the lesser number, or `b` if either is NaN; -0 is less than +0.
#[inline(always)]
fn lesser_or_second<T: LaneArith>(a: T, b: T) -> T {
    let chosen = if a < b { a } else { b };
    if a == b { a.join(b) } else { chosen }
}

/// Returns the result of a step function for NaN.
#[inline(always)]
fn of_nan<T: LaneArith>(semantics: u16) -> T {
    if semantics & NAN_ZERO != 0 { T::ZERO } else { T::NAN }
}

/// Returns the whole quotient, rounded as the semantics say; `rest` is the remainder.
#[inline(always)]
fn whole_quotient<T: LaneArith>(semantics: u16, a: T, b: T, rest: T) -> T {
    if semantics & ROUNDING_TRUNCATE != 0 {
        a.over(b).cut()
    } else if semantics & QUOTIENT_ROUNDED != 0 {
        a.over(b).down()
    } else {
        floor_divide(a, b, rest)
    }
}

/// Returns the quotient rounded down, computed from the remainder `rest`. It is exact even if `a / b` rounds
/// up to a whole number.
#[inline(always)]
fn floor_divide<T: LaneArith>(a: T, b: T, rest: T) -> T {
    let quotient = a.minus(rest).over(b);
    let crosses = (rest != T::ZERO) & ((rest < T::ZERO) != (b < T::ZERO));
    let quotient = if crosses { quotient.minus(T::ONE) } else { quotient };
    let down = quotient.down();
    let near = if quotient.minus(down) > T::HALF { down.plus(T::ONE) } else { down };
    let plain = a.over(b);
    let found = if quotient == T::ZERO { T::ZERO.signed(plain) } else { near };
    if b == T::ZERO { plain } else { found }
}

/// Returns the remainder with the sign of the divisor, or with `quotient: rounded` what the rounded quotient
/// leaves of `a`; `rest` has the sign of the dividend.
#[inline(always)]
fn remainder<T: LaneArith>(semantics: u16, a: T, b: T, rest: T) -> T {
    if semantics & QUOTIENT_ROUNDED != 0 {
        return a.minus(a.over(b).down().times(b));
    }
    let zero_of_divisor = semantics & ZERO_SIGN_DIVISOR != 0;
    let crosses = (rest != T::ZERO) & ((rest < T::ZERO) != (b < T::ZERO));
    let moved = if crosses { rest.plus(b) } else { rest };
    if zero_of_divisor & (rest == T::ZERO) { T::ZERO.signed(b) } else { moved }
}
