//! `rules/torch.rs` is PyTorch: every recorded cell, at run time.

mod common;

use common::{Score, cells, torch};
use promote::{Casting, DType, Number, Op, Operand, RuleSet, Torch, TorchDefaultDtype};

fn number(word: &str) -> Option<Number> {
    Some(match word {
        "py_bool" => Number::Bool(true),
        "py_int" => Number::Int(1),
        "py_float" => Number::Float(1.0),
        "py_complex" => Number::Complex(1.0, 1.0),
        _ => return None,
    })
}

/// An operand: a number by its name, a dtype as `kind` makes it.
fn operand(word: &str, kind: fn(DType) -> Operand) -> Operand {
    number(word).map_or_else(|| kind(dtype(word)), Operand::Number)
}

/// A dtype of PyTorch's, the one that no other system has among them.
fn dtype(word: &str) -> DType {
    let mut dtypes = Torch::TABLES.dtypes.iter();
    *dtypes.find(|dtype| dtype.name() == word).unwrap_or_else(|| panic!("{word} is no dtype"))
}

fn promoted(rules: &RuleSet, operands: &[Operand]) -> Option<&'static str> {
    rules.result_type(operands).ok().map(|found| {
        assert!(!found.weak, "PyTorch has no weak results");
        found.dtype.name()
    })
}

/// The single cells in which PyTorch contradicts itself, and how: section, cell, reason.
const CONTRADICTIONS: [(&str, &str, &str); 2] = [
    (
        "bf16 default_dtype",
        "py_complex",
        "it makes no tensor of a complex number, but two complex numbers promote to c64, so that one of them is c64 in promotion",
    ),
    (
        "ops pow",
        "bool,bool",
        "its meta device says i64, while the CPU asks for a kernel of bool, as it gives bool for a bool array to the power of True",
    ),
];

/// Whether a cell is one of those; it then is told, and not compared.
fn contradicts_itself(label: &str, key: &str) -> bool {
    let found = CONTRADICTIONS.iter().find(|(section, cell, _)| (*section, *cell) == (label, key));
    if let Some((section, cell, reason)) = found {
        println!("{section} {cell}: PyTorch contradicts itself: {reason}");
    }
    found.is_some()
}

/// A refusal is recorded as `-`.
fn recorded(word: &str) -> Option<&str> {
    (word != "-").then_some(word)
}

fn settings() -> [(&'static str, RuleSet); 4] {
    let set = |value| Torch::new().with_default_dtype(value).rule_set();
    [
        ("f32", set(TorchDefaultDtype::F32)),
        ("f64", set(TorchDefaultDtype::F64)),
        ("f16", set(TorchDefaultDtype::F16)),
        ("bf16", set(TorchDefaultDtype::Bf16)),
    ]
}

type Make = fn(DType) -> Operand;

const PAIRS: [(&str, Make, Make); 6] = [
    ("promote_types", Operand::Array, Operand::Array),
    ("tensor_scalar", Operand::Array, Operand::Array),
    ("zerodim_scalar", Operand::ZeroDim, Operand::ZeroDim),
    ("scalar_scalar", Operand::Array, Operand::Array),
    ("dim_zerodim", Operand::Array, Operand::ZeroDim),
    ("zerodim_zerodim", Operand::ZeroDim, Operand::ZeroDim),
];

/// What of the data the tests of this file read, beside [`PAIRS`].
const READ: [&str; 12] = [
    "by_default_dtype",
    "default_dtype",
    "ops",
    "ops_inferred",
    "ops_scalar",
    "ops_zerodim",
    "unary",
    "reductions",
    "can_cast",
    "inplace",
    "out",
    "states",
];

/// A table of a presentation and a quiz in it: no answers of PyTorch's, but the same.
const SEEDS: [&str; 2] = ["seed_torch", "seed_quiz"];

const ABOUT: [&str; 7] = ["schema", "framework", "version", "python", "platform", "dtypes", "numbers"];

#[test]
fn nothing_that_is_recorded_goes_unread() {
    let data = torch();
    for key in data.as_object().expect("an object").keys().map(String::as_str) {
        let read = PAIRS.iter().any(|pair| pair.0 == key);
        let read = read || READ.contains(&key) || SEEDS.contains(&key) || ABOUT.contains(&key);
        assert!(read, "nothing reads the `{key}` of PyTorch");
    }
    assert_eq!(data["default_dtype"], data["by_default_dtype"]["f32"]["default_dtype"]);
    let mut answered: Vec<Op> = Vec::new();
    for section in ["ops", "ops_zerodim", "ops_scalar", "unary", "reductions"] {
        answered.extend(tables(&data, section).into_iter().map(|(name, _)| op_of(name)));
    }
    let ops = Torch::TABLES.ops.iter().map(|table| table.op);
    let silent: Vec<&str> = ops.filter(|op| !answered.contains(op)).map(Op::name).collect();
    println!("torch: {} ops have rules and no recorded answer: {}", silent.len(), silent.join(" "));
}

#[test]
fn two_operands_promote_as_in_pytorch() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    for (section, left, right) in PAIRS {
        for (a, b, word) in cells(&data[section]) {
            let operands = [operand(&a, left), operand(&b, right)];
            score.compare(section, &format!("{a},{b}"), recorded(&word), promoted(&rules, &operands));
            // Whichever comes first.
            let swapped = [operands[1], operands[0]];
            assert_eq!(promoted(&rules, &operands), promoted(&rules, &swapped), "{section} {a},{b}");
        }
    }
    score.finish(&PAIRS.map(|pair| pair.0));
}

