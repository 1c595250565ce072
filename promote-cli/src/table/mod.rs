//! `promote table`: the result dtype of each pair of dtypes, for promotion or for an op.
//!
//! - here: the arguments, and the cells of the tables that people read;
//! - `text`, `markdown`, `html`, `svg`: these tables for a terminal, a document, a browser, as a picture;
//! - `json`: every cell of every table, for programs.

pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod svg;
mod text;

use promote::{DType, NumberKind, Op, Operand, PromoteError};
use std::collections::{BTreeMap, BTreeSet};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::load::{Loaded, RulesArgs};
use crate::operands::{NUMBERS, dtypes, of_cell, op, takes_one, title};
use crate::output::{AnswerArgs, Form};
use crate::picture::{Legend, fill};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Show the result dtypes of this op instead of promotion
    #[arg(long)]
    op: Option<String>,
    /// Show these dtypes only, in this order
    #[arg(long, value_name = "DTYPE", value_delimiter = ',')]
    dtypes: Vec<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Format>,
}

impl From<Format> for Form {
    fn from(format: Format) -> Form {
        match format {
            Format::Text => Form::Titled,
            Format::Json => Form::Json,
            Format::Markdown | Format::Html | Format::Svg => Form::Other,
        }
    }
}

/// The forms of a table.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// A table for a terminal
    #[default]
    Text,
    /// A Markdown table for a document
    Markdown,
    /// A page in colours; each cell names the clause that decides it
    Html,
    /// A picture in colours
    Svg,
    /// JSON, for programs
    Json,
}

/// Shows the table.
///
/// # Errors
/// Returns an error if the rule set has mistakes, or no such op, dtype or parameter.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let loaded = args.rules.load()?;
    let op = args.op.as_deref().map(|name| op(&loaded, name)).transpose()?;
    let dtypes = dtypes(&loaded, &args.dtypes)?;
    let page = || page(&loaded, op, &dtypes);
    let told = match args.answer.format {
        Format::Json => terminal::json(&json::write(&loaded, op, &dtypes)),
        Format::Text => text::write(&page()),
        Format::Markdown => markdown::write(&page()),
        Format::Html => html::write(&page()),
        Format::Svg => svg::write(&page()),
    };
    Ok(Answer::new(title(&loaded, &subject(op)), told))
}

/// The contents of a table for people, whatever its form.
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) legend: Legend,
    /// The tables, the first without a heading.
    pub(crate) matrices: Vec<Matrix>,
    /// The heading of the notes.
    pub(crate) refused: &'static str,
    pub(crate) notes: Vec<Note>,
}

/// Cells in rows and columns.
pub(crate) struct Matrix {
    pub(crate) heading: Option<&'static str>,
    pub(crate) columns: Vec<Header>,
    pub(crate) rows: Vec<(Header, Vec<Cell>)>,
    /// The line below it.
    pub(crate) summary: Option<String>,
}

/// The heading of a row or a column: a name and its colour.
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) fill: Option<&'static str>,
}

/// A cell.
pub(crate) struct Cell {
    /// The operands, for notes.
    pub(crate) operands: String,
    /// The dtype with a star if it is weak, or a dash; two of them if two rule sets differ.
    pub(crate) texts: Vec<String>,
    /// The colour; `None` if the operands are refused.
    pub(crate) fill: Option<&'static str>,
    /// The operands, their result, and the clauses that decide or the reason of the refusal.
    pub(crate) because: String,
    /// The refusals in it.
    pub(crate) refused: Vec<Why>,
}

impl Cell {
    /// Returns the text in one line.
    pub(crate) fn text(&self) -> String {
        self.texts.join(" / ")
    }

    /// Returns the numbers of its notes, counted from 1.
    fn marks(&self, notes: &[Note]) -> String {
        let numbers = self.refused.iter().filter_map(|why| notes.iter().position(|note| note.why == *why));
        let numbers: BTreeSet<usize> = numbers.collect();
        let numbers: Vec<String> = numbers.into_iter().map(|at| (at + 1).to_string()).collect();
        numbers.join(",")
    }
}

/// The reason of a refusal: the line, by which reasons are ordered, and the text with its position.
pub(crate) type Why = (u32, String);

/// The reason of a refusal, and the cells that it refuses.
pub(crate) struct Note {
    why: Why,
    cells: Vec<String>,
}

