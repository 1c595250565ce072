//! `promote emit`: the tables of a rule set as a source file, for programs that take no dependency.
//!
//! - here: the arguments, and the tables that all languages write;
//! - `rust`, `c`, `cpp`, `python`, `json`: the languages.

mod c;
mod cpp;
mod json;
mod python;
mod rust;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use promote::{DType, Op, Operand, PromoteError, RuleSet};
use promote_core::__private::Category;
use promote_core::__private::table::{NO_PLANE, OP_VALUE_WORDS, OP_WORDS};

use crate::answer::Answer;
use crate::failure::{Failure, counted};
use crate::load::{Loaded, RulesArgs};
use crate::names::Names;
use crate::operands::{NUMBERS, dtypes, knows_weak, named_once, of_cell, op, setting, takes_one};
use crate::output::{Form, OutputArgs};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The language of the source file
    #[arg(long, value_enum)]
    pub(crate) lang: Language,
    /// Write the tables of promotion and of these ops only
    #[arg(long = "op", value_name = "OP", value_delimiter = ',')]
    ops: Vec<String>,
    /// Take operands of these dtypes only, in this order
    #[arg(long, value_name = "DTYPE", value_delimiter = ',')]
    dtypes: Vec<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The languages of source files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// A module of constant functions, which needs no standard library
    Rust,
    /// A header for C99
    C,
    /// A header for C++17; `promote_t<A, B>` is the type that two types promote to
    Cpp,
    /// A module
    Python,
    /// The stub of that module (`.pyi`): overloads for a type checker
    PythonStub,
    /// The tables as data
    Json,
}

impl Language {
    /// Returns the name, as `--lang` spells it.
    fn name(self) -> String {
        clap::ValueEnum::to_possible_value(&self)
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl From<Language> for Form {
    fn from(language: Language) -> Form {
        if language == Language::Json { Form::Json } else { Form::Other }
    }
}

/// Writes the source file.
///
/// # Errors
/// Returns an error if the rule set has mistakes, if there is no such op, dtype or parameter, or if two names
/// become one in the language.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let loaded = args.rules.load()?;
    let known = loaded.rules.tables();
    let ops: Vec<Op> = if args.ops.is_empty() {
        known.ops.iter().map(|table| table.op).collect()
    } else {
        named_once("op", &args.ops)?;
        args.ops.iter().map(|name| op(&loaded, name)).collect::<Result<_, _>>()?
    };
    let tables = Tables::new(&loaded, &dtypes(&loaded, &args.dtypes)?, &ops);
    let about = About::new(&loaded, args);
    let text = match args.lang {
        Language::Rust => rust::write(&about, &tables)?,
        Language::C => c::write(&about, &tables)?,
        Language::Cpp => cpp::write(&about, &tables)?,
        Language::Python => python::write(&about, &tables),
        Language::PythonStub => python::stub(&about, &tables),
        Language::Json => json::write(&about, &loaded, &tables),
    };
    let counted = counted(ops.len(), "op");
    let title =
        format!("{}: promotion and {counted} as {}{}", about.rules, args.lang.name(), setting(&loaded));
    Ok(Answer::new(title, text))
}

/// What the head of a source file says.
struct About {
    /// The rule set.
    rules: &'static str,
    /// The comment at the head of the rule file: the system and its version.
    system: String,
    /// The command that writes the file again.
    command: String,
    /// What the tables cover and what they do not, a sentence each.
    scope: Vec<String>,
}

impl About {
    fn new(loaded: &Loaded, args: &Args) -> About {
        let mut command = format!("promote emit {}", args.rules.words());
        let _ = write!(command, " --lang {}", args.lang.name());
        for (option, names) in [("--op", &args.ops), ("--dtypes", &args.dtypes)] {
            if !names.is_empty() {
                let _ = write!(command, " {option} {}", names.join(","));
            }
        }
        About {
            rules: loaded.rules.name(),
            system: loaded.about.clone(),
            command: terminal::line(&command).into_owned(),
            scope: scope(loaded),
        }
    }

    /// Returns the lines of the comment at the head of the file.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("The result dtypes of the rule set {}.", self.rules)];
        lines.extend((!self.system.is_empty()).then(|| self.system.clone()));
        lines.extend([
            String::new(),
            format!(
                "Written by promote {}. To change it, run this command again:",
                env!("CARGO_PKG_VERSION")
            ),
            format!("    `{}`", self.command),
            String::new(),
        ]);
        lines.extend(self.scope.iter().cloned());
        lines.iter().map(|line| terminal::line(line).into_owned()).collect()
    }