#[test]
fn the_default_dtype_is_a_parameter() {
    let data = torch();
    let mut score = Score::default();
    let mut sections = Vec::new();
    for (name, rules) in settings() {
        let recorded_here = &data["by_default_dtype"][name];
        for (section, left, right) in PAIRS {
            let Some(table) = recorded_here.get(section) else {
                continue;
            };
            let label = format!("{name} {section}");
            for (a, b, word) in cells(table) {
                let operands = [operand(&a, left), operand(&b, right)];
                score.compare(&label, &format!("{a},{b}"), recorded(&word), promoted(&rules, &operands));
            }
            sections.push(label);
        }
        for (kind, word) in recorded_here["default_dtype"].as_object().expect("an object") {
            let label = format!("{name} default_dtype");
            if contradicts_itself(&label, kind) {
                continue;
            }
            let alone = [Operand::Number(number(kind).expect("a number"))];
            score.compare(&label, kind, word.as_str(), promoted(&rules, &alone));
        }
        for section in ["divide", "divide_scalar"] {
            let label = format!("{name} {section}");
            let arrays: (Make, Make) = (Operand::Array, Operand::Array);
            op_cells(&mut score, &label, &rules, Op::Divide, &recorded_here[section], arrays, None);
            sections.push(label);
        }
        let label = format!("{name} sqrt");
        for (dtype, word) in recorded_here["sqrt"].as_object().expect("an object") {
            let operands = [operand(dtype, Operand::Array)];
            let word = word.as_str().expect("a word");
            op_cell(&mut score, &label, (dtype, word), (Op::Sqrt, &operands), &rules, None);
        }
        sections.push(label);
    }
    score.finish(&sections.iter().map(String::as_str).collect::<Vec<_>>());
}

/// The op of a recorded name: ours, but for PyTorch's other spellings of some.
fn op_of(name: &str) -> Op {
    let ours = match name {
        "divide_floor" | "operator_floordiv" => "floor_divide",
        "operator_add" => "add",
        "operator_sub" => "subtract",
        "operator_mul" => "multiply",
        "operator_truediv" => "divide",
        "operator_mod" => "remainder",
        "operator_pow" => "pow",
        "operator_lt" => "less",
        "operator_and" => "bitwise_and",
        "operator_lshift" => "left_shift",
        name => name,
    };
    ours.parse().unwrap_or_else(|_| panic!("{name} is no op"))
}

