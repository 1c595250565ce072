//! The kernels, called as a user calls them, give what PyTorch, NumPy and JAX computed: every op, every pair
//! of dtypes and every cast that they define, 64 lanes each (`tests/data/record_pairs.py`).
//!
//! Arithmetic, comparisons, bits, casts and extrema are equal bit for bit (a NaN is a NaN); a mathematical
//! function is the exact result or one of the two floats beside it. What differs is excused by a named
//! exception, of which none may be out of use, and which `docs/defects.md` tells with an example. Anything
//! else fails, and so does a kernel that is missing without standing in `MISSING`.

#![cfg(all(feature = "jax", feature = "kernels", feature = "numpy", feature = "torch"))]
#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

#[path = "../common/aligned.rs"]
mod aligned;
#[path = "../recorded/defects.rs"]
mod defects;
mod exceptions;
#[path = "../recorded/functions.rs"]
mod functions;
mod pools;
mod recorded;
#[allow(dead_code, reason = "what reductions need beside this")]
#[path = "../recorded/tolerance.rs"]
mod tolerance;

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use aligned::Aligned;
use defects::Excused;
use exceptions::{Framework, JAX, Lane, MISSING, NUMPY, TORCH};
use pools::{LANES, condition, operands, part};
use promote::{
    Argument, DType, Error, Extra, ExtraKind, Jax, Kind, NumPy, Number, Op, Operand, RuleSet, Torch,
};
use promote::{CallError, ScalarValue, Slice, SliceMut};
use recorded::{Answer, Recorded};
use tolerance::{distance, magnitude, parts, same, units};

/// Where the exceptions are told.
const DEFECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/defects.md");

/// A function that is as many floats from the exact result is told there, under this name.
const FAR: u64 = 4;
const FAR_OFF: &str = "functions far from the exact result";

/// The weight with which `lerp` was recorded.
const WEIGHT: f64 = 0.25;

/// What was compared of a framework.
#[derive(Default)]
struct Score {
    cases: usize,
    /// Cases that it refuses, for want of a kernel or otherwise, and the rules do not.
    refused: usize,
    lanes: usize,
    equal: usize,
    /// Mathematical functions that are the other neighbour of the exact result.
    beside: usize,
    /// By mathematical function: how far theirs lies from the exact result where that is most, in floats
    /// between them, and the lanes.
    far: BTreeMap<&'static str, (u64, Excused)>,
    /// What is made of several steps, and within their tolerance.
    near: usize,
    /// Powers whose angles have more digits than we compute with.
    faded: usize,
    /// By the place of the exception.
    excused: Vec<Excused>,
    /// Op and dtype that it computes in, where there is no kernel.
    missing: BTreeSet<(&'static str, &'static str)>,
    wrong: Vec<String>,
}

/// A case: an op, or a cast, of one dtype or two.
struct Case<'a> {
    op: Op,
    dtypes: &'a [DType],
    columns: [Aligned; 2],
    answer: Answer,
}

impl Case<'_> {
    fn slice(&self, i: usize) -> Slice<'_> {
        Slice::from_bytes(self.dtypes[i], self.columns[i].bytes()).expect("whole, aligned elements")
    }

    /// What the kernels give.
    fn call(&self, rules: &RuleSet) -> Result<Vec<ScalarValue>, Error> {
        let dtype = self.answer.dtype;
        let mut out = Aligned::new(LANES * dtype.size().expect("a dtype with a Rust type"));
        out.bytes_mut().fill(0xAA);
        let target = SliceMut::from_bytes(dtype, out.bytes_mut()).expect("whole, aligned elements");
        let array = |i| Argument::Array(self.slice(i));
        match (self.op, self.dtypes) {
            (Op::Astype, [from, ..]) => {
                rules.cast_kernel(*from, dtype)?.call(self.slice(0), target)?;
            }
            (Op::Where, _) => rules.where_(condition()[..].into(), array(0), array(1), target)?,
            (op @ Op::Lerp, _) => {
                let weight = Argument::Number(Number::Float(WEIGHT));
                rules.elementwise(op, &[array(0), array(1), weight], target)?;
            }
            (op, [_]) => rules.unary(op, array(0), target)?,
            (op, _) => rules.binary(op, array(0), array(1), target)?,
        }
        Ok(out.values(dtype))
    }

    fn lane(&self, i: usize, ours: ScalarValue) -> Lane {
        let operand = |k: usize| {
            let k = k.min(if self.op == Op::Astype { 0 } else { self.dtypes.len() - 1 });
            let size = self.dtypes[k].size().expect("a dtype with a Rust type");
            ScalarValue::from_bytes(self.dtypes[k], &self.columns[k].bytes()[i * size..][..size])
                .expect("an element")
        };
        Lane { op: self.op, operands: [operand(0), operand(1)], ours, theirs: self.answer.lanes[i] }
    }
}

