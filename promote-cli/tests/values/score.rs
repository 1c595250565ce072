//! Each recorded case of a framework beside what the reference gives.

use std::collections::BTreeMap;
use std::path::Path;

use promote::ScalarValue;
use promote::{DType, Kind, Number, Op, Operand, RuleSet};
use promote_cli::{bundled, load};
use promote_reference::{Error, Value, evaluate, reduce};

use crate::cases::{Case, Input, Outcome, Recorded, looks_at_all};
use crate::defects::{self, Excused};
use crate::exceptions::{Framework, Lane};
use crate::tolerance::{distance, magnitude, parts, reordered, same, unit, units};

/// The fewest cases that a framework has.
const LEAST_CASES: usize = 200;

/// How many lanes of an op are shown that differ.
const SHOWN: usize = 400;

/// How many units an elementary function may be off: one that is correctly rounded below `f64` lies beside
/// the polynomials of vector loops, of which the worst is a `tanh`.
const FARTHEST: f64 = 3.0;

#[derive(Default)]
struct Count {
    cases: usize,
    trapped: usize,
    lanes: usize,
    equal: usize,
    near: usize,
    excused: usize,
}

/// What is wrong, by op.
type Wrong = BTreeMap<String, Vec<String>>;

/// Compares every recorded case of a framework; prints the counts, and fails where something differs. An op
/// is asked of the first rule set that has it. What is excused stands in `docs/defects.md` as that of `who`.
pub(crate) fn compare(name: &str, sets: &[&str], framework: &Framework, who: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let recorded = Recorded::read(&root.join(format!("tests/data/values_{name}.safetensors")));
    let sets: Vec<RuleSet> = sets.iter().map(|set| rule_set(set)).collect();
    let (mut count, mut wrong) = (Count::default(), Wrong::new());
    let mut excused = vec![Excused::default(); framework.lanes.len()];
    let mut cases_excused = vec![Excused::default(); framework.cases.len()];
    for op in recorded.ops() {
        let known = op.parse::<Op>().expect("an op");
        let has = |rules: &&RuleSet| rules.tables().ops.iter().any(|table| table.op == known);
        let rules = sets.iter().find(has).unwrap_or_else(|| panic!("{name} has no rules of {op}"));
        for case in recorded.cases(&op) {
            let is = |(ops, parts, _): &(&str, &str, &str)| {
                ops.split(' ').any(|o| o == op) && parts.split('|').any(|part| case.text.contains(part))
            };
            if let Some(found) = framework.cases.iter().position(is) {
                cases_excused[found].case(&op, framework.cases[found].1);
                continue;
            }
            let differ = compare_case(rules, &recorded, &case, framework, &mut count, &mut excused);
            if !differ.is_empty() {
                let about = |what: String| format!("{op} {}: {what}", case.text);
                wrong.entry(op.clone()).or_default().extend(differ.into_iter().map(about));
            }
        }
    }
    for (exception, excused) in framework.lanes.iter().zip(&excused) {
        let (defect, reason, _) = exception;
        println!("{name:10} {:4} lanes excused: {defect}, {reason}: {}", excused.lanes, excused.first);
    }
    for (exception, excused) in framework.cases.iter().zip(&cases_excused) {
        println!(
            "{name:10} {:4} cases excused: {} .. {} ..: {}",
            excused.cases, exception.0, exception.1, exception.2
        );
    }
    let Count { cases, trapped, lanes, equal, near, excused: lanes_excused } = count;
    println!(
        "{name:10} {cases} cases, of which {trapped} are errors; {lanes} lanes: {equal} equal, {near} near, {lanes_excused} excused; {} cases excused",
        cases_excused.iter().map(|excused| excused.cases).sum::<usize>()
    );
    let shown: Vec<String> = wrong
        .iter()
        .flat_map(|(op, wrong)| {
            let head = format!("{op}: {} differ", wrong.len());
            std::iter::once(head).chain(wrong.iter().take(SHOWN).cloned())
        })
        .collect();
    assert!(wrong.is_empty(), "{name} differs:\n{}", shown.join("\n"));
    assert!(cases >= LEAST_CASES, "only {cases} cases");
    for (exception, excused) in framework.lanes.iter().zip(&excused) {
        assert!(excused.lanes > 0, "the exception `{}` ({}) excuses nothing", exception.0, exception.1);
    }
    for (exception, excused) in framework.cases.iter().zip(&cases_excused) {
        assert!(excused.cases > 0, "the exception of `{}` excuses nothing", exception.0);
    }
    let lanes = framework.lanes.iter().map(|exception| exception.0).zip(excused);
    let cases = cases_excused.into_iter().map(|excused| (defects::WHOLE, excused));
    let excused: Vec<_> = lanes.chain(cases).collect();
    defects::told(&root.join("docs/defects.md").display().to_string(), who, &excused);
}

/// The rule set of a bundled name.
fn rule_set(name: &str) -> RuleSet {
    let compiled = bundled::read(name, &[]).unwrap_or_else(|failure| panic!("{failure}"));
    load::rule_set(Box::leak(Box::new(compiled)))
}