/// One cell of an op. Where the framework only lacks a kernel there is no answer; where its meta device knows
/// one nevertheless, we give that or refuse.
fn op_cell(
    score: &mut Score,
    label: &str,
    (key, word): (&str, &str),
    (op, operands): (Op, &[Operand]),
    rules: &RuleSet,
    meta: Option<&str>,
) {
    let found = rules.op_types(op, operands);
    let ours = found.as_ref().ok().map(|types| types.output.name());
    match (word, meta) {
        (_, Some(_)) if contradicts_itself(label, key) => {}
        ("no_kernel", Some(meta)) if ours.is_some() => score.compare(label, key, Some(meta), ours),
        ("no_kernel" | "no_overload" | ".", _) => score.excuse(label),
        (word, _) => score.compare(label, key, recorded(word), ours),
    }
}

/// The cells of one table of an op.
fn op_cells(
    score: &mut Score,
    label: &str,
    rules: &RuleSet,
    op: Op,
    table: &serde_json::Value,
    (left, right): (Make, Make),
    inferred: Option<&serde_json::Value>,
) {
    for (a, b, word) in cells(table) {
        let key = format!("{a},{b}");
        let meta = inferred.and_then(|table| table.get(&key)).and_then(|dtype| dtype.as_str());
        let operands = [operand(&a, left), operand(&b, right)];
        op_cell(score, label, (&key, &word), (op, &operands), rules, meta);
    }
}

/// The tables of a section, each with the name of its op.
fn tables<'a>(data: &'a serde_json::Value, section: &str) -> Vec<(&'a str, &'a serde_json::Value)> {
    let tables = data[section].as_object().expect("an object");
    tables.iter().map(|(name, table)| (name.as_str(), table)).collect()
}

#[test]
fn ops_of_two_arrays_give_what_pytorch_gives() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    let mut sections = Vec::new();
    for (name, table) in tables(&data, "ops") {
        let label = format!("ops {name}");
        let inferred = Some(&data["ops_inferred"][name]);
        op_cells(&mut score, &label, &rules, op_of(name), table, (Operand::Array, Operand::Array), inferred);
        sections.push(label);
    }
    for (name, table) in tables(&data, "ops_zerodim") {
        let label = format!("ops_zerodim {name}");
        op_cells(&mut score, &label, &rules, op_of(name), table, (Operand::Array, Operand::ZeroDim), None);
        sections.push(label);
    }
    score.finish(&sections.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn ops_with_a_number_give_what_pytorch_gives() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    for (name, both) in tables(&data, "ops_scalar") {
        for side in ["array_number", "number_array"] {
            let label = format!("{side} {name}");
            op_cells(
                &mut score,
                &label,
                &rules,
                op_of(name),
                &both[side],
                (Operand::Array, Operand::Array),
                None,
            );
        }
    }
    // Other functions take no number, some none on the left.
    score.finish(&[
        "array_number add",
        "number_array subtract",
        "array_number operator_mod",
        "number_array operator_pow",
    ]);
}

#[test]
fn ops_of_one_array_and_reductions_give_what_pytorch_gives() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    let mut sections = Vec::new();
    for section in ["unary", "reductions"] {
        for (name, table) in tables(&data, section) {
            let label = format!("{section} {name}");
            for (dtype, word) in table.as_object().expect("an object") {
                let operands = [operand(dtype, Operand::Array)];
                let word = word.as_str().expect("a word");
                op_cell(&mut score, &label, (dtype, word), (op_of(name), &operands), &rules, None);
            }
            sections.push(label);
        }
    }
    score.finish(&sections.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn up_to_three_operands_of_three_categories_promote_as_in_pytorch() {
    let data = torch();
    let mut score = Score::default();
    for (name, rules) in settings().iter().take(2) {
        for (third, table) in data["states"][name].as_object().expect("an object") {
            for (a, b, word) in cells(table) {
                let dim = (a != "-").then(|| operand(&a, Operand::Array));
                let zero = (b != "-").then(|| operand(&b, Operand::ZeroDim));
                let operands: Vec<Operand> =
                    [dim, zero, number(third).map(Operand::Number)].into_iter().flatten().collect();
                if word == "." || operands.is_empty() {
                    continue;
                }
                let label = format!("states {name}");
                score.compare(
                    &label,
                    &format!("{a},{b},{third}"),
                    recorded(&word),
                    promoted(rules, &operands),
                );
                // In any order.
                let backwards: Vec<Operand> = operands.iter().rev().copied().collect();
                assert_eq!(promoted(rules, &operands), promoted(rules, &backwards), "{a},{b},{third}");
            }
        }
    }
    score.finish(&["states f32", "states f64"]);
}

#[test]
fn casts_are_allowed_as_in_pytorch() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    for (level, table) in data["can_cast"].as_object().expect("an object") {
        let casting: Casting = level.parse().expect("a level");
        for (from, to, word) in cells(table) {
            let ours = rules.can_cast(dtype(&from), dtype(&to), casting).is_ok();
            score.compare("can_cast", &format!("{from},{to}"), recorded(&word), ours.then_some("yes"));
        }
    }
    score.finish(&["can_cast"]);
}

