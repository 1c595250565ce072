//! Checks of the ops.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Errors;
use crate::model::{DTypeId, NumberKind, Op, Rules, StandardDType};
use crate::tables::{Computed, OpCell, Tables};

/// An op is computed where it has a meaning: there is no quotient among integers unless the file says how it
/// is rounded, and no order among complex numbers. Wrong: `op divide;` without `int => f64;`, and
/// `op less -> bool;` without a refusal of complex.
pub(super) fn ops_compute_where_they_can(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    // What is wrong with several ops of one declaration is told once.
    let mut kinds: BTreeMap<(Item, NumberKind), Vec<&Op>> = BTreeMap::new();
    let mut outputs: BTreeMap<(Item, DTypeId), Vec<&Op>> = BTreeMap::new();
    for (which, op) in rules.ops.iter().enumerate() {
        let mut told: BTreeSet<DTypeId> = BTreeSet::new();
        let (mut wrong_kinds, mut wrong_outputs) = (BTreeSet::new(), BTreeSet::new());
        for cell in cells(computed, which) {
            let OpCell::Gives { compute, output, .. } = cell else {
                continue;
            };
            let Some(kind) = rules.standard(compute).and_then(NumberKind::of) else {
                continue;
            };
            if !op.computes(kind) && told.insert(compute) {
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
    for ((_, kind), ops) in kinds {
        let (name, what) = (kind.name(), if ops.len() == 1 { "it computes" } else { "they compute" });
        let (converts, refuses) = (format!("`{name} => f64;`"), format!("`{name} => refuse \"reason\";`"));
        let divides = kind == NumberKind::Int && ops.iter().all(|op| op.option("rounding").is_some());
        errors
            .push(ops[0].span, format!("{} cannot be computed in a dtype of kind {name}", listed(&ops)))
            .help(if divides {
                format!("say what {what} in, how the quotient is rounded, or refuse: {converts}, `rounding: truncate;` or {refuses}")
            } else {
                format!("say what {what} in, or refuse: {converts} or {refuses}")
            });
    }
    for ((_, output), ops) in outputs {
        let gives = if ops.len() == 1 { "gives" } else { "give" };
        errors
            .push(
                ops[0].span,
                format!("{} {gives} a bool, and here `{}`", listed(&ops), rules.dtype_name(output)),
            )
            .help(format!("write `op {} -> bool`", spaced(&ops)));
    }
}

/// The declaration that names an op first.
type Item = (usize, usize);

/// Names ops as `` `a`, `b` and `c` ``.
fn listed(ops: &[&Op]) -> String {
    let names: Vec<String> = ops.iter().map(|op| format!("`{}`", op.name)).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Names ops as a declaration does.
fn spaced(ops: &[&Op]) -> String {
    ops.iter().map(|op| op.name.as_str()).collect::<Vec<_>>().join(" ")
}

/// No processor computes in f16, bf16 or f8: what their ops compute in is the file's to say. A clause that
/// says `in f16` means it: each step is rounded, of which most ops have one. Wrong: `op add;` over f16
/// without `opmath { f16 => f32; }`.
pub(super) fn narrow_floats_say_what_they_compute_in(
    errors: &mut Errors,
    rules: &Rules,
    computed: &Computed,
) {
    let mut told: BTreeSet<DTypeId> = BTreeSet::new();
    let mut told_clauses = BTreeSet::new();
    for (which, op) in rules.ops.iter().enumerate() {
        let says_so = |id| op.block.iter().find(|clause| clause.id == id && clause.compute.is_some());
        for cell in cells(computed, which) {
            let OpCell::Gives { compute, clause, .. } = cell else {
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
                let why = if op.path.is_some() { "is an op of your own" } else { "has one step" };
                if (one_step || op.path.is_some()) && told_clauses.insert(clause.id) {
                    errors
                        .push(
                            rules.clauses[clause.id].span,
                            format!("`{}` {why}, and does not compute in `{}`", op.name, dtype.name),
                        )
                        .help(format!("its result is rounded once: say `in {wanted}`, or leave `in` out"));
                }
                continue;
            }
            if told.insert(compute) {
                errors
                    .push(dtype.span, format!("no processor computes in `{}`", dtype.name))
                    .help(format!("say what its ops compute in: `opmath {{ {} => {wanted}; }}`", dtype.name));
            }
        }
    }
}

/// An op that steps from one value of a dtype to the next does so in the dtype to which its operands are
/// converted: in a wider one, the result would be rounded back to the operand. Wrong:
/// `op nextafter { bf16 => c in f32; }`.
pub(super) fn ops_in_the_common_dtype_stay_in_it(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    let mut told = BTreeSet::new();
    for (which, op) in rules.ops.iter().enumerate().filter(|(_, op)| op.info.in_common_dtype()) {
        for cell in cells(computed, which) {
            let OpCell::Gives { common, compute, clause: Some(clause), .. } = cell else {
                continue;
            };
            if common != compute && rules.steps_in(op, common) && told.insert(clause) {
                let (common, compute) = (rules.dtype_name(common), rules.dtype_name(compute));
                errors
                    .push(
                        rules.clauses[clause].span,
                        format!("`{}` steps in `{common}`, to which its operands are converted, and not in `{compute}`", op.name),
                    )
                    .help(format!("leave `in {compute}` out, or convert the operands to `{compute}`"));
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

/// What an op does with every operand that can occur, under every setting.
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
