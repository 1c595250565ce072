//! `promote table` prints the dtypes that PyTorch was recorded to give.

use serde_json::{Value, json};

use crate::{picture, promote, repository};

/// Returns the cells of a recorded section: keys as `promote table` has them, and words.
fn recorded(sections: &Value, name: &str) -> Vec<(String, String)> {
    if let Some(other) = sections[name].as_str() {
        return recorded(sections, other.strip_prefix("= ").expect("the name of an equal section"));
    }
    let lines = sections[name].as_array().unwrap_or_else(|| panic!("no section `{name}`"));
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().expect("a line")).collect();
    if !lines[0].starts_with("a/b ") {
        let cells = lines[0].split_whitespace().zip(lines[1].split_whitespace());
        return cells.map(|(dtype, word)| (dtype.to_owned(), word.to_owned())).collect();
    }
    let columns: Vec<&str> = lines[0].split_whitespace().skip(1).collect();
    let cells = |line: &&str| {
        let mut words = line.split_whitespace();
        let row = words.next().expect("the row's name").to_owned();
        let cell = |(column, word): (&&str, &str)| (format!("{row},{column}"), word.to_owned());
        columns.iter().zip(words).map(cell).collect::<Vec<_>>()
    };
    lines[1..].iter().flat_map(cells).collect()
}

/// Compares a printed table with a recorded section, and counts the cells. A missing kernel or overload of
/// the framework is not an answer.
fn compare(ours: &Value, sections: &Value, name: &str) -> usize {
    let mut compared = 0;
    for (key, word) in recorded(sections, name) {
        let known = match word.as_str() {
            "no_kernel" | "no_overload" | "." => continue,
            word if word.starts_with('~') => continue,
            "-" => None,
            dtype => Some(dtype),
        };
        let cell = ours.get(&key).unwrap_or_else(|| panic!("{name} has no {key}"));
        assert_eq!(cell.as_str(), known, "{name}: {key}");
        compared += 1;
    }
    compared
}

#[test]
fn tables_of_torch_equal_those_of_pytorch() {
    let data = data();
    let table = promote(&["table", "torch", "--format", "json"]).json();
    let pairs = [
        ("arrays", "promote_types"),
        ("scalars", "tensor_scalar"),
        ("zero_dim", "dim_zerodim"),
        ("zero_dim_zero_dim", "zerodim_zerodim"),
        ("zero_dim_scalar", "zerodim_scalar"),
        ("scalar_scalar", "scalar_scalar"),
    ];
    let counts = pairs.map(|(ours, theirs)| compare(&table[ours], &data, theirs));
    assert_eq!(counts, [1369, 88, 484, 484, 88, 16], "every recorded cell is compared");
    assert_eq!(table["rules"], "Torch");
    assert_eq!(table["op"], Value::Null);
    assert_eq!(table["params"]["default_dtype"], "f32");
    assert_eq!(table["dtypes"].as_array().map(Vec::len), Some(37));
    assert_eq!(table["weak"], serde_json::json!({}));
}

#[test]
fn the_default_dtype_is_set_on_the_command_line() {
    let data = data();
    let mut divisions = [0; 2];
    for default in ["f32", "f64", "f16", "bf16"] {
        let set = format!("default_dtype={default}");
        let table = promote(&["table", "torch", "--set", &set, "--format", "json"]).json();
        let divide = promote(&["table", "torch", "--op", "divide", "--set", &set, "--format", "json"]).json();
        let section = |name: &str| format!("default_dtype={default}|{name}");
        assert_eq!(table["params"]["default_dtype"], default);
        let counts = [
            compare(&table["scalars"], &data, &section("tensor_scalar")),
            compare(&table["zero_dim_scalar"], &data, &section("zerodim_scalar")),
            compare(&table["scalar_scalar"], &data, &section("scalar_scalar")),
        ];
        assert_eq!(counts, [88, 88, 16], "{default}");
        divisions[0] += compare(&divide["arrays"], &data, &section("ops.divide"));
        divisions[1] += compare(&divide["scalars"], &data, &section("ops_scalar.divide"));
    }
    assert_eq!(divisions, [964, 223], "every quotient that PyTorch answered");
}

