//! Questions to a rule set: dtypes, casts and shapes, without a computation.

use promote::{Op, OpTypes, Operand, PromoteError, RuleSet, broadcast_shapes};

use crate::error::{Failure, PromoteStatus, guard};
use crate::names::{PromoteCasting, PromoteDType, PromoteOp, casting, dtype, dtype_number, op};
use crate::operand::{PromoteOperand, kinds};
use crate::pointer::{Place, list, write_list};
use crate::rules::{PromoteRules, rules};

/// What operands promote to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromoteResultType {
    /// The dtype.
    pub dtype: PromoteDType,
    /// True if the result is weak: it yields to the dtype of other operands, as the rule set says.
    pub weak: bool,
}

/// The dtypes of an op for its operands.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromoteOpTypes {
    /// The dtype that the operands are converted to.
    pub common: PromoteDType,
    /// The dtype that the op computes in.
    pub compute: PromoteDType,
    /// The dtype of the result.
    pub output: PromoteDType,
}

/// Finds the dtype that operands promote to. If the rule set refuses them, the message has its reason.
///
/// # Safety
///
/// `rules` is null or comes from this library. `operands` is null or points to `count` operands; `data` of
/// those that are zero-dimensional is null or points to an element. `result` is null or points to memory for
/// a `PromoteResultType`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_result_type(
    rules: *const PromoteRules,
    operands: *const PromoteOperand,
    count: usize,
    result: *mut PromoteResultType,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (rules, operands, result) =
            unsafe { (self::rules(rules)?, kinds(operands, count)?, Place::new(result, "result")?) };
        let found = rules.result_type(&operands)?;
        result.write(PromoteResultType { dtype: dtype_number(found.dtype)?, weak: found.weak });
        Ok(())
    })
}

/// Answers a question about the dtypes of an op.
///
/// # Safety
///
/// As [`promote_op_types`] says.
unsafe fn types(
    (rules, op, operands, count): (*const PromoteRules, PromoteOp, *const PromoteOperand, usize),
    types: *mut PromoteOpTypes,
    answer: impl FnOnce(&RuleSet, Op, &[Operand]) -> Result<OpTypes, PromoteError>,
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    let (rules, operands, types) =
        unsafe { (self::rules(rules)?, kinds(operands, count)?, Place::new(types, "types")?) };
    let OpTypes { common, compute, output } = answer(&rules, self::op(op)?, &operands)?;
    types.write(PromoteOpTypes {
        common: dtype_number(common)?,
        compute: dtype_number(compute)?,
        output: dtype_number(output)?,
    });
    Ok(())
}

/// Finds the dtypes of an op for its operands. Extra inputs, such as the condition of `where`, are not among
/// these.
///
/// # Safety
///
/// `rules` is null or comes from this library. `operands` is null or points to `count` operands; `data` of
/// those that are zero-dimensional is null or points to an element. `types` is null or points to memory for a
/// `PromoteOpTypes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_op_types(
    rules: *const PromoteRules,
    op: PromoteOp,
    operands: *const PromoteOperand,
    count: usize,
    types: *mut PromoteOpTypes,
) -> PromoteStatus {
    // SAFETY: as the caller promises.
    guard(|| unsafe { self::types((rules, op, operands, count), types, RuleSet::op_types) })
}

/// Finds the dtypes of an op whose result is written to memory of a dtype. It is an error if the rule set
/// does not let the result be cast to it.
///
/// # Safety
///
/// As for `promote_op_types`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_out_types(
    rules: *const PromoteRules,
    op: PromoteOp,
    operands: *const PromoteOperand,
    count: usize,
    output: PromoteDType,
    types: *mut PromoteOpTypes,
) -> PromoteStatus {
    guard(|| {
        let output = dtype(output)?;
        let answer = |rules: &RuleSet, op, operands: &[_]| rules.out_types(op, operands, output);
        // SAFETY: as the caller promises.
        unsafe { self::types((rules, op, operands, count), types, answer) }
    })
}

/// Finds the dtypes of an op in place, as in `a += b`, where `a` is the first operand. It is an error if the
/// rule set does not let the result be cast to the dtype of `a`.
///
/// # Safety
///
/// As for `promote_op_types`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_in_place_types(
    rules: *const PromoteRules,
    op: PromoteOp,
    operands: *const PromoteOperand,
    count: usize,
    types: *mut PromoteOpTypes,
) -> PromoteStatus {
    // SAFETY: as the caller promises.
    guard(|| unsafe { self::types((rules, op, operands, count), types, RuleSet::in_place_types) })
}

/// Checks that a rule set allows a cast at a casting level. The status is `PROMOTE_STATUS_OK` if it does;
/// otherwise the message has the reason.
///
/// # Safety
///
/// `rules` is null or comes from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_can_cast(
    rules: *const PromoteRules,
    from: PromoteDType,
    to: PromoteDType,
    casting: PromoteCasting,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let rules = unsafe { self::rules(rules)? };
        Ok(rules.can_cast(dtype(from)?, dtype(to)?, self::casting(casting)?)?)
    })
}

/// Checks that a rule set allows the result of an op to be cast to the dtype of an output.
///
/// # Safety
///
/// `rules` is null or comes from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_can_cast_result(
    rules: *const PromoteRules,
    from: PromoteDType,
    to: PromoteDType,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let rules = unsafe { self::rules(rules)? };
        Ok(rules.can_cast_result(dtype(from)?, dtype(to)?)?)
    })
}

/// Finds the shape of the result of an elementwise op: that to which the operands broadcast.
///
/// Counted from the last axis, each operand has the length of the result or 1, and missing axes count as 1.
/// Numbers and zero-dimensional arrays have no axes. `rank` is set whenever there is such a shape. `shape`
/// has room for `capacity` numbers, and it is an error if the shape has more.
///
/// # Safety
///
/// `operands` is null or points to `count` operands, and `shape` of each array is null or points to `rank`
/// numbers. `rank` is null or points to memory for a number, and `shape` to memory for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn promote_broadcast_shape(
    operands: *const PromoteOperand,
    count: usize,
    shape: *mut usize,
    capacity: usize,
    rank: *mut usize,
) -> PromoteStatus {
    guard(|| {
        // SAFETY: as the caller promises.
        let (operands, rank) = unsafe { (list(operands, count, "operands")?, Place::new(rank, "rank")?) };
        // SAFETY: as the caller promises.
        let shapes = operands.iter().map(|operand| unsafe { operand.lengths() });
        let found = broadcast_shapes(&shapes.collect::<Result<Vec<_>, _>>()?)?;
        rank.write(found.len());
        if found.len() > capacity {
            return Err(Failure::argument(format!(
                "the result has {} axes, and `shape` has room for {capacity}; help: pass a longer `shape`",
                found.len()
            )));
        }
        // SAFETY: the caller promises memory for at least as many numbers.
        unsafe { write_list(shape, &found, "shape") }
    })
}
