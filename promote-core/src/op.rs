//! The type of an op, and the catalogue of the standard ops.

mod custom;
mod info;
mod pipeline;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

pub use self::custom::CustomOp;
use self::info::{
    ALL, BITS, FIELDS, FLOATS, INTEGERS, JOINS, NUMBERS, ORDERED, REALS, REDUCES, SCANS, SPREAD, SUMS,
    binary, given, number, unary,
};
pub use self::info::{Extra, ExtraKind, KernelInfo, OpInfo, ResultForm};
pub use self::pipeline::PipelineReason;
use crate::DType;
use crate::semantics::{
    BY_ZERO, COMPARED, CORRECTION, COUNT, EXPONENT, FULL, LOG_INPUT, MIDDLE, NAN, NAN_ORDER, NEGATIVE,
    NEGATIVE_EXPONENT, OUT_OF_RANGE, OVERFLOW, QUOTIENT, RIGHT_SCALAR, ROUNDING, SemanticOption,
    WHOLE_QUOTIENT, ZERO_SIGN,
};

/// The dtypes of one application of an op: of the converted operands, of the computation and of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpTypes {
    /// The dtype that the operands are converted to, with one rounding each.
    pub common: DType,
    /// The dtype that the op computes in: the register form of `common`, or another that the rule set names.
    pub compute: DType,
    /// The dtype of the result, rounded once.
    pub output: DType,
}

impl OpTypes {
    /// Returns the types of an op whose result has the common dtype, computed in its register form.
    pub const fn uniform(common: DType) -> Self {
        OpTypes { common, compute: common.register(), output: common }
    }

    /// Returns the types of a comparison: it computes in the register form of `common` and returns `bool`.
    pub const fn comparison(common: DType) -> Self {
        OpTypes { common, compute: common.register(), output: DType::Bool }
    }
}

