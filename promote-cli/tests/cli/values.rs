//! Rule files in which the value of a number counts, with ops that look at their two operands.

use crate::promote_in;

/// A folder with a rule file, and what `explain` says of operands under it: the dtype, or that they are
/// refused.
fn explain(rules: &str, questions: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("rules.rs"), format!("promote::rules! {{ {rules} }}")).expect("a file");
    let answer = |question: &&str| {
        let args: Vec<&str> =
            ["explain", "rules.rs", "--format", "json"].into_iter().chain(question.split(' ')).collect();
        promote_in(folder.path(), &args).json()["dtype"].as_str().expect("a dtype").to_owned()
    };
    questions.iter().map(answer).collect()
}

const OPERANDS: [&str; 9] =
    ["u8 1", "1 u8", "u8 300", "u8 -1", "-1 u8", "f32 1e300", "i8 2.5", "u8 i8", "3 2.5"];

#[test]
fn op_clauses_of_two_patterns_keep_promotion_by_value() {
    let of_add: Vec<String> = OPERANDS.iter().map(|operands| format!("--op add {operands}")).collect();
    let of_add: Vec<&str> = of_add.iter().map(String::as_str).collect();
    let without = explain("rules V extends promote::NumPy1;", &of_add);
    assert_eq!(without[..3], ["u8", "u8", "u16"]);
    let with = explain("rules V extends promote::NumPy1; op add { any, any => common; }", &of_add);
    assert_eq!(with, without);
}

#[test]
fn the_value_of_the_lower_operand_counts_in_any_order() {
    let rules = "
        rules Rank;
        dtypes u8 i64 f32 f64;
        holds f64: i64;
        numbers { bool | complex => refuse \"neither\"; int => i64; float => weak f32; }
        promote { any, any => join; }
        yield array > weak > number { any, number => join(a, value(b)); any, any => promote(a, b); }
        op add { any, any => common; }
    ";
    let questions = ["2.5 7", "7 2.5", "2.5 1099511627776", "1099511627776 2.5", "--op add 7 2.5"];
    assert_eq!(explain(rules, &questions), ["f32", "f32", "f64", "f64", "f32"]);
}
