//! The one [`Op`] of all rule sets, the ops as types, and what rule sets say of them as types (`typed`).

mod typed;

use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

#[cfg(feature = "kernels")]
pub(crate) use self::typed::narrowed;
pub use self::typed::{
    Compute, ComputeExtended, ComputeJoined, ComputeScaled, ComputeUnary, Gives, OpKernel, OpMap, OpRow,
    OpRule, UnaryRule, choose,
};
pub(crate) use self::typed::{LaneOf, lane, operand, result};
use crate::DType;
use crate::kernel::ops::words;

/// What the library knows of an op that is not a standard one: a kernel of a user's own.
///
/// Two custom ops are equal when they are the same `static`: equality is by address.
pub struct CustomOp {
    name: &'static str,
    arity: usize,
    like: Option<Op>,
    #[cfg(feature = "kernels")]
    kernels: &'static [crate::kernel::UserEntry],
}

// As of a dtype: its kernels are addresses.
impl fmt::Debug for CustomOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} inputs", self.name, self.arity)
    }
}

impl CustomOp {
    /// An op of a name, as the rule file spells it, and of that many operands. All of them together decide
    /// its dtypes, by what they promote to: as the op `like` has them; if there is none, as the rule set says
    /// that names the op.
    pub const fn new(name: &'static str, arity: usize, like: Option<Op>) -> CustomOp {
        CustomOp {
            name,
            arity,
            like,
            #[cfg(feature = "kernels")]
            kernels: &[],
        }
    }

    /// An op that is known by its name alone, from a rule file that was read at run time: it takes any number
    /// of operands, and has no kernels.
    pub const fn named(name: &'static str) -> CustomOp {
        CustomOp::new(name, 0, None)
    }

    /// The same with kernels, one for each dtype that it computes in.
    ///
    /// # Panics
    ///
    /// When one takes another number of inputs; in a `static` that is a compile error.
    #[cfg(feature = "kernels")]
    #[must_use]
    pub const fn with_kernels(self, kernels: &'static [crate::kernel::UserEntry]) -> CustomOp {
        let mut i = 0;
        while i < kernels.len() {
            assert!(kernels[i].inputs() == self.arity, "a kernel of another number of inputs");
            i += 1;
        }
        CustomOp { kernels, ..self }
    }

    /// The canonical name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The op whose dtypes it has; none where rule sets name it.
    pub const fn like(&self) -> Option<Op> {
        self.like
    }

    /// Its kernels.
    #[cfg(feature = "kernels")]
    pub(crate) const fn kernels(&self) -> &'static [crate::kernel::UserEntry] {
        self.kernels
    }
}

/// An input that an op takes beside the operands that decide its dtype.
///
/// In a call a condition stands before the operands, and all else behind them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extra {
    /// The name of the parameter, as PyTorch has it.
    pub name: &'static str,
    /// What is taken.
    pub takes: Takes,
    /// What holds where it is left out.
    pub default: Option<f64>,
}

/// What an op takes as an [`Extra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// A bool for each place, or for all.
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
    /// What is wrong with a number here, if anything is.
    ///
    /// ```
    /// # use promote_runtime::op::Takes;
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

impl Op {
    /// What the op takes beside the operands that decide its dtype, in the order in which a call has it.
    pub const fn extras(self) -> &'static [Extra] {
        const fn number(name: &'static str, takes: Takes, default: f64) -> Extra {
            Extra { name, takes, default: Some(default) }
        }
        const fn given(name: &'static str, takes: Takes) -> Extra {
            Extra { name, takes, default: None }
        }
        match self {
            Op::Where => const { &[given("condition", Takes::Truth)] },
            Op::Lerp => const { &[given("weight", Takes::Weight)] },
            Op::Addcmul => const { &[given("c", Takes::Operand), number("value", Takes::Number, 1.0)] },
            Op::HuberLoss => const { &[number("delta", Takes::Positive, 1.0)] },
            Op::SmoothL1Loss => const { &[number("beta", Takes::NotNegative, 1.0)] },
            Op::PoissonNllLoss => const { &[number("eps", Takes::NotNegative, 1e-8)] },
            Op::BinaryCrossEntropy => const { &[number("weight", Takes::Weight, 1.0)] },
            _ => &[],
        }
    }

    /// The names of the [`Flags`] that the op looks at.
    pub const fn flags(self) -> &'static [&'static str] {
        match self {
            Op::PoissonNllLoss => &["log_input", "full"],
            _ => &[],
        }
    }

    /// Whether the op is a loss, of which the mean and the sum can be asked for.
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            Op::L1Loss
                | Op::MseLoss
                | Op::HuberLoss
                | Op::SmoothL1Loss
                | Op::PoissonNllLoss
                | Op::BinaryCrossEntropy
        )
    }
}

