//! Recorded tables: lines of words, the first line naming the columns, the first word of each other line its
//! row.

#![allow(dead_code, reason = "each test target uses its part")]

use std::collections::BTreeMap;

use serde_json::Value;

/// The recorded dtypes of PyTorch.
pub(crate) fn torch() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/torch.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the data lie in the repository"))
        .expect("they are JSON")
}

/// The cells of a table in a JSON value: row, column, word.
pub(crate) fn cells(table: &Value) -> Vec<(String, String, String)> {
    let lines: Vec<&str> =
        table.as_array().expect("a table").iter().map(|l| l.as_str().expect("a line")).collect();
    lines_to_cells(&lines)
}

/// The cells of a table as lines.
pub(crate) fn lines_to_cells(lines: &[&str]) -> Vec<(String, String, String)> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let columns = words(lines[0]);
    lines[1..]
        .iter()
        .flat_map(|line| {
            let row = words(line);
            let cells: Vec<_> = columns[1..]
                .iter()
                .zip(&row[1..])
                .map(|(c, w)| (row[0].clone(), c.clone(), w.clone()))
                .collect();
            assert_eq!(
                row.len(),
                columns.len(),
                "a row of {} words under {} columns",
                row.len(),
                columns.len()
            );
            cells
        })
        .collect()
}

/// How many cells of each section were compared, and those that differ.
#[derive(Default)]
pub(crate) struct Score {
    sections: BTreeMap<String, [usize; 2]>,
    wrong: Vec<String>,
}

impl Score {
    /// A cell of a section: what was recorded and what we say.
    pub(crate) fn compare(&mut self, section: &str, cell: &str, recorded: Option<&str>, ours: Option<&str>) {
        self.sections.entry(section.to_owned()).or_default()[0] += 1;
        if recorded != ours {
            self.wrong.push(format!("{section} {cell}: recorded {recorded:?}, ours {ours:?}"));
        }
    }

    /// A cell for which the framework's build has no kernel: no answer to compare with.
    pub(crate) fn excuse(&mut self, section: &str) {
        self.sections.entry(section.to_owned()).or_default()[1] += 1;
    }

    /// Prints the counts; fails if a cell differs, or a section that was expected has no cell.
    pub(crate) fn finish(self, expected: &[&str]) {
        for (section, [compared, excused]) in &self.sections {
            println!("{section:40} {compared:6} equal, {excused:5} without a kernel in the framework");
        }
        for section in expected {
            let used = self.sections.get(*section).is_some_and(|count| count[0] > 0);
            assert!(used, "no cell of {section} was compared");
        }
        let total: usize = self.sections.values().map(|count| count[0]).sum();
        let shown = self.wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.wrong.is_empty(), "{} of {total} cells differ:\n{shown}", self.wrong.len());
        println!("{total} cells, all equal");
    }
}
