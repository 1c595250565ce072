//! The unit in the last place.

#![allow(dead_code, reason = "each test target uses its part")]

use promote::{DType, Kind};

/// Returns the unit in the last place of a number in a float or complex dtype, and in `f64` for all other
/// dtypes.
pub(crate) fn unit(dtype: DType, x: f64) -> f64 {
    let (digits, least) = precision(dtype);
    unit_of(digits, least, x)
}

/// Returns the digits of the significand, and the exponent of the least normal number.
pub(crate) fn precision(dtype: DType) -> (i32, i32) {
    let float = if matches!(dtype.kind(), Kind::Float | Kind::Complex) { dtype } else { DType::F64 };
    let (digits, _, least) = float.format().expect("a standard dtype").precision_and_range();
    (digits as i32, least + digits as i32 - 1)
}

/// Returns the unit in the last place of a number with this many digits, whose exponent counts as at least
/// `least`.
pub(crate) fn unit_of(digits: i32, least: i32, x: f64) -> f64 {
    let own = if x == 0.0 { i32::MIN } else { (x.to_bits() >> 52 & 0x7FF) as i32 - 1023 };
    match own.max(least).saturating_sub(digits - 1) {
        ..-1074 => 0.0,
        exponent @ -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        exponent => f64::from_bits(((exponent + 1023) as u64) << 52),
    }
}