/// What a call chooses of an op, where a rule file chooses nothing. Each op looks at its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Whether the input of `poisson_nll_loss` is the logarithm of the expected number.
    pub log_input: bool,
    /// Whether `poisson_nll_loss` adds Stirling's formula for the logarithm of the factorial.
    pub full: bool,
}

impl Default for Flags {
    /// PyTorch's: `log_input` is true, and `full` is false.
    fn default() -> Self {
        Flags { log_input: true, full: false }
    }
}

impl Flags {
    /// Sets the flag of a name; of an unknown one, nothing.
    pub fn set(&mut self, name: &str, value: bool) {
        match name {
            "log_input" => self.log_input = value,
            "full" => self.full = value,
            _ => {}
        }
    }

    /// The same as [`words`] of an op that looks at them.
    pub(crate) const fn words(self, op: Op) -> u16 {
        if op.flags().is_empty() {
            return 0;
        }
        let log = if self.log_input { 0 } else { words::LOG_INPUT_FALSE };
        log | if self.full { words::FULL_TRUE } else { 0 }
    }
}

/// What becomes of the elements of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum; of none, 0.
    Sum,
    /// Their sum divided by how many they are; of none, NaN.
    Mean,
}

/// An op as a type, for rule sets at the type level.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "the type of an op stands here",
    note = "`#[kernel(named)]` on a function makes one that a rule file can name"
)]
pub trait OpType {
    /// The op.
    const OP: Op;
}

macro_rules! standard {
    ($($variant:ident $name:literal $arity:literal)*) => {
        /// An operation on arrays: a standard one, or one of a user's own.
        ///
        /// Most are elementwise; `sum` to `logsumexp` reduce an array, or scan it (`cumsum`, `cumprod`);
        /// `dot` and `matmul` multiply arrays, `concatenate` and `stack` join them. One type for all rule
        /// sets; what an op computes in and what comes out is the rule set's business.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Op {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )*
            /// An op of a user's own.
            Custom(&'static CustomOp),
        }

        impl Op {
            /// Every standard op, in the order of [`Op::index`].
            pub const STANDARD: &'static [Op] = &[$(Op::$variant),*];

            /// The position of a standard op in [`Op::STANDARD`]; the length of that list for a custom one.
            #[inline]
            pub const fn index(self) -> usize {
                enum Index { $($variant,)* Custom }
                match self {
                    $(Op::$variant => Index::$variant as usize,)*
                    Op::Custom(_) => Index::Custom as usize,
                }
            }

            /// The canonical name, such as `add` or `less_equal`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Op::$variant => $name,)*
                    Op::Custom(custom) => custom.name,
                }
            }

            /// How many operands decide the op's dtype: 1 or 2, of a custom one up to 4, and 0 where nothing
            /// but its name is known ([`CustomOp::named`]). What it takes besides, [`Op::extras`] says.
            pub const fn arity(self) -> usize {
                match self {
                    $(Op::$variant => $arity,)*
                    Op::Custom(custom) => custom.arity,
                }
            }

            /// How many inputs a call of the op takes at most: its operands and its [`Op::extras`].
            pub const fn inputs(self) -> usize {
                self.arity() + self.extras().len()
            }
        }

        $(
            #[doc = concat!("The op `", $name, "` as a type.")]
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $variant;

            impl OpType for $variant {
                const OP: Op = Op::$variant;
            }
        )*
    };
}

