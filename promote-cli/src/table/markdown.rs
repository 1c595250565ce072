//! The table for a document.

use super::{Matrix, Page};

/// Writes it.
pub(super) fn write(page: &Page) -> String {
    let mut lines = vec![format!("## {}", page.title), String::new()];
    for matrix in &page.matrices {
        if let Some(heading) = matrix.heading {
            lines.extend([format!("{heading}:"), String::new()]);
        }
        write_matrix(&mut lines, matrix);
    }
    if !page.notes.is_empty() {
        lines.extend(["Refused (`-`):".to_owned(), String::new()]);
    }
    lines.extend(page.notes.iter().map(|note| format!("- {}", note.text())));
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn write_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    let row = |name: &str, cells: &[&str]| format!("| {name} | {} |", cells.join(" | "));
    let names: Vec<&str> = matrix.columns.iter().map(|column| column.name.as_str()).collect();
    lines.push(row("", &names));
    lines.push(format!("|{}", " --- |".repeat(names.len() + 1)));
    lines.extend(matrix.rows.iter().map(|(header, cells)| {
        let cells: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
        row(&format!("**{}**", header.name), &cells)
    }));
    lines.push(String::new());
}
