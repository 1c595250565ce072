//! The standard ops: their operands, the options that a rule file chooses, and their kernels.

mod pipeline;

use core::any::Any;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

pub use self::pipeline::PipelineReason;
use crate::semantics::{
    BY_ZERO, COMPARED, COUNT, EXPONENT, FULL, LOG_INPUT, NAN, NEGATIVE_EXPONENT, NUMBER, OUT_OF_RANGE,
    OVERFLOW, QUOTIENT, RIGHT_SCALAR, ROUNDING, SemanticOption, WHOLE_QUOTIENT, ZERO_SIGN,
};
use crate::{DType, NumberKind};

/// A custom op: a kernel that a user defines.
///
/// Two custom ops are equal when they are the same `static`: equality is by address.
pub struct CustomOp {
    name: &'static str,
    arity: usize,
    like: Option<Op>,
    /// The kernels, in a type that only the run time knows.
    kernels: Option<&'static (dyn Any + Send + Sync)>,
}

// The kernels are addresses, as the casts of a custom dtype are.
impl fmt::Debug for CustomOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} inputs", self.name, self.arity)
    }
}

impl CustomOp {
    /// The largest number of inputs.
    pub const MAX_INPUTS: usize = 4;

    /// Creates an op from its name, as rule files spell it, and its number of operands.
    ///
    /// The operands are promoted to a common dtype, which decides the other dtypes: as for the op `like`, or,
    /// if that is `None`, as the rule set says that names this op.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::{CustomOp, Op};
    ///
    /// static AXPY: CustomOp = CustomOp::new("axpy", 3, None);
    /// assert_eq!((Op::Custom(&AXPY).name(), Op::Custom(&AXPY).arity()), ("axpy", 3));
    /// ```
    pub const fn new(name: &'static str, arity: usize, like: Option<Op>) -> CustomOp {
        CustomOp { name, arity, like, kernels: None }
    }

    /// Creates an op that is known by its name alone, from a rule file that was read at run time. It takes
    /// any number of operands and has no kernels.
    pub const fn named(name: &'static str) -> CustomOp {
        CustomOp::new(name, 0, None)
    }

    /// Returns the canonical name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of operands, or 0 if only the name is known.
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// Returns the op whose dtypes this op shares; `None` if rule sets name this op themselves.
    pub const fn like(&self) -> Option<Op> {
        self.like
    }

    /// Attaches the kernels, which only the run time knows.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_kernels(self, kernels: &'static (dyn Any + Send + Sync)) -> CustomOp {
        CustomOp { kernels: Some(kernels), ..self }
    }

    /// Returns the kernels, if there are any.
    #[doc(hidden)]
    pub const fn kernels(&self) -> Option<&'static (dyn Any + Send + Sync)> {
        self.kernels
    }
}

/// An input of an op that takes no part in promotion, such as the weight of `lerp`.
///
/// In a call a condition comes before the operands, and every other extra input after them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extra {
    /// The name of the parameter, as PyTorch has it.
    pub name: &'static str,
    /// The values that are accepted.
    pub kind: ExtraKind,
    /// The value if the call leaves it out; `None` if it is required.
    pub default: Option<f64>,
}

/// The kind of value that an [`Extra`] accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtraKind {
    /// A bool for each element, or one bool for all.
    Condition,
    /// A further operand: it is promoted and converted like the others.
    Operand,
    /// A number, or an array of the common or the compute dtype. It is converted to the compute dtype.
    Weight,
    /// One number, rounded once to the compute dtype.
    Number,
    /// One number that is at least 0.
    NonNegative,
    /// One number above 0.
    Positive,
}

impl ExtraKind {
    /// Returns true if one number is accepted, whatever its range.
    pub const fn is_number(self) -> bool {
        matches!(self, ExtraKind::Number | ExtraKind::NonNegative | ExtraKind::Positive)
    }

    /// Returns an error text if the number is out of range.
    ///
    /// ```
    /// # use promote_core::ExtraKind;
    /// assert_eq!(ExtraKind::NonNegative.range_error(0.0), None);
    /// assert_eq!(ExtraKind::Positive.range_error(f64::NAN), Some("is not above 0"));
    /// ```
    pub fn range_error(self, x: f64) -> Option<&'static str> {
        match self {
            ExtraKind::NonNegative if x.is_nan() || x < 0.0 => Some("is not at least 0"),
            ExtraKind::Positive if x.is_nan() || x <= 0.0 => Some("is not above 0"),
            _ => None,
        }
    }
}

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

