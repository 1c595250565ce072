//! Blocks of clauses.

use proc_macro2::Span;
use syn::Ident;

use super::guards::guard;
use super::names::{Names, unknown};
use crate::diag::{Errors, did_you_mean};
use crate::model::{
    Among, Block, Categories, Clause, ClauseInfo, DTypeId, Guard, Int, NumberClause, NumberKind, Output,
    Pattern, Patterns, Refusal, Rules, Term, Value, Var,
};
use crate::source::tidy;
use crate::syntax::{self, BlockItem, Compute, RESULT_WORDS, Reason, ResultExpr, ResultKind};

/// An item of a block that is not a clause.
pub(super) enum Property<'a> {
    /// `key: value;`
    Option(&'a Ident, &'a Ident),
    /// `category as array;`
    AsArray(&'a Ident),
}

impl Property<'_> {
    pub(super) fn span(&self) -> Span {
        match self {
            Property::Option(name, _) | Property::AsArray(name) => name.span(),
        }
    }
}

/// Handles a [`Property`] of a block.
pub(super) type OnProperty<'a> = &'a mut dyn FnMut(&mut Errors, &Property<'_>);

/// Handles a clause with its condition.
type Each<'a> = &'a mut dyn FnMut(&mut Errors, &mut Rules, &syntax::Clause, Option<Guard>);

/// Resolves the clauses of a block whose patterns match operands.
pub(super) fn block(
    errors: &mut Errors,
    rules: &mut Rules,
    names: &Names,
    label: &str,
    items: &[BlockItem],
    properties: OnProperty<'_>,
) -> Block {
    let mut out = Vec::new();
    flatten(errors, rules, names, items, None, properties, &mut |errors, rules, clause, guard| {
        let (patterns, kinds) = patterns(errors, rules, names, &clause.patterns);
        let guard = both(kinds, guard);
        if let Some([Some(result), compute, output]) = results(errors, rules, names, clause) {
            let id = note(rules, names, label, clause, &result);
            out.push(Clause { id, patterns, guard, result, compute, output, ordered: false });
        }
    });
    out
}

/// Resolves the clauses of the `numbers` block, whose patterns match kinds of numbers.
pub(super) fn numbers(errors: &mut Errors, rules: &mut Rules, names: &Names, items: &[BlockItem]) {
    let mut out = Vec::new();
    flatten(
        errors,
        rules,
        names,
        items,
        None,
        &mut super::no_properties,
        &mut |errors, rules, clause, guard| {
            let kinds = number_kinds(errors, &clause.patterns);
            if clause.compute.is_some() || clause.output.is_some() {
                errors
                    .push(clause.span, "`in`, `stepwise` and `->` stand in clauses of ops only")
                    .help("remove what follows the result");
            }
            if let Some([Some(result), ..]) = results(errors, rules, names, clause) {
                let id = note(rules, names, "numbers", clause, &result);
                out.push(NumberClause { id, kinds, guard, result });
            }
        },
    );
    rules.numbers.extend(out);
}

/// Flattens `when` blocks: each clause gets the conditions of the blocks around it.
fn flatten(
    errors: &mut Errors,
    rules: &mut Rules,
    names: &Names,
    items: &[BlockItem],
    when: Option<&Guard>,
    properties: OnProperty<'_>,
    each: Each<'_>,
) {
    for item in items {
        match item {
            BlockItem::Clause(clause) => {
                let own = clause.guard.as_ref().and_then(|g| guard(errors, rules, names, g));
                each(errors, rules, clause, both(when.cloned(), own));
            }
            BlockItem::When(condition, inner) => {
                let condition = both(when.cloned(), guard(errors, rules, names, condition));
                flatten(errors, rules, names, inner, condition.as_ref(), properties, each);
            }
            BlockItem::Option(key, _) | BlockItem::AsArray(key) if when.is_some() => {
                errors
                    .push(key.span(), "only clauses can stand in a `when` block")
                    .help("move the line out of the `when` block: it holds for all values of the parameters");
            }
            BlockItem::Option(key, word) => properties(errors, &Property::Option(key, word)),
            BlockItem::AsArray(category) => properties(errors, &Property::AsArray(category)),
        }
    }
}

/// Joins two conditions by `&&`.
fn both(outer: Option<Guard>, inner: Option<Guard>) -> Option<Guard> {
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(Guard::And(Box::new(outer), Box::new(inner))),
        (outer, inner) => outer.or(inner),
    }
}