#[test]
fn results_go_into_the_left_operand_as_in_pytorch() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    let mut sections = Vec::new();
    for (name, table) in tables(&data, "inplace") {
        let label = format!("inplace {name}");
        for (a, b, word) in cells(table) {
            let operands = [Operand::Array(dtype(&a)), Operand::Array(dtype(&b))];
            // `copy_` is no op but a cast, of anything.
            let found = if name == "copy" {
                rules.can_cast(dtype(&b), dtype(&a), Casting::Unsafe)
            } else {
                // Where only the kernel is missing, out of place as well, there is no answer.
                if word == "no_kernel" || cells_at(&data["ops"][name], &a, &b) == "no_kernel" {
                    score.excuse(&label);
                    continue;
                }
                rules.in_place_types(op_of(name), &operands).map(|types| {
                    assert_eq!(types.output.name(), a, "what comes out is the left operand's dtype");
                })
            };
            let ours = found.is_ok().then_some("yes");
            score.compare(&label, &format!("{a},{b}"), recorded(&word), ours);
        }
        sections.push(label);
    }
    score.finish(&sections.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn results_go_into_an_array_that_is_given_as_in_pytorch() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    for (a, out, word) in cells(&data["out"]["add_a_a_out_b"]) {
        if word == "no_kernel" {
            score.excuse("out add");
            continue;
        }
        let operands = [Operand::Array(dtype(&a)); 2];
        let ours = rules.out_types(Op::Add, &operands, dtype(&out)).is_ok().then_some("yes");
        score.compare("out add", &format!("{a},{out}"), recorded(&word), ours);
    }
    score.finish(&["out add"]);
}

fn cells_at(table: &serde_json::Value, a: &str, b: &str) -> String {
    let found = cells(table).into_iter().find(|(row, column, _)| row == a && column == b);
    found.expect("a recorded cell").2
}

#[test]
fn a_published_table_and_quiz_hold_at_run_time() {
    let data = torch();
    let rules = Torch::new().rule_set();
    let mut score = Score::default();
    for (a, b, word) in cells(&data["seed_torch"]["promote_types"]) {
        let operands = [operand(&a, Operand::Array), operand(&b, Operand::Array)];
        score.compare("seed table", &format!("{a},{b}"), recorded(&word), promoted(&rules, &operands));
    }
    for expression in data["seed_quiz"]["expressions"].as_array().expect("a list") {
        let text = |key: &str| expression[key].as_str().expect("a string");
        let side = |word: &str| match word.strip_prefix("zerodim:") {
            Some(dtype) => operand(dtype, Operand::ZeroDim),
            None => operand(word, Operand::Array),
        };
        let op: Op = text("op").parse().expect("an op");
        let found = rules.op_types(op, &[side(text("left")), side(text("right"))]).ok();
        let ours = found.map(|types| types.output.name());
        score.compare("seed quiz", text("expression"), Some(text("result")), ours);
    }
    score.finish(&["seed table", "seed quiz"]);
}
