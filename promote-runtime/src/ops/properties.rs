//! What the run time knows about an op: which calls wait for memory, and how operands enter.

#[cfg(feature = "kernels")]
use core::cmp::Ordering;

use super::{Exponent, KernelOp};
use crate::{Op, semantics};

/// Whether it takes no longer than the memory of large arrays, unless its numbers have a quicker form;
/// with one operand: of real numbers.
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

/// Whether it is one of those whose results often take the place of an operand, and that cost no more
/// than copying them there.
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

/// Which of two operands it gives, if it does.
#[cfg(feature = "kernels")]
pub(crate) const fn extremum(op: KernelOp) -> Option<Ordering> {
    match op.op() {
        Op::Maximum => Some(Ordering::Greater),
        Op::Minimum => Some(Ordering::Less),
        _ => None,
    }
}

/// How the right operand enters where [`KernelOp::of_operands`] has it scale: its low 32 bits, or as it
/// is. None elsewhere.
pub(crate) const fn exponent(op: KernelOp) -> Option<Exponent> {
    match op.op() {
        Op::Ldexp if op.semantics() & semantics::EXPONENT_POWER != 0 => None,
        Op::Ldexp if op.semantics() & semantics::EXPONENT_WRAPS != 0 => Some(Exponent::Low),
        Op::Ldexp => Some(Exponent::Whole),
        _ => None,
    }
}
