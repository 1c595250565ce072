//! Every kernel that a bundled rule set can use, as a loop and as a pipeline, at every level of the machine,
//! equals the scalar reference in every element.

#[path = "../common/aligned.rs"]
mod aligned;
#[path = "../common/bundled.rs"]
mod bundled;
mod elements;
mod extras;
#[path = "../common/unit.rs"]
mod unit;

use std::collections::BTreeSet;

use promote::{Argument, CallError, Kernel, ScalarValue, Slice, SliceMut};
use promote::{DType, Element, ExtraKind, Level, Number, Op, OpTypes, Operand, RuleSet};
use promote_reference::{Error, Options, Value, evaluate, joined};
use promote_runtime::__private::kernel::{Enters, KernelOp};

use self::aligned::Aligned;
use self::bundled::bundled;
use self::elements::{distance, elements};
use self::extras::{Variant, variants};
use self::unit::unit;

/// One way to a result: a rule set's op on arrays of these dtypes.
struct Case<'a> {
    rules: &'a RuleSet,
    op: Op,
    /// One or two.
    dtypes: Vec<DType>,
    types: OpTypes,
}

/// The counts of comparisons.
#[derive(Default)]
struct Score {
    kernels: usize,
    lanes: usize,
    wrong: Vec<String>,
}

/// Returns how many units in the last place an op may differ from the reference. Both are within 1 ULP of the
/// exact result: ours, and the standard library's `f64` function that the reference rounds.
///
/// Returns `None` if the reference rounds several steps and is inexact near zero. Then the test only compares
/// whether both results are NaN.
fn tolerance(op: Op, compute: DType) -> Option<f64> {
    match op {
        Op::Logaddexp | Op::Logaddexp2 | Op::Sigmoid => None,
        Op::Silu | Op::Softplus | Op::Gelu | Op::GeluTanh
            if matches!(compute, DType::F64 | DType::C64 | DType::C128) =>
        {
            None
        }
        Op::Atan2 if compute.kind() == promote::Kind::Complex => None,
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
        | Op::Cbrt
        | Op::Erf
        | Op::Erfc
        | Op::Silu
        | Op::Softplus
        | Op::Gelu
        | Op::GeluTanh
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
        // Losses and products that contain a logarithm or a power.
        Op::Xlogy | Op::PoissonNllLoss | Op::BinaryCrossEntropy => Some(4.0),
        // The loss of complex numbers is the magnitude of their difference.
        Op::Sqrt | Op::Rsqrt | Op::Sign | Op::L1Loss if compute.kind() == promote::Kind::Complex => Some(2.0),
        _ => Some(0.0),
    }
}

/// Returns the magnitude in whose units the error is measured. For a difference it is that of its terms.
fn magnitude(op: Op, variant: &Variant, operands: [f64; 2], result: f64) -> f64 {
    let [a, b] = operands.map(f64::abs);
    let size = match op {
        Op::PoissonNllLoss => {
            let first = if variant.options.log_input { a * b } else { a.max(b * a.ln().abs()) };
            if variant.options.full { first.max(b * b.ln().abs()) } else { first }
        }
        _ => 0.0,
    };
    // A result or a term that is not finite has no rounding error.
    if size.is_finite() { result.abs().max(size) } else { result.abs() }
}

/// Returns true if a third operand decides the dtype, too.
fn joins(op: Op) -> bool {
    op.extras().iter().any(|extra| extra.kind == ExtraKind::Operand)
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
                    // Rule sets with equal dtypes and semantics share the kernel.
                    let key =
                        (kernel.canonical(types.compute, true).to_string(), op.name(), dtypes.clone(), all);
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
    for variant in variants(case.op) {
        compare_variant(case, &variant, score);
    }
}

/// Returns the value of a real number; NaN for other elements.
fn float(value: ScalarValue) -> f64 {
    match value.number() {
        Some(Number::Float(x)) => x,
        Some(Number::Int(x)) => x as f64,
        _ => f64::NAN,
    }
}

