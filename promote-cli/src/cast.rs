//! `promote cast`: at which levels a cast is allowed, and what it can lose.

use promote::{DType, Op, Operand, PromoteError};
use serde_json::{Map, Value, json};

use crate::bundled::{Loaded, RulesArgs};
use crate::explain::{Format, loses};
use crate::failure::{Failure, listed};
use crate::suggest::near_dtype;
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The dtype to cast
    from: String,
    /// The dtype to cast it to
    to: String,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
}

/// Says which levels allow a cast.
///
/// # Errors
/// The rule set has mistakes, states no casting levels, or does not have a dtype.
pub fn run(args: &Args) -> Result<String, Failure> {
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
    Ok(match args.format {
        Format::Text => as_text(&loaded, (from, to), &levels, losses.as_deref()),
        Format::Json => terminal::json(&as_json((from, to), &levels, losses.as_deref())),
    })
}

/// That a rule set states no casting levels, and what it casts all the same.
fn no_levels(loaded: &Loaded) -> Failure {
    let casts = loaded.rules.tables().ops.iter().any(|table| table.op == Op::Astype);
    let help = if casts {
        "`astype` casts any dtype to any other; a rule file states a level with `cast safe { .. }`"
    } else {
        "a rule file states a level with `cast safe { .. }`"
    };
    Failure::new(format!("{} states no casting levels", loaded.rules.name())).help(help)
}

/// The dtype of a name.
///
/// # Errors
/// The rule set has none of this name.
pub fn dtype(loaded: &Loaded, name: &str) -> Result<DType, Failure> {
    let dtypes = loaded.rules.tables().dtypes;
    dtypes.iter().copied().find(|dtype| dtype.name() == name).ok_or_else(|| {
        let known: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
        let all = format!("the dtypes: {}", listed(known.iter().copied()));
        Failure::new(format!("`{name}` is no dtype of {}", loaded.rules.name()))
            .help(near_dtype(name, &known, &all))
    })
}

type Level = (&'static str, Result<(), PromoteError>);

fn as_text(
    loaded: &Loaded,
    (from, to): (DType, DType),
    levels: &[Level],
    losses: Option<&[String]>,
) -> String {
    let mut lines = vec![format!("{}: {from} to {to}", loaded.rules.name())];
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
        None => "  what is lost is not known: a dtype of the file's own has no format".to_owned(),
        Some([]) => "  nothing is lost".to_owned(),
        Some(losses) => format!("  can lose {}", losses.join(" and ")),
    });
    lines.join("\n") + "\n"
}

fn as_json((from, to): (DType, DType), levels: &[Level], losses: Option<&[String]>) -> Value {
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
    json!({ "from": from.name(), "to": to.name(), "allowed": allowed, "because": because, "loses": loses })
}
