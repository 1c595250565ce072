//! Questions to a rule set.

use std::fmt::Write as _;

use promote::{Casting, DType, Op, Operand, RuleSet};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrays::{self, Input};
use crate::error::{Failure, guard};
use crate::rules;

/// Returns the system's name of the dtype that operands promote to, or that an op of them has.
///
/// An operand is a name of the system, such as `"torch.float16"`; a NumPy dtype, an array or a number. A name
/// with `[]` is a zero-dimensional array, and one with `*` a weakly typed array.
#[pyfunction]
#[pyo3(signature = (rules, *operands, op=None, **parameters))]
pub(crate) fn result_type(
    rules: &str,
    operands: &Bound<'_, PyTuple>,
    op: Option<&str>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<&'static str> {
    guard(|| {
        let rules = rules::find(rules, parameters)?;
        Ok(rules.name_of(result(&rules, operands, op)?))
    })
}

/// Returns the dtype that operands promote to, or that an op of them has.
pub(crate) fn result(
    rules: &RuleSet,
    operands: &Bound<'_, PyTuple>,
    op: Option<&str>,
) -> Result<DType, Failure> {
    let operands = operands.iter().map(|one| operand(rules, &one)).collect::<Result<Vec<_>, _>>()?;
    Ok(match op {
        Some(op) => rules.op_types(op_named(rules, op)?, &operands)?.output,
        None => rules.result_type(&operands)?.dtype,
    })
}

/// Returns true if the rule set casts one dtype to another, at a level such as `"same_kind"`. Without a level
/// it is that which a rule set has alone, or `"safe"`.
#[pyfunction]
#[pyo3(signature = (rules, source, target, /, casting=None, **parameters))]
pub(crate) fn can_cast(
    rules: &str,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    casting: Option<&str>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<bool> {
    guard(|| {
        let rules = rules::find(rules, parameters)?;
        casts(&rules, source, target, casting)
    })
}

/// Returns true if the rule set casts one dtype to another.
pub(crate) fn casts(
    rules: &RuleSet,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    casting: Option<&str>,
) -> Result<bool, Failure> {
    let casting = match casting {
        Some(name) => name
            .parse()
            .map_err(|error: promote::ParseCastingError| Failure::value_error(error.to_string()))?,
        None if rules.castings().contains(&Casting::Default) => Casting::Default,
        None => Casting::Safe,
    };
    let (source, target) = (dtype(rules, source)?, dtype(rules, target)?);
    match rules.can_cast(source, target, casting) {
        Ok(()) => Ok(true),
        Err(promote::PromoteError::CastRefused { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Explains what operands promote to, or the dtype of an op of them, by the clauses of the rule file that
/// decide.
///
/// The operands are those of `result_type`.
#[pyfunction]
#[pyo3(signature = (rules, *operands, op=None, **parameters))]
pub(crate) fn explain(
    rules: &str,
    operands: &Bound<'_, PyTuple>,
    op: Option<&str>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    guard(|| {
        let rules = rules::find(rules, parameters)?;
        explanation(&rules, operands, op)
    })
}

/// Explains a result in words.
pub(crate) fn explanation(
    rules: &RuleSet,
    operands: &Bound<'_, PyTuple>,
    op: Option<&str>,
) -> Result<String, Failure> {
    let asked = operands.iter().map(|one| operand(rules, &one)).collect::<Result<Vec<_>, _>>()?;
    let op = op.map(|name| op_named(rules, name)).transpose()?;
    let explained = rules.explain(op, &asked)?;
    let shown: Vec<String> = asked.iter().map(|one| shown(rules, *one)).collect();
    let weak = if explained.result.weak { ", weak" } else { "" };
    let (shown, result) = (shown.join(" and "), rules.name_of(explained.result.dtype));
    let mut text = match op {
        Some(op) => format!("{}: `{op}` of {shown} gives {result}{weak}", rules.name()),
        None if asked.len() == 1 => format!("{}: {shown} is {result}{weak}", rules.name()),
        None => format!("{}: {shown} promote to {result}{weak}", rules.name()),
    };
    for clause in explained.clauses() {
        let _ = write!(
            text,
            "\n  decided by `{}` in `{}` ({}:{})",
            clause.text, clause.block, clause.file, clause.line
        );
    }
    if let Some(types) = explained.types {
        let (common, compute) = (rules.name_of(types.common), rules.name_of(types.compute));
        let computed = if common == compute { String::new() } else { format!(", are computed in {compute}") };
        let _ = write!(text, "\n  the operands become {common}{computed}; the result is {result}");
    }
    Ok(text)
}

/// Returns an operand in words.
fn shown(rules: &RuleSet, operand: Operand) -> String {
    match operand {
        Operand::Array(dtype) => rules.name_of(dtype).to_owned(),
        Operand::ZeroDim(dtype, _) => format!("zero-dimensional {}", rules.name_of(dtype)),
        Operand::Weak(dtype) => format!("weak {}", rules.name_of(dtype)),
        Operand::Number(number) => number.to_string(),
        other => other.kind().to_string(),
    }
}

/// Returns the op of a rule set with a name.
pub(crate) fn op_named(rules: &RuleSet, name: &str) -> Result<Op, Failure> {
    rules.ops().find(|op| op.name() == name).ok_or_else(|| {
        Failure::value_error(format!(
            "{} has no op `{name}`; help: `promote list NAME` prints the ops of a rule set",
            rules.name()
        ))
    })
}

/// Reads an operand of a question.
fn operand(rules: &RuleSet, object: &Bound<'_, PyAny>) -> Result<Operand, Failure> {
    if let Ok(name) = object.extract::<&str>() {
        return Ok(match (name.strip_suffix("[]"), name.strip_suffix('*')) {
            (Some(name), _) => Operand::ZeroDim(named(rules, name)?, None),
            (_, Some(name)) => Operand::Weak(named(rules, name)?),
            _ => Operand::Array(named(rules, name)?),
        });
    }
    if is_dtype(object)? {
        return Ok(Operand::Array(arrays::dtype_from(object)?));
    }
    Ok(match Input::new(object)? {
        Input::Memory(memory) => promote::Argument::Array(&memory.view()?).operand(),
        Input::Number(number) => Operand::Number(number),
    })
}

/// Reads a dtype: a name of the system, or what NumPy makes a dtype of.
pub(crate) fn dtype(rules: &RuleSet, object: &Bound<'_, PyAny>) -> Result<DType, Failure> {
    match object.extract::<&str>() {
        Ok(name) => named(rules, name),
        Err(_) => arrays::dtype_from(object),
    }
}

fn named(rules: &RuleSet, name: &str) -> Result<DType, Failure> {
    rules.dtype_named(name).ok_or_else(|| {
        let names: Vec<&str> = rules.dtypes().iter().map(|dtype| rules.name_of(*dtype)).collect();
        Failure::value_error(format!(
            "{} has no dtype `{name}`; help: its dtypes are {}",
            rules.name(),
            names.join(", ")
        ))
    })
}

/// Returns true for a `numpy.dtype` and for a class, such as `numpy.float32`.
fn is_dtype(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let numpy = object.py().import("numpy")?;
    Ok(object.is_instance_of::<pyo3::types::PyType>() || object.is_instance(&numpy.getattr("dtype")?)?)
}
