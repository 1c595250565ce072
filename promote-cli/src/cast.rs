//! `promote cast`: the casting levels that allow a cast, and what it can lose.

use std::borrow::Cow;

use promote::{Op, Operand, PromoteError};
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::explain::loses;
use crate::failure::Failure;
use crate::load::{Loaded, RulesArgs};
use crate::operands::dtype;
use crate::output::{AnswerArgs, Format};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The dtype to cast from
    from: String,
    /// The dtype to cast to
    to: String,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// Shows which casting levels allow a cast.
///
/// # Errors
/// Returns an error if the rule set has mistakes, has no casting levels, or does not know a dtype.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let loaded = args.rules.load()?;
    if loaded.rules.castings().is_empty() {
        return Err(no_levels(&loaded));
    }
    let (from, to) = (dtype(&loaded, &args.from)?, dtype(&loaded, &args.to)?);
    let levels: Vec<_> = loaded
        .rules
        .castings()
        .iter()
        .map(|level| (level.name(), loaded.rules.can_cast(from, to, *level)))
        .collect();
    let known = [from, to].iter().all(|dtype| dtype.format().is_some());
    let losses = known.then(|| loses(Operand::Array(from), to));
    let names = [from, to].map(|dtype| loaded.show(dtype));
    let title = format!("{}: {} to {}", loaded.rules.name(), names[0], names[1]);
    let text = match args.answer.format {
        Format::Text => as_text(&title, &levels, losses.as_deref()),
        Format::Json => terminal::json(&as_json(&names, &levels, losses.as_deref())),
    };
    Ok(Answer::new(title, text))
}

/// Returns the error that a rule set has no casting levels.
fn no_levels(loaded: &Loaded) -> Failure {
    let casts = loaded.rules.tables().ops.iter().any(|table| table.op == Op::Astype);
    let help = if casts {
        "`astype` casts any dtype to any other; a rule file adds a level with `cast safe { .. }`"
    } else {
        "a rule file adds a level with `cast safe { .. }`"
    };
    Failure::new(format!("{} has no casting levels", loaded.rules.name())).help(help)
}

type Level = (&'static str, Result<(), PromoteError>);

fn as_text(title: &str, levels: &[Level], losses: Option<&[String]>) -> String {
    let mut lines = vec![title.to_owned()];
    for (level, answer) in levels {
        lines.push(match answer {
            Ok(()) => format!("  {level}: allowed"),
            Err(PromoteError::CastRefused { reason, file, line, .. }) => {
                format!("  {level}: refused, {reason} ({file}:{line})")
            }
            Err(other) => format!("  {level}: {other}"),
        });
    }
    lines.push(match losses {
        None => "  the loss is not known: a custom dtype has no format".to_owned(),
        Some([]) => "  nothing is lost".to_owned(),
        Some(losses) => format!("  can lose {}", losses.join(" and ")),
    });
    lines.join("\n") + "\n"
}

fn as_json([from, to]: &[Cow<'_, str>; 2], levels: &[Level], losses: Option<&[String]>) -> Value {
    let allowed: Map<String, Value> =
        levels.iter().map(|(level, answer)| ((*level).to_owned(), json!(answer.is_ok()))).collect();
    let because: Vec<Value> = levels
        .iter()
        .filter_map(|(level, answer)| match answer {
            Err(PromoteError::CastRefused { reason, file, line, .. }) => {
                Some(json!({ "level": level, "reason": reason, "file": file, "line": line }))
            }
            _ => None,
        })
        .collect();
    let loses = losses.filter(|losses| !losses.is_empty()).map_or(Value::Null, |losses| json!(losses));
    json!({ "from": from, "to": to, "allowed": allowed, "because": because, "loses": loses })
}
