//! Calls of ops on Arrow arrays.

use std::sync::Arc;

use arrayvec::ArrayVec;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, make_array, new_null_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use promote::{ArgumentRole, CallError, Casting, DType, ExtraKind, Number, Op, Operand, RuleSet};

use crate::argument::{Argument, Input, Nulls};
use crate::blocks::{MAX_INPUTS, Work, compute};
use crate::{Error, data_type_of, dtype_of};

/// Computes an elementwise op on Arrow arrays, scalars and numbers, and returns a new array of the dtype that
/// the rule set gives.
///
/// All arrays have one length. If no operand is an array, the result has one row. A row of the result is null
/// if it is null in any operand; [`if_else`] and [`Op::Where`], which is computed by it, look at the chosen
/// operand only. A null scalar makes every row null. Extra inputs, such as the weight of `lerp`, follow the
/// operands as in [`RuleSet::call`], and may be arrays where that allows it.
///
/// Values in null rows do not matter: an op that refuses a value, such as an integer division by zero,
/// refuses it only in rows that are not null.
///
/// # Errors
///
/// Returns an error if the rule set refuses the operands, if an operand has a type that `promote` does not
/// compute with, if arrays have different lengths, or if the op is a reduction or refuses a value.
///
/// # Examples
///
/// ```
/// use promote_arrow::arrow_array::{Array, BooleanArray, Float16Array, Int32Array, cast::AsArray};
/// use promote_arrow::promote::{NumPy, Op, Torch};
/// use promote_arrow::{call, arrow_schema::DataType};
///
/// let torch = Torch::new().rule_set();
/// let counts = Int32Array::from(vec![Some(7), None, Some(-7)]);
///
/// // A Python number has no width: the column stays Int32. Division is true division.
/// let doubled = call(&torch, Op::Multiply, &[(&counts).into(), 2.into()])?;
/// assert_eq!(*doubled, Int32Array::from(vec![Some(14), None, Some(-14)]));
/// let halves = call(&torch, Op::Divide, &[(&counts).into(), 2.into()])?;
/// assert_eq!(halves.data_type(), &DataType::Float32);
///
/// // A typed scalar is a zero-dimensional array. Comparisons give booleans.
/// let is_small = call(&torch, Op::Less, &[(&counts).into(), (&Int32Array::new_scalar(0)).into()])?;
/// assert_eq!(*is_small, BooleanArray::from(vec![Some(false), None, Some(true)]));
///
/// // NumPy's rules differ: Int32 and Float16 give Float64, and PyTorch's give Float16.
/// let weights = Float16Array::from_iter_values((0_u8..3).map(Into::into));
/// for (rules, expected) in [(torch, DataType::Float16), (NumPy::new().rule_set(), DataType::Float64)] {
///     let product = call(&rules, Op::Multiply, &[(&counts).into(), (&weights).into()])?;
///     assert_eq!(product.data_type(), &expected);
/// }
/// # Ok::<(), promote_arrow::Error>(())
/// ```
pub fn call(rules: &RuleSet, op: Op, operands: &[Argument<'_>]) -> Result<ArrayRef, Error> {
    if op == Op::Where {
        let [condition, a, b] = operands else {
            return Err(CallError::Inputs { expected: 3, found: operands.len() }.into());
        };
        return choose(rules, *condition, *a, *b);
    }
    if RuleSet::is_reduction(op) || RuleSet::is_scan(op) || op.takes_whole_arrays() {
        return Err(Error::NotElementwise(op));
    }
    let len = length(operands)?;
    if operands.len() > MAX_INPUTS {
        return Err(CallError::Inputs { expected: op.inputs(), found: operands.len() }.into());
    }
    // Collected, they would be copied as often as they are returned.
    let mut inputs = ArrayVec::<_, MAX_INPUTS>::new();
    for operand in operands {
        inputs.push(operand.values()?);
    }
    let dtype = dtype_of_result(rules, op, &inputs)?;
    let mut nulls = None;
    for operand in operands {
        match operand.nulls() {
            Nulls::None => {}
            Nulls::All => return Ok(new_null_array(&data_type_of(dtype)?, len)),
            Nulls::Some(more) => nulls = NullBuffer::union(nulls.as_ref(), Some(more)),
        }
    }
    match on_bits(op, &inputs) {
        Some(bits) if dtype == DType::Bool => Ok(Arc::new(BooleanArray::new(bits, nulls))),
        _ => compute(Work::Op(rules, op), &inputs, len, dtype, nulls.as_ref()),
    }
}

/// Chooses from two operands row by row: from `a` where the condition is true, and from `b` elsewhere. Both
/// are converted to the dtype that they promote to.
///
/// A null condition chooses `b`, as in Arrow's `zip` and in SQL's `CASE WHEN`. A row is null if its chosen
/// operand is null. The condition is a boolean array or scalar, or a `bool`.
///
/// # Errors
///
/// Returns an error if the rule set refuses the operands, if the condition is not boolean, or if arrays have
/// different lengths.
///
/// # Examples
///
/// ```
/// use promote_arrow::arrow_array::{BooleanArray, Float32Array, Int8Array};
/// use promote_arrow::{if_else, promote::Torch};
///
/// let condition = BooleanArray::from(vec![Some(true), Some(true), Some(false), None]);
/// let a = Int8Array::from(vec![Some(1), None, Some(3), Some(4)]);
/// let chosen = if_else(&Torch::new().rule_set(), &condition, &a, 0.5)?;
/// assert_eq!(*chosen, Float32Array::from(vec![Some(1.0), None, Some(0.5), Some(0.5)]));
/// # Ok::<(), promote_arrow::Error>(())
/// ```
pub fn if_else<'a>(
    rules: &RuleSet,
    condition: impl Into<Argument<'a>>,
    a: impl Into<Argument<'a>>,
    b: impl Into<Argument<'a>>,
) -> Result<ArrayRef, Error> {
    choose(rules, condition.into(), a.into(), b.into())
}