/// What differs in a case.
fn compare_case(
    rules: &RuleSet,
    recorded: &Recorded,
    case: &Case,
    framework: &Framework,
    count: &mut Count,
    excused: &mut [Excused],
) -> Vec<String> {
    count.cases += 1;
    let ours = ours(rules, recorded.lanes, case);
    let (dtype, theirs) = match (&case.outcome, &ours) {
        (Outcome::Elements(dtype, theirs), Ok(_)) => (*dtype, theirs),
        (Outcome::Word(_), Err(Error::Trap(_))) => {
            count.trapped += 1;
            return Vec::new();
        }
        (Outcome::Elements(dtype, _), Err(error)) => return vec![format!("recorded {dtype}, ours: {error}")],
        (Outcome::Word(word), Ok(_)) => return vec![format!("recorded {word}, ours has a result")],
        (Outcome::Word(word), Err(error)) => return vec![format!("recorded {word}, ours: {error}")],
    };
    let ours = ours.unwrap_or_default();
    let came_out = ours.first().map(ScalarValue::dtype);
    if came_out != Some(dtype) || ours.len() != theirs.len() {
        return vec![format!("recorded {} of {dtype}, ours {} of {came_out:?}", theirs.len(), ours.len())];
    }
    let mut differ = Vec::new();
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        count.lanes += 1;
        if same(*a, *b) {
            count.equal += 1;
            continue;
        }
        let lane = Lane {
            op: case.op,
            operands: operands(rules, case, i),
            number: case.inputs.iter().any(|input| matches!(input, Input::Scalar(_))),
            dtype,
            ours: parts(*a),
            theirs: parts(*b),
        };
        let (allowed, size) = tolerance(case, recorded.lanes, &lane, *b);
        let apart = distance(*a, *b, size);
        if apart <= allowed {
            count.near += 1;
        } else if let Some(found) = framework.lanes.iter().position(|exception| exception.2(&lane)) {
            excused[found].lane(case.op.name(), dtype, || lane.example(&case.text));
            count.excused += 1;
        } else {
            let [(_, x), (_, y)] = lane.operands;
            differ.push(format!(
                "lane {i}, {x:?} {y:?}: ours {:?}, theirs {:?}, {apart} units",
                lane.ours, lane.theirs
            ));
        }
    }
    differ
}

/// What the reference gives.
fn ours(rules: &RuleSet, lanes: usize, case: &Case) -> Result<Vec<ScalarValue>, Error> {
    if let (true, Some((dtype, elements))) = (looks_at_all(case.op), case.inputs[0].array()) {
        return reduce(rules, case.op, dtype, elements);
    }
    let lane = |i| {
        evaluate(
            rules,
            case.op,
            &case.inputs.iter().map(|input| input.lane(i)).collect::<Vec<_>>(),
            &case.options,
        )
    };
    (0..lanes).map(lane).collect()
}

/// The operands of a lane as exceptions see them; of one operand both are it.
fn operands(rules: &RuleSet, case: &Case, i: usize) -> [(DType, [f64; 2]); 2] {
    let kinds: Vec<Operand> = case.inputs.iter().map(Input::operand).collect();
    let see = |input: &Input| match input.lane(i) {
        Value::Array(element) | Value::ZeroDim(element) => (element.dtype(), parts(element)),
        Value::Number(number) => {
            let common = rules.op_types(case.op, &kinds).map_or(DType::F64, |types| types.common);
            let value = match number {
                Number::Float(x) => x,
                Number::Int(x) => x as f64,
                _ => f64::NAN,
            };
            (common, [value, 0.0])
        }
    };
    [see(&case.inputs[0]), see(&case.inputs[case.inputs.len() - 1])]
}

/// How many units a lane may be off, and the magnitude whose unit is meant.
fn tolerance(case: &Case, lanes: usize, lane: &Lane, result: ScalarValue) -> (f64, f64) {
    let size = magnitude(lane.theirs);
    if let (true, Some((dtype, elements))) = (looks_at_all(case.op), case.inputs[0].array()) {
        if dtype.kind() < Kind::Float {
            return (0.0, size);
        }
        let total: f64 = elements.iter().map(|x| parts(*x)[0].abs()).sum();
        let total = if case.op == Op::Mean { total / lanes as f64 } else { total };
        // Each framework adds and multiplies in an order of its own.
        let bound = reordered(case.op, dtype, lanes, total, size);
        return (bound / unit(result.dtype(), size), size);
    }
    let units = units(case.op, lane.dtype, lane.operands[0].1, lane.operands[1].1);
    let complex = lane.operands[0].0.kind() == Kind::Complex;
    let [a, b] = lane.operands.map(|operand| operand.1[0].hypot(operand.1[1]));
    match case.op {
        // The two products of a part are fused into one sum or not, as the vector loop has it.
        Op::Multiply | Op::Square if complex => (1.0, a * b),
        // Its root is no correctly rounded one.
        Op::Abs if complex => (1.0, size),
        // Polynomials of the vector loops.
        _ if units == 1.0 => (FARTHEST, size),
        // What is made of an operand and a rest may be small beside both.
        Op::Logaddexp | Op::Logaddexp2 => {
            (units, lane.operands.iter().map(|operand| magnitude(operand.1)).fold(size, f64::max))
        }
        _ => (units, size),
    }
}
