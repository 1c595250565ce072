//! Conversion between elements in memory and exact numbers, and of numbers between dtypes.
//!
//! A [`Number`] holds every element of its kind exactly, so reading loses nothing, and neither does writing a
//! number that [`convert`] returned.

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};
use num_complex::Complex;
use promote_runtime::__private::kernel::ScalarValue;
use promote_runtime::{DType, Kind, Number};

use crate::Error;
use crate::format::Format;
use crate::semantics::{OutOfRange, Semantics};

/// Returns the exact value of an element.
pub(crate) fn read(element: ScalarValue) -> Result<Number, Error> {
    let bytes = element.as_bytes();
    let code = bytes.iter().rev().fold(0_u128, |code, byte| code << 8 | u128::from(*byte));
    let dtype = element.dtype();
    let bits = dtype.bits();
    // The lower and the upper half of a complex number, each of `part` bits.
    let complex = |part: DType| {
        let low = code & ((1 << part.bits()) - 1);
        Number::Complex(decode(part, low), decode(part, code >> part.bits()))
    };
    Ok(match (dtype.kind(), dtype) {
        (Kind::Bool, _) => Number::Bool(code != 0),
        (Kind::Unsigned, _) => Number::Int(code as i128),
        // The sign bit weighs minus twice what it weighs in the code.
        (Kind::Signed, _) => Number::Int(code as i128 - ((code >> (bits - 1) & 1) << bits) as i128),
        (Kind::Float, _) if Format::of(dtype).is_some() => Number::Float(decode(dtype, code)),
        (Kind::Complex, _) if dtype.has_type() => complex(dtype.real_dtype().expect("parts")),
        _ => return Err(Error::NoElements { dtype }),
    })
}

/// Returns the value of a float's bits.
fn decode(dtype: DType, code: u128) -> f64 {
    match dtype {
        DType::F8E4M3FN => F8E4M3::from_bits(code as u8).to_f64(),
        DType::F8E5M2 => F8E5M2::from_bits(code as u8).to_f64(),
        DType::F16 => f16::from_bits(code as u16).to_f64(),
        DType::BF16 => bf16::from_bits(code as u16).to_f64(),
        DType::F32 => f32::from_bits(code as u32).into(),
        _ => f64::from_bits(code as u64),
    }
}

/// Returns the element of a dtype with this value, which has to be a value of the dtype.
pub(crate) fn write(number: Number, dtype: DType) -> Result<ScalarValue, Error> {
    let number = convert(number, dtype, Semantics::PLAIN)?;
    Ok(match (number, dtype) {
        (Number::Bool(x), _) => ScalarValue::new(x),
        (Number::Int(x), DType::U8) => ScalarValue::new(x as u8),
        (Number::Int(x), DType::U16) => ScalarValue::new(x as u16),
        (Number::Int(x), DType::U32) => ScalarValue::new(x as u32),
        (Number::Int(x), DType::U64) => ScalarValue::new(x as u64),
        (Number::Int(x), DType::I8) => ScalarValue::new(x as i8),
        (Number::Int(x), DType::I16) => ScalarValue::new(x as i16),
        (Number::Int(x), DType::I32) => ScalarValue::new(x as i32),
        (Number::Int(x), DType::I64) => ScalarValue::new(x as i64),
        (Number::Float(x), DType::F8E4M3FN) => ScalarValue::new(F8E4M3::from_bits(code_of(dtype, x))),
        (Number::Float(x), DType::F8E5M2) => ScalarValue::new(F8E5M2::from_bits(code_of(dtype, x))),
        (Number::Float(x), DType::F16) => ScalarValue::new(f16::from_f64(x)),
        (Number::Float(x), DType::BF16) => ScalarValue::new(bf16::from_f64(x)),
        (Number::Float(x), DType::F32) => ScalarValue::new(x as f32),
        (Number::Float(x), DType::F64) => ScalarValue::new(x),
        (Number::Complex(re, im), DType::C32) => {
            ScalarValue::new(Complex::new(f16::from_f64(re), f16::from_f64(im)))
        }
        (Number::Complex(re, im), DType::C64) => ScalarValue::new(Complex::new(re as f32, im as f32)),
        (Number::Complex(re, im), DType::C128) => ScalarValue::new(Complex::new(re, im)),
        _ => return Err(Error::NoElements { dtype }),
    })
}

/// Returns the code of a value of an 8-bit float. NaN has the last code, which is NaN in all these formats.
fn code_of(dtype: DType, x: f64) -> u8 {
    (0..=0x7F)
        .flat_map(|code| [code, code | 0x80])
        .find(|code| decode(dtype, u128::from(*code)).to_bits() == x.to_bits())
        .unwrap_or(0x7F)
}

