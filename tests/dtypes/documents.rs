//! Published documents differ from what their systems answer today as `docs/documents.md` lists.
//!
//! The page is generated from the recorded documents and from the rule files. A document is no answer of its
//! system: the comparison of recorded cells skips it.

use std::fmt::Write as _;

use crate::answers::{As, Rules};
use crate::data::data;
use crate::paddle_functions;
use crate::table::cells;

/// A document with tables of dtypes.
struct Document {
    title: &'static str,
    rules: &'static str,
    data: &'static str,
    /// The names of the tables in the data.
    tables: &'static [&'static str],
    claims: &'static [Claim],
}

/// An explanation of cells that differ, and the condition for a cell that it explains. Every differing cell
/// needs an explanation, and an explanation without a cell is an error.
type Claim = (&'static str, fn(&Row) -> bool);

/// Left and right operand (or operands and parameters), the document's answer, and today's answer.
type Row = [String; 4];

const DOCUMENTS: [Document; 3] = [
    Document {
        title: "JAX: the table of its documentation in October 2020",
        rules: "jax",
        data: "jax2020",
        tables: &["promote_types"],
        claims: &[("the dtype is the same, and weak today", |[_, _, printed, today]| {
            *today == format!("{printed}*")
        })],
    },
    Document {
        title: "Paddle: the tables of its documentation",
        rules: "paddle",
        data: "paddle",
        tables: &["seed|promote_types", "seed|tensor_scalar", "seed|default_dtype"],
        claims: &[
            (
                "on the diagonal the document has a dash, where there is nothing to promote",
                |[a, b, printed, _]| a == b && printed == "-",
            ),
            (
                "a misprint: in the row of c64, the c128 stands under i64 and not under f64",
                |[a, b, printed, _]| a == "c64" && [("f64", "c64"), ("i64", "c128")].contains(&(b, printed)),
            ),
        ],
    },
    Document {
        title: "PyTorch: the table of a presentation of January 2024",
        rules: "torch",
        data: "torch",
        tables: &["seed|promote_types"],
        claims: &[],
    },
];

/// Explanations of OpenVINO's examples that differ.
const OPENVINO: [Claim; 1] =
    [("refused when safe, though the document gives a result", |[_, _, _, today]| today == "-")];

/// Explanations of the cells of OneFlow's article that differ.
const ONEFLOW: [Claim; 2] = [
    ("an array without dimensions counts as a number there, and today it never counts", |[_, b, _, _]| {
        b.ends_with(" (zero_dim)")
    }),
    ("today a Python bool enters as an integer", |[a, b, _, _]| {
        (a.as_str(), b.as_str()) == ("bool", "py_bool")
    }),
];

/// Parts of documents that are not tables of dtypes. The modules of their systems read them.
const NO_TABLES: [(&str, &str); 3] =
    [("openvino", "seed|examples"), ("paddle", "seed|apis"), ("torch", "seed|quiz")];

/// Rule sets without a file of recorded answers, each with the reason.
const WITHOUT_DATA: [(&str, &str); 3] = [
    ("tensorflow-numpy", "recorded with TensorFlow"),
    ("paddle26", "what its document says is recorded with Paddle"),
    ("oneflow2021", "its document has no table"),
];

/// Returns the whole page.
fn page() -> String {
    let mut page = String::from(
        "# Where documents and systems differ\n\nMade by a test (`PROMOTE_BLESS=1 cargo test --features all-sets --test dtypes documents`) of the tables that\n\
         were published and of the rule files, which other tests compare with what the systems answered. `-` is\n\
         refused, `*` is weak.\n",
    );
    for document in &DOCUMENTS {
        let rules = Rules::load(document.rules);
        let data = data(document.data);
        let sections = data["sections"].as_object().expect("sections");
        let mut rows = Vec::new();
        let mut count = 0;
        for table in document.tables {
            for (a, b, printed) in cells(sections, table) {
                count += 1;
                let operands = [&a, &b].into_iter().filter(|word| !word.is_empty());
                let operands: Vec<_> = operands.map(|word| rules.operand(word, As::Array)).collect();
                let today = rules.result(&operands).unwrap_or_else(|| "-".to_owned());
                if today != printed {
                    rows.push([a, b, printed, today]);
                }
            }
        }
        let heads = ["left", "right", "the document", "today"];
        section(&mut page, document.title, &format!("{count} cells"), document.claims, heads, &rows);
        if document.rules == "paddle" {
            page.push_str(&paddle_functions::section());
        }
    }
    let (count, rows) = oneflow();
    let title =
        "OneFlow: arrays with numbers and with arrays without dimensions in its article of November 2021";
    let heads = ["array", "other", "the document", "today"];
    section(&mut page, title, &format!("{count} cells"), &ONEFLOW, heads, &rows);
    let (count, rows) = openvino();
    let heads = ["operands (which has dimensions)", "parameters", "the document", "today"];
    let count = format!("{count} examples");
    section(&mut page, "OpenVINO: the examples of ConvertPromoteTypes", &count, &OPENVINO, heads, &rows);
    page
}

/// Counts the cells of OneFlow's article, and returns those to which the rule set `oneflow2021`, which
/// follows the article, and today's rule set give different answers.
fn oneflow() -> (usize, Vec<Row>) {
    let (document, today) = (Rules::load("oneflow2021"), Rules::load("oneflow"));
    let dtypes = ["bool", "u8", "i8", "i32", "i64", "f16", "f32", "f64"];
    let mut count = 0;
    let mut rows = Vec::new();
    for a in dtypes {
        let zero_dims = dtypes.map(|b| (format!("{b} (zero_dim)"), b, As::ZeroDim));
        let numbers = ["py_bool", "py_int", "py_float"].map(|b| (b.to_owned(), b, As::Array));
        for (shown, b, category) in zero_dims.into_iter().chain(numbers) {
            let answer = |rules: &Rules| {
                let operands = [rules.operand(a, As::Array), rules.operand(b, category)];
                rules.result(&operands).unwrap_or_else(|| "-".to_owned())
            };
            let [printed, today] = [&document, &today].map(answer);
            count += 1;
            if printed != today {
                rows.push([a.to_owned(), shown, printed, today]);
            }
        }
    }
    (count, rows)
}

/// Counts the examples of OpenVINO's document, and returns those that do not hold.
fn openvino() -> (usize, Vec<Row>) {
    let (data, rules) = (data("openvino"), Rules::load("openvino"));
    let examples = data["sections"]["seed|examples"].as_array().expect("examples");
    let mut rows = Vec::new();
    for example in &examples[1..] {
        let words: Vec<&str> = example.as_str().expect("an example").split(' ').collect();
        let [left, right, ranks, printed, when_safe, params] = words[..] else { panic!("{example}") };
        let (x, y) = match ranks {
            "dim_dim" => (As::Array, As::Array),
            "scalar_dim" => (As::ZeroDim, As::Array),
            "dim_scalar" => (As::Array, As::ZeroDim),
            _ => panic!("{example}: what ranks are these?"),
        };
        let operands = [rules.operand(left, x), rules.operand(right, y)];
        let params = if params == "." { "" } else { params };
        let under = |params: &str| {
            let rules = rules.under(params).expect("parameters of OpenVINO");
            rules.result(&operands).unwrap_or_else(|| "-".to_owned())
        };
        let mut compare = |params: &str, printed: &str| {
            let today = under(params);
            if printed != "." && printed != today {
                rows.push([
                    format!("{left}, {right} ({ranks})"),
                    params.to_owned(),
                    printed.to_owned(),
                    today,
                ]);
            }
        };
        compare(params, printed);
        compare("promote_unsafe=false", when_safe);
    }
    (examples.len() - 1, rows)
}

fn section(page: &mut String, title: &str, count: &str, claims: &[Claim], heads: [&str; 4], rows: &[Row]) {
    let mut said = vec![0; claims.len()];
    for row in rows {
        let mut speaking = claims.iter().zip(&mut said).filter(|((_, of), _)| of(row));
        let (_, said) = speaking.next().unwrap_or_else(|| panic!("{title}: nothing explains {row:?}"));
        *said += 1;
    }
    let differ = match rows.len() {
        0 => "all are today's".to_owned(),
        1 => "1 differs".to_owned(),
        n => format!("{n} differ"),
    };
    let _ = write!(page, "\n## {title}\n\n{count}, {differ}.\n");
    page.push_str(if claims.is_empty() { "" } else { "\n" });
    for ((claim, _), said) in claims.iter().zip(&said) {
        assert!(*said > 0, "{title}: `{claim}` explains no cell");
        let _ = writeln!(page, "- {said}: {claim}.");
    }
    if rows.is_empty() {
        return;
    }
    let _ = write!(page, "\n| {} |\n| --- | --- | --- | --- |\n", heads.join(" | "));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.join(" | "));
    }
}

#[test]
fn the_page_of_documents_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/documents.md");
    let page = page();
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        std::fs::write(path, &page).expect("a page");
    }
    let written = std::fs::read_to_string(path).expect("docs/documents.md");
    assert!(page == written, "docs/documents.md is out of date; help: run this test with PROMOTE_BLESS=1");
}

#[test]
fn every_recorded_document_is_read() {
    for set in promote::RULE_SETS {
        let name = set.replace('-', "_");
        let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let without = WITHOUT_DATA.iter().any(|(rules, _)| rules == set);
        assert_ne!(std::fs::exists(path).expect("a path"), without, "data of {name}");
        if without {
            continue;
        }
        let data = data(&name);
        let sections = data["sections"].as_object().into_iter().flat_map(|sections| sections.keys());
        for section in sections.filter(|section| section.starts_with("seed|")) {
            let read = DOCUMENTS
                .iter()
                .any(|document| document.data == name && document.tables.contains(&section.as_str()));
            assert!(read || NO_TABLES.contains(&(&name, section)), "nothing reads `{section}` of {name}");
        }
    }
}