#[test]
fn ops_give_what_pytorch_gives() {
    let data = data();
    let mut counts = [0; 4];
    // A few of each sort: the library's own test compares all of them.
    let asked = [
        "add",
        "subtract",
        "divide",
        "less",
        "maximum",
        "floor_divide",
        "pow",
        "bitwise_and",
        "huber_loss",
        "dot",
    ];
    for name in asked {
        let table = promote(&["table", "torch", "--op", name, "--format", "json"]).json();
        assert_eq!(table["op"], name);
        for (count, (ours, theirs)) in counts.iter_mut().zip([
            ("arrays", "ops"),
            ("scalars", "ops_scalar"),
            ("scalars", "scalar_ops"),
            ("zero_dim", "ops_zerodim"),
        ]) {
            let section = format!("{theirs}.{name}");
            if data.get(&section).is_some() {
                *count += compare(&table[ours], &data, &section);
            }
        }
    }
    assert_eq!(counts, [4053, 378, 327, 1039], "every cell that PyTorch answered");
}

#[test]
fn ops_of_one_array_give_what_pytorch_gives() {
    let data = data();
    let mut count = 0;
    for (section, name) in [("unary", "sqrt"), ("unary", "abs"), ("reductions", "sum"), ("reductions", "any")]
    {
        let table = promote(&["table", "torch", "--op", name, "--format", "json"]).json();
        assert_eq!(table["op"], name);
        count += compare(&table["arrays"], &data, &format!("{section}.{name}"));
    }
    assert_eq!(count, 68, "every cell that PyTorch answered");
    let text = promote(&["table", "torch", "--op", "abs"]).told();
    assert!(text.contains("\nc64          f32\n") && text.contains("bool: a bool has no sign"), "{text}");
    let svg = promote(&["table", "torch", "--op", "abs", "--format", "svg"]).told();
    assert!(picture::words(&picture::parse(&svg)).contains("gives"), "{svg}");
}

/// Returns the recorded sections of PyTorch.
fn data() -> Value {
    let text = std::fs::read_to_string(repository("tests/data/torch.json")).expect("the data");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    data["sections"].clone()
}

#[test]
fn tables_with_numbers_show_both_orders() {
    let table = promote(&["table", "torch", "--format", "json"]).json();
    assert_eq!(table["scalars"]["i32,py_float"], "f32");
    assert_eq!(table["scalars"]["py_float,i32"], "f32");
    assert_eq!(table["zero_dim_scalar"]["py_complex,f16"], "c32");
    assert_eq!(table["zero_dim"]["f16,f64"], "f16");
    assert_eq!(table["arrays"]["u16,i32"], Value::Null);
    assert_eq!(table["scalars"].as_object().map(serde_json::Map::len), Some(2 * 37 * 4));
}

#[test]
fn text_shows_cells_and_reasons() {
    let text = promote(&["table", "torch"]).told();
    assert!(text.starts_with("Torch: promotion of two arrays (default_dtype = f32)\n"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 130), "{text}");
    assert!(text.contains("bool with u16 and 289 more: unsigned integers other than u8 promote with floats only: cast one first (rules/torch.rs:"));
    let row = text.lines().find(|line| line.starts_with("i32 ")).expect("a row");
    assert_eq!(row.split_whitespace().nth(8), Some("f16"));

    let markdown = promote(&["table", "torch", "--op", "less", "--format", "markdown"]).told();
    assert!(markdown.starts_with("## Torch: result dtypes of `less`"), "{markdown}");
    assert!(markdown.contains("| **i32** | bool | bool |"), "{markdown}");
    assert!(markdown.contains("complex numbers have no order (rules/torch.rs:"), "{markdown}");
}