impl Note {
    /// Returns the notes of all cells, in the order of the clauses.
    pub(crate) fn of(matrices: &[Matrix]) -> Vec<Note> {
        let mut found: BTreeMap<&Why, Vec<String>> = BTreeMap::new();
        for cell in matrices.iter().flat_map(|matrix| &matrix.rows).flat_map(|(_, cells)| cells) {
            for why in &cell.refused {
                found.entry(why).or_default().push(cell.operands.clone());
            }
        }
        found.into_iter().map(|(why, cells)| Note { why: why.clone(), cells }).collect()
    }

    /// Returns the operands that are refused for this reason.
    pub(crate) fn operands(&self) -> &[String] {
        &self.cells
    }

    /// Returns the reason, and where the rule file states it.
    pub(crate) fn reason(&self) -> &str {
        &self.why.1
    }

    /// Returns the first of its cells, how many there are, and the reason.
    pub(crate) fn text(&self) -> String {
        let (_, why) = &self.why;
        match &self.cells[..] {
            [one] => format!("{one}: {why}"),
            [first, ..] => format!("{first} and {} more: {why}", self.cells.len() - 1),
            [] => why.clone(),
        }
    }
}

/// The text of a refused cell.
const DASH: &str = "-";

/// The result of operands: the dtype, with a star if it is weak, and the clauses that decide.
struct Found {
    text: String,
    dtype: DType,
    because: String,
}

/// Returns the result of promotion or of the op.
fn find(loaded: &Loaded, op: Option<Op>, operands: &[Operand]) -> Result<Found, Why> {
    let explained = loaded.rules.explain(op, &of_cell(op, operands)).map_err(|error| match error {
        PromoteError::Refused { reason, lacks, file, line, .. } => {
            let lacks = if lacks { "no dtype for the result: " } else { "" };
            (line, format!("{lacks}{reason} ({file}:{line})"))
        }
        // Other errors follow all clauses.
        other => (u32::MAX, loaded.names.show_error(other).to_string()),
    })?;
    let clauses = explained
        .clauses()
        .map(|clause| format!("`{}` in `{}` ({}:{})", clause.text, clause.block, clause.file, clause.line));
    let clauses: Vec<String> = clauses.collect();
    let because = if clauses.is_empty() { String::new() } else { format!(", by {}", clauses.join(", ")) };
    let result = explained.result;
    let text = loaded.names.show_result(result.dtype, result.weak);
    Ok(Found { text, dtype: result.dtype, because })
}

/// Makes cells.
struct Asker<'a> {
    loaded: &'a Loaded,
    op: Option<Op>,
}

