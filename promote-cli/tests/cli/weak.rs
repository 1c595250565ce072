//! A rule file of one's own, with weak numbers and weak results.

use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use serde_json::{Value, json};

use crate::{promote_in, write};

const RULES: &str = r#"
promote::rules! {
    rules W;
    dtypes bool i32 u32 i64 f32 f64;
    param x64: bool = true;
    numbers {
        bool => bool;
        int if x64 => weak i64;
        int => weak i32;
        float => weak f32;
        complex => refuse "there are no complex numbers";
    }
    promote {
        u32, i32 => weak f64;
        int, float => b;
        any, any => join;
    }
    yield array > weak {
        any, any if kind(b) <= kind(a) => a;
        any, any => weak promote(a, b);
    }
    op add multiply;
    op divide { bool | int => f32; }
}
"#;

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("w.rs"), RULES).expect("a file");
    folder
}

fn file(folder: &Path, name: &str, dtype: DType) {
    let array = Array::zeros(dtype, vec![3]).expect("memory");
    write(&folder.join(name), array);
}

#[test]
fn weak_operands_have_a_table_of_their_own() {
    let folder = folder();
    let table = promote_in(folder.path(), &["table", "w.rs", "--format", "json"]).json();
    assert_eq!(table["params"], json!({ "x64": "true" }));
    assert_eq!(table["arrays"]["u32,i32"], "f64*");
    assert_eq!(table["scalars"]["i32,py_float"], "f32*");
    assert_eq!(table["scalars"]["i32,py_complex"], Value::Null);
    assert_eq!(table["scalar_scalar"]["py_int,py_int"], "i64*");
    let weak = table["weak"].as_object().expect("a table");
    assert_eq!(weak["i32,i64*"], "i32");
    assert_eq!(weak["f32*,i32"], "f32*");
    assert_eq!(weak["i64*,f64*"], "f64*");
    assert!(weak.keys().all(|key| key.contains('*')));
    let narrow =
        promote_in(folder.path(), &["table", "w.rs", "--set", "x64=false", "--format", "json"]).json();
    assert_eq!(narrow["scalars"]["bool,py_int"], "i32*");
}

#[test]
fn explanations_mark_weak_results() {
    let folder = folder();
    let told = promote_in(folder.path(), &["explain", "w.rs", "u32", "i32", "--format", "json"]).json();
    assert_eq!((&told["dtype"], &told["weak"]), (&json!("f64"), &json!(true)));
    assert_eq!(told["because"], json!([{ "rule": "u32, i32 => weak f64", "file": "w.rs", "line": 14 }]));
    let told = promote_in(folder.path(), &["explain", "w.rs", "f32*", "f64"]).told();
    assert!(told.starts_with("W: f32* and f64 promote to f64\n"), "{told}");
}

#[test]
fn expressions_follow_the_rule_file() {
    let folder = folder();
    file(folder.path(), "u.npy", DType::U32);
    file(folder.path(), "i.npy", DType::I32);
    let eval = |expression: &str, set: &str| {
        let mut args = vec!["eval", "w.rs", expression];
        args.extend(["u=u.npy", "i=i.npy"].iter().filter(|binding| expression.contains(&binding[..1])));
        args.extend(["--set", set, "-o", "o.npy"]);
        promote_in(folder.path(), &args)
    };
    let on = "x64=true";
    assert_eq!(eval("u + u", on).told(), "o.npy: u32 (3,)\n");
    assert_eq!(eval("u + 2", on).told(), "o.npy: u32 (3,)\n");
    assert_eq!(eval("u + i", on).told(), "o.npy: f64 (3,)\n");
    assert_eq!(eval("2 * 3", on).told(), "o.npy: i64 ()\n");
    assert_eq!(eval("2 * 3", "x64=false").told(), "o.npy: i32 ()\n");
    assert!(eval("u + i + i", on).refused().contains("`add` of a weakly typed array cannot be computed yet"));
    assert!(eval("2 < 3", on).refused().contains("the rule set has no rules for the op `less`"));
    assert!(
        eval("2j", on)
            .refused()
            .contains("a number of kind complex is refused under W: there are no complex numbers (w.rs:")
    );
}
