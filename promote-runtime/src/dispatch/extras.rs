//! Extra inputs of an op, such as a weight or a condition, converted to the form that its kernel takes.

use arrayvec::ArrayVec;

use crate::Number;
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::MAX_INPUTS;
use crate::kernel::find::Enters;
use crate::kernel::{Kernel, Kernels};
use crate::level::Level;
use crate::memory::{Argument, ScalarValue};
use crate::ops::KernelOp;
use crate::{DType, Kind};
use crate::{Extra, ExtraKind, Op, OpTypes};

/// The inputs of a call: the operands, then the extra inputs, in the order of the kernel's inputs.
pub(crate) type Inputs<'a> = ArrayVec<Argument<'a>, MAX_INPUTS>;

/// Finds the kernel of an op at a level, and adds the extra inputs to the operands in `inputs`.
///
/// `given` returns the argument for an extra of [`Op::extras`] by its index; `None` for its default.
///
/// # Errors
///
/// Returns an error if an extra input has no default or a wrong value, or if there is no such kernel.
pub(crate) fn complete<'a>(
    kernels: &'static Kernels,
    level: Level,
    (op, kernel): (Op, KernelOp),
    operands: [(DType, Enters); 2],
    types: OpTypes,
    inputs: &mut Inputs<'a>,
    given: impl Fn(usize) -> Option<Argument<'a>>,
) -> Result<Kernel, CallError> {
    let [a, b] = operands;
    for (k, extra) in op.extras().iter().enumerate() {
        inputs.push(enter(extra, given(k), types, kernel.saturates())?);
    }
    match (op.extras().first(), inputs.get(2)) {
        (Some(extra), Some(input)) if extra.kind != ExtraKind::Condition => {
            let third = input.dtype().unwrap_or(types.output);
            Kernel::find_extended(level, kernels, kernel, operands, third, types)
        }
        _ => Kernel::find_at(level, kernels, kernel, a, b, types),
    }
}

/// Converts the argument for an extra input to the form that the kernel takes.
fn enter<'a>(
    extra: &Extra,
    given: Option<Argument<'a>>,
    types: OpTypes,
    saturate: bool,
) -> Result<Argument<'a>, CallError> {
    use ExtraKind::{Condition, Operand, Weight};
    let problem = |problem| CallError::Parameter { name: extra.name, problem };
    let OpTypes { common, compute, .. } = types;
    let number = match (extra.kind, given.map(Argument::for_kernel)) {
        (Condition | Operand | Weight, Some(given @ Argument::InPlace(_))) => return Ok(given),
        (_, Some(Argument::InPlace(_))) => {
            return Err(problem("must be a number, not the elements of `out`"));
        }
        (Condition, Some(Argument::Number(Number::Bool(value)))) => {
            return Ok(ScalarValue::new(value).into());
        }
        (Condition, None | Some(Argument::Number(_))) => {
            return Err(problem("must be a bool or an array of bools"));
        }
        (Operand, Some(Argument::ZeroDim(value))) => return Ok(value.cast(common, saturate)?.into()),
        (Operand, Some(Argument::Number(number))) => {
            return Ok(ScalarValue::from_number_with(number, common, saturate)?.into());
        }
        (Condition | Operand, Some(given)) => return Ok(given),
        (Weight, Some(given @ (Argument::Slice(_) | Argument::Array(_) | Argument::Weak(_)))) => {
            return match given.dtype() {
                Some(found) if found != common && found != compute => {
                    Err(CallError::DType { role: ArgumentRole::Third, expected: common, found })
                }
                _ => Ok(given),
            };
        }
        (_, Some(Argument::Slice(_) | Argument::Array(_) | Argument::Weak(_))) => {
            return Err(problem("must be a number, not an array"));
        }
        (_, Some(Argument::ZeroDim(value))) => {
            value.number().ok_or(CallError::NoElements { dtype: value.dtype() })?
        }
        (_, Some(Argument::Number(number))) => number,
        (_, None) => Number::Float(extra.default.ok_or_else(|| problem("is missing"))?),
    };
    if extra.kind == ExtraKind::Factor {
        return factor(number, types).map_err(problem);
    }
    let value = match number {
        Number::Bool(x) => f64::from(u8::from(x)),
        Number::Int(x) => x as f64,
        Number::Float(x) => x,
        Number::Complex(..) if compute.kind() != Kind::Complex => {
            return Err(problem("is complex, but the op computes in a real dtype"));
        }
        Number::Complex(..) => return Ok(ScalarValue::from_number(number, compute)?.into()),
    };
    if let Some(wrong) = extra.kind.range_error(value) {
        return Err(problem(wrong));
    }
    if number.out_of_range(compute).is_some() {
        return Err(problem("does not fit the dtype that the op computes in"));
    }
    if compute.kind() < Kind::Float && value % 1.0 != 0.0 {
        return Err(problem("is not an integer, but the op computes in an integer dtype"));
    }
    Ok(ScalarValue::from_number(number, compute)?.into())
}

/// Rounds the factor of an operand to the common dtype.
///
/// # Errors
///
/// Returns what is wrong with it.
fn factor(number: Number, types: OpTypes) -> Result<Argument<'static>, &'static str> {
    const BEYOND: &str = "does not fit the dtype that the op computes in";
    let common = if types.common.has_type() { types.common } else { types.compute };
    match number {
        Number::Bool(_) if common != DType::Bool => {
            return Err("is a bool, but the op computes with numbers; write 1 or 0");
        }
        Number::Float(_) | Number::Complex(..) if common.kind() < Kind::Float => {
            return Err("is not an integer, but the op computes in an integer dtype");
        }
        Number::Complex(..) if common.kind() != Kind::Complex => {
            return Err("is complex, but the op computes in a real dtype");
        }
        Number::Int(x) => {
            // A negative factor wraps in unsigned integers.
            let x = if common.kind() == Kind::Unsigned { x.saturating_abs() } else { x };
            if Number::Int(x).out_of_range(common).is_some() {
                return Err(BEYOND);
            }
        }
        _ => {}
    }
    let rounded = ScalarValue::from_number(number, common).map_err(|_| BEYOND)?;
    let infinite = |number: Number| match number {
        Number::Float(x) => x.is_infinite(),
        Number::Complex(re, im) => re.is_infinite() || im.is_infinite(),
        Number::Bool(_) | Number::Int(_) => false,
    };
    if rounded.number().is_some_and(infinite) && !infinite(number) {
        return Err(BEYOND);
    }
    Ok(rounded.cast(types.compute, false).map_err(|_| BEYOND)?.into())
}
