//! The array namespace of a rule set.

use std::collections::HashMap;
use std::sync::Mutex;

use promote::{DType, Op, RuleSet};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::{Failure, guard};
use crate::{arrays, explain, function, rules};

/// The names that the array API standard has for ops, where they differ from ours.
pub(crate) const ARRAY_API: [(&str, Op); 5] = [
    ("bitwise_invert", Op::BitwiseNot),
    ("bitwise_left_shift", Op::LeftShift),
    ("bitwise_right_shift", Op::RightShift),
    ("clip", Op::Clamp),
    ("concat", Op::Concatenate),
];

/// Returns the array namespace of a rule set, by its name or by the path of a rule file.
///
/// It has a function for each op that this package computes, and NumPy's dtypes by the system's names for
/// them. The functions take NumPy arrays, numbers, and objects with the buffer protocol or DLPack, and return
/// NumPy arrays.
#[pyfunction]
#[pyo3(signature = (rules, /, **parameters))]
pub(crate) fn namespace(
    py: Python<'_>,
    rules: &str,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyModule>> {
    type Made = HashMap<String, (RuleSet, Py<PyModule>)>;
    /// The namespaces by the names of the rule sets, and the parameters.
    static MADE: Mutex<Option<Made>> = Mutex::new(None);

    guard(|| {
        let found = self::rules::find(rules, parameters)?;
        let key = match parameters {
            None => rules.to_owned(),
            Some(parameters) => format!("{rules}{parameters}"),
        };
        let made = MADE.lock().ok().and_then(|all| {
            let (known, module) = all.as_ref()?.get(&key)?;
            // A rule file may have changed.
            (*known == found).then(|| module.clone_ref(py))
        });
        if let Some(made) = made {
            return Ok(made);
        }
        let module = new(py, &key, found)?;
        // A module that is replaced is freed after the lock is.
        let _replaced = MADE
            .lock()
            .ok()
            .and_then(|mut all| all.get_or_insert_default().insert(key, (found, module.clone_ref(py))));
        Ok(module)
    })
}

fn new(py: Python<'_>, name: &str, rules: RuleSet) -> Result<Py<PyModule>, Failure> {
    let module = PyModule::new(py, &format!("promote_dtypes.namespace({name:?})"))?;
    for (name, dtype) in dtype_names(py, &rules) {
        module.add(name, arrays::descr(py, dtype)?)?;
    }
    for op in computed(&rules) {
        module.add(op.name(), function::new(&module, rules, op, op.name())?)?;
        for (name, _) in ARRAY_API.iter().filter(|(_, other)| *other == op) {
            module.add(*name, function::new(&module, rules, op, name)?)?;
        }
    }
    let questions = Bound::new(py, Questions(rules))?;
    for name in ["result_type", "can_cast", "explain"] {
        module.add(name, questions.getattr(name)?)?;
    }
    Ok(module.unbind())
}

/// Returns the system's names of dtypes that are names in Python, such as `float16` of `torch.float16`. These
/// are the dtypes that NumPy or the package `ml_dtypes` has.
pub(crate) fn dtype_names(py: Python<'_>, rules: &RuleSet) -> Vec<(&'static str, DType)> {
    let mut names: Vec<(&str, DType)> = Vec::new();
    for dtype in rules.dtypes().iter().filter(|dtype| arrays::descr(py, **dtype).is_ok()) {
        for name in rules.names_of(*dtype) {
            let name = name.rsplit('.').next().unwrap_or(name);
            if is_name(name) && names.iter().all(|(known, _)| *known != name) {
                names.push((name, *dtype));
            }
        }
    }
    names
}

/// Returns the ops of a rule set that this package computes. Each rule set casts arrays.
pub(crate) fn computed(rules: &RuleSet) -> impl Iterator<Item = Op> {
    let is_computed = |op: &Op| match op {
        Op::Custom(_) | Op::Astype => false,
        &op => {
            let is_whole = op.takes_whole_arrays() || RuleSet::is_reduction(op) || RuleSet::is_scan(op);
            is_whole || op.info().kernel.is_some()
        }
    };
    rules.ops().filter(is_computed).chain([Op::Astype])
}

/// Returns true for an identifier of Python.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Questions to the rule set of a namespace.
#[pyclass(frozen, module = "promote_dtypes")]
struct Questions(RuleSet);

#[pymethods]
impl Questions {
    /// Returns NumPy's dtype for what operands promote to, or that an op of them has.
    #[pyo3(signature = (*operands, op=None))]
    fn result_type<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        op: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guard(|| Ok(arrays::descr(py, explain::result(&self.0, operands, op)?)?.clone()))
    }

    /// Returns true if the rule set casts one dtype to another.
    #[pyo3(signature = (source, target, /, casting=None))]
    fn can_cast(
        &self,
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        casting: Option<&str>,
    ) -> PyResult<bool> {
        guard(|| explain::casts(&self.0, source, target, casting))
    }

    /// Explains what operands promote to, or the dtype of an op of them.
    #[pyo3(signature = (*operands, op=None))]
    fn explain(&self, operands: &Bound<'_, PyTuple>, op: Option<&str>) -> PyResult<String> {
        guard(|| explain::explanation(&self.0, operands, op))
    }
}
