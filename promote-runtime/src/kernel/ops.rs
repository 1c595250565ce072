//! The ops with their semantics, as types: what a kernel computes for one lane.
//!
//! An op is one row of `codes!` and one impl of [`Unary`] or [`Binary`] for each register form it accepts.
//! Integers wrap; floats round to nearest even and are never fused; the parameter `WORDS` holds the [`words`]
//! of the rule file.

#![allow(
    clippy::eq_op,
    clippy::float_cmp,
    clippy::needless_bitwise_bool,
    reason = "exact comparisons without branches are what is computed"
)]

pub mod words;

use core::cmp::Ordering;
use core::fmt;

use self::words::Words;
use crate::convert::Overflow;
use crate::level::Lanes;
use crate::{DType, Kind};

/// An op together with its semantics: the first half of a kernel's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelOp {
    code: Code,
    words: u16,
    /// Whether a result is rounded to the common dtype before it is cast to that of `out`.
    rounds: bool,
}

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
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => c in f64;` in the op's block"
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

const fn is_discrete(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Bool) || is_integer(dtype)
}

pub(super) const fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Unsigned | Kind::Signed)
}

/// What an op makes of two lanes of the register form `M`.
#[diagnostic::on_unimplemented(
    message = "this op is not computed in `{M}`",
    label = "its dtype is known, and nothing computes it",
    note = "convert first, or let the rule file refuse it or compute in another dtype: `own => c in f64;` in the op's block"
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
    fn by_order(_order: Ordering) -> Option<Self::Out> {
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

    /// Computes one lane, as the bits of the [`words`] say: those of [`KernelType::OP`] and of a call.
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

/// In which form the result of an op comes out of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    /// In the form of its operands.
    Same,
    /// As a bool.
    Truth,
    /// In that of the parts of a complex number.
    Part,
}

macro_rules! codes {
    ($($variant:ident $constant:ident $name:literal $arity:literal $commutes:literal $gives:ident;)*) => {
        /// The closed list of what kernels compute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        enum Code { $($variant),* }

        impl KernelOp {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: KernelOp = KernelOp { code: Code::$variant, words: 0, rounds: false };
            )*

            /// Every kernel op as it is if a rule file says nothing; [`KernelOp::with_words`] gives the
            /// others.
            pub const ALL: &'static [KernelOp] = &[$(KernelOp::$constant),*];

            /// The op of [`KernelOp::ALL`] whose [`KernelOp::name`] this is.
            ///
            /// ```
            /// # use promote_runtime::kernel::KernelOp;
            /// assert_eq!(KernelOp::from_name("less_equal"), Some(KernelOp::LESS_EQUAL));
            /// assert_eq!(KernelOp::from_name("<="), None);
            /// ```
            pub fn from_name(name: &str) -> Option<KernelOp> {
                KernelOp::ALL.iter().copied().find(|op| op.name() == name)
            }

            /// The name of the op, without its words.
            pub const fn name(self) -> &'static str {
                match self.code {
                    $(Code::$variant => $name,)*
                }
            }

            /// How many operands decide its dtype: 1 or 2.
            #[inline]
            pub const fn arity(self) -> usize {
                match self.code {
                    $(Code::$variant => $arity,)*
                }
            }

            /// Whether the operands may be swapped.
            #[inline]
            pub const fn commutes(self) -> bool {
                match self.code {
                    $(Code::$variant => $commutes,)*
                }
            }

            const fn gives(self) -> Gives {
                match self.code {
                    $(Code::$variant => Gives::$gives,)*
                }
            }
        }

        $(
            #[doc = concat!("`", $name, "`")]
            #[derive(Clone, Copy, Debug)]
            pub struct $variant<const WORDS: u16 = 0>;

            impl<const WORDS: u16> KernelType for $variant<WORDS> {
                const OP: KernelOp = KernelOp { code: Code::$variant, words: WORDS, rounds: false };
                type Overflow = Words<WORDS>;
            }
        )*
    };
}

