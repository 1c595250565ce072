//! `promote explain`: the result of operands, the clauses that decide it, and the values that can be lost.
//!
//! - here: the arguments, and explanations of given operands;
//! - `op`: the definition of an op, for `--op` without operands.

mod op;

use promote::ScalarValue;
use promote::{DType, Kind, Number, Op, Operand, PromoteError};
use promote_core::__private::semantics::RightScalar;
use promote_core::__private::table::Clause;
use promote_rules::model::Loss;
use serde_json::{Map, Value, json};

use crate::expr::{self, Step};
use crate::failure::Failure;
use crate::load::{Assignment, BaseArgs, FileArgs, Loaded};
use crate::names::{Names, NamesArgs};
use crate::operands::{self, knows_weak, same};
use crate::output::{AnswerArgs, Format};
use crate::{answer, terminal};

pub(crate) use self::op::call;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A bundled rule set, or the path of a rule file
    rules: String,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    names: NamesArgs,
    /// Give a parameter of the rule set another value than its default
    #[arg(long, value_name = "PARAM=VALUE")]
    set: Vec<Assignment>,
    /// Compare with the answer of this rule set
    #[arg(long, value_name = "RULES")]
    also: Option<String>,
    /// Give a parameter of the rule set of --also another value than its default
    #[arg(long, value_name = "PARAM=VALUE", requires = "also")]
    set_also: Vec<Assignment>,
    /// Explain the result of this op instead of promotion; without operands, explain the op itself
    #[arg(long)]
    op: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    /// An operand: i32 is an array, i32[] a zero-dimensional array, i32* a weakly typed array; 3, 2.5, true
    /// and 1j are Python numbers
    #[arg(required_unless_present = "op", value_name = "OPERAND")]
    operands: Vec<String>,
}

/// Explains.
///
/// # Errors
/// Returns an error if a rule file has mistakes, if the rule set refuses the operands, or if it does not know
/// the op or an operand.
pub fn run(args: &Args) -> Result<answer::Answer, Failure> {
    let load = |rules: &String, set: &[Assignment]| FileArgs::new(rules, &args.base, &args.names).load(set);
    let loaded = load(&args.rules, &args.set)?;
    let also = args.also.as_ref().map(|also| load(also, &args.set_also)).transpose()?;
    if let (Some(name), []) = (&args.op, &args.operands[..]) {
        return definitions(args.answer.format, name, &loaded, also.as_ref());
    }
    let asked = Asked::of(&loaded, args)?;
    let told = asked.answer(&loaded);
    let title = told.as_ref().map(Answer::sentence).unwrap_or_default();
    let also = also.map(|other| Also::new(&loaded, &asked, &told, &other));
    let (json, text) = match &told {
        Ok(answer) => (answer.as_json(), answer.as_text()),
        Err(failure) => (failure.as_json(), String::new()),
    };
    let text = match (args.answer.format, also) {
        (Format::Text, None) => text,
        (Format::Text, Some(also)) => text + &also.text,
        (Format::Json, None) => terminal::json(&json),
        (Format::Json, Some(also)) => {
            let mut json = json;
            json["also"] = also.json;
            terminal::json(&json)
        }
    };
    let answer = answer::Answer::new(title, text);
    // If the rule set refuses, the answer of the other one follows the error.
    told.map_err(
        |failure| {
            if answer.text.is_empty() { failure } else { failure.with_answer(answer.clone()).first() }
        },
    )
    .map(|_| answer.clone())
}

/// Explains an op of one rule set, or of two.
fn definitions(
    format: Format,
    name: &str,
    loaded: &Loaded,
    also: Option<&Loaded>,
) -> Result<answer::Answer, Failure> {
    let definition = op::Definition::new(loaded, name)?;
    let also = also.map(|also| op::Definition::new(also, name)).transpose()?;
    let mut answer = definition.as_text();
    match format {
        Format::Text => {
            if let Some(also) = also {
                answer.text.push('\n');
                answer.text.push_str(&also.as_text().text);
            }
        }
        Format::Json => {
            let mut json = definition.as_json();
            if let Some(also) = also {
                json["also"] = also.as_json();
            }
            answer.text = terminal::json(&json);
        }
    }
    Ok(answer)
}

/// The op and the operands of a question, in terms of a rule set.
struct Asked {
    op: Option<Op>,
    operands: Vec<(String, Operand)>,
}