/// Gives a clause its id.
fn note(rules: &mut Rules, names: &Names, label: &str, clause: &syntax::Clause, result: &Output) -> usize {
    let refusal = match result {
        Output::Refuse(refusal) => Some(refusal.clone()),
        Output::Join { or_refuse, .. } => or_refuse.clone(),
        _ => None,
    };
    let text = tidy(clause.tokens.clone());
    let (layer, block) = (names.layer, label.to_owned());
    rules.clauses.push(ClauseInfo { text, layer, block, refusal, span: clause.span });
    rules.clauses.len() - 1
}

/// Resolves the patterns, and returns the condition that `no_higher` stands for.
fn patterns(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    written: &syntax::Patterns,
) -> (Patterns, Option<Guard>) {
    let set = |errors: &mut Errors, set: Option<&syntax::Set>| {
        set.map_or(rules.all(), |set| names.set(errors, rules, set))
    };
    let one = |errors: &mut Errors, pattern: &syntax::Pattern| Pattern {
        categories: if pattern.categories.is_empty() {
            Categories::ALL
        } else {
            pattern.categories.iter().copied().collect()
        },
        dtypes: set(errors, pattern.set.as_ref()),
    };
    match written {
        syntax::Patterns::Any => (Patterns::Any, None),
        syntax::Patterns::Same(among) => (Patterns::Same(set(errors, among.as_ref())), None),
        syntax::Patterns::One(a) => {
            if a.no_higher {
                errors
                    .push(a.span, "`no_higher` needs two patterns, and the clause has one")
                    .help("write `any, no_higher => a;`");
            }
            (Patterns::One(one(errors, a)), None)
        }
        syntax::Patterns::Two(a, b) => {
            if a.no_higher {
                errors
                    .push(a.span, "`no_higher` belongs to the second pattern")
                    .help("write `any, no_higher => a;`: then `b` is of the kind of `a`, or of a lower one");
            }
            let kinds = b.no_higher.then(no_higher);
            (Patterns::Two(one(errors, a), one(errors, b)), kinds)
        }
    }
}

/// Returns the condition that the kind of `b` is not higher than that of `a`.
fn no_higher() -> Guard {
    let kind = |var| Int::Kind(Term::Var(var));
    Guard::Not(Box::new(Guard::Less(kind(Var::A), kind(Var::B))))
}

/// Returns the clause that `by kind` stands for, `any, no_higher => a`.
pub(super) fn by_kind(rules: &mut Rules, names: &Names, span: Span) -> Clause {
    let (text, block) = ("any, no_higher => a".to_owned(), "yield .. by kind".to_owned());
    rules.clauses.push(ClauseInfo { text, layer: names.layer, block, refusal: None, span });
    let any = Pattern { categories: Categories::ALL, dtypes: rules.all() };
    Clause {
        id: rules.clauses.len() - 1,
        patterns: Patterns::Two(any, any),
        guard: Some(no_higher()),
        result: Output::Var(Var::A),
        compute: None,
        output: None,
        ordered: false,
    }
}

