//! `promote list`.

use promote_rules::bundled::{BUNDLED, BundledFile};
use serde_json::json;

use crate::{promote, repository};

#[test]
fn lists_the_bundled_rule_sets_with_their_parameters() {
    let told = promote(&["list"]).told();
    assert!(told.starts_with("Bundled rule sets\n"), "{told}");
    for BundledFile { name, .. } in BUNDLED {
        assert!(told.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {told}");
    }
    assert!(told.contains("default_dtype: bf16, f16, f32 (default), f64\n"), "{told}");
    assert!(told.contains("u64_integer_promotion_target: f32 (default) and 24 more\n"), "{told}");
}

#[test]
fn lists_parameters_dtypes_and_ops_of_a_rule_set() {
    let told = promote(&["list", "torch"]).told();
    assert!(told.starts_with("Torch (rules/torch.rs)\n"), "{told}");
    assert!(told.contains("\n  default_dtype  bf16, f16, f32 (default), f64\n"), "{told}");
    assert!(told.contains("\n  complex  bc32 c32 c64 c128\n"), "{told}");
    let words = |op: &str| {
        let line = told.lines().find(|line| line.split_whitespace().next() == Some(op)).unwrap_or_default();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words("add"), "add(a, b), a + b");
    assert_eq!(words("negative"), "negative(a), -a");
    assert_eq!(words("less"), "less(a, b), a < b gives bool");
    assert_eq!(words("sum"), "sum(a, axis = .., keepdims = false, dtype = ..) reduction");
    assert_eq!(words("cumsum"), "cumsum(a, axis = .., dtype = ..) scan");
    assert_eq!(words("huber_loss"), "huber_loss(a, b, delta = 1.0, reduction = none) loss");
    assert_eq!(words("outer"), "outer(a, b) dtypes only");
    assert!(told.lines().all(|line| line.len() <= 100), "{told}");
}

#[test]
fn lists_are_data_for_programs() {
    let told = promote(&["list", "--format", "json"]).json();
    let names: Vec<_> = told.as_array().expect("a list").iter().map(|rules| rules["name"].clone()).collect();
    assert_eq!(names, BUNDLED.iter().map(|bundled| json!(bundled.name)).collect::<Vec<_>>());
    let told = promote(&["list", "jax", "--format", "json"]).json();
    assert_eq!(told["params"][0], json!({ "name": "x64", "default": "true", "values": ["true", "false"] }));
    assert_eq!(told["dtypes"][0], "bool");
    let ops = told["ops"].as_array().expect("a list");
    assert!(ops.iter().any(|op| op["name"] == "divide" && op["operator"] == "/" && op["computed"] == true));
}

#[test]
fn lists_a_rule_file() {
    let file = repository("tests/agreement/named_kernel/rules.rs");
    let told = promote(&["list", file.to_str().expect("UTF-8")]).told();
    assert!(told.starts_with("Lab ("), "{told}");
    assert!(told.lines().any(|line| line.contains("axpy(..)") && line.ends_with("custom")), "{told}");
    let told = promote(&["list", "troch"]).refused();
    assert!(told.contains("help: did you mean `torch`?"), "{told}");
}

#[test]
fn tells_which_loops_a_rule_file_asks_for() {
    let file = repository("tests/own_rules/loops.rs");
    let file = file.to_str().expect("UTF-8");
    let told = promote(&["list", file]).told();
    assert!(told.contains("\nLoops that the crate of the rule set compiles\n"), "{told}");
    assert!(told.contains("  add       6 pairs of i16 f32 f64\n"), "{told}");
    let told = promote(&["check", file]).told();
    assert!(told.contains("  kernels  12 loops: add multiply\n"), "{told}");
    let told = promote(&["explain", file, "--op", "multiply"]).told();
    assert!(
        told.contains("\n  the crate of the rule set compiles loops for 6 pairs of i16 f32 f64\n"),
        "{told}"
    );
    let told = promote(&["explain", file, "--op", "less"]).told();
    assert!(!told.contains("compiles loops"), "{told}");
    let told = promote(&["list", file, "--format", "json"]).json();
    assert_eq!(told["loops"]["add"][0], json!(["i16", "f32"]));
}
