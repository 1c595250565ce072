//! `promote table`: what every two operands promote to, or what an op makes of its operands.
//!
//! - here: the arguments, and the cells as a person reads them;
//! - `text`, `markdown`, `html`, `svg`: the same cells for a terminal, a document, a browser, a picture;
//! - `json`: every cell of every table, for a program.

pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod svg;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use promote::{DType, Number, NumberKind, Op, Operand, PromoteError, RuleSet};
use promote_rules::model::Category;

use crate::bundled::{Loaded, RulesArgs};
use crate::failure::{Failure, listed};
use crate::picture::{Legend, fill};
use crate::suggest::near_op;
use crate::{cast, replace, terminal};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Show what comes out of this op, not what its operands promote to
    #[arg(long)]
    op: Option<String>,
    /// Show these dtypes only, in this order
    #[arg(long, value_name = "DTYPE", value_delimiter = ',')]
    dtypes: Vec<String>,
    /// The form of the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write it to this file, and its title to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
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
/// The rule set has mistakes, or no such op, dtype or parameter; or the file cannot be written.
pub fn run(args: &Args) -> Result<String, Failure> {
    args.output.as_deref().map_or(Ok(()), replace::check)?;
    let loaded = args.rules.load()?;
    let op = args.op.as_deref().map(|name| op(&loaded.rules, name)).transpose()?;
    let dtypes = dtypes(&loaded, &args.dtypes)?;
    let page = || page(&loaded, op, &dtypes);
    let told = match args.format {
        Format::Json => terminal::json(&json::write(&loaded, op, &dtypes)),
        Format::Text => text::write(&page()),
        Format::Markdown => markdown::write(&page()),
        Format::Html => html::write(&page()),
        Format::Svg => svg::write(&page()),
    };
    let Some(path) = &args.output else { return Ok(told) };
    replace::replace(path, &[terminal::lines(&told).as_bytes()])?;
    let path = path.display().to_string();
    Ok(format!("{}: {}\n", terminal::line(&path), title(&loaded, &subject(op))))
}

/// The dtypes of these names, in their order; all of the rule set if there are no names.
fn dtypes(loaded: &Loaded, names: &[String]) -> Result<Vec<DType>, Failure> {
    if names.is_empty() {
        return Ok(loaded.rules.tables().dtypes.to_vec());
    }
    named_once(names)?;
    names.iter().map(|name| cast::dtype(loaded, name)).collect()
}

/// Checks that no dtype of `--dtypes` is named twice.
pub(crate) fn named_once(names: &[String]) -> Result<(), Failure> {
    match (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
        Some(twice) => Err(Failure::new(format!("the dtype `{}` is named twice", names[twice]))),
        None => Ok(()),
    }
}

/// The op of a name, if the rule set speaks of it.
///
/// # Errors
/// It does not, or there is no such op.
pub fn op(rules: &RuleSet, name: &str) -> Result<Op, Failure> {
    let known: Vec<&str> = rules.tables().ops.iter().map(|table| table.op.name()).collect();
    if let Some(at) = known.iter().position(|known| *known == name) {
        return Ok(rules.tables().ops[at].op);
    }
    let all = format!("its ops: {}", listed(known.iter().copied()));
    Err(if name.parse::<Op>().is_ok() {
        Failure::new(format!("{} has no rules for the op `{name}`", rules.name())).help(all)
    } else {
        let ops: Vec<&str> = known.iter().copied().chain(Op::STANDARD.iter().map(|op| op.name())).collect();
        let all = format!("the ops of {}: {}", rules.name(), listed(known.iter().copied()));
        Failure::new(format!("there is no op `{name}`")).help(near_op(name, &ops, &all))
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
    format!("{}: {what}{}", loaded.rules.name(), setting(loaded))
}

/// The parameters and their values in parentheses, behind something else; nothing, if there are none.
pub(crate) fn setting(loaded: &Loaded) -> String {
    let params: Vec<String> =
        params(loaded).iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if params.is_empty() { String::new() } else { format!(" ({})", params.join(", ")) }
}

/// Whether operands and results of a rule set can be weak.
pub(crate) fn knows_weak(loaded: &Loaded) -> bool {
    loaded.compiled.rules.order.contains(&Category::Weak)
}

/// All that a table for a person says, whatever its form.
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) legend: Legend,
    /// The tables, the first without a heading.
    pub(crate) matrices: Vec<Matrix>,
    /// The heading of the notes.
    pub(crate) refused: &'static str,
    pub(crate) notes: Vec<Note>,
}

/// Cells in rows and columns; one column is a table, too.
pub(crate) struct Matrix {
    pub(crate) heading: Option<&'static str>,
    pub(crate) columns: Vec<Header>,
    pub(crate) rows: Vec<(Header, Vec<Cell>)>,
    /// What stands below it.
    pub(crate) summary: Option<String>,
}

/// The name of a row or a column, and its colour.
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) fill: Option<&'static str>,
}