/// The cells of a page, row by row: the text without the number of its note, the colour, and what the pointer
/// shows.
fn cells(html: &str) -> Vec<[String; 3]> {
    let document = picture::parse(html);
    let cells = document.descendants().filter(|node| node.has_tag_name("td") && node.has_attribute("title"));
    let of = |name: &str, node: &roxmltree::Node| node.attribute(name).unwrap_or_default().to_owned();
    cells
        .map(|cell| [cell.text().unwrap_or_default().to_owned(), of("style", &cell), of("title", &cell)])
        .collect()
}

#[test]
fn pages_show_each_cell_with_its_clause() {
    let table = promote(&["table", "torch", "--format", "json"]).json();
    let html = promote(&["table", "torch", "--format", "html"]).told();
    assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{html}");
    assert!(html.contains("<h1>Torch: promotion of two arrays (default_dtype = f32)</h1>"), "{html}");
    let dtypes: Vec<&str> =
        table["dtypes"].as_array().expect("dtypes").iter().filter_map(Value::as_str).collect();
    let mut cells = cells(&html).into_iter();
    for a in &dtypes {
        for b in &dtypes {
            let [text, colour, title] = cells.next().expect("a cell");
            let expected = table["arrays"][format!("{a},{b}")].as_str();
            assert_eq!(text, expected.unwrap_or("-"), "{a} with {b}");
            assert_eq!(colour.is_empty(), expected.is_none(), "{a} with {b}");
            let says = expected
                .map_or(format!("{a} with {b}: refused, "), |dtype| format!("{a} with {b}: {dtype}, by `"));
            assert!(
                title.starts_with(&says) && title.contains(" (") && title.contains("rules/torch.rs:"),
                "{title}"
            );
        }
    }
    for a in &dtypes {
        for number in ["py_bool", "py_int", "py_float", "py_complex"] {
            let [text, ..] = cells.next().expect("a cell");
            assert_eq!(text, table["scalars"][format!("{a},{number}")].as_str().unwrap_or("-"));
        }
    }
    assert_eq!(cells.next(), None);
    assert!(html.contains(
        "<li>bool with u16 and 289 more: unsigned integers other than u8 promote with floats only: cast one first (rules/"
    ));
}

#[test]
fn hues_show_kinds_and_shades_show_widths() {
    let html = promote(&["table", "torch", "--format", "html"]).told();
    let cells = cells(&html);
    let colour = |dtype: &str| {
        let [_, colour, _] =
            cells.iter().find(|[text, ..]| text == dtype).expect("the diagonal has every dtype");
        colour.clone()
    };
    assert_eq!(colour("f16"), colour("bf16"));
    let names = ["bool", "u8", "u16", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c32", "c64", "c128"];
    let colours: std::collections::BTreeSet<String> = names.into_iter().map(colour).collect();
    assert_eq!(colours.len(), names.len(), "{colours:?}");
}

#[test]
fn pages_are_self_contained() {
    for op in ["add", "less", "exp", "sum"] {
        let html = promote(&["table", "torch", "--op", op, "--format", "html"]).told();
        let document = picture::parse(&html);
        for node in document.descendants() {
            assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()), "{html}");
            assert!(!node.has_attribute("src") && !node.has_attribute("href"), "{html}");
        }
        assert!(!html.contains("url("), "{html}");
    }
}

