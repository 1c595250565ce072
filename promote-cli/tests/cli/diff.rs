//! `promote diff`: two rule sets of the test's own, and what JAX's document says of JAX and NumPy.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::{Ran, picture, promote, promote_in, repository};

const LEFT: &str = r#"
promote::rules! {
    rules Left;
    dtypes bool u8 i32 f32 f64;
    param careful: bool = true;
    numbers { bool => bool; int => i32; float => f64; complex => refuse "there are no complex numbers"; }
    promote {
        i32, f32 if careful => refuse "cast one";
        any, any => join;
    }
    yield array > number { any, no_higher => a; any, any => promote(a, b); }
    op add;
    op pow (a, b) { i32, u8 => f64; any, any => promote(a, b); }
    op sqrt { bool => refuse "no roots"; int => f64; }
}
"#;

const RIGHT: &str = r#"
promote::rules! {
    rules Right;
    dtypes bool u8 i32 i64 f32;
    numbers { bool => bool; int => i32; float => f32; complex => refuse "there are no complex numbers"; }
    promote {
        bool, f32 => refuse "not a number";
        u8, i32 => i64;
        int, float => b;
        any, any => join;
    }
    yield array > number { any, no_higher => a; any, any => promote(a, b); }
    op pow (a, b) { i32, f32 => i32; any, any => promote(a, b); }
    op sqrt { bool => f32; int => f32; }
}
"#;

/// The dtypes that both have.
const SHARED: &str = "bool,u8,i32,f32";

/// Nothing in common with them.
const APART: &str = "promote::rules! { rules Apart; dtypes f16; promote { any, any => join; } }";

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("left.rs", LEFT), ("right.rs", RIGHT), ("apart.rs", APART)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// `promote diff` in the folder with these rule sets.
fn diff(args: &[&str]) -> Ran {
    diff_in(folder().path(), args)
}

fn diff_in(folder: &Path, args: &[&str]) -> Ran {
    promote_in(folder, &[&["diff"], args].concat())
}

/// `promote diff` of two bundled systems, by the paths of their files.
fn systems(a: &str, b: &str, args: &[&str]) -> Ran {
    let [a, b, base] = [a, b, "jax"].map(|name| format!("rules/{name}.rs"));
    diff_in(&repository(""), &[&[a.as_str(), &b, "--base", &base], args].concat())
}

#[test]
fn text_lists_the_cells_that_differ_and_counts_all() {
    let expected = "\
Left (careful = true) and Right: promotion of two arrays

  Left / Right, in either order of the operands
  f32 / -    bool with f32
  i32 / i64  u8 with i32
  - / f32    i32 with f32

16 cells: 10 equal, 2 different, 2 refused by Left alone, 2 refused by Right alone; \
9 more of dtypes that Left lacks; 9 more of dtypes that Right lacks

An array with a Python number

  Left / Right, in either order of the operands
  f64 / -    bool with py_float
  f64 / f32  u8, i32 with py_float

16 cells: 9 equal, 2 different, 1 refused by Right alone, 4 refused by both; \
4 more of dtypes that Left lacks; 4 more of dtypes that Right lacks

Refused by one (-)

  bool with f32 and 2 more: by Right: not a number (right.rs:7)
  i32 with f32 and 1 more: by Left: cast one (left.rs:8)

only Left has: f64
only Right has: i64
`--dtypes` lists the cells of dtypes that only one has
";
    assert_eq!(diff(&["left.rs", "right.rs"]).told(), expected);
}

#[test]
fn markdown_shows_all_cells_with_differences_in_bold() {
    let expected = "\
## Left (careful = true) and Right: result dtypes of `pow`

|  | bool | u8 | i32 | f32 | f64 | i64 |
| --- | --- | --- | --- | --- | --- | --- |
| **bool** | bool | u8 | i32 | **f32 / -** | **f64 / absent** | **absent / i64** |
| **u8** | u8 | u8 | **i32 / i64** | f32 | **f64 / absent** | **absent / i64** |
| **i32** | i32 | **f64 / i64** | i32 | **- / i32** | **f64 / absent** | **absent / i64** |
| **f32** | **f32 / -** | f32 | **- / f32** | f32 | **f64 / absent** | **absent / f32** |
| **f64** | **f64 / absent** | **f64 / absent** | **f64 / absent** | **f64 / absent** | **f64 / absent** |  |
| **i64** | **absent / i64** | **absent / i64** | **absent / i64** | **absent / f32** |  | **absent / i64** |

16 cells: 10 equal, 2 different, 2 refused by Left alone, 2 refused by Right alone; 9 more of dtypes that Left lacks; \
9 more of dtypes that Right lacks; only Left has: f64; only Right has: i64

An array with a Python number:
";
    let told = diff(&["left.rs", "right.rs", "--op", "pow", "--format", "markdown"]).told();
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("| **u8** | u8 | **i32, left f64 / i64** | **f64 / f32** | - |"), "{told}");
    assert!(told.ends_with(
        "Refused by one (`-`):\n\n\
         - bool with f32 and 3 more: by Right: not a number (right.rs:7)\n\
         - i32 with f32 and 2 more: by Left: cast one (left.rs:8)\n"
    ));
}

