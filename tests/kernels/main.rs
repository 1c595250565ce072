//! Every kernel that a bundled rule set can ask for, fused and in blocks, at every level of the machine, gives what the
//! scalar reference gives, element by element.

#[path = "../common/bundled.rs"]
mod bundled;
mod elements;

use std::collections::BTreeSet;

use promote::kernel::{CallError, Enters, Input, Kernel, SliceMut, SliceRef, ops::words};
use promote::{DType, Level, Op, OpTypes, Operand, RuleSet};
use promote_reference::{Error, Options, Value, evaluate};
use promote_rules::model::op_info;

use self::bundled::bundled;
use self::elements::{Aligned, distance, elements};

/// One way to a result: a rule set's op on arrays of these dtypes.
struct Case<'a> {
    rules: &'a RuleSet,
    op: Op,
    /// One or two.
    dtypes: Vec<DType>,
    types: OpTypes,
}

/// What was compared.
#[derive(Default)]
struct Score {
    kernels: usize,
    lanes: usize,
    wrong: Vec<String>,
}

/// How many units of the last place an op may lie beside the reference: a function within 1 ULP of the exact result, beside one
/// that is rounded from the `f64` of the standard library, which in `f64` is itself within 1 ULP. None where the reference is
/// made of several rounded steps, and says little near zero: there only the class of the result is compared.
fn tolerance(op: Op, compute: DType) -> Option<f64> {
    match op {
        Op::Logaddexp | Op::Logaddexp2 | Op::Sigmoid => None,
        Op::Exp
        | Op::Expm1
        | Op::Exp2
        | Op::Log
        | Op::Log1p
        | Op::Log2
        | Op::Log10
        | Op::Sin
        | Op::Cos
        | Op::Tan
        | Op::Asin
        | Op::Acos
        | Op::Atan
        | Op::Sinh
        | Op::Cosh
        | Op::Tanh
        | Op::Asinh
        | Op::Acosh
        | Op::Atanh
        | Op::Pow
        | Op::FloatPower
        | Op::Atan2
        | Op::Hypot
        | Op::Abs
        | Op::Angle
            if compute.kind() >= promote::Kind::Float =>
        {
            Some(2.0)
        }
        Op::Xlogy => Some(4.0),
        Op::Sqrt | Op::Sign if compute.kind() == promote::Kind::Complex => Some(2.0),
        _ => Some(0.0),
    }
}

fn run(arity: usize) -> Score {
    let (mut seen, mut score) = (BTreeSet::new(), Score::default());
    let sets = bundled();
    for rules in &sets {
        for table in rules.tables().ops.iter().filter(|table| table.op.arity() == arity) {
            let (Some(kernel), op) = (table.kernel, table.op) else { continue };
            for &a in DType::WITH_TYPE {
                for &b in if arity == 1 { &[DType::Bool] } else { DType::WITH_TYPE } {
                    let dtypes = if arity == 1 { vec![a] } else { vec![a, b] };
                    let operands: Vec<Operand> = dtypes.iter().map(|dtype| Operand::Array(*dtype)).collect();
                    let Ok(types) = rules.op_types(op, &operands) else { continue };
                    let all = [types.common, types.compute, types.output];
                    if !all.iter().all(|dtype| dtype.has_type()) {
                        continue;
                    }
                    // Rule sets that say the same share the kernel.
                    let key =
                        (kernel.shared(types.compute, true).to_string(), op.name(), dtypes.clone(), all);
                    let key = format!("{key:?}");
                    if seen.insert(key) {
                        compare(&Case { rules, op, dtypes, types }, &mut score);
                    }
                }
            }
        }
    }
    score
}

