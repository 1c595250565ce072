//! The pairs of dtypes that run in one loop.
//!
//! An op that costs no more than the conversion of its operands has a loop for each pair of dtypes that it
//! computes in the register form of their common dtype, at every SIMD level above scalar, unless there is a
//! [`PipelineReason`] for the pair. The page `docs/kernels.md` shows the way of every op and pair.
//!
//! `PROMOTE_BLESS=1 cargo test --workspace --test fused` writes the page anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use promote::{DType, Level, Op, Operand, RuleSet, Torch};
use promote_core::__private::PipelineReason;

#[path = "common/bundled.rs"]
mod bundled;

/// The way in which a rule set computes an op on a pair of dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// One loop loads, converts, computes and stores.
    Loop,
    /// A pipeline, for the reason at this position in [`PipelineReason::ALL`].
    Pipeline(usize),
    /// A pipeline, because the rule set computes in another dtype than the common one, or stores the result
    /// in another dtype than the computed one.
    OtherDType,
}

impl Way {
    /// The name of the way in `docs/kernels.md`.
    fn name(self) -> &'static str {
        match self {
            Way::Loop => "loop",
            Way::Pipeline(reason) => PipelineReason::ALL[reason].name,
            Way::OtherDType => "other",
        }
    }
}

/// Returns the way of an op that has loops, as the tables of the rule set ask for it; `None` if the rule set
/// refuses the op on these dtypes, the result has no Rust type, or the op has no loops in the compute dtype.
fn way(rules: &RuleSet, op: Op, dtypes: &[DType]) -> Option<Way> {
    let operands: Vec<Operand> = dtypes.iter().map(|dtype| Operand::Array(*dtype)).collect();
    let types = rules.op_types(op, &operands).ok()?;
    let kernel = rules.tables().ops.iter().find(|table| table.op == op)?.kernel?;
    let info = op.info().kernel?;
    if !types.output.has_type() || !types.compute.has_type() || !info.is_fused(types.compute.register()) {
        return None;
    }
    if types.compute != types.common.register() || types.output.register() != kernel.result(types.compute) {
        return Some(Way::OtherDType);
    }
    let pair = [dtypes[0], *dtypes.last()?];
    // Ops that are equal in this dtype share a kernel.
    let shared = kernel.for_operand(pair[0], types.compute, types.compute).canonical(types.compute, false);
    let info = shared.op().info().kernel?;
    let reason = info.pipeline_reason(pair, types.common, types.output);
    let position = |reason| PipelineReason::ALL.iter().position(|other| other == reason);
    Some(reason.and_then(position).map_or(Way::Loop, Way::Pipeline))
}

/// Returns the dtypes of each call of an op: all dtypes with a Rust type, or all pairs of them.
fn calls(op: Op) -> Vec<Vec<DType>> {
    let one = DType::WITH_TYPE.iter();
    match op.arity() {
        1 => one.map(|a| vec![*a]).collect(),
        _ => one.flat_map(|a| DType::WITH_TYPE.iter().map(|b| vec![*a, *b])).collect(),
    }
}

/// Checks each kernel of a rule set, and returns the number of pairs of two dtypes that have a loop.
fn check(rules: &RuleSet) -> usize {
    let mut loops = 0;
    for table in rules.tables().ops {
        for dtypes in calls(table.op) {
            let Some(way) = way(rules, table.op, &dtypes) else { continue };
            for &level in Level::ALL.iter().filter(|level| **level <= Level::best() && **level > Level::BASE)
            {
                let found = match dtypes[..] {
                    [a] => rules.unary_kernel_at(level, table.op, a),
                    [a, b, ..] => rules.kernel_at(level, table.op, a, b),
                    [] => unreachable!("an op has operands"),
                };
                let found = found.unwrap_or_else(|error| panic!("{} {dtypes:?}: {error}", table.op));
                assert_eq!(
                    found.is_fused(),
                    way == Way::Loop,
                    "{} {} {dtypes:?} at {level}: {way:?}",
                    rules.name(),
                    table.op
                );
            }
            loops += usize::from(dtypes.len() > 1 && dtypes[0] != dtypes[1] && way == Way::Loop);
        }
    }
    loops
}

