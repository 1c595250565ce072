//! The reference evaluator gives what PyTorch computed, op by op: recorded values of every op, 64 lanes a case.

#[path = "torch_reference/cases.rs"]
mod cases;

use std::collections::BTreeMap;

use cases::{Case, Input, Outcome, Recorded, looks_at_all};
use promote::kernel::ScalarValue;
use promote::{DType, Kind, Number, Op, Operand, RuleSet, Torch};
use promote_reference::{Error, Options, Value, dot, evaluate, reduce};

/// What the reference gives for a case, element by element.
fn ours(rules: &RuleSet, recorded: &Recorded, case: &Case) -> Result<Vec<Result<ScalarValue, Error>>, Error> {
    if looks_at_all(case.op) {
        let [Input::Array(dtype, elements)] = &case.inputs[..] else { panic!("{}", case.text) };
        return Ok(reduce(rules, case.op, *dtype, elements)?.into_iter().map(Ok).collect());
    }
    if case.op == Op::Dot {
        let [Input::Array(a, left), Input::Array(b, right)] = &case.inputs[..] else { panic!("{}", case.text) };
        return Ok(vec![dot(rules, (*a, left), (*b, right))]);
    }
    let lanes: Vec<_> = (0..64)
        .map(|i| {
            let operands: Vec<Value> = case.inputs.iter().map(|input| input.lane(i)).collect();
            let options = Options { condition: recorded.condition(i), ..case.options };
            evaluate(rules, case.op, &operands, &options)
        })
        .collect();
    match case.then {
        None => Ok(lanes),
        Some(then) => {
            let lanes: Vec<ScalarValue> = lanes.into_iter().collect::<Result<_, _>>()?;
            Ok(reduce(rules, then, lanes[0].dtype(), &lanes)?.into_iter().map(Ok).collect())
        }
    }
}

fn parts(element: ScalarValue) -> Vec<f64> {
    match element.number().expect("an element") {
        Number::Float(x) => vec![x],
        Number::Complex(re, im) => vec![re, im],
        Number::Int(x) => vec![x as f64],
        Number::Bool(x) => vec![x as u8 as f64],
        _ => unreachable!(),
    }
}

fn same(a: ScalarValue, b: ScalarValue) -> bool {
    a.bytes() == b.bytes() || parts(a).iter().zip(parts(b)).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
}

#[test]
fn explore() {
    let recorded = Recorded::read();
    let rules = Torch::new().rule_set();
    let (mut cases, mut lanes, mut equal) = (0, 0, 0);
    for name in recorded.ops() {
        let mut per: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for case in recorded.cases(&name) {
            let kinds: Vec<Operand> = case.inputs.iter().map(Input::operand).collect();
            let types = rules.op_types(case.op, &kinds);
            match &case.outcome {
                Outcome::Word(word) => match word.as_str() {
                    "refused" if types.is_ok() => println!("TYPES {name} {}: refused, ours {types:?}", case.text),
                    "trap" => {
                        let ours = ours(&rules, &recorded, &case);
                        let trapped = match &ours { Err(Error::Trap(_)) => true, Ok(l) => l.iter().any(|x| matches!(x, Err(Error::Trap(_)))), _ => false };
                        if !trapped { println!("TRAP {name} {}: no trap in ours", case.text); }
                    }
                    _ => {}
                },
                Outcome::Elements(dtype, elements) => {
                    cases += 1;
                    let out = if case.op == Op::Astype { case.options.to } else { types.ok().map(|t| t.output) };
                    if out != Some(*dtype) { println!("TYPES {name} {}: {dtype}, ours {types:?}", case.text); continue; }
                    match ours(&rules, &recorded, &case) {
                        Err(error) => println!("ERROR {name} {}: {error}", case.text),
                        Ok(found) => {
                            assert_eq!(found.len(), elements.len());
                            for (i, (a, b)) in found.iter().zip(elements).enumerate() {
                                lanes += 1;
                                let e = per.entry(dtype.name().to_owned()).or_default();
                                e[0] += 1;
                                match a {
                                    Err(error) => println!("ERROR {name} {} lane {i}: {error}", case.text),
                                    Ok(a) if same(*a, *b) => { equal += 1; e[1] += 1; }
                                    Ok(a) => {
                                        let x: Vec<String> = case.inputs.iter().map(|x| match x.lane(i) {
                                            Value::Array(e) | Value::ZeroDim(e) => format!("{:?}", parts(e)), Value::Number(n) => format!("{n:?}") }).collect();
                                        println!("DIFF {name} {dtype} {} | {} | ours {:?} torch {:?} | ulp {}", case.text, if looks_at_all(case.op) || case.op==Op::Dot {String::new()} else {x.join(", ")}, parts(*a), parts(*b), ulp(*a, *b));
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        for (d, [l, e, _]) in per { println!("SUM {name} {d}: {l} lanes {e} equal, {} differ", l - e); }
    }
    println!("{cases} cases {lanes} lanes {equal} equal");
}

fn step(dtype: DType, x: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F16 | DType::C32 => (11, -24), DType::BF16 => (8, -133), DType::F32 | DType::C64 => (24, -149), _ => (53, -1074) };
    if x == 0.0 { return 2.0_f64.powi(least) }
    let e = x.abs().log2().floor() as i32;
    2.0_f64.powi((e - digits + 1).max(least))
}

fn ulp(a: ScalarValue, b: ScalarValue) -> f64 {
    if !matches!(a.dtype().kind(), Kind::Float | Kind::Complex) { return f64::INFINITY }
    let (x, y) = (parts(a), parts(b));
    let size = y.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    x.iter().zip(&y).map(|(x, y)| if x == y || x.is_nan() && y.is_nan() {0.0} else {((x - y) / step(a.dtype(), size)).abs()}).fold(0.0, f64::max)
}