impl Asker<'_> {
    /// Returns the cell of operands in this order. `shown` names them in tooltips, `noted` in notes.
    fn cell(&self, operands: &[Operand], shown: &str, noted: &str) -> Cell {
        let (text, dtype, because, refused) = match find(self.loaded, self.op, operands) {
            Ok(Found { text, dtype, because }) => {
                let because = format!("{shown}: {text}{because}");
                (text, Some(dtype), because, Vec::new())
            }
            Err(why) => (DASH.to_owned(), None, format!("{shown}: refused, {}", why.1), vec![why]),
        };
        Cell {
            operands: noted.to_owned(),
            texts: vec![text],
            fill: dtype.map(|dtype| fill(self.loaded, dtype)),
            because,
            refused,
        }
    }

    /// Returns the cell of two operands in both orders.
    fn both(&self, a: (&str, Operand), b: (&str, Operand), noted: &str) -> Cell {
        let cell = |x: (&str, Operand), y: (&str, Operand)| {
            self.cell(&[x.1, y.1], &format!("{} with {}", x.0, y.0), noted)
        };
        let (right, left) = (cell(a, b), cell(b, a));
        if left.texts == right.texts && left.refused == right.refused {
            return right;
        }
        Cell {
            texts: if left.texts == right.texts {
                right.texts
            } else {
                vec![format!("{}, left {}", right.text(), left.text())]
            },
            fill: right.fill.or(left.fill),
            because: format!("{}; {}", right.because, left.because),
            refused: [right.refused, left.refused].concat(),
            operands: right.operands,
        }
    }

    fn header(&self, dtype: DType) -> Header {
        Header { name: self.loaded.show(dtype).into_owned(), fill: Some(fill(self.loaded, dtype)) }
    }

    /// Returns the table of single operands.
    fn of_one(&self, dtypes: &[DType]) -> Matrix {
        let row = |dtype: &DType| {
            let name = self.loaded.show(*dtype);
            (self.header(*dtype), vec![self.cell(&[Operand::Array(*dtype)], &name, &name)])
        };
        Matrix {
            heading: None,
            columns: vec![Header { name: "gives".to_owned(), fill: None }],
            rows: dtypes.iter().map(row).collect(),
            summary: None,
        }
    }

    /// Returns the table of pairs of dtypes.
    fn of_two(&self, dtypes: &[DType]) -> Matrix {
        let row = |a: &DType| {
            let cells = dtypes.iter().map(|b| {
                let operands = format!("{} with {}", self.loaded.show(*a), self.loaded.show(*b));
                self.cell(&[Operand::Array(*a), Operand::Array(*b)], &operands, &operands)
            });
            (self.header(*a), cells.collect())
        };
        Matrix {
            heading: None,
            columns: dtypes.iter().map(|dtype| self.header(*dtype)).collect(),
            rows: dtypes.iter().map(row).collect(),
            summary: None,
        }
    }

    /// Returns the table of arrays with numbers.
    fn of_numbers(&self, dtypes: &[DType]) -> Matrix {
        let row = |a: &DType| {
            let cells = NumberKind::ALL.into_iter().zip(&NUMBERS).map(|(kind, (name, number))| {
                let a_name = self.loaded.show(*a);
                let noted = format!("{a_name} with a number of kind {}", kind.name());
                self.both((&a_name, Operand::Array(*a)), (name, Operand::Number(*number)), &noted)
            });
            (self.header(*a), cells.collect())
        };
        Matrix {
            heading: Some("An array with a Python number"),
            columns: NUMBERS
                .iter()
                .map(|(name, _)| Header { name: (*name).to_owned(), fill: None })
                .collect(),
            rows: dtypes.iter().map(row).collect(),
            summary: None,
        }
    }

    /// Returns the table of operands with weak arrays.
    fn of_weak(&self, dtypes: &[DType]) -> Matrix {
        let weak =
            |dtype: &DType| (self.loaded.names.show_result(*dtype, true), *dtype, Operand::Weak(*dtype));
        let arrays = dtypes.iter();
        let arrays =
            arrays.map(|dtype| (self.loaded.show(*dtype).into_owned(), *dtype, Operand::Array(*dtype)));
        let columns: Vec<_> = dtypes.iter().map(weak).collect();
        let header = |name: &str, dtype: DType| Header { name: name.to_owned(), ..self.header(dtype) };
        let row = |(a, dtype, x): (String, DType, Operand)| {
            let cells = columns.iter().map(|(b, _, y)| self.both((&a, x), (b, *y), &format!("{a} with {b}")));
            (header(&a, dtype), cells.collect())
        };
        Matrix {
            heading: Some("With a weak array (*)"),
            columns: columns.iter().map(|(name, dtype, _)| header(name, *dtype)).collect(),
            rows: arrays.chain(dtypes.iter().map(weak)).map(row).collect(),
            summary: None,
        }
    }
}

/// Returns the subject of a table.
pub(crate) fn subject(op: Option<Op>) -> String {
    match op {
        None => "promotion of two arrays".to_owned(),
        Some(op @ Op::Custom(custom)) if custom.has_kernels() => {
            format!("result dtypes of `{op}`, by the common dtype of its inputs")
        }
        Some(op) => match op.arity() {
            ..=2 => format!("result dtypes of `{op}`"),
            3 => format!("result dtypes of `{op}(a, b, b)`"),
            _ => format!("result dtypes of `{op}(a, b, b, b)`"),
        },
    }
}

/// Returns the tables for people: of arrays, of arrays with numbers, and, if `weak`, of weak arrays. An op of
/// one operand has a single table.
pub(crate) fn matrices(loaded: &Loaded, op: Option<Op>, dtypes: &[DType], weak: bool) -> Vec<Matrix> {
    let asker = Asker { loaded, op };
    if op.is_some_and(takes_one) {
        return vec![asker.of_one(dtypes)];
    }
    let mut found = vec![asker.of_two(dtypes), asker.of_numbers(dtypes)];
    found.extend(weak.then(|| asker.of_weak(dtypes)));
    found
}

fn page(loaded: &Loaded, op: Option<Op>, dtypes: &[DType]) -> Page {
    let matrices = matrices(loaded, op, dtypes, false);
    Page {
        title: title(loaded, &subject(op)),
        legend: Legend { refused: Some("refused".to_owned()), ..Legend::of_dtypes(loaded) },
        notes: Note::of(&matrices),
        refused: "Refused",
        matrices,
    }
}