fn compare(case: &Case<'_>, score: &mut Score) {
    let Case { rules, op, dtypes, types } = case;
    let name = format!("{} {op} of {dtypes:?}", rules.name());
    let columns = elements(dtypes);
    let options = |i: usize| Options { condition: !i.is_multiple_of(3), ..Options::default() };
    let reference = |columns: &[Vec<_>]| -> Vec<Result<_, Error>> {
        let lane =
            |i: usize| -> Vec<Value> { columns.iter().map(|column| Value::Array(column[i])).collect() };
        (0..columns[0].len()).map(|i| evaluate(rules, *op, &lane(i), &options(i))).collect()
    };
    let expected = reference(&columns);
    let traps = expected.iter().any(|lane| matches!(lane, Err(Error::Trap(_))));
    let unknown = expected.iter().any(|lane| matches!(lane, Err(Error::NotEvaluated { .. })));
    // What the first of the kernels gives: all others give the same bits.
    let mut first: Option<Vec<_>> = None;
    for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
        for kernel in kernels(case, level, &name) {
            assert!(!unknown, "{name}: there is a kernel, and no reference");
            let mut columns = columns.clone();
            let condition: Vec<bool> = (0..columns[0].len()).map(|i| !i.is_multiple_of(3)).collect();
            if traps {
                let refused = call(&kernel, *op, &columns, &condition, types.output);
                let found = matches!(refused, Err(CallError::DivisionByZero | CallError::NegativeExponent));
                assert!(
                    found,
                    "{name} at {level} takes what the reference refuses: {:?}",
                    refused.map(|_| ())
                );
                let keeps: Vec<bool> = expected.iter().map(Result::is_ok).collect();
                for column in &mut columns {
                    let mut keep = keeps.iter();
                    column.retain(|_| *keep.next().expect("as many"));
                }
            }
            let found = call(&kernel, *op, &columns, &condition, types.output)
                .unwrap_or_else(|error| panic!("{name} at {level}: {error}"));
            let wanted = expected.iter().filter_map(|lane| lane.as_ref().ok());
            score.kernels += 1;
            let allowed = tolerance(*op, types.compute);
            let bits = first.get_or_insert_with(|| found.clone());
            let mut told = false;
            for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                // Which sign a NaN has, the reference does not know.
                if *op == Op::Copysign && elements::is_nan(columns[1][i]) {
                    continue;
                }
                score.lanes += 1;
                let function = found.dtype().kind() == promote::Kind::Complex && allowed != Some(0.0);
                let near = match allowed {
                    Some(allowed) if function => {
                        let operands: Vec<_> = columns.iter().map(|column| column[i]).collect();
                        let exponent = elements::exponent(*op, &operands);
                        // An angle of so many turns says nothing, and one of many is not exact enough for what overflows.
                        let any_angle = exponent > 1e6 && exponent.is_finite();
                        let allowed = allowed + 4.0 * if exponent.is_finite() { exponent } else { 0.0 };
                        let distance =
                            elements::distance_by_size(*found, *wanted, types.compute, exponent < 10.0);
                        any_angle || distance <= allowed
                    }
                    Some(allowed) => distance(*found, *wanted, types.compute) <= allowed,
                    None => elements::is_nan(*found) == elements::is_nan(*wanted),
                };
                if !(near && distance(*found, bits[i], types.compute) == 0.0 || told) {
                    told = true;
                    let operands: Vec<_> = columns.iter().map(|column| column[i].number()).collect();
                    let plan = if kernel.is_fused() { "fused" } else { "blocked" };
                    let (found, wanted, other) = (found.number(), wanted.number(), bits[i].number());
                    score.wrong.push(format!(
                        "{name}, {types:?}, {plan} at {level}: {operands:?} gives {found:?}, the reference {wanted:?}, another kernel {other:?}"
                    ));
                }
            }
        }
    }
}

/// The kernel that a call takes, and the blocked plan beside it.
fn kernels(case: &Case<'_>, level: Level, name: &str) -> Vec<Kernel> {
    let Case { rules, op, dtypes, types } = case;
    let table = rules.tables().ops.iter().find(|table| table.op == *op).expect("an op of the rule set");
    let kernel = table.kernel.expect("an op with kernels");
    let common = |i: usize| (dtypes[i.min(dtypes.len() - 1)], Enters::Common);
    let found = match dtypes[..] {
        [a] => rules.unary_kernel_at(level, *op, a),
        [a, b, ..] => rules.kernel_at(level, *op, a, b),
        [] => unreachable!("an op has operands"),
    };
    let blocked =
        Kernel::find_blocked(level, promote::__private::KERNELS, kernel, common(0), common(1), *types);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            // Nobody has written these yet, and the catalogue says so.
            let missing = matches!(error, promote::Error::Call(CallError::NoKernel { .. }));
            let known = op_info(op.name()).is_some_and(|info| info.is_computed_in(types.compute.name()));
            assert!(missing && !known, "{name} at {level}: {error}");
            return Vec::new();
        }
    };
    let blocked = blocked.unwrap_or_else(|error| panic!("{name} at {level}: {error}"));
    if found.is_fused() { vec![found, blocked] } else { vec![blocked] }
}

