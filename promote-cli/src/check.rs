//! `promote check`: the mistakes in rule files, or a summary of each.

use std::fmt::Write as _;

use promote::Operand;
use promote_rules::Compiled;
use promote_rules::model::LawKind;
use serde_json::Value;

use crate::answer::Answer;
use crate::failure::{Failure, Mistake, counted};
use crate::load::{BaseArgs, FileArgs, Loaded};
use crate::names::NamesArgs;
use crate::output::{AnswerArgs, Format};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("format", |format| format.help("The form of the answer; json is a list of all mistakes")))]
pub struct Args {
    /// A bundled rule set, or the path of a rule file
    #[arg(required = true)]
    rules: Vec<String>,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// Checks the rule files.
///
/// # Errors
/// Returns all mistakes of all files with their positions. The files without mistakes are summarized too.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let load = |file: &String| {
        FileArgs::new(file, &args.base, &NamesArgs::default()).load(&[]).map(|loaded| summary(&loaded))
    };
    let checked: Vec<_> = args.rules.iter().map(|file| (file, load(file))).collect();
    match args.answer.format {
        Format::Text => as_text(checked),
        Format::Json => as_json(checked),
    }
}

/// Each file with its summary or its mistakes.
type Checked<'a> = Vec<(&'a String, Result<String, Failure>)>;

fn as_text(checked: Checked) -> Result<Answer, Failure> {
    let (mut summaries, mut failures) = (Vec::new(), Vec::new());
    for (_, told) in checked {
        match told {
            Ok(summary) => summaries.push(summary),
            Err(failure) => failures.push(failure),
        }
    }
    let (summaries, right) = (summaries.join("\n"), summaries.len());
    let title = match failures.len() {
        0 => "no mistakes".to_owned(),
        wrong => format!("mistakes in {wrong} of {}", counted(right + wrong, "rule file")),
    };
    match failures.len() {
        0 => Ok(Answer::new(title, summaries)),
        1 if summaries.is_empty() => Err(failures.remove(0)),
        _ => {
            let reports: Vec<String> = failures.iter().map(Failure::styled).collect();
            Err(Failure::report(reports.join("\n\n")).with_answer(Answer::new(title, summaries)))
        }
    }
}

fn as_json(checked: Checked) -> Result<Answer, Failure> {
    let files = checked.iter().filter(|(_, told)| told.is_err()).count();
    let failures = checked.into_iter().filter_map(|(file, told)| Some((file, told.err()?)));
    let mistakes: Vec<Mistake> = failures.flat_map(|(file, failure)| failure.into_mistakes(file)).collect();
    let text = terminal::json(&mistakes.iter().map(Mistake::as_json).collect::<Value>());
    if mistakes.is_empty() {
        return Ok(Answer::new("no mistakes", text));
    }
    let message = format!("{} in {}", counted(mistakes.len(), "mistake"), counted(files, "rule file"));
    Err(Failure::new(message.clone()).with_answer(Answer::new(message, text)))
}

/// Returns a summary of a rule set in a few lines.
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
    let loops = loaded.compiled.loops();
    if !loops.is_empty() {
        let pairs: usize = loops.iter().map(|(_, pairs)| pairs.len()).sum();
        let ops: Vec<&str> = loops.iter().map(|(op, _)| rules.ops[*op].name.as_str()).collect();
        row("kernels", &format!("{}: {}", counted(pairs, "loop"), ops.join(" ")));
    }
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

/// Returns a sentence about each law, also about those that the file does not claim.
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
