//! The comparison of a system's recordings with what is computed here.

use std::collections::{BTreeMap, BTreeSet};

use promote::{DType, Extra, ExtraKind, Op, OpTypes, RuleSet, ScalarValue};

use crate::composed::is_composed;
use crate::defects::{FAR_OFF, Listed, WHOLE};
use crate::exact::{Position, floats_apart, is_unknown, position};
use crate::exceptions::{CaseException, Differs, Exception, Exceptions};
use crate::lane::{Lane, operands};
use crate::pools::part;
use crate::recorded::{Case, Input, Recorded, Result};
use crate::systems::{Recording, System};
use crate::tolerance::{distance, same};
use crate::ways::{Ours, Without, ours, types};

/// A mathematical function that lies this many floats from the exact result is listed as far from it.
const FAR: u64 = 4;

/// The most differences that are shown.
const MAX_SHOWN: usize = 40;

/// The counts of a recording.
#[derive(Clone, Copy, Default)]
struct Count {
    cases: usize,
    lanes: usize,
    equal: usize,
    /// Mathematical functions that are the other float beside the exact result.
    beside: usize,
    /// Lanes within a tolerance.
    near: usize,
    /// Powers with an undetermined angle: it has more digits than the computation.
    undetermined: usize,
    refused: usize,
    trapped: usize,
    /// Cases for which the system has no kernel or no overload, or of which it refuses the values.
    without_answer: usize,
    /// Cases that the rules refuse although the system computes them. The dtypes are compared elsewhere.
    refused_here: usize,
}

/// The outcome of the comparison with one recording.
struct Compared {
    recording: &'static Recording,
    count: Count,
    /// By the position of the exception.
    lanes_excused: Vec<Listed>,
    cases_excused: Vec<Listed>,
    /// Sections that were left out, by the position of the reason.
    left_out: Vec<usize>,
    /// Mathematical functions that are far from the exact result: the greatest distance, and the lanes.
    far: BTreeMap<&'static str, (u64, Listed)>,
    wrong: Vec<String>,
}

/// The outcome of the comparison with a system.
pub(crate) struct Outcome {
    system: &'static System,
    compared: Vec<Compared>,
    /// Ops and the dtypes that they compute in, for which there is no kernel.
    pub(crate) missing: BTreeSet<(&'static str, &'static str)>,
}

/// Compares all recordings of a system.
pub(crate) fn compare(system: &'static System) -> Outcome {
    let mut missing = BTreeSet::new();
    let compared = system.recordings.iter().map(|recording| {
        let mut comparison = Comparison::new(system.exceptions, recording);
        comparison.run();
        missing.extend(comparison.missing);
        comparison.compared
    });
    let compared = compared.collect();
    Outcome { system, compared, missing }
}

