//! The table for a document.

use super::{Cell, Matrix, Page};
use crate::terminal;

/// Writes the table as Markdown.
pub(crate) fn write(page: &Page) -> String {
    let mut lines = vec![format!("## {}", prose(&page.title)), String::new()];
    for matrix in &page.matrices {
        if let Some(heading) = matrix.heading {
            lines.extend([format!("{heading}:"), String::new()]);
        }
        write_matrix(&mut lines, matrix);
    }
    if !page.notes.is_empty() {
        lines.extend([format!("{} (`-`):", page.refused), String::new()]);
    }
    lines.extend(page.notes.iter().map(|note| format!("- {}", literal(&note.text()))));
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn write_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    let row = |name: &str, cells: &[String]| format!("| {name} | {} |", cells.join(" | "));
    let names: Vec<String> = matrix.columns.iter().map(|column| literal(&column.name)).collect();
    lines.push(row("", &names));
    lines.push(format!("|{}", " --- |".repeat(names.len() + 1)));
    lines.extend(matrix.rows.iter().map(|(header, cells)| {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        row(&format!("**{}**", literal(&header.name)), &cells)
    }));
    lines.push(String::new());
    if let Some(summary) = &matrix.summary {
        lines.extend([prose(summary), String::new()]);
    }
}

/// Marks a cell in which two rule sets differ.
fn cell(cell: &Cell) -> String {
    let text = literal(&cell.text());
    if cell.texts.len() > 1 { format!("**{text}**") } else { text }
}

/// Escapes text that may contain code in backticks, so that it neither starts a tag nor ends a table cell.
fn prose(text: &str) -> String {
    escaped(text, "")
}

/// Escapes text from a rule file, none of which is Markdown.
fn literal(text: &str) -> String {
    escaped(text, "`[]\\")
}

fn escaped(text: &str, besides: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in terminal::line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c == '|' || besides.contains(c) => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