fn number_kinds(errors: &mut Errors, written: &syntax::Patterns) -> Vec<NumberKind> {
    let syntax::Patterns::One(pattern) = written else {
        if let syntax::Patterns::Two(_, second) = written {
            errors
                .push(second.span, "a clause of `numbers` has one pattern")
                .help("write one pattern: `float => f64;`");
        }
        return NumberKind::ALL.to_vec();
    };
    let Some(set) = &pattern.set else {
        return NumberKind::ALL.to_vec();
    };
    let mut kinds = Vec::new();
    for name in &set.names {
        let text = name.to_string();
        match NumberKind::from_name(&text) {
            Some(kind) => kinds.push(kind),
            None if text == "any" => kinds.extend(NumberKind::ALL),
            None => errors
                .push(name.span(), format!("`{text}` is not a kind of number"))
                .help("the kinds are bool, int, float and complex"),
        }
    }
    kinds
}

/// Resolves the dtypes that a clause converts to, computes in and returns; `None` after a mistake in one.
fn results(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    clause: &syntax::Clause,
) -> Option<[Option<Output>; 3]> {
    let mut one = |written: Option<&ResultExpr>| match written {
        Some(written) => output(errors, rules, names, written).map(Some),
        None => Some(None),
    };
    let result = one(Some(&clause.result));
    let compute = match &clause.compute {
        Some(Compute::In(compute)) => one(Some(compute)),
        Some(Compute::Stepwise) => Some(Some(Output::Var(Var::Result))),
        None => Some(None),
    };
    let output = one(clause.output.as_ref());
    Some([result?, compute?, output?])
}

/// Resolves a result.
pub(super) fn output(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    written: &ResultExpr,
) -> Option<Output> {
    Some(match &written.kind {
        ResultKind::Refuse(refusal) => Output::Refuse(self::refusal(errors, names, refusal)?),
        ResultKind::Strength(category, inner) => {
            Output::Strength(*category, Box::new(output(errors, rules, names, inner)?))
        }
        ResultKind::Name(name) => named(errors, rules, names, name)?,
        ResultKind::Call(function, arguments) => call(errors, rules, names, function, arguments)?,
        ResultKind::Join { among, above, or_refuse } => Output::Join {
            among: among.as_ref().map(|set| among_set(errors, rules, names, set)),
            above: above.iter().map(|h| held(errors, rules, names, h)).collect::<Option<_>>()?,
            or_refuse: match or_refuse {
                Some(refusal) => Some(self::refusal(errors, names, refusal)?),
                None => None,
            },
            scope: names.scope,
        },
        ResultKind::FirstOf(list) => Output::FirstOf(first_of(errors, rules, names, list)?),
    })
}

/// Resolves the reason of a refusal; `None` if there is no reason of its name.
fn refusal(errors: &mut Errors, names: &Names, written: &syntax::Refusal) -> Option<Refusal> {
    let reason = match &written.reason {
        Reason::Text(text) => text.value(),
        Reason::Named(name) => names.reason(errors, name)?,
    };
    Some(Refusal { lacks: written.lacks, reason })
}

/// Returns the dtypes of a list in its order. The dtypes of a group are in the order of their declaration.
fn first_of(errors: &mut Errors, rules: &Rules, names: &Names, list: &[Ident]) -> Option<Vec<DTypeId>> {
    let mut order = Vec::new();
    for name in list {
        let dtypes = names.one(errors, rules, name);
        if dtypes.is_empty() {
            return None;
        }
        if let Some(again) = dtypes.iter().find(|id| order.contains(id)) {
            errors.twice(name.span(), rules.dtype_name(again));
            return None;
        }
        order.extend(dtypes.iter());
    }
    Some(order)
}

/// Resolves an argument of `join(..)` or `.. above ..`: a result, or `value(b)`.
fn held(errors: &mut Errors, rules: &Rules, names: &Names, written: &ResultExpr) -> Option<Output> {
    let is = |argument: &ResultExpr, wanted: &str| matches!(&argument.kind, ResultKind::Name(name) if name == wanted);
    match &written.kind {
        ResultKind::Call(function, arguments) if function == "value" => {
            if !matches!(&arguments[..], [argument] if is(argument, "b")) {
                errors
                    .push(function.span(), "`value(..)` takes `b`, the operand of the lower category")
                    .help("write `join(a, value(b))`");
            }
            Some(Output::Value)
        }
        _ => output(errors, rules, names, written),
    }
}

