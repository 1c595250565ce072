//! JAX.

use crate::answers::Rules;
use crate::score::System;
use crate::sections;
use crate::table::{cells, data};

const SYSTEM: System = System {
    rules: "jax",
    data: "jax",
    left_out: &[
        ("ops.lax_add", "`jax.lax` takes operands of one dtype, and no numbers"),
        (
            "x64=false;explicit_x64=allow",
            "a setting between the two, in which dtypes that are asked for are not stored",
        ),
        ("can_cast.default", "it is NumPy's own, with the casts of ml_dtypes: compared with these below"),
        ("lattice", "the order itself, of which promotion is the join: `promote lattice jax` draws it"),
    ],
    single: &[
        (
            "weak_ops.pow",
            "py_bool,py_int",
            "of an array of bools and a number it gives i32, of two numbers the number's dtype",
        ),
        ("weak_reductions.argmax", "py_complex", "it takes complex arrays"),
        ("ops.dot", "bool,i1", "of i1 and i1, which is what these become, it gives i1"),
        ("ops.dot", "i1,bool", "likewise"),
        ("ops.matmul", "bool,i1", "likewise"),
        ("ops.matmul", "i1,bool", "likewise"),
    ],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}

#[test]
fn casts_are_those_of_ml_dtypes() {
    let (data, rules) = (data(SYSTEM.data), Rules::load("ml-dtypes"));
    let sections = data["sections"].as_object().expect("sections");
    let mut compared = 0;
    for (from, to, word) in cells(sections, "can_cast.default") {
        assert_eq!(rules.can_cast("safe", &from, &to), word == "yes", "{from} to {to}");
        compared += 1;
    }
    println!("jax          {compared} casts equal");
}