fn compare_variant(case: &Case<'_>, variant: &Variant, score: &mut Score) {
    let Case { rules, op, dtypes, types } = case;
    let name = format!("{} {op} of {dtypes:?}", rules.name());
    let mut columns = elements(dtypes);
    let n = columns[0].len();
    if joins(*op) {
        // The third operand has the common dtype, and is cast to the compute dtype.
        let third = elements(&[types.common, types.common]).swap_remove(1);
        columns.push((0..n).map(|i| third[i % third.len()]).collect());
    }
    let numbers: Vec<Vec<f64>> = (0..n).map(|i| variant.numbers(i)).collect();
    let lane = |i: usize| {
        let operands: Vec<Value> = columns.iter().map(|column| Value::Array(column[i])).collect();
        let options = variant.options_of(*op, i, types.compute);
        match operands[..] {
            [a, b, c] => joined(rules, *op, [a, b, c], &options),
            _ => evaluate(rules, *op, &operands, &options),
        }
    };
    let expected: Vec<Result<ScalarValue, Error>> = (0..n).map(lane).collect();
    let traps = expected.iter().any(|lane| matches!(lane, Err(Error::Trap(_))));
    let unknown = expected.iter().any(|lane| matches!(lane, Err(Error::NotEvaluated { .. })));
    // The result of the first of the kernels: all others give the same bits.
    let mut first: Option<Vec<_>> = None;
    for level in Level::ALL.iter().copied().filter(|level| *level <= Level::best()) {
        for kernel in kernels(case, variant, level, &name) {
            assert!(!unknown, "{name}: there is a kernel, and no reference");
            let mut columns = columns.clone();
            for (k, extra) in variant.extras.iter().enumerate() {
                let dtype = kernel.input_dtype(columns.len());
                let element = |numbers: &Vec<f64>| extras::element(numbers[k], dtype);
                // A column of one element is a scalar operand.
                columns.push(if extra.varies() {
                    numbers.iter().map(element).collect()
                } else {
                    vec![element(&numbers[0])]
                });
            }
            if traps {
                let refused = call(&kernel, &columns, types.output);
                let found = matches!(
                    refused,
                    Err(CallError::DivisionByZero | CallError::NegativeExponent | CallError::Probability)
                );
                assert!(
                    found,
                    "{name} at {level} takes what the reference refuses: {:?}",
                    refused.map(|_| ())
                );
                let keeps: Vec<bool> = expected.iter().map(Result::is_ok).collect();
                for column in columns.iter_mut().filter(|column| column.len() > 1) {
                    let mut keep = keeps.iter();
                    column.retain(|_| *keep.next().expect("as many"));
                }
            }
            let found = call(&kernel, &columns, types.output)
                .unwrap_or_else(|error| panic!("{name} at {level}: {error}"));
            let wanted = expected.iter().filter_map(|lane| lane.as_ref().ok());
            score.kernels += 1;
            let bits = first.get_or_insert_with(|| found.clone());
            let mut told = false;
            for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                // The reference does not know the sign of a NaN.
                let sign = match op {
                    Op::Copysign => Some(1),
                    Op::Signbit => Some(0),
                    _ => None,
                };
                if sign.is_some_and(|operand| elements::is_nan(columns[operand][i])) {
                    continue;
                }
                score.lanes += 1;
                let lane: Vec<ScalarValue> =
                    columns.iter().map(|column| column[i.min(column.len() - 1)]).collect();
                let near = is_near(case, variant, &lane, *found, *wanted);
                if !(near && distance(*found, bits[i], types.compute) == 0.0 || told) {
                    told = true;
                    let operands: Vec<_> = lane.iter().map(ScalarValue::number).collect();
                    let plan = if kernel.is_fused() { "loop" } else { "pipeline" };
                    let (found, wanted, other) = (found.number(), wanted.number(), bits[i].number());
                    score.wrong.push(format!(
                        "{name}, {types:?}, {plan} at {level}: {operands:?} gives {found:?}, the reference {wanted:?}, another kernel {other:?}"
                    ));
                }
            }
        }
    }
}

