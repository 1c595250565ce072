//! PyTorch.

use promote::{Op, Operand};

use crate::answers::{As, Rules};
use crate::data::data;
use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "torch",
    data: "torch",
    left_out: &[],
    single: &[
        (
            "default_dtype=bf16|default_dtype",
            "py_complex",
            "under bf16 no tensor is made of a complex number, but two complex numbers promote to c64, so that \
             one of them is c64 in promotion",
        ),
        (
            "ops.pow",
            "bool,bool",
            "its meta device says i64, while the CPU asks for a kernel of bool, as it gives bool for a bool \
             array to the power of True",
        ),
    ],
    lacks: &[],
    kinds: "can_cast default_dtype dim_dim dim_zerodim inplace lists ops ops_scalar ops_zerodim out \
            promote_types reductions scalar_ops scalar_scalar states tensor_scalar unary zerodim_ops \
            zerodim_scalar zerodim_zerodim",
    min_cells: 47_907,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}

/// The dtypes that PyTorch computes with.
fn operands(rules: &Rules) -> Vec<Operand> {
    let of = |category| rules.dtypes().map(move |dtype| rules.operand(dtype, category));
    let numbers = ["py_bool", "py_int", "py_float", "py_complex"].map(|word| rules.operand(word, As::Array));
    of(As::Array).chain(of(As::ZeroDim)).chain(numbers).collect()
}

#[test]
fn promotion_does_not_depend_on_the_order() {
    let rules = Rules::load(SYSTEM.rules);
    let operands = operands(&rules);
    for a in &operands {
        for b in &operands {
            assert_eq!(rules.result(&[*a, *b]), rules.result(&[*b, *a]), "{a:?} and {b:?}");
        }
    }
}

#[test]
fn results_in_place_have_the_dtype_of_the_left_operand() {
    let rules = Rules::load(SYSTEM.rules);
    let mut allowed = 0;
    for op in rules.ops().into_iter().filter(|op| op.arity() == 2) {
        for a in rules.dtypes() {
            for b in rules.dtypes() {
                if let Some(output) = rules.in_place(op, &[a, b].map(|word| rules.operand(word, As::Array))) {
                    assert_eq!(output, a, "{op} of {a} and {b}");
                    allowed += 1;
                }
            }
        }
    }
    assert!(allowed > 1000, "only {allowed} pairs can be computed in place");
}

/// The expressions that a presentation of January 2024 asks its audience about. Each line is the op, the two
/// operands and the dtype, and then the expression.
#[test]
fn expressions_of_a_published_quiz_have_the_published_dtypes() {
    let (data, rules) = (data(SYSTEM.data), Rules::load(SYSTEM.rules));
    let lines = data["sections"]["seed|quiz"].as_array().expect("lines");
    for line in &lines[1..] {
        let words: Vec<&str> = line.as_str().expect("a line").splitn(5, ' ').collect();
        let [op, left, right, result, expression] = words[..] else { panic!("{line}") };
        let op: Op = op.parse().expect("an op");
        let operands = [left, right].map(|word| match word.strip_prefix("zerodim:") {
            Some(dtype) => rules.operand(dtype, As::ZeroDim),
            None => rules.operand(word, As::Array),
        });
        assert_eq!(rules.op(op, &operands).as_deref(), Some(result), "{expression}");
    }
    assert_eq!(lines.len() - 1, 11);
}
