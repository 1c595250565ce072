//! The table for a terminal.

use super::{Cell, Matrix, Page};

/// Writes the table as text.
pub(super) fn write(page: &Page) -> String {
    let mut lines = vec![page.title.clone(), String::new()];
    for matrix in &page.matrices {
        if let Some(heading) = matrix.heading {
            lines.extend([heading.to_owned(), String::new()]);
        }
        write_matrix(&mut lines, matrix);
    }
    if !page.notes.is_empty() {
        lines.extend([format!("{} (-)", page.refused), String::new()]);
    }
    lines.extend(page.notes.iter().map(|note| format!("  {}", note.text())));
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// Writes as many columns side by side as fit 100 characters, and the others below.
fn write_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    const WIDTH: usize = 100;
    let names: Vec<String> = matrix.columns.iter().map(|column| column.name.clone()).collect();
    let rows: Vec<(&str, Vec<String>)> = matrix
        .rows
        .iter()
        .map(|(header, cells)| (header.name.as_str(), cells.iter().map(Cell::text).collect()))
        .collect();
    let first = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().map(move |(_, cells)| cells[column].len());
    let widths = names.iter().enumerate();
    let widths: Vec<usize> =
        widths.map(|(column, name)| cells(column).chain([name.len()]).max().unwrap_or(0)).collect();
    let mut start = 0;
    while start < widths.len() {
        let mut end = start;
        let mut total = first;
        while end < widths.len() && (end == start || total + 2 + widths[end] <= WIDTH) {
            total += 2 + widths[end];
            end += 1;
        }
        for (name, cells) in
            std::iter::once(("", &names)).chain(rows.iter().map(|(name, cells)| (*name, cells)))
        {
            let cells =
                (start..end).map(|column| format!("  {:<width$}", cells[column], width = widths[column]));
            lines.push(format!("{name:<first$}{}", cells.collect::<String>()).trim_end().to_owned());
        }
        lines.push(String::new());
        start = end;
    }
}
