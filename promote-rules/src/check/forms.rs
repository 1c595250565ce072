//! Checks of the clauses themselves.

use std::cell::Cell;
use std::collections::BTreeSet;

use proc_macro2::Span;

use crate::diag::Errors;
use crate::model::pascal;
use crate::model::{
    Block, Clause, ClauseId, DTypeId, DTypeSet, Guard, Output, Patterns, Rules, Term, Value, Var,
};
use crate::tables::{MAX_CELLS, MAX_SETTINGS, MAX_WORK};

fn at(rules: &Rules, clause: ClauseId) -> Span {
    rules.clauses[clause].span
}

/// A clause of `promote` does not ask for `promote(..)`, and one of `numbers` not for `default(..)`: they
/// would never end.
pub(super) fn promote_does_not_ask_itself(errors: &mut Errors, rules: &Rules) {
    for clause in &rules.promote {
        if clause.outputs().any(|o| o.any(&|o| matches!(o, Output::Promote(..))))
            || clause.guard.as_ref().is_some_and(asks_promote)
        {
            errors
                .push(at(rules, clause.id), "a clause of `promote` cannot ask for `promote(..)`")
                .help("say what it gives: a dtype, `a`, `b` or `join`");
        }
    }
    for clause in &rules.numbers {
        if clause.result.any(&|o| matches!(o, Output::Default(_) | Output::Promote(..)))
            || clause.guard.as_ref().is_some_and(asks_promote)
        {
            errors
                .push(
                    at(rules, clause.id),
                    "a clause of `numbers` cannot ask for `default(..)` or `promote(..)`",
                )
                .help("name the dtype, or a parameter");
        }
    }
}

fn asks_promote(guard: &Guard) -> bool {
    guard.any_term(&|term| matches!(term, Term::Promote(..)))
}

/// In `promote` and `yield` there are `a` and `b`; over a common dtype there is `common`, which `a` names as
/// well; a number stands alone. A clause of one pattern in `promote` would never match.
pub(super) fn clauses_have_the_operands_they_name(errors: &mut Errors, rules: &Rules) {
    for clause in rules.promote.iter().chain(&rules.yields) {
        if let Patterns::One(_) = clause.patterns {
            errors
                .push(at(rules, clause.id), "a clause of `promote` or `yield` needs two patterns")
                .help("write two patterns: `bool, any => b;`");
        }
        let known = [Var::A, Var::B];
        names_only(errors, rules, clause.id, named_by(clause), &known, "it has the operands `a` and `b`");
    }
    for clause in &rules.check {
        if let Patterns::One(_) = clause.patterns {
            errors
                .push(at(rules, clause.id), "a clause of `check` needs two patterns")
                .help("write two patterns: `signed, unsigned if result == b => refuse \"reason\";`");
        }
        let known = [Var::A, Var::B, Var::Result];
        let help = "it has the operands `a` and `b`, and `result`, the result of promotion";
        names_only(errors, rules, clause.id, named_by(clause), &known, help);
    }
    for clause in &rules.stored {
        if clause.sees_operands() {
            errors
                .push(at(rules, clause.id), "a clause of `stored` has one pattern")
                .help("write one pattern: `i64 => i32;`");
        }
        let refuses = |o: &Output| matches!(o, Output::Refuse(_) | Output::Join { or_refuse: Some(_), .. });
        if clause.outputs().any(|o| o.any(&refuses)) {
            errors
                .push(at(rules, clause.id), "a clause of `stored` cannot refuse")
                .help("name the dtype that the array gets: `i64 => i32;`");
        }
        names_only(errors, rules, clause.id, named_by(clause), &[Var::A], "it has one dtype, `a`");
    }
    let blocks = [&rules.stored, &rules.promote, &rules.yields, &rules.check, &rules.opmath];
    for clause in blocks.into_iter().flatten().filter(|clause| clause.outputs().count() > 1) {
        errors
            .push(at(rules, clause.id), "`in`, `stepwise` and `->` stand in clauses of ops only")
            .help("remove what follows the result");
    }
    for clause in &rules.opmath {
        if clause.sees_operands() {
            errors
                .push(at(rules, clause.id), "a clause of `opmath` has one pattern")
                .help("write one pattern: `f16 => f32;`");
        }
        let help = "it has the common dtype, `common`";
        names_only(errors, rules, clause.id, named_by(clause), &[Var::A, Var::Common], help);
    }
    for clause in &rules.numbers {
        let mentioned = named(&[&clause.result], clause.guard.as_ref());
        if !mentioned.is_empty() || clause.result.any(&|o| matches!(o, Output::FirstOf(_))) {
            errors
                .push(at(rules, clause.id), "a clause of `numbers` has no operands to name")
                .help("name a dtype: `float => f64;`");
        }
    }
}

