//! Tables as lines of words: the first line names the columns, and each other line begins with its row.

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
