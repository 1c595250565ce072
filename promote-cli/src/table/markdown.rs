//! The table for a document.

use super::{Cell, Matrix, Page};

/// Writes it.
pub(crate) fn write(page: &Page) -> String {
    let mut lines = vec![format!("## {}", page.title), String::new()];
    for matrix in &page.matrices {
        if let Some(heading) = matrix.heading {
            lines.extend([format!("{heading}:"), String::new()]);
        }
        write_matrix(&mut lines, matrix);
    }
    if !page.notes.is_empty() {
        lines.extend([format!("{} (`-`):", page.refused), String::new()]);
    }
    lines.extend(page.notes.iter().map(|note| format!("- {}", note.text())));
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn write_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    let row = |name: &str, cells: &[String]| format!("| {name} | {} |", cells.join(" | "));
    let names: Vec<String> = matrix.columns.iter().map(|column| column.name.clone()).collect();
    lines.push(row("", &names));
    lines.push(format!("|{}", " --- |".repeat(names.len() + 1)));
    lines.extend(matrix.rows.iter().map(|(header, cells)| {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        row(&format!("**{}**", header.name), &cells)
    }));
    lines.push(String::new());
    if let Some(summary) = &matrix.summary {
        lines.extend([summary.clone(), String::new()]);
    }
}

/// Where two rule sets differ, it stands out.
fn cell(cell: &Cell) -> String {
    if cell.texts.len() > 1 { format!("**{}**", cell.text()) } else { cell.text() }
}
