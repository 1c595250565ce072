//! The names by which dtypes and ops are read and shown: `--names`, and what is read without it.

use std::fs;

use promote_rules::bundled::BUNDLED;

use crate::{promote, promote_in};

fn first_line(args: &[&str]) -> String {
    promote(args).told().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_names_of_the_rule_set_are_read() {
    for (args, result) in [
        (&["explain", "torch", "int32", "float16"][..], "Torch: int32 and float16 promote to f16"),
        (&["explain", "torch", "torch.long", "half[]"], "Torch: torch.long and half[] promote to f16"),
        (&["explain", "numpy", "<f2", "np.int16"], "NumPy: <f2 and np.int16 promote to f32"),
        (&["explain", "jax", "bf", "float32*"], "Jax: bf and float32* promote to bf16"),
        (&["explain", "jax2020", "s2", "c8"], "Jax2020: s2 and c8 promote to c128"),
        (&["explain", "openvino", "FP16", "boolean"], "OpenVino: FP16 and boolean promote to f16"),
        (&["explain", "datafusion", "BIGINT", "REAL"], "DataFusion: BIGINT and REAL promote to f32"),
        (
            &["explain", "numpy", "--op", "true_divide", "int8", "int8"],
            "NumPy: `divide` of int8 and int8 gives f64",
        ),
        (
            &["explain", "torch", "--set", "default_dtype=double", "int32", "0.5"],
            "Torch: int32 and 0.5 promote to f64",
        ),
        (&["cast", "torch", "torch.int64", "half"], "Torch: i64 to f16"),
    ] {
        assert_eq!(first_line(args), result);
        assert_eq!(promote(args).notes, [""; 0], "{args:?}");
    }
    let table = promote(&["table", "torch", "--dtypes", "torch.uint8,Half"]).told();
    assert_eq!(table, promote(&["table", "torch", "--dtypes", "u8,f16"]).told());
}

#[test]
fn names_shows_the_names_of_a_system() {
    assert_eq!(
        promote(&["explain", "torch", "--names", "torch", "--op", "divide", "uint8", "long"])
            .told()
            .lines()
            .last(),
        Some("  long can lose 39 of 63 binary digits")
    );
    assert_eq!(
        first_line(&["explain", "torch", "uint8", "int8", "--names", "numpy"]),
        "Torch: uint8 and int8 promote to int16"
    );
    // There the number counts bytes.
    assert_eq!(
        first_line(&["explain", "numpy", "i8", "f4", "--names", "numpy"]),
        "NumPy: i8 and f4 promote to float64"
    );
    assert_eq!(promote(&["explain", "numpy", "i8", "f4", "--names", "numpy"]).notes, [""; 0]);
    let table = promote(&["table", "jax", "--names", "jax2020", "--dtypes", "b1,s2,bf"]).told();
    assert!(table.contains("\n    b1  i2  bf\n"), "{table}");
    let refused = promote(&["explain", "torch", "--names", "torch", "uint16", "int32"]).refused();
    assert!(
        refused.starts_with("error: `torch.uint16` and `torch.int32` do not promote under Torch: "),
        "{refused}"
    );
    let json = promote(&["list", "polars", "--names", "polars", "--format", "json"]).json();
    assert_eq!(json["dtypes"][1], "UInt8");
    let json = promote(&["table", "numpy", "--names", "numpy", "--format", "json"]).json();
    assert_eq!(json["arrays"]["int8,float16"], "float16");
    let json = promote(&["diff", "torch", "numpy", "--names", "torch", "--format", "json"]).json();
    assert_eq!(json["different"]["arrays"]["torch.int32,torch.float16"][1], "torch.float64");
    let python = promote(&["emit", "numpy", "--lang", "python", "--names", "numpy", "--op", "add"]).told();
    assert!(python.contains("DTYPES = (\"bool\", \"uint8\","), "{python}");
    assert!(python.contains("--names numpy --lang python"), "{python}");
    let rust =
        promote(&["emit", "torch", "--lang", "rust", "--names", "torch", "--dtypes", "half,float"]).told();
    assert!(rust.contains("\n    Float16,\n") && rust.contains("\"torch.float16\""), "{rust}");
}

#[test]
fn arrays_are_shown_and_cast_by_names() {
    let eval = |expression: &str, more: &[&str]| {
        let args = [&["eval", "torch", expression, "a=image.npy"][..], more].concat();
        promote(&args).told().lines().last().map(str::to_owned)
    };
    let about = |dtype: &str| Some(format!("dtype={dtype} shape=(201, 201)"));
    assert_eq!(eval("a", &["--names", "torch"]), about("torch.uint8"));
    assert_eq!(eval("astype(a, half)", &[]), about("f16"));
    assert_eq!(eval("astype(a, torch.half)", &[]), about("f16"));
    assert_eq!(eval("astype(a, \"<f2\")", &["--names", "numpy"]), about("float16"));
    let refused = promote(&["eval", "torch", "astype(a, f16)", "a=image.npy", "--names", "numpy"]).refused();
    assert!(refused.contains("`f16` is not a dtype\nhelp: did you mean `float16`?\n"), "{refused}");
    assert_eq!(eval("mul(a, 2)", &[]), about("u8"));
}

#[test]
fn names_with_another_meaning_are_told() {
    for rules in ["numpy", "jax", "torch"] {
        let ran = promote(&["explain", rules, "i8", "i8"]);
        assert_eq!(ran.notes.len(), 1, "{rules}");
        assert!(ran.stdout.contains("i8 and i8 promote to i8\n"), "{}", ran.stdout);
    }
    assert_eq!(
        promote(&["table", "numpy", "--dtypes", "i8,f32"]).notes,
        ["note: `i8` is int8 here; the `i8` of NumPy is int64: `--names numpy` reads it so\n"]
    );
    // NumPy has no dtype of 1 bit, and its `u1` is never read without a word.
    assert_eq!(
        promote(&["explain", "numpy", "u1", "f32"]).refused(),
        "error: `u1` is not an operand of NumPy\n\
         help: the `u1` of NumPy is `u8`: `--names numpy` reads it so\n"
    );
    // Under another rule set, a name stands for the dtype that it has under the first one.
    let told = promote(&["explain", "torch", "float", "int32", "--also", "numpy"]).told();
    assert!(
        told.contains("NumPy: float and int32 promote to f64; not the same\n")
            || told.contains("NumPy: float and int32 promote to f64: not the same\n"),
        "{told}"
    );
    assert_eq!(
        promote(&["diff", "torch", "numpy", "--dtypes", "float,int32"]).refused(),
        "error: `float` is `f32` in Torch and `f64` in NumPy\n\
         help: write one of these two, or choose the names by `--names`\n"
    );
    // A dtype that the names in use lack keeps its own, with a path if that is taken.
    let json = promote(&["list", "torch", "--names", "numpy", "--format", "json"]).json();
    let dtypes: Vec<&str> =
        json["dtypes"].as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    assert!(
        dtypes.contains(&"bf16") && dtypes.contains(&"promote.u1") && dtypes.contains(&"uint8"),
        "{dtypes:?}"
    );
    assert_eq!(
        first_line(&["explain", "torch", "--names", "numpy", "promote.u1", "f4"]),
        "Torch: promote.u1 and f4 promote to float32"
    );
}

#[test]
fn unknown_names_are_compared_with_those_of_all_systems() {
    for (args, help) in [
        (["explain", "polars", "float32", "Int8"], "did you mean `f32`?"),
        (["explain", "polars", "np.float32", "Int8"], "did you mean `f32`?"),
        (
            ["explain", "openvino", "float", "i8"],
            "did you mean `f32` (DataFusion, OneFlow, Paddle, TensorFlow, Torch) or `f64` (NumPy, NumPy1)?",
        ),
        (["explain", "torch", "fp16", "i32"], "did you mean `f16`?"),
    ] {
        assert!(promote(&args).refused().contains(&format!("help: {help}\n")), "{args:?}");
    }
    let told = promote(&["explain", "numpy", "--names", "numpy", "f32", "int8"]).refused();
    assert!(told.contains("help: did you mean `float32`?\n"), "{told}");
    let told = promote(&["explain", "torch", "--names", "nmpy", "i8", "u8"]).refused();
    assert!(
        told.starts_with("error: `--names`: there is no rule set `nmpy`")
            && told.contains("did you mean `numpy`?"),
        "{told}"
    );
}

/// Every name that is shown is read as the dtype that it stands for, in any rule set and any names.
#[test]
fn names_that_are_shown_are_read() {
    for rules in BUNDLED {
        let list = |names: &[&str]| {
            let json = promote(&[&["list", rules.name, "--format", "json"][..], names].concat()).json();
            let dtypes = json["dtypes"].as_array().cloned().unwrap_or_default();
            dtypes.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        let ours = list(&[]);
        for names in ["numpy", "torch"] {
            let with_names = ["--names", names];
            let shown = list(&with_names);
            let once: std::collections::BTreeSet<&String> = shown.iter().collect();
            assert_eq!(once.len(), ours.len(), "{} {names}", rules.name);
            let table = ["table", rules.name, "--format", "json", "--dtypes", &shown.join(",")];
            let json = promote(&[&table[..], &with_names].concat()).json();
            assert_eq!(json["dtypes"], serde_json::json!(shown), "{} {names}", rules.name);
        }
    }
}

#[test]
fn rule_files_of_users_have_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "promote::rules! {
        rules Mine extends DataFusion;
        dtype q16: float 32;
        promote { q16, any => q16; }
        names { q16: \"mine.fixed\"; f16: \"mine.brief\"; }
    }";
    fs::write(folder.path().join("mine.rs"), text).expect("the file");
    let told =
        promote_in(folder.path(), &["explain", "mine.rs", "fixed", "mine.brief", "--names", "mine.rs"])
            .told();
    assert!(told.starts_with("Mine: fixed and mine.brief promote to mine.fixed\n"), "{told}");
    // A name of the base stands for another dtype.
    fs::write(folder.path().join("twice.rs"), text.replace("brief", "Float32")).expect("the file");
    let refused = promote_in(folder.path(), &["list", "twice.rs"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("error: `Float32` is a name of both `f16` and `f32`\n"),
        "{}",
        refused.stderr
    );
    let none = "promote::rules! { rules None; dtypes f32; promote { any, any => join; } }";
    fs::write(folder.path().join("none.rs"), none).expect("the file");
    assert_eq!(
        promote_in(folder.path(), &["explain", "mine.rs", "f32", "f32", "--names", "none.rs"]).refused(),
        "error: None has no names of dtypes\nhelp: add them to its rule file: `names { f16: \"half\"; }`\n"
    );
}
