//! Properties of ops that decide how a call runs.

#[cfg(feature = "kernels")]
use core::cmp::Ordering;

#[cfg(feature = "kernels")]
use promote_core::__private::{FloatBits, KernelInfo};

use super::{Exponent, KernelOp};
#[cfg(feature = "kernels")]
use crate::DType;
use crate::{Op, semantics};

/// Returns what the catalogue says of the op's kernels.
#[cfg(feature = "kernels")]
const fn info(op: KernelOp) -> KernelInfo {
    match op.op().info().kernel {
        Some(info) => info,
        None => panic!("this op has no kernels"),
    }
}

/// Returns true if calls of the op on large arrays wait for memory, unless the dtype has a fast path. Ops of
/// one operand wait for memory only on real numbers.
#[cfg(feature = "kernels")]
pub(crate) const fn waits_for_memory(op: KernelOp) -> bool {
    info(op).memory_bound
}

/// Returns true if the op has loops that compute in place, and loops whose second operand is one element.
#[cfg(feature = "kernels")]
pub(crate) const fn computes_in_place(op: KernelOp) -> bool {
    info(op).in_place
}

/// Returns `Greater` if the op returns the greater one of its operands, `Less` if the lesser one.
#[cfg(feature = "kernels")]
pub(crate) const fn extremum(op: KernelOp) -> Option<Ordering> {
    info(op).extremum
}

/// Returns true if rule sets choose what overflow of a dtype gives: a float dtype without infinities.
#[cfg(feature = "kernels")]
pub(crate) const fn has_overflow_option(dtype: DType) -> bool {
    // Each call of a pipeline asks for each of its casts. A bit for each dtype with a Rust type.
    const CHOSEN: u64 = {
        let (mut chosen, mut at) = (0, 0);
        while at < DType::WITH_TYPE.len() {
            if let Some(bits) = FloatBits::of(DType::WITH_TYPE[at]) {
                chosen |= (!bits.has_infinity() as u64) << at;
            }
            at += 1;
        }
        chosen
    };
    let index = dtype.index();
    index < DType::WITH_TYPE.len() && CHOSEN >> index & 1 == 1
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
