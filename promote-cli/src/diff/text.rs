//! The cells that differ, for a terminal.

use std::collections::BTreeMap;

use super::page::{Compared, Found, write as page};
use super::{Counted, Pair, Verdict};
use crate::operands::takes_one;
use crate::picture::wrap;

/// The length of a line of operands.
const LETTERS: usize = 76;

/// Writes the cells that differ.
pub(super) fn write(pair: &Pair, found: &Found) -> String {
    let mut lines = vec![pair.title(), String::new()];
    for compared in &found.0 {
        if let Some(heading) = compared.both[0].heading {
            lines.extend([heading.to_owned(), String::new()]);
        }
        list(&mut lines, pair, compared);
        lines.extend([Counted(compared.counts, &pair.names).to_string(), String::new()]);
    }
    let page = page(pair, found);
    if !page.notes.is_empty() {
        lines.extend([format!("{} (-)", page.refused), String::new()]);
        lines.extend(page.notes.iter().map(|note| format!("  {}", note.text())));
        lines.push(String::new());
    }
    lines.extend(pair.only());
    if !pair.chosen && pair.only.iter().any(|only| !only.is_empty()) {
        lines.push("`--dtypes` lists the cells of dtypes that only one has".to_owned());
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// A line of operands with the same two answers, and a flag if they hold for one order of the operands only.
struct Line<'a> {
    text: String,
    /// One of the rule sets lacks a dtype of the operands.
    absent: bool,
    in_order: bool,
    rows: Vec<&'a str>,
    columns: Vec<&'a str>,
}

/// Returns the lines of all cells that differ. If both orders of operands differ alike, the second is left
/// out.
fn lines_of<'a>(pair: &'a Pair, compared: &'a Compared) -> Vec<Line<'a>> {
    let mut texts: BTreeMap<(&str, &str), Option<String>> = BTreeMap::new();
    for (row, cell_pairs) in compared.rows(pair) {
        for cell_pair in cell_pairs {
            let text =
                cell_pair.verdict.differs().then(|| [cell_pair.text(0), cell_pair.text(1)].join(" / "));
            texts.insert((row, cell_pair.column), text);
        }
    }
    let order: BTreeMap<&str, usize> = compared.rows(pair).zip(0..).map(|((row, _), at)| (row, at)).collect();
    let mut found: Vec<Line> = Vec::new();
    for (at, (row, cell_pairs)) in compared.rows(pair).enumerate() {
        let mut of_row: Vec<Line> = Vec::new();
        for cell_pair in cell_pairs {
            let Some(text) = &texts[&(row, cell_pair.column)] else { continue };
            let other = texts.get(&(cell_pair.column, row));
            let alike = other.is_none_or(|other| other.as_ref() == Some(text));
            let before = order.get(cell_pair.column).is_some_and(|column| *column < at);
            if alike && before && other.is_some() {
                continue;
            }
            match of_row.iter_mut().find(|line| line.text == *text && line.in_order != alike) {
                Some(line) => line.columns.push(cell_pair.column),
                None => of_row.push(Line {
                    text: text.clone(),
                    absent: matches!(cell_pair.verdict, Verdict::Absent(_)),
                    in_order: !alike,
                    rows: vec![row],
                    columns: vec![cell_pair.column],
                }),
            }
        }
        for line in of_row {
            let same = |l: &&mut Line| {
                (&l.text, l.in_order, &l.columns) == (&line.text, line.in_order, &line.columns)
            };
            match found.iter_mut().find(same) {
                Some(known) => known.rows.push(row),
                None => found.push(line),
            }
        }
    }
    // Cells that both rule sets answer come first.
    found.sort_by_key(|line| line.absent);
    found
}

fn list(lines: &mut Vec<String>, pair: &Pair, compared: &Compared) {
    let unary = pair.op.is_some_and(takes_one);
    let mut found = lines_of(pair, compared);
    // Each rule set may have dozens of dtypes that the other lacks, so they are listed on request only.
    found.retain(|line| pair.chosen || !line.absent);
    if found.is_empty() {
        return;
    }
    let head = pair.names.join(" / ");
    let width = found.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
    lines.push(format!("  {head}{}", if unary { "" } else { ", in either order of the operands" }));
    for Line { text, in_order, rows, columns, .. } in &found {
        let mut operands = rows.join(", ");
        if !unary {
            operands = format!("{operands} with {}", columns.join(", "));
        }
        if *in_order {
            operands += ", in this order alone";
        }
        for (at, part) in wrap(&operands, LETTERS).iter().enumerate() {
            let (text, indent) = if at == 0 { (text.as_str(), "") } else { ("", "  ") };
            lines.push(format!("  {text:<width$}  {indent}{part}"));
        }
    }
    lines.push(String::new());
}
