//! Type stubs, generated from rule sets.
//!
//! A function of a namespace has the type of a protocol whose `__call__` has overloads. Operands with one
//! result share an overload, and ops with equal overloads share a protocol; otherwise the stubs of a rule set
//! would have some ten thousand overloads.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use promote::{DType, Number, Op, Operand, RULE_SETS, RuleSet};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::guard;
use crate::function::{computes_in_place, is_condition};
use crate::namespace::{ARRAY_API, computed, dtype_names};
use crate::{arrays, rules};

/// Returns the type stub of this package, with the namespaces of rule sets: of their names or of the paths of
/// rule files, or of all bundled ones.
#[pyfunction]
#[pyo3(signature = (*rules))]
pub(crate) fn stubs(rules: &Bound<'_, PyTuple>) -> PyResult<String> {
    guard(|| {
        let mut names: Vec<String> = rules.extract()?;
        if names.is_empty() {
            names.extend(RULE_SETS.iter().map(|name| (*name).to_owned()));
        }
        let (mut classes, mut overloads, mut unions) = (String::new(), String::new(), Unions::default());
        for name in &names {
            let found = rules::find(name, None)?;
            let class = class_name(found.name());
            classes += &namespace(rules.py(), &found, &class, &mut unions);
            let _ = write!(
                overloads,
                "@overload\ndef namespace(rules: Literal[{name:?}], /, **parameters: object) -> {class}: ...\n"
            );
        }
        overloads.push_str("@overload\ndef namespace(rules: str, /, **parameters: object) -> Any: ...\n");
        let mut text = HEAD.to_owned();
        for dtype in DType::WITH_TYPE.iter().filter(|dtype| !is_numpys(**dtype)) {
            let name = scalar(*dtype);
            let _ = writeln!(
                text,
                "class {name}(np.generic):\n    def __new__(cls, value: object = ..., /) -> {name}: ..."
            );
        }
        for (union, name) in &unions.0 {
            let _ = writeln!(text, "{name} = {union}");
        }
        Ok(text + "\n" + &classes + &overloads)
    })
}

const HEAD: &str = r#"# Made by `promote_dtypes.stubs()`. A function has an overload for each pair of dtypes that has a result;
# pairs with one result share an overload. Zero-dimensional arrays are typed as arrays with axes.
# mypy: disable-error-code="overload-overlap, overload-cannot-match"
# pyright: reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

__version__: str

_Operand = NDArray[Any] | complex
_Out = TypeVar("_Out", bound=NDArray[Any])
_Axis = int | tuple[int, ...] | None
_DType = str | type | np.dtype[Any]
_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe", "default"]
_Reduction = Literal["none", "mean", "sum"]

class Function: ...

def rule_sets() -> list[str]: ...
def stubs(*rules: str) -> str: ...
def result_type(rules: str, *operands: Any, op: str | None = None, **parameters: object) -> str: ...
def explain(rules: str, *operands: Any, op: str | None = None, **parameters: object) -> str: ...
def can_cast(
    rules: str, source: _DType, target: _DType, /, casting: _Casting | None = None, **parameters: object
) -> bool: ...

class _Namespace(Protocol):
    def result_type(self, *operands: Any, op: str | None = None) -> np.dtype[Any]: ...
    def explain(self, *operands: Any, op: str | None = None) -> str: ...
    def can_cast(self, source: _DType, target: _DType, /, casting: _Casting | None = None) -> bool: ...

"#;

/// Returns the name of the class of a namespace.
fn class_name(rules: &str) -> String {
    format!("_{rules}")
}

/// An operand as types of Python tell it from others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Array(usize),
    Number(&'static str, usize),
}

/// Python's numbers, from the narrowest type to the widest.
const NUMBERS: [(&str, Number); 4] = [
    ("bool", Number::Bool(true)),
    ("int", Number::Int(1)),
    ("float", Number::Float(1.0)),
    ("complex", Number::Complex(1.0, 1.0)),
];