#[test]
#[cfg_attr(not(feature = "mixed-loops"), ignore = "without the feature, pipelines compute these pairs")]
fn fused_kernels_run_in_one_loop() {
    let rules = Torch::new().rule_set();
    let is_fused = |op, a, b| rules.kernel_at(Level::best(), op, a, b).expect("a kernel").is_fused();
    assert!(is_fused(Op::Add, DType::I8, DType::F32), "one loop loads and converts both");
    assert!(is_fused(Op::Where, DType::F32, DType::I16), "one loop converts and selects");
    assert!(!is_fused(Op::Add, DType::F16, DType::I32), "i32 is rounded to f16 before the loop");
    assert!(!is_fused(Op::Atan2, DType::F32, DType::F64), "f32 is cast before the loop");
}

#[test]
#[cfg_attr(not(feature = "mixed-loops"), ignore = "without the feature, pipelines compute these pairs")]
fn every_pair_has_a_loop_unless_there_is_a_reason() {
    let loops: Vec<(&str, usize)> =
        bundled::bundled().iter().map(|rules| (rules.name(), check(rules))).collect();
    let torch = loops.iter().find(|(name, _)| *name == "Torch").expect("the rule set");
    assert!(torch.1 > 2000, "{loops:?}");
}

/// Returns the cell of an op and dtypes in `docs/kernels.md`: the ways of all rule sets.
fn cell(sets: &[RuleSet], op: Op, dtypes: &[DType]) -> String {
    let ways: BTreeSet<Way> = sets.iter().filter_map(|rules| way(rules, op, dtypes)).collect();
    let names: Vec<&str> = ways.into_iter().map(Way::name).collect();
    if names.is_empty() { "-".to_owned() } else { names.join("/") }
}

/// Returns `docs/kernels.md`.
fn page() -> String {
    let sets = bundled::bundled();
    let with_kernels = || Op::STANDARD.iter().filter_map(|op| Some((*op, op.info().kernel?)));
    let named = |ops: &[Op]| ops.iter().map(|op| format!("`{op}`")).collect::<Vec<_>>().join(", ");
    // The ops of each table.
    let mut tables: BTreeMap<Vec<String>, Vec<Op>> = BTreeMap::new();
    let (mut unary, mut without) = (Vec::new(), Vec::new());
    for (op, info) in with_kernels() {
        if info.fused.is_empty() {
            without.push(op);
        } else if op.arity() == 1 {
            unary.push(op);
        } else {
            let cells = calls(op).iter().map(|dtypes| cell(&sets, op, dtypes)).collect();
            tables.entry(cells).or_default().push(op);
        }
    }
    let mut tables: Vec<(Vec<String>, Vec<Op>)> = tables.into_iter().collect();
    tables.sort_by_key(|(_, ops)| Op::STANDARD.iter().position(|op| *op == ops[0]));
    let names: Vec<&str> = DType::WITH_TYPE.iter().map(|dtype| dtype.name()).collect();
    let head =
        |first: &str| format!("| {first} | {} |\n|{}\n", names.join(" | "), " --- |".repeat(names.len() + 1));
    let mut page = "<!-- Written by tests/fused.rs. -->\n# Loops and pipelines\n\n\
         Which ops and dtypes run in one loop at the SIMD levels, for the bundled rule sets.\n\
         [Design: kernels](design/kernels.md) says how a loop and a pipeline work.\n\n\
         - `loop`: one loop loads the operands, converts them, computes and stores the result.\n\
         - `f8`, `f16` and others of the table below: a pipeline, because it is about as fast or faster.\n\
         - `other`: a pipeline, because the rule set computes in another dtype than the common one, or stores the\n  \
         result in another dtype than the computed one.\n\
         - `-`: no rule set computes the op on these dtypes.\n\n\
         Where rule sets differ, a cell lists each way. A pipeline is about as fast or faster for these\n\
         pairs. The figures are nanoseconds an element, for 4,096 elements\n\
         ([more](measurements.md#loops-and-pipelines)).\n\n\
         | way | reason | measured | pipeline | loop |\n| --- | --- | --- | --- | --- |\n"
    .to_owned();
    for PipelineReason { name, because, example, pipeline_ns, loop_ns, .. } in PipelineReason::ALL {
        writeln!(page, "| `{name}` | {because} | {example} | {pipeline_ns} | {loop_ns} |")
            .expect("a string takes all");
    }
    page.push_str("\nEvery cast has a loop, except those of 8-bit floats, which go through f32.\n");
    for (cells, ops) in tables {
        write!(page, "\n## {}\n\n{}", named(&ops), head("")).expect("a string takes all");
        for (row, a) in cells.chunks(names.len()).zip(&names) {
            writeln!(page, "| **{a}** | {} |", row.join(" | ")).expect("a string takes all");
        }
    }
    write!(page, "\n## Ops of one operand\n\n{}", head("op")).expect("a string takes all");
    for op in unary {
        let cells: Vec<String> = calls(op).iter().map(|dtypes| cell(&sets, op, dtypes)).collect();
        writeln!(page, "| `{op}` | {} |", cells.join(" | ")).expect("a string takes all");
    }
    page.push_str(
        "\n## Other ops\n\nThese cost more than the conversion of their operands. They have loops for operands \
         of the\ncompute dtype, and a pipeline casts all others:\n\n",
    );
    for op in without {
        writeln!(page, "- `{op}`").expect("a string takes all");
    }
    page
}