impl Outcome {
    /// Prints the counts.
    ///
    /// # Panics
    /// Panics if a lane differs, an exception excuses nothing, or too few lanes were compared.
    pub(crate) fn check(&self) {
        let name = self.system.name;
        let exceptions = self.system.exceptions;
        let (mut wrong, mut total, mut all_excused) = (Vec::new(), Count::default(), [0; 2]);
        for Compared { recording, count, lanes_excused, cases_excused, .. } in &self.compared {
            let excused: usize = lanes_excused.iter().map(|excused| excused.lanes).sum();
            let cases: usize = cases_excused.iter().map(|excused| excused.cases).sum();
            println!(
                "{}: {} cases, {} lanes: {} equal, {} beside the exact result, {} near, {} with an undetermined angle, {excused} excused; {cases} cases excused; \
                 without elements: {} refused, {} errors of values, {} without an answer, {} refused by the rules",
                recording.file,
                count.cases,
                count.lanes,
                count.equal,
                count.beside,
                count.near,
                count.undetermined,
                count.refused,
                count.trapped,
                count.without_answer,
                count.refused_here,
            );
            if count.lanes < recording.min_lanes {
                wrong.push(format!("{}: only {} lanes", recording.file, count.lanes));
            }
            total.cases += count.cases;
            total.lanes += count.lanes;
            all_excused[0] += excused;
            all_excused[1] += cases;
        }
        let sum = |of: &dyn Fn(&Compared) -> usize| self.compared.iter().map(of).sum::<usize>();
        for (i, exception) in exceptions.lanes.iter().enumerate() {
            let lanes = sum(&|compared| compared.lanes_excused[i].lanes);
            println!("{name}: {lanes:5} lanes excused: {}, {}", exception.name, exception.reason);
            for kind in exception.recordings.split(' ') {
                let of_kind = self.compared.iter().filter(|compared| compared.recording.kind() == kind);
                if of_kind.map(|compared| compared.lanes_excused[i].lanes).sum::<usize>() == 0 {
                    let (defect, reason) = (exception.name, exception.reason);
                    wrong.push(format!("the exception `{defect}` ({reason}) excuses nothing in `{kind}`"));
                }
            }
        }
        for (i, CaseException { op, parts, reason, .. }) in exceptions.cases.iter().enumerate() {
            let cases = sum(&|compared| compared.cases_excused[i].cases);
            println!("{name}: {cases:5} cases excused: {op} .. {parts} ..: {reason}");
            if cases == 0 {
                wrong.push(format!("the exception of `{op} .. {parts} ..` excuses nothing"));
            }
        }
        for (i, (file, op, reason)) in exceptions.left_out.iter().enumerate() {
            println!("{name}: {op} of {file} left out: {reason}");
            if sum(&|compared| compared.left_out[i]) == 0 {
                wrong.push(format!("there is no {op} of {file} to leave out"));
            }
        }
        let [lanes, cases] = all_excused;
        println!(
            "{name}: {} cases, {} lanes, {lanes} lanes and {cases} cases excused",
            total.cases, total.lanes
        );
        wrong.extend(self.compared.iter().flat_map(|compared| compared.wrong.iter().cloned()));
        let shown = wrong[..wrong.len().min(MAX_SHOWN)].join("\n");
        assert!(wrong.is_empty(), "{name}: {} differences:\n{shown}", wrong.len());
    }

    /// Returns the excused lanes and cases of each recording: its title, and defects with what has them.
    pub(crate) fn excused(&self) -> Vec<(&'static str, Vec<(&'static str, Listed)>)> {
        let of = |compared: &Compared| {
            let names = self.system.exceptions.lanes.iter().map(|exception| exception.name);
            let far = compared.far.iter().map(|(op, (most, lanes))| {
                let most = if *most > 1000 { "over 1000".to_owned() } else { most.to_string() };
                (FAR_OFF, lanes.clone().of(&format!("`{op}` (by {most})")))
            });
            let cases = compared.cases_excused.iter().map(|cases| (WHOLE, cases.clone()));
            let lanes = names.zip(compared.lanes_excused.iter().cloned());
            (compared.recording.title, lanes.chain(far).chain(cases).collect())
        };
        self.compared.iter().map(of).collect()
    }
}

/// The comparison with one recording, under way.
struct Comparison {
    exceptions: &'static Exceptions,
    compared: Compared,
    missing: BTreeSet<(&'static str, &'static str)>,
}

impl Comparison {
    fn new(exceptions: &'static Exceptions, recording: &'static Recording) -> Comparison {
        let compared = Compared {
            recording,
            count: Count::default(),
            lanes_excused: vec![Listed::default(); exceptions.lanes.len()],
            cases_excused: vec![Listed::default(); exceptions.cases.len()],
            left_out: vec![0; exceptions.left_out.len()],
            far: BTreeMap::new(),
            wrong: Vec::new(),
        };
        Comparison { exceptions, compared, missing: BTreeSet::new() }
    }

    fn run(&mut self) {
        let recording = self.compared.recording;
        let recorded = Recorded::read(recording.file);
        let sets: Vec<RuleSet> = recording
            .rules
            .iter()
            .map(|name| promote::rule_set(name).unwrap_or_else(|| panic!("there is no rule set `{name}`")))
            .collect();
        for name in recorded.ops() {
            let left_out = |(file, op, _): &(&str, &str, &str)| (*file, *op) == (recording.file, name);
            if let Some(found) = self.exceptions.left_out.iter().position(left_out) {
                self.compared.left_out[found] += 1;
                continue;
            }
            let op: Op = name.parse().unwrap_or_else(|_| panic!("{name} is no op"));
            let has = |rules: &&RuleSet| rules.tables().ops.iter().any(|table| table.op == op);
            let Some(rules) = sets.iter().find(has) else {
                panic!("{}: no rule set has {op}", recording.file);
            };
            for case in recorded.cases(name) {
                self.case(rules, &case);
            }
        }
    }