/// Returns the class of a rule set's namespace, after the protocols of its functions.
fn namespace(py: Python<'_>, rules: &RuleSet, class: &str, unions: &mut Unions) -> String {
    let (mut protocols, mut known) = (String::new(), HashMap::<String, String>::new());
    let mut body = String::new();
    for (name, _) in dtype_names(py, rules) {
        let _ = writeln!(body, "    {name}: np.dtype[Any]");
    }
    for op in computed(rules) {
        let calls = calls(rules, op, unions);
        if calls.is_empty() {
            continue;
        }
        let protocol = known.entry(calls).or_insert_with_key(|calls| {
            let name: String = op.name().split('_').map(capital).collect();
            let _ = write!(protocols, "class {class}{name}(Protocol):\n{calls}\n");
            format!("{class}{name}")
        });
        let _ = writeln!(body, "    {}: {protocol}", op.name());
        for (name, _) in ARRAY_API.iter().filter(|(_, other)| *other == op) {
            let _ = writeln!(body, "    {name}: {protocol}");
        }
    }
    format!("{protocols}class {class}(_Namespace):\n{body}\n")
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns the overloads of a function.
#[allow(clippy::too_many_lines, reason = "one text, from its first line to its last")]
fn calls(rules: &RuleSet, op: Op, unions: &mut Unions) -> String {
    let dtypes: Vec<DType> =
        DType::WITH_TYPE.iter().copied().filter(|one| rules.dtypes().contains(one)).collect();
    let mut before = String::new();
    for extra in op.extras().iter().filter(|extra| is_condition(extra)) {
        let _ = write!(before, "{}: NDArray[np.bool] | bool, ", extra.name);
    }
    let (mut behind, mut named) = (String::new(), String::new());
    for extra in op.extras().iter().filter(|extra| !is_condition(extra)) {
        let ty = if extra.kind.is_number() { "complex" } else { "_Operand" };
        match extra.default {
            None => {
                let _ = write!(behind, ", {}: {ty}", extra.name);
            }
            Some(_) => {
                let _ = write!(named, "{}: {ty} = ..., ", extra.name);
            }
        }
    }
    let takes_dtype = op.info().arguments.contains(&"dtype");
    for name in op.info().arguments {
        named.push_str(match *name {
            "axis" if op.joins_arrays() => "axis: int = ..., ",
            "axis" if RuleSet::is_scan(op) => "axis: int | None = ..., ",
            "axis" => "axis: _Axis = ..., ",
            "keepdims" => "keepdims: bool = ..., ",
            "correction" => "correction: float | None = ..., ",
            // It decides the dtype of the result, and has an overload below.
            _ => "",
        });
    }
    if op.is_loss() {
        named.push_str("reduction: _Reduction = ..., log_input: bool = ..., full: bool = ..., ");
    }
    let overload = |operands: &str, out: &str, result: &str| {
        format!(
            "    @overload\n    def __call__(self, {before}{operands}{behind}, /, *, {named}{out}) -> {result}: ...\n"
        )
    };
    let dtype = |annotation: &str| if takes_dtype { format!("dtype: {annotation}, ") } else { String::new() };
    let with_out =
        |operands: &str| overload(operands, &format!("{}out: _Out", dtype("_DType | None = ...")), "_Out");
    let no_out = format!("{}out: None = ...", dtype("None = ..."));
    if matches!(op, Op::Astype) {
        return "    def __call__(self, x: NDArray[Any], dtype: _DType, /, *, casting: _Casting | None = ..., out: NDArray[Any] | None = ...) -> NDArray[Any]: ...\n".to_owned();
    }
    let operand = |kind: Kind| match kind {
        Kind::Array(at) => Operand::Array(dtypes[at]),
        Kind::Number(_, at) => Operand::Number(NUMBERS[at].1),
    };
    let result = |operands: &[Operand]| {
        rules.op_types(op, operands).ok().map(|types| types.output).filter(|output| output.has_type())
    };
    let mut kinds: Vec<Kind> = (0..dtypes.len()).map(Kind::Array).collect();
    kinds.extend(NUMBERS.iter().enumerate().map(|(at, (name, _))| Kind::Number(name, at)));
    let mut text = String::new();
    if op.joins_arrays() {
        for (at, dtype) in dtypes.iter().enumerate() {
            let one = operand(Kind::Array(at));
            if let Some(output) = result(&[one, one]) {
                let arrays = format!("arrays: Sequence[NDArray[{}]]", scalar(*dtype));
                text += &overload(&arrays, &no_out, &format!("NDArray[{}]", scalar(output)));
            }
        }
        if !text.is_empty() {
            text += &overload("arrays: Sequence[_Operand]", &no_out, "NDArray[Any]");
            text += &with_out("arrays: Sequence[_Operand]");
        }
        return text;
    }
    // The first operands of each overload, by its second operands and its result.
    let mut rows = BTreeMap::<(Vec<Kind>, usize), Vec<Kind>>::new();
    for &a in &kinds {
        let mut found = BTreeMap::<(usize, usize), Vec<Kind>>::new();
        if op.arity() == 1 {
            if let Some(output) = result(&[operand(a)]) {
                found.entry((0, output.index())).or_default();
            }
        } else {
            for &b in &kinds {
                // Numbers have an overload each, since each type of Python's numbers is one of the next, too.
                let apart = match b {
                    Kind::Array(_) => 0,
                    Kind::Number(_, at) => at + 1,
                };
                if let Some(output) = result(&[operand(a), operand(b)]) {
                    found.entry((apart, output.index())).or_default().push(b);
                }
            }
        }
        for ((_, output), b) in found {
            rows.entry((b, output)).or_default().push(a);
        }
    }
    let mut overloads = Vec::new();
    for ((b, output), all) in rows {
        let (arrays, numbers): (Vec<Kind>, Vec<Kind>) =
            all.into_iter().partition(|a| matches!(a, Kind::Array(_)));
        let mut add = |a: &[Kind]| {
            let parameters = match op.arity() {
                1 => format!("x: {}", unions.of(&dtypes, a)),
                _ => format!("x1: {}, x2: {}", unions.of(&dtypes, a), unions.of(&dtypes, &b)),
            };
            overloads.push((
                (a.first().copied(), b.first().copied()),
                overload(&parameters, &no_out, &format!("NDArray[{}]", scalar(DType::STANDARD[output]))),
            ));
        };
        if !arrays.is_empty() {
            add(&arrays);
        }
        for number in &numbers {
            add(std::slice::from_ref(number));
        }
    }
    if overloads.is_empty() {
        return text;
    }
    // Overloads are tried in order: arrays before numbers, and narrow numbers before wide ones.
    let rank = |kind: &Option<Kind>| match kind {
        Some(Kind::Number(_, at)) => at + 1,
        _ => 0,
    };
    overloads.sort_by_key(|((a, b), _)| (rank(a), rank(b)));
    text.extend(overloads.into_iter().map(|(_, overload)| overload));
    let (any, first) = match op.arity() {
        1 => ("x: _Operand", "x: _Out"),
        _ => ("x1: _Operand, x2: _Operand", "x1: _Out, x2: _Operand"),
    };
    if takes_dtype {
        text += &overload(any, "dtype: _DType, out: None = ...", "NDArray[Any]");
    }
    text += &with_out(any);
    if computes_in_place(op) {
        text += &overload(first, "in_place: Literal[True]", "_Out");
    }
    text
}

/// The names of unions of arrays, which occur many times.
#[derive(Default)]
struct Unions(Vec<(String, String)>);

impl Unions {
    fn name(&mut self, union: String) -> String {
        if let Some((_, name)) = self.0.iter().find(|(known, _)| *known == union) {
            return name.clone();
        }
        let name = format!("_Any{}", self.0.len());
        self.0.push((union, name.clone()));
        name
    }

    /// Returns the type of several operands.
    fn of(&mut self, dtypes: &[DType], kinds: &[Kind]) -> String {
        let (mut scalars, mut types) = (Vec::new(), Vec::new());
        for kind in kinds {
            match kind {
                Kind::Array(at) => scalars.push(scalar(dtypes[*at])),
                Kind::Number(name, _) => types.push((*name).to_owned()),
            }
        }
        if !scalars.is_empty() {
            let union = format!("NDArray[{}]", scalars.join(" | "));
            types.insert(0, if scalars.len() > 1 { self.name(union) } else { union });
        }
        types.join(" | ")
    }
}

/// Returns true for a dtype of NumPy itself.
fn is_numpys(dtype: DType) -> bool {
    dtype.numpy_name().is_some_and(|name| !name.starts_with('V'))
}

/// Returns the type of NumPy's scalars of a dtype.
fn scalar(dtype: DType) -> String {
    let name = arrays::numpy_names().name_of(dtype);
    // Stubs of `ml_dtypes` have no types of scalars.
    if is_numpys(dtype) { format!("np.{name}") } else { format!("_{name}") }
}