fn var(name: &Ident) -> Option<Var> {
    Var::from_name(&name.to_string())
}

fn named(errors: &mut Errors, rules: &Rules, names: &Names, name: &Ident) -> Option<Output> {
    if let Some(var) = var(name) {
        return Some(Output::Var(var));
    }
    let text = name.to_string();
    if let Some(id) = rules.dtype(&text) {
        return Some(Output::Const(id));
    }
    if let Some(param) = rules.params.iter().position(|p| p.name == text) {
        // If only some of them are, the clause's condition has to exclude the others: `check` tests this.
        if rules.params[param].values.iter().any(|v| matches!(v, Value::DType(_))) {
            return Some(Output::Param(param));
        }
        errors
            .push(name.span(), format!("no value of the parameter `{text}` is a dtype"))
            .help("name a dtype, or a parameter whose values are dtypes");
        return None;
    }
    if names.lookup(rules, &text).is_some() {
        errors.push(name.span(), format!("`{text}` is a set of dtypes, and a result is one dtype")).help(
            format!(
                "name one of them, or write `{text} above a, b` for the least of them that holds the operands"
            ),
        );
        return None;
    }
    let params = rules.params.iter().map(|p| p.name.as_str());
    let dtypes = rules.dtypes.iter().map(|d| d.name.as_str());
    unknown(errors, rules, name, "dtype or parameter", dtypes.chain(params).chain(RESULT_WORDS));
    None
}

fn among_set(errors: &mut Errors, rules: &Rules, names: &Names, set: &syntax::Set) -> Among {
    let mut among = Among::default();
    for name in &set.names {
        match var(name) {
            Some(var) => among.vars.push(var),
            None => among.set = among.set.or(names.one(errors, rules, name)),
        }
    }
    among
}

fn arguments_of(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

fn call(
    errors: &mut Errors,
    rules: &Rules,
    names: &Names,
    function: &Ident,
    arguments: &[ResultExpr],
) -> Option<Output> {
    let count = |errors: &mut Errors, n: usize, form: &str| {
        if arguments.len() != n {
            errors
                .push(
                    function.span(),
                    format!("`{function}(..)` takes {}, not {}", arguments_of(n), arguments.len()),
                )
                .help(form);
        }
        arguments.len() == n
    };
    match function.to_string().as_str() {
        "promote" if count(errors, 2, "write `promote(a, b)`") => Some(Output::Promote(
            Box::new(output(errors, rules, names, &arguments[0])?),
            Box::new(output(errors, rules, names, &arguments[1])?),
        )),
        "real" if count(errors, 1, "write `real(common)`") => {
            Some(Output::Real(Box::new(output(errors, rules, names, &arguments[0])?)))
        }
        "default" if count(errors, 1, "write `default(float)`") => {
            let kind = match &arguments[0].kind {
                ResultKind::Name(name) => NumberKind::from_name(&name.to_string()),
                _ => None,
            };
            if kind.is_none() {
                errors
                    .push(arguments[0].span, "`default(..)` takes a kind of number")
                    .help("write `default(bool)`, `default(int)`, `default(float)` or `default(complex)`");
            }
            kind.map(Output::Default)
        }
        "promote" | "real" | "default" => None,
        "value" => {
            errors
                .push(function.span(), "`value(..)` stands only in `join(..)`, or after `above`")
                .help("write `join(a, value(b))`");
            None
        }
        other => {
            errors.push(function.span(), format!("unknown function `{other}`")).help(
                did_you_mean(other, ["promote", "real", "default", "join", "first_of"]).unwrap_or_else(
                    || "a result can be `promote(a, b)`, `real(common)` or `default(float)`".to_owned(),
                ),
            );
            None
        }
    }
}
