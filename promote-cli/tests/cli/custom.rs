//! A rule file with a custom dtype, whose Rust type the command does not know.

use crate::{promote, repository};

#[test]
fn tables_include_custom_dtypes() {
    let file = repository("examples/custom_dtype.rs");
    let file = file.to_str().expect("a path in UTF-8");
    let table = promote(&["table", file, "--format", "json"]).json();
    assert_eq!(table["rules"], "Fixed");
    for (cell, dtype) in [("q15,i8", "q15"), ("f16,q15", "f32"), ("q15,q15", "q15"), ("c128,q15", "c128")] {
        assert_eq!(table["arrays"][cell], dtype, "{cell}");
    }
    assert_eq!(table["scalars"]["q15,py_float"], "f32");
    let text = promote(&["table", file, "--op", "less"]).told();
    let row = text.lines().find(|line| line.starts_with("q15 ")).expect("a row");
    assert!(row.split_whitespace().skip(1).any(|cell| cell == "bool"), "{row}");
    let roots = promote(&["explain", file, "--op", "sqrt", "q15", "--format", "json"]).json();
    assert_eq!((&roots["dtype"], &roots["compute"]), (&"q15".into(), &"f32".into()), "{roots}");
}