#[test]
fn ordered_ops_differ_in_one_order_or_in_both() {
    let told = diff(&["left.rs", "right.rs", "--op", "pow"]).told();
    let list = "\
  f32 / -    bool with f32
  i32 / i64  u8 with i32, in this order alone
  f64 / i64  i32 with u8, in this order alone
  - / i32    i32 with f32, in this order alone
  - / f32    f32 with i32, in this order alone
";
    assert!(told.contains(list), "{told}");
}

#[test]
fn compares_ops_of_one_operand_dtype_by_dtype() {
    let told = diff(&["left.rs", "right.rs", "--op", "sqrt"]).told();
    assert!(told.starts_with(
        "Left (careful = true) and Right: result dtypes of `sqrt`\n\n  \
         Left / Right\n  - / f32    bool\n  f64 / f32  u8, i32\n\n\
         4 cells: 1 equal, 2 different, 1 refused by Left alone; 1 more of dtypes that Left lacks; \
         1 more of dtypes that Right lacks\n"
    ));
    let told = diff(&["left.rs", "right.rs", "--op", "sqrt", "--format", "json"]).json();
    assert_eq!(
        told["different"]["arrays"],
        json!({ "bool": [null, "f32"], "u8": ["f64", "f32"], "i32": ["f64", "f32"] })
    );
}

#[test]
fn json_lists_the_cells_that_differ_in_every_table() {
    let told = diff(&["left.rs", "right.rs", "--format", "json"]).json();
    assert_eq!(told["rules"], json!(["Left", "Right"]));
    assert_eq!(told["op"], Value::Null);
    assert_eq!(told["params"], json!([{ "careful": "true" }, {}]));
    assert_eq!(told["dtypes"], json!(["bool", "u8", "i32", "f32"]));
    assert_eq!(told["only"], json!([["f64"], ["i64"]]));
    let arrays = json!({
        "bool,f32": ["f32", null], "f32,bool": ["f32", null],
        "u8,i32": ["i32", "i64"], "i32,u8": ["i32", "i64"],
        "i32,f32": [null, "f32"], "f32,i32": [null, "f32"],
    });
    assert_eq!(told["different"]["arrays"], arrays);
    let counts = json!({ "cells": 16, "different": 6, "equal": 10, "refused_by_one": [2, 2], "refused_by_both": 0, "absent": [9, 9] });
    assert_eq!(told["counts"]["arrays"], counts);
    assert_eq!(told["different"]["scalars"]["py_float,bool"], json!(["f64", null]));
    assert_eq!(told["different"]["scalar_scalar"]["py_int,py_float"], json!(["f64", "f32"]));
    let scalars = &told["counts"]["scalars"];
    assert_eq!((&scalars["cells"], &scalars["different"]), (&json!(32), &json!(6)));
}

/// The answers of both in every cell of two arrays.
fn answers(op: &str) -> Vec<[Option<String>; 2]> {
    let folder = folder();
    let [left, right] = ["left.rs", "right.rs"]
        .map(|file| promote_in(folder.path(), &["table", file, "--op", op, "--format", "json"]).json());
    let cell = |table: &Value, key: &str| table["arrays"][key].as_str().map(str::to_owned);
    let dtypes = ["bool", "u8", "i32", "f32"];
    let keys = dtypes.iter().flat_map(|a| dtypes.map(|b| format!("{a},{b}")));
    keys.map(|key| [cell(&left, &key), cell(&right, &key)]).collect()
}

