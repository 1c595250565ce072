//! Ops on custom types, by ordinary Rust traits.
//!
//! The traits decide the results of overflow, division by zero and similar cases; the semantics of a rule
//! file do not apply. An op that panics leaves `out` with some of its elements written.
//!
//! | op | traits |
//! | --- | --- |
//! | `add` `subtract` `multiply` `divide` | `Add` `Sub` `Mul` `Div` of [`core::ops`] |
//! | `fmod` | [`Rem`](core::ops::Rem) |
//! | `remainder`, which has the sign of the divisor | `Rem`, [`PartialOrd`] and [`Zero`](num_traits::Zero) |
//! | `pow` | [`num_traits::Pow`] |
//! | `equal` `not_equal` `isnan` | [`PartialEq`]; a value is NaN if it is not equal to itself |
//! | `less` `less_equal` `greater` `greater_equal` | [`PartialOrd`] |
//! | `maximum` `minimum` `clamp_min` | `PartialOrd`; an operand that is not equal to itself is the result |
//! | `fmax` `fmin` | `PartialOrd`; an operand that is equal to itself is the result |
//! | `bitwise_and` `bitwise_or` `bitwise_xor` `bitwise_not` `left_shift` `right_shift` | `BitAnd` `BitOr` `BitXor` `Not` `Shl` `Shr` |
//! | `logical_and` `logical_or` `logical_xor` `logical_not` | `Zero` |
//! | `negative`, `square` | `Neg`, `Mul` |
//! | `abs` | `Neg`, `PartialOrd` and `Zero` |
//! | `sign` | `Neg`, `PartialOrd`, `Zero` and [`One`](num_traits::One) |
//! | `reciprocal` | `Div` and `One` |
//! | `conj` `real`, `imag`, `where` | nothing, `Zero`, nothing |
//!
//! For other ops, implement [`OpLane`] in the crate of the type:
//! `impl<const W: u16> OpLane<Q15, (Q15,)> for ops::Sqrt<W>`.

use super::{
    Abs, Add, BitwiseAnd, BitwiseNot, BitwiseOr, BitwiseXor, ClampMin, Conj, Divide, Equal, Fmax, Fmin, Fmod,
    Greater, GreaterEqual, Imag, Isnan, LeftShift, Less, LessEqual, LogicalAnd, LogicalNot, LogicalOr,
    LogicalXor, Maximum, Minimum, Multiply, Negative, NotEqual, OpLane, Pow, Real, Reciprocal, Remainder,
    RightShift, Sign, Square, Subtract,
};
use crate::custom::{
    CanAdd, CanAnd, CanDivide, CanEqual, CanLeaveRest, CanMultiply, CanNegate, CanNot, CanOr, CanOrder,
    CanRaise, CanShiftLeft, CanShiftRight, CanSubtract, CanXor, CustomElement, HasOne, HasZero,
};
use crate::level::Lanes;

/// Rows `Op [traits] => out |a, b| body`.
macro_rules! custom_rows {
    (@lane $arg:ident) => { T };
    ($($op:ident [$($bound:ident)*] => $out:ty, |$($arg:ident),+| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16, T> OpLane<T, ($(custom_rows!(@lane $arg),)+)> for $op<SEMANTICS>
        where
            T: CustomElement $(+ $bound)*,
        {
            type Out = $out;

            #[inline(always)]
            fn apply<L: Lanes>(_: L, ($($arg,)+): ($(custom_rows!(@lane $arg),)+)) -> $out {
                $body
            }
        }
    )*};
}

custom_rows! {
    Add [CanAdd] => T, |a, b| a + b;
    Subtract [CanSubtract] => T, |a, b| a - b;
    Multiply [CanMultiply] => T, |a, b| a * b;
    Divide [CanDivide] => T, |a, b| a / b;
    Fmod [CanLeaveRest] => T, |a, b| a % b;
    Remainder [CanLeaveRest CanOrder HasZero] => T, |a, b| {
        let rest = a % b;
        let crosses = (rest != T::zero()) & ((rest < T::zero()) != (b < T::zero()));
        if crosses { rest + b } else { rest }
    };
    Pow [CanRaise] => T, |a, b| a.pow(b);
    Equal [CanEqual] => bool, |a, b| a == b;
    NotEqual [CanEqual] => bool, |a, b| a != b;
    Less [CanOrder] => bool, |a, b| a < b;
    LessEqual [CanOrder] => bool, |a, b| a <= b;
    Greater [CanOrder] => bool, |a, b| a > b;
    GreaterEqual [CanOrder] => bool, |a, b| a >= b;
    Maximum [CanOrder] => T, |a, b| if (a >= b) | (a != a) { a } else { b };
    ClampMin [CanOrder] => T, |a, b| if (a >= b) | (a != a) { a } else { b };
    Minimum [CanOrder] => T, |a, b| if (a <= b) | (a != a) { a } else { b };
    Fmax [CanOrder] => T, |a, b| if (a >= b) | (b != b) { a } else { b };
    Fmin [CanOrder] => T, |a, b| if (a <= b) | (b != b) { a } else { b };
    BitwiseAnd [CanAnd] => T, |a, b| a & b;
    BitwiseOr [CanOr] => T, |a, b| a | b;
    BitwiseXor [CanXor] => T, |a, b| a ^ b;
    LeftShift [CanShiftLeft] => T, |a, b| a << b;
    RightShift [CanShiftRight] => T, |a, b| a >> b;
    LogicalAnd [HasZero] => bool, |a, b| !a.is_zero() & !b.is_zero();
    LogicalOr [HasZero] => bool, |a, b| !a.is_zero() | !b.is_zero();
    LogicalXor [HasZero] => bool, |a, b| a.is_zero() != b.is_zero();
}

custom_rows! {
    Negative [CanNegate] => T, |a| -a;
    Abs [CanNegate CanOrder HasZero] => T, |a| if a < T::zero() { -a } else { a };
    Sign [CanNegate CanOrder HasZero HasOne] => T, |a| {
        let sign = if a < T::zero() { -T::one() } else { T::one() };
        if a.is_zero() | (a != a) { a } else { sign }
    };
    Square [CanMultiply] => T, |a| a * a;
    Reciprocal [CanDivide HasOne] => T, |a| T::one() / a;
    LogicalNot [HasZero] => bool, |a| a.is_zero();
    BitwiseNot [CanNot] => T, |a| !a;
    Isnan [CanEqual] => bool, |a| a != a;
    Conj [] => T, |a| a;
    Real [] => T, |a| a;
    Imag [HasZero] => T, |_a| T::zero();
}
