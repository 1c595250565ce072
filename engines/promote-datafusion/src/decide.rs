//! Which dtypes an operator has under a rule set.

use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{DataFusionError, ScalarValue};
use datafusion_expr::Operator;
use datafusion_expr::binary::BinaryTypeCoercer;
use promote::{DType, Number, Op, Operand, PromoteError, RuleSet};
use promote_arrow::arrow_array::{Array, ArrayRef};
use promote_arrow::arrow_array::{BooleanArray, Float64Array, Int64Array, UInt64Array};
use promote_arrow::{data_type_of, dtype_of};

use crate::rules::Rules;

/// The operators of SQL that rule sets decide, and their ops. `%` is not among them: see [`op_of`].
const OPS: [(Operator, Op); 17] = [
    (Operator::Plus, Op::Add),
    (Operator::Minus, Op::Subtract),
    (Operator::Multiply, Op::Multiply),
    (Operator::Divide, Op::Divide),
    (Operator::Eq, Op::Equal),
    (Operator::NotEq, Op::NotEqual),
    (Operator::Lt, Op::Less),
    (Operator::LtEq, Op::LessEqual),
    (Operator::Gt, Op::Greater),
    (Operator::GtEq, Op::GreaterEqual),
    (Operator::IsDistinctFrom, Op::NotEqual),
    (Operator::IsNotDistinctFrom, Op::Equal),
    (Operator::BitwiseAnd, Op::BitwiseAnd),
    (Operator::BitwiseOr, Op::BitwiseOr),
    (Operator::BitwiseXor, Op::BitwiseXor),
    (Operator::BitwiseShiftLeft, Op::LeftShift),
    (Operator::BitwiseShiftRight, Op::RightShift),
];

/// Returns the ops that operators of SQL stand for.
pub(crate) fn ops() -> impl Iterator<Item = Op> {
    let plain = OPS.iter().filter(|(operator, _)| !is_distinct(*operator)).map(|(_, op)| *op);
    plain.chain([Op::Remainder, Op::Fmod])
}

/// Returns the op that an operator stands for, if rule sets decide it.
///
/// `%` is the remainder with the sign of the divisor, as in Python, if the rule set has it. Otherwise it is
/// the one with the sign of the dividend, as in C and SQL.
pub(crate) fn op_of(operator: Operator, rules: &RuleSet) -> Option<Op> {
    if operator == Operator::Modulo {
        let has = |wanted| rules.ops().any(|op| op == wanted);
        return Some(if has(Op::Remainder) { Op::Remainder } else { Op::Fmod });
    }
    OPS.iter().find(|(known, _)| *known == operator).map(|(_, op)| *op)
}

/// Returns true for the comparisons that treat null as a value. Kernels have no such ops.
pub(crate) fn is_distinct(operator: Operator) -> bool {
    matches!(operator, Operator::IsDistinctFrom | Operator::IsNotDistinctFrom)
}

/// The answer of a rule set about an operator on two operands.
pub(crate) struct Decision {
    pub(crate) op: Op,
    /// The type that both operands are cast to.
    pub(crate) common: DataType,
    /// The type of the result.
    pub(crate) output: DataType,
    /// True if this build computes the op in the common type.
    pub(crate) has_kernel: bool,
    /// True if results are not computed in another type and then rounded.
    pub(crate) is_computed_in_common: bool,
}

/// Returns what a rule set says; `None` if it does not have the op or a dtype, so that DataFusion decides.
pub(crate) fn decide(
    rules: &Rules,
    operator: Operator,
    operands: [Operand; 2],
) -> Result<Option<Decision>, DataFusionError> {
    let Some(op) = op_of(operator, rules.set()) else { return Ok(None) };
    let types = match rules.set().op_types(op, &operands) {
        Ok(types) => types,
        Err(error) if lacks(&error) => return Ok(None),
        Err(error) => return Err(refused(&error)),
    };
    let data_type = |dtype| data_type_of(dtype).map_err(|error| DataFusionError::Plan(error.to_string()));
    let has_kernel = rules.set().kernel(op, types.common, types.common).is_ok();
    let (common, output) = (data_type(types.common)?, data_type(types.output)?);
    let is_computed_in_common = types.compute == types.common;
    Ok(Some(Decision { op, common, output, has_kernel, is_computed_in_common }))
}

/// Returns the dtype that operands promote to; `None` if the rule set does not have one of them.
pub(crate) fn join(rules: &Rules, operands: &[Operand]) -> Result<Option<DataType>, DataFusionError> {
    match rules.set().result_type(operands) {
        Ok(found) => Ok(data_type_of(found.dtype).ok()),
        Err(error) if lacks(&error) => Ok(None),
        Err(error) => Err(refused(&error)),
    }
}