impl Asked {
    fn of(loaded: &Loaded, args: &Args) -> Result<Asked, Failure> {
        let op = args.op.as_deref().map(|name| operands::op(loaded, name)).transpose()?;
        let operands = args.operands.iter().map(|text| operand(loaded, text.trim()));
        Ok(Asked { op, operands: operands.collect::<Result<_, _>>()? })
    }

    /// Returns the question in terms of another rule set: a name stands for the dtype that it stands for in
    /// the first one.
    fn under(&self, other: &Loaded) -> Result<Asked, Failure> {
        let op = self.op.map(|op| operands::op(other, op.name())).transpose()?;
        let operands = self.operands.iter().map(|(text, operand)| {
            let found = match *operand {
                Operand::Array(dtype) => other.same_dtype(dtype).map(Operand::Array),
                Operand::ZeroDim(dtype, value) => {
                    other.same_dtype(dtype).map(|dtype| Operand::ZeroDim(dtype, value))
                }
                Operand::Weak(dtype) => other.same_dtype(dtype).map(Operand::Weak),
                number => Some(number),
            };
            Ok((text.clone(), found.ok_or_else(|| no_operand(other, text))?))
        });
        Ok(Asked { op, operands: operands.collect::<Result<_, Failure>>()? })
    }

    fn answer(&self, loaded: &Loaded) -> Result<Answer, Failure> {
        answer(loaded, self.op, &self.operands)
    }

    /// Returns the sentence that a rule set refuses the operands, and the reason.
    fn refusal(&self, loaded: &Loaded) -> String {
        let operands: Vec<Operand> = self.operands.iter().map(|(_, operand)| *operand).collect();
        let why = match loaded.rules.explain(self.op, &operands) {
            Err(PromoteError::Refused { reason, lacks, file, line, .. }) => {
                let verb = if lacks { "lacks the dtype" } else { "refuses" };
                return format!("{} {verb}: {reason} ({file}:{line})", loaded.rules.name());
            }
            Err(other) => other.to_string(),
            Ok(_) => String::new(),
        };
        format!("{} refuses: {why}", loaded.rules.name())
    }
}

/// The answer of another rule set for the operands.
struct Also {
    text: String,
    json: Value,
}

impl Also {
    fn new(loaded: &Loaded, asked: &Asked, told: &Result<Answer, Failure>, other: &Loaded) -> Also {
        let rules = other.rules.name();
        // The message names the rule set already.
        let refused = |failure: &Failure| (failure.message().to_owned(), failure.as_json());
        let ((line, mut json), alike) = match asked.under(other) {
            // An unknown dtype or op is not a refusal.
            Err(failure) => (refused(&failure), None),
            Ok(asked) => match (told, asked.answer(other)) {
                (told, Ok(found)) => {
                    let weak = knows_weak(loaded) && knows_weak(other);
                    let alike = told.as_ref().is_ok_and(|told| same(&told.starred(), &found.starred(), weak));
                    ((found.sentence(), found.as_json()), Some(alike))
                }
                (told, Err(failure)) => {
                    let (_, json) = refused(&failure);
                    ((asked.refusal(other), json), Some(told.is_err()))
                }
            },
        };
        json["rules"] = json!(rules);
        json["same"] = json!(alike);
        let flag = match alike {
            Some(true) => "the same",
            Some(false) => "not the same",
            None => return Also { text: format!("{line}\n"), json },
        };
        // A reason may contain a colon itself.
        let mark = if json["error"].is_null() { ": " } else { "; " };
        Also { text: format!("{line}{mark}{flag}\n"), json }
    }
}

/// An explanation of a result.
#[derive(Debug)]
pub struct Answer {
    /// The rule set.
    pub rules: &'static str,
    /// The op; `None` for promotion alone.
    pub op: Option<Op>,
    /// The operands, as they were written.
    pub operands: Vec<String>,
    /// The result's dtype.
    pub dtype: DType,
    /// True if the result is weak.
    pub weak: bool,
    /// The common dtype of the operands, and the compute dtype of the op.
    pub common_and_compute: Option<(DType, DType)>,
    /// The clauses that decided, in the order in which they apply.
    pub because: Vec<Reason>,
    /// The losses of each operand when it is converted to the common dtype.
    pub loses: Vec<(String, Vec<String>)>,
    /// True if a negative operand is less than the other one, although the common dtype is unsigned.
    pub exact_negative: bool,
    /// The names by which dtypes are shown.
    pub names: Names,
}

/// A clause that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The clause.
    pub rule: String,
    /// Its block, such as `promote`.
    pub block: String,
    /// The rule file.
    pub file: String,
    /// The line.
    pub line: usize,
}