/// An integer that grows with the float; of -0 it is -1.
fn ordinal(dtype: DType, bytes: &[u8]) -> i64 {
    let bits = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    let sign = 1_u64 << (dtype.bits() - 1);
    if bits & sign == 0 { bits.cast_signed() } else { !(bits ^ sign).cast_signed() }
}

/// Of a sum or difference of ordinals, as many bits as the dtype has.
fn cut(dtype: DType, ordinal: i64) -> i64 {
    let unused = 64 - dtype.bits();
    ordinal << unused >> unused
}

fn from_ordinal(dtype: DType, ordinal: i64) -> Vec<u8> {
    let sign = 1_u64 << (dtype.bits() - 1);
    let bits = if ordinal < 0 { !ordinal as u64 | sign } else { ordinal as u64 };
    bits.to_le_bytes()[..dtype.bits() as usize / 8].to_vec()
}

/// How a result lies to the exact one; in f8e4m3fn NaN is the float beyond the greatest.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Within,
    Beyond,
    /// The recording does not know the exact one, or it is the framework's.
    Unknown,
}

/// The exact result, or the neighbour below it.
fn exact(lane: &Lane, beside: &[[i64; 2]]) -> ScalarValue {
    let dtype = lane.ours.dtype();
    let word = part(dtype).unwrap_or(dtype);
    let theirs = lane.theirs.bytes().chunks(word.size().expect("whole bytes"));
    let bytes: Vec<u8> = theirs
        .zip(beside)
        .flat_map(|(theirs, [low, _])| {
            from_ordinal(word, cut(word, ordinal(word, theirs).wrapping_sub(*low)))
        })
        .collect();
    ScalarValue::from_bytes(dtype, &bytes).expect("an element")
}

/// Where a mathematical function lies. Of complex results each part may be off by some units of the greater
/// one.
fn place(lane: &Lane, beside: &[[i64; 2]]) -> Place {
    if beside.iter().all(|beside| *beside == [0, 0]) {
        return Place::Unknown;
    }
    let dtype = lane.ours.dtype();
    let word = part(dtype).unwrap_or(dtype);
    let size = word.size().expect("whole bytes");
    let mut within = true;
    for ((ours, theirs), [low, high]) in
        lane.ours.bytes().chunks(size).zip(lane.theirs.bytes().chunks(size)).zip(beside)
    {
        let (ours, theirs) = (ordinal(word, ours), ordinal(word, theirs));
        let [low, high] = [low, high].map(|off| cut(word, theirs.wrapping_sub(*off)));
        within &= ours == low || ours == high || low == high && ours.abs_diff(low) <= 1;
    }
    if !within && dtype.kind() == Kind::Complex {
        let exact = exact(lane, beside);
        let [a, b] = lane.operands.map(parts);
        within = distance(lane.ours, exact, magnitude(parts(exact))) <= units(lane.op, dtype, a, b) + 1.0;
    }
    if within { Place::Within } else { Place::Beyond }
}

/// How many floats lie between the framework's result and the exact one, where both are numbers; of complex
/// ones, how many units of the greater part.
fn apart(lane: &Lane, beside: &[[i64; 2]]) -> u64 {
    let finite = [lane.ours, lane.theirs].iter().all(|x| parts(*x).iter().all(|part| part.is_finite()));
    if !finite || lane.subnormal() {
        return 0;
    }
    if lane.ours.dtype().kind() == Kind::Complex {
        let exact = exact(lane, beside);
        let units = distance(lane.theirs, exact, magnitude(parts(exact)));
        // It is infinite between zeros of different signs.
        return if units.is_finite() { units as u64 } else { 0 };
    }
    beside.iter().map(|[low, high]| low.unsigned_abs().min(high.unsigned_abs())).max().unwrap_or(0)
}

