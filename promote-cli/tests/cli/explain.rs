//! `promote explain`.

use serde_json::{Value, json};

use crate::{promote, repository};

#[test]
fn json_has_the_dtype_and_the_clauses() {
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
fn operands_are_arrays_zero_dimensional_arrays_or_numbers() {
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
fn each_promotion_of_several_operands_has_its_clause() {
    let told = promote(&["explain", "torch", "u8", "i8", "f16", "2j"]).told();
    let decided: Vec<&str> = told.lines().filter(|line| line.contains("decided by")).collect();
    assert_eq!(decided.len(), 4, "{told}");
    assert!(told.starts_with("Torch: u8, i8, f16 and 2j promote to c32\n"), "{told}");
    assert!(decided[0].contains("in `numbers`"), "{told}");
    assert!(decided[1].contains("`any, any => join` in `promote`"), "{told}");
    assert!(decided[3].contains("in `yield` (rules/torch.rs:"), "{told}");
}

/// The file does not say how many inputs its own op takes.
#[test]
fn explains_custom_ops_of_any_number_of_operands() {
    let file = repository("tests/agreement/named_kernel/rules.rs");
    let file = file.to_str().expect("UTF-8");
    let told = promote(&["explain", file, "--op", "axpy", "i8", "i32", "2"]).told();
    assert!(told.starts_with("Lab: `axpy` of i8, i32 and 2 gives f64\n"), "{told}");
    assert!(told.contains("decided by `any, any => join` in `promote` (rules/torch.rs:"), "{told}");
    assert!(told.contains("decided by `int => f64` in `op axpy` ("), "{told}");
    let told = promote(&["explain", file, "--op", "axpy", "f32"]).told();
    assert!(told.contains("the operands become f32, computed in f64; the result is f32"), "{told}");
    let told = promote(&["explain", file, "--op", "axpy", "bool", "bool"]).refused();
    assert!(told.contains("`axpy` of `bool`") && told.contains("bool is not a numeric type"), "{told}");
}

#[test]
fn numbers_that_do_not_fit_are_refused_where_the_system_refuses_them() {
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
fn text_explains_every_step() {
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
fn operands_without_a_dtype_are_not_called_refused() {
    let told = promote(&["explain", "datafusion", "--op", "add", "u64", "i64"]).refused();
    assert!(told.contains("DataFusion has no dtype for `add` of `u64` and `i64`: "), "{told}");
    let told = promote(&["explain", "polars", "u64", "i64"]).refused();
    assert!(told.contains("Polars has no dtype for `u64` and `i64`: "), "{told}");
    let told = promote(&["explain", "datafusion", "--op", "add", "bool", "i64"]).refused();
    assert!(told.contains("`add` of `bool` and `i64` is refused under DataFusion"), "{told}");
}

#[test]
fn refusals_exit_with_1_and_are_json_on_request() {
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

    let told = promote(&["explain", "torch", "DT_FLOAT"]).refused();
    assert!(told.starts_with("error: `DT_FLOAT` is not an operand of Torch\nhelp: "), "{told}");
    for wrong in ["i32[", "[]", "a + b", "1 + 2", "1f32", "-i32", ""] {
        promote(&["explain", "torch", "i32", "--", wrong]).refused();
    }
}

#[test]
fn also_shows_the_answer_of_another_rule_set() {
    let folder = crate::diff::folder();
    let explain = |args: &[&str]| crate::promote_in(folder.path(), &[&["explain", "left.rs"], args].concat());
    let last = |ran: crate::Ran| ran.told().lines().last().map(str::to_owned).expect("a line");
    let alone = explain(&["u8", "i32"]).told();
    let both = explain(&["u8", "i32", "--also", "right.rs"]).told();
    assert_eq!(both, alone + "Right: u8 and i32 promote to i64: not the same\n");
    assert_eq!(
        last(explain(&["u8", "f32", "--also", "right.rs"])),
        "Right: u8 and f32 promote to f32: the same"
    );
    assert_eq!(
        last(explain(&["--op", "pow", "u8", "u8", "--also", "right.rs"])),
        "Right: `pow` of u8 and u8 gives u8: the same"
    );
    assert_eq!(
        last(explain(&["bool", "f32", "--also", "right.rs"])),
        "Right refuses: not a number (right.rs:7); not the same"
    );
    // Not to know is neither.
    assert_eq!(last(explain(&["u8", "f64", "--also", "right.rs"])), "`f64` is not an operand of Right");
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
fn losses_of_equal_operands_are_listed_once() {
    let told = promote(&["explain", "torch", "i64", "i64", "f32"]).told();
    assert_eq!(told.matches("i64 can lose").count(), 1, "{told}");
}

#[test]
fn also_answers_if_the_first_rule_set_refuses() {
    let folder = crate::diff::folder();
    let explain = |args: &[&str]| crate::promote_in(folder.path(), &[&["explain"], args].concat());
    let ran = explain(&["left.rs", "i32", "f32", "--also", "right.rs"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "Right: i32 and f32 promote to f32: not the same\n"));
    assert!(ran.stderr.starts_with("error: `i32` and `f32` do not promote under Left: cast one (left.rs:8)"));
    let ran = explain(&["left.rs", "i32", "f32", "--also", "left.rs"]);
    assert_eq!(ran.stdout, "Left refuses: cast one (left.rs:8); the same\n");
    let ran = explain(&["right.rs", "i32", "f32", "--also", "left.rs", "--set-also", "careful=false"]);
    assert!(ran.told().ends_with("Left: i32 and f32 promote to f64: not the same\n"));
    let ran = explain(&["left.rs", "i32", "f32", "--also", "right.rs", "--format", "json"]);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, &told["also"]["dtype"], &told["also"]["same"]), (1, &json!("f32"), &json!(false)));
    assert!(told["error"].as_str().expect("a sentence").contains("cast one"), "{told}");
}

#[test]
fn explains_an_op_without_operands() {
    let told = promote(&["explain", "torch", "--op", "divide"]).told();
    for line in [
        "Torch: `divide` (default_dtype = f32)",
        "Clauses, in the order in which they are tried",
        "  otherwise: the operands become the dtype that they promote to",
        "  computed in dtypes of kind float, complex",
        "  kind     dtypes                        converted to  computed in  result  kernel",
        "  int      u8 i8 i16 i32 i64 u16 u32 u64 f32           f32          f32     yes",
        "  float    f32 f64                       same          same         same    yes",
        "  by_zero       error     error (default), zero, ones",
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.lines().any(|told| squeezed(told) == squeezed(line)), "{line}: {told}");
    }
    assert!(told.contains("`divide(a, b)` or `a / b`, declared in rules/torch.rs:"), "{told}");
    assert!(told.contains("  common dtype: `bool | int => default_dtype` in `op divide "), "{told}");
    assert!(told.contains("Refused: ") && told.contains("(rules/torch.rs:"), "{told}");
    let long = told.lines().filter(|line| line.len() > 100 && !line.contains("rules/torch.rs:"));
    assert_eq!(long.count(), 0, "{told}");
}

#[test]
fn explains_ops_of_every_bundled_rule_set() {
    for promote_rules::bundled::BundledFile { name, .. } in promote_rules::bundled::BUNDLED {
        let rules = promote(&["list", name, "--format", "json"]).json();
        let ops = rules["ops"].as_array().expect("a list");
        // One op of each sort is enough: all of them take minutes.
        for op in ops.iter().filter_map(|op| op["name"].as_str()).step_by(40) {
            let told = promote(&["explain", name, "--op", op]).told();
            assert!(
                told.starts_with(&format!("{}: `{op}`", rules["rules"].as_str().expect("a name"))),
                "{told}"
            );
            let told = promote(&["explain", name, "--op", op, "--format", "json"]).json();
            assert_eq!(told["op"], op);
            assert_eq!(told["dtypes"].as_array().map(Vec::len), rules["dtypes"].as_array().map(Vec::len));
        }
    }
}

#[test]
fn an_op_is_data_for_programs() {
    let told = promote(&["explain", "numpy", "--op", "ldexp", "--format", "json"]).json();
    assert_eq!((&told["rules"], &told["op"]), (&json!("NumPy"), &json!("ldexp")));
    assert_eq!((&told["call"], &told["operands"]), (&json!("ldexp(a, b)"), &json!(2)));
    let clauses = told["clauses"].as_array().expect("a list");
    assert_eq!(clauses[0]["sees"], "operands");
    assert_eq!(clauses[0]["refuses"], "the exponent is an integer");
    assert_eq!(clauses[0]["file"], "rules/numpy.rs");
    assert!(clauses[0]["line"].is_u64());
    let option = |name: &str| {
        let options = told["options"].as_array().expect("a list");
        options.iter().find(|option| option["name"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(option("exponent")["values"], json!(["exact", "wraps", "power"]));
    assert_eq!(option("exponent")["default"], "exact");
    let dtypes = told["dtypes"].as_array().expect("a list");
    let of = |name: &str| dtypes.iter().find(|dtype| dtype["dtype"] == name).cloned().unwrap_or_default();
    assert_eq!(of("f32")["refused"], "the exponent is an integer");
    assert_eq!((&of("i32")["output"], &of("i32")["kernel"]), (&json!("f64"), &json!(true)));
    assert!(!told["refused"].as_array().expect("a list").is_empty());
    assert_eq!(told["kernels"], json!(["float"]));
}

#[test]
fn explains_ops_without_clauses_or_kernels() {
    let told = promote(&["explain", "numpy", "--op", "add"]).told();
    assert!(
        told.contains("  no clause decides: the operands become the dtype that they promote to\n"),
        "{told}"
    );
    let told = promote(&["explain", "torch", "--op", "outer"]).told();
    assert!(told.contains("  not computed: the rule set gives its dtypes only\n"), "{told}");
    let told = promote(&["explain", "torch", "--op", "std"]).told();
    assert!(told.contains("`std(a, axis = .., keepdims = false, correction = ..)`"), "{told}");
    assert!(told.contains("  correction  one "), "{told}");
    let told = promote(&["explain", "torch", "--op", "where"]).told();
    assert!(told.contains("`where(condition, a, b)`"), "{told}");
    assert!(told.contains("`condition` is a condition: a bool for each element, or one for all"), "{told}");
    let told = promote(&["explain", "torch", "--op", "sum"]).told();
    let call = "a reduction of one array, `sum(a, axis = .., keepdims = false, dtype = ..)`";
    assert!(told.contains(call), "{told}");
}

#[test]
fn an_op_is_explained_under_two_rule_sets() {
    let told = promote(&["explain", "numpy", "--op", "sqrt", "--also", "torch"]).told();
    assert!(told.contains("NumPy: `sqrt`\n") && told.contains("\n\nTorch: `sqrt` ("), "{told}");
    let told = promote(&["explain", "numpy", "--op", "sqrt", "--also", "torch", "--format", "json"]).json();
    assert_eq!((&told["rules"], &told["also"]["rules"]), (&json!("NumPy"), &json!("Torch")));
    let told = promote(&["explain", "torch", "--op", "reduce_sum"]).refused();
    assert!(told.contains("help: did you mean `sum`?"), "{told}");
}
