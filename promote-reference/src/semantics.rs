//! The options of an op's semantics, read once.

use promote_runtime::{Op, RuleSet};

/// The result of dividing an integer by zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ByZero {
    /// An error of the whole call.
    Error,
    /// 0.
    Zero,
    /// The integer whose bits are all 1.
    Ones,
}

/// The integer that a float out of range is cast to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OutOfRange {
    /// The nearest end of the range, and 0 for NaN.
    Saturate,
    /// The result of the x86-64 instruction; for integers below 32 bits the low bits of an `i32`.
    X86,
    /// The result of the x86-64 instruction; for integers below 32 bits the `i32` clamped to the range.
    X86Clamped,
}

/// The values that a rule set chose for an op's options, with the default for options that the op does not
/// have.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each stands for a choice of two values")]
pub(crate) struct Semantics {
    /// `right_scalar: opmath`: a scalar on the right is converted to the compute dtype.
    pub(crate) right_scalar_stays: bool,
    /// `number: exact`: an integer number is compared exactly.
    pub(crate) exact_number: bool,
    /// `negative: exact`: integers are compared exactly in an unsigned dtype.
    pub(crate) exact_negative: bool,
    /// `overflow: saturate`: a format without infinity overflows to its greatest value.
    pub(crate) saturate: bool,
    /// `by_zero`
    pub(crate) by_zero: ByZero,
    /// `rounding: truncate`: a quotient is rounded towards zero.
    pub(crate) truncate: bool,
    /// `rounding: truncate_integers`: a quotient of integers is rounded towards zero, one of floats down.
    pub(crate) truncate_integers: bool,
    /// `quotient: rounded`: a float quotient is rounded to its format before it is rounded down, also for a
    /// remainder.
    pub(crate) rounded_quotient: bool,
    /// `count: clamped`: the count of a shift is clamped to the range from 0 to the width less 1.
    pub(crate) clamped_count: bool,
    /// `count: wraps`: the count of a shift counts modulo the width.
    pub(crate) wrapped_count: bool,
    /// `nan: greatest`: NaN equals itself and is greater than every other number.
    pub(crate) nan_is_greatest: bool,
    /// `zero_sign: divisor`: a remainder of zero has the divisor's sign.
    pub(crate) sign_of_divisor: bool,
    /// `negative_exponent: error`: an integer to a negative power is an error.
    pub(crate) no_negative_exponent: bool,
    /// `negative_exponent: number_error`: an integer to a negative power is an error if the exponent is a
    /// number.
    pub(crate) no_negative_number: bool,
    /// `nan: zero`: a step function returns 0 for NaN.
    pub(crate) nan_is_zero: bool,
    /// `exponent: wraps`: floats are scaled by the low 32 bits of an integer exponent, other operands
    /// multiplied by a power.
    pub(crate) low_exponent: bool,
    /// `exponent: power`: all operands are multiplied by a power.
    pub(crate) power_of_two: bool,
    /// `correction: one`: a variance divides by the number of elements less one.
    pub(crate) corrected: bool,
    /// `middle: lower`: the median is the lower one of the two elements in the middle.
    pub(crate) lower_middle: bool,
    /// `out_of_range`
    pub(crate) out_of_range: OutOfRange,
}

impl Semantics {
    /// The default of every option.
    pub(crate) const PLAIN: Semantics = Semantics {
        right_scalar_stays: false,
        exact_number: false,
        exact_negative: false,
        saturate: false,
        by_zero: ByZero::Error,
        truncate: false,
        truncate_integers: false,
        rounded_quotient: false,
        clamped_count: false,
        wrapped_count: false,
        nan_is_greatest: false,
        sign_of_divisor: false,
        no_negative_exponent: false,
        no_negative_number: false,
        nan_is_zero: false,
        low_exponent: false,
        power_of_two: false,
        corrected: false,
        lower_middle: false,
        out_of_range: OutOfRange::Saturate,
    };

    /// Reads the options that a rule set chose for an op.
    pub(crate) fn of(rules: &RuleSet, op: Op) -> Semantics {
        let chooses = |option, value| rules.tables().chooses(op, option, value);
        Semantics {
            right_scalar_stays: chooses("right_scalar", "opmath"),
            exact_number: chooses("number", "exact"),
            exact_negative: chooses("negative", "exact"),
            saturate: chooses("overflow", "saturate"),
            by_zero: match () {
                () if chooses("by_zero", "zero") => ByZero::Zero,
                () if chooses("by_zero", "ones") => ByZero::Ones,
                () => ByZero::Error,
            },
            truncate: chooses("rounding", "truncate"),
            truncate_integers: chooses("rounding", "truncate_integers"),
            rounded_quotient: chooses("quotient", "rounded"),
            clamped_count: chooses("count", "clamped"),
            wrapped_count: chooses("count", "wraps"),
            nan_is_greatest: chooses("nan", "greatest"),
            sign_of_divisor: chooses("zero_sign", "divisor"),
            no_negative_exponent: chooses("negative_exponent", "error"),
            no_negative_number: chooses("negative_exponent", "number_error"),
            nan_is_zero: chooses("nan", "zero"),
            low_exponent: chooses("exponent", "wraps"),
            power_of_two: chooses("exponent", "power"),
            corrected: chooses("correction", "one"),
            lower_middle: chooses("middle", "lower"),
            out_of_range: match () {
                () if chooses("out_of_range", "x86") => OutOfRange::X86,
                () if chooses("out_of_range", "x86_clamped") => OutOfRange::X86Clamped,
                () => OutOfRange::Saturate,
            },
        }
    }
}
