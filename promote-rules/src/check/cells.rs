//! Checks of the computed cells.

use std::collections::BTreeSet;

use crate::diag::Errors;
use crate::eval::{Search, Stop};
use crate::model::{Category, ClauseId, DTypeId, LawKind, NumberKind, Operand, Rules};
use crate::tables::{Asymmetry, Cell, Computed, Problem};

/// The number of cells that a message names.
const EXAMPLES: usize = 4;

/// Tables have numbers of 16 bits; the last number says that there is no table.
pub(super) fn tables_can_be_numbered(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    let tables = &computed.tables;
    let limit = usize::from(promote_core::__private::table::NO_PLANE) - 1;
    let rows = || tables.pairs.iter().flat_map(|pairs| pairs.chunks(rules.dtypes.len()));
    // Most of them are equal, but few sets have so many that it pays to look.
    let distinct = if rows().count() > limit { rows().collect::<BTreeSet<_>>().len() } else { 0 };
    let most = [
        tables.planes.len(),
        tables.maps.len(),
        tables.pairs.len(),
        distinct,
        tables.casts.len(),
        tables.stored.len(),
    ];
    if let Some(count) = most.into_iter().max().filter(|count| *count > limit) {
        errors
            .push(
                rules.name.span(),
                format!(
                    "too many combinations of parameter values: the rule set needs {count} distinct tables, and the limit is {limit}"
                ),
            )
            .help("remove a value from a parameter, or split the file into two rule sets");
    }
}

/// An array is of a dtype that arrays can have. Wrong: `stored { i64 => i32; i32 => i16; }`.
pub(super) fn what_is_stored_stays(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    for plane in &computed.tables.stored {
        let moves = |cell: &&(DTypeId, Option<ClauseId>)| plane[cell.0.index()].0 != cell.0;
        if let Some((dtype, Some(clause))) = plane.iter().find(moves) {
            let (first, then) = (rules.dtype_name(*dtype), rules.dtype_name(plane[dtype.index()].0));
            errors
                .push(
                    rules.clauses[*clause].span,
                    format!("`stored` gives `{first}` here, but turns arrays of `{first}` into `{then}`"),
                )
                .help(format!("give `{then}` instead of `{first}`"));
            return;
        }
    }
}

/// A number that has no dtype cannot be an operand.
pub(super) fn every_number_has_a_dtype(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    for kind in &computed.undecided_numbers {
        let (span, name) = (rules.name.span(), kind.name());
        errors
            .push(span, format!("no clause of `numbers` says what a Python {name} is when it stands alone"))
            .help(format!("add `{name} => ..;` to the `numbers` block, or `{name} => refuse \"reason\";`"));
    }
}

/// Exactly one clause decides each cell. Wrong: `promote { int, float => b; }` leaves `int, int` open.
pub(super) fn every_cell_is_decided(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    let problems = &computed.problems;
    let open: Vec<&Problem> = problems.iter().filter(|p| p.stop == Stop::Undecided).collect();
    if !open.is_empty() {
        let names = examples(rules, &open);
        let block = match open[0].operands {
            (a, Some(b)) if rules.rank(a.category) != rules.rank(b.category) => "yield",
            _ => "promote",
        };
        errors.push(rules.name.span(), format!("no clause decides {names}")).help(format!(
            "end the `{block}` block with `any, any => join;`, or with `any, any => refuse \"reason\";`"
        ));
    }
    let at = |p: &Problem| match &p.stop {
        Stop::NotUnique(clause, search, _) | Stop::NoneHolds(clause, search) => Some((*clause, *search)),
        Stop::Refused(_) | Stop::Undecided => None,
    };
    let searches: BTreeSet<(ClauseId, Search)> = problems.iter().filter_map(at).collect();
    for (clause, search) in searches {
        let here: Vec<&Problem> = problems.iter().filter(|p| at(p) == Some((clause, search))).collect();
        let (several, none): (Vec<_>, Vec<_>) =
            here.into_iter().partition(|problem| matches!(problem.stop, Stop::NotUnique(..)));
        let span = rules.clauses[clause].span;
        let word = match search {
            Search::Join => "join",
            Search::Above => "above",
        };
        if let Some(Problem { stop: Stop::NotUnique(.., minimal), .. }) = several.first() {
            let names = examples(rules, &several);
            let minimal = minimal.iter().map(|d| format!("`{}`", rules.dtype_name(*d))).collect::<Vec<_>>();
            let (first, rest) = (&minimal[0], minimal[1..].join(" and "));
            errors
                .push(
                    span,
                    format!(
                        "`{word}` is ambiguous for {names}: {first} and {rest} hold the operands, and none of them holds another"
                    ),
                )
                .help("put a clause for these operands before this one, or say which dtype holds which: `holds f32: i32;`");
        }
        if none.is_empty() {
            continue;
        }
        let (names, facts) = (examples(rules, &none), missing_facts(rules, &none));
        let refuse = "add `or refuse \"reason\"` after the result";
        let help = if facts.is_empty() {
            format!("say why they are refused: {refuse}")
        } else {
            format!("say what holds what, `{facts}`, or {refuse}")
        };
        errors
            .push(span, format!("`{word}` has no answer for {names}: no dtype holds the operands"))
            .help(help);
    }
}

