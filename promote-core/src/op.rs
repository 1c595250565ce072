//! The standard ops: how many operands they take, what a rule file chooses of them, and which kernels they
//! have.

use core::any::Any;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::semantics::{
    BY_ZERO, COMPARED, COUNT, EXPONENT, FULL, LOG_INPUT, NAN, NEGATIVE_EXPONENT, NUMBER, OUT_OF_RANGE,
    OVERFLOW, QUOTIENT, ROUNDING, SCALAR, SemanticOption, WHOLE_QUOTIENT, ZERO_SIGN,
};
use crate::{DType, Kind, NumberKind};

/// A custom op: a kernel that a user defines.
///
/// Two custom ops are equal when they are the same `static`: equality is by address.
pub struct CustomOp {
    name: &'static str,
    arity: usize,
    like: Option<Op>,
    /// Its kernels, which only the run time knows.
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
    pub const MOST_INPUTS: usize = 4;

    /// An op with a name, as the rule file spells it, and a number of operands. The dtype that all operands
    /// promote to decides its dtypes: they are those of the op `like`, or, without such an op, what the rule
    /// set says that names this one.
    pub const fn new(name: &'static str, arity: usize, like: Option<Op>) -> CustomOp {
        CustomOp { name, arity, like, kernels: None }
    }

    /// An op that is known by its name alone, from a rule file that was read at run time: it takes any number
    /// of operands, and has no kernels.
    pub const fn named(name: &'static str) -> CustomOp {
        CustomOp::new(name, 0, None)
    }

    /// The canonical name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The number of operands; 0 where nothing but the name is known.
    pub const fn arity(&self) -> usize {
        self.arity
    }

    /// The op whose dtypes it has; `None` where rule sets name it.
    pub const fn like(&self) -> Option<Op> {
        self.like
    }

    /// For the run time: this op with kernels.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_kernels(self, kernels: &'static (dyn Any + Send + Sync)) -> CustomOp {
        CustomOp { kernels: Some(kernels), ..self }
    }

    /// For the run time: its kernels, if it has any.
    #[doc(hidden)]
    pub const fn kernels(&self) -> Option<&'static (dyn Any + Send + Sync)> {
        self.kernels
    }
}

/// An input that an op takes beside the operands that decide its dtype.
///
/// In a call a condition comes before the operands, and everything else after them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extra {
    /// The name of the parameter, as PyTorch has it.
    pub name: &'static str,
    /// What is taken.
    pub takes: Takes,
    /// The value if the call leaves it out; `None` if it must be given.
    pub default: Option<f64>,
}

/// What an op takes as an [`Extra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// A bool for each element, or one for all.
    Truth,
    /// An operand that is converted as the others are, and counts where the common dtype is decided.
    Operand,
    /// An array of the common dtype or of the one that the op computes in, or a number; it enters in the
    /// latter.
    Weight,
    /// One number. It is rounded to the dtype that the op computes in, once.
    Number,
    /// One number that is at least 0.
    NotNegative,
    /// One number above 0.
    Positive,
}

impl Takes {
    /// Returns true for one number, whatever its range.
    pub const fn is_number(self) -> bool {
        matches!(self, Takes::Number | Takes::NotNegative | Takes::Positive)
    }

    /// Returns what is wrong with a number here, if anything is.
    ///
    /// ```
    /// # use promote_core::Takes;
    /// assert_eq!(Takes::NotNegative.refuses(0.0), None);
    /// assert_eq!(Takes::Positive.refuses(f64::NAN), Some("is not above 0"));
    /// ```
    pub fn refuses(self, x: f64) -> Option<&'static str> {
        match self {
            Takes::NotNegative if x.is_nan() || x < 0.0 => Some("is not at least 0"),
            Takes::Positive if x.is_nan() || x <= 0.0 => Some("is not above 0"),
            _ => None,
        }
    }
}

/// The dtypes of one application of an op: what the operands become, what is computed in, what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpTypes {
    /// The dtype that the operands are converted to, with one rounding each.
    pub common: DType,
    /// The dtype that the op computes in: the register form of `common`, or another that the rule set names.
    pub compute: DType,
    /// The dtype of the result, rounded once.
    pub output: DType,
}