    /// Returns that comment, each line after a mark.
    fn comment(&self, mark: &str) -> String {
        let line = |line: &String| {
            // C takes the next line for a part of the comment after a backslash, or a trigraph of one.
            let end = if line.ends_with(['\\', '/']) { " ." } else { "" };
            format!("{mark} {line}{end}").trim_end().to_owned() + "\n"
        };
        self.lines().iter().map(line).collect()
    }
}

/// Says what the tables cover and what they do not.
fn scope(loaded: &Loaded) -> Vec<String> {
    let mut said = Vec::new();
    let params = setting(loaded);
    if !params.is_empty() {
        said.push(format!("Parameters:{}.", params.replace(['(', ')'], "")));
    }
    let weak = if knows_weak(loaded) { ", weakly typed arrays" } else { "" };
    said.push(format!(
        "Operands: arrays, arrays without axes{weak}, and numbers without a width, as Python has them."
    ));
    let tables = loaded.rules.tables();
    if tables.settings[usize::from(loaded.setting)].values.iter().any(|plane| *plane != NO_PLANE) {
        said.push(
            "Values count in this rule set. The tables hold for the numbers true, 1, 1.0 and 1+1j, and for arrays \
             without axes whose value is not known."
                .to_owned(),
        );
    } else {
        said.push(
            "Numbers are taken to fit the dtype that they get: the tables ask with true, 1, 1.0 and 1+1j."
                .to_owned(),
        );
    }
    if tables.ops.iter().any(|table| takes_one(table.op) && table.op.arity() != 1) {
        said.push("A custom op is asked by the common dtype of its operands.".to_owned());
    }
    if tables.ops.iter().any(|table| table.op.arity() > 2) {
        said.push(
            "Of an op of three or more operands, the second operand stands for all that follow.".to_owned(),
        );
    }
    said.push(
        "Not covered: promotion of three or more operands, the dtype that an op computes in, casts, results in place."
            .to_owned(),
    );
    said
}

/// An operand of the tables.
struct Row {
    operand: Operand,
    /// The name: `i32` for an array, `i32[]` without axes, `i32*` if weak, `py_int` for a number.
    name: String,
    /// The row and the column in the tables. Operands that all tables treat alike have the same ones.
    at: usize,
}

/// A cell: a dtype, which may be weak, or a refusal. [`Tables::code`] numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Result(usize, bool),
    Refused(usize),
}

/// The ops that have one table.
struct Shared<T> {
    ops: Vec<&'static str>,
    cells: T,
}

/// The tables that all languages write. Cells are codes: see [`Tables::code`].
struct Tables {
    /// The dtypes of operands, then those that only results have.
    dtypes: Vec<DType>,
    /// The names of the dtypes.
    names: Vec<String>,
    /// True if there are weak arrays.
    weak: bool,
    rows: Vec<Row>,
    /// The number of rows of a table.
    height: usize,
    /// Reasons for refusals. The first is for operands that the tables do not have.
    refusals: Vec<String>,
    /// The tables of two operands. The first is that of promotion, which may have ops, too.
    pairs: Vec<Shared<Vec<Vec<usize>>>>,
    /// The tables of one operand.
    singles: Vec<Shared<Vec<usize>>>,
}

/// Finds equal tables, and collects the reasons for refusals.
struct Asker<'a> {
    rules: &'a RuleSet,
    names: Names,
    dtypes: Vec<DType>,
    refusals: Vec<String>,
}

impl Asker<'_> {
    fn cell(&mut self, op: Option<Op>, operands: &[Operand]) -> Cell {
        match self.rules.explain(op, &of_cell(op, operands)) {
            Ok(found) => Cell::Result(position(&mut self.dtypes, found.result.dtype), found.result.weak),
            Err(PromoteError::Refused { reason, .. }) => self.refused(reason.to_owned()),
            Err(other) => {
                let text = self.names.show_error(other).to_string();
                self.refused(text.split("; help: ").next().unwrap_or(&text).to_owned())
            }
        }
    }

    fn refused(&mut self, reason: String) -> Cell {
        Cell::Refused(position(&mut self.refusals, reason))
    }
}

/// Returns what decides the answers of an op: two ops of which it is equal have equal tables.
fn identity(loaded: &Loaded, op: Op) -> (&'static [u8], &'static [u8], &'static str, usize) {
    let tables = loaded.rules.tables();
    let setting = &tables.settings[usize::from(loaded.setting)];
    match tables.op_position(op) {
        Some(at) if !matches!(op, Op::Custom(custom) if custom.has_kernels()) => (
            &setting.ops[2 * OP_WORDS * at..2 * OP_WORDS * (at + 1)],
            setting.op_values.get(2 * OP_VALUE_WORDS * at..2 * OP_VALUE_WORDS * (at + 1)).unwrap_or_default(),
            tables.ops[at].option("number").unwrap_or_default(),
            op.arity(),
        ),
        _ => (&[], &[], op.name(), op.arity()),
    }
}