/// Converts a number to a value of a dtype. Integers wrap, other numbers are rounded once.
pub(crate) fn convert(number: Number, to: DType, semantics: Semantics) -> Result<Number, Error> {
    Ok(match to.kind() {
        Kind::Bool => Number::Bool(is_true(number)),
        Kind::Unsigned | Kind::Signed => Number::Int(match number {
            Number::Float(x) | Number::Complex(x, _) => cut(x, to, semantics.out_of_range),
            _ => wrap(whole(number), to),
        }),
        Kind::Float | Kind::Complex => {
            let format = Format::of(to).ok_or(Error::NoElements { dtype: to })?;
            let (re, im) = match number {
                Number::Float(x) => (x, 0.0),
                Number::Complex(re, im) => (re, im),
                _ => (format.whole(whole(number)), 0.0),
            };
            let round = |x: f64| fit(format.round(x), x, format, semantics.saturate);
            if to.kind() == Kind::Float {
                Number::Float(round(re))
            } else {
                Number::Complex(round(re), round(im))
            }
        }
        _ => return Err(Error::NoElements { dtype: to }),
    })
}

/// Returns the value that replaces infinity in a format without it: the greatest value, or NaN.
fn fit(rounded: f64, x: f64, format: Format, saturate: bool) -> f64 {
    match rounded.is_infinite() && !format.infinite {
        true if saturate => format.greatest.copysign(x),
        true => f64::NAN,
        false => rounded,
    }
}

/// Returns true if a number is not zero; NaN is not.
pub(crate) fn is_true(number: Number) -> bool {
    match number {
        Number::Bool(x) => x,
        Number::Int(x) => x != 0,
        Number::Float(x) => x != 0.0,
        Number::Complex(re, im) => re != 0.0 || im != 0.0,
    }
}

/// Returns the value of a bool or an integer.
pub(crate) fn whole(number: Number) -> i128 {
    match number {
        Number::Bool(x) => x.into(),
        Number::Int(x) => x,
        _ => 0,
    }
}

/// Wraps an integer to an integer dtype.
pub(crate) fn wrap(x: i128, to: DType) -> i128 {
    let low = x.rem_euclid(1 << to.bits());
    if low > greatest(to) { low - (1 << to.bits()) } else { low }
}

/// Returns the greatest integer of a dtype.
pub(crate) fn greatest(dtype: DType) -> i128 {
    if dtype.kind() == Kind::Signed { (1 << (dtype.bits() - 1)) - 1 } else { (1 << dtype.bits()) - 1 }
}

/// Returns the least integer of a dtype.
pub(crate) fn least(dtype: DType) -> i128 {
    if dtype.kind() == Kind::Signed { -(1 << (dtype.bits() - 1)) } else { 0 }
}

/// Converts a float to an integer, rounded towards zero. The option `out_of_range` decides for other floats.
fn cut(x: f64, to: DType, out_of_range: OutOfRange) -> i128 {
    // Cast, an `f64` beyond `i128` is its end, and NaN is 0.
    let whole = x.trunc() as i128;
    match out_of_range {
        OutOfRange::Saturate => whole.clamp(least(to), greatest(to)),
        OutOfRange::X86Clamped if to.bits() < 32 => {
            signed_instruction(x, DType::I32).clamp(least(to), greatest(to))
        }
        OutOfRange::X86 | OutOfRange::X86Clamped => match to {
            // The instruction for a signed integer leaves the least one for whatever it cannot hold.
            DType::I32 | DType::I64 => signed_instruction(x, to),
            DType::U64 if x < two_to_63() => wrap(signed_instruction(x, DType::I64), to),
            // Its like for u64 is made of the one for i64, less 2^63 from there on.
            DType::U64 if x < 2.0 * two_to_63() => whole,
            DType::U64 if x.is_nan() => 1 << 63,
            DType::U32 if x.is_nan() || whole < least(DType::I32) => 1 << 31,
            DType::U32 if whole <= greatest(DType::U32) => wrap(whole, to),
            DType::U32 | DType::U64 => 0,
            // Narrower ones are the low bits of an i32.
            _ => wrap(signed_instruction(x, DType::I32), to),
        },
    }
}

fn two_to_63() -> f64 {
    (1_u64 << 63) as f64
}

fn signed_instruction(x: f64, to: DType) -> i128 {
    let whole = x.trunc() as i128;
    if x.is_nan() || whole < least(to) || whole > greatest(to) { least(to) } else { whole }
}