impl OpTypes {
    /// The types of an op that gives the common dtype and computes in its register form.
    pub const fn uniform(common: DType) -> Self {
        OpTypes { common, compute: common.register(), output: common }
    }

    /// The types of a comparison: computed in the register form of `common`, `bool` comes out.
    pub const fn comparison(common: DType) -> Self {
        OpTypes { common, compute: common.register(), output: DType::Bool }
    }
}

/// What is known about an op, whatever the rule set.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The number of operands that decide the dtype: 1 or 2. What the op takes besides says its kernel.
    pub arity: usize,
    /// The kinds of dtype in which it can be computed.
    pub computes: &'static [NumberKind],
    /// The options that this op has beside those of every op; [`OpInfo::options`] are all.
    pub semantics: &'static [SemanticOption],
    /// Its kernels; `None` where there are none yet.
    pub kernel: Option<KernelInfo>,
}

/// The kernels of an op.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct KernelInfo {
    /// The kinds of dtype in which they compute.
    pub kinds: &'static [NumberKind],
    /// The form of the result.
    pub gives: Gives,
    /// True if the operands may be swapped.
    pub commutes: bool,
    /// The op whose kernels compute this one with the operands swapped.
    pub mirror: Option<Op>,
    /// The comparison of which this one is the opposite: loops of both for two dtypes would do the same work
    /// twice.
    pub opposite: Option<Opposite>,
    /// The kinds of dtype in which each pair of dtypes that a rule set computes has a kernel of its own: a
    /// loop, unless `alike` or `casts_first` say otherwise.
    pub fused: &'static [NumberKind],
    /// True if only operands of their common dtype have a loop.
    pub alike: bool,
    /// The pairs of two dtypes that have no loop of their own.
    pub casts_first: CastsFirst,
    /// True if signed and unsigned integers share kernels, since the op computes with their bits.
    pub signless: bool,
    /// True if it has several steps, so that rounding each of them to a narrow float differs from rounding
    /// the result.
    pub steps: bool,
    /// True if the kernels compute in the dtype to which the operands are converted (`r`), even if `opmath`
    /// names a wider one.
    ///
    /// So does `nextafter`, whose result depends on which values the common dtype has: the f32 after 1.0
    /// would be rounded back to 1.0 in bf16.
    pub in_common_dtype: bool,
    /// True if the kernel of c64 is that of c128 with casts around it.
    pub wide: bool,
    /// The inputs beside the operands.
    pub extras: &'static [Extra],
    /// The options that a call chooses, and no file.
    pub flags: &'static [SemanticOption],
    /// True for a loss, which has a mean and a sum.
    pub loss: bool,
    /// Which operands are an error of the whole call under every rule set, as documentation says it; `None`
    /// where only an option makes such errors.
    pub refuses: Option<&'static str>,
}

/// The pairs of two dtypes whose operands are cast to the common dtype first, a block in L1 at a time. Each
/// value includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CastsFirst {
    /// Pairs in which an operand is rounded to f16: that takes longer in a loop of the pair's own.
    Rounded,
    /// Pairs of two integers whose common dtype is a third one, of complex numbers and something else than
    /// f32 and f64, or of something that is rounded to bf16: they are rare.
    Rare,
    /// Pairs of a narrow float or a bool and something else: they are rare.
    Narrow,
    /// All pairs: they are rare.
    Always,
}

/// The comparison of which another one is the opposite.
#[derive(Clone, Copy, Debug)]
pub struct Opposite {
    /// The comparison.
    pub of: Op,
    /// True if it takes the operands the other way round.
    pub swaps: bool,
    /// The kinds of dtype for which that holds: no NaN is less than a number, nor the other way round.
    pub kinds: &'static [NumberKind],
}

/// The form of an op's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The dtype in which the op computes.
    Same,
    /// A bool.
    Truth,
    /// The dtype in which the op computes, or that of the parts if it is complex.
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

const fn number(name: &'static str, takes: Takes, default: f64) -> Extra {
    Extra { name, takes, default: Some(default) }
}

const fn given(name: &'static str, takes: Takes) -> Extra {
    Extra { name, takes, default: None }
}