/// The properties of an op that every rule set shares.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The number of operands that decide the dtype: 1 or 2. Further inputs are in [`KernelInfo::extras`].
    pub arity: usize,
    /// The kinds of dtype in which the op can be computed.
    pub computes: &'static [NumberKind],
    /// The options of this op alone. [`OpInfo::options`] returns those that every op has, too.
    pub semantics: &'static [SemanticOption],
    /// The kernels; `None` if there are none.
    pub kernel: Option<KernelInfo>,
}

/// The properties of an op's kernels.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the properties are independent of each other")]
pub struct KernelInfo {
    /// The kinds of dtype in which the kernels compute.
    pub kinds: &'static [NumberKind],
    /// The form of the result.
    pub result: ResultForm,
    /// True if the operands may be swapped.
    pub commutes: bool,
    /// The op whose kernels compute this one when the operands are swapped: `less` for `greater`.
    pub swapped_of: Option<Op>,
    /// `Greater` if the op returns the greater one of its operands, `Less` if the lesser one; `None` for
    /// other ops.
    pub extremum: Option<Ordering>,
    /// The kinds of dtype in which each pair of dtypes of a rule set has a loop of its own, unless there is a
    /// [`PipelineReason`] for the pair.
    pub fused: &'static [NumberKind],
    /// True if signed and unsigned integers share kernels, because the bits of the result are equal.
    pub sign_agnostic: bool,
    /// True if the op has several steps, so that rounding each step to a narrow float differs from rounding
    /// the result once.
    pub steps: bool,
    /// True if the kernels compute in the common dtype even if `opmath` names a wider one.
    ///
    /// The result of `nextafter` depends on the values that the common dtype has: the f32 after 1.0 would be
    /// rounded back to 1.0 in bf16.
    pub in_common_dtype: bool,
    /// True if the kernel of c64 casts to c128 and back. Such functions are long, and compiled once.
    pub via_c128: bool,
    /// The inputs that take no part in promotion.
    pub extras: &'static [Extra],
    /// The options that a call chooses, not a rule file.
    pub flags: &'static [SemanticOption],
    /// True if the op is a loss, which can be reduced to its mean or its sum.
    pub loss: bool,
    /// A phrase for documentation that names the operands which make a call fail under every rule set, such
    /// as "an operand is not a probability"; `None` if only an option makes calls fail.
    pub refuses: Option<&'static str>,
}

/// The dtype of an op's result, relative to the dtype that it computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultForm {
    /// The compute dtype.
    Compute,
    /// `bool`.
    Bool,
    /// The compute dtype, or that of its parts if it is complex.
    Part,
}

const NUMBERS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float, NumberKind::Complex];
const ALL: &[NumberKind] = &NumberKind::ALL;
const FIELDS: &[NumberKind] = &[NumberKind::Float, NumberKind::Complex];
const REALS: &[NumberKind] = &[NumberKind::Int, NumberKind::Float];
const ORDERED: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int, NumberKind::Float];
const BITS: &[NumberKind] = &[NumberKind::Bool, NumberKind::Int];
const INTEGERS: &[NumberKind] = &[NumberKind::Int];
const FLOATS: &[NumberKind] = &[NumberKind::Float];

const fn binary(computes: &'static [NumberKind], semantics: &'static [SemanticOption]) -> OpInfo {
    OpInfo { arity: 2, computes, semantics, kernel: None }
}

const fn unary(computes: &'static [NumberKind], semantics: &'static [SemanticOption]) -> OpInfo {
    OpInfo { arity: 1, computes, semantics, kernel: None }
}

const fn number(name: &'static str, kind: ExtraKind, default: f64) -> Extra {
    Extra { name, kind, default: Some(default) }
}