fn call(
    kernel: &Kernel,
    op: Op,
    columns: &[Vec<promote::kernel::ScalarValue>],
    condition: &[bool],
    out: DType,
) -> Result<Vec<promote::kernel::ScalarValue>, CallError> {
    let n = columns[0].len();
    let held: Vec<Aligned> = columns.iter().map(|column| Aligned::of(column)).collect();
    let mut inputs: Vec<Input<'_>> = held
        .iter()
        .zip(columns)
        .map(|(held, column)| {
            Input::Slice(
                SliceRef::from_bytes(column[0].dtype(), held.bytes()).expect("whole, aligned elements"),
            )
        })
        .collect();
    if op == Op::Where {
        inputs.push(condition[..n].into());
    }
    let size = out.size().expect("a dtype with a Rust type");
    let mut target = Aligned::new(n * size);
    target.bytes_mut().fill(0xAA);
    kernel.call_inputs(
        &inputs,
        SliceMut::from_bytes(out, target.bytes_mut()).expect("whole, aligned elements"),
    )?;
    Ok(target.values(out))
}

fn report(what: &str, score: &Score) {
    println!("{what}: {} kernels, {} lanes", score.kernels, score.lanes);
    let shown = score.wrong[..score.wrong.len().min(40)].join("\n");
    assert!(score.wrong.is_empty(), "{} kernels differ:\n{shown}", score.wrong.len());
}

#[test]
fn ops_of_one_operand() {
    report("one operand", &run(1));
}

#[test]
fn ops_of_two_operands() {
    report("two operands", &run(2));
}

#[test]
fn casts() {
    let mut score = Score::default();
    let mut seen = BTreeSet::new();
    for rules in bundled() {
        let Some(table) = rules.tables().ops.iter().find(|table| table.op == Op::Astype) else { continue };
        if !seen.insert(table.words) {
            continue;
        }
        for &from in rules.tables().dtypes.iter().filter(|dtype| dtype.has_type()) {
            let columns = elements(&[from]);
            for &to in rules.tables().dtypes.iter().filter(|dtype| dtype.has_type()) {
                let options = Options { to: Some(to), ..Options::default() };
                for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
                    let kernel = rules.cast_kernel_at(level, from, to).expect("a cast");
                    let (held, n) = (Aligned::of(&columns[0]), columns[0].len());
                    let mut target = Aligned::new(n * to.size().expect("a dtype with a Rust type"));
                    let input = SliceRef::from_bytes(from, held.bytes()).expect("whole, aligned elements");
                    let out = SliceMut::from_bytes(to, target.bytes_mut()).expect("whole, aligned elements");
                    kernel.call(input, out).expect("equal lengths");
                    score.kernels += 1;
                    for (found, x) in target.values(to).into_iter().zip(&columns[0]) {
                        score.lanes += 1;
                        let wanted =
                            evaluate(&rules, Op::Astype, &[Value::Array(*x)], &options).expect("a cast");
                        if distance(found, wanted, to) > 0.0 {
                            let (x, found, wanted) = (x.number(), found.number(), wanted.number());
                            score.wrong.push(format!(
                                "{} {from} {x:?} to {to} at {level} is {found:?}, the reference has {wanted:?}",
                                rules.name()
                            ));
                        }
                    }
                }
            }
        }
    }
    report("casts", &score);
}

#[test]
fn a_division_by_zero_leaves_out_as_it_was() {
    let rules = bundled().into_iter().find(|rules| {
        let table = rules.tables().ops.iter().find(|table| table.op == Op::FloorDivide);
        table.is_some_and(|table| table.word("by_zero") == Some("error"))
    });
    let Some(rules) = rules else { return };
    // Far beyond a block, and of two dtypes, so that the call is in blocks.
    let (a, mut b) = (vec![7_i64; 5000], vec![2_i32; 5000]);
    b[4999] = 0;
    let mut out = vec![1_i64; 5000];
    let called = rules.binary(Op::FloorDivide, a[..].into(), b[..].into(), (&mut out[..]).into());
    assert_eq!(called, Err(promote::Error::Call(CallError::DivisionByZero)));
    assert!(out.iter().all(|x| *x == 1));
    b[4999] = -2;
    rules.binary(Op::FloorDivide, a[..].into(), b[..].into(), (&mut out[..]).into()).expect("no zeros");
    assert_eq!((out[0], out[4999]), (3, -4));
    assert_eq!(words::of("by_zero", "error"), 0);
}