#[test]
fn pages_colour_differences_and_show_the_reasons() {
    let html = diff(&["left.rs", "right.rs", "--op", "pow", "--dtypes", SHARED, "--format", "html"]).told();
    let document = picture::parse(&html);
    let cells: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("td") && node.has_attribute("title"))
        .collect();
    assert_eq!(cells.len(), 16 + 16);
    let colour = |node: &roxmltree::Node| node.attribute("style").unwrap_or("hatched").to_owned();
    let mut colours: [BTreeSet<String>; 3] = Default::default();
    for (cell, [left, right]) in cells.iter().zip(answers("pow")) {
        let shown = |answer: &Option<String>| answer.clone().unwrap_or("-".to_owned());
        let (sort, text) = match (&left, &right) {
            (Some(a), Some(b)) if a == b => (0, a.clone()),
            (Some(a), Some(b)) => (1, format!("{a} / {b}")),
            _ => (2, format!("{} / {}", shown(&left), shown(&right))),
        };
        assert_eq!(cell.text(), Some(text.as_str()));
        colours[sort].insert(colour(cell));
        let title = cell.attribute("title").expect("a title");
        let says = |at: usize, answer: &Option<String>| {
            let part = title.split("; Right: ").nth(at).expect("two parts");
            let outcome = answer.clone().unwrap_or("refused".to_owned());
            part.contains(&format!(": {outcome}, ")) && part.contains(["(left.rs:", "(right.rs:"][at])
        };
        assert!(title.starts_with("Left: ") && says(0, &left) && says(1, &right), "{title}");
    }
    // Python's complex numbers are refused by both.
    assert_eq!(cells.iter().filter(|cell| cell.attribute("class") == Some("refused")).count(), 4);
    assert!(colours.iter().all(|sort| sort.len() == 1), "{colours:?}");
    let all: BTreeSet<&String> = colours.iter().flatten().collect();
    assert_eq!(all.len(), 3, "a colour for each sort");
    for words in ["equal", "different", "refused by one", "refused by both"] {
        assert!(html.contains(&format!("</span> {words}</span>")), "{words} in the legend");
    }
    assert!(
        html.contains("<li>bool with f32 and 3 more: by Right: not a number (right.rs:7)</li>"),
        "{html}"
    );
}

#[test]
fn pictures_show_both_answers_in_cells_that_differ() {
    let svg = diff(&["left.rs", "right.rs", "--op", "pow", "--dtypes", SHARED, "--format", "svg"]).told();
    let document = picture::parse(&svg);
    picture::has_background(&document);
    let tables: Vec<_> =
        document.descendants().filter(|node| node.attribute("class") == Some("table")).collect();
    let cells = tables[0].children().filter(|node| node.children().any(|child| child.has_tag_name("title")));
    let mut count = 0;
    for (cell, [left, right]) in cells.zip(answers("pow")) {
        let lines: Vec<_> = cell
            .children()
            .filter(|node| node.has_tag_name("text") && !node.has_attribute("text-anchor"))
            .map(|node| (node.text().unwrap_or_default().trim().to_owned(), node.attribute("y").expect("y")))
            .collect();
        let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
        let [left, right] = [left, right].map(|answer| answer.unwrap_or("-".to_owned()));
        if left == right {
            assert_eq!(texts, [left]);
        } else {
            assert_eq!(texts, [left, right]);
            let y = |at: usize| lines[at].1.parse::<f64>().expect("a number");
            assert!(y(0) + 12.0 <= y(1), "a line is as high as its letters");
        }
        count += 1;
    }
    assert_eq!(count, 16);
    let words = picture::words(&document);
    for part in ["refused by both", "Refused by one", "An array with a Python number"] {
        assert!(words.contains(part), "{part} in {words:?}");
    }
    assert!(words.iter().any(|words| words.starts_with("16 cells: 10 equal, 2 different")), "{words:?}");
}

/// The dtypes of a table in the data of JAX's documentation, and the cells in it that are not a dash.
fn painted() -> (Vec<String>, BTreeSet<String>) {
    let text = std::fs::read_to_string(repository("tests/data/jax2020.json")).expect("the data");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let table = data["sections"]["different_from_numpy"].as_array().expect("a table");
    let mut lines = table.iter().map(|line| line.as_str().expect("a line").split_whitespace());
    let columns: Vec<String> = lines.next().expect("a head").skip(1).map(str::to_owned).collect();
    let mut painted = BTreeSet::new();
    for mut words in lines {
        let row = words.next().expect("a dtype");
        let cells = columns.iter().zip(words).filter(|(_, word)| *word == "yes");
        painted.extend(cells.map(|(column, _)| format!("{row},{column}")));
    }
    (columns, painted)
}