const fn given(name: &'static str, kind: ExtraKind) -> Extra {
    Extra { name, kind, default: None }
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
                Add add { binary(ALL, &[RIGHT_SCALAR, OVERFLOW]).fused(ALL).sign_agnostic().commutes() }
                Subtract subtract {
                    binary(NUMBERS, &[RIGHT_SCALAR, OVERFLOW]).fused(NUMBERS)
                        .sign_agnostic()
                }
                Multiply multiply {
                    binary(ALL, &[RIGHT_SCALAR, OVERFLOW]).fused(ALL)
                        .sign_agnostic().commutes()
                }
                Divide divide {
                    binary(FIELDS, &[RIGHT_SCALAR, OVERFLOW, BY_ZERO, WHOLE_QUOTIENT]).kernel(NUMBERS)
                        .fused(FIELDS)
                }
                Equal equal {
                    binary(ALL, &[COMPARED]).fused(ALL).sign_agnostic().commutes()
                        .predicate()
                }
                NotEqual not_equal {
                    binary(ALL, &[COMPARED]).fused(ALL).sign_agnostic().commutes()
                        .predicate()
                }
                Less less {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ALL)
                        .predicate()
                }
                LessEqual less_equal {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ALL)
                        .predicate()
                }
                Greater greater {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ALL).predicate().swapped_of(Op::Less)
                }
                GreaterEqual greater_equal {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ALL).predicate().swapped_of(Op::LessEqual)
                }
                Maximum maximum {
                    binary(ALL, &[]).kernel(ALL).fused(ALL)
                        .commutes().extremum(Ordering::Greater)
                }
                Minimum minimum {
                    binary(ALL, &[]).kernel(ALL).fused(ALL)
                        .commutes().extremum(Ordering::Less)
                }
                FloorDivide floor_divide {
                    binary(ALL, &[RIGHT_SCALAR, BY_ZERO, ROUNDING, QUOTIENT]).kernel(REALS).steps()
                }
                DivideTrunc divide_trunc { binary(ALL, &[RIGHT_SCALAR, BY_ZERO]).kernel(REALS).steps() }
                Remainder remainder { binary(ALL, &[RIGHT_SCALAR, BY_ZERO, ZERO_SIGN]).kernel(NUMBERS).steps() }
                Fmod fmod { binary(ALL, &[RIGHT_SCALAR, BY_ZERO]).kernel(REALS) }
                Pow pow { binary(ALL, &[RIGHT_SCALAR, NEGATIVE_EXPONENT, OUT_OF_RANGE]).kernel(ALL).via_c128() }
                FloatPower float_power { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).via_c128() }
                Fmax fmax { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ALL).commutes() }
                Fmin fmin { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ALL).commutes() }
                ClampMin clamp_min { binary(ALL, &[]).fused(ORDERED).commutes() }
                Where where {
                    binary(ALL, &[]).fused(ALL).sign_agnostic()
                        .extras(const { &[given("condition", ExtraKind::Condition)] })
                }
                LogicalAnd logical_and { binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate() }
                LogicalOr logical_or { binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate() }
                LogicalXor logical_xor { binary(ALL, &[]).kernel(ALL).sign_agnostic().commutes().predicate() }
                BitwiseAnd bitwise_and {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes()
                }
                BitwiseOr bitwise_or {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes()
                }
                BitwiseXor bitwise_xor {
                    binary(ALL, &[]).fused(BITS).sign_agnostic().commutes()
                }
                LeftShift left_shift { binary(ALL, &[COUNT]).kernel(INTEGERS) }
                RightShift right_shift { binary(ALL, &[COUNT]).kernel(INTEGERS) }
                Gcd gcd { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Lcm lcm { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Atan2 atan2 { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).via_c128() }
                Hypot hypot { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FIELDS).commutes().via_c128() }
                Copysign copysign { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FLOATS) }
                Nextafter nextafter { binary(FIELDS, &[]).kernel(FLOATS).in_common_dtype_only() }
                Heaviside heaviside { binary(ALL, &[NAN]).kernel(ORDERED) }
                Logaddexp logaddexp { binary(FIELDS, &[]).kernel(FIELDS).commutes().via_c128() }
                Logaddexp2 logaddexp2 { binary(FIELDS, &[]).kernel(FIELDS).commutes().via_c128() }
                Xlogy xlogy { binary(FIELDS, &[RIGHT_SCALAR]).kernel(FLOATS).steps() }
                Ldexp ldexp { binary(NUMBERS, &[RIGHT_SCALAR, EXPONENT]).kernel(FIELDS).steps().via_c128() }
                Lerp lerp { binary(FIELDS, &[]).kernel(FIELDS).extras(const { &[given("weight", ExtraKind::Weight)] }) }
                Addcmul addcmul {
                    binary(ALL, &[]).kernel(NUMBERS)
                        .extras(const { &[given("c", ExtraKind::Operand), number("value", ExtraKind::Number, 1.0)] })
                }
                L1Loss l1_loss { binary(NUMBERS, &[]).kernel(NUMBERS).steps().loss().part() }
                MseLoss mse_loss { binary(FIELDS, &[]).kernel(FIELDS).steps().loss() }
                HuberLoss huber_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .extras(const { &[number("delta", ExtraKind::Positive, 1.0)] })
                }
                SmoothL1Loss smooth_l1_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .extras(const { &[number("beta", ExtraKind::NonNegative, 1.0)] })
                }
                PoissonNllLoss poisson_nll_loss {
                    binary(NUMBERS, &[]).kernel(FIELDS).steps().loss()
                        .extras(const { &[number("eps", ExtraKind::NonNegative, 1e-8)] }).flags(&[LOG_INPUT, FULL])
                }
                BinaryCrossEntropy binary_cross_entropy {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .refuses("an operand is not a probability")
                        .extras(const { &[number("weight", ExtraKind::Weight, 1.0)] })
                }
                Negative negative { unary(ALL, &[]).fused(NUMBERS).sign_agnostic() }
                Abs abs { unary(ALL, &[]).fused(ALL).part() }
                Sign sign { unary(ALL, &[NAN]).kernel(ALL).fused(ORDERED).via_c128() }
                Square square { unary(ALL, &[]).fused(ALL).sign_agnostic() }
                Reciprocal reciprocal { unary(ALL, &[]).fused(FIELDS) }
                Sqrt sqrt { unary(FIELDS, &[]).kernel(FIELDS).fused(FLOATS).via_c128() }
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
                Floor floor { unary(ALL, &[]).fused(ORDERED) }
                Ceil ceil { unary(ALL, &[]).fused(ORDERED) }
                Trunc trunc { unary(ALL, &[]).fused(ORDERED) }
                Round round { unary(ALL, &[]).fused(ALL) }
                Isnan isnan { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate() }
                Isinf isinf { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate() }
                Isfinite isfinite { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate() }
                LogicalNot logical_not { unary(ALL, &[]).fused(ALL).sign_agnostic().predicate() }
                BitwiseNot bitwise_not { unary(ALL, &[]).fused(BITS).sign_agnostic() }
                Conj conj { unary(ALL, &[]).fused(ALL).sign_agnostic() }
                Real real { unary(ALL, &[]).fused(ALL).sign_agnostic().part() }
                Imag imag { unary(ALL, &[]).fused(ALL).part() }
                Angle angle { unary(FIELDS, &[]).kernel(FIELDS).part() }
            ]
            tables [
                Dot dot { binary(ALL, &[]) }
                Matmul matmul { binary(ALL, &[]) }
                Outer outer { binary(ALL, &[]) }
                Concatenate concatenate { binary(ALL, &[]) }
                Stack stack { binary(ALL, &[]) }
                Isin isin { binary(ALL, &[]) }
                Astype astype { unary(ALL, &[OUT_OF_RANGE, OVERFLOW]) }
                Sum sum { unary(ALL, &[]) }
                Prod prod { unary(ALL, &[]) }
                Mean mean { unary(FIELDS, &[]) }
                Std std { unary(FIELDS, &[]) }
                Var var { unary(FIELDS, &[]) }
                Cumsum cumsum { unary(ALL, &[]) }
                Cumprod cumprod { unary(ALL, &[]) }
                Max max { unary(ALL, &[]) }
                Min min { unary(ALL, &[]) }
                Amax amax { unary(ALL, &[]) }
                Amin amin { unary(ALL, &[]) }
                Any any { unary(ALL, &[]) }
                All all { unary(ALL, &[]) }
                Argmax argmax { unary(ALL, &[]) }
                Argmin argmin { unary(ALL, &[]) }
                Median median { unary(ALL, &[]) }
                Nansum nansum { unary(ALL, &[]) }
                Norm norm { unary(FIELDS, &[]) }
                Logsumexp logsumexp { unary(FIELDS, &[]) }
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
        /// Most are elementwise. `sum` to `logsumexp` reduce an array or scan it (`cumsum`, `cumprod`), `dot`
        /// and `matmul` multiply arrays, and `concatenate` and `stack` join them. All rule sets share this
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
                    Op::Custom(custom) => custom.name,
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

            /// Returns the number of operands that decide the op's dtype, without its [`Op::extras`].
            ///
            /// Standard ops have 1 or 2, custom ops up to [`CustomOp::MAX_INPUTS`], or 0 if only the name is
            /// known ([`CustomOp::named`]).
            #[inline]
            pub const fn arity(self) -> usize {
                match self {
                    $(Op::$variant => const { $info.arity },)*
                    Op::Custom(custom) => custom.arity,
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
            Op::Custom(_) => OpInfo::CUSTOM,
            standard => &CATALOGUE[standard.index()],
        }
    }

    /// Returns the inputs that take no part in promotion, in the order of a call.
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

    /// Returns true if the op is a loss, which can be reduced to its mean or its sum.
    pub const fn is_loss(self) -> bool {
        matches!(self.info().kernel, Some(KernelInfo { loss: true, .. }))
    }
}

