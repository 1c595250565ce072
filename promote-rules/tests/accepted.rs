//! Rule files that the checks accept, beside the files of `tests/mistakes` that they refuse.

use promote_rules::compile;
use promote_rules::source::Source;

fn mistakes(rules: &str) -> Vec<String> {
    let text = format!("promote::rules! {{ rules R; {rules} }}");
    match Source::from_text("rules.rs", &text).and_then(|source| compile(&[source])) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|one| one.message.clone()).collect(),
    }
}

const NONE: [&str; 0] = [];

#[test]
fn ops_need_no_clause_for_dtypes_that_promotion_never_gives() {
    let wrong = |op: &str| vec![format!("`{op}` cannot be computed in a dtype of kind bool")];
    let rules = "dtypes bool f64; promote { bool, bool => f64; any, any => join; } op divide;";
    assert_eq!(mistakes(rules), NONE);
    let rules = "dtypes bool f64; promote { any, any => join; } op divide;";
    assert_eq!(mistakes(rules), wrong("divide"));
    // An op of one operand is asked about every dtype that arrays have.
    let rules = "dtypes bool f64; promote { bool, bool => f64; any, any => join; } op sqrt;";
    assert_eq!(mistakes(rules), wrong("sqrt"));
    let rules = "dtypes bool f64; stored { bool => f64; } promote { any, any => join; } op divide sqrt;";
    assert_eq!(mistakes(rules), NONE);
}

#[test]
fn clauses_count_as_used_where_only_a_value_reaches_them() {
    // No two dtypes give an i16, but a u8 and the number -1 do.
    let rules = "
        dtypes u8 i16 i32 f64;
        numbers { int => i32; float => f64; bool | complex => refuse \"neither\"; }
        promote { u8, i16 => f64; i16, i16 => f64; any, any => join; }
        yield array > number { any, no_higher => join(a, value(b)); any, any => promote(a, b); }
        op add { i16 => refuse \"by value\"; }
    ";
    assert_eq!(mistakes(rules), NONE);
}

#[test]
fn results_that_the_rule_set_lacks_are_refusals() {
    let rules = "
        dtypes u64 i64 f64;
        reason wide = \"an i128\";
        numbers { int => i64; float => f64; bool | complex => lacks \"neither\"; }
        promote { u64, i64 => lacks wide; any, any => join or lacks \"a decimal\"; }
        yield array > number { int, int => join(a, value(b)) or lacks wide; any, any => promote(a, b); }
        op add { f64 => lacks \"it rounds\"; }
    ";
    assert_eq!(mistakes(rules), NONE);
    // A system casts or it does not.
    let rules =
        "dtypes u64 i64; promote { same => a; any, any => u64; } cast safe { any, any => lacks \"no\"; }";
    assert_eq!(mistakes(rules), ["a clause of `cast` gives `b` or refuses"]);
}

#[test]
fn conditions_on_parameters_exclude_values_that_are_no_dtypes() {
    let with = |condition: &str| {
        mistakes(&format!(
            "dtypes i16 f16 f32; param cast: off | auto | f16 = off; param fast: bool = true;
             promote {{ f32, f32 if {condition} => cast; any, any => join; }}"
        ))
    };
    for condition in [
        "cast != off && cast != auto",
        "cast == f16",
        "!(cast == off || cast == auto)",
        "bits(cast) < bits(a)",
        "(fast || cast != off) && cast != auto && !fast",
    ] {
        assert_eq!(with(condition), NONE, "{condition}");
    }
    for (condition, values) in [
        ("cast != off", "`auto` here, which is not a dtype"),
        ("fast", "`off` or `auto` here, which are not dtypes"),
        ("cast == auto || cast == f16", "`auto` here, which is not a dtype"),
        ("(fast || cast != off) && cast != auto", "`off` here, which is not a dtype"),
    ] {
        assert_eq!(with(condition), [format!("`cast` may be {values}")], "{condition}");
    }
}

#[test]
fn rounding_is_accepted_where_any_op_or_operand_needs_it() {
    let with = |ops: &str| mistakes(&format!("dtypes bool i32 f64; promote {{ any, any => join; }} {ops}"));
    assert_eq!(with("op divide { bool => refuse \"no\"; rounding: floor; }"), NONE);
    // Quotients of floats are rounded by `floor_divide`, and the declaration is one of both.
    assert_eq!(with("op divide floor_divide { bool | int => f64; rounding: floor; }"), NONE);
    let wrong = ["`rounding: truncate` has no effect: `divide` never computes in integers"];
    assert_eq!(with("op divide { bool | int => f64; rounding: truncate; }"), wrong);
    assert_eq!(with("op divide { bool | int => f64; rounding: none; }"), NONE);
}

#[test]
fn lists_need_one_of_the_two_operands() {
    let with = |clause: &str| {
        let group = "dtypes i32 f16 bf16 f32; let half = f16 | bf16;";
        mistakes(&format!("{group} promote {{ {clause} int, float => b; any, any => join; }}"))
    };
    assert_eq!(with("half, half => first_of(half);"), NONE);
    assert_eq!(with("half, float => first_of(bf16, f16);"), NONE);
    assert_eq!(
        with("float, float => first_of(half);"),
        ["`first_of(..)` does not list `f32`, which the patterns match"]
    );
}

#[test]
fn operands_count_as_arrays_where_an_op_says_so() {
    let with = |op: &str| {
        mistakes(&format!(
            "dtypes i32 f16 f32; opmath {{ f16 => f32; }} promote {{ int, float => b; any, any => join; }}
             yield array > zero_dim by kind {{ any, any => promote(a, b); }} op add {{ {op} }}"
        ))
    };
    assert_eq!(with("zero_dim as array;"), NONE);
    assert_eq!(with("array f16, array => promote(a, b); zero_dim as array;"), NONE);
    // The op has no zero-dimensional operands.
    assert_eq!(with("array, zero_dim => a; zero_dim as array;"), ["this clause never decides anything"]);
}

#[test]
fn letters_that_abbreviate_nothing_are_names() {
    let rules = "dtypes bool i32 f32; dtype c: int 64; holds c: bool | i32; let r = i32 | f32;
                 promote { int, float => f32; r, c => c; any, any => join; }";
    assert_eq!(mistakes(rules), NONE);
}

#[test]
fn bounds_may_be_operands_results_and_dtypes() {
    let with = |result: &str| {
        mistakes(&format!(
            "dtypes bool i32 f32 f64; promote {{ any, any => join; }} op add {{ i32, bool => {result}; }}"
        ))
    };
    for result in
        ["join", "join(a, b)", "join(a, f32)", "a | b above a, b", "float above a", "join(a, real(b))"]
    {
        assert_eq!(with(result), NONE, "{result}");
    }
}