/// Explains the result of an op, or of promotion alone.
///
/// # Errors
/// Returns an error if the rule set refuses the operands.
pub fn answer(loaded: &Loaded, op: Option<Op>, operands: &[(String, Operand)]) -> Result<Answer, Failure> {
    let rules = &loaded.rules;
    let plain: Vec<Operand> = operands.iter().map(|(_, operand)| *operand).collect();
    let explained = rules.explain(op, &plain).map_err(|error| loaded.names.show_error(error))?;
    let (dtype, types) = (explained.result.dtype, explained.types);
    let to = |at| {
        types.map_or(dtype, |types| if keeps(loaded, op, &plain, at) { types.compute } else { types.common })
    };
    let chooses = |option, value| op.is_some_and(|op| rules.tables().chooses(op, option, value));
    let exact = chooses("number", "exact");
    let exact_negative = |operand: &Operand, at: usize| {
        let (Operand::Array(from) | Operand::ZeroDim(from, _) | Operand::Weak(from)) = *operand else {
            return false;
        };
        let kinds = (from.kind(), to(at).kind());
        kinds == (Kind::Signed, Kind::Unsigned) && chooses("negative", "exact")
    };
    let each = operands.iter().enumerate().map(|(at, (text, operand))| match operand {
        Operand::Number(Number::Int(_)) if exact => (text.clone(), Vec::new()),
        _ if exact_negative(operand, at) => (text.clone(), Vec::new()),
        Operand::Number(number) if op.is_none() && number.out_of_range(dtype).is_some() => {
            let fit = format!("{DOES_NOT_FIT}{}: the op decides what becomes of it", loaded.show(dtype));
            (text.clone(), vec![fit])
        }
        _ => (text.clone(), loses(*operand, to(at))),
    });
    let mut loses: Vec<(String, Vec<String>)> = Vec::new();
    for found in each {
        // Equal operands have equal losses, which are listed once.
        if !found.1.is_empty() && !loses.contains(&found) {
            loses.push(found);
        }
    }
    Ok(Answer {
        rules: rules.name(),
        op,
        operands: operands.iter().map(|(text, _)| text.clone()).collect(),
        dtype,
        weak: explained.result.weak,
        common_and_compute: types.map(|types| (types.common, types.compute)),
        because: explained.clauses().map(reason).collect(),
        loses,
        exact_negative: plain.iter().enumerate().any(|(at, operand)| exact_negative(operand, at)),
        names: loaded.names,
    })
}

impl Answer {
    /// Returns the explanation as JSON.
    pub fn as_json(&self) -> Value {
        let because = self.because.iter().map(|r| json!({ "rule": r.rule, "file": r.file, "line": r.line }));
        let loses: Map<String, Value> =
            self.loses.iter().map(|(name, all)| (name.clone(), json!(all))).collect();
        json!({
            "dtype": self.names.show(self.dtype),
            "weak": self.weak,
            "compute": self.common_and_compute.map(|(_, compute)| self.names.show(compute)),
            "because": because.collect::<Vec<_>>(),
            "loses": if loses.is_empty() { Value::Null } else { Value::Object(loses) },
        })
    }

    /// Returns the dtype, with a star if it is weak.
    fn starred(&self) -> String {
        self.names.show_result(self.dtype, self.weak)
    }

    /// Returns the result as a sentence.
    fn sentence(&self) -> String {
        let operands = match &self.operands[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            all => all.concat(),
        };
        let result = format!("{}{}", self.names.show(self.dtype), if self.weak { ", weak" } else { "" });
        match self.op {
            Some(op) => format!("{}: `{op}` of {operands} gives {result}", self.rules),
            // A single operand does not promote: it has a dtype.
            None if self.operands.len() == 1 => format!("{}: {operands} is {result}", self.rules),
            None => format!("{}: {operands} promote to {result}", self.rules),
        }
    }

    /// Returns the explanation as text.
    pub fn as_text(&self) -> String {
        let mut lines = vec![self.sentence()];
        for Reason { rule, block, file, line } in &self.because {
            lines.push(format!("  decided by `{rule}` in `{block}` ({file}:{line})"));
        }
        if let Some((common, compute)) = self.common_and_compute {
            let computes = match compute {
                // Kernels compute narrow floats in a wider dtype unless the rule file asks for the narrow
                // one.
                compute if compute != common || compute.register() != compute => {
                    format!(", computed in {}", self.names.show(compute))
                }
                _ if self.exact_negative => ", and a negative one is less than the other".to_owned(),
                _ => String::new(),
            };
            let [common, result] = [common, self.dtype].map(|dtype| self.names.show(dtype));
            lines.push(format!("  the operands become {common}{computes}; the result is {result}"));
        }
        for (name, losses) in &self.loses {
            let known = |loss: &String| loss.starts_with(BECOMES) || loss.starts_with(DOES_NOT_FIT);
            let verb = if losses.iter().any(known) { "" } else { "can lose " };
            lines.push(format!("  {name} {verb}{}", losses.join(" and ")));
        }
        lines.join("\n") + "\n"
    }
}