    fn case(&mut self, rules: &RuleSet, case: &Case) {
        let types = types(rules, case);
        let count = &mut self.compared.count;
        match (&case.result, types) {
            (Result::Word(word), _) if matches!(&**word, "no_kernel" | "no_overload") => {
                count.without_answer += 1;
            }
            (Result::Word(word), types) if word == "-" => count.refused += usize::from(types.is_ok()),
            (Result::Word(word), Err(_)) if word == "refused" => count.refused += 1,
            (Result::Word(word), types) => {
                let output = types.as_ref().map_or(DType::Bool, |types| types.output);
                for (way, ours) in self.ours(rules, case, output) {
                    match (&**word, &types, ours) {
                        ("trap", Ok(_), Err(Without::Trap)) => self.compared.count.trapped += 1,
                        (word, types, ours) => {
                            let ours = ours.map(|ours| ours.lanes.len());
                            let difference = format!("recorded {word}, {way} {types:?}, {ours:?}");
                            self.differs(case, Differs::Result, vec![difference]);
                        }
                    }
                }
            }
            // The pairs are recorded whatever the rules say, and dtypes are compared by `tests/dtypes`.
            (Result::Elements(..), Err(_)) if case.text.contains('@') => count.refused_here += 1,
            (Result::Elements(dtype, _), Err(error)) => {
                let difference = format!("recorded {dtype}, the rules: {error}");
                self.differs(case, Differs::Result, vec![difference]);
            }
            (Result::Elements(dtype, theirs), Ok(types)) => {
                let output = case.options.to.unwrap_or(types.output);
                if output != *dtype {
                    let difference = format!("recorded {dtype}, the rules {output}");
                    self.differs(case, Differs::Result, vec![difference]);
                    return;
                }
                for (way, ours) in self.ours(rules, case, output) {
                    match ours {
                        Ok(ours) => self.lanes(rules, case, &way, &types, &ours, theirs),
                        Err(Without::Kernel) => {
                            self.missing.insert((case.op.name(), types.compute.name()));
                        }
                        Err(error) => {
                            let difference = format!("recorded {dtype}, {way} {error:?}");
                            self.differs(case, Differs::Result, vec![difference]);
                        }
                    }
                }
            }
        }
    }

    fn ours(
        &self,
        rules: &RuleSet,
        case: &Case,
        output: DType,
    ) -> Vec<(String, std::result::Result<Ours, Without>)> {
        let ways = self.compared.recording.ways.iter();
        ways.flat_map(|way| ours(*way, rules, case, output)).collect()
    }

    /// Notes what differs in a case, unless an exception accepts a difference of this kind.
    fn differs(&mut self, case: &Case, differs: Differs, differences: Vec<String>) {
        let op = case.op.name();
        let excuses = |exception: &CaseException| {
            exception.op == op
                && exception.differs == differs
                && exception.parts.split('|').any(|part| case.text.contains(part))
        };
        match self.exceptions.cases.iter().position(excuses) {
            Some(found) => {
                self.compared.cases_excused[found].case(op, self.exceptions.cases[found].parts);
            }
            None => self.wrong(case, differences),
        }
    }

    /// Notes differences that no exception can accept.
    fn wrong(&mut self, case: &Case, differences: Vec<String>) {
        let about = |what| format!("{} {}: {what}", case.op, case.text);
        self.compared.wrong.extend(differences.into_iter().map(about));
    }