fn choose(
    rules: &RuleSet,
    condition: Argument<'_>,
    a: Argument<'_>,
    b: Argument<'_>,
) -> Result<ArrayRef, Error> {
    let len = length(&[condition, a, b])?;
    let condition = Condition::of(condition)?;
    let (a_nulls, b_nulls) = (a.nulls(), b.nulls());
    let (a, b) = (a.values()?, b.values()?);
    let (mask, nulls) = match condition {
        Condition::Once(value) => {
            let nulls = match if value { a_nulls } else { b_nulls } {
                Nulls::None => None,
                Nulls::All => Some(NullBuffer::new_null(len)),
                Nulls::Some(nulls) => Some(nulls.clone()),
            };
            (Input::Once(Number::Bool(value).into()), nulls)
        }
        Condition::Each(mask) => {
            let nulls = if let (Nulls::None, Nulls::None) = (a_nulls, b_nulls) {
                None
            } else {
                let valid = &valid_within(&mask, a_nulls) | &valid_within(&!&mask, b_nulls);
                Some(NullBuffer::new(valid)).filter(|nulls| nulls.null_count() > 0)
            };
            (Input::Bits(mask), nulls)
        }
    };
    let inputs = [mask, a, b];
    let dtype = dtype_of_result(rules, Op::Where, &inputs)?;
    compute(Work::Op(rules, Op::Where), &inputs, len, dtype, nulls.as_ref())
}

/// Casts an array to another type: a boolean, an integer, or a float of 16 to 64 bits. Nulls stay.
///
/// Integers wrap, floats are rounded to nearest even, and the rule set decides what a float becomes that an
/// integer type cannot hold. (Arrow's own `cast` makes such values null.) With a level of casting, casts that
/// the rule set refuses at this level are errors.
///
/// # Errors
///
/// Returns an error if one of the types is another one, or if the rule set does not have the level or refuses
/// the cast.
///
/// # Examples
///
/// ```
/// use promote_arrow::arrow_array::{Float64Array, Int8Array};
/// use promote_arrow::promote::{Casting, NumPy};
/// use promote_arrow::{arrow_schema::DataType, cast};
///
/// let rules = NumPy::new().rule_set();
/// let floats = Float64Array::from(vec![Some(1.5), None]);
/// assert_eq!(*cast(&rules, &floats, &DataType::Int8, None)?, Int8Array::from(vec![Some(1), None]));
/// assert!(cast(&rules, &floats, &DataType::Int8, Some(Casting::SameKind)).is_err());
/// # Ok::<(), promote_arrow::Error>(())
/// ```
pub fn cast(
    rules: &RuleSet,
    array: &dyn Array,
    to: &DataType,
    casting: Option<Casting>,
) -> Result<ArrayRef, Error> {
    let input = Argument::Array(array).values()?;
    let (from, to) = (dtype_of(array.data_type())?, dtype_of(to)?);
    if let Some(level) = casting {
        rules.can_cast(from, to, level)?;
    }
    if from == to {
        return Ok(make_array(array.to_data()));
    }
    let work = Work::Cast(rules.cast_kernel(from, to)?);
    compute(work, &[input], array.len(), to, array.nulls())
}