/// JAX's documentation of 2020 printed the cells in which it differs from NumPy in green, those of bf16 among
/// them, which NumPy lacks.
#[test]
fn the_cells_that_jax_prints_in_green_are_those_that_differ() {
    let (columns, painted) = painted();
    assert_eq!(painted.len(), 57);
    let told = systems("jax2020", "numpy", &["--format", "json"]).json();
    let keys =
        |value: &Value| -> BTreeSet<String> { value.as_object().expect("cells").keys().cloned().collect() };
    let different = keys(&told["different"]["arrays"]);
    assert_eq!(told["absent"]["arrays"][1], json!({}), "JAX has every dtype of NumPy");
    // JAX has narrower dtypes besides today, of which the document does not speak.
    let known = |key: &String| key.split(',').all(|dtype| columns.iter().any(|known| known == dtype));
    let absent: BTreeSet<String> = keys(&told["absent"]["arrays"][0]).into_iter().filter(known).collect();
    assert_eq!((different.len(), absent.len()), (28, 29));
    assert_eq!(&different | &absent, painted);
    let arrays = &told["counts"]["arrays"];
    assert_eq!((&arrays["cells"], &arrays["different"]), (&json!(196), &json!(28)));
}

/// The picture in the README.
#[test]
fn the_picture_of_jax_and_numpy_has_the_cells_that_jax_prints_in_green() {
    let (columns, painted) = painted();
    let svg = systems("jax2020", "numpy", &["--dtypes", &columns.join(","), "--format", "svg"]).told();
    let document = picture::parse(&svg);
    let table = document.descendants().find(|node| node.attribute("class") == Some("table"));
    let mut coloured = BTreeSet::new();
    let mut count = 0;
    for cell in table.expect("a table").children() {
        let Some(title) = cell.children().find(|node| node.has_tag_name("title")) else { continue };
        let ground = cell.children().find(|node| node.has_tag_name("rect")).expect("a ground");
        let words: Vec<&str> = title.text().expect("a title").split([' ', ':']).collect();
        // "Jax2020: i32 with f32: .."
        let ["Jax2020", "", a, "with", b, ..] = words[..] else { panic!("{words:?}") };
        if ["#ffa94d", "#b2f2bb"].contains(&ground.attribute("fill").expect("a colour")) {
            coloured.insert(format!("{a},{b}"));
        }
        count += 1;
    }
    assert_eq!((count, coloured), (225, painted));
}

#[test]
fn dtypes_that_one_rule_set_lacks_are_counted_separately() {
    let told = diff(&["left.rs", "right.rs", "--format", "json"]).json();
    let of_left = told["absent"]["arrays"][0].as_object().expect("cells of f64");
    assert_eq!((of_left.len(), &of_left["u8,f64"]), (9, &json!("f64")));
    assert_eq!(told["absent"]["arrays"][1]["i64,f32"], json!("f32"));
    // A refusal by the one that has the dtype.
    assert_eq!(told["absent"]["scalars"][1]["i64,py_complex"], Value::Null);
    assert_eq!(told["counts"]["arrays"]["absent"], json!([9, 9]));
    // None of them has both f64 and i64.
    let all = format!("{told}");
    assert!(!all.contains("f64,i64") && !all.contains("i64,f64"), "{all}");

    let told = diff(&["left.rs", "right.rs", "--dtypes", "bool,f32,f64"]).told();
    assert!(told.contains("  f64 / absent  bool, f32, f64 with f64\n"), "{told}");
    let told = diff(&["left.rs", "right.rs"]).told();
    assert!(!told.contains("absent") && told.contains("; 9 more of dtypes that Right lacks\n"), "{told}");
    let svg = diff(&["left.rs", "right.rs", "--format", "svg"]).told();
    let document = picture::parse(&svg);
    let words = picture::words(&document);
    assert!(words.contains("absent") && words.contains("a dtype that one lacks"), "{words:?}");
    let told = diff(&["left.rs", "right.rs", "--format", "markdown"]).told();
    assert!(told.contains("| **f64** | **f64 / absent** | **f64 / absent** |"), "{told}");
    let told = diff(&["left.rs", "left.rs", "--set-b", "careful=false", "--format", "svg"]).told();
    assert!(!told.contains("a dtype that one lacks"), "{told}");
}