/// Passes a row for each standard op to a macro: first those that have kernels, then the others.
///
/// `__ops!(path::callback { arguments })` calls
/// `path::callback! { { arguments } kernels [rows] tables [rows] }`. A row is
/// `Variant name { what is known about the op, an OpInfo }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __ops {
    ($($callback:ident)::+ { $($arguments:tt)* }) => {
        $($callback)::+! {
            { $($arguments)* }
            kernels [
                Add add { binary(ALL, &[SCALAR, OVERFLOW]).fused(ALL).signless().commutes() }
                Subtract subtract {
                    binary(NUMBERS, &[SCALAR, OVERFLOW]).fused(NUMBERS).casts_first(CastsFirst::Rare)
                        .signless()
                }
                Multiply multiply {
                    binary(ALL, &[SCALAR, OVERFLOW]).fused(ALL).casts_first(CastsFirst::Rare)
                        .signless().commutes()
                }
                Divide divide {
                    binary(FIELDS, &[SCALAR, OVERFLOW, BY_ZERO, WHOLE_QUOTIENT]).kernel(NUMBERS)
                        .fused(FLOATS).casts_first(CastsFirst::Narrow)
                }
                Equal equal {
                    binary(ALL, &[COMPARED]).fused(ALL).signless().commutes()
                        .casts_first(CastsFirst::Narrow).truth()
                }
                NotEqual not_equal {
                    binary(ALL, &[COMPARED]).fused(ALL).signless().commutes()
                        .casts_first(CastsFirst::Narrow).truth().opposite(Op::Equal, false, ALL)
                }
                Less less {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ORDERED)
                        .casts_first(CastsFirst::Narrow).truth()
                }
                LessEqual less_equal {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ORDERED)
                        .casts_first(CastsFirst::Narrow).truth().opposite(Op::Less, true, BITS)
                }
                Greater greater {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ORDERED).truth().mirrors(Op::Less)
                }
                GreaterEqual greater_equal {
                    binary(ALL, &[COMPARED]).kernel(ALL).fused(ORDERED).truth().mirrors(Op::LessEqual)
                }
                Maximum maximum {
                    binary(ALL, &[]).kernel(ALL).fused(ORDERED).casts_first(CastsFirst::Always)
                        .commutes()
                }
                Minimum minimum {
                    binary(ALL, &[]).kernel(ALL).fused(ORDERED).casts_first(CastsFirst::Always)
                        .commutes()
                }
                FloorDivide floor_divide {
                    binary(ALL, &[SCALAR, BY_ZERO, ROUNDING, QUOTIENT]).kernel(REALS).steps()
                }
                DivideTrunc divide_trunc { binary(ALL, &[SCALAR, BY_ZERO]).kernel(REALS).steps() }
                Remainder remainder { binary(ALL, &[SCALAR, BY_ZERO, ZERO_SIGN]).kernel(NUMBERS).steps() }
                Fmod fmod { binary(ALL, &[SCALAR, BY_ZERO]).kernel(REALS) }
                Pow pow { binary(ALL, &[SCALAR, NEGATIVE_EXPONENT, OUT_OF_RANGE]).kernel(ALL).wide() }
                FloatPower float_power { binary(FIELDS, &[SCALAR]).kernel(FIELDS).wide() }
                Fmax fmax { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ORDERED).alike().commutes() }
                Fmin fmin { binary(ALL, &[OUT_OF_RANGE]).kernel(ALL).fused(ORDERED).alike().commutes() }
                ClampMin clamp_min { binary(ALL, &[]).fused(ORDERED).commutes() }
                Where where {
                    binary(ALL, &[]).fused(ALL).alike().signless()
                        .takes(const { &[given("condition", Takes::Truth)] })
                }
                LogicalAnd logical_and { binary(ALL, &[]).kernel(ALL).signless().commutes().truth() }
                LogicalOr logical_or { binary(ALL, &[]).kernel(ALL).signless().commutes().truth() }
                LogicalXor logical_xor { binary(ALL, &[]).kernel(ALL).signless().commutes().truth() }
                BitwiseAnd bitwise_and {
                    binary(ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes()
                }
                BitwiseOr bitwise_or {
                    binary(ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes()
                }
                BitwiseXor bitwise_xor {
                    binary(ALL, &[]).fused(BITS).casts_first(CastsFirst::Always).signless().commutes()
                }
                LeftShift left_shift { binary(ALL, &[COUNT]).kernel(INTEGERS) }
                RightShift right_shift { binary(ALL, &[COUNT]).kernel(INTEGERS) }
                Gcd gcd { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Lcm lcm { binary(ALL, &[]).kernel(INTEGERS).commutes() }
                Atan2 atan2 { binary(FIELDS, &[SCALAR]).kernel(FIELDS).wide() }
                Hypot hypot { binary(FIELDS, &[SCALAR]).kernel(FIELDS).commutes().wide() }
                Copysign copysign { binary(FIELDS, &[SCALAR]).kernel(FLOATS) }
                Nextafter nextafter { binary(FIELDS, &[]).kernel(FLOATS).steps_in_common() }
                Heaviside heaviside { binary(ALL, &[NAN]).kernel(ORDERED) }
                Logaddexp logaddexp { binary(FIELDS, &[]).kernel(FIELDS).commutes().wide() }
                Logaddexp2 logaddexp2 { binary(FIELDS, &[]).kernel(FIELDS).commutes().wide() }
                Xlogy xlogy { binary(FIELDS, &[SCALAR]).kernel(FLOATS).steps() }
                Ldexp ldexp { binary(NUMBERS, &[SCALAR, EXPONENT]).kernel(FIELDS).steps().wide() }
                Lerp lerp { binary(FIELDS, &[]).kernel(FIELDS).takes(const { &[given("weight", Takes::Weight)] }) }
                Addcmul addcmul {
                    binary(ALL, &[]).kernel(NUMBERS)
                        .takes(const { &[given("c", Takes::Operand), number("value", Takes::Number, 1.0)] })
                }
                L1Loss l1_loss { binary(NUMBERS, &[]).kernel(NUMBERS).steps().loss().part() }
                MseLoss mse_loss { binary(FIELDS, &[]).kernel(FIELDS).steps().loss() }
                HuberLoss huber_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .takes(const { &[number("delta", Takes::Positive, 1.0)] })
                }
                SmoothL1Loss smooth_l1_loss {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .takes(const { &[number("beta", Takes::NotNegative, 1.0)] })
                }
                PoissonNllLoss poisson_nll_loss {
                    binary(NUMBERS, &[]).kernel(FIELDS).steps().loss()
                        .takes(const { &[number("eps", Takes::NotNegative, 1e-8)] }).flags(&[LOG_INPUT, FULL])
                }
                BinaryCrossEntropy binary_cross_entropy {
                    binary(FIELDS, &[]).kernel(FLOATS).steps().loss()
                        .refuses("an operand is no probability")
                        .takes(const { &[number("weight", Takes::Weight, 1.0)] })
                }
                Negative negative { unary(ALL, &[]).fused(NUMBERS).signless() }
                Abs abs { unary(ALL, &[]).fused(ALL).part() }
                Sign sign { unary(ALL, &[NAN]).kernel(ALL).fused(ORDERED).wide() }
                Square square { unary(ALL, &[]).fused(ALL).signless() }
                Reciprocal reciprocal { unary(ALL, &[]).fused(FIELDS) }
                Sqrt sqrt { unary(FIELDS, &[]).kernel(FIELDS).fused(FLOATS).alike().wide() }
                Exp exp { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Expm1 expm1 { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Exp2 exp2 { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Log log { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Log1p log1p { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Log2 log2 { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Log10 log10 { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Sin sin { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Cos cos { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Tan tan { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Asin asin { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Acos acos { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Atan atan { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Sinh sinh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Cosh cosh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Tanh tanh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Asinh asinh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Acosh acosh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Atanh atanh { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Sigmoid sigmoid { unary(FIELDS, &[]).kernel(FIELDS).wide() }
                Floor floor { unary(ALL, &[]).fused(ORDERED) }
                Ceil ceil { unary(ALL, &[]).fused(ORDERED) }
                Trunc trunc { unary(ALL, &[]).fused(ORDERED) }
                Round round { unary(ALL, &[]).fused(ALL) }
                Isnan isnan { unary(ALL, &[]).fused(ALL).signless().truth() }
                Isinf isinf { unary(ALL, &[]).fused(ALL).signless().truth() }
                Isfinite isfinite { unary(ALL, &[]).fused(ALL).signless().truth() }
                LogicalNot logical_not { unary(ALL, &[]).fused(ALL).signless().truth() }
                BitwiseNot bitwise_not { unary(ALL, &[]).fused(BITS).signless() }
                Conj conj { unary(ALL, &[]).fused(ALL).signless() }
                Real real { unary(ALL, &[]).fused(ALL).signless().part() }
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

        /// How many ops have kernels.
        pub(crate) const WITH_KERNELS: usize = [$(stringify!($kernel)),*].len();
    };
    ($($variant:ident $name:ident { $info:expr })*) => {
        /// An operation on arrays: a standard or a custom one.
        ///
        /// Most are elementwise; `sum` to `logsumexp` reduce an array, or scan it (`cumsum`, `cumprod`);
        /// `dot` and `matmul` multiply arrays, `concatenate` and `stack` join them. One type for all rule
        /// sets; what an op computes in and what comes out is the rule set's business.
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

        /// What is known about each standard op, in the order of [`Op::index`].
        static CATALOGUE: &[OpInfo] = &[$($info),*];

        impl Op {
            /// Every standard op, in the order of [`Op::index`].
            pub const STANDARD: &'static [Op] = &[$(Op::$variant),*];

            /// The position of a standard op in [`Op::STANDARD`]; the length of that list for a custom op.
            #[inline]
            pub const fn index(self) -> usize {
                enum Index { $($variant,)* Custom }
                match self {
                    $(Op::$variant => Index::$variant as usize,)*
                    Op::Custom(_) => Index::Custom as usize,
                }
            }

            /// The canonical name, such as `add` or `less_equal`.
            #[inline]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Op::$variant => stringify!($name),)*
                    Op::Custom(custom) => custom.name,
                }
            }

            /// The name of the variant, such as `LessEqual`: that of the op's type, too.
            #[doc(hidden)]
            pub const fn variant(self) -> &'static str {
                match self {
                    $(Op::$variant => stringify!($variant),)*
                    Op::Custom(_) => "Custom",
                }
            }

            /// The number of operands that decide the op's dtype: 1 or 2, of a custom op up to
            /// [`CustomOp::MOST_INPUTS`], and 0 where
            /// nothing but its name is known ([`CustomOp::named`]). [`Op::extras`] are not counted.
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
    /// What is known about the op.
    #[inline]
    pub const fn info(self) -> &'static OpInfo {
        match self {
            Op::Custom(_) => OpInfo::CUSTOM,
            standard => &CATALOGUE[standard.index()],
        }
    }

    /// The inputs that the op takes beside the operands that decide its dtype, in the order of a call.
    pub const fn extras(self) -> &'static [Extra] {
        match &self.info().kernel {
            Some(kernel) => kernel.extras,
            None => &[],
        }
    }

    /// The largest number of inputs that a call of the op takes: its operands and its [`Op::extras`].
    pub const fn inputs(self) -> usize {
        self.arity() + self.extras().len()
    }

    /// The options that a call of the op chooses.
    pub const fn flags(self) -> &'static [SemanticOption] {
        match &self.info().kernel {
            Some(kernel) => kernel.flags,
            None => &[],
        }
    }

    /// Returns true for a loss, of which the mean and the sum can be asked for.
    pub const fn is_loss(self) -> bool {
        matches!(self.info().kernel, Some(KernelInfo { loss: true, .. }))
    }
}

impl OpInfo {
    /// What is known about every custom op: it computes in all kinds but bool, and has no options.
    pub const CUSTOM: &'static OpInfo = &unary(NUMBERS, &[]);

    const fn known(&self) -> KernelInfo {
        match self.kernel {
            Some(kernel) => kernel,
            None => panic!("an op without kernels"),
        }
    }

    const fn with(self, change: KernelInfo) -> OpInfo {
        OpInfo { kernel: Some(change), ..self }
    }

    /// Kernels compute in dtypes of these kinds.
    const fn kernel(self, kinds: &'static [NumberKind]) -> OpInfo {
        self.with(KernelInfo {
            kinds,
            gives: Gives::Same,
            commutes: false,
            mirror: None,
            opposite: None,
            fused: &[],
            alike: false,
            casts_first: CastsFirst::Rounded,
            signless: false,
            steps: false,
            in_common_dtype: false,
            wide: false,
            extras: &[],
            flags: &[],
            loss: false,
            refuses: None,
        })
    }

    /// In dtypes of these kinds each pair of dtypes has one loop, since the op costs no more than the
    /// conversion of its operands. Kernels compute in these kinds, unless [`OpInfo::kernel`] says otherwise.
    const fn fused(self, kinds: &'static [NumberKind]) -> OpInfo {
        let info = if self.kernel.is_some() { self } else { self.kernel(kinds) };
        info.with(KernelInfo { fused: kinds, ..info.known() })
    }

    /// The operands may be swapped.
    const fn commutes(self) -> OpInfo {
        self.with(KernelInfo { commutes: true, ..self.known() })
    }

    /// Only pairs of one dtype have a loop: others are so rare that their operands are cast in blocks first.
    const fn alike(self) -> OpInfo {
        self.with(KernelInfo { alike: true, ..self.known() })
    }

    /// In these pairs of two dtypes the operands are cast first.
    const fn casts_first(self, casts_first: CastsFirst) -> OpInfo {
        self.with(KernelInfo { casts_first, ..self.known() })
    }

    /// In integers the bits of the result do not depend on their sign.
    const fn signless(self) -> OpInfo {
        self.with(KernelInfo { signless: true, ..self.known() })
    }

    /// The kernels are those of another op, which get the operands swapped.
    const fn mirrors(self, op: Op) -> OpInfo {
        self.with(KernelInfo { mirror: Some(op), ..self.known() })
    }

    /// In dtypes of these kinds it holds where another comparison does not, which takes the operands the
    /// other way round if `swaps`.
    const fn opposite(self, of: Op, swaps: bool, kinds: &'static [NumberKind]) -> OpInfo {
        self.with(KernelInfo { opposite: Some(Opposite { of, swaps, kinds }), ..self.known() })
    }

    /// A bool comes out.
    const fn truth(self) -> OpInfo {
        self.with(KernelInfo { gives: Gives::Truth, ..self.known() })
    }

    /// A real number comes out of complex ones.
    const fn part(self) -> OpInfo {
        self.with(KernelInfo { gives: Gives::Part, ..self.known() })
    }

    /// The kernel of c64 is that of c128 with casts around it: the function is so long that it is compiled
    /// once.
    const fn wide(self) -> OpInfo {
        self.with(KernelInfo { wide: true, ..self.known() })
    }

    /// Kernels compute in the dtype to which the operands are converted.
    const fn steps_in_common(self) -> OpInfo {
        self.with(KernelInfo { in_common_dtype: true, ..self.known() })
    }

    /// It has several steps, each of which can be rounded to a narrow float.
    const fn steps(self) -> OpInfo {
        self.with(KernelInfo { steps: true, ..self.known() })
    }

    /// It takes these inputs beside its operands.
    const fn takes(self, extras: &'static [Extra]) -> OpInfo {
        self.with(KernelInfo { extras, ..self.known() })
    }

    /// A call chooses a value of each of these options.
    const fn flags(self, flags: &'static [SemanticOption]) -> OpInfo {
        self.with(KernelInfo { flags, ..self.known() })
    }

    /// Such operands are an error of the whole call.
    const fn refuses(self, operands: &'static str) -> OpInfo {
        self.with(KernelInfo { refuses: Some(operands), ..self.known() })
    }

    /// It is a loss: it can be reduced to its mean or its sum.
    const fn loss(self) -> OpInfo {
        self.with(KernelInfo { loss: true, ..self.known() })
    }
}

impl OpInfo {
    /// The options that a rule file can choose for the op.
    pub fn options(&self) -> impl Iterator<Item = &'static SemanticOption> + use<> {
        const OF_TWO: &[SemanticOption] = &[NUMBER];
        let own = self.semantics.iter().any(|option| option.name == NUMBER.name);
        let of_two = if self.arity == 2 && !own { OF_TWO } else { &[] };
        self.semantics.iter().chain(of_two)
    }

    /// Returns true if its kernels compute in the dtype to which the operands are converted.
    pub fn in_common_dtype(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.in_common_dtype)
    }

    /// Returns true if a bool comes out, whatever the op computes in.
    pub fn gives_bool(&self) -> bool {
        self.kernel.is_some_and(|kernel| kernel.gives == Gives::Truth)
    }

    /// Returns true if there are kernels that compute it in a standard dtype.
    pub fn is_computed_in(&self, compute: DType) -> bool {
        self.kernel.is_some_and(|kernel| kernel.is_computed_in(compute))
    }
}

fn has(kinds: &[NumberKind], dtype: DType) -> bool {
    NumberKind::of(dtype).is_some_and(|kind| kinds.contains(&kind))
}

impl KernelInfo {
    /// Returns true if a pair with this dtype is worth a loop. An 8-bit float is not: converting it takes so
    /// long that a call in blocks is as fast, and with two of them even faster.
    pub fn has_loops(dtype: DType) -> bool {
        !(matches!(dtype.kind(), Kind::Float) && dtype.bits() <= 8)
    }

    /// Returns true if pairs that are computed in a standard dtype have a loop of their own; `alike` says
    /// whether both operands are of their common dtype.
    pub fn is_fused(&self, compute: DType, alike: bool) -> bool {
        has(self.fused, compute) && (alike || !self.alike)
    }

    /// Returns true if operands of two standard dtypes are cast to their common one before.
    pub fn casts_first(&self, operands: [DType; 2], common: DType) -> bool {
        use NumberKind as K;
        let kind = |dtype| NumberKind::of(dtype).unwrap_or(K::Float);
        let rounds = operands.iter().any(|operand| !common.holds(*operand));
        let narrow = operands.iter().any(|operand| operand.register() != *operand);
        let kinds = operands.map(kind);
        let whole = kinds.map(|kind| matches!(kind, K::Bool | K::Int));
        let least = match kind(common) {
            K::Float if common == DType::F16 && rounds => CastsFirst::Rounded,
            K::Float if common == DType::BF16 && rounds => CastsFirst::Rare,
            K::Complex if narrow || whole.contains(&true) => CastsFirst::Rare,
            _ if whole == [true; 2] && !operands.contains(&common) => CastsFirst::Rare,
            _ if narrow || kinds.contains(&K::Bool) => CastsFirst::Narrow,
            _ => CastsFirst::Always,
        };
        operands[0] != operands[1] && self.casts_first >= least
    }

    /// The dtype whose kernel, with casts around it, is that of a standard dtype.
    pub fn widened(&self, dtype: DType) -> Option<DType> {
        (self.wide && dtype == DType::C64).then_some(DType::C128)
    }

    /// Returns true if the kernels choose between the operands by a condition, and compute nothing.
    pub fn chooses(&self) -> bool {
        self.extras.iter().any(|extra| extra.takes == Takes::Truth)
    }

    /// Returns true if they compute in a standard dtype. In a narrow float that means that each step is
    /// rounded to it.
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

/// The error for a name that is not one of a standard op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOp;

impl fmt::Display for UnknownOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no standard op has this name; they are")?;
        for (i, op) in Op::STANDARD.iter().enumerate() {
            write!(f, "{} {op}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownOp {}

impl FromStr for Op {
    type Err = UnknownOp;

    /// Reads a canonical name.
    ///
    /// ```
    /// # use promote_core::Op;
    /// assert_eq!("less_equal".parse(), Ok(Op::LessEqual));
    /// assert!("<=".parse::<Op>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownOp> {
        Op::STANDARD.iter().copied().find(|op| op.name() == name).ok_or(UnknownOp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_positions_read_back_as_their_op() {
        for (i, &op) in Op::STANDARD.iter().enumerate() {
            assert_eq!(op.name().parse(), Ok(op));
            assert_eq!(op.index(), i);
        }
    }

    #[test]
    fn the_ops_with_kernels_come_first() {
        for (i, &op) in Op::STANDARD.iter().enumerate() {
            assert_eq!(op.info().kernel.is_some(), i < WITH_KERNELS, "{op}");
        }
    }

    #[test]
    fn options_have_a_default_without_a_bit() {
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
