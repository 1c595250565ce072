//! Comparisons and predicates of every kind of number.

use promote_runtime::{Number, Op};

use crate::semantics::Semantics;
use crate::value::{is_true, whole};

/// Computes a comparison or a logical op; `None` for other ops.
pub(crate) fn binary(op: Op, a: Number, b: Number, semantics: Semantics) -> Option<bool> {
    if let (Number::Float(x), Number::Float(y)) = (a, b)
        && semantics.nan_is_greatest
        && (x.is_nan() || y.is_nan())
    {
        let order = x.is_nan().cmp(&y.is_nan());
        return Some(match op {
            Op::Equal => order.is_eq(),
            Op::NotEqual => order.is_ne(),
            Op::Less => order.is_lt(),
            Op::LessEqual => order.is_le(),
            Op::Greater => order.is_gt(),
            Op::GreaterEqual => order.is_ge(),
            _ => return binary(op, a, b, Semantics::PLAIN),
        });
    }
    Some(match op {
        Op::Equal => equal(a, b),
        Op::NotEqual => !equal(a, b),
        Op::Less => less(a, b),
        Op::LessEqual => less(a, b) || equal(a, b),
        Op::Greater => less(b, a),
        Op::GreaterEqual => less(b, a) || equal(a, b),
        Op::LogicalAnd => is_true(a) && is_true(b),
        Op::LogicalOr => is_true(a) || is_true(b),
        Op::LogicalXor => is_true(a) != is_true(b),
        _ => return None,
    })
}

/// Computes a predicate of one number; `None` for other ops.
pub(crate) fn unary(op: Op, a: Number) -> Option<bool> {
    let parts = match a {
        Number::Float(x) => [x, 0.0],
        Number::Complex(re, im) => [re, im],
        _ => [0.0, 0.0],
    };
    Some(match op {
        Op::Signbit => match a {
            Number::Float(x) => x.is_sign_negative(),
            _ => whole(a) < 0,
        },
        Op::LogicalNot => !is_true(a),
        Op::Isnan => parts.iter().any(|x| x.is_nan()),
        Op::Isinf => parts.iter().any(|x| x.is_infinite()),
        Op::Isfinite => parts.iter().all(|x| x.is_finite()),
        _ => return None,
    })
}

/// Returns true if two numbers are equal. NaN is equal to nothing, and +0 equals -0.
#[allow(clippy::float_cmp, reason = "exact equality is what is asked for")]
fn equal(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => a == b,
        (Number::Complex(a, x), Number::Complex(b, y)) => a == b && x == y,
        _ => whole(a) == whole(b),
    }
}

/// Returns true if `a` is less than `b`. Comparisons with NaN are false. Complex numbers are ordered by their
/// real parts, then by their imaginary parts.
pub(crate) fn less(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Complex(a, x), Number::Complex(b, y)) => {
            ![a, b, x, y].iter().any(|part| part.is_nan()) && (a < b || a == b && x < y)
        }
        (Number::Float(a), Number::Float(b)) => a < b,
        _ => whole(a) < whole(b),
    }
}