#[test]
fn pictures_show_the_cells_of_the_table() {
    let own = repository("tests/own_rules/rules.rs");
    for rules in ["torch", own.to_str().expect("UTF-8")] {
        let table = promote(&["table", rules, "--op", "divide", "--format", "json"]).json();
        let svg = promote(&["table", rules, "--op", "divide", "--format", "svg"]).told();
        let document = picture::parse(&svg);
        picture::has_background(&document);
        let words = picture::words(&document);
        for dtype in table["dtypes"].as_array().expect("dtypes") {
            assert!(words.contains(dtype.as_str().expect("a name")), "{dtype}");
        }
        assert!(words.contains("An array with a Python number"), "{words:?}");
        let tables: Vec<_> =
            document.descendants().filter(|node| node.attribute("class") == Some("table")).collect();
        let count = |at: usize| tables[at].descendants().filter(|node| node.has_tag_name("title")).count();
        let dtypes = table["dtypes"].as_array().map_or(0, Vec::len);
        assert_eq!((tables.len(), count(0), count(1)), (2, dtypes * dtypes, dtypes * 4));
    }
}

/// A file's own op has a table, though its kernel is in another program.
#[test]
fn custom_ops_have_a_table_of_one_column() {
    let file = repository("tests/agreement/named_kernel/rules.rs");
    let file = file.to_str().expect("UTF-8");
    let told = promote(&["table", file, "--op", "axpy"]).told();
    assert!(told.starts_with("Lab: result dtypes of `axpy`, by the common dtype of its inputs"), "{told}");
    let row = |name: &str| told.lines().find(|line| line.split_whitespace().next() == Some(name));
    let gives = |name: &str| row(name).and_then(|line| line.split_whitespace().nth(1)).map(str::to_owned);
    assert_eq!(gives("i32").as_deref(), Some("f64"), "{told}");
    assert_eq!(gives("f16").as_deref(), Some("f16"), "{told}");
    assert!(told.contains("bool is not a numeric type") && told.contains("rules.rs:6)"), "{told}");

    let told = promote(&["table", file, "--op", "ramp", "--format", "json"]).json();
    assert_eq!((&told["op"], &told["arrays"]["f64"]), (&json!("ramp"), &json!("f32")));
    assert_eq!(told["arrays"]["c64"], Value::Null);
    let wide =
        promote(&["table", file, "--op", "ramp", "--set", "default_dtype=f64", "--format", "json"]).json();
    assert_eq!((&told["arrays"]["u8"], &wide["arrays"]["u8"]), (&json!("f32"), &json!("f64")));
    for format in ["markdown", "html", "svg"] {
        assert!(promote(&["table", file, "--op", "axpy", "--format", format]).told().contains("axpy"));
    }

    let told = promote(&["table", file, "--op", "axpi"]).refused();
    assert!(told.contains("did you mean `axpy`?"), "{told}");
    let told = promote(&["bench", file, "axpy", "f32"]).refused();
    assert!(told.contains("the kernel of `axpy` is in the program that has it"), "{told}");
}

