//! `promote table`: what every two operands promote to, or what an op makes of its operands.
//!
//! - here: the arguments, and the cells as a person reads them;
//! - `text`, `markdown`, `html`, `svg`: the same cells for a terminal, a document, a browser, a picture;
//! - `json`: every cell of every table, for a program.

mod html;
mod json;
mod markdown;
mod svg;
mod text;

use std::collections::BTreeSet;

use promote::{DType, Number, NumberKind, Op, Operand, PromoteError, RuleSet};

use crate::bundled::{Loaded, RulesArgs};
use crate::failure::{Failure, listed};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Show what comes out of this op, not what its operands promote to
    #[arg(long)]
    op: Option<String>,
    /// The form of the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The forms of a table.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Format {
    /// For a terminal
    Text,
    /// For a document
    Markdown,
    /// A page in colours, each cell with the clause that decides it
    Html,
    /// A picture in colours
    Svg,
    /// For a program
    Json,
}

/// Shows the table.
///
/// # Errors
/// The rule set has mistakes, or no such op or parameter.
pub fn run(args: &Args) -> Result<String, Failure> {
    let loaded = args.rules.load()?;
    let op = args.op.as_deref().map(|name| op(&loaded.rules, name)).transpose()?;
    let page = || page(&loaded, op);
    Ok(match args.format {
        Format::Json => format!("{}\n", json::write(&loaded, op)),
        Format::Text => text::write(&page()),
        Format::Markdown => markdown::write(&page()),
        Format::Html => html::write(&loaded, &page()),
        Format::Svg => svg::write(&loaded, &page()),
    })
}

/// The op of a name, if the rule set speaks of it.
///
/// # Errors
/// It does not.
pub fn op(rules: &RuleSet, name: &str) -> Result<Op, Failure> {
    let ops = rules.tables().ops;
    ops.iter().map(|table| table.op).find(|op| op.name() == name).ok_or_else(|| {
        Failure::new(format!("{} says nothing about the op `{name}`", rules.name()))
            .help(format!("its ops: {}", listed(ops.iter().map(|table| table.op.name()))))
    })
}

/// A number of each kind, by the names that tables have for them.
pub const NUMBERS: [(&str, Number); 4] = [
    ("py_bool", Number::Bool(true)),
    ("py_int", Number::Int(1)),
    ("py_float", Number::Float(1.0)),
    ("py_complex", Number::Complex(1.0, 1.0)),
];

/// The parameters and the values that they have.
pub(crate) fn params(loaded: &Loaded) -> Vec<(&'static str, &'static str)> {
    let params = loaded.rules.tables().params;
    let mut rest = usize::from(loaded.setting);
    // The last parameter changes fastest.
    let mut found: Vec<_> = params
        .iter()
        .rev()
        .map(|param| {
            let at = rest % param.values.len();
            rest /= param.values.len();
            (param.name, param.values[at])
        })
        .collect();
    found.reverse();
    found
}

/// What something shows of a rule set, and under which parameters: a title.
pub(crate) fn title(loaded: &Loaded, what: &str) -> String {
    let params: Vec<String> =
        params(loaded).iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let params = if params.is_empty() { String::new() } else { format!(" ({})", params.join(", ")) };
    format!("{}: {what}{params}", loaded.rules.name())
}

/// All that a table for a person says, whatever its form.
struct Page {
    title: String,
    /// The tables, the first without a heading.
    matrices: Vec<Matrix>,
    notes: Vec<Note>,
}

/// Cells in rows and columns; one column is a table, too.
struct Matrix {
    heading: Option<&'static str>,
    columns: Vec<Header>,
    rows: Vec<(Header, Vec<Cell>)>,
}

/// The name of a row or a column, and the dtype that colours it.
struct Header {
    name: String,
    dtype: Option<DType>,
}

/// A cell.
struct Cell {
    /// The dtype, or a dash; with a star where the result is weak.
    text: String,
    /// The dtype that colours it, absent where it is refused.
    dtype: Option<DType>,
    /// The operands, what comes out, and the clauses that decide or the reason of the refusal.
    because: String,
    /// The refusals in it.
    refused: Vec<Why>,
}

impl Cell {
    /// The numbers of its notes, counted from 1.
    fn marks(&self, notes: &[Note]) -> String {
        let numbers = self.refused.iter().filter_map(|why| notes.iter().position(|note| note.why == *why));
        let numbers: BTreeSet<usize> = numbers.collect();
        let numbers: Vec<String> = numbers.into_iter().map(|at| (at + 1).to_string()).collect();
        numbers.join(",")
    }
}

/// Why a cell is refused, in the order of the clauses: the line, the reason and its place.
type Why = (u32, String);

/// Why cells are refused, and which.
struct Note {
    why: Why,
    cells: Vec<String>,
}

impl Note {
    /// The first of its cells, how many there are, and the reason.
    fn text(&self) -> String {
        let (_, why) = &self.why;
        match &self.cells[..] {
            [one] => format!("{one}: {why}"),
            [first, ..] => format!("{first} and {} more: {why}", self.cells.len() - 1),
            [] => why.clone(),
        }
    }
}

/// What comes of operands: the dtype, with a star where it is weak, and the clauses that decide.
struct Found {
    text: String,
    dtype: DType,
    because: String,
}

