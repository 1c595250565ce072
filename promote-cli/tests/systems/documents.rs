//! Where published documents differ from what their systems answer today: `docs/documents.md`, made of the
//! recorded documents and of the rule files. No document is an answer of its system: other tests pass over
//! them, and leave them to this one.

use std::fmt::Write as _;

use crate::answers::{As, Rules};
use crate::functions;
use crate::table::{cells, data};

/// A document that has a table.
struct Document {
    title: &'static str,
    rules: &'static str,
    data: &'static str,
    /// The name of the object in the data, and the tables in it.
    sections: &'static str,
    tables: &'static [&'static str],
    claims: &'static [Claim],
}

/// What is to be said of cells that differ, and whether it can be said of one: operands, what the document
/// says, what today's answer is. Each cell that differs is one that a claim speaks of, and each claim speaks
/// of some.
type Claim = (&'static str, fn(&Row) -> bool);

/// Left and right, or operands and parameters; the document, and today.
type Row = [String; 4];

const DOCUMENTS: [Document; 3] = [
    Document {
        title: "JAX: the table of its documentation in October 2020",
        rules: "jax",
        data: "jax2020",
        sections: "sections",
        tables: &["promote_types"],
        claims: &[("the dtype is the same, and weak today", |[_, _, printed, today]| {
            *today == format!("{printed}*")
        })],
    },
    Document {
        title: "Paddle: the tables of its documentation",
        rules: "paddle",
        data: "paddle",
        sections: "sections",
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
        sections: "seed_torch",
        tables: &["promote_types"],
        claims: &[],
    },
];

/// What the documents say of OpenVINO's examples that differ.
const OPENVINO: [Claim; 1] =
    [("refused when safe, though the document gives a result", |[_, _, _, today]| today == "-")];

/// What OneFlow's article says of arrays without dimensions and of numbers.
const ONEFLOW: [Claim; 2] = [
    ("an array without dimensions counts as a number there, and today it never counts", |[_, b, _, _]| {
        b.ends_with(" (zero_dim)")
    }),
    ("today a Python bool enters as an integer", |[a, b, _, _]| {
        (a.as_str(), b.as_str()) == ("bool", "py_bool")
    }),
];

/// Parts of documents that are no tables of dtypes, and who reads them.
const NO_TABLES: [(&str, &str); 1] = [("paddle", "seed|apis")]; // `functions.rs`

/// Rule sets without a file of recorded answers, and why.
const WITHOUT_DATA: [(&str, &str); 3] = [
    ("tensorflow_numpy", "recorded with TensorFlow"),
    ("paddle26", "what its document says is recorded with Paddle"),
    ("oneflow2021", "its document has no table"),
];

/// The page, whole.
fn page() -> String {
    let mut page = String::from(
        "# Where documents and systems differ\n\nMade by a test (`PROMOTE_BLESS=1 cargo test -p promote-cli --test systems documents`) of the tables that were \
         published and of\nthe rule files, which other tests compare with what the systems answered. `-` is refused, `*` is weak.\n",
    );
    for document in &DOCUMENTS {
        let rules = Rules::load(document.rules);
        let data = data(document.data);
        let sections = data[document.sections].as_object().expect("sections");
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
            page.push_str(&functions::section());
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

/// What the rule set `oneflow2021`, which follows the article, and today's answer differently: of how many,
/// and which.
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

/// The examples of OpenVINO's document: how many, and those that do not hold.
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
        let (_, said) = speaking.next().unwrap_or_else(|| panic!("{title}: nothing is said of {row:?}"));
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
        assert!(*said > 0, "{title}: there is no cell of which `{claim}` can be said");
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
fn documents_and_systems() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/documents.md");
    let page = page();
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        std::fs::write(path, &page).expect("a page");
    }
    let written = std::fs::read_to_string(path).expect("docs/documents.md");
    assert!(page == written, "docs/documents.md is not today's: run this test with PROMOTE_BLESS=1");
}

/// Every table of a document is one of the page's.
#[test]
fn no_document_goes_unread() {
    for (_, file, _) in promote_cli::bundled::BUNDLED {
        let name = file.trim_start_matches("rules/").trim_end_matches(".rs");
        let path = format!("{}/../tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let without = WITHOUT_DATA.iter().any(|(rules, _)| *rules == name);
        assert_ne!(std::fs::exists(path).expect("a path"), without, "data of {name}");
        if without {
            continue;
        }
        let data = data(name);
        let sections = data["sections"].as_object().into_iter().flat_map(|sections| sections.keys());
        for section in sections.filter(|section| section.starts_with("seed|")) {
            let read = DOCUMENTS
                .iter()
                .any(|document| document.data == name && document.tables.contains(&section.as_str()));
            let read = read || (name, section.as_str()) == ("openvino", "seed|examples");
            assert!(read || NO_TABLES.contains(&(name, section)), "nothing reads `{section}` of {name}");
        }
    }
}