standard! {
    Add "add" 2
    Subtract "subtract" 2
    Multiply "multiply" 2
    Divide "divide" 2
    Equal "equal" 2
    NotEqual "not_equal" 2
    Less "less" 2
    LessEqual "less_equal" 2
    Greater "greater" 2
    GreaterEqual "greater_equal" 2
    Maximum "maximum" 2
    Minimum "minimum" 2
    FloorDivide "floor_divide" 2
    DivideTrunc "divide_trunc" 2
    Remainder "remainder" 2
    Fmod "fmod" 2
    Pow "pow" 2
    FloatPower "float_power" 2
    Fmax "fmax" 2
    Fmin "fmin" 2
    ClampMin "clamp_min" 2
    Where "where" 2
    LogicalAnd "logical_and" 2
    LogicalOr "logical_or" 2
    LogicalXor "logical_xor" 2
    BitwiseAnd "bitwise_and" 2
    BitwiseOr "bitwise_or" 2
    BitwiseXor "bitwise_xor" 2
    LeftShift "left_shift" 2
    RightShift "right_shift" 2
    Gcd "gcd" 2
    Lcm "lcm" 2
    Atan2 "atan2" 2
    Hypot "hypot" 2
    Copysign "copysign" 2
    Nextafter "nextafter" 2
    Heaviside "heaviside" 2
    Logaddexp "logaddexp" 2
    Logaddexp2 "logaddexp2" 2
    Xlogy "xlogy" 2
    Ldexp "ldexp" 2
    Lerp "lerp" 2
    Addcmul "addcmul" 2
    L1Loss "l1_loss" 2
    MseLoss "mse_loss" 2
    HuberLoss "huber_loss" 2
    SmoothL1Loss "smooth_l1_loss" 2
    PoissonNllLoss "poisson_nll_loss" 2
    BinaryCrossEntropy "binary_cross_entropy" 2
    Dot "dot" 2
    Matmul "matmul" 2
    Concatenate "concatenate" 2
    Stack "stack" 2
    Isin "isin" 2
    Negative "negative" 1
    Abs "abs" 1
    Sign "sign" 1
    Square "square" 1
    Reciprocal "reciprocal" 1
    Sqrt "sqrt" 1
    Exp "exp" 1
    Expm1 "expm1" 1
    Exp2 "exp2" 1
    Log "log" 1
    Log1p "log1p" 1
    Log2 "log2" 1
    Log10 "log10" 1
    Sin "sin" 1
    Cos "cos" 1
    Tan "tan" 1
    Asin "asin" 1
    Acos "acos" 1
    Atan "atan" 1
    Sinh "sinh" 1
    Cosh "cosh" 1
    Tanh "tanh" 1
    Asinh "asinh" 1
    Acosh "acosh" 1
    Atanh "atanh" 1
    Sigmoid "sigmoid" 1
    Floor "floor" 1
    Ceil "ceil" 1
    Trunc "trunc" 1
    Round "round" 1
    Isnan "isnan" 1
    Isinf "isinf" 1
    Isfinite "isfinite" 1
    LogicalNot "logical_not" 1
    BitwiseNot "bitwise_not" 1
    Conj "conj" 1
    Real "real" 1
    Imag "imag" 1
    Angle "angle" 1
    Astype "astype" 1
    Sum "sum" 1
    Prod "prod" 1
    Mean "mean" 1
    Std "std" 1
    Var "var" 1
    Cumsum "cumsum" 1
    Cumprod "cumprod" 1
    Max "max" 1
    Min "min" 1
    Amax "amax" 1
    Amin "amin" 1
    Any "any" 1
    All "all" 1
    Argmax "argmax" 1
    Argmin "argmin" 1
    Median "median" 1
    Nansum "nansum" 1
    Norm "norm" 1
    Logsumexp "logsumexp" 1
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

/// A name that is no standard op's.
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
    /// # use promote_runtime::Op;
    /// assert_eq!("less_equal".parse(), Ok(Op::LessEqual));
    /// assert!("<=".parse::<Op>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownOp> {
        Op::STANDARD.iter().copied().find(|op| op.name() == name).ok_or(UnknownOp)
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

impl DType {
    /// The dtype in which elements of this one are computed in registers: `f32` for f16, bf16 and f8, c64 for
    /// c32, else itself.
    #[must_use]
    #[inline]
    pub const fn register(self) -> DType {
        match self {
            DType::F16 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2 => DType::F32,
            DType::C32 => DType::C64,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_its_op_and_an_index_as_its_place() {
        for (i, &op) in Op::STANDARD.iter().enumerate() {
            assert_eq!(op.name().parse(), Ok(op));
            assert_eq!(op.index(), i);
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
