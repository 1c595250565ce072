//! `promote explain`.

use serde_json::{Value, json};

use crate::{promote, repository};

#[test]
fn a_program_gets_the_dtype_and_the_clauses() {
    let told = promote(&["explain", "torch", "i32", "f16", "--format", "json"]).json();
    assert_eq!(told["dtype"], "f16");
    assert_eq!(told["weak"], false);
    assert_eq!(told["compute"], Value::Null);
    assert_eq!(told["because"][0]["file"], "rules/torch.rs");
    assert_eq!(told["because"][0]["rule"], "int, float | complex => b");
    assert!(told["because"][0]["line"].is_u64());
    assert_eq!(told["loses"], json!({ "i32": ["values out of range", "20 of 31 binary digits"] }));

    let told = promote(&["explain", "torch", "--op", "add", "bool", "i32", "--format", "json"]).json();
    assert_eq!(
        (&told["dtype"], &told["compute"], &told["loses"]),
        (&json!("i32"), &json!("i32"), &Value::Null)
    );
    let told = promote(&["explain", "torch", "--op", "less", "f16", "i64", "--format", "json"]).json();
    assert_eq!((&told["dtype"], &told["compute"]), (&json!("bool"), &json!("f32")));
}

#[test]
fn operands_are_arrays_or_without_dimensions_or_numbers() {
    let dtype = |operands: &[&str]| {
        let args: Vec<&str> =
            ["explain", "torch", "--format", "json"].iter().chain(operands).copied().collect();
        promote(&args).json()["dtype"].as_str().expect("a name").to_owned()
    };
    assert_eq!(dtype(&["i32", "f64[]"]), "f64");
    assert_eq!(dtype(&["f16", "f64[]"]), "f16");
    assert_eq!(dtype(&["f16[]", "f64[]"]), "f64");
    assert_eq!(dtype(&["i32", "-3"]), "i32");
    assert_eq!(dtype(&["i32", "-2.5"]), "f32");
    assert_eq!(dtype(&["f16", "1j"]), "c32");
    assert_eq!(dtype(&["f64", "-1j"]), "c128");
    assert_eq!(dtype(&["true", "2"]), "i64");
    assert_eq!(dtype(&["2.5"]), "f32");
    assert_eq!(dtype(&["u8", "i8", "f16[]", "3", "bf16[]"]), "f32");
    assert_eq!(dtype(&["2.5", "--set", "default_dtype=f64"]), "f64");
}

#[test]
fn each_join_of_many_operands_has_its_clause() {
    let told = promote(&["explain", "torch", "u8", "i8", "f16", "2j"]).told();
    let decided: Vec<&str> = told.lines().filter(|line| line.contains("decided by")).collect();
    assert_eq!(decided.len(), 4, "{told}");
    assert!(told.starts_with("Torch: u8, i8, f16 and 2j gives c32\n"), "{told}");
    assert!(decided[0].contains("in `numbers`"), "{told}");
    assert!(decided[1].contains("`any, any => join` in `promote`"), "{told}");
    assert!(decided[3].contains("in `yield` (rules/torch.rs:"), "{told}");
}

/// The file does not say how many inputs its own op takes.
#[test]
fn an_op_that_the_file_names_is_explained_of_any_number_of_operands() {
    let file = repository("tests/agreement/named_kernel/rules.rs");
    let file = file.to_str().expect("UTF-8");
    let told = promote(&["explain", file, "--op", "axpy", "i8", "i32", "2"]).told();
    assert!(told.starts_with("Lab: `axpy` of i8, i32 and 2 gives f64\n"), "{told}");
    assert!(told.contains("decided by `any, any => join` in `promote` (rules/torch.rs:"), "{told}");
    assert!(told.contains("decided by `int => f64` in `op axpy` ("), "{told}");
    let told = promote(&["explain", file, "--op", "axpy", "f32"]).told();
    assert!(told.contains("the operands become f32, computed in f64; the result is f32"), "{told}");
    let told = promote(&["explain", file, "--op", "axpy", "bool", "bool"]).refused();
    assert!(told.contains("`axpy` of `bool`") && told.contains("a truth value is no number"), "{told}");
}

#[test]
fn a_number_that_does_not_fit_is_refused_where_the_system_refuses_it() {
    let told = promote(&["explain", "numpy", "--op", "add", "u8", "300"]).refused();
    assert!(told.contains("300 does not fit u8: `add` refuses it under NumPy"), "{told}");
    assert!(told.contains("cast the array to a dtype that holds it"), "{told}");
    for args in
        [["numpy", "less"], ["torch", "where"], ["torch", "add"], ["numpy1", "add"], ["numpy1", "where"]]
    {
        let told = promote(&["explain", args[0], "--op", args[1], "u8", "300"]).told();
        assert!(told.contains("gives"), "{told}");
    }
    for args in [["numpy", "where"], ["ml-dtypes", "where"], ["array-api", "less"]] {
        let told = promote(&["explain", args[0], "--op", args[1], "u8", "300"]).refused();
        assert!(told.contains("300 does not fit u8"), "{told}");
    }
}