#[test]
fn dtypes_are_chosen_and_ordered() {
    let told = diff(&["left.rs", "right.rs", "--dtypes", "f64,bool", "--format", "markdown"]).told();
    assert!(told.contains("|  | f64 | bool |\n"), "{told}");
    assert!(told.contains("only Left has: f64") && !told.contains("only Right has"), "{told}");
    let told = diff(&["left.rs", "right.rs", "--dtypes", "bool,u8", "--format", "json"]).json();
    assert_eq!((&told["dtypes"], &told["only"]), (&json!(["bool", "u8"]), &json!([[], []])));
    assert_eq!(told["counts"]["arrays"]["cells"], json!(4));
    let told = diff(&["left.rs", "right.rs", "--dtypes", "bool,u46"]).refused();
    assert!(told.starts_with("error: neither Left nor Right has a dtype `u46`\nhelp: "), "{told}");
    let told = diff(&["left.rs", "right.rs", "--dtypes", "bool,bool"]).refused();
    assert_eq!(told, "error: the dtype `bool` is named twice\n");
}

/// A star is an answer only between two that could give it.
#[test]
fn weakness_counts_if_both_rule_sets_have_weak_operands() {
    let told = systems("jax", "numpy", &["--format", "markdown"]).told();
    assert!(
        told.contains("| **u64** |") && told.contains(" f64* |") && !told.contains("f64* / f64 "),
        "{told}"
    );
    assert!(!told.contains("With a weak array"), "{told}");

    let told = systems("jax", "tensorflow", &[]).told();
    assert!(told.contains("\nWith a weak array (*)\n"), "{told}");
    assert!(told.contains("  f32* / f64*  u8, u16, u32, u64, i8, i16, i32, i64 with f32*\n"), "{told}");
    let told = systems("jax", "tensorflow", &["--format", "json"]).json();
    let arrays = &told["counts"]["arrays"];
    assert_eq!((&arrays["cells"], &arrays["equal"]), (&json!(225), &json!(225)));
    assert_eq!(told["different"]["weak"]["u8,f32*"], json!(["f32*", "f64*"]));

    let folder = crate::weak::folder();
    let text = std::fs::read_to_string(folder.path().join("w.rs")).expect("the file");
    std::fs::write(
        folder.path().join("v.rs"),
        text.replace("=> weak f64;\n        int", "=> f64;\n        int"),
    )
    .expect("a file");
    let told = diff_in(folder.path(), &["w.rs", "v.rs", "--format", "json"]).json();
    let starred = json!({ "u32,i32": ["f64*", "f64"], "i32,u32": ["f64*", "f64"] });
    assert_eq!(told["different"]["arrays"], starred);
}

#[test]
fn rule_sets_equal_themselves() {
    let folder = repository("rules");
    let files = std::fs::read_dir(&folder).expect("the folder").map(|file| file.expect("a file").file_name());
    let files: Vec<String> = files.map(|name| name.into_string().expect("UTF-8")).collect();
    let bases: Vec<String> = files.iter().map(|file| format!("--base={file}")).collect();
    let bases: Vec<&str> = bases.iter().map(String::as_str).collect();
    assert!(files.len() >= 11, "{files:?}");
    for file in &files {
        diff_in(&folder, &[&[file.as_str(), file, "--exit-code"], &bases[..]].concat()).told();
    }
}

