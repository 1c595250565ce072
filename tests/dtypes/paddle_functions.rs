//! The table of functions in Paddle's document, compared with what Paddle answers today.
//!
//! The rule set `paddle26` stands for the document: `paddle26.rs` compares it with the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use promote::Op;
use serde_json::Value;

use crate::answers::{As, Rules};
use crate::data::data;
use crate::table::cells;

/// An explanation of cells that differ, and the condition for a cell that it explains.
type Claim = (&'static str, fn(&Cell) -> bool);

const CLAIMS: [Claim; 8] = [
    ("the Logic Rule leaves out complex numbers, which are compared today", |cell| is_logic(&cell.function)),
    (
        "bitwise functions of a tensor and a number follow the Common Rule: today of bool and integers only",
        |cell| cell.function.starts_with("bitwise") && cell.today == "-",
    ),
    ("an integer counts beside a bool tensor, which today stays bool", |cell| {
        cell.function.starts_with("bitwise") && cell.today == "bool"
    }),
    ("today `where` takes a number as an array of the dtype that the number has alone", |cell| {
        cell.function == "where"
    }),
    ("complex numbers under the Common Rule, which are refused today", |cell| {
        cell.document.starts_with('c') && cell.today == "-"
    }),
    ("a dash in the column of numbers, which are taken today", |cell| {
        cell.document == "-" && cell.b.starts_with("py_")
    }),
    ("today this loss of complex numbers is real", |cell| cell.function == "l1_loss"),
    ("of bool and a Python bool: today a bool cannot be subtracted, and its quotient is bool", |cell| {
        (cell.a.as_str(), cell.b.as_str()) == ("bool", "py_bool")
    }),
];

fn is_logic(function: &str) -> bool {
    ["equal", "less", "greater", "logical"].iter().any(|part| function.contains(part))
}

/// Operands, the tensor first.
type Pairs = Vec<(String, String)>;

/// A function and two operands to which document and system give different answers.
struct Cell {
    function: String,
    a: String,
    b: String,
    document: String,
    today: String,
}

impl Cell {
    /// Returns an answer as the page shows it. Cells that differ in the tensor's dtype only get one row.
    fn shown<'a>(&self, answer: &'a str) -> &'a str {
        let keeps = answer == self.a && self.b.starts_with("py_") && !is_logic(&self.function);
        if keeps { "the tensor's" } else { answer }
    }
}

/// Returns the functions of the document, each once, in the document's order.
fn functions(sections: &serde_json::Map<String, Value>) -> Vec<String> {
    let lines = sections["seed|apis"].as_array().expect("a table");
    let mut found: Vec<String> = Vec::new();
    for line in &lines[1..] {
        let name = line.as_str().expect("a line").split(' ').next().expect("a name").to_owned();
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Counts the cells, and returns those that differ.
fn compare() -> (usize, Vec<Cell>) {
    let (document, today) = (Rules::load("paddle26"), Rules::load("paddle"));
    let data = data("paddle");
    let sections = data["sections"].as_object().expect("sections");
    let operands = |name: &str| cells(sections, name).into_iter().map(|(a, b, _)| (a, b));
    let pairs: Pairs = operands("seed|promote_types").chain(operands("seed|tensor_scalar")).collect();
    let mut count = 0;
    let mut found = Vec::new();
    for function in functions(sections) {
        let op: Op = function.parse().unwrap_or_else(|_| panic!("{function} is no op"));
        for (a, b) in &pairs {
            let answer = |rules: &Rules, a: &str, b: &str| {
                let operands = [rules.operand(a, As::Array), rules.operand(b, As::Array)];
                rules.op(op, &operands).unwrap_or_else(|| "-".to_owned())
            };
            let [document, today] = [&document, &today].map(|rules| answer(rules, a, b));
            count += 1;
            if document != today {
                found.push(Cell { function: function.clone(), a: a.clone(), b: b.clone(), document, today });
            }
        }
    }
    (count, found)
}

/// Writes pairs of operands in a short form: `u8, i8 with c64, c128; bool with c64`.
fn in_words(pairs: &[(String, String)]) -> String {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for (a, b) in pairs {
        match rows.iter_mut().find(|(row, _)| row == a) {
            Some((_, columns)) => columns.push(b),
            None => rows.push((a, vec![b])),
        }
    }
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (row, columns) in rows {
        match groups.iter_mut().find(|(_, known)| *known == columns) {
            Some((rows, _)) => rows.push(row),
            None => groups.push((vec![row], columns)),
        }
    }
    let words =
        groups.iter().map(|(rows, columns)| format!("{} with {}", rows.join(", "), columns.join(", ")));
    words.collect::<Vec<_>>().join("; ")
}

/// Returns the section of `docs/documents.md`.
pub(crate) fn section() -> String {
    let (count, differing) = compare();
    let mut page = format!(
        "\n## Paddle: the table of functions in its documentation of version 2.6\n\n{count} cells of 31 functions, {} differ. The \
         rule set `paddle26` follows the document.\n\n",
        differing.len()
    );
    let mut said = [0; CLAIMS.len()];
    let mut groups: BTreeMap<(usize, String, String, String), Vec<String>> = BTreeMap::new();
    let mut pairs: BTreeMap<(usize, &str, &str, &str), Pairs> = BTreeMap::new();
    for cell in &differing {
        let claim = CLAIMS.iter().position(|(_, of)| of(cell));
        let claim = claim.unwrap_or_else(|| {
            panic!(
                "nothing explains `{}` of {} and {}: {} and {}",
                cell.function, cell.a, cell.b, cell.document, cell.today
            )
        });
        said[claim] += 1;
        let [document, today] = [&cell.document, &cell.today].map(|answer| cell.shown(answer));
        let key = (claim, cell.function.as_str(), document, today);
        pairs.entry(key).or_default().push((cell.a.clone(), cell.b.clone()));
    }
    // In the order of the document's table.
    let mut order: Vec<&str> = Vec::new();
    for cell in &differing {
        if !order.contains(&cell.function.as_str()) {
            order.push(&cell.function);
        }
    }
    let mut cells_of: BTreeMap<(usize, String, String, String), usize> = BTreeMap::new();
    for ((claim, function, document, today), pairs) in &pairs {
        let key = (*claim, in_words(pairs), (*document).to_owned(), (*today).to_owned());
        groups.entry(key.clone()).or_default().push((*function).to_owned());
        *cells_of.entry(key).or_default() += pairs.len();
    }
    for ((claim, _), said) in CLAIMS.iter().zip(said) {
        assert!(said > 0, "`{claim}` explains no cell");
        let _ = writeln!(page, "- {said}: {claim}.");
    }
    page.push_str(
        "\n| functions | operands | the document | today | cells |\n| --- | --- | --- | --- | --- |\n",
    );
    for (key, mut functions) in groups {
        functions.sort_by_key(|function| order.iter().position(|known| known == function));
        let (_, operands, document, today) = &key;
        let _ = writeln!(
            page,
            "| {} | {operands} | {document} | {today} | {} |",
            functions.join(", "),
            cells_of[&key]
        );
    }
    page
}