#[test]
fn people_read_every_step() {
    let told = promote(&["explain", "torch", "--op", "divide", "u8", "i64"]).told();
    assert!(told.starts_with("Torch: `divide` of u8 and i64 gives f32\n"), "{told}");
    assert!(
        told.contains("`bool | int => default_dtype` in `op divide reciprocal` (rules/torch.rs:"),
        "{told}"
    );
    assert!(told.contains("i64 can lose 39 of 63 binary digits"), "{told}");
    let told = promote(&["explain", "torch", "u8", "300"]).told();
    assert!(told.contains("300 does not fit u8: the op decides what becomes of it"), "{told}");
    assert!(!told.contains("44"), "{told}");
    let told = promote(&["explain", "torch", "--op", "add", "u8", "300"]).told();
    assert!(told.contains("300 becomes 44"), "{told}");
    // A kernel of one step rounds nothing twice.
    let told = promote(&["explain", "torch", "--op", "nextafter", "bf16", "bf16"]).told();
    assert!(told.contains("the operands become bf16, computed in bf16; the result is bf16"), "{told}");
    // NumPy compares a Python integer as it is; JAX wraps it to the array's dtype.
    let told = promote(&["explain", "numpy", "--op", "less", "u8", "300"]).told();
    assert!(!told.contains("becomes 44"), "{told}");
    let told = promote(&["explain", "jax", "--op", "less", "u8", "300"]).told();
    assert!(told.contains("300 becomes 44"), "{told}");
    // On the right of a product it stays in the dtype in which the product is computed.
    let told = promote(&["explain", "torch", "--op", "multiply", "f16", "2.1"]).told();
    assert!(told.contains("2.1 becomes 2.0999999046325684"), "{told}");
    let told = promote(&["explain", "torch", "--op", "add", "f16", "2.1"]).told();
    assert!(told.contains("2.1 becomes 2.099609375"), "{told}");
}

#[test]
fn a_refusal_is_exit_code_1_and_json_where_json_was_asked_for() {
    let told = promote(&["explain", "torch", "u16", "i32"]).refused();
    assert!(told.contains(
        "`u16` and `i32` do not promote under Torch: unsigned integers other than u8 promote with floats only"
    ));
    assert!(told.contains("(rules/torch.rs:"));
    let ran = promote(&["explain", "torch", "--op", "subtract", "bool", "i32", "--format", "json"]);
    assert_eq!(ran.code, 1);
    let error: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(error["error"].as_str().expect("a sentence").contains("a bool cannot be subtracted"), "{error}");
    assert!(ran.stderr.contains("a bool cannot be subtracted"));

    let told = promote(&["explain", "torch", "float32"]).refused();
    assert!(told.starts_with("error: `float32` is no operand of Torch\nhelp: "), "{told}");
    for wrong in ["i32[", "[]", "a + b", "1 + 2", "1f32", "-i32", ""] {
        promote(&["explain", "torch", "i32", "--", wrong]).refused();
    }
}

#[test]
fn another_rule_set_says_in_a_line_whether_it_gives_the_same() {
    let folder = crate::diff::folder();
    let explain = |args: &[&str]| crate::promote_in(folder.path(), &[&["explain", "left.rs"], args].concat());
    let last = |ran: crate::Ran| ran.told().lines().last().map(str::to_owned).expect("a line");
    let alone = explain(&["u8", "i32"]).told();
    let both = explain(&["u8", "i32", "--also", "right.rs"]).told();
    assert_eq!(both, alone + "Right: u8 and i32 gives i64: not the same\n");
    assert_eq!(last(explain(&["u8", "f32", "--also", "right.rs"])), "Right: u8 and f32 gives f32: the same");
    assert_eq!(
        last(explain(&["--op", "pow", "u8", "u8", "--also", "right.rs"])),
        "Right: `pow` of u8 and u8 gives u8: the same"
    );
    assert_eq!(
        last(explain(&["bool", "f32", "--also", "right.rs"])),
        "Right refuses: not a number (right.rs:7); not the same"
    );
    // Not to know is neither.
    assert_eq!(last(explain(&["u8", "f64", "--also", "right.rs"])), "`f64` is no operand of Right");
    assert_eq!(
        last(explain(&["--op", "add", "u8", "u8", "--also", "right.rs"])),
        "Right has no rules for the op `add`"
    );

    let json = explain(&["u8", "i32", "--also", "right.rs", "--format", "json"]).json();
    let also = &json["also"];
    assert_eq!((&json["dtype"], &also["dtype"]), (&json!("i32"), &json!("i64")));
    assert_eq!((&also["rules"], &also["same"]), (&json!("Right"), &json!(false)));
    assert_eq!(also["because"][0]["rule"], "u8, i32 => i64");
}

#[test]
fn what_equal_operands_lose_is_told_once() {
    let told = promote(&["explain", "torch", "i64", "i64", "f32"]).told();
    assert_eq!(told.matches("i64 can lose").count(), 1, "{told}");
}

#[test]
fn another_rule_set_answers_also_where_the_first_refuses() {
    let folder = crate::diff::folder();
    let explain = |args: &[&str]| crate::promote_in(folder.path(), &[&["explain"], args].concat());
    let ran = explain(&["left.rs", "i32", "f32", "--also", "right.rs"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "Right: i32 and f32 gives f32: not the same\n"));
    assert!(ran.stderr.starts_with("error: `i32` and `f32` do not promote under Left: cast one (left.rs:8)"));
    let ran = explain(&["left.rs", "i32", "f32", "--also", "left.rs"]);
    assert_eq!(ran.stdout, "Left refuses: cast one (left.rs:8); the same\n");
    let ran = explain(&["right.rs", "i32", "f32", "--also", "left.rs", "--set-also", "careful=false"]);
    assert!(ran.told().ends_with("Left: i32 and f32 gives f64: not the same\n"));
    let ran = explain(&["left.rs", "i32", "f32", "--also", "right.rs", "--format", "json"]);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, &told["also"]["dtype"], &told["also"]["same"]), (1, &json!("f32"), &json!(false)));
    assert!(told["error"].as_str().expect("a sentence").contains("cast one"), "{told}");
}