/// Returns the code of a cell: dtypes come first, then weak dtypes if there are any, then refusals.
fn code(dtypes: &[DType], weak: bool, cell: &Cell) -> usize {
    match *cell {
        Cell::Result(dtype, false) => dtype,
        Cell::Result(dtype, true) => dtypes.len() + dtype,
        Cell::Refused(reason) => dtypes.len() * (1 + usize::from(weak)) + reason,
    }
}

/// Returns the position of a table among those without equals, to which it is added if it is new.
fn shared<T: PartialEq>(tables: &mut Vec<Shared<T>>, cells: T) -> usize {
    tables.iter().position(|table| table.cells == cells).unwrap_or_else(|| {
        tables.push(Shared { ops: Vec::new(), cells });
        tables.len() - 1
    })
}

/// Returns the position of an item in a list, to which it is added if it is new.
fn position<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

impl Tables {
    fn new(loaded: &Loaded, dtypes: &[DType], ops: &[Op]) -> Tables {
        let rules = &loaded.rules;
        let weak = knows_weak(loaded);
        let mut operands: Vec<(String, Operand)> = Vec::new();
        operands
            .extend(dtypes.iter().map(|dtype| (loaded.show(*dtype).into_owned(), Operand::Array(*dtype))));
        operands.extend(
            dtypes.iter().map(|dtype| (format!("{}[]", loaded.show(*dtype)), Operand::ZeroDim(*dtype, None))),
        );
        operands.extend(NUMBERS.map(|(name, number)| (name.to_owned(), Operand::Number(number))));
        if weak {
            operands.extend(
                dtypes.iter().map(|dtype| (format!("{}*", loaded.show(*dtype)), Operand::Weak(*dtype))),
            );
        }
        // There are no weak arrays of some dtypes, and no numbers of some kinds.
        operands.retain(|(_, operand)| {
            !matches!(rules.explain(None, &[*operand]), Err(PromoteError::Undefined { .. }))
        });
        let none = format!("{} has no such operand, or the tables were written without it", rules.name());
        let mut asker = Asker { rules, names: loaded.names, dtypes: dtypes.to_vec(), refusals: vec![none] };
        let mut pairs: Vec<Shared<Vec<Vec<Cell>>>> = Vec::new();
        let mut singles: Vec<Shared<Vec<Cell>>> = Vec::new();
        // Most ops have the run-time tables of another op: these are asked once.
        let mut asked: BTreeMap<_, usize> = BTreeMap::new();
        for op in [None].into_iter().chain(ops.iter().copied().map(Some)) {
            let name = op.map(Op::name);
            let one = op.is_some_and(takes_one);
            let key = (one, op.map(|op| identity(loaded, op)));
            let at = asked.get(&key).copied().unwrap_or_else(|| {
                if one {
                    let cells = operands.iter().map(|a| asker.cell(op, &[a.1])).collect();
                    shared(&mut singles, cells)
                } else {
                    let row = |a: &(String, Operand)| -> Vec<Cell> {
                        operands.iter().map(|b| asker.cell(op, &[a.1, b.1])).collect()
                    };
                    shared(&mut pairs, operands.iter().map(row).collect())
                }
            });
            asked.insert(key, at);
            if one { singles[at].ops.extend(name) } else { pairs[at].ops.extend(name) }
        }
        let Asker { dtypes, refusals, .. } = asker;
        let code = |cell: &Cell| code(&dtypes, weak, cell);
        // Operands that all tables treat alike have one row and one column.
        let alike = |a: usize| {
            let of_pairs: Vec<usize> = pairs
                .iter()
                .flat_map(|table| table.cells[a].iter().chain(table.cells.iter().map(move |row| &row[a])))
                .map(code)
                .collect();
            let of_singles: Vec<usize> = singles.iter().map(|table| code(&table.cells[a])).collect();
            (of_pairs, of_singles)
        };
        let mut distinct: BTreeMap<_, usize> = BTreeMap::new();
        let mut first = Vec::new();
        let mut rows = Vec::new();
        for (at, (name, operand)) in operands.into_iter().enumerate() {
            let at = *distinct.entry(alike(at)).or_insert_with(|| {
                first.push(at);
                first.len() - 1
            });
            rows.push(Row { operand, name, at });
        }
        let pick = |row: &Vec<Cell>| -> Vec<usize> { first.iter().map(|at| code(&row[*at])).collect() };
        Tables {
            pairs: pairs
                .iter()
                .map(|table| Shared {
                    ops: table.ops.clone(),
                    cells: first.iter().map(|at| pick(&table.cells[*at])).collect(),
                })
                .collect(),
            singles: singles
                .iter()
                .map(|table| Shared { ops: table.ops.clone(), cells: pick(&table.cells) })
                .collect(),
            height: first.len(),
            names: dtypes.iter().map(|dtype| loaded.show(*dtype).into_owned()).collect(),
            dtypes,
            weak,
            rows,
            refusals,
        }
    }