// In the order of `Op`, which is that of the registries in emitted code.
codes! {
    Add ADD "add" 2 true Same;
    Subtract SUBTRACT "subtract" 2 false Same;
    Multiply MULTIPLY "multiply" 2 true Same;
    Divide DIVIDE "divide" 2 false Same;
    Equal EQUAL "equal" 2 true Truth;
    NotEqual NOT_EQUAL "not_equal" 2 true Truth;
    Less LESS "less" 2 false Truth;
    LessEqual LESS_EQUAL "less_equal" 2 false Truth;
    Greater GREATER "greater" 2 false Truth;
    GreaterEqual GREATER_EQUAL "greater_equal" 2 false Truth;
    Maximum MAXIMUM "maximum" 2 true Same;
    Minimum MINIMUM "minimum" 2 true Same;
    FloorDivide FLOOR_DIVIDE "floor_divide" 2 false Same;
    DivideTrunc DIVIDE_TRUNC "divide_trunc" 2 false Same;
    Remainder REMAINDER "remainder" 2 false Same;
    Fmod FMOD "fmod" 2 false Same;
    Pow POW "pow" 2 false Same;
    FloatPower FLOAT_POWER "float_power" 2 false Same;
    Fmax FMAX "fmax" 2 true Same;
    Fmin FMIN "fmin" 2 true Same;
    ClampMin CLAMP_MIN "clamp_min" 2 true Same;
    Where WHERE "where" 2 false Same;
    LogicalAnd LOGICAL_AND "logical_and" 2 true Truth;
    LogicalOr LOGICAL_OR "logical_or" 2 true Truth;
    LogicalXor LOGICAL_XOR "logical_xor" 2 true Truth;
    BitwiseAnd BITWISE_AND "bitwise_and" 2 true Same;
    BitwiseOr BITWISE_OR "bitwise_or" 2 true Same;
    BitwiseXor BITWISE_XOR "bitwise_xor" 2 true Same;
    LeftShift LEFT_SHIFT "left_shift" 2 false Same;
    RightShift RIGHT_SHIFT "right_shift" 2 false Same;
    Gcd GCD "gcd" 2 true Same;
    Lcm LCM "lcm" 2 true Same;
    Atan2 ATAN2 "atan2" 2 false Same;
    Hypot HYPOT "hypot" 2 true Same;
    Copysign COPYSIGN "copysign" 2 false Same;
    Nextafter NEXTAFTER "nextafter" 2 false Same;
    Heaviside HEAVISIDE "heaviside" 2 false Same;
    Logaddexp LOGADDEXP "logaddexp" 2 true Same;
    Logaddexp2 LOGADDEXP2 "logaddexp2" 2 true Same;
    Xlogy XLOGY "xlogy" 2 false Same;
    Ldexp LDEXP "ldexp" 2 false Same;
    Lerp LERP "lerp" 2 false Same;
    Addcmul ADDCMUL "addcmul" 2 false Same;
    L1Loss L1_LOSS "l1_loss" 2 false Part;
    MseLoss MSE_LOSS "mse_loss" 2 false Same;
    HuberLoss HUBER_LOSS "huber_loss" 2 false Same;
    SmoothL1Loss SMOOTH_L1_LOSS "smooth_l1_loss" 2 false Same;
    PoissonNllLoss POISSON_NLL_LOSS "poisson_nll_loss" 2 false Same;
    BinaryCrossEntropy BINARY_CROSS_ENTROPY "binary_cross_entropy" 2 false Same;
    Negative NEGATIVE "negative" 1 false Same;
    Abs ABS "abs" 1 false Part;
    Sign SIGN "sign" 1 false Same;
    Square SQUARE "square" 1 false Same;
    Reciprocal RECIPROCAL "reciprocal" 1 false Same;
    Sqrt SQRT "sqrt" 1 false Same;
    Exp EXP "exp" 1 false Same;
    Expm1 EXPM1 "expm1" 1 false Same;
    Exp2 EXP2 "exp2" 1 false Same;
    Log LOG "log" 1 false Same;
    Log1p LOG1P "log1p" 1 false Same;
    Log2 LOG2 "log2" 1 false Same;
    Log10 LOG10 "log10" 1 false Same;
    Sin SIN "sin" 1 false Same;
    Cos COS "cos" 1 false Same;
    Tan TAN "tan" 1 false Same;
    Asin ASIN "asin" 1 false Same;
    Acos ACOS "acos" 1 false Same;
    Atan ATAN "atan" 1 false Same;
    Sinh SINH "sinh" 1 false Same;
    Cosh COSH "cosh" 1 false Same;
    Tanh TANH "tanh" 1 false Same;
    Asinh ASINH "asinh" 1 false Same;
    Acosh ACOSH "acosh" 1 false Same;
    Atanh ATANH "atanh" 1 false Same;
    Sigmoid SIGMOID "sigmoid" 1 false Same;
    Floor FLOOR "floor" 1 false Same;
    Ceil CEIL "ceil" 1 false Same;
    Trunc TRUNC "trunc" 1 false Same;
    Round ROUND "round" 1 false Same;
    Isnan ISNAN "isnan" 1 false Truth;
    Isinf ISINF "isinf" 1 false Truth;
    Isfinite ISFINITE "isfinite" 1 false Truth;
    LogicalNot LOGICAL_NOT "logical_not" 1 false Truth;
    BitwiseNot BITWISE_NOT "bitwise_not" 1 false Same;
    Conj CONJ "conj" 1 false Same;
    Real REAL "real" 1 false Part;
    Imag IMAG "imag" 1 false Part;
    Angle ANGLE "angle" 1 false Part;
}

impl KernelOp {
    /// How many ops there are, whatever their words: one more than the greatest index.
    pub const COUNT: usize = KernelOp::ALL.len();

    /// The position in [`KernelOp::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self.code as usize
    }

    /// The bits of its [`words`].
    #[inline]
    pub const fn words(self) -> u16 {
        self.words
    }

    /// The same op with these words.
    #[must_use]
    #[inline]
    pub const fn with_words(self, words: u16) -> KernelOp {
        KernelOp { words, ..self }
    }

    /// The same op, whose results are rounded to the common dtype before they are cast to that of `out`, or
    /// are not: where the op gives the common dtype, computes in a wider one, and `out` is of a third, or of
    /// the wider one.
    #[cfg(feature = "kernels")]
    #[must_use]
    pub(crate) const fn rounding_first(self, rounds: bool) -> KernelOp {
        KernelOp { rounds, ..self }
    }

    /// Whether they are.
    #[cfg(feature = "kernels")]
    #[inline]
    pub(super) const fn rounds_first(self) -> bool {
        self.rounds
    }

    /// The order in which registries stand.
    #[cfg(feature = "kernels")]
    #[inline]
    pub(super) const fn rank(self) -> u32 {
        (self.code as u32) << 16 | self.words as u32
    }
}

impl fmt::Display for KernelOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for &(word, bit) in words::ALL {
            if self.words & bit != 0 {
                write!(f, ".{word}")?;
            }
        }
        Ok(())
    }
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

pub use self::steps::{ComputeIn, Lane, Stepped};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_its_op_without_its_words() {
        for &op in KernelOp::ALL {
            assert_eq!(KernelOp::from_name(op.name()), Some(op));
            assert_eq!(KernelOp::from_name(op.with_words(1).name()), Some(op));
        }
        for name in ["", "Add", "add.saturate", "power"] {
            assert_eq!(KernelOp::from_name(name), None);
        }
    }
}
