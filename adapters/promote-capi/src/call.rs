//! Calls that look their kernel up themselves.

use promote::Argument;

use crate::error::{PromoteStatus, guard};
use crate::kernel::not_an_array;
use crate::names::{PROMOTE_CASTING_ANY, PromoteCasting, PromoteOp, casting, op};
use crate::operand::{PromoteOperand, PromoteOutput, arguments};
use crate::pointer::{get, list};
use crate::rules::{PromoteRules, rules};

/// Computes an op, and writes the result to `out`, which has the shape of the result.
///
/// Operands broadcast. The condition of `where` comes first, and other extra inputs follow the operands;
/// those that have a default may be left out. The result is cast to the dtype of `out` if the rule set allows
/// it. Reductions reduce all axes.
///
/// `out` may be one of the operands, and may overlap them in any other way: the result is that of operands
/// which were copied first.
///
/// # Safety
///
/// `rules` is null or comes from this library. `operands` is null or points to `count` operands. Of each
/// array, `shape` is null or points to `rank` numbers, `strides` is null or points to `rank` numbers, and
/// `data` is null or there is an initialised element at each index, all in one allocation. `out` is null or
/// points to an output with such pointers, whose elements need not be initialised. During the call nothing
/// else writes to the elements of operands, and nothing else reads or writes those of `out`, which may
/// overlap elements of operands, but no operand itself, no shape and no strides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_call(
    rules: *const PromoteRules,
    op: PromoteOp,
    operands: *const PromoteOperand,
    count: usize,
    out: *const PromoteOutput,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, out) = unsafe { (self::rules(rules)?, get(out, "out")?) };
        let op = self::op(op)?;
        let call = |arguments: &[Argument<'_>]| {
            // SAFETY: as the caller promises.
            let out = unsafe { out.view()? };
            Ok(rules.prepare(op, arguments).out(out).run()?)
        };
        // SAFETY: as the caller promises.
        unsafe { arguments(operands, count, op.inputs(), call) }
    })
}

/// Computes an op in place, as in `a += b`: `a` is the first operand and receives the result. `operands` are
/// those after it, which broadcast to its shape.
///
/// The result is cast to the dtype of `a` if the rule set allows it. Operands may overlap `a`: the result is
/// that of operands which were copied first.
///
/// # Safety
///
/// As for `promote_call`, with initialised elements of `a`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_call_in_place(
    rules: *const PromoteRules,
    op: PromoteOp,
    a: *const PromoteOutput,
    operands: *const PromoteOperand,
    count: usize,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, a) = unsafe { (self::rules(rules)?, get(a, "a")?) };
        let op = self::op(op)?;
        let call = |arguments: &[Argument<'_>]| {
            // SAFETY: as the caller promises.
            let a = unsafe { a.view()? };
            Ok(rules.prepare(op, arguments).in_place(a).run()?)
        };
        // SAFETY: as the caller promises.
        unsafe { arguments(operands, count, op.inputs().saturating_sub(1), call) }
    })
}

/// Reduces an array along axes, such as by `PROMOTE_OP_SUM`. A negative axis counts from the last, which is
/// -1. If `axes` is null, all axes are reduced.
///
/// In `out` the reduced axes have length 1 or are missing. The result is cast to the dtype of `out` if the
/// rule set allows it; `promote_op_types` tells its own dtype.
///
/// # Safety
///
/// As for `promote_call`, with one operand. `axes` is null or points to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_reduce(
    rules: *const PromoteRules,
    op: PromoteOp,
    operand: *const PromoteOperand,
    axes: *const isize,
    count: usize,
    out: *const PromoteOutput,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, out) = unsafe { (self::rules(rules)?, get(out, "out")?) };
        let op = self::op(op)?;
        let call = |arguments: &[Argument<'_>]| {
            let call = rules.prepare(op, arguments);
            let call = if axes.is_null() {
                call
            } else {
                // SAFETY: as the caller promises.
                call.axes(unsafe { list(axes, count, "axes")? })
            };
            // SAFETY: as the caller promises.
            let out = unsafe { out.view()? };
            Ok(call.out(out).run()?)
        };
        // SAFETY: as the caller promises.
        unsafe { arguments(operand, 1, 1, call) }
    })
}

/// Casts an array to the dtype of `out`, and broadcasts it to its shape.
///
/// `casting` is a casting level at which the rule set must allow the cast, or `PROMOTE_CASTING_ANY`. Integers
/// wrap, floats are rounded to nearest even, and the rule set decides what a float becomes that an integer
/// dtype cannot hold.
///
/// # Safety
///
/// As for `promote_call`, with one operand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_cast(
    rules: *const PromoteRules,
    operand: *const PromoteOperand,
    casting: PromoteCasting,
    out: *const PromoteOutput,
) -> PromoteStatus {
    guard(|| {
        let level = if casting == PROMOTE_CASTING_ANY { None } else { Some(self::casting(casting)?) };
        // SAFETY: as the caller promises.
        let (rules, out, operand) =
            unsafe { (self::rules(rules)?, get(out, "out")?, get(operand, "operand")?) };
        // SAFETY: as the caller promises.
        let (view, out) = unsafe { (operand.view()?.ok_or_else(not_an_array)?, out.view()?) };
        Ok(rules.astype_into(&view, level, out)?)
    })
}
