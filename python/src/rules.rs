//! Rule sets by name, by the path of a rule file, and with other values of their parameters.

use std::path::Path;

use promote::{RULE_SETS, RuleSet, rule_file, rule_set};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// Returns the names of the bundled rule sets.
#[pyfunction]
pub(crate) fn rule_sets() -> Vec<&'static str> {
    RULE_SETS.to_vec()
}

/// Finds a bundled rule set, or reads a rule file.
pub(crate) fn find(name: &str, parameters: Option<&Bound<'_, PyDict>>) -> Result<RuleSet, Failure> {
    let mut rules = match rule_set(name) {
        Some(rules) => rules,
        None if Path::new(name).exists() => {
            rule_file::read(name).map_err(|error| Failure::value_error(error.to_string()))?
        }
        None => {
            return Err(Failure::value_error(format!(
                "there is no rule set and no rule file `{name}`; help: the rule sets are {}",
                RULE_SETS.join(", ")
            )));
        }
    };
    for (parameter, value) in parameters.into_iter().flatten() {
        let (parameter, value) = (parameter.str()?.to_string(), spelled(&value)?);
        // A dtype has the system's names or those of `promote`.
        let dtype = rules.dtype_named(&value).and_then(|dtype| rules.with(&parameter, dtype.name()));
        rules = rules.with(&parameter, &value).or(dtype).ok_or_else(|| {
            Failure::value_error(format!(
                "{} has no parameter `{parameter}` with a value `{value}`; help: `promote list {name}` prints \
                 its parameters",
                rules.name()
            ))
        })?;
    }
    Ok(rules)
}

/// Returns the value of a parameter as rule files spell it: `true` for `True`.
fn spelled(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(match value.extract::<bool>() {
        Ok(value) => value.to_string(),
        Err(_) => value.str()?.to_string(),
    })
}