    /// Compares the lanes of a case.
    fn lanes(
        &mut self,
        rules: &RuleSet,
        case: &Case,
        way: &str,
        types: &OpTypes,
        ours: &Ours,
        theirs: &[ScalarValue],
    ) {
        let op = case.op.name();
        let found = ours.lanes.first().map(ScalarValue::dtype);
        if ours.lanes.len() != theirs.len() || found != theirs.first().map(ScalarValue::dtype) {
            let (ours, theirs) = (ours.lanes.len(), theirs.len());
            self.wrong(case, vec![format!("recorded {theirs} elements, {way} {ours} of {found:?}")]);
            return;
        }
        let dtype = theirs[0].dtype();
        let parts_of = if part(dtype).is_some() { 2 } else { 1 };
        // A dtype without a register form computes in rounded steps. A root of a real number is rounded
        // correctly everywhere, and so it is compared.
        let stepped = types.compute != types.compute.register();
        let beside = case.beside.as_ref().filter(|_| !stepped && (case.op != Op::Sqrt || parts_of == 2));
        let number = case.inputs.iter().any(|input| matches!(input, Input::Scalar(_)));
        let mut count = Count { cases: 1, lanes: theirs.len(), ..Count::default() };
        let mut excused: Vec<(usize, Lane)> = Vec::new();
        let mut differences = Vec::new();
        for (i, (&ours_i, &theirs_i)) in ours.lanes.iter().zip(theirs).enumerate() {
            let beside = beside.map(|beside| &beside[i * parts_of..][..parts_of]);
            if beside.is_none_or(is_unknown) && same(ours_i, theirs_i) {
                count.equal += 1;
                continue;
            }
            let mut lane = Lane {
                op: case.op,
                text: case.text.clone(),
                operands: operands(case, i, types.common),
                number,
                ours: ours_i,
                theirs: theirs_i,
                composed: false,
            };
            let beside = beside.filter(|_| lane.is_known(types.compute));
            if beside.is_none() && same(ours_i, theirs_i) {
                count.equal += 1;
                continue;
            }
            let position = beside.map_or(Position::Unknown, |beside| position(&lane, beside));
            if position == Position::Beside {
                let apart = beside.map_or(0, |beside| floats_apart(&lane, beside));
                if same(ours_i, theirs_i) {
                    count.equal += 1;
                } else {
                    count.beside += 1;
                    if apart >= FAR {
                        let (most, lanes) = self.compared.far.entry(op).or_default();
                        *most = apart.max(*most);
                        lanes.lane(op, dtype, || lane.example());
                    }
                }
                continue;
            }
            if position == Position::Beyond && lane.has_undetermined_angle() {
                count.undetermined += 1;
                continue;
            }
            let allowed = self.compared.recording.tolerance.allowed(case, types, ours.total, &lane);
            // If the exact result is known and ours is far from it, no system is to blame.
            if position == Position::Unknown {
                if distance(ours_i, theirs_i, allowed.1) <= allowed.0 {
                    count.near += 1;
                    continue;
                }
                lane.composed = is_composed(rules, case, i, theirs_i, allowed);
                let kind = self.compared.recording.kind();
                let excuses = |exception: &Exception| {
                    exception.recordings.split(' ').any(|of| of == kind) && (exception.is)(&lane)
                };
                if let Some(found) = self.exceptions.lanes.iter().position(excuses) {
                    excused.push((found, lane));
                    continue;
                }
            }
            let exact = if position == Position::Beyond { ", which is not the exact result" } else { "" };
            let (compute, [allowed, _]) = (types.compute, [allowed.0, allowed.1]);
            differences.push(format!(
                "lane {i}, {way}: {lane}{exact} (computed in {compute}, {allowed} units allowed)"
            ));
        }
        if !differences.is_empty() {
            self.differs(case, Differs::Values, differences);
            return;
        }
        for (found, lane) in excused {
            self.compared.lanes_excused[found].lane(op, dtype, || lane.example());
        }
        let total = &mut self.compared.count;
        total.cases += count.cases;
        total.lanes += count.lanes;
        total.equal += count.equal;
        total.beside += count.beside;
        total.near += count.near;
        total.undetermined += count.undetermined;
    }
}

/// Returns true if an op is computed element by element by kernels, from at most two operands.
fn is_elementwise(op: Op) -> bool {
    let two_operands = |extra: &Extra| extra.kind != ExtraKind::Operand;
    op.info().kernel.is_some_and(|kernel| kernel.extras.iter().all(two_operands))
}

#[test]
fn every_elementwise_op_with_kernels_is_recorded() {
    for name in ["torch", "numpy", "jax"] {
        let recorded = Recorded::read(&format!("pairs_{name}"));
        let rules = promote::rule_set(name).expect("a bundled rule set");
        for op in rules.tables().ops.iter().map(|table| table.op).filter(|op| is_elementwise(*op)) {
            assert!(recorded.ops().any(|name| name == op.name()), "{op} was not recorded from {name}");
        }
    }
}
