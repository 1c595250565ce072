//! The reference evaluator gives what PyTorch computed: recorded values of every op, 64 lanes a case.
//!
//! A lane is equal (bit for bit, or NaN and NaN), within a tolerance that the op has for a reason
//! (`tolerance.rs`), or excused by a named exception (`exceptions.rs`), of which none may be out of use.
//! Anything else fails.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

#[path = "recorded/cases.rs"]
mod cases;
#[path = "recorded/defects.rs"]
mod defects;
#[path = "recorded/tolerance.rs"]
mod tolerance;
mod torch_reference {
    pub(crate) mod composed;
    pub(crate) mod exceptions;
}

use std::path::Path;

use cases::{Case, Input, Outcome, Recorded, looks_at_all};
use defects::Excused;
use promote::ScalarValue;
use promote::{
    DType, Element, Flags, Kind, Number, Op, OpTypes, Operand, PromoteError, Reduction, RuleSet, Torch,
};
use promote_reference::{Error, Options, Value, addcmul, dot, evaluate, reduce};
use tolerance::{distance, magnitude, parts, reordered, same, unit, units};
use torch_reference::composed::{composed, product_of_halves};
use torch_reference::exceptions::{CASES, EXCEPTIONS, Lane};

/// The elements of a pool.
const LANES: usize = 64;

/// The recorded cases.
fn recorded_cases() -> Recorded {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/torch_cases.safetensors");
    let recorded = Recorded::read(Path::new(path));
    assert_eq!(recorded.lanes, LANES);
    recorded
}

/// What the reference gives for a case.
struct Ours {
    lanes: Vec<ScalarValue>,
    /// The sum of the absolute values that a reduction adds up, for its bound.
    size: f64,
}

fn ours(rules: &RuleSet, recorded: &Recorded, case: &Case) -> Result<Ours, Error> {
    let arrays: Vec<(DType, &[ScalarValue])> = case.inputs.iter().filter_map(Input::array).collect();
    let total = |x: &[ScalarValue]| x.iter().map(|x| parts(*x)).map(|[re, im]| re.abs() + im.abs()).sum();
    match arrays[..] {
        [(dtype, elements)] if looks_at_all(case.op) => {
            return Ok(Ours { lanes: reduce(rules, case.op, dtype, elements)?, size: total(elements) });
        }
        [a, b] if case.op == Op::Dot => {
            let products = a.1.iter().zip(b.1).map(|(x, y)| {
                let (x, y) = (parts(*x), parts(*y));
                (x[0].abs() + x[1].abs()) * (y[0].abs() + y[1].abs())
            });
            return Ok(Ours { lanes: vec![dot(rules, a, b)?], size: products.sum() });
        }
        _ => {}
    }
    let lane = |i: usize| {
        let operands: Vec<Value> = case.inputs.iter().map(|input| input.lane(i)).collect();
        let options = Options { condition: recorded.condition(i), ..case.options };
        match operands[..] {
            [a, b, c] => addcmul(rules, a, b, c, &options),
            _ => evaluate(rules, case.op, &operands, &options),
        }
    };
    let lanes: Vec<ScalarValue> = (0..LANES).map(lane).collect::<Result<_, _>>()?;
    let size = total(&lanes);
    match case.then {
        Some(then) => Ok(Ours { lanes: reduce(rules, then, lanes[0].dtype(), &lanes)?, size }),
        None => Ok(Ours { lanes, size }),
    }
}

/// The counts of an op, or of all of them.
#[derive(Clone, Copy, Default)]
struct Count {
    cases: usize,
    lanes: usize,
    equal: usize,
    near: usize,
    excused: usize,
    /// Of those within tolerance, the farthest, in units.
    farthest: f64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.cases += other.cases;
        self.lanes += other.lanes;
        self.equal += other.equal;
        self.near += other.near;
        self.excused += other.excused;
        self.farthest = self.farthest.max(other.farthest);
    }

    fn print(&self, name: &str) {
        let Count { cases, lanes, equal, near, excused, farthest } = self;
        println!(
            "{name:21} {cases:5} cases {lanes:7} lanes {equal:7} equal {near:5} near (at most {farthest:6.2} units) {excused:4} excused"
        );
    }
}