/// Passes a row for each standard op to a macro: first those that have kernels, then the others.
///
/// `__ops!(path::callback { arguments })` calls
/// `path::callback! { { arguments } kernels [rows] tables [rows] }`. A row is
/// `Variant name { an OpInfo }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __ops {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            kernels [
                Add add { binary(ALL, &[RIGHT_SCALAR, OVERFLOW]).fused(ALL).sign_agnostic().commutes().in_place() }
                Subtract subtract {
                    binary(NUMBERS, &[RIGHT_SCALAR, OVERFLOW]).fused(NUMBERS)
                        .sign_agnostic().in_place()
                }
                Multiply multiply {
                    binary(ALL, &[RIGHT_SCALAR, OVERFLOW]).fused(ALL)
                        .sign_agnostic().commutes().in_place()
                }
                Divide divide {
                    binary(FIELDS, &[RIGHT_SCALAR, OVERFLOW, BY_ZERO, WHOLE_QUOTIENT]).kernel(NUMBERS)
                        .fused(FIELDS).in_place()
                }
                Equal equal {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).fused(ALL).sign_agnostic().commutes()
                        .predicate().memory_bound()
                }
                NotEqual not_equal {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).fused(ALL).sign_agnostic().commutes()
                        .predicate().memory_bound()
                }
                Less less {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).kernel(ALL).fused(ALL)
                        .predicate().memory_bound()
                }
                LessEqual less_equal {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).kernel(ALL).fused(ALL)
                        .predicate().memory_bound()
                }
                Greater greater {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).kernel(ALL).fused(ALL).predicate().swapped_of(Op::Less)
                }
                GreaterEqual greater_equal {
                    binary(ALL, &[COMPARED, NEGATIVE, NAN_ORDER]).kernel(ALL).fused(ALL).predicate().swapped_of(Op::LessEqual)
                }
                Maximum maximum {
                    binary(ALL, &[]).kernel(ALL).fused(ALL)
                        .commutes().extremum(Ordering::Greater).in_place()
                }
                Minimum minimum {
                    binary(ALL, &[]).kernel(ALL).fused(ALL)
                        .commutes().extremum(Ordering::Less).in_place()
                }
                FloorDivide floor_divide {
                    binary(ALL, &[RIGHT_SCALAR, BY_ZERO, ROUNDING, QUOTIENT]).kernel(REALS).steps()
                }
                DivideTrunc divide_trunc { binary(ALL, &[RIGHT_SCALAR, BY_ZERO]).kernel(REALS).steps() }
                Remainder remainder { binary(ALL, &[RIGHT_SCALAR, BY_ZERO, ZERO_SIGN, QUOTIENT]).kernel(NUMBERS).steps() }
                Fmod fmod { binary(ALL, &[RIGHT_SCALAR, BY_ZERO]).kernel(REALS) }
                Pow pow { binary(ALL, &[RIGHT_SCALAR, NEGATIVE_EXPONENT, OUT_OF_RANGE]).kernel(ALL).via_c128() }
                FloatPower float_power { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).via_c128() }
                Fmax fmax { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ALL).commutes().memory_bound() }
                Fmin fmin { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ALL).commutes().memory_bound() }
                ClampMin clamp_min { binary(ALL, &[]).fused(ORDERED).commutes() }
                Clamp clamp {
                    binary(ALL, &[]).kernel(ALL).extras(const { &[given("max", ExtraKind::Operand)] })
                        .formula("The lesser one of `c` and the greater one of `a` and `b`.")
                }
                Isclose isclose {
                    binary(ALL, &[]).kernel(FIELDS).steps().predicate()
                        .extras(const { &[number("rtol", ExtraKind::NonNegative, 1e-5), number("atol", ExtraKind::NonNegative, 1e-8)] })
                        .formula("True for equal operands, and if `|a - b|` is at most `atol + |rtol · b|` and finite. \
                             `rtol` and `atol` are at least 0.")
                }
                Where where {
                    binary(ALL, &[]).fused(ALL).sign_agnostic()
                        .extras(const { &[given("condition", ExtraKind::Condition)] })
                }
                LogicalAnd logical_and {
                    binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate().memory_bound()
                }
                LogicalOr logical_or {
                    binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate().memory_bound()
                }
                LogicalXor logical_xor {
                    binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate().memory_bound()
                }
                BitwiseAnd bitwise_and {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes().in_place()
                }
                BitwiseOr bitwise_or {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes().in_place()
                }
                BitwiseXor bitwise_xor {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes().in_place()
                }
                LeftShift left_shift { binary(ALL, &[COUNT]).kernel(INTEGERS).memory_bound() }
                RightShift right_shift { binary(ALL, &[COUNT]).kernel(INTEGERS).memory_bound() }
                Gcd gcd { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Lcm lcm { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Atan2 atan2 { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).via_c128() }
                Hypot hypot { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).commutes().via_c128() }
                Copysign copysign { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FLOATS).memory_bound() }
                Nextafter nextafter { binary(FIELDS, &[]).kernel(FLOATS).in_common_dtype_only() }
                Heaviside heaviside { binary(ALL, &[NAN]).kernel(ORDERED) }
                Logaddexp logaddexp { binary(FIELDS, &[]).kernel(FIELDS).commutes().via_c128() }
                Logaddexp2 logaddexp2 { binary(FIELDS, &[]).kernel(FIELDS).commutes().via_c128() }
                Xlogy xlogy { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FLOATS).steps() }
                Ldexp ldexp {
                    binary(NUMBERS, &[RIGHT_SCALAR, EXPONENT]).kernel(FIELDS).steps().via_c128()
                        .formula("`a · 2^b`. It is rounded once if `b` is an integer; otherwise the power is rounded, too.")
                }
                Lerp lerp {
                    binary(FIELDS, &[]).kernel(FIELDS).extras(const { &[given("weight", ExtraKind::Weight)] })
                        .formula("`a + weight · (b - a)` for a weight below one half, else `b - (b - a) · (1 - weight)`. Product and sum are fused.")
                }
                Addcmul addcmul {
                    binary(ALL, &[]).kernel(NUMBERS)
                        .extras(const { &[given("c", ExtraKind::Operand), number("value", ExtraKind::Number, 1.0)] })
                        .formula("`a + value · b · c`. For real numbers the last product and the sum are fused. Integers wrap, and take an integer as `value`.")
                }
                AddScaled add_scaled {
                    binary(ALL, &[]).kernel(ALL).extras(const { &[given("alpha", ExtraKind::Factor)] })
                        .formula("`a + alpha · b`. For real numbers product and sum are fused. Integers wrap.")
                }
                SubtractScaled subtract_scaled {
                    binary(NUMBERS, &[]).kernel(NUMBERS).extras(const { &[given("alpha", ExtraKind::Factor)] })
                        .formula("`a - alpha · b`. For real numbers product and difference are fused. Integers wrap.")
                }
                L1Loss l1_loss {
                    binary(NUMBERS, &[]).kernel(NUMBERS).steps().loss().part()
                        .formula("`|a - b|`.")
                }
                MseLoss mse_loss {
                    binary(FIELDS, &[]).kernel(FIELDS).steps().loss()
                        .formula("`(a - b)²`.")
                }
                HuberLoss huber_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .extras(const { &[number("delta", ExtraKind::Positive, 1.0)] })
                        .formula("With `d = |a - b|`: `d² / 2` if `d` is below `delta`, else `delta · (d - delta / 2)`. `delta` is above 0.")
                }
                SmoothL1Loss smooth_l1_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .extras(const { &[number("beta", ExtraKind::NonNegative, 1.0)] })
                        .formula("With `d = |a - b|`: `d² / (2 · beta)` if `d` is below `beta`, else `d - beta / 2`. `beta` is at least 0.")
                }
                PoissonNllLoss poisson_nll_loss {
                    binary(NUMBERS, &[]).kernel(FIELDS).steps().loss()
                        .extras(const { &[number("eps", ExtraKind::NonNegative, 1e-8)] }).flags(&[LOG_INPUT, FULL])
                        .formula("`exp(a) - b · a` with `flags.log_input`, else `a - b · log(a + eps)`. With `flags.full`, Stirling's approximation \
                             `b · log(b) - b + log(2π · b) / 2` is added for `b > 1`. `eps` is at least 0.")
                }
                BinaryCrossEntropy binary_cross_entropy {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .refuses("an operand is not a probability")
                        .extras(const { &[number("weight", ExtraKind::Weight, 1.0)] })
                        .formula("`weight · -(b · log(a) + (1 - b) · log(1 - a))`, with each logarithm at least -100. `a` and `b` are in 0 to 1.")
                }
                Positive positive { unary(ALL, &[]).fused(ALL).sign_agnostic().memory_bound() }
                Negative negative { unary(ALL, &[]).fused(NUMBERS).sign_agnostic().memory_bound() }
                Abs abs { unary(ALL, &[]).fused(ALL).part().memory_bound() }
                Sign sign { unary(ALL, &[NAN]).kernel(ALL).fused(ORDERED).via_c128().memory_bound() }
                Signbit signbit {
                    unary(ALL, &[]).fused(ORDERED).predicate().memory_bound()
                        .formula("True if the sign bit is set: of negative numbers, and of -0.")
                }
                Square square { unary(ALL, &[]).fused(ALL).sign_agnostic().memory_bound() }
                Reciprocal reciprocal { unary(ALL, &[]).fused(FIELDS).memory_bound() }
                Sqrt sqrt { unary(FIELDS, &[]).kernel(FIELDS).fused(FLOATS).via_c128() }
                Rsqrt rsqrt {
                    unary(FIELDS, &[]).kernel(FIELDS).fused(FLOATS).via_c128()
                        .formula("`1 / √a`. The root is rounded, and then the quotient.")
                }
                Cbrt cbrt { unary(FIELDS, &[]).kernel(FLOATS) }
                Exp exp { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Expm1 expm1 { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Exp2 exp2 { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Log log { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Log1p log1p { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Log2 log2 { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Log10 log10 { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Sin sin { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Cos cos { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Tan tan { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Asin asin { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Acos acos { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Atan atan { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Sinh sinh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Cosh cosh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Tanh tanh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Asinh asinh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Acosh acosh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Atanh atanh { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Sigmoid sigmoid { unary(FIELDS, &[]).kernel(FIELDS).via_c128() }
                Erf erf {
                    unary(FIELDS, &[]).kernel(FLOATS)
                        .formula("The error function, `2 / √π` times the integral of `exp(-t²)` from 0 to `a`.")
                }
                Erfc erfc { unary(FIELDS, &[]).kernel(FLOATS).formula("`1 - erf(a)`, which keeps its digits where it is small.") }
                Threshold threshold {
                    unary(ALL, &[]).kernel(REALS)
                        .extras(const { &[given("threshold", ExtraKind::Number), given("value", ExtraKind::Number)] })
                        .formula("`value` if `a` is at most `threshold`, else `a`.")
                }
                Relu relu { unary(ALL, &[]).kernel(ALL).fused(ORDERED).memory_bound().formula("The greater one of `a` and 0.") }
                Silu silu { unary(FIELDS, &[]).kernel(FIELDS).via_c128().formula("`a · sigmoid(a)`.") }
                Softplus softplus { unary(FIELDS, &[]).kernel(FIELDS).via_c128().formula("`log(1 + exp(a))`.") }
                Gelu gelu { unary(FIELDS, &[]).kernel(FLOATS).formula("`a / 2 · (1 + erf(a / √2))`.") }
                GeluTanh gelu_tanh {
                    unary(FIELDS, &[]).kernel(FIELDS).via_c128()
                        .formula("`a / 2 · (1 + tanh(√(2 / π) · (a + 0.044715 · a³)))`, the approximation of `gelu`.")
                }
                Floor floor { unary(ALL, &[]).fused(ORDERED).memory_bound() }
                Ceil ceil { unary(ALL, &[]).fused(ORDERED).memory_bound() }
                Trunc trunc { unary(ALL, &[]).fused(ORDERED).memory_bound() }
                Round round { unary(ALL, &[]).fused(ALL).memory_bound() }
                Isnan isnan { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate().memory_bound() }
                Isinf isinf { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate().memory_bound() }
                Isfinite isfinite { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate().memory_bound() }
                LogicalNot logical_not { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate().memory_bound() }
                BitwiseNot bitwise_not { unary(ALL, &[]).fused(BITS).sign_agnostic().memory_bound() }
                Conj conj { unary(ALL, &[]).fused(ALL).sign_agnostic().memory_bound() }
                Real real { unary(ALL, &[]).fused(ALL).sign_agnostic().part() }
                Imag imag { unary(ALL, &[]).fused(ALL).part() }
                Angle angle { unary(FIELDS, &[]).kernel(FIELDS).part() }
            ]
            tables [
                Dot dot { binary(ALL, &[]) }
                Matmul matmul { binary(ALL, &[]) }
                Outer outer { binary(ALL, &[]) }
                Concatenate concatenate { binary(ALL, &[]).arguments(JOINS) }
                Stack stack { binary(ALL, &[]).arguments(JOINS) }
                Isin isin { binary(ALL, &[]) }
                Astype astype { unary(ALL, &[OUT_OF_RANGE, OVERFLOW]) }
                Sum sum { unary(ALL, &[]).arguments(SUMS) }
                Prod prod { unary(ALL, &[]).arguments(SUMS) }
                Mean mean { unary(FIELDS, &[]).arguments(SUMS) }
                Std std { unary(FIELDS, &[CORRECTION]).arguments(SPREAD) }
                Var var { unary(FIELDS, &[CORRECTION]).arguments(SPREAD) }
                Cumsum cumsum { unary(ALL, &[]).arguments(SCANS) }
                Cumprod cumprod { unary(ALL, &[]).arguments(SCANS) }
                Max max { unary(ALL, &[]).arguments(REDUCES) }
                Min min { unary(ALL, &[]).arguments(REDUCES) }
                Amax amax { unary(ALL, &[]).arguments(REDUCES) }
                Amin amin { unary(ALL, &[]).arguments(REDUCES) }
                Any any { unary(ALL, &[]).arguments(REDUCES) }
                All all { unary(ALL, &[]).arguments(REDUCES) }
                Argmax argmax { unary(ALL, &[]).arguments(REDUCES) }
                Argmin argmin { unary(ALL, &[]).arguments(REDUCES) }
                Median median { unary(ALL, &[MIDDLE]).arguments(REDUCES) }
                Nansum nansum { unary(ALL, &[]).arguments(SUMS) }
                Norm norm { unary(FIELDS, &[]).arguments(REDUCES) }
                Logsumexp logsumexp { unary(FIELDS, &[]).arguments(REDUCES) }
            ]
        }
    };
}

macro_rules! define {
    (
        {}
        kernels [$($kernel:ident $kernel_name:ident { $kernel_info:expr })*]
        tables [$($variant:ident $name:ident { $info:expr })*]
    ) => {
        define! { $($kernel $kernel_name { $kernel_info })* $($variant $name { $info })* }

        /// The number of ops that have kernels.
        pub(crate) const WITH_KERNELS: usize = [$(stringify!($kernel)),*].len();
    };
    ($($variant:ident $name:ident { $info:expr })*) => {
        /// An operation on arrays, standard or custom.
        ///
        /// Most ops are elementwise. Others reduce an array (such as `sum`), scan it (`cumsum`, `cumprod`),
        /// multiply arrays (`dot`, `matmul`) or join them (`concatenate`, `stack`). All rule sets share this
        /// type; each rule set decides which dtypes an op computes in and returns.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Op {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                $variant,
            )*
            /// A custom op.
            Custom(&'static CustomOp),
        }

        /// The properties of each standard op, in the order of [`Op::index`].
        static CATALOGUE: &[OpInfo] = &[$($info),*];

        impl Op {
            /// Every standard op, in the order of [`Op::index`].
            pub const STANDARD: &'static [Op] = &[$(Op::$variant),*];

            /// Returns the position of a standard op in [`Op::STANDARD`], or the length of that list for a
            /// custom op.
            #[inline]
            pub const fn index(self) -> usize {
                enum Index { $($variant,)* Custom }
                match self {
                    $(Op::$variant => Index::$variant as usize,)*
                    Op::Custom(_) => Index::Custom as usize,
                }
            }

            /// Returns the canonical name, such as `add` or `less_equal`.
            #[inline]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Op::$variant => stringify!($name),)*
                    Op::Custom(custom) => custom.name(),
                }
            }

            /// Returns the name of the variant, such as `LessEqual`. The op's type has the same name.
            #[doc(hidden)]
            pub const fn variant(self) -> &'static str {
                match self {
                    $(Op::$variant => stringify!($variant),)*
                    Op::Custom(_) => "Custom",
                }
            }

            /// Returns the number of operands, without the [`Op::extras`].
            ///
            /// Standard ops have 1 or 2 operands, and custom ops up to [`CustomOp::MAX_INPUTS`]. The number
            /// is 0 if only the name of a custom op is known ([`CustomOp::named`]).
            #[inline]
            pub const fn arity(self) -> usize {
                match self {
                    $(Op::$variant => const { $info.arity },)*
                    Op::Custom(custom) => custom.arity(),
                }
            }
        }
    };
}

__ops! { define {} }

impl Op {
    /// Returns the properties of the op.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::Op;
    ///
    /// assert!(Op::Add.info().kernel.unwrap().commutes);
    /// assert!(Op::Concatenate.info().kernel.is_none());
    /// ```
    #[doc(hidden)]
    #[inline]
    pub const fn info(self) -> &'static OpInfo {
        match self {
            Op::Custom(custom) if !custom.has_kernels() => OpInfo::without_kernels(custom.arity()),
            Op::Custom(_) => OpInfo::CUSTOM,
            standard => &CATALOGUE[standard.index()],
        }
    }

    /// Returns the inputs besides the op's one or two operands, in the order of a call.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::Op;
    ///
    /// let delta = &Op::HuberLoss.extras()[0];
    /// assert_eq!((delta.name, delta.default), ("delta", Some(1.0)));
    /// ```
    pub const fn extras(self) -> &'static [Extra] {
        match &self.info().kernel {
            Some(kernel) => kernel.extras,
            None => &[],
        }
    }

    /// Returns the largest number of inputs of a call: the operands and the [`Op::extras`].
    pub const fn inputs(self) -> usize {
        self.arity() + self.extras().len()
    }

    /// Returns the options that a call of the op chooses.
    #[doc(hidden)]
    pub const fn flags(self) -> &'static [SemanticOption] {
        match &self.info().kernel {
            Some(kernel) => kernel.flags,
            None => &[],
        }
    }

    /// Returns true if the op takes its operands as whole arrays: it multiplies, joins or searches them.
    ///
    /// ```
    /// # use promote_core::Op;
    /// assert!(Op::Matmul.takes_whole_arrays() && Op::Stack.takes_whole_arrays());
    /// assert!(!Op::Add.takes_whole_arrays() && !Op::Sum.takes_whole_arrays());
    /// ```
    pub const fn takes_whole_arrays(self) -> bool {
        self.joins_arrays() || matches!(self, Op::Dot | Op::Matmul | Op::Isin)
    }

    /// Returns true if the op joins any number of arrays along an axis.
    ///
    /// ```
    /// # use promote_core::Op;
    /// assert!(Op::Concatenate.joins_arrays() && !Op::Isin.joins_arrays());
    /// ```
    pub const fn joins_arrays(self) -> bool {
        matches!(self, Op::Concatenate | Op::Stack)
    }

    /// Returns true if the op is a loss, which can be reduced to its mean or its sum.
    pub const fn is_loss(self) -> bool {
        matches!(self.info().kernel, Some(KernelInfo { loss: true, .. }))
    }
}

impl PartialEq for Op {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Op::Custom(a), Op::Custom(b)) if !a.has_kernels() && !b.has_kernels() => {
                (a.name(), a.arity()) == (b.name(), b.arity())
            }
            (Op::Custom(a), Op::Custom(b)) => core::ptr::eq(*a, *b),
            _ => self.index() == other.index(),
        }
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Op::Custom(custom) if !custom.has_kernels() => (custom.name(), custom.arity()).hash(state),
            Op::Custom(custom) => core::ptr::from_ref(*custom).hash(state),
            _ => self.index().hash(state),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a name that no standard op has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOpError {
    meant: Option<Op>,
}

impl ParseOpError {
    /// Returns the op to which Rust gives this name, such as `divide` for `div`. The message suggests it.
    pub const fn suggestion(&self) -> Option<Op> {
        self.meant
    }
}

impl fmt::Display for ParseOpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(meant) = self.meant {
            return write!(f, "no standard op has this name; help: did you mean `{meant}`?");
        }
        f.write_str("no standard op has this name; help: write one of")?;
        for (i, op) in Op::STANDARD.iter().enumerate() {
            write!(f, "{} {op}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseOpError {}

impl FromStr for Op {
    type Err = ParseOpError;

    /// Reads a canonical name. For Rust's name of an op, the error suggests the canonical one.
    ///
    /// ```
    /// # use promote_core::Op;
    /// assert_eq!("less_equal".parse(), Ok(Op::LessEqual));
    /// let error = "div".parse::<Op>().unwrap_err();
    /// assert_eq!(error.to_string(), "no standard op has this name; help: did you mean `divide`?");
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseOpError> {
        Op::STANDARD
            .iter()
            .copied()
            .find(|op| op.name() == name)
            .ok_or_else(|| ParseOpError { meant: crate::names::op_of_rust_name(name) })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn names_and_positions_round_trip() {
        for (i, &op) in Op::STANDARD.iter().enumerate() {
            assert_eq!(op.name().parse(), Ok(op));
            assert_eq!(op.index(), i);
        }
    }

    #[test]
    fn ops_with_kernels_come_first() {
        for (i, &op) in Op::STANDARD.iter().enumerate() {
            assert_eq!(op.info().kernel.is_some(), i < WITH_KERNELS, "{op}");
        }
    }

    #[test]
    fn default_values_of_options_have_no_bit() {
        for &op in Op::STANDARD {
            for option in op.info().options().chain(op.flags()) {
                assert!(option.values.len() > 1 && option.values[0].1 == 0, "{op}: {}", option.name);
            }
        }
    }

    #[test]
    fn custom_ops_are_equal_by_address() {
        static P: CustomOp = CustomOp::new("axpy", 3, None);
        static Q: CustomOp = CustomOp::new("axpy", 3, None);
        assert_eq!(Op::Custom(&P), Op::Custom(&P));
        assert_ne!(Op::Custom(&P), Op::Custom(&Q));
        assert_ne!(Op::Custom(&P), Op::Add);
    }

    #[test]
    fn ops_without_kernels_are_equal_by_name_and_arity() {
        static P: CustomOp = CustomOp::without_kernels("conv", 2);
        static Q: CustomOp = CustomOp::without_kernels("conv", 2);
        static OTHER_ARITY: CustomOp = CustomOp::without_kernels("conv", 3);
        static KERNELS: CustomOp = CustomOp::new("conv", 2, None);
        let hash = |op: Op| {
            let mut hasher = std::hash::DefaultHasher::new();
            op.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(Op::Custom(&P), Op::Custom(&Q));
        assert_eq!(hash(Op::Custom(&P)), hash(Op::Custom(&Q)));
        assert_ne!(Op::Custom(&P), Op::Custom(&OTHER_ARITY));
        assert_ne!(Op::Custom(&P), Op::Custom(&KERNELS));
    }
}