/// Returns true if the rule set has no answer, which is not a refusal.
fn lacks(error: &PromoteError) -> bool {
    error.is_unanswered() || matches!(error, PromoteError::Undefined { .. })
}

fn refused(error: &PromoteError) -> DataFusionError {
    let mut text = error.to_string();
    if !text.contains("help: ") {
        text += "; help: cast an operand, such as `CAST(x AS DOUBLE)`, or choose other rules by \
                 `SET promote.rules`";
    }
    DataFusionError::Plan(text)
}

/// Returns the type of DataFusion's result for two operands of a type, if DataFusion computes in that type.
pub(crate) fn engine_output(operator: Operator, common: &DataType) -> Option<DataType> {
    let types = BinaryTypeCoercer::new(common, &operator, common);
    let inputs = types.get_input_types().ok()?;
    (inputs.0 == *common && inputs.1 == *common).then(|| types.get_result_type().ok()).flatten()
}

/// Returns the operand that a column or an expression of a type is; `None` for types without a dtype.
pub(crate) fn operand(data_type: &DataType) -> Option<Operand> {
    dtype_of(data_type).ok().map(Operand::Array)
}

/// Returns the number that a literal is: a boolean, an integer or a float that is not null.
pub(crate) fn number(value: &ScalarValue) -> Option<Number> {
    Some(match *value {
        ScalarValue::Boolean(Some(x)) => x.into(),
        ScalarValue::Int8(Some(x)) => x.into(),
        ScalarValue::Int16(Some(x)) => x.into(),
        ScalarValue::Int32(Some(x)) => x.into(),
        ScalarValue::Int64(Some(x)) => x.into(),
        ScalarValue::UInt8(Some(x)) => x.into(),
        ScalarValue::UInt16(Some(x)) => x.into(),
        ScalarValue::UInt32(Some(x)) => x.into(),
        ScalarValue::UInt64(Some(x)) => x.into(),
        ScalarValue::Float16(Some(x)) => Number::Float(x.to_f64()),
        ScalarValue::Float32(Some(x)) => x.into(),
        ScalarValue::Float64(Some(x)) => x.into(),
        _ => return None,
    })
}

/// Returns a number as a literal of 64 bits, as SQL has it.
pub(crate) fn literal(number: Number) -> Option<ScalarValue> {
    Some(match number {
        Number::Bool(x) => ScalarValue::from(x),
        Number::Int(x) => match i64::try_from(x) {
            Ok(x) => ScalarValue::from(x),
            Err(_) => ScalarValue::from(u64::try_from(x).ok()?),
        },
        Number::Float(x) => ScalarValue::from(x),
        Number::Complex(..) => return None,
    })
}

/// Returns a number as a literal of a type, converted as kernels convert it.
pub(crate) fn literal_of(rules: &Rules, number: Number, to: &DataType) -> Option<ScalarValue> {
    let array: ArrayRef = match literal(number)? {
        ScalarValue::Boolean(x) => std::sync::Arc::new(BooleanArray::from(vec![x])),
        ScalarValue::Int64(x) => std::sync::Arc::new(Int64Array::from(vec![x])),
        ScalarValue::UInt64(x) => std::sync::Arc::new(UInt64Array::from(vec![x])),
        ScalarValue::Float64(x) => std::sync::Arc::new(Float64Array::from(vec![x])),
        _ => return None,
    };
    let cast = promote_arrow::cast(rules.set(), &array, to, None).ok()?;
    ScalarValue::try_from_array(&cast, 0).ok()
}

/// Computes an arithmetic operator on two numbers, as Python computes it on its numbers: in 64 bits, whatever
/// dtype the rule set would give an array. `None` if the rule set has no answer, so that DataFusion computes.
pub(crate) fn fold(rules: &Rules, operator: Operator, a: Number, b: Number) -> Option<Number> {
    use Operator::{Divide, Minus, Modulo, Multiply, Plus};
    if !matches!(operator, Plus | Minus | Multiply | Divide | Modulo) {
        return None;
    }
    let op = op_of(operator, rules.set())?;
    let output = rules.set().op_types(op, &[Operand::Number(a), Operand::Number(b)]).ok()?.output;
    let wide = match output.kind() {
        promote::Kind::Unsigned | promote::Kind::Signed => DType::I64,
        promote::Kind::Float => DType::F64,
        _ => return None,
    };
    let array = |number| literal_of(rules, number, &data_type_of(wide).ok()?)?.to_array().ok();
    let (a, b) = (array(a)?, array(b)?);
    let result = promote_arrow::call(rules.set(), op, &[(&a).into(), (&b).into()]).ok()?;
    debug_assert_eq!(result.len(), 1, "arrays of one element");
    number(&ScalarValue::try_from_array(&result, 0).ok()?)
}