#[test]
fn differences_are_symmetric() {
    let [there, back] = [("torch", "jax"), ("jax", "torch")]
        .map(|(a, b)| systems(a, b, &["--op", "divide", "--format", "json"]).json());
    let mut count = 0;
    for (name, cells) in there["different"].as_object().expect("tables") {
        let others = back["different"][name].as_object().expect("a table");
        let cells = cells.as_object().expect("a table");
        assert_eq!(cells.len(), others.len(), "{name}");
        for (key, answers) in cells {
            assert_eq!(others[key], json!([answers[1], answers[0]]), "{name} {key}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
    assert_eq!(there["only"], json!([back["only"][1], back["only"][0]]));
}

#[test]
fn each_rule_set_has_its_own_parameters() {
    let told = diff(&["left.rs", "left.rs", "--set-b", "careful=false"]).told();
    assert!(told.contains("  Left (careful = true) / Left (careful = false), in either"), "{told}");
    assert!(told.contains("  - / f64  i32 with f32\n"), "{told}");
    let told = diff(&["right.rs", "left.rs", "--set-b", "careful=false"]).told();
    assert!(told.contains("  f32 / f64  i32 with f32\n"), "{told}");
    // A rule set and its edited copy differ in their files alone.
    let folder = folder();
    std::fs::write(folder.path().join("copy.rs"), LEFT.replace("i32, f32 if", "u8, f32 if")).expect("a file");
    let told = diff_in(folder.path(), &["left.rs", "copy.rs"]).told();
    let title =
        "Left in left.rs (careful = true) and Left in copy.rs (careful = true): promotion of two arrays";
    assert!(told.starts_with(title), "{told}");
    assert!(
        told.contains("2 refused by Left in left.rs alone, 2 refused by Left in copy.rs alone"),
        "{told}"
    );
    let told = diff(&["left.rs", "right.rs", "--set", "careful=false"]).told();
    assert!(told.starts_with("Left (careful = false) and Right: "), "{told}");
    let told = diff(&["left.rs", "right.rs", "--set-b", "careful=false"]).refused();
    assert!(told.starts_with("error: Right has no parameter `careful`\n"), "{told}");
}

#[test]
fn compares_custom_ops_by_name() {
    let file = |name: &str| {
        repository(&format!("tests/agreement/named_kernel/{name}.rs")).to_str().expect("UTF-8").to_owned()
    };
    let (lab, wider) = (file("rules"), file("wider"));
    let asked = |op: &str| promote(&["diff", &lab, &wider, "--base", &lab, "--op", op]).told();
    let told = asked("axpy");
    assert!(told.contains("35 equal") && told.contains("1 refused by Wider alone"), "{told}");
    assert!(told.contains("f64 / -") && told.contains("f64 does not hold every i64"), "{told}");
    assert!(asked("ramp").contains("f32 / f64"));
}

#[test]
fn rejects_rule_sets_that_cannot_be_compared() {
    let told = diff(&["left.rs", "right.rs", "--op", "add"]).refused();
    assert!(told.starts_with("error: Right has no rules for the op `add`\n"), "{told}");
    let told = diff(&["left.rs", "right.rs", "--op", "addd"]).refused();
    assert!(told.starts_with("error: there is no op `addd`\nhelp: did you mean `add`?\n"), "{told}");
    let told = diff(&["left.rs", "apart.rs"]).refused();
    assert_eq!(told, "error: Left and Apart have no dtype in common\n");
    let told = diff(&["left.rs", "nowhere.rs"]).refused();
    assert!(told.starts_with("error: there is no rule set `nowhere.rs`"), "{told}");
}

#[test]
fn exit_code_reports_differences() {
    let folder = folder();
    // The same rules under another name but for a cell; and the same cells with a dtype more.
    for (name, old, new) in [
        ("alike.rs", "rules Left", "rules Alike"),
        ("cell.rs", "any, any => join;", "bool, u8 => i32; any, any => join;"),
        ("more.rs", "dtypes bool", "dtypes i8 bool"),
    ] {
        std::fs::write(folder.path().join(name), LEFT.replace(old, new)).expect("a file");
    }
    for (other, code) in [("left.rs", 0), ("alike.rs", 0), ("cell.rs", 1), ("more.rs", 1)] {
        let plain = diff_in(folder.path(), &["left.rs", other]).told();
        let ran = diff_in(folder.path(), &["left.rs", other, "--exit-code"]);
        assert_eq!((ran.code, &ran.stdout), (code, &plain), "{other}");
        assert_eq!(ran.stderr.ends_with(" differ\n"), code == 1, "{}", ran.stderr);
    }
}

#[test]
fn files_are_written_completely_or_not_at_all() {
    let folder = folder();
    let plain = diff_in(folder.path(), &["left.rs", "right.rs", "--format", "svg"]).told();
    let told = diff_in(folder.path(), &["left.rs", "right.rs", "--format", "svg", "-o", "d.svg"]).told();
    assert_eq!(
        told,
        "d.svg: 32 cells: 19 equal, 4 different, 2 refused by Left alone, 3 refused by Right alone, 4 refused by both; \
         13 more of dtypes that Left lacks; 13 more of dtypes that Right lacks\n"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("d.svg")).expect("the file"), plain);
    let told = diff_in(folder.path(), &["left.rs", "right.rs", "-o", "nowhere/d.txt"]).refused();
    assert!(told.starts_with("error: cannot write `nowhere/d.txt`: "), "{told}");
    diff_in(folder.path(), &["left.rs", "apart.rs", "-o", "e.txt"]).refused();
    assert!(!folder.path().join("e.txt").exists());
}
