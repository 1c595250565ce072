//! Paddle 2.6 as its document describes it: two tables of dtypes, and a table that gives each function a rule
//! for two tensors and a rule for a tensor and a number.

use std::collections::BTreeMap;

use promote::Op;

use crate::answers::{As, Rules};
use crate::data::data;
use crate::table::cells;

/// The document's dtype for two operands. Misprints are replaced by the cell across the diagonal.
struct Document {
    promoted: BTreeMap<(String, String), String>,
    tensors: Vec<String>,
    numbers: Vec<String>,
}

/// The cells that `docs/documents.md` lists as misprints.
const MISPRINTS: [(&str, &str); 2] = [("c64", "f64"), ("c64", "i64")];

impl Document {
    fn read() -> Document {
        let data = data("paddle");
        let sections = data["sections"].as_object().expect("sections");
        let mut promoted = BTreeMap::new();
        let (mut tensors, mut numbers) = (Vec::new(), Vec::new());
        for (a, b, word) in cells(sections, "seed|promote_types") {
            if a == b {
                tensors.push(a.clone());
            }
            promoted.insert((a, b), word);
        }
        for (a, b) in MISPRINTS {
            let (cell, across) = ((a.to_owned(), b.to_owned()), (b.to_owned(), a.to_owned()));
            promoted.insert(cell, promoted[&across].clone());
        }
        for (a, b, word) in cells(sections, "seed|tensor_scalar") {
            if a == "bool" {
                numbers.push(b.clone());
            }
            promoted.insert((b.clone(), a.clone()), word.clone());
            promoted.insert((a, b), word);
        }
        assert_eq!((promoted.len(), tensors.len(), numbers.len()), (144 + 2 * 48, 12, 4));
        Document { promoted, tensors, numbers }
    }

    /// Returns the dtype that a rule of the table of functions gives; `None` if the document does not say.
    fn says(&self, rule: &str, a: &str, b: &str) -> Option<String> {
        let promoted = &self.promoted[&(a.to_owned(), b.to_owned())];
        let complex = [a, b].iter().any(|operand| operand.contains("c64") || operand.contains("c128"));
        // Between tensors of one dtype there is nothing to promote.
        let promotes = promoted != "-";
        Some(match rule {
            "Logic" if complex || a == "py_complex" || b == "py_complex" => "-".to_owned(),
            _ if a == b && (rule == "-" || !promotes) => return None,
            "Divide" if ["bool", "u8", "i8", "i16", "i32", "i64"].contains(&promoted.as_str()) => {
                "f32".to_owned()
            }
            "Common" | "Divide" => promoted.clone(),
            "Logic" if promotes => "bool".to_owned(),
            "Logic" | "-" => "-".to_owned(),
            rule => panic!("the document has no {rule} Rule"),
        })
    }
}

/// If the document does not say, the answer is today's.
#[test]
fn every_function_follows_its_documented_rule() {
    let (document, paddle26, paddle) = (Document::read(), Rules::load("paddle26"), Rules::load("paddle"));
    let data = data("paddle");
    let functions = data["sections"]["seed|apis"].as_array().expect("a table");
    let (mut said, mut unsaid) = (0, 0);
    for function in &functions[1..] {
        let words: Vec<&str> = function.as_str().expect("a line").split(' ').collect();
        let [name, of_tensors, of_number] = words[..] else { panic!("{function}") };
        let op: Op = name.parse().unwrap_or_else(|_| panic!("{name} is no op"));
        let mut check = |rule: &str, a: &str, b: &str| {
            let answer = |rules: &Rules| {
                let operands = [rules.operand(a, As::Array), rules.operand(b, As::Array)];
                rules.op(op, &operands).unwrap_or_else(|| "-".to_owned())
            };
            let expected = document.says(rule, a, b);
            *(if expected.is_some() { &mut said } else { &mut unsaid }) += 1;
            let expected = expected.unwrap_or_else(|| answer(&paddle));
            assert_eq!(answer(&paddle26), expected, "{name} of {a} and {b} by the rule `{rule}`");
        };
        for a in &document.tensors {
            for b in &document.tensors {
                check(of_tensors, a, b);
            }
            for b in &document.numbers {
                check(of_number, a, b);
                check(of_number, b, a);
            }
        }
    }
    assert_eq!((functions.len() - 1, said + unsaid), (32, 32 * (144 + 2 * 48)));
    // Bool and the integers with themselves, and all 12 dtypes in the 3 bitwise functions; of the Logic Rule
    // complex numbers are out.
    assert_eq!(unsaid, 29 * 6 + 3 * 12);
}

/// The document's table is that of `+` with two tensors, and of numbers alone.
#[test]
fn promotion_follows_the_documented_tables() {
    let (document, rules) = (Document::read(), Rules::load("paddle26"));
    for ((a, b), printed) in &document.promoted {
        let found = rules.result(&[rules.operand(a, As::Array), rules.operand(b, As::Array)]);
        let expected = if a == b && printed == "-" { a } else { printed };
        assert_eq!(found.unwrap_or_else(|| "-".to_owned()), *expected, "{a} and {b}");
    }
    let data = data("paddle");
    for (_, number, dtype) in cells(data["sections"].as_object().expect("sections"), "seed|default_dtype") {
        assert_eq!(rules.result(&[rules.operand(&number, As::Array)]), Some(dtype));
    }
}
