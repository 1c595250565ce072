//! Tables of recorded dtypes, from the files that `tests/data/README.md` describes.

use serde_json::{Map, Value};

/// The row, the column and the word of a cell. The row is empty in tables of one operand.
pub(crate) type Cell = (String, String, String);

/// Returns the cells of a section. A section that equals another one is recorded as `= NAME`.
pub(crate) fn cells(sections: &Map<String, Value>, name: &str) -> Vec<Cell> {
    let lines = match &sections[name] {
        Value::String(text) => {
            let other = text.strip_prefix("= ").unwrap_or_else(|| panic!("{name} is {text}"));
            return cells(sections, other);
        }
        lines => lines.as_array().unwrap_or_else(|| panic!("{name} is no table")),
    };
    let words = |line: &Value| -> Vec<String> {
        line.as_str().expect("a line").split_whitespace().map(str::to_owned).collect()
    };
    let head = words(&lines[0]);
    if head[0] != "a/b" {
        return head
            .into_iter()
            .zip(words(&lines[1]))
            .map(|(name, word)| (String::new(), name, word))
            .collect();
    }
    let mut cells = Vec::new();
    for line in &lines[1..] {
        let row = words(line);
        assert_eq!(row.len(), head.len(), "{name}: a row of {} words", row.len());
        cells.extend(
            head[1..].iter().zip(&row[1..]).map(|(b, word)| (row[0].clone(), b.clone(), word.clone())),
        );
    }
    cells
}
