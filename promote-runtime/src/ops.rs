//! Ops with their semantics, as types that say what a kernel computes for one lane.
//!
//! An op is one row of `promote-core/src/op.rs` and one impl of [`OpLane`] for each register form it
//! accepts. Integers wrap; floats round to nearest even and are never fused. The parameter
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

pub use crate::math::registers::LANES;

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

/// How an op uses its fast path: a form that is cheaper, and exact for most operands.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent properties of an op")]
pub struct FastPath {
    /// True if there is one.
    pub exists: bool,
    /// True if operands outside its domain are so rare, or cost so much, that they are computed one by one.
    pub slow_lanes: bool,
    /// True if [`OpLane::fast_batch`] is faster than the fast path of each lane.
    pub batches: bool,
    /// True if [`OpLane::trivial_result`] returns results for some operands.
    pub trivial_results: bool,
    /// True if the op has tables, so that a kernel computes it by [`OpLane::row`] instead of lane by lane.
    pub tables: bool,
    /// True if a block is checked in the pass that computes it, not before, as those of ops with tables are:
    /// by its operands, or by its results.
    pub checked_after: bool,
    /// True if the fast path is only for processors that take long for a square root.
    pub for_slow_roots: bool,
}

impl FastPath {
    /// No fast path.
    pub const NONE: FastPath = FastPath::when(false);

    /// Returns a fast path for whole blocks of operands in its domain, if there is one.
    pub const fn when(exists: bool) -> FastPath {
        FastPath {
            exists,
            slow_lanes: false,
            batches: false,
            trivial_results: false,
            tables: false,
            checked_after: false,
            for_slow_roots: false,
        }
    }
}

/// Computes one lane of an op from arguments in the form `M`: a register form, or one whose steps are
/// rounded.
///
/// `Args` is a tuple of one or two lanes, or an array of lanes: three or four for an op with further inputs,
/// one to four for the body of a `#[kernel]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not computed in `{M}`",
    label = "the rule set computes this in `{M}`, and nothing does that",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => common in f64;` in the op's block",
    note = "the body of a `#[kernel]` computes in integers, floats and complex numbers if its numbers are `Arithmetic`, in integers and floats if they are `Ordered`, in f32 and f64 if they are `Floating`; `#[kernel(like = divide)]` gives it the dtypes of another op"
)]
pub trait OpLane<M, Args = (M, M)>: 'static {
    /// The form of the result: `M`, or `bool` for a comparison.
    type Out;
    /// The error of the whole call if an operand is refused, for ops that refuse some operands.
    const TRAP: Option<Trap> = None;
    /// The effect on the sign, if the op does nothing else.
    const SIGN: Option<SignStep> = None;
    /// The use of the fast path.
    const FAST_PATH: FastPath = FastPath::NONE;

    /// Returns true if the operands are refused; the result of [`OpLane::apply`] is then unspecified.
    #[inline(always)]
    fn traps(_args: Args) -> bool {
        false
    }

    /// Returns the result for two integers in this order, if the op is a comparison.
    #[inline]
    fn compares(_order: Ordering) -> Option<Self::Out> {
        None
    }

    /// Returns true if the fast path is exact for these operands.
    #[inline(always)]
    fn in_fast_domain(_args: Args) -> bool {
        false
    }

    /// Computes the fast path; the result is unspecified for operands outside its domain.
    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, args: Args) -> Self::Out {
        Self::apply(lanes, args)
    }

    /// Computes the fast path of a batch, each step for all lanes before the next step.
    #[inline(always)]
    fn fast_batch<L: Lanes>(lanes: L, batch: [Args; BATCH]) -> [Self::Out; BATCH] {
        let [a, b, c, d] = batch;
        [Self::fast(lanes, a), Self::fast(lanes, b), Self::fast(lanes, c), Self::fast(lanes, d)]
    }

    /// Computes a row of lanes, by the fast path or by the general form, and returns whether the fast path is
    /// exact for all of them.
    #[inline(always)]
    fn row<const FAST: bool, L: Lanes>(lanes: L, args: impl Fn(usize) -> Args) -> ([Self::Out; LANES], bool) {
        let row =
            core::array::from_fn(
                |k| {
                    if FAST { Self::fast(lanes, args(k)) } else { Self::apply(lanes, args(k)) }
                },
            );
        (row, (0..LANES).all(|k| Self::in_fast_domain(args(k))))
    }

    /// Returns the result of trivial operands outside the fast path, such as those of `pow(0, y)`. Returns
    /// `None` for all others.
    #[inline(always)]
    fn trivial_result(_args: Args) -> Option<Self::Out> {
        None
    }

    /// Computes one lane.
    fn apply<L: Lanes>(lanes: L, args: Args) -> Self::Out;

    /// Computes one lane under the [`semantics`] of the op and of the call.
    #[inline(always)]
    fn apply_with<L: Lanes>(lanes: L, _semantics: u16, args: Args) -> Self::Out {
        Self::apply(lanes, args)
    }
}

#[cfg(feature = "kernels")]
pub(super) const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Unsigned | Kind::Signed)
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

/// Rows `Op |a, b| body`, each an impl of [`OpLane`] for lanes of one form, with as many arguments as the row
/// names; the result is of that form or of the one after `=>`.
macro_rules! rows {
    (@lane $arg:ident $ty:ty) => { $ty };
    ($ty:ty; $($rest:tt)*) => { rows! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident |$($arg:ident),+| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty, ($(rows!(@lane $arg $ty),)+)> for $op<SEMANTICS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(
                _: L,
                ($($arg,)+): ($(rows!(@lane $arg $ty),)+),
            ) -> $out {
                $body
            }
        }
    )*};
}

/// Rows `Op [lanes, semantics] |a, b, weight| body`: as `rows`, of an array of arguments, by the instructions
/// of a level, and under the semantics of a call.
macro_rules! rows_with {
    ($ty:ty; $($rest:tt)*) => { rows_with! { $ty => $ty; $($rest)* } };
    ($ty:ty => $out:ty; $($op:ident [$lanes:ident, $semantics:ident] |$($arg:ident),+| $body:expr;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty, [$ty; { [$(stringify!($arg)),+].len() }]> for $op<SEMANTICS> {
            type Out = $out;

            #[inline(always)]
            fn apply<L: crate::level::Lanes>(lanes: L, args: [$ty; { [$(stringify!($arg)),+].len() }]) -> $out {
                Self::apply_with(lanes, SEMANTICS, args)
            }

            #[inline(always)]
            fn apply_with<L: crate::level::Lanes>(
                $lanes: L,
                $semantics: u16,
                [$($arg),+]: [$ty; { [$(stringify!($arg)),+].len() }],
            ) -> $out {
                $body
            }
        }
    )*};
}

pub(super) mod arithmetic;
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

pub use self::arithmetic::{ComputeForm, LaneValue, RoundedLane, Stepwise};
pub(crate) use self::properties::exponent;
#[cfg(feature = "kernels")]
pub(super) use self::properties::{computes_in_place, extremum, has_overflow_option, waits_for_memory};