    /// Returns the operands of a row, as a comment of it says them.
    fn names_of(&self, at: usize) -> String {
        let names = self.rows.iter().filter(|row| row.at == at).map(|row| row.name.as_str());
        names.collect::<Vec<_>>().join(" ")
    }

    /// Returns the row of an operand; `None` if the tables do not have it.
    fn row(&self, wanted: Operand) -> Option<usize> {
        self.rows.iter().find(|row| row.operand == wanted).map(|row| row.at)
    }

    /// Returns the row of each dtype as an operand.
    fn rows(&self, operand: impl Fn(DType) -> Operand) -> Vec<Option<usize>> {
        self.dtypes.iter().map(|dtype| self.row(operand(*dtype))).collect()
    }

    /// Returns the row of the number of each kind.
    fn numbers(&self) -> Vec<Option<usize>> {
        NUMBERS.iter().map(|(_, number)| self.row(Operand::Number(*number))).collect()
    }

    /// Returns the categories of operands, each with the rows of its dtypes or kinds of number.
    fn categories(&self) -> Vec<(Category, Vec<Option<usize>>)> {
        let mut all = vec![
            (Category::Array, self.rows(Operand::Array)),
            (Category::ZeroDim, self.rows(|dtype| Operand::ZeroDim(dtype, None))),
            (Category::Number, self.numbers()),
        ];
        if self.weak {
            all.push((Category::Weak, self.rows(Operand::Weak)));
        }
        all
    }

    /// Returns the number of bytes of a code, and of a row, both unsigned.
    fn bits(&self) -> u32 {
        let codes = self.first_refusal() + self.refusals.len();
        if codes.max(self.height + 1) <= 256 { 8 } else { 16 }
    }

    /// Returns the code of the first refusal. Codes below are dtypes, and from their number on weak dtypes.
    fn first_refusal(&self) -> usize {
        code(&self.dtypes, self.weak, &Cell::Refused(0))
    }

    /// Returns the name of a result by its code; `None` for a refusal.
    fn result(&self, code: usize) -> Option<String> {
        let count = self.dtypes.len();
        match code {
            _ if code >= self.first_refusal() => None,
            _ if code >= count => Some(format!("{}*", self.names[code - count])),
            _ => Some(self.names[code].clone()),
        }
    }

    /// Returns the ops with two operands and those with one, by their tables.
    fn ops(&self) -> [Vec<&'static str>; 2] {
        [
            self.pairs.iter().flat_map(|table| table.ops.iter().copied()).collect(),
            self.singles.iter().flat_map(|table| table.ops.iter().copied()).collect(),
        ]
    }
}

/// Spells the names of dtypes in a language, without the path that a name such as `torch.half` has.
fn spelt_dtypes(tables: &Tables, spell: impl Fn(&str) -> String) -> Result<Vec<String>, Failure> {
    let spell = |name: &str| spell(name.rsplit('.').next().unwrap_or(name));
    spelt("dtype", tables.names.iter().map(String::as_str), spell)
}

/// Spells names in a language, and checks that they stay different.
fn spelt<'n>(
    what: &str,
    names: impl Iterator<Item = &'n str>,
    spell: impl Fn(&str) -> String,
) -> Result<Vec<String>, Failure> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names {
        let word = spell(name);
        if let Some(other) = known.insert(word.clone(), name) {
            let message = format!("the {what}s `{other}` and `{name}` would both be `{word}`");
            return Err(Failure::new(message).help(format!("choose one of them with `--{what}s`")));
        }
        found.push(word);
    }
    Ok(found)
}

/// Spells a name in capitals, with underscores for characters that not all languages allow in names.
fn capitals(name: &str) -> String {
    ascii(name).to_ascii_uppercase()
}

/// Spells a name with a capital at the start of each word, and without underscores.
fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    ascii(name).split('_').map(word).collect()
}

/// Replaces characters that not all languages allow in names.
fn ascii(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' { c.to_string() } else { format!("u{:x}", u32::from(c)) }
    };
    name.chars().map(letter).collect()
}

/// Writes a string literal of C and C++, in ASCII.
fn c_string(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// Returns numbers between commas.
fn commas(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
