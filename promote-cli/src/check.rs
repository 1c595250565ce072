//! `promote check`: are rule files right, and what is in them.

use std::fmt::Write as _;

use promote::Operand;
use promote_rules::Compiled;
use promote_rules::model::LawKind;
use serde_json::{Value, json};

use crate::bundled::{FileArgs, Loaded};
use crate::explain::Format;
use crate::failure::{Failure, Mistake};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Bundled rule sets, or the paths of rule files
    #[arg(required = true)]
    rules: Vec<String>,
    /// A rule file that one of them builds on
    #[arg(long, value_name = "FILE")]
    base: Vec<String>,
    /// The form of the answer: json is a list of all mistakes
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
}

/// Checks the rule files.
///
/// # Errors
/// All mistakes of all files, with their places. Files without mistakes are summed up all the same.
pub fn run(args: &Args) -> Result<String, Failure> {
    let load = |file: &String| FileArgs::new(file, &args.base).load(&[]).map(|loaded| summary(&loaded));
    let checked: Vec<_> = args.rules.iter().map(|file| (file, load(file))).collect();
    match args.format {
        Format::Text => as_text(checked),
        Format::Json => as_json(checked),
    }
}

/// What there is to say of each file.
type Checked<'a> = Vec<(&'a String, Result<String, Failure>)>;

fn as_text(checked: Checked) -> Result<String, Failure> {
    let (mut summaries, mut failures) = (Vec::new(), Vec::new());
    for (_, told) in checked {
        match told {
            Ok(summary) => summaries.push(summary),
            Err(failure) => failures.push(failure),
        }
    }
    let summaries = summaries.join("\n");
    match failures.len() {
        0 => Ok(summaries),
        1 if summaries.is_empty() => Err(failures.remove(0)),
        _ => {
            let reports: Vec<String> = failures.iter().map(Failure::styled).collect();
            Err(Failure::report(reports.join("\n\n")).with_stdout(summaries))
        }
    }
}

fn as_json(checked: Checked) -> Result<String, Failure> {
    let files = checked.iter().filter(|(_, told)| told.is_err()).count();
    let failures = checked.into_iter().filter_map(|(file, told)| Some((file, told.err()?)));
    let mistakes: Vec<Mistake> = failures.flat_map(|(file, failure)| failure.into_mistakes(file)).collect();
    let list = mistakes.iter().map(|one| {
        json!({
            "file": one.file, "line": one.line, "column": one.column, "message": one.message, "help": one.help,
        })
    });
    let told = terminal::json(&list.collect::<Value>());
    if mistakes.is_empty() {
        return Ok(told);
    }
    let count =
        |count: usize, of: &str| if count == 1 { format!("1 {of}") } else { format!("{count} {of}s") };
    let message = format!("{} in {}", count(mistakes.len(), "mistake"), count(files, "rule file"));
    Err(Failure::new(message).with_stdout(told))
}

/// What a rule set has, in a few lines.
pub fn summary(loaded: &Loaded) -> String {
    let rules = &loaded.compiled.rules;
    let mut text = format!("{} ({}): no mistakes\n", rules.name, rules.files[0]);
    let mut row = |name: &str, what: &str| {
        // Writing to a String does not fail.
        let _ = writeln!(text, "  {name:<8} {what}");
    };
    let names: Vec<&str> = rules.dtypes.iter().map(|dtype| dtype.name.as_str()).collect();
    row("dtypes", &format!("{}: {}", names.len(), names.join(" ")));
    for param in &rules.params {
        let value = |(at, value)| {
            let value = rules.value_text(value);
            if at == param.default { format!("{value} (default)") } else { value }
        };
        let values: Vec<String> = param.values.iter().enumerate().map(value).collect();
        row("param", &format!("{}: {}", param.name, values.join(" | ")));
    }
    row("cells", &cells(loaded));
    row("clauses", &rules.clauses.len().to_string());
    let ops: Vec<&str> = rules.ops.iter().map(|op| op.name.as_str()).collect();
    row("ops", &format!("{}: {}", ops.len(), ops.join(" ")));
    for law in laws(loaded.compiled) {
        row("law", &law);
    }
    text
}

fn cells(loaded: &Loaded) -> String {
    let dtypes = loaded.rules.tables().dtypes;
    let pairs =
        dtypes.iter().flat_map(|a| dtypes.iter().map(move |b| [Operand::Array(*a), Operand::Array(*b)]));
    let refused = pairs.filter(|pair| loaded.rules.result_type(pair).is_err()).count();
    let all = dtypes.len() * dtypes.len();
    let settings = loaded.rules.tables().settings.len();
    let settings =
        if settings == 1 { String::new() } else { format!("; {settings} settings of the parameters") };
    format!("{all} pairs of arrays: {} promote, {refused} refused{settings}", all - refused)
}

/// Both laws, whether the file speaks of them or not.
fn laws(compiled: &Compiled) -> impl Iterator<Item = String> {
    compiled.laws().into_iter().map(|law| {
        let name = match law.kind {
            LawKind::Commutative => "commutative",
            LawKind::Associative => "associative",
        };
        let unclaimed = if law.claimed.is_none() { ", and the file does not speak of it" } else { "" };
        match (&law.counterexample, &law.reason) {
            (None, _) => format!("{name}: holds{unclaimed}"),
            (Some(example), None) => format!("{name}: does not hold{unclaimed}: {example}"),
            (Some(example), Some(reason)) => {
                format!("{name}: does not hold: {reason}; for example, {example}")
            }
        }
    })
}
