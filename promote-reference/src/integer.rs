//! Integer arithmetic, also of bools as 0 and 1: exact in `i128` (or modulo 2^128), then wrapped to the
//! dtype.

use promote_runtime::{DType, Kind, Op};

use crate::semantics::{ByZero, Semantics};
use crate::value::wrap;
use crate::{Error, Trap};

/// Computes an op of two integers of a dtype; `None` for other ops.
pub(crate) fn binary(
    op: Op,
    dtype: DType,
    a: i128,
    b: i128,
    semantics: Semantics,
) -> Result<Option<i128>, Error> {
    let exact = match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a.wrapping_mul(b),
        Op::Maximum | Op::Fmax | Op::ClampMin => a.max(b),
        Op::Minimum | Op::Fmin => a.min(b),
        Op::Divide | Op::FloorDivide | Op::DivideTrunc | Op::Remainder | Op::Fmod if b == 0 => {
            return match semantics.by_zero {
                ByZero::Error => Err(Error::Trap(Trap::DivisionByZero)),
                ByZero::Zero => Ok(Some(0)),
                ByZero::Ones => Ok(Some(wrap(-1, dtype))),
            };
        }
        Op::Divide | Op::FloorDivide if semantics.truncate || semantics.truncate_integers => a / b,
        Op::Divide | Op::FloorDivide => floor_divide(a, b),
        Op::DivideTrunc => a / b,
        Op::Remainder => a - floor_divide(a, b) * b,
        Op::Fmod => a % b,
        Op::Pow => power(a, b, semantics)?,
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::LeftShift | Op::RightShift if semantics.clamped_count => {
            let count = b.clamp(0, i128::from(dtype.bits()) - 1);
            if op == Op::LeftShift { a << count } else { a >> count }
        }
        Op::LeftShift | Op::RightShift if semantics.wrapped_count => {
            let count = b.rem_euclid(i128::from(dtype.bits()));
            if op == Op::LeftShift { a << count } else { a >> count }
        }
        Op::LeftShift => shift(a, b, dtype, |a, b| a << b, 0),
        // A shift by the width or more leaves copies of the sign.
        Op::RightShift => shift(a, b, dtype, |a, b| a >> b, if a < 0 { -1 } else { 0 }),
        Op::Gcd => gcd(a, b),
        Op::Lcm if a == 0 || b == 0 => 0,
        Op::Lcm => (a.abs() / gcd(a, b)).wrapping_mul(b.abs()),
        // The difference wraps first.
        Op::L1Loss => wrap(a - b, dtype).abs(),
        Op::Heaviside if a == 0 => b,
        Op::Heaviside => (a > 0).into(),
        _ => return Ok(None),
    };
    Ok(Some(wrap(exact, dtype)))
}

/// Computes an op of one integer of a dtype; `None` for other ops.
pub(crate) fn unary(op: Op, dtype: DType, a: i128) -> Option<i128> {
    let exact = match op {
        Op::Relu => a.max(0),
        Op::Negative => -a,
        Op::Abs => a.abs(),
        Op::Sign => a.signum(),
        Op::Square => a.wrapping_mul(a),
        Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::Conj | Op::Real | Op::Astype | Op::Positive => a,
        Op::Imag => 0,
        Op::BitwiseNot if dtype.kind() == Kind::Bool => i128::from(a == 0),
        Op::BitwiseNot => !a,
        _ => return None,
    };
    Some(wrap(exact, dtype))
}

/// Computes the quotient rounded down.
fn floor_divide(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// Computes the power modulo 2^128. A negative exponent gives 1 / `a`^-`b` rounded towards zero, and 0 for 1
/// / 0.
fn power(a: i128, b: i128, semantics: Semantics) -> Result<i128, Error> {
    if b < 0 {
        if semantics.no_negative_exponent {
            return Err(Error::Trap(Trap::NegativeExponent));
        }
        return Ok(match a {
            1 => 1,
            -1 if b % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        });
    }
    // By squares, since the exponent may be any.
    let (mut power, mut square, mut left) = (1_i128, a, b);
    while left > 0 {
        if left % 2 == 1 {
            power = power.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left /= 2;
    }
    Ok(power)
}

/// Shifts by a count of at least 0 and less than the width; returns `beyond` for every other count.
fn shift(a: i128, b: i128, dtype: DType, by: fn(i128, i128) -> i128, beyond: i128) -> i128 {
    if (0..dtype.bits().into()).contains(&b) { by(a, b) } else { beyond }
}

/// Computes the greatest common divisor, which is not negative.
fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{greatest, least};

    #[test]
    fn whatever_comes_out_is_of_the_dtype() {
        let dtype = DType::I8;
        for a in -128..128 {
            for b in -128..128 {
                for &op in Op::STANDARD.iter().filter(|op| op.arity() == 2) {
                    if let Ok(Some(x)) = binary(op, dtype, a, b, Semantics::PLAIN) {
                        assert!((least(dtype)..=greatest(dtype)).contains(&x), "{op} of {a} and {b}: {x}");
                    }
                }
            }
        }
    }
}
