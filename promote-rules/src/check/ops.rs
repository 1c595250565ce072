//! Checks of the ops.

use std::collections::BTreeSet;

use crate::diag::Errors;
use crate::model::{DTypeId, Format, NumberKind, Rules, register};
use crate::tables::{Computed, OpCell, Tables};

/// An op is computed where it has a meaning: there is no quotient among integers, no order among complex numbers.
/// Wrong: `op divide;` without `int => f64;`, and `op less -> bool;` without a refusal of complex.
pub(super) fn ops_compute_where_they_can(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    for (which, op) in rules.ops.iter().enumerate() {
        let mut told: BTreeSet<DTypeId> = BTreeSet::new();
        let (mut kinds, mut outputs) = (BTreeSet::new(), BTreeSet::new());
        for cell in cells(computed, which) {
            let OpCell::Gives { compute, output, .. } = cell else {
                continue;
            };
            let Some(kind) = number_kind(rules, compute) else {
                continue;
            };
            if !op.info.computes.contains(&kind) && told.insert(compute) {
                kinds.insert(kind);
            }
            if op.info.gives_bool() && rules.dtypes[output.index()].format != Some(Format::Bool) {
                outputs.insert(output);
            }
        }
        for kind in kinds {
            let name = kind.name();
            errors.push(op.span, format!("`{}` cannot be computed in a dtype of kind {name}", op.name)).help(
                format!(
                    "say what it computes in, or refuse: `{name} => f64;` or `{name} => refuse \"reason\";`"
                ),
            );
        }
        if let Some(output) = outputs.first() {
            errors
                .push(
                    op.span,
                    format!("`{}` gives a bool, and here `{}`", op.name, rules.dtype_name(*output)),
                )
                .help(format!("write `op {} -> bool`", op.name));
        }
    }
}

/// No processor computes in f16, bf16 or f8: what their ops compute in is the file's to say. A clause that says `in f16` means
/// it: each step is rounded, of which most ops have one. Wrong: `op add;` over f16 without `opmath { f16 => f32; }`.
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
            let wanted = register(&dtype.name);
            if dtype.path.is_some() || wanted == dtype.name {
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

/// An op whose operands have no order gives the same both ways. Wrong: `op add { int, float => a; int, int => a; }`.
pub(super) fn an_op_without_order_has_none(errors: &mut Errors, rules: &Rules, tables: &Tables) {
    let n = rules.dtypes.len();
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
            let name = |at: usize| rules.dtype_name(DTypeId::new(at));
            let (a, b, op_name) = (name(at / n), name(at % n), &op.name);
            errors
                .push(op.span, format!("`{op_name}` of `{a}` and `{b}` is not that of `{b}` and `{a}`"))
                .help(format!("if the order matters, say so: `op {op_name} (a, b) {{ .. }}`"));
        }
    }
}

/// What an op does with every operand that can occur, under every setting.
fn cells(computed: &Computed, which: usize) -> impl Iterator<Item = OpCell> {
    let tables = &computed.tables;
    let indices = || tables.settings.iter().map(move |setting| &setting.ops[which]);
    let pairs: BTreeSet<usize> =
        indices().filter_map(|index| index.pairs).flatten().flatten().chain(by_value).collect();
    let of_maps = computed
        .live_maps
        .range((which, 0)..(which + 1, 0))
        .flat_map(move |((_, map), live)| live.iter().map(move |dtype| tables.maps[*map][dtype.index()]));
    of_maps.chain(pairs.into_iter().flat_map(move |pair| tables.pairs[pair].iter().copied()))
}

fn number_kind(rules: &Rules, id: DTypeId) -> Option<NumberKind> {
    Some(match rules.dtypes[id.index()].format? {
        Format::Bool => NumberKind::Bool,
        Format::Int { .. } => NumberKind::Int,
        Format::Float { .. } => NumberKind::Float,
        Format::Complex { .. } => NumberKind::Complex,
    })
}
    let by_value = indices().filter_map(|index| index.values).flatten().flatten().flatten();
