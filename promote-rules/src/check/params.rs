//! Checks of parameters that clauses give.

use std::collections::BTreeSet;

use super::forms::all_clauses;
use crate::diag::Errors;
use crate::model::{DTypeId, Guard, Int, Output, Rules, Term, Value};
use crate::tables::{MAX_SETTINGS, choices};

/// Checks that a parameter that is a result has a dtype as its value: the condition of the clause, together
/// with those of the `when`s around it, must exclude the other values.
///
/// A mistake is `param autocast: off | f16 = off;` with `float, float => autocast;`.
pub(super) fn parameters_give_dtypes(errors: &mut Errors, rules: &Rules) {
    let count = rules.params.iter().fold(1_usize, |count, param| count.saturating_mul(param.values.len()));
    // Too many combinations are an error of their own.
    if count > MAX_SETTINGS {
        return;
    }
    let settings = choices(rules);
    let of_numbers =
        rules.numbers.iter().map(|clause| (clause.id, vec![&clause.result], clause.guard.as_ref()));
    let of_operands =
        all_clauses(rules).map(|clause| (clause.id, clause.outputs().collect(), clause.guard.as_ref()));
    let mut reported = BTreeSet::new();
    for (id, outputs, guard) in of_operands.chain(of_numbers) {
        // A clause that several ops share is reported once.
        for param in given(rules, &outputs).into_iter().filter(|param| reported.insert((id, *param))) {
            let found = no_dtypes(rules, param, &settings, guard);
            let condition = |written: &str| {
                if guard.is_some() {
                    format!(
                        "require `{written}`, too, in the condition of the clause or of the `when` around it"
                    )
                } else {
                    format!("add `if {written}`")
                }
            };
            report(errors, rules, rules.clauses[id].span, (param, found), condition);
        }
    }
    for op in &rules.ops {
        for param in given(rules, &op.output.iter().collect::<Vec<_>>()) {
            let found = no_dtypes(rules, param, &settings, None);
            let name = &rules.params[param].name;
            let clause = |written: &str| {
                format!("write a clause with a condition: `any if {written} => common -> {name};`")
            };
            report(errors, rules, op.span, (param, found), clause);
        }
    }
}

/// Reports the values of a parameter that are not dtypes. `help` makes the help text from
/// the condition that excludes them.
fn report(
    errors: &mut Errors,
    rules: &Rules,
    span: proc_macro2::Span,
    (param, found): (usize, Vec<&Value>),
    help: impl Fn(&str) -> String,
) {
    if found.is_empty() {
        return;
    }
    let name = &rules.params[param].name;
    let texts = || found.iter().map(|value| rules.value_text(value));
    let values: Vec<String> = texts().map(|text| format!("`{text}`")).collect();
    let what = if let [_] = found[..] { "is not a dtype" } else { "are not dtypes" };
    let excluded: Vec<String> = texts().map(|text| format!("{name} != {text}")).collect();
    errors
        .push(span, format!("`{name}` may be {} here, which {what}", values.join(" or ")))
        .help(help(&excluded.join(" && ")));
}

/// Returns the parameters that are results, or parts of results.
fn given(rules: &Rules, outputs: &[&Output]) -> Vec<usize> {
    let gives = |param: &usize| {
        outputs.iter().any(|output| output.any(&|part| matches!(part, Output::Param(p) if p == param)))
    };
    (0..rules.params.len()).filter(gives).collect()
}

/// Returns the values of a parameter that are not dtypes and with which the guard may hold.
fn no_dtypes<'a>(
    rules: &'a Rules,
    param: usize,
    settings: &[Vec<usize>],
    guard: Option<&Guard>,
) -> Vec<&'a Value> {
    let values = rules.params[param].values.iter().enumerate();
    let others = values.filter(|(_, value)| !matches!(value, Value::DType(_)));
    let may_hold = |at: usize| {
        let mut these = settings.iter().filter(|setting| setting[param] == at);
        these.any(|setting| guard.is_none_or(|guard| outcomes(rules, setting, guard).holds))
    };
    others.filter(|(at, _)| may_hold(*at)).map(|(_, value)| value).collect()
}

/// The possible values of a condition over all operands, for one choice of the parameters.
#[derive(Clone, Copy)]
struct Outcomes {
    holds: bool,
    fails: bool,
    /// True if the value can be unknown: the condition asks about a dtype that does not exist.
    open: bool,
}

impl Outcomes {
    const ANY: Outcomes = Outcomes { holds: true, fails: true, open: true };
    const OPEN: Outcomes = Outcomes { holds: false, fails: false, open: true };

    fn known(holds: bool) -> Outcomes {
        Outcomes { holds, fails: !holds, open: false }
    }

    fn not(self) -> Outcomes {
        Outcomes { holds: self.fails, fails: self.holds, ..self }
    }

    /// Follows `&&` of [`Eval`](crate::eval::Eval): one side that fails decides.
    fn and(self, other: Outcomes) -> Outcomes {
        let open = self.open && (other.holds || other.open) || self.holds && other.open;
        Outcomes { holds: self.holds && other.holds, fails: self.fails || other.fails, open }
    }
}

fn outcomes(rules: &Rules, setting: &[usize], guard: &Guard) -> Outcomes {
    let of = |guard: &Guard| outcomes(rules, setting, guard);
    let known = |term: &Term| known(rules, setting, term);
    match guard {
        Guard::Not(inner) => of(inner).not(),
        Guard::And(a, b) => of(a).and(of(b)),
        Guard::Or(a, b) => of(a).not().and(of(b).not()).not(),
        Guard::Param(param) => {
            Outcomes::known(rules.params[*param].values[setting[*param]] == Value::Bool(true))
        }
        Guard::ParamIs(param, value) => Outcomes::known(setting[*param] == *value),
        Guard::SameDType(a, b) => match (known(a), known(b)) {
            (Known::Nothing, _) | (_, Known::Nothing) => Outcomes::OPEN,
            (Known::DType(a), Known::DType(b)) => Outcomes::known(a == b),
            _ => Outcomes::ANY,
        },
        Guard::In(a, set) => match known(a) {
            Known::Nothing => Outcomes::OPEN,
            Known::DType(id) => Outcomes::known(set.contains(id)),
            Known::Any => Outcomes::ANY,
        },
        Guard::Holds(a, b) => match (known(a), known(b)) {
            (Known::Nothing, _) | (_, Known::Nothing) => Outcomes::OPEN,
            _ => Outcomes::ANY,
        },
        Guard::Less(a, b) | Guard::SameInt(a, b) => {
            let nothing = |int: &Int| int.any_term(&|term| matches!(known(term), Known::Nothing));
            if nothing(a) || nothing(b) { Outcomes::OPEN } else { Outcomes::ANY }
        }
    }
}

/// The value of a term as far as it does not depend on the operands.
enum Known {
    DType(DTypeId),
    /// A value that is not a dtype.
    Nothing,
    /// A value that depends on the operands.
    Any,
}

fn known(rules: &Rules, setting: &[usize], term: &Term) -> Known {
    match term {
        Term::Var(_) => Known::Any,
        Term::Const(id) => Known::DType(*id),
        Term::Param(param) => match &rules.params[*param].values[setting[*param]] {
            Value::DType(id) => Known::DType(*id),
            Value::Bool(_) | Value::Word(_) => Known::Nothing,
        },
        Term::Promote(a, b) => match (known(rules, setting, a), known(rules, setting, b)) {
            (Known::Nothing, _) | (_, Known::Nothing) => Known::Nothing,
            _ => Known::Any,
        },
    }
}
