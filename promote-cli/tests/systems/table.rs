//! Recorded tables: lines of words, the first line naming the columns, the first word of each other line its
//! row.

use serde_json::{Map, Value};

/// The recorded answers of a framework.
pub(crate) fn data(name: &str) -> Value {
    let path = format!("{}/../tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the data lie in the repository"))
        .expect("JSON")
}

/// A cell: its row, its column and its word. Of a table of one operand the row is empty.
pub(crate) type Cell = (String, String, String);

/// The cells of a section; one that is equal to another is recorded as its name.
pub(crate) fn cells(sections: &Map<String, Value>, name: &str) -> Vec<Cell> {
    let lines = match &sections[name] {
        Value::String(same) => {
            let other = same.strip_prefix("= ").unwrap_or_else(|| panic!("{name} is {same}"));
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
