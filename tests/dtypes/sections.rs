//! The sections of the recorded data, and the question that each asks of a rule set.

use std::collections::HashSet;

use promote::Op;
use serde_json::{Map, Value};

use crate::answers::{As, Rules};
use crate::data::data;
use crate::lists;
use crate::score::{Score, System};
use crate::table::cells;
use crate::value_based;

/// Compares all recorded answers of a system.
pub(crate) fn compare(system: &'static System) {
    compare_where(system, |_| true);
}

/// Compares the sections that `asked` accepts; it gets their names without parameters.
pub(crate) fn compare_where(system: &'static System, asked: impl Fn(&str) -> bool) {
    let data = data(system.data);
    let rules = Rules::load(system.rules);
    let mut score = Score::new(system);
    let data = data.as_object().expect("an object");
    for key in data.keys() {
        match key.as_str() {
            // `rows` are results of single elements, which `tests/values` compares.
            "framework" | "version" | "python" | "platform" | "dtypes" | "rows" => {}
            "sections" => {
                compare_sections(&rules, &mut score, data["sections"].as_object().expect("sections"), &asked);
            }
            "values" if data["values"].as_array().is_some_and(Vec::is_empty) => {}
            "values" => value_based::compare(&rules, &mut score, data),
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
        // PyTorch on another device, without autocast.
        let section = section.strip_prefix("cuda_").unwrap_or(section);
        // A document is not an answer of the system. `documents.rs` compares it.
        if params == "seed" || !asked(section) || score.leaves_out(name, section) {
            continue;
        }
        let rules = rules.under(params).unwrap_or_else(|| panic!("{name}: no such parameter"));
        let (kind, of) = section.split_once('.').unwrap_or((section, ""));
        if kind == "lists" {
            lists::compare(&rules, score, &sections[name]);
            continue;
        }
        let without_kernel = if kind == "inplace" { without_kernel(sections, of) } else { HashSet::new() };
        for (a, b, word) in cells(sections, name) {
            let ours = answer(&rules, kind, of, &a, &b);
            let word = match kind {
                // TensorFlow has no such function: `a + b` was asked, which may be weak.
                "promote_types" => word.trim_end_matches('*'),
                // The missing kernel may be the reason for the refusal.
                "inplace" if word == "-" && without_kernel.contains(&(a.clone(), b.clone())) => "no_kernel",
                _ => &word,
            };
            let cell = if a.is_empty() { b } else { format!("{a},{b}") };
            score.cell(kind, name, &cell, word, ours.as_deref());
        }
        // Casting levels and formats are not ops.
        if let Some(op) = known_op(&rules, of) {
            score.has_answers(op);
        }
    }
}

/// Returns the pairs of arrays for which the system has no kernel of an op.
fn without_kernel(sections: &Map<String, Value>, op: &str) -> HashSet<(String, String)> {
    let name = format!("ops.{op}");
    if !sections.contains_key(&name) {
        return HashSet::new();
    }
    let cells = cells(sections, &name).into_iter();
    cells.filter(|(.., word)| word == "no_kernel" || word.starts_with('~')).map(|(a, b, _)| (a, b)).collect()
}

/// Returns the answer of the rules to a cell. In tables of one operand `a` is empty.
fn answer(rules: &Rules, kind: &str, of: &str, a: &str, b: &str) -> Option<String> {
    let two = |x: As, y: As| [rules.operand(a, x), rules.operand(b, y)];
    let yes = |yes: bool| yes.then(|| "yes".to_owned());
    match kind {
        "promote_types" | "tnp_promote_types" | "static_add" => rules.promote(a, b),
        // This function promotes as `where` does, and not as arithmetic does.
        "tnp_result_type" | "tnp_result_type_scalar" => rules.op(Op::Where, &two(As::Array, As::Array)),
        "tensor_scalar" | "scalar_tensor" | "scalar_scalar" | "tnp_scalar_scalar" | "tensor_weak"
        | "weak_weak" | "dim_dim" | "rule" | "weak_add" => rules.result(&two(As::Array, As::Array)),
        "dim_zerodim" | "dim_scalar" => rules.result(&two(As::Array, As::ZeroDim)),
        "scalar_dim" => rules.result(&two(As::ZeroDim, As::Array)),
        "zerodim_zerodim" | "zerodim_scalar" => rules.result(&two(As::ZeroDim, As::ZeroDim)),
        "states" => rules.result_of_up_to_three(a, b, of),
        "result_type_scalar_scalar" => {
            rules.result(&two(As::Array, As::Array)).map(|name| name.trim_end_matches('*').to_owned())
        }
        // An array made of a number is not weak.
        "default_dtype_of_jnp_array" | "default_dtype_convert_to_tensor" => {
            rules.result(&[rules.operand(b, As::Array)]).map(|name| name.trim_end_matches('*').to_owned())
        }
        "default_dtype" | "default_dtype_tnp_asarray" => rules.result(&[rules.operand(b, As::Array)]),
        "canonical" => Some(rules.stored(b).to_owned()),
        "can_cast" => yes(rules.can_cast(of, a, b)),
        "ops" | "ops_scalar" | "scalar_ops" | "number_ops" | "weak_ops" | "tnp_ops" | "tnp_ops_scalar" => {
            let (op, mut operands) = (op(rules, of), two(As::Array, As::Array).to_vec());
            // An op of three operands was called as (a, b, b), and in one table as (a, a, b).
            if of == "addmm_mixed_matrices" {
                operands.insert(1, operands[0]);
            }
            operands.resize(op.arity(), operands[1]);
            rules.op(op, &operands)
        }
        "zerodim_ops" => rules.op(op(rules, of), &two(As::ZeroDim, As::Array)),
        "number_values" | "tnp_number_values" => {
            let [number, array] = two(As::Array, As::Array);
            let [first, second] =
                [[number, array], [array, number]].map(|both| rules.op(op(rules, of), &both));
            // One answer was recorded for both orders.
            if first == second { first } else { Some(format!("{first:?} or, swapped, {second:?}")) }
        }
        "ops_zerodim" => rules.op(op(rules, of), &two(As::Array, As::ZeroDim)),
        "unary" | "reductions" | "weak_reductions" | "tnp_reductions" => {
            rules.op(op(rules, of), &[rules.operand(b, As::Array)])
        }
        "zerodim_unary" => rules.op(op(rules, of), &[rules.operand(b, As::ZeroDim)]),
        // PyTorch's `copy_` is a cast of anything to anything.
        "inplace" if of == "copy" => yes(rules.can_cast("unsafe", b, a)),
        "inplace" => yes(rules.in_place(op(rules, of), &two(As::Array, As::Array)).is_some()),
        "inplace_dtype" => rules.in_place(op(rules, of), &two(As::Array, As::Array)),
        "out" => yes(rules.takes_out(op(rules, of), &[rules.operand(a, As::Array); 2], b)),
        _ => panic!("nothing reads the section `{kind}`"),
    }
}

fn op(rules: &Rules, name: &str) -> Op {
    known_op(rules, name).unwrap_or_else(|| panic!("{name} is no op"))
}

/// Returns the op of a recorded name: a standard one, or one without kernels that the rule set declares.
fn known_op(rules: &Rules, name: &str) -> Option<Op> {
    let name = our_name(name);
    name.parse().ok().or_else(|| rules.ops().into_iter().find(|op| op.name() == name))
}

/// Returns our name of a recorded op, which is the recorded one for most of them.
fn our_name(name: &str) -> &str {
    match name {
        "rint" => "round",
        "truncatemod" => "fmod",
        "operator_add" | "tf_add" => "add",
        "operator_sub" => "subtract",
        "operator_mul" => "multiply",
        "operator_truediv" => "divide",
        "operator_floordiv" | "divide_floor" => "floor_divide",
        "operator_mod" => "remainder",
        "operator_pow" => "pow",
        "operator_lt" => "less",
        "operator_eq" => "equal",
        "operator_and" => "bitwise_and",
        "operator_lshift" => "left_shift",
        "operator_matmul" | "mm" | "bmm" => "matmul",
        "addmm_mixed_matrices" => "addmm",
        "linalg_vecdot" => "vecdot",
        "conv1d" | "conv2d" | "conv3d" | "conv_tbc" => "conv",
        "conv_transpose2d" => "conv_transpose",
        "scaled_dot_product_attention" => "attention",
        "batch_norm_stats" => "batch_norm_weight",
        "cat" => "concatenate",
        "neg" => "negative",
        "cosine" => "cos",
        "softmin" => "softmax",
        "sum_dim" => "sum",
        "prod_dim" => "prod",
        "norm_2_dim" | "linalg_norm" | "linalg_vector_norm" | "linalg_matrix_norm" => "norm",
        "avg_pool2d" => "avg_pool",
        "max_pool2d" => "max_pool",
        "adaptive_avg_pool2d" => "adaptive_avg_pool",
        "interpolate_nearest" | "interpolate_bilinear" => "interpolate",
        "polar_view" => "view_as_complex",
        name => name,
    }
}
