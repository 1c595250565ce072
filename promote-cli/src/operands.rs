//! Names of dtypes and ops, and properties of rule sets and answers, for all subcommands.

use std::borrow::Cow;

use promote::{DType, Number, Op, Operand};
use promote_rules::model::Category;

use crate::failure::{Failure, listed};
use crate::load::Loaded;
use crate::suggest::near_op;

/// Looks up dtypes by their names, in order. Without names, all dtypes of the rule set are returned.
pub(crate) fn dtypes(loaded: &Loaded, names: &[String]) -> Result<Vec<DType>, Failure> {
    if names.is_empty() {
        return Ok(loaded.rules.tables().dtypes.to_vec());
    }
    let dtypes = names.iter().map(|name| dtype(loaded, name)).collect::<Result<Vec<DType>, Failure>>()?;
    let named: Vec<String> = dtypes.iter().map(|dtype| loaded.show(*dtype).into_owned()).collect();
    named_once("dtype", &named)?;
    Ok(dtypes)
}

/// Checks that no name of a list of options such as `--dtypes` is there twice.
pub(crate) fn named_once(what: &str, names: &[String]) -> Result<(), Failure> {
    match (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
        Some(twice) => Err(Failure::new(format!("the {what} `{}` is named twice", names[twice]))),
        None => Ok(()),
    }
}

/// Looks up a dtype by its name.
///
/// # Errors
/// Returns an error if the rule set has no dtype of this name.
pub(crate) fn dtype(loaded: &Loaded, name: &str) -> Result<DType, Failure> {
    let message = || format!("`{name}` is not a dtype of {}", loaded.rules.name());
    loaded.find_dtype(name).ok_or_else(|| loaded.no_dtype(name, message(), ""))
}

/// Looks up an op by its name, or by one that the system of the rule set has for it.
///
/// # Errors
/// Returns an error if there is no such op, or if the rule set has no rules for it.
pub(crate) fn op(loaded: &Loaded, name: &str) -> Result<Op, Failure> {
    let rules = &loaded.rules;
    if let Some(op) = loaded.find_op(name) {
        return Ok(op);
    }
    let known: Vec<&str> = rules.tables().ops.iter().map(|table| table.op.name()).collect();
    let all = if known.is_empty() {
        "the rule set has no ops, only promotion".to_owned()
    } else {
        format!("its ops: {}", listed(known.iter().copied()))
    };
    let no_rules = || Failure::new(format!("{} has no rules for the op `{name}`", rules.name()));
    Err(if name.parse::<Op>().is_ok() {
        no_rules().help(all)
    } else if promote_rules::ops_without_kernels().any(|(known, _)| known == name) {
        let rules = rules.name();
        no_rules().help(format!(
            "a rule file can give it dtypes: `rules Mine extends {rules}; op {name} {{ bool | int => f32; }}`; {all}"
        ))
    } else {
        let ops: Vec<&str> = known.iter().copied().chain(Op::STANDARD.iter().map(|op| op.name())).collect();
        let all = format!("the ops of {}: {}", rules.name(), listed(known.iter().copied()));
        Failure::new(format!("there is no op `{name}`")).help(near_op(name, &ops, &all))
    })
}

/// Returns the parameters with their values.
pub(crate) fn params(loaded: &Loaded) -> Vec<(&'static str, Cow<'static, str>)> {
    let tables = loaded.rules.tables();
    let values = tables.values(loaded.setting).map(|value| loaded.names.show_value(&loaded.rules, value));
    tables.params.iter().map(|param| param.name).zip(values).collect()
}

/// Returns the parameters with their values in parentheses, after a space; nothing if there are none.
pub(crate) fn setting(loaded: &Loaded) -> String {
    let params: Vec<String> =
        params(loaded).iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if params.is_empty() { String::new() } else { format!(" ({})", params.join(", ")) }
}

/// Returns a title: the rule set, a subject, and the values of the parameters.
pub(crate) fn title(loaded: &Loaded, what: &str) -> String {
    format!("{}: {what}{}", loaded.rules.name(), setting(loaded))
}

/// A number of each kind, with its name in tables.
pub(crate) const NUMBERS: [(&str, Number); 4] = [
    ("py_bool", Number::Bool(true)),
    ("py_int", Number::Int(1)),
    ("py_float", Number::Float(1.0)),
    ("py_complex", Number::Complex(1.0, 1.0)),
];

/// Returns true if operands and results of a rule set can be weak.
pub(crate) fn knows_weak(loaded: &Loaded) -> bool {
    loaded.compiled.rules.order.contains(&Category::Weak)
}

/// Returns true if the table of an op has one column: the op has one operand, or it is a custom op with
/// kernels, whose inputs count by their common dtype.
pub(crate) fn takes_one(op: Op) -> bool {
    op.arity() == 1 || matches!(op, Op::Custom(custom) if custom.has_kernels())
}

/// Returns the operands of a cell in the table of an op: of three or more operands, the second one stands for
/// all that follow.
pub(crate) fn of_cell(op: Option<Op>, cell: &[Operand]) -> Vec<Operand> {
    let more = op.map_or(0, |op| op.arity().saturating_sub(2));
    let second = cell.get(1).into_iter().cycle().take(if cell.len() > 1 { more } else { 0 });
    cell.iter().chain(second).copied().collect()
}

/// Returns true if two answers are equal. Stars count if both rule sets have weak operands (`weak`).
pub(crate) fn same(a: &str, b: &str, weak: bool) -> bool {
    if weak { a == b } else { a.replace('*', "") == b.replace('*', "") }
}
