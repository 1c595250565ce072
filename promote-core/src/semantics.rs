//! The options of an op that a rule file or a call chooses, where systems differ in what an op computes.
//!
//! A value that changes what kernels or casts compute has a bit. Other values have none: the first of an
//! option, which holds if a file says nothing, and those that only promotion and dispatch look at.

use crate::table::{NumberEntry, ScalarEntry};

/// A choice between the values of an option.
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
    /// `log_input: false`, of a call.
    LOG_INPUT_FALSE
    /// `full: true`, of a call.
    FULL_TRUE
    /// `exponent: wraps`
    EXPONENT_WRAPS
    /// `exponent: power`
    EXPONENT_POWER
}

/// Returns the names of the bits that are set, such as `OVERFLOW_SATURATE`.
pub fn names(bits: u16) -> impl Iterator<Item = &'static str> {
    BITS.iter().filter(move |(_, bit)| bits & bit != 0).map(|(name, _)| *name)
}

const fn option(name: &'static str, values: &'static [(&'static str, u16)]) -> SemanticOption {
    SemanticOption { name, values }
}

/// How a scalar operand enters: rounded to the common dtype, or, if it is the right operand, in the dtype in
/// which the op computes.
pub const SCALAR: SemanticOption =
    option("scalar", &[(ScalarEntry::Rounded.name(), 0), (ScalarEntry::OpmathRight.name(), 0)]);

/// What overflow gives in a float format without infinity.
pub const OVERFLOW: SemanticOption = option("overflow", &[("nan", 0), ("saturate", OVERFLOW_SATURATE)]);

/// What an integer divided by zero is: an error of the whole call, 0, or the integer of which every bit is 1.
pub const BY_ZERO: SemanticOption =
    option("by_zero", &[("error", 0), ("zero", BY_ZERO_ZERO), ("ones", BY_ZERO_ONES)]);

/// Whether `divide` is integer division of integers, and how it then rounds the quotient: not at all, down,
/// or towards zero. Quotients of floats are never rounded to whole numbers.
pub const WHOLE_QUOTIENT: SemanticOption =
    option("rounding", &[("none", 0), ("floor", 0), ("truncate", ROUNDING_TRUNCATE)]);

/// Whether a quotient is rounded down or towards zero, or that of integers towards zero and that of floats
/// down.
pub const ROUNDING: SemanticOption = option(
    "rounding",
    &[("floor", 0), ("truncate", ROUNDING_TRUNCATE), ("truncate_integers", ROUNDING_TRUNCATE_INTEGERS)],
);

/// Which float quotient is rounded down: the exact one, which is made of the remainder, or the one that the
/// division has already rounded to the format.
pub const QUOTIENT: SemanticOption = option("quotient", &[("exact", 0), ("rounded", QUOTIENT_ROUNDED)]);

/// What a shift by less than 0 or by at least the width is: one that shifts every bit out, or one by the
/// nearest count that is in range.
pub const COUNT: SemanticOption = option("count", &[("any", 0), ("clamped", COUNT_CLAMPED)]);

/// Whose sign a remainder of zero has, among floats.
pub const ZERO_SIGN: SemanticOption = option("zero_sign", &[("dividend", 0), ("divisor", ZERO_SIGN_DIVISOR)]);

/// What an integer to a negative power is: the quotient 1 / a^-b rounded towards zero, an error of the whole
/// call, or an error where a number is the exponent and that quotient elsewhere.
pub const NEGATIVE_EXPONENT: SemanticOption =
    option("negative_exponent", &[("truncate", 0), ("error", NEGATIVE_EXPONENT_ERROR), ("number_error", 0)]);

/// What a whole exponent scales by: all of it, with one rounding; or its low 32 bits, and only floats, while
/// all else is a product with a power of two, which is rounded itself; or such a product always.
pub const EXPONENT: SemanticOption =
    option("exponent", &[("exact", 0), ("wraps", EXPONENT_WRAPS), ("power", EXPONENT_POWER)]);

/// What a step function makes of NaN.
pub const NAN: SemanticOption = option("nan", &[("propagate", 0), ("zero", NAN_ZERO)]);

/// What an integer dtype takes of a float beyond its range, of infinities and of NaN: its nearest end and 0,
/// or what the conversion of an x86-64 processor leaves. For integers below 32 bits that is an `i32`, of
/// which the low bits remain or, clamped, the nearest end.
pub const OUT_OF_RANGE: SemanticOption = option(
    "out_of_range",
    &[("saturate", 0), ("x86", OUT_OF_RANGE_X86), ("x86_clamped", OUT_OF_RANGE_X86_CLAMPED)],
);

/// What becomes of an integer number that does not fit the integer dtype it enters: its low bits, or an
/// error. Every op of two operands has this option.
pub const NUMBER: SemanticOption =
    option("number", &[(NumberEntry::Wraps.name(), 0), (NumberEntry::Error.name(), 0)]);

/// [`NUMBER`] of comparisons, which have an answer for such a number, too: it lies beyond all that the dtype
/// holds.
pub const COMPARED: SemanticOption = option(
    "number",
    &[(NumberEntry::Wraps.name(), 0), (NumberEntry::Error.name(), 0), (NumberEntry::Exact.name(), 0)],
);

/// Whether an input is the logarithm of what is meant. A call chooses it.
pub const LOG_INPUT: SemanticOption = option("log_input", &[("true", 0), ("false", LOG_INPUT_FALSE)]);

/// Whether a term that depends on the target alone is added. A call chooses it.
pub const FULL: SemanticOption = option("full", &[("false", 0), ("true", FULL_TRUE)]);
