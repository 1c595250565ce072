//! Where published documents differ from what their systems answer today: `docs/documents.md`, made of the recorded documents
//! and of the rule files, which equal the systems.

use std::fmt::Write as _;

use crate::answers::{As, Rules};
use crate::table::{cells, data};

/// A document that has a table.
struct Document {
    title: &'static str,
    rules: &'static str,
    data: &'static str,
    /// The name of the object in the data, and the tables in it.
    sections: &'static str,
    tables: &'static [&'static str],
    /// What is to be said of the differences.
    why: &'static str,
}

const DOCUMENTS: [Document; 3] = [
    Document {
        title: "JAX: the table of its documentation in October 2020",
        rules: "jax",
        data: "jax2020",
        sections: "sections",
        tables: &["promote_types"],
        why: "The dtypes are the same; that u64 and a signed integer give a weak f64 is news.",
    },
    Document {
        title: "Paddle: the tables of its documentation",
        rules: "paddle",
        data: "paddle",
        sections: "sections",
        tables: &["seed|promote_types", "seed|tensor_scalar"],
        why: "On the diagonal the document has a dash where there is nothing to promote. In the row of c64 two cells have slipped to \
              the left.",
    },
    Document {
        title: "PyTorch: the table of a presentation of January 2024",
        rules: "torch",
        data: "torch",
        sections: "seed_torch",
        tables: &["promote_types"],
        why: "It is today's.",
    },
];

/// The page, whole.
fn page() -> String {
    let mut page = String::from(
        "# Where documents and systems differ\n\nMade by a test (`PROMOTE_BLESS=1 cargo test -p promote-cli --test systems documents`) of the tables that were \
         published and of\nthe rule files, which equal the systems in every recorded cell. `-` is refused, `*` is weak.\n",
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
                let operands = [rules.operand(&a, As::Array), rules.operand(&b, As::Array)];
                let today = rules.result(&operands).unwrap_or_else(|| "-".to_owned());
                if today != printed {
                    rows.push([a, b, printed, today]);
                }
            }
        }
        let heads = ["left", "right", "the document", "today"];
        section(&mut page, document.title, document.why, count, heads, &rows);
    }
    let (count, rows) = openvino();
    let why = "Ranks say which operand has dimensions. What the others say holds, under the parameters that they name.";
    let heads = ["operands", "parameters", "the document", "today"];
    section(&mut page, "OpenVINO: the examples of ConvertPromoteTypes", why, count, heads, &rows);
    page
}

/// The examples of OpenVINO's document: how many, and those that do not hold.
fn openvino() -> (usize, Vec<[String; 4]>) {
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

fn section(page: &mut String, title: &str, why: &str, count: usize, heads: [&str; 4], rows: &[[String; 4]]) {
    let differ = rows.len();
    let _ = write!(page, "\n## {title}\n\n{count} cells, {differ} differ. {why}\n");
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
