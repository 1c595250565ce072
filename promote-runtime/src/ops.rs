//! The ops with their semantics, as types: what a kernel computes for one lane.
//!
//! An op is one row of `promote-core/src/op.rs` and one impl of [`Unary`] or [`Binary`] for each register
//! form it accepts. Integers wrap; floats round to nearest even and are never fused; the parameter `WORDS`
//! holds the bits of [`semantics`] of the rule file.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]
#![allow(
    clippy::eq_op,
    clippy::float_cmp,
    clippy::needless_bitwise_bool,
    reason = "exact comparisons without branches are what is computed"
)]

use core::cmp::Ordering;
use core::fmt;

pub use promote_core::__private::KernelOp;

use crate::convert::Overflow;
use crate::level::Lanes;
#[cfg(feature = "kernels")]
use crate::{DType, Kind};
use crate::{Op, semantics};

/// An op with its semantics as a type.
pub trait KernelType: 'static {
    /// The same as a value.
    const OP: KernelOp;
    /// What overflow of f8e4m3fn gives.
    type Overflow: Overflow;
}

/// How many lanes stand side by side where a function computes them in batches.
pub const BATCH: usize = 4;

/// What an op makes of one lane of the register form `M`.
#[diagnostic::on_unimplemented(
    message = "this op is not computed in `{M}`",
    label = "its dtype is known, and nothing computes it",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => common in f64;` in the op's block"
)]
pub trait Unary<M>: KernelType {
    /// The register form of the result.
    type Out;
    /// Whether there is a quicker form for usual operands.
    const QUICK: bool = false;

    /// Whether unusual operands are so rare, or cost so much, that each is computed by itself.
    const RARE: bool = false;

    /// What becomes of the sign, where that is all that the op does.
    const SIGN: Option<SignStep> = None;

    /// Whether [`Unary::batch`] is faster than [`Unary::quick`] of each.
    const BATCHES: bool = false;

    /// Whether [`Unary::quick`] is right for `a`.
    #[inline(always)]
    fn usual(_a: M) -> bool {
        false
    }

    /// The same as [`Unary::apply`] where `a` is usual; elsewhere it gives anything.
    #[inline(always)]
    fn quick<L: Lanes>(lanes: L, a: M) -> Self::Out {
        Self::apply(lanes, a)
    }

    /// As [`Unary::quick`] of each, step by step for all of them.
    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, a: [M; BATCH]) -> [Self::Out; BATCH] {
        let [a, b, c, d] = a;
        [Self::quick(lanes, a), Self::quick(lanes, b), Self::quick(lanes, c), Self::quick(lanes, d)]
    }

    /// Computes one lane.
    fn apply<L: Lanes>(lanes: L, a: M) -> Self::Out;
}

#[cfg(feature = "kernels")]
pub(super) const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Unsigned | Kind::Signed)
}

/// What an op makes of two lanes of the register form `M`.
#[diagnostic::on_unimplemented(
    message = "this op is not computed in `{M}`",
    label = "its dtype is known, and nothing computes it",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => common in f64;` in the op's block"
)]
pub trait Binary<M>: KernelType {
    /// The register form of the result: `M`, or `bool` for a comparison.
    type Out;
    /// The error of the whole call that some operands are, if there are such.
    const TRAP: Option<Trap> = None;
    /// Whether there is a quicker form for usual operands.
    const QUICK: bool = false;

    /// Whether unusual operands are so rare, or cost so much, that each pair is computed by itself.
    const RARE: bool = false;

    /// Whether [`Binary::batch`] is faster than [`Binary::quick`] of each.
    const BATCHES: bool = false;

    /// Whether [`Binary::known`] gives anything.
    const KNOWN: bool = false;

    /// Whether these operands are that error; [`Binary::apply`] then gives anything.
    #[inline(always)]
    fn traps(_a: M, _b: M) -> bool {
        false
    }

    /// What it gives of two integers that compare so, if it is a comparison.
    #[inline]
    fn compares(_order: Ordering) -> Option<Self::Out> {
        None
    }

    /// Whether [`Binary::quick`] is right for `a` and `b`.
    #[inline(always)]
    fn usual(_a: M, _b: M) -> bool {
        false
    }

    /// The same as [`Binary::apply`] where `a` and `b` are usual; elsewhere it gives anything.
    #[inline(always)]
    fn quick<L: Lanes>(lanes: L, a: M, b: M) -> Self::Out {
        Self::apply(lanes, a, b)
    }

    /// The same as [`Binary::apply`] where `a` and `b` say it without any computing, and are not usual;
    /// `None` elsewhere.
    #[inline(always)]
    fn known(_a: M, _b: M) -> Option<Self::Out> {
        None
    }

