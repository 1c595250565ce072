//! Properties of ops that decide how a call runs.

#[cfg(feature = "kernels")]
use core::cmp::Ordering;

use super::{Exponent, KernelOp};
use crate::{Op, semantics};

/// Returns true if calls of the op on large arrays wait for memory, unless the dtype has a fast path. Ops of
/// one operand wait for memory only on real numbers.
#[cfg(feature = "kernels")]
pub(crate) const fn waits_for_memory(op: KernelOp) -> bool {
    let of_two = matches!(
        op.op(),
        Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::Fmax
            | Op::Fmin
            | Op::Copysign
            | Op::LogicalAnd
            | Op::LogicalOr
            | Op::LogicalXor
            | Op::LeftShift
            | Op::RightShift
    );
    let of_one = matches!(
        op.op(),
        Op::Negative
            | Op::Abs
            | Op::Sign
            | Op::Square
            | Op::Reciprocal
            | Op::Floor
            | Op::Ceil
            | Op::Trunc
            | Op::Round
            | Op::Conj
            | Op::Isnan
            | Op::Isinf
            | Op::Isfinite
            | Op::LogicalNot
            | Op::BitwiseNot
    );
    replaces(op) || of_two || of_one
}

/// Returns true if the op is often computed in place, and costs no more than a copy.
#[cfg(feature = "kernels")]
pub(crate) const fn replaces(op: KernelOp) -> bool {
    matches!(
        op.op(),
        Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Divide
            | Op::Maximum
            | Op::Minimum
            | Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
    )
}

/// Returns `Greater` if the op returns the greater one of its operands, `Less` if the lesser one.
#[cfg(feature = "kernels")]
pub(crate) const fn extremum(op: KernelOp) -> Option<Ordering> {
    match op.op().info().kernel {
        Some(kernel) => kernel.extremum,
        None => None,
    }
}

/// Returns the bits of an integer exponent that the op uses, or `None` if the op does not scale by an
/// exponent.
pub(crate) const fn exponent(op: KernelOp) -> Option<Exponent> {
    match op.op() {
        Op::Ldexp if op.semantics() & semantics::EXPONENT_POWER != 0 => None,
        Op::Ldexp if op.semantics() & semantics::EXPONENT_WRAPS != 0 => Some(Exponent::Low),
        Op::Ldexp => Some(Exponent::Whole),
        _ => None,
    }
}
