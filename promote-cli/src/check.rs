//! `promote check`: is a rule file right, and what is in it.

use std::fmt::Write as _;

use promote::Operand;
use promote_rules::Compiled;
use promote_rules::model::LawKind;

use crate::bundled::{FileArgs, Loaded};
use crate::failure::Failure;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: FileArgs,
}

/// Checks the rule file.
///
/// # Errors
/// All its mistakes, with their places.
pub fn run(args: &Args) -> Result<String, Failure> {
    Ok(summary(&args.file.load(&[])?))
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