/// Returns true if a kernel's result of these operands is as near to the reference's as the op requires.
fn is_near(
    case: &Case<'_>,
    variant: &Variant,
    lane: &[ScalarValue],
    found: ScalarValue,
    wanted: ScalarValue,
) -> bool {
    let Case { op, dtypes, types, .. } = case;
    let allowed = match op {
        // The power of two is a function, unless a whole number is the exponent.
        Op::Ldexp if dtypes.iter().any(|dtype| dtype.kind() == promote::Kind::Complex) => Some(2.0),
        Op::Ldexp if dtypes[1].kind() >= promote::Kind::Float => Some(2.0),
        _ => tolerance(*op, types.compute),
    };
    let Some(allowed) = allowed else {
        // An angle of that many turns has no exact digit.
        let any_angle = matches!(op, Op::Logaddexp | Op::Logaddexp2) && elements::exponent(*op, lane) > 1e6;
        return elements::is_nan(found) == elements::is_nan(wanted) || any_angle;
    };
    if found.dtype().kind() == promote::Kind::Complex && allowed != 0.0 {
        let exponent = elements::exponent(*op, lane);
        // An angle of that many turns has no exact digit.
        let any_angle = exponent > 1e6 && exponent.is_finite();
        let allowed = allowed + 4.0 * if exponent.is_finite() { exponent } else { 0.0 };
        return any_angle
            || elements::distance_by_size(found, wanted, types.compute, exponent < 10.0) <= allowed;
    }
    if distance(found, wanted, types.compute) <= allowed {
        return true;
    }
    let [x, y] = [found, wanted].map(float);
    let second = lane.get(1).map_or(f64::NAN, |element| float(*element));
    let size = magnitude(*op, variant, [float(lane[0]), second], y);
    let unit = unit(types.output, size).max(unit(types.compute, size));
    allowed > 0.0 && x.is_finite() && y.is_finite() && (x - y).abs() <= allowed * unit
}

/// The kernel that a call takes, and the blocked plan beside it.
fn kernels(case: &Case<'_>, variant: &Variant, level: Level, name: &str) -> Vec<Kernel> {
    let Case { rules, op, dtypes, types } = case;
    let table = rules.tables().ops.iter().find(|table| table.op == *op).expect("an op of the rule set");
    let kernel = table.kernel.expect("an op with kernels");
    let common = |i: usize| (dtypes[i.min(dtypes.len() - 1)], Enters::Common);
    let found = match dtypes[..] {
        [a] => rules.unary_kernel_at(level, *op, a),
        [a, b, ..] => rules.kernel_at(level, *op, a, b),
        [] => unreachable!("an op has operands"),
    };
    let kernel = kernel.with_semantics(kernel.semantics() | variant.semantics);
    let all = promote::__private::KERNELS;
    let found = if variant.semantics == 0 {
        found
    } else {
        Kernel::find_at(level, all, kernel, common(0), common(1), *types).map_err(promote::Error::Call)
    };
    let blocked = Kernel::find_pipeline(level, all, kernel, common(0), common(1), *types);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            // The catalogue lists these kernels as missing.
            let missing = matches!(error, promote::Error::Call(CallError::NoKernel { .. }));
            let known = op.info().is_computed_in(types.compute);
            // Stirling's formula applies to numbers above 1, and complex numbers have no order.
            let known = known && !(variant.options.full && types.compute.kind() == promote::Kind::Complex);
            assert!(missing && !known, "{name} at {level}: {error}");
            return Vec::new();
        }
    };
    let blocked = blocked.unwrap_or_else(|error| panic!("{name} at {level}: {error}"));
    let third = |kernel: Kernel| {
        // The third operand is of the common dtype.
        let with = || {
            Kernel::find_extended(level, all, table.kernel?, [common(0), common(1)], types.common, *types)
                .ok()
        };
        if joins(*op) { with() } else { Some(kernel) }
    };
    let kernels = if found.is_fused() { vec![found, blocked] } else { vec![blocked] };
    kernels.into_iter().filter_map(third).collect()
}

