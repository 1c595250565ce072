//! `promote table`: the run-time tables against what PyTorch answered.

use serde_json::Value;

use crate::{promote, repository};

/// The cells of a recorded table: keys as ours, and the recorded word.
fn recorded(table: &Value) -> Vec<(String, String)> {
    let lines: Vec<&str> =
        table.as_array().expect("a table").iter().map(|l| l.as_str().expect("a line")).collect();
    let columns: Vec<&str> = lines[0].split_whitespace().skip(1).collect();
    let cells = |line: &&str| {
        let mut words = line.split_whitespace();
        let row = words.next().expect("the row's name").to_owned();
        let cell = |(column, word): (&&str, &str)| (format!("{row},{column}"), word.to_owned());
        columns.iter().zip(words).map(cell).collect::<Vec<_>>()
    };
    lines[1..].iter().flat_map(cells).collect()
}

/// Compares a table of ours with a recorded one. A missing kernel or overload of the framework is no answer.
fn compare(ours: &Value, theirs: &Value, what: &str) {
    let mut compared = 0;
    for (key, word) in recorded(theirs) {
        let known = match word.as_str() {
            "no_kernel" | "no_overload" | "." => continue,
            "-" => None,
            dtype => Some(dtype),
        };
        let cell = ours.get(&key).unwrap_or_else(|| panic!("{what} has no {key}"));
        assert_eq!(cell.as_str(), known, "{what}: {key}");
        compared += 1;
    }
    assert!(compared > 10, "{what}: {compared}");
}

#[test]
fn the_tables_of_torch_are_what_pytorch_answers() {
    let text = std::fs::read_to_string(repository("tests/data/torch.json")).expect("the data");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let table = promote(&["table", "torch", "--format", "json"]).json();
    let pairs = [
        ("arrays", "promote_types"),
        ("scalars", "tensor_scalar"),
        ("zero_dim", "dim_zerodim"),
        ("zero_dim_zero_dim", "zerodim_zerodim"),
        ("zero_dim_scalar", "zerodim_scalar"),
        ("scalar_scalar", "scalar_scalar"),
    ];
    for (ours, theirs) in pairs {
        compare(&table[ours], &data[theirs], theirs);
    }
    assert_eq!(table["rules"], "Torch");
    assert_eq!(table["op"], Value::Null);
    assert_eq!(table["params"]["default_dtype"], "f32");
    assert_eq!(table["dtypes"].as_array().map(Vec::len), Some(22));
    assert_eq!(table["weak"], serde_json::json!({}));

    for default in ["f32", "f64", "f16", "bf16"] {
        let set = format!("default_dtype={default}");
        let table = promote(&["table", "torch", "--set", &set, "--format", "json"]).json();
        let theirs = &data["by_default_dtype"][default];
        assert_eq!(table["params"]["default_dtype"], default);
        compare(&table["scalars"], &theirs["tensor_scalar"], default);
        compare(&table["zero_dim_scalar"], &theirs["zerodim_scalar"], default);
        let divide = promote(&["table", "torch", "--op", "divide", "--set", &set, "--format", "json"]).json();
        compare(&divide["arrays"], &theirs["divide"], default);
    }

    for op in ["add", "subtract", "multiply", "divide", "equal", "less_equal", "greater", "maximum"] {
        let table = promote(&["table", "torch", "--op", op, "--format", "json"]).json();
        assert_eq!(table["op"], op);
        compare(&table["arrays"], &data["ops"][op], op);
    }
}

#[test]
fn both_orders_are_in_a_table_with_numbers() {
    let table = promote(&["table", "torch", "--format", "json"]).json();
    assert_eq!(table["scalars"]["i32,py_float"], "f32");
    assert_eq!(table["scalars"]["py_float,i32"], "f32");
    assert_eq!(table["zero_dim_scalar"]["py_complex,f16"], "c32");
    assert_eq!(table["zero_dim"]["f16,f64"], "f16");
    assert_eq!(table["arrays"]["u16,i32"], Value::Null);
    assert_eq!(table["scalars"].as_object().map(serde_json::Map::len), Some(2 * 22 * 4));
}

#[test]
fn people_see_cells_and_reasons() {
    let text = promote(&["table", "torch"]).told();
    assert!(text.starts_with("Torch: what two arrays promote to (default_dtype = f32)\n"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 130), "{text}");
    assert!(text.contains("bool with u16 and 65 more: u16, u32 and u64 promote with floats only: cast one first (rules/torch.rs:"));
    let row = text.lines().find(|line| line.starts_with("i32 ")).expect("a row");
    assert_eq!(row.split_whitespace().nth(8), Some("f16"));

    let markdown = promote(&["table", "torch", "--op", "less", "--format", "markdown"]).told();
    assert!(markdown.starts_with("## Torch: what comes out of `less`"), "{markdown}");
    assert!(markdown.contains("| **i32** | bool | bool |"), "{markdown}");
    assert!(markdown.contains("complex numbers have no order (rules/torch.rs:"), "{markdown}");
}

#[test]
fn unknown_ops_and_parameters_are_told_with_the_known_ones() {
    let told = promote(&["table", "torch", "--op", "pow"]).refused();
    assert!(
        told.starts_with("error: Torch says nothing about the op `pow`\nhelp: its ops: `add`, "),
        "{told}"
    );
    let told = promote(&["table", "torch", "--set", "x64=true"]).refused();
    assert_eq!(told, "error: Torch has no parameter `x64`\nhelp: its parameters: `default_dtype`\n");
    let told = promote(&["table", "torch", "--set", "default_dtype=i32"]).refused();
    assert!(told.ends_with("help: its values: `bf16`, `f16`, `f32`, `f64`\n"), "{told}");
}
