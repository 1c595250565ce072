//! Checks of the ops.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use crate::diag::Errors;
use crate::model::{DType, DTypeId, Format, NumberKind, Op, Rules, StandardDType};
use crate::tables::{Computed, OpCell, Tables};

/// An op is computed where it has a meaning: there is no quotient among integers unless the file says how it
/// is rounded, and no order among complex numbers. Wrong: `op divide;` without `int => f64;`, and
/// `op less -> bool;` without a refusal of complex.
pub(super) fn ops_compute_where_they_can(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    // A mistake in several ops of one declaration is reported once.
    let mut kinds: BTreeMap<(Item, NumberKind), Vec<&Op>> = BTreeMap::new();
    let mut outputs: BTreeMap<(Item, DTypeId), Vec<&Op>> = BTreeMap::new();
    for (which, op) in rules.ops.iter().enumerate() {
        let mut reported: BTreeSet<DTypeId> = BTreeSet::new();
        let (mut wrong_kinds, mut wrong_outputs) = (BTreeSet::new(), BTreeSet::new());
        for cell in cells(computed, which) {
            let OpCell::Resolved { compute, output, .. } = cell else {
                continue;
            };
            let Some(kind) = rules.standard(compute).and_then(NumberKind::of) else {
                continue;
            };
            if !op.computes(kind) && reported.insert(compute) {
                wrong_kinds.insert(kind);
            }
            if op.info.gives_bool() && rules.standard(output) != Some(StandardDType::Bool) {
                wrong_outputs.insert(output);
            }
        }
        for kind in wrong_kinds {
            kinds.entry((op.item, kind)).or_default().push(op);
        }
        if let Some(output) = wrong_outputs.first() {
            outputs.entry((op.item, *output)).or_default().push(op);
        }
    }
    // One clause mends the kinds in which the same ops cannot be computed.
    let mut wrong: BTreeMap<(Item, Vec<&str>), WrongKinds<'_>> = BTreeMap::new();
    for ((item, kind), ops) in kinds {
        let names = ops.iter().map(|op| op.name.as_str()).collect();
        let found = wrong.entry((item, names)).or_insert_with(|| WrongKinds { kinds: Vec::new(), ops });
        found.kinds.push(kind);
    }
    for wrong in wrong.into_values() {
        let (ops, kinds) = (listed(&wrong.ops), wrong.named(" or "));
        errors
            .push(wrong.ops[0].span, format!("{ops} cannot be computed in a dtype of kind {kinds}"))
            .help(wrong.help(rules));
    }
    for ((_, output), ops) in outputs {
        let gives = if ops.len() == 1 { "gives" } else { "give" };
        errors
            .push(ops[0].span, format!("{} {gives} a bool, not `{}`", listed(&ops), rules.dtype_name(output)))
            .help(format!("add `-> bool` to the declaration: `op {} -> bool`", spaced(&ops)));
    }
}

/// The kinds in which ops of one declaration cannot be computed, lowest first.
struct WrongKinds<'a> {
    kinds: Vec<NumberKind>,
    ops: Vec<&'a Op>,
}

impl WrongKinds<'_> {
    fn named(&self, separator: &str) -> String {
        self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(separator)
    }

    /// Returns the clause that the ops need: what they compute in, or a refusal.
    fn help(&self, rules: &Rules) -> String {
        let pattern = self.named(" | ");
        let refuses = format!("`{pattern} => refuse \"reason\";`");
        let help = match self.compute_dtype(rules) {
            Some(dtype) => format!("add `{pattern} => {dtype};`, or refuse: {refuses}"),
            None => format!("refuse: {refuses}"),
        };
        let divides = self.ops.iter().all(|op| op.option("rounding").is_some());
        if !divides || !self.kinds.contains(&NumberKind::Int) {
            return help;
        }
        let bool = self.kinds.contains(&NumberKind::Bool);
        let refuses = if bool { "bool => refuse \"reason\"; " } else { "" };
        format!("{help}; for integer division add `{refuses}rounding: truncate;`")
    }

    /// Returns the dtype of the rule set in which the ops can be computed instead: its widest signed integer,
    /// or else its widest float. A higher kind is not converted to a lower one.
    fn compute_dtype<'r>(&self, rules: &'r Rules) -> Option<&'r str> {
        let can = |kind: &NumberKind| {
            self.kinds.iter().all(|wrong| wrong < kind) && self.ops.iter().all(|op| op.computes(*kind))
        };
        let kind = [NumberKind::Int, NumberKind::Float].into_iter().find(can)?;
        let is = |dtype: StandardDType| dtype.has_type() && NumberKind::of(dtype) == Some(kind);
        let dtypes = rules.dtypes.iter().filter(|dtype| dtype.standard.is_some_and(is));
        let signed = |dtype: &DType| !matches!(dtype.format(), Some(Format::Int { signed: false, .. }));
        dtypes.max_by_key(|dtype| (signed(dtype), dtype.bits)).map(|dtype| dtype.name.as_str())
    }
}