/// The operands of a lane as exceptions see them.
fn operands(case: &Case, i: usize, common: DType) -> [(DType, [f64; 2]); 2] {
    let see = |input: &Input| match input.lane(i) {
        Value::Array(element) | Value::ZeroDim(element) => (element.dtype(), parts(element)),
        Value::Number(Number::Complex(re, im)) => (common, [re, im]),
        Value::Number(Number::Float(x)) => (common, [x, 0.0]),
        Value::Number(Number::Int(x)) => (common, [x as f64, 0.0]),
        Value::Number(number) => (common, [f64::from(u8::from(number == Number::Bool(true))), 0.0]),
    };
    [see(&case.inputs[0]), see(&case.inputs[case.inputs.len() - 1])]
}

/// How many units a lane may be off, and the magnitude whose unit is meant.
fn tolerance(
    case: &Case,
    types: OpTypes,
    total: f64,
    operands: [(DType, [f64; 2]); 2],
    result: ScalarValue,
) -> (f64, f64) {
    let size = magnitude(parts(result));
    if let Some(op) = case.then.or_else(|| (looks_at_all(case.op) || case.op == Op::Dot).then_some(case.op)) {
        if result.dtype().kind() < Kind::Float {
            return (0.0, size);
        }
        // A mean divides the sum, and its rounding errors with it.
        let total = if op == Op::Mean { total / LANES as f64 } else { total };
        let compute = if case.then.is_some() { types.output.register() } else { types.compute };
        let bound = reordered(op, compute, LANES, total, size);
        // What is rounded to another element at all is one unit off.
        return (if bound == 0.0 { 0.0 } else { bound / unit(result.dtype(), size) + 1.0 }, size);
    }
    let units = units(case.op, result.dtype(), operands[0].1, operands[1].1);
    match case.op {
        // What is made of an operand and a rest may be small beside both.
        Op::Logaddexp | Op::Logaddexp2 | Op::PoissonNllLoss => {
            (units, operands.iter().map(|operand| magnitude(operand.1)).fold(size, f64::max))
        }
        _ => (units, size),
    }
}

struct Score {
    rules: RuleSet,
    /// By the place of the exception.
    excused: Vec<Excused>,
    cases_excused: Vec<Excused>,
    wrong: Vec<String>,
    refused: usize,
    trapped: usize,
    no_kernel: usize,
    no_overload: usize,
}

impl Score {
    /// Whether a case differs for a reason that is listed.
    fn excuses(&mut self, name: &str, case: &Case) -> bool {
        let found = CASES.iter().position(|(op, part, _)| *op == name && case.text.contains(part));
        if let Some(found) = found {
            self.cases_excused[found].case(name, CASES[found].1);
        }
        found.is_some()
    }

    fn wrong(&mut self, name: &str, case: &Case, what: &str) {
        self.wrong.push(format!("{name} {}: {what}", case.text));
    }

    /// A case without a result.
    fn word(
        &mut self,
        name: &str,
        case: &Case,
        word: &str,
        types: Result<OpTypes, PromoteError>,
        ours: Result<Ours, Error>,
    ) {
        match (word, types, ours) {
            ("no_kernel", ..) => self.no_kernel += 1,
            ("no_overload", ..) => self.no_overload += 1,
            ("refused", Err(_), _) => self.refused += 1,
            ("trap", Ok(_), Err(Error::Trap(_))) => self.trapped += 1,
            (_, types, ours) => {
                if !self.excuses(name, case) {
                    let ours = ours.map(|ours| ours.lanes.len());
                    self.wrong(name, case, &format!("recorded {word}, ours {types:?}, {ours:?}"));
                }
            }
        }
    }

