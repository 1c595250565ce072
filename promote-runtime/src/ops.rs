//! Ops with their semantics, as types that say what a kernel computes for one lane.
//!
//! An op is one row of `promote-core/src/op.rs` and one impl of [`Unary`] or [`Binary`] for each register
//! form it accepts. Integers wrap; floats round to nearest even and are never fused. The parameter
//! `SEMANTICS` holds the bits of [`semantics`] that the rule file chooses.

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
    /// The op as a value.
    const OP: KernelOp;
    /// The result of overflow in f8e4m3fn.
    type Overflow: Overflow;
}

/// The number of lanes in a batch.
pub const BATCH: usize = 4;

/// Computes an op of one operand for one lane in the register form `M`.
#[diagnostic::on_unimplemented(
    message = "this op is not computed in `{M}`",
    label = "its dtype is known, and nothing computes it",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => common in f64;` in the op's block"
)]
pub trait Unary<M>: KernelType {
    /// The register form of the result.
    type Out;
    /// True if there is a fast path.
    const HAS_FAST_PATH: bool = false;

    /// True if operands outside the fast path are computed one by one.
    const RARE: bool = false;

    /// The effect on the sign, if the op does nothing else.
    const SIGN: Option<SignStep> = None;

    /// True if [`Unary::batch`] is faster than the fast path of each lane.
    const BATCHES: bool = false;

    /// Returns true if the fast path is exact for `a`.
    #[inline(always)]
    fn in_fast_domain(_a: M) -> bool {
        false
    }

    /// Computes the fast path; the result is unspecified for other operands.
    #[inline(always)]
    fn fast_path<L: Lanes>(lanes: L, a: M) -> Self::Out {
        Self::apply(lanes, a)
    }

    /// Computes the fast path of a batch, each step for all lanes before the next step.
    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, a: [M; BATCH]) -> [Self::Out; BATCH] {
        let [a, b, c, d] = a;
        [
            Self::fast_path(lanes, a),
            Self::fast_path(lanes, b),
            Self::fast_path(lanes, c),
            Self::fast_path(lanes, d),
        ]
    }

    /// Computes one lane.
    fn apply<L: Lanes>(lanes: L, a: M) -> Self::Out;
}

#[cfg(feature = "kernels")]
pub(super) const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Unsigned | Kind::Signed)
}

/// Computes an op of two operands for one lane in the register form `M`.
#[diagnostic::on_unimplemented(
    message = "this op is not computed in `{M}`",
    label = "its dtype is known, and nothing computes it",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => common in f64;` in the op's block"
)]
pub trait Binary<M>: KernelType {
    /// The register form of the result: `M`, or `bool` for a comparison.
    type Out;
    /// The error of the whole call if an operand is refused, for ops that refuse some operands.
    const TRAP: Option<Trap> = None;
    /// True if there is a fast path.
    const HAS_FAST_PATH: bool = false;

    /// True if operands outside the fast path are computed one by one.
    const RARE: bool = false;

    /// True if [`Binary::batch`] is faster than the fast path of each lane.
    const BATCHES: bool = false;

    /// True if [`Binary::known`] returns results for some operands.
    const KNOWN: bool = false;

    /// Returns true if the operands are refused; the result of [`Binary::apply`] is then unspecified.
    #[inline(always)]
    fn traps(_a: M, _b: M) -> bool {
        false
    }

    /// Returns the result for two integers in this order, if the op is a comparison.
    #[inline]
    fn compares(_order: Ordering) -> Option<Self::Out> {
        None
    }

    /// Returns true if the fast path is exact for `a` and `b`.
    #[inline(always)]
    fn in_fast_domain(_a: M, _b: M) -> bool {
        false
    }

    /// Computes the fast path; the result is unspecified for other operands.
    #[inline(always)]
    fn fast_path<L: Lanes>(lanes: L, a: M, b: M) -> Self::Out {
        Self::apply(lanes, a, b)
    }

    /// Returns the result of trivial operands outside the fast path, such as those of `pow(0, y)`. Returns
    /// `None` for all others.
    #[inline(always)]
    fn known(_a: M, _b: M) -> Option<Self::Out> {
        None
    }