impl OpInfo {
    /// The properties of every custom op: it computes in all kinds but bool, and has no options.
    pub const CUSTOM: &'static OpInfo = &unary(NUMBERS, &[]);

    const fn kernel_info(&self) -> KernelInfo {
        match self.kernel {
            Some(kernel) => kernel,
            None => panic!("an op without kernels"),
        }
    }

    const fn with(self, change: KernelInfo) -> OpInfo {
        OpInfo { kernel: Some(change), ..self }
    }

    /// Adds kernels that compute in dtypes of these kinds.
    const fn kernel(self, kinds: &'static [NumberKind]) -> OpInfo {
        self.with(KernelInfo {
            kinds,
            result: ResultForm::Compute,
            commutes: false,
            swapped_of: None,
            extremum: None,
            fused: &[],
            sign_agnostic: false,
            steps: false,
            in_common_dtype: false,
            via_c128: false,
            extras: &[],
            flags: &[],
            loss: false,
            refuses: None,
        })
    }

    /// Adds a loop for each pair of dtypes that is computed in these kinds, because the op costs no more than
    /// the conversion of its operands. Without [`OpInfo::kernel`] these are the kinds of the kernels, too.
    const fn fused(self, kinds: &'static [NumberKind]) -> OpInfo {
        let info = if self.kernel.is_some() { self } else { self.kernel(kinds) };
        info.with(KernelInfo { fused: kinds, ..info.kernel_info() })
    }

