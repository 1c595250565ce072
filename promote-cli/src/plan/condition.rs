//! Checks the condition operand of `where`.

use promote::{ExtraKind, Number, Op};

use super::{Placed, Value};
use crate::expr::Expression;
use crate::failure::Failure;

/// Checks that the condition of an op is a bool.
///
/// # Errors
/// Returns an error with the condition's text if it has another dtype.
pub(super) fn check(expression: &Expression, op: Op, values: &[Placed]) -> Result<(), Failure> {
    let takes_condition = op.extras().first().is_some_and(|extra| extra.kind == ExtraKind::Condition);
    let Some(condition) = values.first().filter(|_| takes_condition) else { return Ok(()) };
    let found = match &condition.value {
        Value::Array(held) if held.dtype != promote::DType::Bool => format!("`{}`", held.dtype),
        Value::ZeroDim(value) if value.dtype() != promote::DType::Bool => format!("`{}`", value.dtype()),
        Value::Number(Number::Int(_) | Number::Float(_) | Number::Complex(..)) => "a number".to_owned(),
        _ => return Ok(()),
    };
    let text = expression.text(condition.step);
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let compared = if is_word { format!("{text} != 0") } else { format!("({text}) != 0") };
    Err(Failure::new(format!("the condition `{text}` of `{op}` is {found}, and it has to be `bool`"))
        .help(format!("write `{compared}`")))
}