/// Clauses of ops name only operands that they have. `result` is known after the result, and `b` in clauses
/// of two patterns. Wrong: `op sqrt { bool, any => f32; }`, `op equal -> b;`.
pub(super) fn clauses_of_ops_have_the_operands_they_name(errors: &mut Errors, rules: &Rules) {
    for op in &rules.ops {
        let named = named(&op.output.iter().collect::<Vec<_>>(), None);
        if let Some(var) = named.iter().find(|var| matches!(var, Var::B)) {
            errors
                .push(op.span, format!("`->` before the block cannot give `{}`", var.name()))
                .help("name a dtype, `common`, or `result`, the dtype that the operands are converted to");
        }
    }
    for op in &rules.ops {
        let is_wide = |clause: &Clause| clause.sees_operands() && op.info.arity == 1;
        if op.path.is_some() && op.block.iter().any(|c| is_wide(c) && rules.clauses[c.id].layer > 0) {
            let message = format!(
                "the base has clauses of two operands for `{}`, and a custom op has the common dtype alone",
                op.name
            );
            errors.push(op.span, message).help("give the op with a Rust type another name");
            continue;
        }
        for clause in &op.block {
            if is_wide(clause) {
                let looks = if op.path.is_some() {
                    "is a custom op, which takes the common dtype of its inputs"
                } else {
                    "has one operand"
                };
                errors
                    .push(
                        at(rules, clause.id),
                        format!("`{}` {looks}, and the clause has two patterns", op.name),
                    )
                    .help("write one pattern: `bool => refuse \"reason\";`");
            }
            let (known, help) = if clause.sees_operands() {
                (
                    &[Var::A, Var::B, Var::Common][..],
                    "it has the operands `a` and `b`, and their common dtype, `common`",
                )
            } else {
                (&[Var::A, Var::Common][..], "a clause of one pattern has the common dtype, `common`")
            };
            let converts = named(&[&clause.result], clause.guard.as_ref());
            names_only(errors, rules, clause.id, converts, known, help);
            // Only `in` and `->`, which come after the result, can name it.
            let after: Vec<&Output> = clause.compute.iter().chain(&clause.output).collect();
            names_only(
                errors,
                rules,
                clause.id,
                named(&after, None),
                &[known, &[Var::Result]].concat(),
                help,
            );
        }
    }
}

/// `first_of(..)` lists one of the operands at least. Wrong: `promote { float, float => first_of(f16, bf16);
/// }` in a file with f32.
pub(super) fn first_of_lists_an_operand(errors: &mut Errors, rules: &Rules) {
    let mut reported = BTreeSet::new();
    for clause in all_clauses(rules).filter(|clause| reported.insert(clause.id)) {
        let missing = Cell::new(None);
        for output in clause.outputs() {
            output.any(&|part| {
                if let Output::FirstOf(order) = part {
                    missing.set(missing.get().or_else(|| unlisted(rules, clause, order)));
                }
                false
            });
        }
        let Some((a, b)) = missing.get() else { continue };
        let (a, b) = (rules.dtype_name(a), b.map(|b| rules.dtype_name(b)));
        let message = match b {
            Some(b) if a != b => {
                format!("`first_of(..)` lists neither `{a}` nor `{b}`, which the patterns match")
            }
            _ => format!("`first_of(..)` does not list `{a}`, which the patterns match"),
        };
        errors.push(at(rules, clause.id), message).help("add dtypes to the list, or narrow the patterns");
    }
    for op in &rules.ops {
        let lists = |output: &Output| output.any(&|part| matches!(part, Output::FirstOf(_)));
        if op.output.as_ref().is_some_and(lists) {
            errors
                .push(op.span, "`->` before the block has no operands for `first_of(..)`")
                .help("write `first_of(..)` in a clause of two patterns");
        }
    }
}

