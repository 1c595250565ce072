//! The sections of the data, and what each asks of the rules.

use promote::Op;
use serde_json::{Map, Value};

use crate::answers::{As, Rules};
use crate::score::{Score, System};
use crate::table::{cells, data};
use crate::values;

/// Compares every section, and what depends on values.
pub(crate) fn compare(system: &'static System) {
    compare_where(system, |_| true);
}

/// Compares the sections whose names, behind the parameters, are asked for.
pub(crate) fn compare_where(system: &'static System, asked: impl Fn(&str) -> bool) {
    let data = data(system.data);
    let rules = Rules::load(system.rules);
    let mut score = Score::new(system);
    let data = data.as_object().expect("an object");
    for key in data.keys() {
        match key.as_str() {
            "framework" | "version" | "python" | "platform" | "dtypes" => {}
            "sections" => {
                compare_sections(&rules, &mut score, data["sections"].as_object().expect("sections"), &asked);
            }
            "values" if data["values"].as_array().is_some_and(Vec::is_empty) => {}
            "values" => values::compare(&rules, &mut score, data),
            key => panic!("nothing reads the `{key}` of {}", system.data),
        }
    }
    score.finish(&rules.ops());
}

fn compare_sections(
    rules: &Rules,
    score: &mut Score,
    sections: &Map<String, Value>,
    asked: impl Fn(&str) -> bool,
) {
    for name in sections.keys() {
        let (params, section) = name.rsplit_once('|').unwrap_or(("", name));
        // What a document says is no answer of the system: `documents.rs` compares it.
        if params == "seed" || !asked(section) || score.leaves_out(name, section) {
            continue;
        }
        let rules = rules.under(params).unwrap_or_else(|| panic!("{name}: no such parameter"));
        let (kind, of) = section.split_once('.').unwrap_or((section, ""));
        for (a, b, word) in cells(sections, name) {
            let cell = if a.is_empty() { b.clone() } else { format!("{a},{b}") };
            // TensorFlow has no such function: `a + b` was asked, which may be weak.
            let word = if kind == "promote_types" { word.trim_end_matches('*').to_owned() } else { word };
            let ours = answer(&rules, kind, of, &a, &b);
            score.cell(kind, name, &cell, &word, ours.as_deref());
        }
        // A level of casting and the formats are no ops.
        if let Ok(op) = ours(of).parse() {
            score.has_answers(op);
        }
    }
}

/// What the rules answer to a cell; `a` is empty where there is one operand.
fn answer(rules: &Rules, kind: &str, of: &str, a: &str, b: &str) -> Option<String> {
    let two = |x: As, y: As| [rules.operand(a, x), rules.operand(b, y)];
    let yes = |yes: bool| yes.then(|| "yes".to_owned());
    match kind {
        "promote_types" | "tnp_promote_types" | "static_add" => rules.promote(a, b),
        // It promotes as `where` does, and not as the arithmetic.
        "tnp_result_type" | "tnp_result_type_scalar" => rules.op(Op::Where, &two(As::Array, As::Array)),
        "tensor_scalar" | "scalar_tensor" | "scalar_scalar" | "tnp_scalar_scalar" | "tensor_weak"
        | "weak_weak" | "dim_dim" | "rule" | "weak_add" => rules.result(&two(As::Array, As::Array)),
        "dim_zerodim" | "dim_scalar" => rules.result(&two(As::Array, As::ZeroDim)),
        "scalar_dim" => rules.result(&two(As::ZeroDim, As::Array)),
        "zerodim_zerodim" | "zerodim_scalar" => rules.result(&two(As::ZeroDim, As::ZeroDim)),
        "result_type_scalar_scalar" => {
            rules.result(&two(As::Array, As::Array)).map(|name| name.trim_end_matches('*').to_owned())
        }
        // What an array is made of: it is weak no longer.
        "default_dtype_of_jnp_array" | "default_dtype_convert_to_tensor" => {
            rules.result(&[rules.operand(b, As::Array)]).map(|name| name.trim_end_matches('*').to_owned())
        }
        "default_dtype" | "default_dtype_tnp_asarray" => rules.result(&[rules.operand(b, As::Array)]),
        "canonical" => Some(rules.stored(b).to_owned()),
        "can_cast" => yes(rules.can_cast(of, a, b)),
        "ops" | "ops_scalar" | "scalar_ops" | "weak_ops" | "tnp_ops" | "tnp_ops_scalar" => {
            rules.op(op(of), &two(As::Array, As::Array))
        }
        "ops_zerodim" => rules.op(op(of), &two(As::Array, As::ZeroDim)),
        "unary" | "reductions" | "weak_reductions" | "tnp_reductions" => {
            rules.op(op(of), &[rules.operand(b, As::Array)])
        }
        "inplace" => yes(rules.in_place(op(of), &two(As::Array, As::Array)).is_some()),
        "inplace_dtype" => rules.in_place(op(of), &two(As::Array, As::Array)),
        _ => panic!("nothing reads the section `{kind}`"),
    }
}

fn op(name: &str) -> Op {
    ours(name).parse().unwrap_or_else(|_| panic!("{name} is no op"))
}

/// The name of an op: ours, but for other spellings of some.
fn ours(name: &str) -> &str {
    match name {
        "rint" => "round",
        "truncatemod" => "fmod",
        "operator_add" | "tf_add" => "add",
        "operator_sub" => "subtract",
        "operator_mul" => "multiply",
        "operator_truediv" => "divide",
        "operator_floordiv" => "floor_divide",
        "operator_mod" => "remainder",
        "operator_pow" => "pow",
        "operator_lt" => "less",
        "operator_eq" => "equal",
        "operator_and" => "bitwise_and",
        "operator_lshift" => "left_shift",
        name => name,
    }
}