/// The condition of a choice; null counts as false.
enum Condition {
    Each(BooleanBuffer),
    Once(bool),
}

impl Condition {
    fn of(condition: Argument<'_>) -> Result<Condition, Error> {
        let array = match condition {
            Argument::Array(array) | Argument::Scalar(array) | Argument::Constant(array) => array,
            Argument::Number(Number::Bool(value)) => return Ok(Condition::Once(value)),
            Argument::Number(_) => {
                let problem = "must be a bool or an array of bools";
                return Err(CallError::Parameter { name: "condition", problem }.into());
            }
        };
        let Some(array) = array.as_boolean_opt() else {
            let (role, expected) = (ArgumentRole::Condition, DType::Bool);
            let found = dtype_of(array.data_type())?;
            return Err(CallError::DType { role, expected, found }.into());
        };
        let mask = match array.nulls() {
            Some(nulls) => array.values() & nulls.inner(),
            None => array.values().clone(),
        };
        match condition {
            Argument::Scalar(_) | Argument::Constant(_) if mask.len() == 1 => {
                Ok(Condition::Once(mask.value(0)))
            }
            _ => Ok(Condition::Each(mask)),
        }
    }
}

/// Returns the bits of the mask whose rows are not null.
fn valid_within(mask: &BooleanBuffer, nulls: Nulls<'_>) -> BooleanBuffer {
    match nulls {
        Nulls::None => mask.clone(),
        Nulls::All => BooleanBuffer::new_unset(mask.len()),
        Nulls::Some(nulls) => mask & nulls.inner(),
    }
}

/// Returns the length that all arrays have; 1 if there are none.
fn length(operands: &[Argument<'_>]) -> Result<usize, Error> {
    let mut lengths = operands.iter().filter_map(Argument::len);
    let Some(expected) = lengths.next() else { return Ok(1) };
    match lengths.find(|len| *len != expected) {
        Some(found) => Err(Error::Length { expected, found }),
        None => Ok(expected),
    }
}

/// Returns the dtype of the result of an op. Extra inputs take no part in it, except the third operand of an
/// op such as `addcmul`.
fn dtype_of_result(rules: &RuleSet, op: Op, inputs: &[Input<'_>]) -> Result<DType, Error> {
    if let [Input::Elements(a, _), Input::Elements(b, _)] = inputs
        && op.inputs() == 2
        && let Ok(kernel) = rules.kernel(op, *a, *b)
    {
        // It is usually cached.
        return Ok(kernel.dtypes()[2]);
    }
    let mut kinds = ArrayVec::<_, MAX_INPUTS>::new();
    for input in inputs {
        kinds.push(input.operand());
    }
    let mut operands = &kinds[..];
    let joined;
    if !matches!(op, Op::Custom(_)) {
        let extras = op.extras();
        let needed = op.arity() + extras.iter().filter(|extra| extra.default.is_none()).count();
        if inputs.len() < needed || inputs.len() > op.inputs() {
            return Err(CallError::Inputs { expected: op.inputs(), found: inputs.len() }.into());
        }
        let first = extras.first().map(|extra| extra.kind);
        if first == Some(ExtraKind::Condition) {
            operands = &operands[1..];
        }
        if first == Some(ExtraKind::Operand) {
            joined = [Operand::Array(rules.result_type(&operands[..=op.arity()])?.dtype); 2];
            operands = &joined;
        }
        operands = &operands[..op.arity()];
    }
    Ok(rules.op_types(op, operands)?.output)
}

/// Computes a logical op on packed booleans, 64 at a time; `None` for other ops and operands.
fn on_bits(op: Op, inputs: &[Input<'_>]) -> Option<BooleanBuffer> {
    match (op, inputs) {
        (Op::BitwiseAnd | Op::LogicalAnd, [Input::Bits(a), Input::Bits(b)]) => Some(a & b),
        (Op::BitwiseOr | Op::LogicalOr, [Input::Bits(a), Input::Bits(b)]) => Some(a | b),
        (Op::BitwiseXor | Op::LogicalXor, [Input::Bits(a), Input::Bits(b)]) => Some(a ^ b),
        (Op::BitwiseNot | Op::LogicalNot, [Input::Bits(a)]) => Some(!a),
        _ => None,
    }
}