/// Returns dtypes of operands that match a clause and that a list does not have.
fn unlisted(rules: &Rules, clause: &Clause, order: &[DTypeId]) -> Option<(DTypeId, Option<DTypeId>)> {
    let listed: DTypeSet = order.iter().copied().collect();
    let rest = |dtypes: DTypeSet| dtypes.without(listed).iter().next();
    match &clause.patterns {
        Patterns::Any => rest(rules.all()).map(|a| (a, None)),
        Patterns::Same(among) => rest(*among).map(|a| (a, None)),
        Patterns::One(one) => rest(one.dtypes).map(|a| (a, None)),
        Patterns::Two(a, b) => Some((rest(a.dtypes)?, Some(rest(b.dtypes)?))),
    }
}

/// A category that counts as an array in an op is one that the rule set orders, and the op has two operands.
/// Wrong: `op add { zero_dim as array; }` where `yield` does not name `zero_dim`.
pub(super) fn categories_that_count_as_arrays_differ_from_them(errors: &mut Errors, rules: &Rules) {
    for op in &rules.ops {
        for (category, span) in &op.as_array {
            let name = category.name();
            if !rules.order.contains(category) {
                errors
                    .push(*span, format!("`{name} as array` has no effect: `yield` does not name `{name}`"))
                    .help("remove the line");
            } else if op.info.arity == 1 {
                errors
                    .push(*span, format!("`{name} as array` has no effect: `{}` has one operand", op.name))
                    .help("remove the line, or move it to a declaration of ops of two operands");
            }
        }
    }
}

/// Wrong: `promote { int, int => join(a, value(b)); }`.
pub(super) fn values_count_in_yield_only(errors: &mut Errors, rules: &Rules) {
    let asks_value = |output: &Output| output.any(&|o| matches!(o, Output::Value));
    let others = all_clauses(rules).filter(|clause| !rules.yields.iter().any(|other| other.id == clause.id));
    let others = others.filter(|clause| clause.outputs().any(asks_value)).map(|clause| at(rules, clause.id));
    let numbers =
        rules.numbers.iter().filter(|clause| asks_value(&clause.result)).map(|clause| at(rules, clause.id));
    let ops = rules.ops.iter().filter(|op| op.output.as_ref().is_some_and(asks_value)).map(|op| op.span);
    for span in others.chain(numbers).chain(ops) {
        errors
            .push(span, "`value(b)` stands in clauses of `yield` only")
            .help("write it there: `yield array > number { any, no_higher => join(a, value(b)); }`");
    }
}

/// A cast is allowed or not. Wrong: `cast safe { float, int => f64; }`.
pub(super) fn casts_allow_or_refuse(errors: &mut Errors, rules: &Rules) {
    for clause in rules.casts.iter().flat_map(|cast| &cast.block) {
        let allows = matches!(clause.result, Output::Var(Var::B)) && clause.outputs().count() == 1;
        if !allows && !matches!(&clause.result, Output::Refuse(refusal) if !refusal.lacks) {
            errors.push(at(rules, clause.id), "a clause of `cast` gives `b` or refuses").help(
                "give `b`, the target, or `refuse \"reason\"`; casts that no clause refuses are allowed",
            );
        }
        if !matches!(clause.patterns, Patterns::Any | Patterns::Same(_) | Patterns::Two(..)) {
            errors
                .push(at(rules, clause.id), "a clause of `cast` needs two patterns")
                .help("write two patterns: `float, int => refuse \"reason\";`");
        }
    }
}

fn names_only(
    errors: &mut Errors,
    rules: &Rules,
    clause: ClauseId,
    named: Vec<Var>,
    known: &[Var],
    help: &str,
) {
    for var in named.into_iter().filter(|var| !known.contains(var)) {
        let name = var.name();
        errors.push(at(rules, clause), format!("the clause cannot name `{name}`")).help(help);
    }
}