fn run(framework: &Framework, rules: &RuleSet) -> Score {
    let recorded = Recorded::read(framework.name);
    assert!(recorded.about.starts_with(framework.name));
    let mut score =
        Score { excused: vec![Excused::default(); framework.exceptions.len()], ..Score::default() };
    for op in rules.tables().ops.iter().map(|table| table.op) {
        let Some(how) = recorded.how(op) else {
            assert!(!is_elementwise(op), "{op} was not recorded");
            continue;
        };
        for &a in &recorded.dtypes {
            let second: &[DType] =
                if op.arity() == 1 && op != Op::Astype { &[DType::Bool] } else { &recorded.dtypes };
            for &b in second {
                let dtypes = if op == Op::Astype || op.arity() == 2 { &[a, b][..] } else { &[a] };
                let arrays: Vec<Operand> =
                    dtypes[..op.arity()].iter().map(|dtype| Operand::Array(*dtype)).collect();
                let Ok(types) = rules.op_types(op, &arrays) else { continue };
                let Some(answer) = recorded.answer(op, dtypes) else {
                    score.refused += 1;
                    continue;
                };
                let output = if op == Op::Astype { b } else { types.output };
                if output != answer.dtype {
                    score.wrong.push(format!("{op} of {dtypes:?}: recorded {}, ours {output}", answer.dtype));
                    continue;
                }
                let columns = operands(a, if dtypes.len() == 2 && op != Op::Astype { b } else { a }, how);
                let bytes = |dtype: DType, lanes: &[u128]| {
                    let size = dtype.size().expect("a dtype with a Rust type");
                    Aligned::copy(
                        &lanes
                            .iter()
                            .flat_map(|lane| lane.to_le_bytes()[..size].to_vec())
                            .collect::<Vec<_>>(),
                    )
                };
                let columns = [bytes(a, &columns[0]), bytes(dtypes[dtypes.len() - 1], &columns[1])];
                let stepped = types.compute != types.compute.register();
                compare(
                    framework,
                    rules,
                    &Case { op, dtypes, columns, answer },
                    stepped,
                    types.compute,
                    &mut score,
                );
            }
        }
    }
    score
}

fn compare(
    framework: &Framework,
    rules: &RuleSet,
    case: &Case<'_>,
    stepped: bool,
    compute: DType,
    score: &mut Score,
) {
    let Case { op, dtypes, answer, .. } = case;
    let ours = match case.call(rules) {
        Ok(ours) => ours,
        Err(Error::Call(
            CallError::NotComputed { .. } | CallError::NoKernel { .. } | CallError::Inputs { .. },
        )) => {
            score.missing.insert((op.name(), compute.name()));
            return;
        }
        Err(error) => {
            score.wrong.push(format!("{op} of {dtypes:?}: {error}"));
            return;
        }
    };
    score.cases += 1;
    score.lanes += LANES;
    let parts_of = if part(answer.dtype).is_some() { 2 } else { 1 };
    // The root is rounded correctly everywhere, and so it is compared.
    let functions = answer.beside.as_ref().filter(|_| !stepped && (*op != Op::Sqrt || parts_of == 2));
    for (i, (&ours, &theirs)) in ours.iter().zip(&answer.lanes).enumerate() {
        let lane = case.lane(i, ours);
        let beside =
            functions.map(|beside| &beside[i * parts_of..][..parts_of]).filter(|_| lane.is_known(compute));
        if beside.is_none_or(|beside| beside.iter().all(|beside| *beside == [0, 0])) && same(ours, theirs) {
            score.equal += 1;
            continue;
        }
        match beside.map_or(Place::Unknown, |beside| place(&lane, beside)) {
            Place::Within if same(ours, theirs) => score.equal += 1,
            Place::Within => {
                score.beside += 1;
                let apart = beside.map_or(0, |beside| apart(&lane, beside));
                if apart >= FAR {
                    let (most, lanes) = score.far.entry(op.name()).or_default();
                    *most = apart.max(*most);
                    lanes.lane(op.name(), answer.dtype, || lane.example());
                }
            }
            known => {
                let [a, b] = lane.operands.map(parts);
                let allowed = units(*op, answer.dtype, a, b);
                // Where the exact result is known and ours is not that, no framework is to blame.
                let exception = framework.exceptions.iter().position(|exception| exception.excuses(&lane));
                let exception = exception.filter(|_| known == Place::Unknown);
                if known == Place::Unknown && distance(ours, theirs, magnitude(parts(theirs))) <= allowed {
                    score.near += 1;
                } else if known == Place::Beyond && lane.is_of_no_angle() {
                    score.faded += 1;
                } else if let Some(found) = exception {
                    score.excused[found].lane(op.name(), answer.dtype, || lane.example());
                } else {
                    let exact = if known == Place::Beyond { ", which is not the exact one" } else { "" };
                    score.wrong.push(format!("{lane}{exact} (computed in {compute}, lane {i})"));
                }
            }
        }
    }
}