/// A cell.
pub(crate) struct Cell {
    /// Its operands, as a note has them.
    pub(crate) operands: String,
    /// The dtype, or a dash; with a star where the result is weak. Of two rule sets that differ, both.
    pub(crate) texts: Vec<String>,
    /// The colour, absent where it is refused.
    pub(crate) fill: Option<&'static str>,
    /// The operands, what comes out, and the clauses that decide or the reason of the refusal.
    pub(crate) because: String,
    /// The refusals in it.
    pub(crate) refused: Vec<Why>,
}

impl Cell {
    /// What it says, in one line.
    pub(crate) fn text(&self) -> String {
        self.texts.join(" / ")
    }

    /// The numbers of its notes, counted from 1.
    fn marks(&self, notes: &[Note]) -> String {
        let numbers = self.refused.iter().filter_map(|why| notes.iter().position(|note| note.why == *why));
        let numbers: BTreeSet<usize> = numbers.collect();
        let numbers: Vec<String> = numbers.into_iter().map(|at| (at + 1).to_string()).collect();
        numbers.join(",")
    }
}

/// Why a cell is refused, in the order of the clauses: the line, the reason and its place.
pub(crate) type Why = (u32, String);

/// Why cells are refused, and which.
pub(crate) struct Note {
    why: Why,
    cells: Vec<String>,
}

impl Note {
    /// The notes of all cells, in the order of the clauses.
    pub(crate) fn of(matrices: &[Matrix]) -> Vec<Note> {
        let mut found: BTreeMap<&Why, Vec<String>> = BTreeMap::new();
        for cell in matrices.iter().flat_map(|matrix| &matrix.rows).flat_map(|(_, cells)| cells) {
            for why in &cell.refused {
                found.entry(why).or_default().push(cell.operands.clone());
            }
        }
        found.into_iter().map(|(why, cells)| Note { why: why.clone(), cells }).collect()
    }

    /// The first of its cells, how many there are, and the reason.
    pub(crate) fn text(&self) -> String {
        let (_, why) = &self.why;
        match &self.cells[..] {
            [one] => format!("{one}: {why}"),
            [first, ..] => format!("{first} and {} more: {why}", self.cells.len() - 1),
            [] => why.clone(),
        }
    }
}

/// What stands for a refusal.
const DASH: &str = "-";

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

/// Makes cells.
struct Asker<'a> {
    loaded: &'a Loaded,
    op: Option<Op>,
}

impl Asker<'_> {
    /// The cell of operands that stand in this order. `shown` names them where the pointer rests, `noted` in
    /// a note.
    fn cell(&self, operands: &[Operand], shown: &str, noted: &str) -> Cell {
        let (text, dtype, because, refused) = match find(&self.loaded.rules, self.op, operands) {
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

    /// The cell of two operands in both orders.
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
        Header { name: dtype.to_string(), fill: Some(fill(self.loaded, dtype)) }
    }

    /// What comes of each dtype.
    fn of_one(&self, dtypes: &[DType]) -> Matrix {
        let row = |dtype: &DType| {
            let name = dtype.to_string();
            (self.header(*dtype), vec![self.cell(&[Operand::Array(*dtype)], &name, &name)])
        };
        Matrix {
            heading: None,
            columns: vec![Header { name: "gives".to_owned(), fill: None }],
            rows: dtypes.iter().map(row).collect(),
            summary: None,
        }
    }

    /// What comes of every two dtypes.
    fn of_two(&self, dtypes: &[DType]) -> Matrix {
        let row = |a: &DType| {
            let cells = dtypes.iter().map(|b| {
                let operands = format!("{a} with {b}");
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

    /// What comes of a dtype and a number.
    fn of_numbers(&self, dtypes: &[DType]) -> Matrix {
        let row = |a: &DType| {
            let cells = NumberKind::ALL.into_iter().zip(&NUMBERS).map(|(kind, (name, number))| {
                let noted = format!("{a} with a number of kind {}", kind.name());
                self.both((a.name(), Operand::Array(*a)), (name, Operand::Number(*number)), &noted)
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

    /// What comes of an operand and a weak one.
    fn of_weak(&self, dtypes: &[DType]) -> Matrix {
        let weak = |dtype: &DType| (format!("{dtype}*"), *dtype, Operand::Weak(*dtype));
        let arrays = dtypes.iter().map(|dtype| (dtype.to_string(), *dtype, Operand::Array(*dtype)));
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

/// What a table is about.
pub(crate) fn subject(op: Option<Op>) -> String {
    match op {
        None => "what two arrays promote to".to_owned(),
        Some(op @ Op::Custom(_)) => format!("what comes out of `{op}` of what its inputs promote to"),
        Some(op) => format!("what comes out of `{op}`"),
    }
}

/// Whether the table of an op has one column: it takes one operand, or, being a user's own, what all its
/// inputs promote to.
pub(crate) fn takes_one(op: Op) -> bool {
    op.arity() == 1 || matches!(op, Op::Custom(_))
}

/// The tables of a person: of arrays, of an array with a number, and of weak arrays if asked for; or of one
/// array.
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
