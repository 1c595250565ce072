//! NumPy 1.

use promote::{Kind, Number, Op, Operand};

use crate::answers::{As, Rules};
use crate::score::{Score, System};
use crate::sections;
use crate::table::{cells, data};

const SYSTEM: System = System {
    rules: "numpy1",
    data: "numpy1",
    left_out: &[
        ("dim_zerodim", "holds values: compared below"),
        ("zerodim_scalar", "holds values: compared below"),
        ("min_scalar_type", "a function of a value alone: `values` asks promotion with the same ones"),
    ],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}

/// What depends on a value.
const VALUES: System = System { left_out: &[], single: SINGLE, ..SYSTEM };

const SINGLE: &[(&str, &str, &str)] = &[
    ("values", "py_int:9223372036854775808,bool", UNSIGNED),
    ("values", "py_int:18446744073709551615,bool", UNSIGNED),
    ("values", "py_float:65504.0,f16", LIMIT),
    ("values", "py_float:65519.0,f16", LIMIT),
    ("values", "0d:f32:65504.0,f16", LIMIT),
    ("values", "0d:f32:65519.0,f16", LIMIT),
    ("values", "0d:f64:65504.0,f16", LIMIT),
    ("values", "0d:f64:65519.0,f16", LIMIT),
    ("values", "py_float:3.4e+38,*", LIMIT),
    ("values", "0d:f64:3.4e+38,*", LIMIT),
    ("values", "0d:c128:3.4e+38,*", LIMIT),
    ("values", "0d:c128:inf,*", INFINITE),
    ("values", "0d:c128:nan,*", INFINITE),
];

const UNSIGNED: &str = "alone, a number of 2^63 and more is u64, where others are i64";
const LIMIT: &str =
    "NumPy 1 ends f16 at 65000 and f32 and c64 at 3.4e38, below the greatest numbers that they hold";
const INFINITE: &str =
    "of an infinite float and of NaN the least dtype is f16, but of a complex one c128 and not c64";

#[test]
fn every_recorded_value() {
    let data = data(VALUES.data);
    let rules = Rules::load(VALUES.rules);
    let mut score = Score::new(&VALUES);
    let sections = data["sections"].as_object().expect("sections");
    for (array, zero, word) in cells(sections, "dim_zerodim") {
        let operands = [rules.operand(&array, As::Array), zero_dim(&rules, &zero, "1")];
        let cell = format!("{array},{zero}");
        score.cell("dim_zerodim", "dim_zerodim", &cell, &word, rules.result(&operands).as_deref());
    }
    for (zero, number, word) in cells(sections, "zerodim_scalar") {
        let operands = [zero_dim(&rules, &zero, "1"), rules.operand(&number, As::Array)];
        let cell = format!("{zero},{number}");
        score.cell("zerodim_scalar", "zerodim_scalar", &cell, &word, rules.result(&operands).as_deref());
    }
    let mut objects = 0;
    for (value, array, word) in cells(data.as_object().expect("an object"), "values") {
        let (operand, asked) = match value.strip_prefix("0d:").and_then(|rest| rest.split_once(':')) {
            Some((dtype, value)) => (zero_dim(&rules, dtype, value), 1),
            None => (rules.operand(&value, As::Array), 3),
        };
        let operands = [rules.operand(&array, As::Array), operand];
        let words: Vec<&str> = word.split('/').collect();
        let words = if let [result] = words[..] { vec![result, result, "bool"] } else { words };
        let ours = [rules.result(&operands), rules.op(Op::Add, &operands), rules.op(Op::Less, &operands)];
        let kinds = ["values.result_type", "values.add", "values.less"];
        for ((kind, word), ours) in kinds.into_iter().zip(&words).zip(ours).take(asked) {
            if words[0] == "object" {
                objects += 1;
            } else {
                score.cell(kind, kind, &format!("{value},{array}"), word, ours.as_deref());
            }
        }
    }
    let why = "`object`, Python's own integers, is no dtype of a rule set";
    println!("{:12} {objects} cells of `values` left out: {why}", VALUES.rules);
    score.finish();
}

/// An array without dimensions that holds a value.
fn zero_dim(rules: &Rules, dtype: &str, value: &str) -> Operand {
    let dtype = rules.dtype(dtype);
    let float = || value.parse().expect("a number");
    let number = match dtype.kind() {
        Kind::Bool => Number::Bool(true),
        Kind::Unsigned | Kind::Signed => Number::Int(value.parse().expect("an integer")),
        Kind::Float => Number::Float(float()),
        _ => Number::Complex(float(), 0.0),
    };
    Operand::ZeroDimValue(dtype, number)
}