/// Returns the `holds` lines that would decide cells with a custom dtype: only the file knows what such a
/// dtype holds. The dtype of the higher kind, or the wider one, holds the other; a custom dtype alone is held
/// by the widest float.
fn missing_facts(rules: &Rules, problems: &[&Problem]) -> String {
    let dtype = |id: DTypeId| &rules.dtypes[id.index()];
    let order = |id: DTypeId| (dtype(id).kind, dtype(id).bits, dtype(id).standard.is_none(), id);
    let is_float = |id: &DTypeId| rules.standard(*id).and_then(NumberKind::of) == Some(NumberKind::Float);
    let widest = rules.ids().filter(is_float).max_by_key(|id| dtype(*id).bits);
    let mut facts: Vec<(DTypeId, Vec<&str>)> = Vec::new();
    for problem in problems {
        let a = problem.operands.0.dtype;
        let Some(b) = problem.operands.1.map(|b| b.dtype).or(widest) else { continue };
        if a == b || dtype(a).standard.is_some() && dtype(b).standard.is_some() {
            continue;
        }
        let (holder, held) = if order(a) < order(b) { (b, a) } else { (a, b) };
        let name = rules.dtype_name(held);
        match facts.iter_mut().find(|fact| fact.0 == holder) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => facts.push((holder, vec![name])),
        }
    }
    let line = |(holder, held): &(DTypeId, Vec<&str>)| {
        format!("holds {}: {};", rules.dtype_name(*holder), held.join(" | "))
    };
    facts.iter().take(EXAMPLES).map(line).collect::<Vec<_>>().join(" ")
}

/// Returns a few cells as `` `a` with `b` ``.
fn examples(rules: &Rules, problems: &[&Problem]) -> String {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for problem in problems {
        let (a, b) = problem.operands;
        let mut name = match b {
            Some(b) => {
                let (low, high) = if b.dtype < a.dtype && a.category == b.category { (b, a) } else { (a, b) };
                format!("{} with {}", operand(rules, low), operand(rules, high))
            }
            None => operand(rules, a),
        };
        if let Some(op) = problem.op {
            name = format!("{name} in `{}`", rules.ops[op].name);
        }
        if seen.insert(name.clone()) {
            names.push(name + &under(rules, problem.setting));
        }
    }
    let more = names.len().saturating_sub(EXAMPLES);
    names.truncate(EXAMPLES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &more
}

pub(super) fn operand(rules: &Rules, operand: Operand) -> String {
    let name = rules.dtype_name(operand.dtype);
    match operand.category {
        Category::Array => format!("`{name}`"),
        Category::ZeroDim => format!("zero-dimensional `{name}`"),
        Category::Number => format!("the number `{name}`"),
        Category::Weak => format!("weak `{name}`"),
    }
}

/// Returns the parameters that are not at their defaults.
pub(super) fn under(rules: &Rules, setting: usize) -> String {
    let mut rest = setting;
    let mut changed = Vec::new();
    for param in rules.params.iter().rev() {
        let value = rest % param.values.len();
        rest /= param.values.len();
        if value != param.default {
            changed.push(format!("{} = {}", param.name, rules.value_text(&param.values[value])));
        }
    }
    if changed.is_empty() { String::new() } else { format!(" (where {})", changed.join(", ")) }
}

/// In `promote` either order of operands matches: a clause that matches both ways must give the same both
/// ways, unless the file denies the law. Wrong: `any, any => a;` after `same => a;`.
pub(super) fn no_clause_contradicts_itself(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    if rules.laws.iter().any(|law| law.kind == LawKind::Commutative && !law.holds) {
        return;
    }
    let mut reported = BTreeSet::new();
    for found in &computed.asymmetries {
        let clause = match (found.straight, found.swapped) {
            (Cell::Resolved(_, _, clause) | Cell::Refused(clause), _)
            | (_, Cell::Resolved(_, _, clause) | Cell::Refused(clause)) => clause,
            (Cell::Unreachable, Cell::Unreachable) => continue,
        };
        if reported.insert(clause) {
            let how = asymmetry(rules, found);
            errors
                .push(rules.clauses[clause].span, format!("this clause contradicts itself: {how}"))
                .help("narrow the patterns until they match the operands in one order only, or give `join`");
        }
    }
}

/// Describes two operands of one rank whose result depends on their order.
pub(super) fn asymmetry(rules: &Rules, found: &Asymmetry) -> String {
    let Asymmetry { setting, operands: (a, b), straight, swapped } = found;
    let says = |cell: &Cell| match cell {
        Cell::Resolved(dtype, weak, _) => {
            let weak = if *weak { "weak " } else { "" };
            format!("gives {weak}`{}`", rules.dtype_name(*dtype))
        }
        Cell::Refused(_) => "is refused".to_owned(),
        Cell::Unreachable => "is not decided".to_owned(),
    };
    let (x, y, under) = (operand(rules, *a), operand(rules, *b), under(rules, *setting));
    format!("{x} with {y} {}, and the other way round it {}{under}", says(straight), says(swapped))
}

/// Every clause decides something. A dead clause misleads its reader: earlier clauses decide all of its
/// cells, or its patterns match nothing.
pub(super) fn no_clause_is_dead(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    // A cell that is open may hide why a clause is dead.
    if !computed.problems.is_empty() {
        return;
    }
    let ids =
        super::forms::all_clauses(rules).map(|clause| clause.id).chain(rules.numbers.iter().map(|c| c.id));
    for id in ids.collect::<BTreeSet<_>>() {
        // An extension may decide every cell of a clause that it builds on.
        if rules.clauses[id].layer == 0 && !computed.hits.contains(id) {
            errors
                .push(rules.clauses[id].span, "this clause never decides anything")
                .help("remove the clause, or move it before the clauses that match its operands first");
        }
    }
}