fn call(kernel: &Kernel, columns: &[Vec<ScalarValue>], out: DType) -> Result<Vec<ScalarValue>, CallError> {
    let n = columns[0].len();
    let held: Vec<Aligned> = columns.iter().map(|column| Aligned::of(column)).collect();
    let inputs: Vec<Argument<'_>> = held
        .iter()
        .zip(columns)
        .map(|(held, column)| match column[..] {
            [value] => Argument::ZeroDim(value),
            _ => Argument::Slice(
                Slice::from_bytes(column[0].dtype(), held.bytes()).expect("whole, aligned elements"),
            ),
        })
        .collect();
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
fn ops_of_one_operand_give_what_the_reference_gives() {
    report("one operand", &run(1));
}

#[test]
fn ops_of_two_operands_give_what_the_reference_gives() {
    report("two operands", &run(2));
}

#[test]
fn casts_give_what_the_reference_gives() {
    let mut score = Score::default();
    let mut seen = BTreeSet::new();
    for rules in bundled() {
        let Some(table) = rules.tables().ops.iter().find(|table| table.op == Op::Astype) else { continue };
        if !seen.insert(table.semantics) {
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
                    let input = Slice::from_bytes(from, held.bytes()).expect("whole, aligned elements");
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

/// A call has many blocks, and functions have one form for usual operands and others for the rest.
#[test]
fn results_do_not_depend_on_neighbouring_elements() {
    const N: usize = 1700;
    const NAN: usize = 511;
    // The block that starts at 1024 contains zeros, and no other special values.
    let odd =
        [(3, 1e300), (NAN, f64::NAN), (600, f64::INFINITY), (601, 1e22), (1535, 0.0), (N - 1, f64::NAN)];
    let zeros = [[1070, 1100, 1300], [1200, 1300, 1400]];
    let column = |dtype: DType, from: f64, zeros: [usize; 3]| -> Vec<ScalarValue> {
        let mut reals: Vec<f64> = (0..N).map(|i| from + (i % 97) as f64 / 128.0).collect();
        for (i, x) in odd.into_iter().chain(zeros.map(|i| (i, 0.0))) {
            reals[i] = x;
        }
        let of = |x: f64| match dtype {
            DType::C128 => ScalarValue::new(num_complex::Complex::new(x, 0.25)),
            _ => extras::element(x, dtype),
        };
        reals.into_iter().map(of).collect()
    };
    let (mut kernels_found, mut compared) = (0, 0);
    for rules in bundled() {
        for table in rules.tables().ops.iter().filter(|table| table.kernel.is_some()) {
            let op = table.op;
            for dtype in [DType::F32, DType::F64, DType::C128] {
                let found = |level| match op.arity() {
                    1 => rules.unary_kernel_at(level, op, dtype),
                    _ => rules.kernel_at(level, op, dtype, dtype),
                };
                let columns: Vec<_> = [(0.5, zeros[0]), (-0.25, zeros[1])]
                    .into_iter()
                    .take(op.arity())
                    .map(|(from, zeros)| column(dtype, from, zeros))
                    .collect();
                for kernel in
                    Level::ALL.iter().filter(|level| **level <= Level::best()).map(|level| found(*level))
                {
                    let Ok(kernel) = kernel else { continue };
                    kernels_found += 1;
                    let [.., out] = kernel.dtypes();
                    // Ops that take more than their operands, and those that refuse some, are tested
                    // elsewhere.
                    let Ok(all) = call(&kernel, &columns, out) else { continue };
                    compared += 1;
                    let special = odd.into_iter().map(|(i, _)| i).chain(zeros.into_iter().flatten());
                    for (i, beside) in (0..N).step_by(89).chain(special).flat_map(|i| [(i, i), (i, NAN)]) {
                        let two: Vec<_> =
                            columns.iter().map(|column| vec![column[i], column[beside]]).collect();
                        let two = call(&kernel, &two, out).expect("what the whole call took");
                        assert!(
                            distance(all[i], two[0], out) == 0.0,
                            "{op} of {dtype}, element {i} beside element {beside}, {kernel:?}"
                        );
                    }
                }
            }
        }
    }
    println!("neighbours: {compared} of {kernels_found} kernels");
    assert!(2 * compared >= kernels_found, "too few kernels were compared: {compared} of {kernels_found}");
}

/// A call on large arrays prefetches the next block while it computes one, strip by strip.
#[test]
fn long_calls_give_the_results_of_their_parts() {
    // Less than a block.
    const PART: usize = 500;
    fn compare<T: Element + Copy + Default + Into<f64>>(of: impl Fn(f64) -> T) -> usize {
        // 4 MiB and some.
        let n = (4 << 20) / size_of::<T>() + 37;
        let odd = [f64::NAN, 1e30, 0.0, -2.0];
        let column = |from: f64| -> Vec<T> {
            let number = |i: usize| match (i % 20_011, i / 20_011) {
                (777, k) => odd[k % odd.len()],
                _ => from + (i % 97) as f64 / 128.0,
            };
            (0..n).map(|i| of(number(i))).collect()
        };
        let (a, b) = (column(0.125), column(0.25));
        let (mut whole, mut parts) = (vec![T::default(); n], vec![T::default(); n]);
        let mut asked = BTreeSet::new();
        for rules in bundled() {
            for table in rules.tables().ops.iter().filter(|table| table.kernel.is_some()) {
                let op = table.op;
                let is_function = tolerance(op, T::DTYPE) != Some(0.0);
                if op.arity() > 2 || !is_function || !asked.insert(op.to_string()) {
                    continue;
                }
                // The scalar level of x86-64 has no blocks.
                let has_blocks = |level: &Level| *level != Level::BASE || *level == Level::best();
                for level in Level::ALL.iter().filter(|level| **level <= Level::best() && has_blocks(level)) {
                    let found = match op.arity() {
                        1 => rules.unary_kernel_at(*level, op, T::DTYPE),
                        _ => rules.kernel_at(*level, op, T::DTYPE, T::DTYPE),
                    };
                    let Ok(kernel) = found else { continue };
                    if kernel.dtypes()[2] != T::DTYPE || kernel.inputs() != op.arity() {
                        continue;
                    }
                    let call = |from: usize, to: usize, out: &mut [T]| {
                        let inputs = [&a[from..to], &b[from..to]].map(|x| Argument::Slice(Slice::new(x)));
                        kernel.call_inputs(&inputs[..op.arity()], SliceMut::new(out)).expect("floats");
                    };
                    call(0, n, &mut whole);
                    for from in (0..n).step_by(PART) {
                        let to = n.min(from + PART);
                        call(from, to, &mut parts[from..to]);
                    }
                    let differ = |(x, y): (&T, &T)| {
                        let (x, y): (f64, f64) = ((*x).into(), (*y).into());
                        x.to_bits() != y.to_bits() && !(x.is_nan() && y.is_nan())
                    };
                    let differs = whole.iter().zip(&parts).position(differ);
                    assert_eq!(differs, None, "the place of {op} of {} at {level}", T::DTYPE);
                }
            }
        }
        asked.len()
    }
    let ops = compare(|x| x as f32);
    assert_eq!(ops, compare(|x| x));
    assert!(ops >= 25, "{ops} functions");
}

#[test]
fn integer_division_by_zero_leaves_the_output_untouched() {
    let rules = bundled().into_iter().find(|rules| {
        let table = rules.tables().ops.iter().find(|table| table.op == Op::FloorDivide);
        let takes = rules.op_types(Op::FloorDivide, &[DType::I64, DType::I32].map(Operand::Array)).is_ok();
        takes && table.is_some_and(|table| table.option("by_zero") == Some("error"))
    });
    let Some(rules) = rules else { return };
    // More than a block, and two dtypes, so that a pipeline computes the call.
    let (a, mut b) = (vec![7_i64; 5000], vec![2_i32; 5000]);
    b[4999] = 0;
    let mut out = vec![1_i64; 5000];
    let called = rules.binary(Op::FloorDivide, a[..].into(), b[..].into(), (&mut out[..]).into());
    assert_eq!(called, Err(promote::Error::Call(CallError::DivisionByZero)));
    assert!(out.iter().all(|x| *x == 1));
    b[4999] = -2;
    rules.binary(Op::FloorDivide, a[..].into(), b[..].into(), (&mut out[..]).into()).expect("no zeros");
    assert_eq!((out[0], out[4999]), (3, -4));
}

/// A rule file may make `round` and the like compute in a complex or an integer dtype. No bundled one does.
#[test]
fn rounding_ops_compute_in_complex_and_integer_dtypes() {
    let kernel = |op, a: DType, types| {
        let same = (a, Enters::Common);
        Kernel::find_at(Level::best(), promote::__private::KERNELS, op, same, same, types).expect("a plan")
    };
    let of_whole = kernel(KernelOp::new(Op::Round), DType::I32, OpTypes::uniform(DType::C64));
    let mut out = [num_complex::Complex::<f32>::default(); 1];
    of_whole
        .call_inputs(&[Argument::Slice(Slice::new(&[3_i32]))], SliceMut::new(&mut out))
        .expect("a number");
    assert_eq!([out[0].re, out[0].im].map(f32::to_bits), [3.0_f32, 0.0].map(f32::to_bits), "{}", out[0]);
    for op in [
        KernelOp::new(Op::Floor),
        KernelOp::new(Op::Ceil),
        KernelOp::new(Op::Trunc),
        KernelOp::new(Op::Round),
    ] {
        let in_whole = kernel(op, DType::F32, OpTypes::uniform(DType::I64));
        let mut out = [0_i64; 2];
        in_whole
            .call_inputs(&[Argument::Slice(Slice::new(&[2.0_f32, -7.0]))], SliceMut::new(&mut out))
            .expect("numbers");
        assert_eq!(out, [2, -7], "{op}");
    }
}