/// The declaration that names an op first.
type Item = (usize, usize);

/// The number of ops that a message names.
const SHOWN: usize = 5;

/// Names ops as `` `a`, `b` and `c` ``; of many the first ones.
fn listed(ops: &[&Op]) -> String {
    let mut names: Vec<String> = ops.iter().map(|op| format!("`{}`", op.name)).collect();
    if names.len() > SHOWN {
        names.truncate(SHOWN - 2);
        names.push(format!("{} more ops", ops.len() - names.len()));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Names ops as a declaration does; of many the first ones.
fn spaced(ops: &[&Op]) -> String {
    let mut names: Vec<&str> = ops.iter().map(|op| op.name.as_str()).collect();
    if names.len() > SHOWN {
        names.truncate(SHOWN - 2);
        names.push("..");
    }
    names.join(" ")
}

/// `rounding` of an op whose meaning in integers depends on it is set only if the op computes in integers.
/// Wrong: `op divide { bool | int => f64; rounding: floor; }`.
pub(super) fn rounding_has_an_effect(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    // The dtype that an undecided cell computes in is not known.
    if !computed.problems.is_empty() {
        return;
    }
    let mut idle: Vec<(Span, &Op)> = Vec::new();
    let mut used = Vec::new();
    for (which, op) in rules.ops.iter().enumerate() {
        let Some((_, span)) = op.set_here.iter().find(|(option, _)| *option == "rounding") else { continue };
        // A custom dtype may round as the option says, too.
        let rounds = |cell: OpCell| match cell {
            OpCell::Resolved { compute, .. } => {
                rules.standard(compute).is_none_or(|dtype| NumberKind::of(dtype) == Some(NumberKind::Int))
            }
            _ => false,
        };
        let needed = op.info.computes.contains(&NumberKind::Int) || op.option("rounding") == Some("none");
        if needed || cells(computed, which).any(rounds) {
            used.push(position(*span));
        } else {
            idle.push((*span, op));
        }
    }
    // One of several ops in a declaration is enough.
    for (span, op) in idle.into_iter().filter(|(span, _)| !used.contains(&position(*span))) {
        let (name, value) = (&op.name, op.option("rounding").unwrap_or_default());
        errors
            .push(span, format!("`rounding: {value}` has no effect: `{name}` never computes in integers"))
            .help("remove the option, or the clauses that convert integers to floats before the division");
    }
}

fn position(span: Span) -> (usize, usize) {
    (span.start().line, span.start().column)
}

/// No processor computes in f16, bf16 or f8: what their ops compute in is the file's to say. A clause that
/// says `in f16` means it: each step is rounded, of which most ops have one. Wrong: `op add;` over f16
/// without `opmath { f16 => f32; }`.
pub(super) fn narrow_floats_say_what_they_compute_in(
    errors: &mut Errors,
    rules: &Rules,
    computed: &Computed,
) {
    let mut reported: BTreeSet<DTypeId> = BTreeSet::new();
    let mut reported_clauses = BTreeSet::new();
    for (which, op) in rules.ops.iter().enumerate() {
        // A program that computes the op by other means knows in what.
        if op.declared.is_some() {
            continue;
        }
        let says_so = |id| op.block.iter().find(|clause| clause.id == id && clause.compute.is_some());
        for cell in cells(computed, which) {
            let OpCell::Resolved { compute, clause, .. } = cell else {
                continue;
            };
            let dtype = &rules.dtypes[compute.index()];
            let Some(standard) = dtype.standard else { continue };
            let wanted = standard.register();
            if wanted == standard || op.info.in_common_dtype() {
                continue;
            }
            if let Some(clause) = clause.and_then(says_so) {
                let one_step = op.info.kernel.is_some_and(|kernel| !kernel.steps);
                let why = if op.path.is_some() { "is a custom op" } else { "has one step" };
                if (one_step || op.path.is_some()) && reported_clauses.insert(clause.id) {
                    errors
                        .push(
                            rules.clauses[clause.id].span,
                            format!("`{}` {why}, and does not compute in `{}`", op.name, dtype.name),
                        )
                        .help(format!(
                            "its result is rounded once: write `in {wanted}`, or leave it to `opmath`"
                        ));
                }
                continue;
            }
            if reported.insert(compute) {
                errors
                    .push(dtype.span, format!("no processor computes in `{}`", dtype.name))
                    .help(format!("say what its ops compute in: `opmath {{ {} => {wanted}; }}`", dtype.name));
            }
        }
    }
}

/// An op that steps from one value of a dtype to the next does so in the dtype to which its operands are
/// converted: in a wider one, the result would be rounded back to the operand. Wrong:
/// `op nextafter { bf16 => common in f32; }`.
pub(super) fn ops_in_the_common_dtype_stay_in_it(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    let mut reported = BTreeSet::new();
    for (which, op) in rules.ops.iter().enumerate().filter(|(_, op)| op.info.in_common_dtype()) {
        for cell in cells(computed, which) {
            let OpCell::Resolved { common, compute, clause: Some(clause), .. } = cell else {
                continue;
            };
            if common != compute && rules.steps_in(op, common) && reported.insert(clause) {
                let (common, compute) = (rules.dtype_name(common), rules.dtype_name(compute));
                errors
                    .push(
                        rules.clauses[clause].span,
                        format!("`{}` computes in `{common}`, to which its operands are converted, and not in `{compute}`", op.name),
                    )
                    .help(format!("remove `in {compute}`, or convert the operands to `{compute}`"));
            }
        }
    }
}

/// An op whose operands have no order gives the same both ways. Wrong:
/// `op add { int, float => a; int, int => a; }`.
pub(super) fn an_op_without_order_has_none(errors: &mut Errors, rules: &Rules, tables: &Tables) {
    let n = rules.dtypes.len();
    let mut found: BTreeMap<(Item, usize), Vec<&Op>> = BTreeMap::new();
    for (which, op) in rules.ops.iter().enumerate().filter(|(_, op)| !op.is_ordered()) {
        let planes: BTreeSet<(usize, usize)> = tables
            .settings
            .iter()
            .filter_map(|setting| setting.ops[which].pairs)
            .flat_map(|pairs| (0..16).map(move |i| (pairs[i / 4][i % 4], pairs[i % 4][i / 4])))
            .collect();
        let differs = |(straight, swapped): &(usize, usize)| {
            let (straight, swapped) = (&tables.pairs[*straight], &tables.pairs[*swapped]);
            (0..n * n).find(|i| !straight[*i].says_as(swapped[i % n * n + i / n]))
        };
        if let Some(at) = planes.iter().find_map(differs) {
            found.entry((op.item, at)).or_default().push(op);
        }
    }
    for ((_, at), ops) in found {
        let name = |at: usize| rules.dtype_name(DTypeId::new(at));
        let (a, b, names) = (name(at / n), name(at % n), listed(&ops));
        let is = if ops.len() == 1 { "is not that" } else { "are not those" };
        errors
            .push(ops[0].span, format!("{names} of `{a}` and `{b}` {is} of `{b}` and `{a}`"))
            .help(format!("if the order matters, say so: `op {} (a, b) {{ .. }}`", spaced(&ops)));
    }
}

/// Returns the cells of an op for every operand that can occur, under every setting.
fn cells(computed: &Computed, which: usize) -> impl Iterator<Item = OpCell> {
    let tables = &computed.tables;
    let indices = || tables.settings.iter().map(move |setting| &setting.ops[which]);
    let by_value = indices().filter_map(|index| index.values).flatten().flatten().flatten();
    let pairs: BTreeSet<usize> =
        indices().filter_map(|index| index.pairs).flatten().flatten().chain(by_value).collect();
    let of_maps = computed
        .live_maps
        .range((which, 0)..(which + 1, 0))
        .flat_map(move |((_, map), live)| live.iter().map(move |dtype| tables.maps[*map][dtype.index()]));
    of_maps.chain(pairs.into_iter().flat_map(move |pair| tables.pairs[pair].iter().copied()))
}