    /// Computes the fast path of a batch, each step for all lanes before the next step.
    #[inline(always)]
    fn batch<L: Lanes>(lanes: L, pairs: [(M, M); BATCH]) -> [Self::Out; BATCH] {
        let each = |(a, b)| Self::fast_path(lanes, a, b);
        let [first, second, third, fourth] = pairs;
        [each(first), each(second), each(third), each(fourth)]
    }

    /// Computes one lane.
    fn apply<L: Lanes>(lanes: L, a: M, b: M) -> Self::Out;
}

/// Computes an op of two operands and `N` more inputs for one lane in the register form `M`.
pub trait Extended<M, const N: usize>: KernelType {
    /// The error of the whole call if an operand is refused, for ops that refuse some operands.
    const TRAP: Option<Trap> = None;

    /// Returns true if the operands are refused; the result of [`Extended::apply`] is then unspecified.
    #[inline(always)]
    fn traps(_a: M, _b: M) -> bool {
        false
    }

    /// Computes one lane under the [`semantics`] of [`KernelType::OP`] and of the call.
    fn apply<L: Lanes>(lanes: L, semantics: u16, a: M, b: M, extras: [M; N]) -> M;
}

/// A reason why an op refuses operands, which is an error of the whole call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// An integer divided by zero.
    DivisionByZero,
    /// An integer raised to a negative power.
    NegativeExponent,
    /// A probability outside of 0 and 1, or NaN.
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

/// The bits of an integer exponent that an op uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exponent {
    /// The low 32 bits, as an `i32`.
    Low,
    /// All bits.
    Whole,
}

/// The effect of an op that changes only the sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignStep {
    /// The sign is inverted.
    Turned,
    /// The sign becomes plus.
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
        pub struct $variant<const SEMANTICS: u16 = 0>;

        impl<const SEMANTICS: u16> KernelType for $variant<SEMANTICS> {
            const OP: KernelOp = KernelOp::new(Op::$variant).with_semantics(SEMANTICS);
            type Overflow = F8Overflow<SEMANTICS>;
        }
    )*};
}

promote_core::__ops! { types {} }

/// The behaviour on overflow in f8e4m3fn under these semantics.
#[derive(Clone, Copy, Debug)]
pub struct F8Overflow<const SEMANTICS: u16>;

impl<const SEMANTICS: u16> Overflow for F8Overflow<SEMANTICS> {
    const SATURATE: bool = SEMANTICS & semantics::OVERFLOW_SATURATE != 0;
}

/// Rows `Op |a, b| body`, each an impl of [`Binary`] for one register form; the result is of the same form or
/// of the one behind `=>`.
macro_rules! rows {
    ($ty:ty; $($rest:tt)*) => { rows! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16> Binary<$ty> for $op<SEMANTICS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(_: L, $a: $ty, $b: $ty) -> $out {
                $body
            }
        }
    )*};
}

/// Rows `Op |a| body`, each an impl of [`Unary`]; see `rows`.
macro_rules! unary_rows {
    ($ty:ty; $($rest:tt)*) => { unary_rows! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident |$a:ident| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16> Unary<$ty> for $op<SEMANTICS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(_: L, $a: $ty) -> $out {
                $body
            }
        }
    )*};
}

/// Rows `Op |lanes, semantics, a, b, extras| body`, each an impl of [`Extended`] for one lane form.
macro_rules! extended_rows {
    ($ty:ty; $($op:ident |$lanes:ident, $semantics:ident, $a:ident, $b:ident, [$($extra:ident),*]| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16> Extended<$ty, { [$(stringify!($extra)),*].len() }> for $op<SEMANTICS> {
            #[inline(always)]
            fn apply<L: crate::level::Lanes>(
                $lanes: L,
                $semantics: u16,
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
mod predicate;
mod properties;
mod real;
pub(super) mod steps;

pub(crate) use self::properties::exponent;
#[cfg(feature = "kernels")]
pub(super) use self::properties::{extremum, replaces, waits_for_memory};
pub use self::steps::{ComputeIn, Lane, Stepped};