/// The table of an op without kernels has a column for each second operand, which stands for all that follow.
#[test]
fn ops_without_kernels_have_a_table_of_two_operands() {
    let dtypes = ["--dtypes", "f16,bf16,f32,f64"];
    let rows = |args: &[&str]| {
        let told = promote(&[&["table", "torch-autocast"], args, &dtypes].concat()).told();
        told.lines()
            .skip(3)
            .take(4)
            .map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let lowered = ["f16 f16 f16 -", "f16 f16 f16 -", "f16 f16 f16 -", "- - - f64"];
    assert_eq!(rows(&["--op", "conv"]), lowered);
    assert_eq!(rows(&["--op", "attention"]), lowered);
    // On the CPU `dot` is as without autocast, and so is `mv`.
    let alone = ["f16 - - -", "- bf16 - -", "- - f32 -", "- - - f64"];
    assert_eq!(rows(&["--op", "mv", "--set", "device=cpu"]), alone);
    // On CUDA `dot` takes the widest dtype, but not another float of 16 bits.
    assert_eq!(rows(&["--op", "dot"]), ["f16 - f32 -", "- - - -", "f32 f32 f32 -", "- - - f64"]);
    let told = promote(&["table", "torch", "--op", "attention"]).told();
    assert!(told.starts_with("Torch: result dtypes of `attention(a, b, b)`"), "{told}");
    let json = promote(&["table", "torch", "--op", "addmm", "--format", "json"]).json();
    assert_eq!((&json["arrays"]["f16,f16"], &json["arrays"]["f16,f32"]), (&json!("f16"), &Value::Null));
}

#[test]
fn unknown_ops_and_parameters_list_the_known_ones() {
    let told = promote(&["table", "torch", "--op", "power"]).refused();
    let expected = "error: there is no op `power`\nhelp: did you mean `pow`?\n";
    assert!(told.starts_with(expected), "{told}");
    let told = promote(&["table", "numpy", "--op", "add_scaled"]).refused();
    assert!(
        told.starts_with("error: NumPy has no rules for the op `add_scaled`\nhelp: its ops: `add`, "),
        "{told}"
    );
    let told = promote(&["table", "numpy", "--op", "softmax"]).refused();
    assert!(
        told.starts_with(
            "error: NumPy has no rules for the op `softmax`\nhelp: a rule file can give it dtypes: \
             `rules Mine extends NumPy; op softmax { bool | int => f32; }`; its ops: `add`, "
        ),
        "{told}"
    );
    let told = promote(&["table", "openvino", "--op", "add"]).refused();
    assert_eq!(
        told,
        "error: OpenVino has no rules for the op `add`\nhelp: the rule set has no ops, only promotion\n"
    );
    let told = promote(&["table", "torch", "--set", "x64=true"]).refused();
    assert_eq!(told, "error: Torch has no parameter `x64`\nhelp: its parameters: `default_dtype`\n");
    let told = promote(&["table", "torch", "--set", "default_dtype=i32"]).refused();
    assert!(told.ends_with("its values: `bf16`, `f16`, `f32`, `f64`\n"), "{told}");
    let told = promote(&["table", "torch", "--set", "default_dtypes=f32"]).refused();
    assert!(told.contains("help: did you mean `default_dtype`? its parameters: "), "{told}");
    let told = promote(&["table", "tensorflow", "--set", "mode=save"]).refused();
    assert!(told.contains("help: did you mean `safe`? its values: "), "{told}");
}

#[test]
fn dtypes_are_chosen_in_any_order() {
    let told = promote(&["table", "torch", "--dtypes", "f32,bool,i8"]).told();
    let header = told.lines().nth(2).expect("a row of names");
    assert_eq!(header.split_whitespace().collect::<Vec<_>>(), ["f32", "bool", "i8"], "{told}");
    assert!(told.lines().any(|line| line.split_whitespace().eq(["i8", "f32", "i8", "i8"])), "{told}");
    let json = promote(&["table", "torch", "--dtypes", "u8,i8", "--format", "json"]).json();
    assert_eq!(json["arrays"], json!({ "u8,u8": "u8", "u8,i8": "i16", "i8,u8": "i16", "i8,i8": "i8" }));
    let told = promote(&["table", "torch", "--dtypes", "u8,i8,u8"]).refused();
    assert_eq!(told, "error: the dtype `u8` is named twice\n");
    assert!(
        promote(&["table", "torch", "--dtypes", "u9"]).refused().contains("`u9` is not a dtype of Torch")
    );
}

#[test]
fn writes_a_table_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in ["text", "markdown", "html", "svg", "json"] {
        let args = ["table", "numpy", "--dtypes", "u8,f16", "--format", format];
        let shown = crate::promote_in(folder.path(), &args).told();
        let told = crate::promote_in(folder.path(), &[&args[..], &["-o", "table"]].concat()).told();
        assert_eq!(told, "table: NumPy: promotion of two arrays\n");
        assert_eq!(std::fs::read_to_string(folder.path().join("table")).expect("a file"), shown);
    }
    let told = crate::promote_in(folder.path(), &["table", "numpy", "-o", "nowhere/table"]).refused();
    assert!(told.contains("there is no directory `nowhere`"), "{told}");
}