    /// Whether a value of PyTorch's is what other ops give, or the same in PyTorch's order.
    fn is_composed(&self, case: &Case, i: usize, theirs: ScalarValue, (allowed, size): (f64, f64)) -> bool {
        if case.op == Op::Prod {
            let elements = case.inputs[0].array().map_or(&[][..], |array| array.1);
            return product_of_halves(&self.rules, elements).is_some_and(|found| same(found, theirs));
        }
        let inputs: Vec<Value> = case.inputs.iter().map(|input| input.lane(i)).collect();
        let dtype = theirs.dtype();
        let Some((found, step)) = composed(&self.rules, case.op, &inputs, dtype, &case.options) else {
            return false;
        };
        let allowed = allowed * unit(step, 1.0) / unit(dtype, 1.0);
        same(found, theirs) || distance(found, theirs, size) <= allowed
    }

    /// A case with a result.
    fn lanes(
        &mut self,
        name: &str,
        case: &Case,
        types: OpTypes,
        ours: &Ours,
        theirs: &[ScalarValue],
    ) -> Count {
        let mut count = Count { cases: 1, lanes: theirs.len(), ..Count::default() };
        if ours.lanes.len() != theirs.len() {
            self.wrong(name, case, &format!("{} lanes, recorded {}", ours.lanes.len(), theirs.len()));
            return count;
        }
        for (i, (a, b)) in ours.lanes.iter().zip(theirs).enumerate() {
            if same(*a, *b) {
                count.equal += 1;
                continue;
            }
            let operands = operands(case, i, types.common);
            let (allowed, size) = tolerance(case, types, ours.size, operands, *b);
            let apart = distance(*a, *b, size);
            if apart <= allowed {
                count.near += 1;
                count.farthest = count.farthest.max(apart);
                continue;
            }
            let composed = self.is_composed(case, i, *b, (allowed, size));
            let lane = Lane {
                op: case.op,
                operands,
                dtype: b.dtype(),
                ours: parts(*a),
                theirs: parts(*b),
                composed,
            };
            if let Some(found) = EXCEPTIONS.iter().position(|exception| exception.2(&lane)) {
                self.excused[found].lane(name, lane.dtype, || lane.example(&case.text));
                count.excused += 1;
                continue;
            }
            let [(_, x), (_, y)] = operands;
            let (a, b) = (parts(*a), parts(*b));
            let what =
                format!("lane {i}, {x:?} {y:?}: ours {a:?}, PyTorch {b:?}, {apart} units, {allowed} allowed");
            self.wrong(name, case, &what);
        }
        count
    }
}

/// The elements of a pool of floats.
fn floats<T: Element>(input: &Input) -> Option<Vec<T>> {
    input.array()?.1.iter().map(ScalarValue::get).collect()
}

/// What the kernels give for a case of two arrays of `T` that is reduced.
fn reduced<T: Element>(rules: &RuleSet, case: &Case, then: Reduction) -> Option<ScalarValue> {
    let [a, b] = &case.inputs[..] else { return None };
    let (a, b) = (floats::<T>(a)?, floats::<T>(b)?);
    rules.reduced(case.op, Flags::default(), &[a[..].into(), b[..].into()], then).ok()
}

#[test]
fn means_and_sums_of_losses_are_those_of_pytorch() {
    let (recorded, rules) = (recorded_cases(), Torch::new().rule_set());
    let mut compared = 0;
    for name in recorded.ops() {
        for case in recorded.cases(&name) {
            let (Some(then), Outcome::Elements(dtype, theirs)) = (case.then, &case.outcome) else { continue };
            let reduction = if then == Op::Mean { Reduction::Mean } else { Reduction::Sum };
            let found = match dtype {
                DType::F16 => reduced::<half::f16>(&rules, &case, reduction),
                DType::BF16 => reduced::<half::bf16>(&rules, &case, reduction),
                DType::F32 => reduced::<f32>(&rules, &case, reduction),
                _ => reduced::<f64>(&rules, &case, reduction),
            };
            let found = found.unwrap_or_else(|| panic!("{name} {} is not reduced", case.text));
            compared += 1;
            // PyTorch adds up halves in f32 and all else in its own dtype, so that it is the one that is off.
            let size = ours(&rules, &recorded, &case).expect("a loss").size;
            let total = if then == Op::Mean { size / LANES as f64 } else { size };
            let bound = reordered(then, dtype.register(), LANES, total, 0.0);
            let [x, y] = [found, theirs[0]].map(|x| magnitude(parts(x)));
            let apart = distance(found, theirs[0], 1.0) * unit(*dtype, 1.0);
            assert!(apart <= bound + unit(*dtype, x.max(y)), "{name} {}: {x} and {y}", case.text);
        }
    }
    assert!(compared >= 48, "{compared} of 48: six losses, four dtypes, mean and sum");
}

