//! The options of an op that a rule file or a call chooses, where systems differ in what an op computes.
//!
//! A value that changes what kernels or casts compute has a bit. The default of an option, which is its first
//! value, has none. Neither have values that affect only promotion and dispatch.

/// An option of an op, with the values to choose from.
#[derive(Debug)]
pub struct SemanticOption {
    /// The name, as rule files spell it.
    pub name: &'static str,
    /// The values, each with its bit or 0; the first is the default.
    pub values: &'static [(&'static str, u16)],
}

impl SemanticOption {
    /// Returns the bit of a value, or 0 if it has none.
    pub fn bit(&self, value: &str) -> u16 {
        self.values.iter().find(|known| known.0 == value).map_or(0, |known| known.1)
    }
}

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident)*) => {
        enum Position { $(#[allow(non_camel_case_types, clippy::upper_case_acronyms)] $name),* }
        $($(#[$doc])* pub const $name: u16 = 1 << Position::$name as u16;)*

        /// The name of each bit.
        pub(crate) const BITS: &[(&str, u16)] = &[$((stringify!($name), $name)),*];
    };
}

bits! {
    /// `overflow: saturate`
    OVERFLOW_SATURATE
    /// `by_zero: zero`
    BY_ZERO_ZERO
    /// `by_zero: ones`
    BY_ZERO_ONES
    /// `rounding: truncate`
    ROUNDING_TRUNCATE
    /// `rounding: truncate_integers`
    ROUNDING_TRUNCATE_INTEGERS
    /// `quotient: rounded`
    QUOTIENT_ROUNDED
    /// `count: clamped`
    COUNT_CLAMPED
    /// `zero_sign: divisor`
    ZERO_SIGN_DIVISOR
    /// `negative_exponent: error`
    NEGATIVE_EXPONENT_ERROR
    /// `nan: zero`
    NAN_ZERO
    /// `out_of_range: x86`
    OUT_OF_RANGE_X86
    /// `out_of_range: x86_clamped`
    OUT_OF_RANGE_X86_CLAMPED
    /// `log_input: false`, which a call chooses.
    LOG_INPUT_FALSE
    /// `full: true`, which a call chooses.
    FULL_TRUE
    /// `exponent: wraps`
    EXPONENT_WRAPS
    /// `exponent: power`
    EXPONENT_POWER
}

/// `nan: greatest`. Options of different ops can share a bit, and there is none left.
pub const NAN_GREATEST: u16 = NAN_ZERO;
/// `count: wraps`, which shares a bit with an option of `ldexp`.
pub const COUNT_WRAPS: u16 = EXPONENT_WRAPS;
/// `negative: exact`, for a left operand that has a sign. It shares a bit with an option of `floor_divide`.
pub const SIGNED_LEFT: u16 = BY_ZERO_ZERO;
/// `negative: exact`, for a right operand that has a sign. It shares a bit with an option of `floor_divide`.
pub const SIGNED_RIGHT: u16 = BY_ZERO_ONES;

/// Returns the names of the bits that are set, such as `OVERFLOW_SATURATE`.
pub fn names(bits: u16) -> impl Iterator<Item = &'static str> {
    BITS.iter().filter(move |(_, bit)| bits & bit != 0).map(|(name, _)| *name)
}

const fn option(name: &'static str, values: &'static [(&'static str, u16)]) -> SemanticOption {
    SemanticOption { name, values }
}

/// The dtype that a scalar operand is converted to: the common dtype, or the compute dtype if it is the right
/// operand.
pub const RIGHT_SCALAR: SemanticOption =
    option("right_scalar", &[(RightScalar::Rounded.name(), 0), (RightScalar::Opmath.name(), 0)]);

/// The result of overflow in a float format without infinity.
pub const OVERFLOW: SemanticOption = option("overflow", &[("nan", 0), ("saturate", OVERFLOW_SATURATE)]);

/// The result of dividing an integer by zero: an error of the whole call, 0, or the integer whose bits are
/// all 1.
pub const BY_ZERO: SemanticOption =
    option("by_zero", &[("error", 0), ("zero", BY_ZERO_ZERO), ("ones", BY_ZERO_ONES)]);

/// The rounding of `divide` for integers: none, which divides them as floats, down, or towards zero.
/// Quotients of floats are never rounded to integers.
pub const WHOLE_QUOTIENT: SemanticOption =
    option("rounding", &[("none", 0), ("floor", 0), ("truncate", ROUNDING_TRUNCATE)]);

/// The rounding of a quotient: down, towards zero, or towards zero for integers and down for floats.
pub const ROUNDING: SemanticOption = option(
    "rounding",
    &[("floor", 0), ("truncate", ROUNDING_TRUNCATE), ("truncate_integers", ROUNDING_TRUNCATE_INTEGERS)],
);

/// The float quotient that is rounded down, and from which a remainder is computed: the exact one, or the one
/// that the division has already rounded to the format.
pub const QUOTIENT: SemanticOption = option("quotient", &[("exact", 0), ("rounded", QUOTIENT_ROUNDED)]);

/// The result of a shift by a negative count, or by at least the width: every bit is shifted out, the count
/// is clamped to the range, or it wraps around at the width.
pub const COUNT: SemanticOption =
    option("count", &[("any", 0), ("clamped", COUNT_CLAMPED), ("wraps", COUNT_WRAPS)]);

/// The operand whose sign a float remainder of zero has.
pub const ZERO_SIGN: SemanticOption = option("zero_sign", &[("dividend", 0), ("divisor", ZERO_SIGN_DIVISOR)]);

/// The result of an integer to a negative power: the quotient 1 / a^-b rounded towards zero, an error of the
/// whole call, or an error only if the exponent is a number.
pub const NEGATIVE_EXPONENT: SemanticOption =
    option("negative_exponent", &[("truncate", 0), ("error", NEGATIVE_EXPONENT_ERROR), ("number_error", 0)]);

/// The computation of `ldexp` with an integer exponent.
///
/// `exact` scales with one rounding. `wraps` scales floats by the low 32 bits of the exponent, and multiplies
/// other operands by a power of two, which is itself rounded. `power` always multiplies.
pub const EXPONENT: SemanticOption =
    option("exponent", &[("exact", 0), ("wraps", EXPONENT_WRAPS), ("power", EXPONENT_POWER)]);

/// The place of NaN in the order of the reals: it has none, and every comparison but `not_equal` is false; or
/// it equals itself, and is greater than all other numbers.
pub const NAN_ORDER: SemanticOption = option("nan", &[("unordered", 0), ("greatest", NAN_GREATEST)]);

/// The treatment of a negative integer that is compared with an unsigned one in an unsigned dtype: it wraps
/// around, or it is less than every unsigned integer.
pub const NEGATIVE: SemanticOption =
    option("negative", &[("wraps", 0), ("exact", SIGNED_LEFT | SIGNED_RIGHT)]);

/// The result of a step function for NaN.
pub const NAN: SemanticOption = option("nan", &[("propagate", 0), ("zero", NAN_ZERO)]);

/// The integer that an out-of-range float, an infinity or NaN is cast to.
///
/// `saturate` gives the nearest end of the range, and 0 for NaN. `x86` gives the result of the x86-64
/// instruction; for integers below 32 bits, that is the low bits of an `i32`. `x86_clamped` clamps that `i32`
/// to the range instead.
pub const OUT_OF_RANGE: SemanticOption = option(
    "out_of_range",
    &[("saturate", 0), ("x86", OUT_OF_RANGE_X86), ("x86_clamped", OUT_OF_RANGE_X86_CLAMPED)],
);

/// What `std` and `var` take from the number of elements before they divide by it: nothing, for the variance
/// of these elements, or one, for an estimate of the variance of all elements of which these are a sample. A
/// call can name another number.
pub const CORRECTION: SemanticOption = option("correction", &[("none", 0), ("one", 0)]);

/// The median of an even number of elements: the mean of the two in the middle, or the lower one of them.
pub const MIDDLE: SemanticOption = option("middle", &[("mean", 0), ("lower", 0)]);

/// The treatment of an integer number that does not fit the dtype of the other operand. Every op of two
/// operands has this option.
pub const NUMBER: SemanticOption =
    option("number", &[(NumberOverflow::Wraps.name(), 0), (NumberOverflow::Error.name(), 0)]);

/// The option [`NUMBER`] of comparisons, which can also compare such a number exactly.
pub const COMPARED: SemanticOption = option(
    "number",
    &[
        (NumberOverflow::Wraps.name(), 0),
        (NumberOverflow::Error.name(), 0),
        (NumberOverflow::Exact.name(), 0),
    ],
);

/// Says whether the input of a loss is the logarithm of the prediction. A call chooses it.
pub const LOG_INPUT: SemanticOption = option("log_input", &[("true", 0), ("false", LOG_INPUT_FALSE)]);

/// Says whether a loss includes the term that depends on the target alone. A call chooses it.
pub const FULL: SemanticOption = option("full", &[("false", 0), ("true", FULL_TRUE)]);

/// The conversion of a scalar operand before an op: the values of [`RIGHT_SCALAR`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightScalar {
    /// The operand is rounded to the common dtype.
    Rounded,
    /// The right operand is converted to the compute dtype, the left one is rounded to the common dtype.
    Opmath,
}

impl RightScalar {
    /// All values.
    pub const ALL: &'static [RightScalar] = &[RightScalar::Rounded, RightScalar::Opmath];

    /// Returns the value as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            RightScalar::Rounded => "rounded",
            RightScalar::Opmath => "opmath",
        }
    }

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<RightScalar> {
        RightScalar::ALL.iter().copied().find(|value| value.name() == name)
    }
}

/// The treatment of an integer number that does not fit the dtype of the other operand: the values of
/// [`NUMBER`] and [`COMPARED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOverflow {
    /// The number wraps around: its low bits remain.
    Wraps,
    /// The call is refused.
    Error,
    /// The number is compared exactly. Only comparisons have this value.
    Exact,
}

impl NumberOverflow {
    /// All values.
    pub const ALL: &'static [NumberOverflow] =
        &[NumberOverflow::Wraps, NumberOverflow::Error, NumberOverflow::Exact];

    /// Returns the value as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            NumberOverflow::Wraps => "wraps",
            NumberOverflow::Error => "error",
            NumberOverflow::Exact => "exact",
        }
    }

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<NumberOverflow> {
        NumberOverflow::ALL.iter().copied().find(|value| value.name() == name)
    }
}
