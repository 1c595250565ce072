//! The words of a rule file, and the flags of a call, that change what a kernel or a cast computes, as bits.
//!
//! Every first word of the catalogue is a zero, so 0 is what holds if a file says nothing.

use crate::convert::Overflow;

/// `overflow: saturate`
pub const OVERFLOW_SATURATE: u16 = 1;
/// `by_zero: zero`
pub const BY_ZERO_ZERO: u16 = 1 << 1;
/// `by_zero: ones`
pub const BY_ZERO_ONES: u16 = 1 << 2;
/// `rounding: truncate`
pub const ROUNDING_TRUNCATE: u16 = 1 << 3;
/// `rounding: truncate_integers`
pub const ROUNDING_TRUNCATE_INTEGERS: u16 = 1 << 4;
/// `quotient: rounded`
pub const QUOTIENT_ROUNDED: u16 = 1 << 5;
/// `count: clamped`
pub const COUNT_CLAMPED: u16 = 1 << 6;
/// `zero_sign: divisor`
pub const ZERO_SIGN_DIVISOR: u16 = 1 << 7;
/// `negative_exponent: error`
pub const NEGATIVE_EXPONENT_ERROR: u16 = 1 << 8;
/// `nan: zero`
pub const NAN_ZERO: u16 = 1 << 9;
/// `out_of_range: x86`
pub const OUT_OF_RANGE_X86: u16 = 1 << 10;
/// `out_of_range: x86_clamped`
pub const OUT_OF_RANGE_X86_CLAMPED: u16 = 1 << 11;

/// `log_input: false`, of a call.
pub const LOG_INPUT_FALSE: u16 = 1 << 12;
/// `full: true`, of a call.
pub const FULL_TRUE: u16 = 1 << 13;

/// `exponent: wraps`
pub const EXPONENT_WRAPS: u16 = 1 << 14;
/// `exponent: power`
pub const EXPONENT_POWER: u16 = 1 << 15;

/// Each word with its bit; the first of a choice have none.
pub(super) const ALL: &[(&str, u16)] = &[
    ("overflow_saturate", OVERFLOW_SATURATE),
    ("by_zero_zero", BY_ZERO_ZERO),
    ("by_zero_ones", BY_ZERO_ONES),
    ("rounding_truncate", ROUNDING_TRUNCATE),
    ("rounding_truncate_integers", ROUNDING_TRUNCATE_INTEGERS),
    ("quotient_rounded", QUOTIENT_ROUNDED),
    ("count_clamped", COUNT_CLAMPED),
    ("zero_sign_divisor", ZERO_SIGN_DIVISOR),
    ("negative_exponent_error", NEGATIVE_EXPONENT_ERROR),
    ("nan_zero", NAN_ZERO),
    ("out_of_range_x86", OUT_OF_RANGE_X86),
    ("out_of_range_x86_clamped", OUT_OF_RANGE_X86_CLAMPED),
    ("log_input_false", LOG_INPUT_FALSE),
    ("full_true", FULL_TRUE),
    ("exponent_wraps", EXPONENT_WRAPS),
    ("exponent_power", EXPONENT_POWER),
];

/// The bit of a word of a rule file; 0 for the first word of a choice, and for words that are not about what
/// a lane computes.
///
/// ```
/// # use promote_runtime::kernel::ops::words;
/// assert_eq!(words::of("by_zero", "ones"), words::BY_ZERO_ONES);
/// assert_eq!(words::of("by_zero", "error"), 0);
/// ```
pub fn of(key: &str, word: &str) -> u16 {
    let is = |name: &str| name.strip_prefix(key).and_then(|rest| rest.strip_prefix('_')) == Some(word);
    ALL.iter().find(|(name, _)| is(name)).map_or(0, |(_, bit)| *bit)
}

/// What overflow of f8e4m3fn gives under these words.
#[derive(Clone, Copy, Debug)]
pub struct Words<const WORDS: u16>;

impl<const WORDS: u16> Overflow for Words<WORDS> {
    const SATURATE: bool = WORDS & OVERFLOW_SATURATE != 0;
}