    /// Declares that the operands may be swapped.
    const fn commutes(self) -> OpInfo {
        self.with(KernelInfo { commutes: true, ..self.kernel_info() })
    }

    /// Declares that the op returns the greater or the lesser one of its operands.
    const fn extremum(self, order: Ordering) -> OpInfo {
        self.with(KernelInfo { extremum: Some(order), ..self.kernel_info() })
    }

    /// Declares that the bits of an integer result do not depend on the sign of the dtype.
    const fn sign_agnostic(self) -> OpInfo {
        self.with(KernelInfo { sign_agnostic: true, ..self.kernel_info() })
    }

    /// Uses the kernels of another op with the operands swapped.
    const fn swapped_of(self, op: Op) -> OpInfo {
        self.with(KernelInfo { swapped_of: Some(op), ..self.kernel_info() })
    }

    /// Declares that the result is `bool`.
    const fn predicate(self) -> OpInfo {
        self.with(KernelInfo { result: ResultForm::Bool, ..self.kernel_info() })
    }

    /// Declares that the result of complex operands is real.
    const fn part(self) -> OpInfo {
        self.with(KernelInfo { result: ResultForm::Part, ..self.kernel_info() })
    }

    /// Computes c64 by the kernel of c128, so that a long function is compiled once.
    const fn via_c128(self) -> OpInfo {
        self.with(KernelInfo { via_c128: true, ..self.kernel_info() })
    }