/// Parses an operand of the command line.
///
/// # Errors
/// Returns an error if the text is neither a dtype of the rule set nor a number.
pub fn operand(loaded: &Loaded, text: &str) -> Result<(String, Operand), Failure> {
    let found = match (text.strip_suffix("[]"), text.strip_suffix('*')) {
        (Some(name), _) => loaded.find_dtype(name).map(|dtype| Operand::ZeroDim(dtype, None)),
        (_, Some(name)) => loaded.find_dtype(name).map(Operand::Weak),
        _ => loaded.find_dtype(text).map(Operand::Array),
    };
    let found = match found {
        Some(found) => found,
        None => Operand::Number(number(text).ok_or_else(|| no_operand(loaded, text))?),
    };
    Ok((text.to_owned(), found))
}

/// Returns the error that a text is no operand of a rule set.
fn no_operand(loaded: &Loaded, text: &str) -> Failure {
    let help =
        "an operand is a dtype for an array, a dtype with `[]` for one without dimensions, or a number; ";
    loaded.no_dtype(text, format!("`{text}` is not an operand of {}", loaded.rules.name()), help)
}

fn number(text: &str) -> Option<Number> {
    match expr::parse(text, &[]).ok()?.steps[..] {
        [Step::Number(number)] => Some(number),
        _ => None,
    }
}

fn reason(clause: &Clause) -> Reason {
    Reason {
        rule: clause.text.to_owned(),
        block: clause.block.to_owned(),
        file: clause.file.to_owned(),
        line: clause.line as usize,
    }
}

/// Returns true if a zero-dimensional operand is converted to the compute dtype directly.
fn keeps(loaded: &Loaded, op: Option<Op>, operands: &[Operand], at: usize) -> bool {
    let is_array = |operand: &Operand| matches!(operand, Operand::Array(_));
    let table = op.and_then(|op| loaded.rules.tables().op_table(op));
    table.is_some_and(|table| table.right_scalar == RightScalar::Opmath)
        && at == 1
        && !is_array(&operands[at])
        && operands.iter().any(is_array)
}

/// Returns what an operand can lose when it is converted to a dtype.
pub(crate) fn loses(operand: Operand, to: DType) -> Vec<String> {
    let from = match operand {
        Operand::Array(dtype) | Operand::ZeroDim(dtype, _) | Operand::Weak(dtype) => dtype,
        Operand::Number(number) => return number_loses(number, to),
        _ => return Vec::new(),
    };
    match (from.format(), to.format()) {
        (Some(from), Some(to)) => Loss::between(from, to).into_iter().map(Loss::describe).collect(),
        _ => Vec::new(),
    }
}

const BECOMES: &str = "becomes ";
const DOES_NOT_FIT: &str = "does not fit ";

/// Returns the value that a number becomes in a dtype, if that is another one.
fn number_loses(number: Number, to: DType) -> Vec<String> {
    let Some(found) = ScalarValue::from_number(number, to).ok().and_then(|value| value.number()) else {
        return Vec::new();
    };
    let parts = |number| match number {
        Number::Bool(x) => (f64::from(u8::from(x)), 0.0),
        // Beyond 2^53 the nearest f64 values are compared, which is good enough for a hint.
        Number::Int(x) => (x as f64, 0.0),
        Number::Float(x) => (x, 0.0),
        Number::Complex(re, im) => (re, im),
    };
    let same = match (number, found) {
        (Number::Int(a), Number::Int(b)) => a == b,
        (a, b) => parts(a) == parts(b),
    };
    if same { Vec::new() } else { vec![format!("{BECOMES}{}", python(found))] }
}

/// Writes a number as Python does.
fn python(number: Number) -> String {
    match number {
        Number::Bool(true) => "True".to_owned(),
        Number::Bool(false) => "False".to_owned(),
        Number::Int(x) => x.to_string(),
        Number::Float(x) => format!("{x:?}"),
        Number::Complex(re, im) => format!("{re:?}{im:+?}j"),
    }
}
