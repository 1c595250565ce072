//! `promote table`: what every two operands promote to, or what an op makes of them.

use std::collections::BTreeMap;

use promote::{DType, Number, NumberKind, Op, Operand, PromoteError, RuleSet};
use promote_rules::model::Category;
use serde_json::{Map, Value, json};

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
    Ok(match args.format {
        Format::Json => format!("{}\n", as_json(&loaded, op)),
        Format::Text => as_text(&loaded, op),
        Format::Markdown => as_markdown(&loaded, op),
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

/// What two operands promote to, or what comes out of the op; with a star where it is weak.
fn cell(rules: &RuleSet, op: Option<Op>, a: Operand, b: Operand) -> Result<String, Box<PromoteError>> {
    let found = rules.explain(op, &[a, b])?.result;
    Ok(format!("{}{}", found.dtype, if found.weak { "*" } else { "" }))
}

/// Operands and their names in the keys.
type Named = Vec<(String, Operand)>;

/// The whole table for a program.
pub fn as_json(loaded: &Loaded, op: Option<Op>) -> Value {
    let rules = &loaded.rules;
    let dtypes = rules.tables().dtypes;
    let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
    let of = |operand: fn(DType) -> Operand, star: &str| -> Named {
        dtypes.iter().map(|dtype| (format!("{dtype}{star}"), operand(*dtype))).collect()
    };
    let (arrays, zero_dims, weak) =
        (of(Operand::Array, ""), of(Operand::ZeroDim, ""), of(Operand::Weak, "*"));
    let numbers: Named =
        NUMBERS.iter().map(|(name, number)| ((*name).to_owned(), Operand::Scalar(*number))).collect();
    let table = |sides: &[(&Named, &Named)]| {
        let mut cells = Map::new();
        for (left, right) in sides {
            for (a, x) in *left {
                for (b, y) in *right {
                    let found = cell(rules, op, *x, *y).map_or(Value::Null, Value::String);
                    cells.insert(format!("{a},{b}"), found);
                }
            }
        }
        Value::Object(cells)
    };
    let mut weak_cells = Map::new();
    if loaded.compiled.rules.order.contains(&Category::Weak) {
        let both = arrays.iter().chain(&weak);
        for (a, x) in both.clone() {
            for (b, y) in both.clone().filter(|(b, _)| a.ends_with('*') || b.ends_with('*')) {
                match cell(rules, op, *x, *y) {
                    Ok(found) => weak_cells.insert(format!("{a},{b}"), Value::String(found)),
                    // Such a weak operand cannot be.
                    Err(error) if matches!(*error, PromoteError::Undefined { .. }) => continue,
                    Err(_) => weak_cells.insert(format!("{a},{b}"), Value::Null),
                };
            }
        }
    }
    json!({
        "rules": rules.name(),
        "op": op.map(Op::name),
        "params": params(loaded).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>(),
        "dtypes": names,
        "arrays": table(&[(&arrays, &arrays)]),
        "scalars": table(&[(&arrays, &numbers), (&numbers, &arrays)]),
        "zero_dim": table(&[(&arrays, &zero_dims)]),
        "zero_dim_zero_dim": table(&[(&zero_dims, &zero_dims)]),
        "zero_dim_scalar": table(&[(&zero_dims, &numbers), (&numbers, &zero_dims)]),
        "scalar_scalar": table(&[(&numbers, &numbers)]),
        "weak": weak_cells,
    })
}

/// The parameters and the values that they have.
fn params(loaded: &Loaded) -> Vec<(&'static str, &'static str)> {
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

/// The cells of a table as a person reads them, and why the others are refused.
struct Matrix {
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

/// Why cells are refused: reason and place, and which cells.
#[derive(Default)]
struct Refusals(BTreeMap<(u32, String), Vec<String>>);

impl Refusals {
    /// The cell, or a dash and a footnote.
    fn cell(
        &mut self,
        found: Result<String, Box<PromoteError>>,
        operands: impl FnOnce() -> String,
    ) -> String {
        found.unwrap_or_else(|error| {
            let (line, why) = match *error {
                PromoteError::Refused { reason, file, line, .. } => {
                    (line, format!("{reason} ({file}:{line})"))
                }
                other => (u32::MAX, other.to_string()),
            };
            self.0.entry((line, why)).or_default().push(operands());
            "-".to_owned()
        })
    }

    /// The footnotes, in the order of the clauses.
    fn notes(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|((_, why), cells)| match &cells[..] {
            [one] => format!("{one}: {why}"),
            [first, ..] => format!("{first} and {} more: {why}", cells.len() - 1),
            [] => why.clone(),
        })
    }
}

fn matrices(loaded: &Loaded, op: Option<Op>) -> (Matrix, Matrix, Refusals) {
    let rules = &loaded.rules;
    let dtypes = rules.tables().dtypes;
    let mut refusals = Refusals::default();
    let mut row = |a: DType| {
        let cell = |b: &DType| {
            let found = cell(rules, op, Operand::Array(a), Operand::Array(*b));
            refusals.cell(found, || format!("{a} with {b}"))
        };
        (a.to_string(), dtypes.iter().map(cell).collect())
    };
    let arrays = Matrix {
        columns: dtypes.iter().map(DType::to_string).collect(),
        rows: dtypes.iter().map(|a| row(*a)).collect(),
    };
    let mut row = |a: DType| {
        let cell = |(kind, number): (NumberKind, &(&str, Number))| {
            let (a, b) = (Operand::Array(a), Operand::Scalar(number.1));
            let [right, left] = [cell(rules, op, a, b), cell(rules, op, b, a)].map(|found| {
                refusals.cell(found, || format!("{} with a number of kind {}", a_name(a), kind.name()))
            });
            if left == right { right } else { format!("{right}, left {left}") }
        };
        (a.to_string(), NumberKind::ALL.into_iter().zip(&NUMBERS).map(cell).collect())
    };
    let numbers = Matrix {
        columns: NUMBERS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        rows: dtypes.iter().map(|a| row(*a)).collect(),
    };
    (arrays, numbers, refusals)
}

fn a_name(operand: Operand) -> String {
    match operand {
        Operand::Array(dtype) => dtype.to_string(),
        other => other.kind().to_string(),
    }
}

fn title(loaded: &Loaded, op: Option<Op>) -> String {
    let what = match op {
        Some(op) => format!("what comes out of `{op}`"),
        None => "what two arrays promote to".to_owned(),
    };
    let params: Vec<String> =
        params(loaded).iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let params = if params.is_empty() { String::new() } else { format!(" ({})", params.join(", ")) };
    format!("{}: {what}{params}", loaded.rules.name())
}

const WITH_NUMBERS: &str = "An array with a Python number";

/// The table for a terminal.
pub fn as_text(loaded: &Loaded, op: Option<Op>) -> String {
    let (arrays, numbers, refusals) = matrices(loaded, op);
    let mut lines = vec![title(loaded, op), String::new()];
    text_matrix(&mut lines, &arrays);
    lines.extend([WITH_NUMBERS.to_owned(), String::new()]);
    text_matrix(&mut lines, &numbers);
    if !refusals.0.is_empty() {
        lines.extend(["Refused (-)".to_owned(), String::new()]);
    }
    lines.extend(refusals.notes().map(|note| format!("  {note}")));
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// As many columns side by side as fit 100 characters, then the others.
fn text_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    const WIDTH: usize = 100;
    let first = matrix.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let cells = |column: usize| matrix.rows.iter().map(move |(_, cells)| cells[column].len());
    let widths = matrix.columns.iter().enumerate();
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
        let rows = matrix.rows.iter().map(|(name, cells)| (name.as_str(), cells));
        for (name, cells) in std::iter::once(("", &matrix.columns)).chain(rows) {
            let cells =
                (start..end).map(|column| format!("  {:<width$}", cells[column], width = widths[column]));
            lines.push(format!("{name:<first$}{}", cells.collect::<String>()).trim_end().to_owned());
        }
        lines.push(String::new());
        start = end;
    }
}

/// The table for a document.
pub fn as_markdown(loaded: &Loaded, op: Option<Op>) -> String {
    let (arrays, numbers, refusals) = matrices(loaded, op);
    let mut lines = vec![format!("## {}", title(loaded, op)), String::new()];
    markdown_matrix(&mut lines, &arrays);
    lines.extend([format!("{WITH_NUMBERS}:"), String::new()]);
    markdown_matrix(&mut lines, &numbers);
    if !refusals.0.is_empty() {
        lines.extend(["Refused (`-`):".to_owned(), String::new()]);
    }
    lines.extend(refusals.notes().map(|note| format!("- {note}")));
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn markdown_matrix(lines: &mut Vec<String>, matrix: &Matrix) {
    let row = |name: &str, cells: &[String]| format!("| {name} | {} |", cells.join(" | "));
    lines.push(row("", &matrix.columns));
    lines.push(format!("|{}", " --- |".repeat(matrix.columns.len() + 1)));
    lines.extend(matrix.rows.iter().map(|(name, cells)| row(&format!("**{name}**"), cells)));
    lines.push(String::new());
}
