//! The table as a self-contained page without scripts.
//!
//! The text is both HTML and XML, so that a page can be part of a document of either.

use std::fmt::Write as _;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Cell, Header, Matrix, Page};
use crate::picture::{FAINT, FRAME, HATCH, INK, Legend, MONOSPACE, PAPER, REFUSED, SANS, tidy};

/// The elements that XML closes and HTML does not.
const META: &str =
    r#"<meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>"#;

/// Writes the table as a page.
pub(crate) fn write(page: &Page) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (PreEscaped(META))
                title { (tidy(&page.title)) }
                style { (PreEscaped(style())) }
            }
            body {
                h1 { (tidy(&page.title)) }
                (legend(&page.legend))
                @for matrix in &page.matrices { (table(page, matrix)) }
                @if !page.notes.is_empty() {
                    h2 { (page.refused) }
                    ol {
                        @for note in &page.notes { li { (tidy(&note.text())) } }
                    }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn table(page: &Page, matrix: &Matrix) -> Markup {
    html! {
        @if let Some(heading) = matrix.heading { h2 { (heading) } }
        div class="wide" {
            table {
                thead {
                    tr {
                        td {}
                        @for column in &matrix.columns { (header(column, "col")) }
                    }
                }
                tbody {
                    @for (name, cells) in &matrix.rows {
                        tr {
                            (header(name, "row"))
                            @for found in cells { (cell(page, found)) }
                        }
                    }
                }
            }
        }
        @if let Some(summary) = &matrix.summary { p { (tidy(summary)) } }
    }
}

fn header(header: &Header, scope: &str) -> Markup {
    html! { th scope=(scope) style=[header.fill.map(ground)] { (tidy(&header.name)) } }
}

fn cell(page: &Page, cell: &Cell) -> Markup {
    let marks = cell.marks(&page.notes);
    html! {
        td class=[cell.fill.is_none().then_some("refused")]
            style=[cell.fill.map(ground)]
            title=(tidy(&cell.because)) {
            (tidy(&cell.text()))
            @if !marks.is_empty() { sup { (marks) } }
        }
    }
}

fn ground(fill: &str) -> String {
    format!("background:{fill}")
}

fn legend(legend: &Legend) -> Markup {
    html! {
        p class="legend" {
            @for (shades, words) in &legend.entries {
                span class="hue" {
                    @for shade in shades { span class="swatch" style=(ground(shade)) {} }
                    " " (tidy(words))
                }
                " "
            }
            @if let Some(words) = &legend.refused {
                span class="hue" { span class="swatch refused" {} " " (tidy(words)) }
                " "
            }
            (tidy(&legend.words)) "; a cell says why where the pointer rests"
        }
    }
}

fn style() -> String {
    let mut css = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        css,
        "
:root {{ color-scheme: light; }}
body {{ margin: 1.5rem; background: {PAPER}; color: {INK}; font: 15px/1.5 {SANS}; }}
h1 {{ font-size: 1.35rem; }}
h2 {{ font-size: 1.1rem; margin-top: 1.6rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: separate; border-spacing: 2px; font: 12px/1 {MONOSPACE}; }}
th, td {{ padding: 0.45rem 0.4rem; border-radius: 3px; text-align: center; white-space: nowrap; }}
th {{ font-weight: 700; }}
th[scope=row] {{ text-align: left; }}
td[title] {{ cursor: help; }}
sup {{ font-size: 9px; line-height: 0; color: {FAINT}; }}
ol {{ color: {INK}; }}
.refused {{ background: repeating-linear-gradient(135deg, {REFUSED} 0 4px, {HATCH} 4px 5px); color: {FAINT}; }}
.legend {{ color: {FAINT}; font-size: 13px; }}
.hue {{ white-space: nowrap; margin-right: 0.9rem; }}
.swatch {{ display: inline-block; width: 0.9em; height: 0.9em; vertical-align: -0.1em; outline: 1px solid {FRAME}33; }}
"
    );
    css
}