    /// As [`Binary::quick`] of each pair, step by step for all of them.
    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, pairs: [(M, M); BATCH]) -> [Self::Out; BATCH] {
        let each = |(a, b)| Self::quick(lanes, a, b);
        let [first, second, third, fourth] = pairs;
        [each(first), each(second), each(third), each(fourth)]
    }

    /// Computes one lane.
    fn apply<L: Lanes>(lanes: L, a: M, b: M) -> Self::Out;
}

/// What an op makes of two lanes of the register form `M`, and of `N` more inputs in that form.
pub trait Extended<M, const N: usize>: KernelType {
    /// The error of the whole call that some operands are, if there are such.
    const TRAP: Option<Trap> = None;

    /// Whether these operands are that error; [`Extended::apply`] then gives anything.
    #[inline(always)]
    fn traps(_a: M, _b: M) -> bool {
        false
    }

    /// Computes one lane, as the bits of the [`semantics`] say: those of [`KernelType::OP`] and of a call.
    fn apply<L: Lanes>(lanes: L, words: u16, a: M, b: M, extras: [M; N]) -> M;
}

/// An error of the whole call: what an op refuses to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// An integer was to be divided by zero.
    DivisionByZero,
    /// An integer was to be raised to a negative power.
    NegativeExponent,
    /// A probability lies outside of 0 and 1, or is NaN.
    Probability,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::DivisionByZero => "an integer is divided by zero",
            Trap::NegativeExponent => "an integer is raised to a negative power",
            Trap::Probability => "a probability lies outside of 0 and 1, or is NaN",
        })
    }
}

/// Of what a whole exponent counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exponent {
    /// The low 32 bits, as an `i32`.
    Low,
    /// All of it.
    Whole,
}

/// What an op does that changes the sign alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignStep {
    /// Plus becomes minus, and minus plus.
    Turned,
    /// Plus.
    Cleared,
}

macro_rules! types {
    (
        {}
        kernels [$($variant:ident $name:ident { $info:expr })*]
        $($rest:tt)*
    ) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[derive(Clone, Copy, Debug)]
        pub struct $variant<const WORDS: u16 = 0>;

        impl<const WORDS: u16> KernelType for $variant<WORDS> {
            const OP: KernelOp = KernelOp::new(Op::$variant).with_semantics(WORDS);
            type Overflow = Words<WORDS>;
        }
    )*};
}

promote_core::__ops! { types {} }

/// What overflow of f8e4m3fn gives under these semantics.
#[derive(Clone, Copy, Debug)]
pub struct Words<const WORDS: u16>;

impl<const WORDS: u16> Overflow for Words<WORDS> {
    const SATURATE: bool = WORDS & semantics::OVERFLOW_SATURATE != 0;
}

/// Rows `Op |a, b| body`, each an impl of [`Binary`] for one register form; the result is of the same form or
/// of the one behind `=>`.
macro_rules! rows {
    ($ty:ty; $($rest:tt)*) => { rows! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl<const WORDS: u16> Binary<$ty> for $op<WORDS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(_: L, $a: $ty, $b: $ty) -> $out {
                $body
            }
        }
    )*};
}

/// As `rows`, of [`Unary`].
macro_rules! unary_rows {
    ($ty:ty; $($rest:tt)*) => { unary_rows! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident |$a:ident| $body:expr;)*) => {$(
        impl<const WORDS: u16> Unary<$ty> for $op<WORDS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(_: L, $a: $ty) -> $out {
                $body
            }
        }
    )*};
}

/// Rows `Op |lanes, words, a, b, extras| body`, each an impl of [`Extended`] for one lane form.
macro_rules! extended_rows {
    ($ty:ty; $($op:ident |$lanes:ident, $words:ident, $a:ident, $b:ident, [$($extra:ident),*]| $body:expr;)*) => {$(
        impl<const WORDS: u16> Extended<$ty, { [$(stringify!($extra)),*].len() }> for $op<WORDS> {
            #[inline(always)]
            fn apply<L: crate::level::Lanes>(
                $lanes: L,
                $words: u16,
                $a: $ty,
                $b: $ty,
                [$($extra),*]: [$ty; { [$(stringify!($extra)),*].len() }],
            ) -> $ty {
                $body
            }
        }
    )*};
}

mod complete;
mod complex;
pub mod custom;
mod elementary;
mod integer;
mod ldexp;
mod losses;
mod mixed;
mod properties;
mod real;
pub(super) mod steps;
mod truth;

pub(crate) use self::properties::exponent;
#[cfg(feature = "kernels")]
pub(super) use self::properties::{extremum, replaces, waits_for_memory};
pub use self::steps::{ComputeIn, Lane, Stepped};