#[test]
#[cfg_attr(not(feature = "all-sets"), ignore = "the page shows every rule set")]
fn the_page_of_kernels_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/kernels.md");
    let page = page();
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        std::fs::write(&path, &page).expect("the folder can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "{} is old; write it anew with PROMOTE_BLESS=1", path.display());
}

/// Therefore a result for an `out` of another dtype is rounded to the common dtype only.
#[test]
fn ops_that_compute_in_a_wider_dtype_return_the_common_dtype() {
    let mut seen = 0;
    for rules in bundled::bundled() {
        for table in rules.tables().ops {
            let Some(kernel) = table.kernel else { continue };
            for &a in DType::WITH_TYPE {
                for &b in if table.op.arity() == 1 { &[DType::Bool][..] } else { DType::WITH_TYPE } {
                    let operands = [a, b].map(Operand::Array);
                    let Ok(types) = rules.op_types(table.op, &operands[..table.op.arity()]) else { continue };
                    if types.compute != types.common && kernel.result(types.compute) == types.compute {
                        assert_eq!(types.output, types.common, "{} {} {a} {b}", rules.name(), table.op);
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn cached_kernels_give_the_results_of_the_first_call() {
    let rules = Torch::new().rule_set();
    for _ in 0..2 {
        for (a, b) in [(DType::I8, DType::F32), (DType::F32, DType::I8), (DType::F16, DType::BF16)] {
            for op in [Op::Greater, Op::Less, Op::Subtract, Op::Add] {
                let (cached, searched) = (rules.kernel(op, a, b), rules.kernel_at(Level::active(), op, a, b));
                assert_eq!(
                    cached.expect("a kernel").dtypes(),
                    searched.expect("a kernel").dtypes(),
                    "{op} {a} {b}"
                );
            }
        }
    }
    for _ in 0..2 {
        let [one, other] = [
            rules.unary_kernel(Op::Exp, DType::F32),
            rules.unary_kernel_at(Level::active(), Op::Exp, DType::F32),
        ];
        assert_eq!(one.expect("a kernel").dtypes(), other.expect("a kernel").dtypes());
        assert!(rules.kernel(Op::Exp, DType::F32, DType::F32).is_err());
        assert!(rules.unary_kernel(Op::Add, DType::F32).is_err());
        assert!(rules.kernel(Op::Add, DType::F32, DType::F32).is_ok());
    }
    // Under another setting the same two dtypes are another kernel.
    let f64s = rules.with("default_dtype", "f64").expect("a parameter and its value");
    let kernel =
        |rules: RuleSet| rules.kernel(Op::Divide, DType::I32, DType::I32).expect("a kernel").dtypes()[2];
    assert_eq!((kernel(rules), kernel(f64s), kernel(rules)), (DType::F32, DType::F64, DType::F32));
}