/// What operands promote to, or what comes out of the op.
fn find(rules: &RuleSet, op: Option<Op>, operands: &[Operand]) -> Result<Found, Why> {
    let explained = rules.explain(op, operands).map_err(|error| match error {
        PromoteError::Refused { reason, file, line, .. } => (line, format!("{reason} ({file}:{line})")),
        // After all clauses.
        other => (u32::MAX, other.to_string()),
    })?;
    let clauses = explained
        .because()
        .map(|clause| format!("`{}` in `{}` ({}:{})", clause.text, clause.block, clause.file, clause.line));
    let clauses: Vec<String> = clauses.collect();
    let because = if clauses.is_empty() { String::new() } else { format!(", by {}", clauses.join(", ")) };
    let result = explained.result;
    let text = format!("{}{}", result.dtype, if result.weak { "*" } else { "" });
    Ok(Found { text, dtype: result.dtype, because })
}

/// Makes cells, and keeps the notes.
struct Asker<'a> {
    rules: &'a RuleSet,
    op: Option<Op>,
    notes: Vec<Note>,
}

impl Asker<'_> {
    /// The cell of operands that stand in this order. `shown` names them where the cursor is, `noted` in a note.
    fn cell(&mut self, operands: &[Operand], shown: &str, noted: impl FnOnce() -> String) -> Cell {
        match find(self.rules, self.op, operands) {
            Ok(Found { text, dtype, because }) => Cell {
                because: format!("{shown}: {text}{because}"),
                text,
                dtype: Some(dtype),
                refused: Vec::new(),
            },
            Err(why) => {
                let because = format!("{shown}: refused, {}", why.1);
                match self.notes.iter_mut().find(|note| note.why == why) {
                    Some(note) => note.cells.push(noted()),
                    None => self.notes.push(Note { why: why.clone(), cells: vec![noted()] }),
                }
                Cell { text: "-".to_owned(), dtype: None, because, refused: vec![why] }
            }
        }
    }

    /// The cell of two operands in both orders.
    fn both(&mut self, a: (&str, Operand), b: (&str, Operand), noted: &str) -> Cell {
        let mut cell = |x: (&str, Operand), y: (&str, Operand)| {
            self.cell(&[x.1, y.1], &format!("{} with {}", x.0, y.0), || noted.to_owned())
        };
        let (right, left) = (cell(a, b), cell(b, a));
        if left.text == right.text && left.refused == right.refused {
            return right;
        }
        Cell {
            text: if left.text == right.text {
                right.text
            } else {
                format!("{}, left {}", right.text, left.text)
            },
            dtype: right.dtype.or(left.dtype),
            because: format!("{}; {}", right.because, left.because),
            refused: [right.refused, left.refused].concat(),
        }
    }
}

/// The tables of a person: of arrays, and of an array with a number, or of one array.
fn page(loaded: &Loaded, op: Option<Op>) -> Page {
    let mut asker = Asker { rules: &loaded.rules, op, notes: Vec::new() };
    let (what, matrices) = match op {
        Some(op) if op.arity() == 1 => {
            (format!("what comes out of `{op}`"), vec![of_one(loaded, &mut asker)])
        }
        Some(op) => (format!("what comes out of `{op}`"), of_two(loaded, &mut asker)),
        None => ("what two arrays promote to".to_owned(), of_two(loaded, &mut asker)),
    };
    let mut notes = asker.notes;
    notes.sort_by(|a, b| a.why.cmp(&b.why));
    Page { title: title(loaded, &what), matrices, notes }
}

fn header(dtype: &DType) -> Header {
    Header { name: dtype.to_string(), dtype: Some(*dtype) }
}

/// What comes of each dtype.
fn of_one(loaded: &Loaded, asker: &mut Asker<'_>) -> Matrix {
    let dtypes = loaded.rules.tables().dtypes;
    let row = |dtype: &DType| {
        let name = dtype.to_string();
        (header(dtype), vec![asker.cell(&[Operand::Array(*dtype)], &name, || name.clone())])
    };
    Matrix {
        heading: None,
        columns: vec![Header { name: "gives".to_owned(), dtype: None }],
        rows: dtypes.iter().map(row).collect(),
    }
}

/// What comes of every two dtypes, and of a dtype and a number.
fn of_two(loaded: &Loaded, asker: &mut Asker<'_>) -> Vec<Matrix> {
    let dtypes = loaded.rules.tables().dtypes;
    let mut row = |a: &DType| {
        let cells = dtypes.iter().map(|b| {
            let operands = format!("{a} with {b}");
            asker.cell(&[Operand::Array(*a), Operand::Array(*b)], &operands, || operands.clone())
        });
        (header(a), cells.collect())
    };
    let arrays = Matrix {
        heading: None,
        columns: dtypes.iter().map(header).collect(),
        rows: dtypes.iter().map(&mut row).collect(),
    };
    let mut row = |a: &DType| {
        let cells = NumberKind::ALL.into_iter().zip(&NUMBERS).map(|(kind, (name, number))| {
            let noted = format!("{a} with a number of kind {}", kind.name());
            asker.both((a.name(), Operand::Array(*a)), (name, Operand::Scalar(*number)), &noted)
        });
        (header(a), cells.collect())
    };
    let numbers = Matrix {
        heading: Some("An array with a Python number"),
        columns: NUMBERS.iter().map(|(name, _)| Header { name: (*name).to_owned(), dtype: None }).collect(),
        rows: dtypes.iter().map(&mut row).collect(),
    };
    vec![arrays, numbers]
}