#[test]
fn every_op_gives_what_pytorch_gives() {
    let recorded = recorded_cases();
    let rules = Torch::new().rule_set();
    let mut score = Score {
        rules,
        excused: vec![Excused::default(); EXCEPTIONS.len()],
        cases_excused: vec![Excused::default(); CASES.len()],
        wrong: Vec::new(),
        refused: 0,
        trapped: 0,
        no_kernel: 0,
        no_overload: 0,
    };
    let mut total = Count::default();
    for name in recorded.ops() {
        let mut count = Count::default();
        for case in recorded.cases(&name) {
            let operands: Vec<Operand> = case.inputs.iter().map(Input::operand).collect();
            // Three operands decide together.
            let operands = match operands[..] {
                [a, b, c] => {
                    rules.result_type(&[a, b, c]).map(|joined| vec![Operand::Array(joined.dtype); 2])
                }
                _ => Ok(operands),
            };
            let types = operands.and_then(|operands| rules.op_types(case.op, &operands));
            let ours = ours(&rules, &recorded, &case);
            match &case.outcome {
                Outcome::Word(word) => score.word(&name, &case, word, types, ours),
                Outcome::Elements(dtype, theirs) => {
                    let output = types.ok().map(|types| case.options.to.unwrap_or(types.output));
                    match (types, ours) {
                        (Ok(types), Ok(ours)) if output == Some(*dtype) => {
                            count.add(score.lanes(&name, &case, types, &ours, theirs));
                        }
                        (types, ours) => {
                            if !score.excuses(&name, &case) {
                                let error = ours.err();
                                score.wrong(
                                    &name,
                                    &case,
                                    &format!("recorded {dtype}, ours {types:?} {error:?}"),
                                );
                            }
                        }
                    }
                }
            }
        }
        count.print(&name);
        total.add(count);
    }
    println!();
    for (exception, excused) in EXCEPTIONS.iter().zip(&score.excused) {
        println!("{:5} lanes excused: {}: {}", excused.lanes, exception.0, exception.1);
    }
    for (case, excused) in CASES.iter().zip(&score.cases_excused) {
        println!("{:5} cases excused: {} .. {} ..: {}", excused.cases, case.0, case.1, case.2);
    }
    println!(
        "without a result: {} refused, {} trapped, {} without a kernel and {} without an overload in PyTorch\n",
        score.refused, score.trapped, score.no_kernel, score.no_overload
    );
    total.print("all ops");
    let shown = score.wrong[..score.wrong.len().min(40)].join("\n");
    assert!(score.wrong.is_empty(), "{} cases or lanes differ:\n{shown}", score.wrong.len());
    assert!(total.cases > 2000, "only {} cases", total.cases);
    for (exception, excused) in EXCEPTIONS.iter().zip(&score.excused) {
        assert!(excused.lanes > 0, "the exception `{}` ({}) excuses nothing", exception.0, exception.1);
    }
    for (case, excused) in CASES.iter().zip(&score.cases_excused) {
        assert!(excused.cases > 0, "the exception of `{}` excuses nothing", case.0);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/defects.md");
    let lanes = EXCEPTIONS.iter().map(|exception| exception.0).zip(score.excused);
    let cases = score.cases_excused.into_iter().map(|excused| (defects::WHOLE, excused));
    let excused: Vec<_> = lanes.chain(cases).collect();
    defects::told(path, "PyTorch, cases", &excused);
}