/// Returns the operands that the result and the condition of a clause name.
fn named_by(clause: &Clause) -> Vec<Var> {
    named(&[&clause.result], clause.guard.as_ref())
}

/// Returns the operands that results and a guard name.
fn named(outputs: &[&Output], guard: Option<&Guard>) -> Vec<Var> {
    let names = |var: &Var| outputs.iter().any(|o| o.names(*var)) || guard.is_some_and(|g| g.names(*var));
    Var::ALL.into_iter().filter(names).collect()
}

/// Each choice of the parameters is a set of tables, each value a plane, and each clause of an op is tried on
/// each cell.
pub(super) fn settings_can_be_counted(errors: &mut Errors, rules: &Rules) {
    let n = rules.dtypes.len();
    let plane = n * n * if rules.asks_values() { n } else { 1 };
    if plane > MAX_CELLS {
        errors
            .push(
                rules.name.span(),
                format!("{n} dtypes are too many for a rule set that asks for `value(b)`"),
            )
            .help("remove dtypes, or the clauses that ask for `value(b)`");
        return;
    }
    let most = MAX_SETTINGS.min(MAX_CELLS / plane.max(1)).max(1);
    let mut count = 1_usize;
    for param in &rules.params {
        count = count.saturating_mul(param.values.len());
        if count > most {
            errors
                .push(param.span, format!("the parameters have more than {most} combinations of values"))
                .help("remove a value from a parameter, or split the file into two rule sets");
            return;
        }
    }
    let looking = |op: &&crate::model::Op| op.block.iter().any(Clause::sees_operands);
    let clauses: usize = rules.ops.iter().filter(looking).map(|op| op.block.len()).sum();
    if clauses.saturating_mul(count).saturating_mul(plane) > MAX_WORK {
        errors
            .push(
                rules.name.span(),
                "the clauses of ops are too many for the number of dtypes and parameter values",
            )
            .help("write clauses of one pattern, which look at the common dtype, where two are not needed");
    }
}

/// Names that emitted code uses are valid in Rust: the rule set's type, the functions that set parameters,
/// and the enums of their values. Wrong: `param mode: _ | 1st;`.
pub(super) fn names_are_names_in_rust(errors: &mut Errors, rules: &Rules) {
    let is_name = |text: &str| syn::parse_str::<syn::Ident>(text).is_ok();
    let name = rules.name.to_string();
    if !is_name(&name) {
        errors.push(rules.name.span(), format!("`{name}` cannot name a type")).help("write `rules Name;`");
    }
    for param in &rules.params {
        if !is_name(&format!("with_{}", param.name)) || param.name.starts_with('_') {
            errors
                .push(param.span, format!("`{}` cannot name a parameter", param.name))
                .help("begin the name with a letter");
        }
        for value in &param.values {
            let text = rules.value_text(value);
            if Var::from_name(&text).is_some() {
                errors
                    .push(
                        param.span,
                        format!("`{text}` stands for an operand, and cannot be a value of `{}`", param.name),
                    )
                    .help("give the value a longer name");
            }
        }
        let texts = param.values.iter().map(|value| pascal(&rules.value_text(value)));
        let mut seen = BTreeSet::new();
        for (text, value) in texts.zip(&param.values) {
            let written = rules.value_text(value);
            if !matches!(value, Value::Bool(_)) && !is_name(&text) {
                errors
                    .push(
                        param.span,
                        format!("the value `{written}` of `{}` cannot be a name in Rust", param.name),
                    )
                    .help("begin the value with a letter, and choose no keyword of Rust");
            } else if !seen.insert(text) {
                errors
                    .push(
                        param.span,
                        format!("two values of `{}` have the name of `{written}` in Rust", param.name),
                    )
                    .help("remove one of the two");
            }
        }
    }
}

/// Every clause of every block that looks at operands.
pub(super) fn all_clauses(rules: &Rules) -> impl Iterator<Item = &Clause> {
    let blocks: [&Block; 5] = [&rules.stored, &rules.promote, &rules.yields, &rules.check, &rules.opmath];
    let casts = rules.casts.iter().flat_map(|cast| &cast.block);
    blocks.into_iter().flatten().chain(casts).chain(rules.ops.iter().flat_map(|op| &op.block))
}