/// Returns true if kernels compute an op element by element, from at most two operands.
fn is_elementwise(op: Op) -> bool {
    let two_operands = |extra: &Extra| extra.kind != ExtraKind::Operand;
    op.info().kernel.is_some_and(|kernel| kernel.extras.iter().all(two_operands))
}

#[test]
fn kernels_give_what_the_frameworks_give() {
    let sets =
        [(&TORCH, Torch::new().rule_set()), (&NUMPY, NumPy::new().rule_set()), (&JAX, Jax::new().rule_set())];
    let scores: Vec<Score> = thread::scope(|scope| {
        let started: Vec<_> =
            sets.iter().map(|(framework, rules)| scope.spawn(move || run(framework, rules))).collect();
        started.into_iter().map(|run| run.join().expect("it does not panic")).collect()
    });
    let (mut wrong, mut missing) = (Vec::new(), BTreeSet::new());
    for ((framework, _), score) in sets.iter().zip(&scores) {
        let name = framework.name;
        let Score { cases, refused, lanes, equal, beside, near, faded, .. } = score;
        let excused: usize = score.excused.iter().map(|excused| excused.lanes).sum();
        println!(
            "{name}: {cases} cases, {refused} refused by it alone; {lanes} lanes: {equal} equal, {beside} beside the exact result, {near} near, {faded} of no angle, {excused} excused"
        );
        for (exception, excused) in framework.exceptions.iter().zip(&score.excused) {
            println!(
                "{name}: {:5} lanes excused: {}, {}: {}",
                excused.lanes, exception.name, exception.reason, excused.first
            );
            if excused.lanes == 0 {
                let (name, reason) = (exception.name, exception.reason);
                wrong.push(format!("{}: the exception `{name}` ({reason}) excuses nothing", framework.name));
            }
        }
        wrong.extend(score.wrong.iter().map(|wrong| format!("{name}: {wrong}")));
        missing.extend(score.missing.iter().copied());
        assert!(*lanes > 200_000, "only {lanes} lanes");
    }
    let listed: BTreeSet<(&str, &str)> = MISSING
        .iter()
        .flat_map(|(dtypes, ops)| {
            ops.split(' ').flat_map(|op| dtypes.split(' ').map(move |dtype| (op, dtype)))
        })
        .collect();
    for (op, dtype) in missing.difference(&listed) {
        wrong.push(format!("there is no kernel that computes {op} in {dtype}"));
    }
    for (op, dtype) in listed.difference(&missing) {
        wrong.push(format!(
            "a kernel computes {op} in {dtype}: take it off the list of those that are missing"
        ));
    }
    let shown = wrong[..wrong.len().min(40)].join("\n");
    assert!(wrong.is_empty(), "{} differences:\n{shown}", wrong.len());
    for ((framework, _), score) in sets.iter().zip(&scores) {
        let names = framework.exceptions.iter().map(|exception| exception.name);
        let far = score.far.iter().map(|(op, (most, lanes))| {
            let most = if *most > 1000 { "over 1000".to_owned() } else { most.to_string() };
            (FAR_OFF, lanes.clone().of(&format!("`{op}` (by {most})")))
        });
        let excused: Vec<_> = names.zip(score.excused.iter().cloned()).chain(far).collect();
        defects::told(DEFECTS, framework.title, &excused);
    }
}