    /// Makes kernels compute in the common dtype.
    const fn in_common_dtype_only(self) -> OpInfo {
        self.with(KernelInfo { in_common_dtype: true, ..self.kernel_info() })
    }

    /// Declares that the op has several steps, each of which can be rounded to a narrow float.
    const fn steps(self) -> OpInfo {
        self.with(KernelInfo { steps: true, ..self.kernel_info() })
    }

    /// Adds inputs that take no part in promotion.
    const fn extras(self, extras: &'static [Extra]) -> OpInfo {
        self.with(KernelInfo { extras, ..self.kernel_info() })
    }

    /// Adds options that a call chooses.
    const fn flags(self, flags: &'static [SemanticOption]) -> OpInfo {
        self.with(KernelInfo { flags, ..self.kernel_info() })
    }

    /// Names the operands that make a call fail.
    const fn refuses(self, operands: &'static str) -> OpInfo {
        self.with(KernelInfo { refuses: Some(operands), ..self.kernel_info() })
    }

    /// Declares that the op is a loss, which can be reduced to its mean or its sum.
    const fn loss(self) -> OpInfo {
        self.with(KernelInfo { loss: true, ..self.kernel_info() })
    }
}

impl OpInfo {
    /// Returns the options that a rule file can choose for the op.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::Op;
    ///
    /// let names: Vec<_> = Op::Remainder.info().options().map(|option| option.name).collect();
    /// assert_eq!(names, ["right_scalar", "by_zero", "zero_sign", "number"]);
    /// ```
    pub fn options(&self) -> impl Iterator<Item = &'static SemanticOption> + use<> {
        const OF_TWO: &[SemanticOption] = &[NUMBER];
        let own = self.semantics.iter().any(|option| option.name == NUMBER.name);
        let of_two = if self.arity == 2 && !own { OF_TWO } else { &[] };
        self.semantics.iter().chain(of_two)
    }

    /// Returns true if the kernels compute in the common dtype even if `opmath` names a wider one.
    pub fn in_common_dtype(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.in_common_dtype)
    }

    /// Returns true if the result is `bool` whatever dtype the op computes in.
    pub fn gives_bool(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.result == ResultForm::Bool)
    }

    /// Returns true if there are kernels that compute in the dtype `compute`.
    pub fn is_computed_in(&self, compute: DType) -> bool {
        self.kernel.is_some_and(|kernel| kernel.is_computed_in(compute))
    }
}

fn has(kinds: &[NumberKind], dtype: DType) -> bool {
    NumberKind::of(dtype).is_some_and(|kind| kinds.contains(&kind))
}

impl KernelInfo {
    /// Returns true if pairs that are computed in `compute` have loops of their own, apart from those with a
    /// [`PipelineReason`].
    pub fn is_fused(&self, compute: DType) -> bool {
        has(self.fused, compute)
    }

    /// Returns the wider dtype by whose kernel this dtype is computed, if there is one.
    pub fn widened(&self, dtype: DType) -> Option<DType> {
        (self.via_c128 && dtype == DType::C64).then_some(DType::C128)
    }

    /// Returns true if the kernels only choose between the operands by a condition.
    pub fn chooses(&self) -> bool {
        self.extras.iter().any(|extra| extra.kind == ExtraKind::Condition)
    }

    /// Returns true if the kernels compute in the dtype `compute`. In a narrow float, each step is rounded.
    pub fn is_computed_in(&self, compute: DType) -> bool {
        let rounded = compute.register() != compute;
        let rounds = self.in_common_dtype || self.steps && matches!(compute, DType::F16 | DType::BF16);
        has(self.kinds, compute) && (!rounded || rounds)
    }
}

impl PartialEq for Op {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Op::Custom(a), Op::Custom(b)) => core::ptr::eq(*a, *b),
            _ => self.index() == other.index(),
        }
    }
}

impl Eq for Op {}

impl Hash for Op {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
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
    /// Returns the op that the name means elsewhere ([`Op::from_alias`]), which the message suggests.
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

    /// Reads a canonical name. The error for a name of another library suggests the op.
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
            .ok_or_else(|| ParseOpError { meant: Op::from_alias(name) })
    }
}

#[cfg(test)]
mod tests {
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
}
