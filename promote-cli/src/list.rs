//! `promote list`: the bundled rule sets, or the parameters, dtypes and ops of one rule set.

use std::borrow::Cow;
use std::collections::BTreeSet;

use promote::{DType, Op, RuleSet};
use promote_core::__private::table::Param;
use promote_rules::bundled::{BUNDLED, BundledFile};
use promote_rules::model::DTypeId;
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::columns::aligned;
use crate::explain::call;
use crate::expr;
use crate::failure::{Failure, counted};
use crate::load::{BaseArgs, FileArgs, Loaded};
use crate::names::NamesArgs;
use crate::output::{AnswerArgs, Format};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("files", |base| base.requires("rules")))]
pub struct Args {
    /// A bundled rule set, or the path of a rule file; without it, the bundled rule sets are listed
    rules: Option<String>,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    names: NamesArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// Lists.
///
/// # Errors
/// Returns an error if there is no such rule set, or if its file has mistakes.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let Some(rules) = &args.rules else { return all(args) };
    let loaded = FileArgs::new(rules, &args.base, &args.names).load(&[])?;
    let title = format!("{} ({})", loaded.rules.name(), loaded.compiled.rules.files[0]);
    let text = match args.answer.format {
        Format::Text => one_as_text(&title, &loaded),
        Format::Json => terminal::json(&as_json(rules, &loaded)),
    };
    Ok(Answer::new(title, text))
}

/// Lists the bundled rule sets.
fn all(args: &Args) -> Result<Answer, Failure> {
    let load = |BundledFile { name, .. }: &BundledFile| {
        FileArgs::new(name, &args.base, &args.names).load(&[]).map(|loaded| (*name, loaded))
    };
    let all = BUNDLED.iter().map(load).collect::<Result<Vec<_>, _>>()?;
    let title = "Bundled rule sets";
    let text = match args.answer.format {
        Format::Text => all_as_text(title, &all),
        Format::Json => {
            terminal::json(&all.iter().map(|(name, loaded)| as_json(name, loaded)).collect::<Value>())
        }
    };
    Ok(Answer::new(title, text))
}

/// Returns the values of a parameter, separated by commas, the default marked.
pub(crate) fn values(loaded: &Loaded, param: &Param<'static>) -> String {
    let value = |(at, value): (usize, &&'static str)| {
        let value = loaded.names.show_value(&loaded.rules, value);
        let default = if at == usize::from(param.default) { " (default)" } else { "" };
        format!("{value}{default}")
    };
    param.values.iter().enumerate().map(value).collect::<Vec<_>>().join(", ")
}

fn all_as_text(title: &str, all: &[(&str, Loaded)]) -> String {
    let mut rows = vec![["name", "dtypes", "ops", "parameters"].map(str::to_owned).to_vec()];
    for (name, loaded) in all {
        let tables = loaded.rules.tables();
        let counts = [tables.dtypes.len().to_string(), tables.ops.len().to_string()];
        let params = tables.params.iter().map(|param| {
            // A parameter may take any dtype.
            let values = match param.values.len() {
                ..=8 => values(loaded, param),
                count => {
                    let default = param.values[usize::from(param.default)];
                    let default = loaded.names.show_value(&loaded.rules, default);
                    format!("{default} (default) and {} more", count - 1)
                }
            };
            format!("{}: {values}", param.name)
        });
        let params: Vec<String> = params.collect();
        let mut params = params.into_iter();
        let first = params.next().unwrap_or_default();
        rows.push([vec![(*name).to_owned()], counts.to_vec(), vec![first]].concat());
        rows.extend(params.map(|param| vec![String::new(), String::new(), String::new(), param]));
    }
    let mut lines = vec![title.to_owned()];
    lines.extend(aligned(&rows, 3));
    lines.extend([String::new(), "`promote list NAME` lists the dtypes and ops of a rule set.".to_owned()]);
    lines.join("\n") + "\n"
}

fn one_as_text(title: &str, loaded: &Loaded) -> String {
    let tables = loaded.rules.tables();
    let mut lines = vec![title.to_owned()];
    if !tables.params.is_empty() {
        lines.extend([String::new(), "Parameters, set by `--set NAME=VALUE`".to_owned()]);
        let rows: Vec<_> =
            tables.params.iter().map(|param| vec![param.name.to_owned(), values(loaded, param)]).collect();
        lines.extend(aligned(&rows, 1));
    }
    lines.extend([String::new(), format!("Dtypes: {}", tables.dtypes.len())]);
    let rows: Vec<_> = kinds(loaded).into_iter().map(|(kind, names)| vec![kind, names.join(" ")]).collect();
    lines.extend(aligned(&rows, 1));
    if !tables.names.is_empty() {
        lines.extend([String::new(), "Names of the dtypes in the system".to_owned()]);
        let named = tables.dtypes.iter().zip(tables.names).filter(|(_, names)| !names.is_empty());
        let rows: Vec<_> =
            named.map(|(dtype, names)| vec![loaded.show(*dtype).into_owned(), names.join(", ")]).collect();
        lines.extend(aligned(&rows, 1));
    }
    if !tables.ops.is_empty() {
        lines.extend([String::new(), format!("Ops: {}", tables.ops.len())]);
        let rows: Vec<_> = tables
            .ops
            .iter()
            .map(|table| {
                let call = match expr::sign(table.op) {
                    Some(sign) if table.op.arity() == 1 => format!("{}, {sign}a", call(table.op)),
                    Some(sign) => format!("{}, a {sign} b", call(table.op)),
                    None => call(table.op),
                };
                vec![table.op.to_string(), call, what(table.op).to_owned()]
            })
            .collect();
        lines.extend(aligned(&rows, 1));
        let loops = loaded.compiled.loops();
        if !loops.is_empty() {
            lines.extend([String::new(), "Loops that the crate of the rule set compiles".to_owned()]);
            let rows: Vec<_> = loops
                .iter()
                .map(|(op, pairs)| vec![loaded.compiled.rules.ops[*op].name.clone(), pairs_of(loaded, pairs)])
                .collect();
            lines.extend(aligned(&rows, 1));
        }
        let example = tables.ops[0].op;
        lines.extend([
            String::new(),
            format!("`promote explain {} --op {example}` explains an op.", said(loaded)),
        ]);
    }
    lines.join("\n") + "\n"
}

/// Returns the number of pairs of dtypes and the dtypes of which they are.
pub(crate) fn pairs_of(loaded: &Loaded, pairs: &[[DTypeId; 2]]) -> String {
    let named: BTreeSet<DTypeId> = pairs.iter().flatten().copied().collect();
    let names: Vec<_> = named.into_iter().map(|id| loaded.show_id(id)).collect();
    let names = names.join(" ");
    format!("{} of {names}", counted(pairs.len(), "pair"))
}

/// Returns the name by which the command line knows a rule set.
fn said(loaded: &Loaded) -> &str {
    let file = &loaded.compiled.rules.files[0];
    BUNDLED.iter().find(|bundled| bundled.file == file).map_or(file, |bundled| bundled.name)
}

/// Returns a few words about an op.
fn what(op: Op) -> &'static str {
    match op {
        Op::Custom(custom) if custom.has_kernels() => "custom",
        _ if !expr::is_computed(op) => "dtypes only",
        _ if RuleSet::is_reduction(op) => "reduction",
        _ if RuleSet::is_scan(op) => "scan",
        _ if op.is_loss() => "loss",
        _ if op.info().gives_bool() => "gives bool",
        _ => "",
    }
}

/// Returns the names of the dtypes of each kind.
fn kinds(loaded: &Loaded) -> Vec<(String, Vec<Cow<'static, str>>)> {
    let model = &loaded.compiled.rules;
    let of_kind = |(kind, name): (usize, &String)| {
        let dtypes = model.ids().filter(|id| model.dtypes[id.index()].kind == kind);
        (name.clone(), dtypes.map(|id| loaded.show_id(id)).collect::<Vec<_>>())
    };
    model.kinds.iter().enumerate().map(of_kind).filter(|(_, names)| !names.is_empty()).collect()
}

fn as_json(name: &str, loaded: &Loaded) -> Value {
    let tables = loaded.rules.tables();
    let value = |value: &'static str| loaded.names.show_value(&loaded.rules, value);
    let params = tables.params.iter().map(|param| {
        json!({
            "name": param.name,
            "default": value(param.values[usize::from(param.default)]),
            "values": param.values.iter().map(|text| value(text)).collect::<Vec<_>>(),
        })
    });
    let kinds: Map<String, Value> =
        kinds(loaded).into_iter().map(|(kind, names)| (kind, json!(names))).collect();
    let ops = tables.ops.iter().map(|table| {
        json!({
            "name": table.op.name(),
            "call": call(table.op),
            "operator": expr::sign(table.op),
            "computed": expr::is_computed(table.op),
        })
    });
    let names = tables.dtypes.iter().zip(tables.names);
    let names: Map<String, Value> =
        names.map(|(dtype, names)| (loaded.show(*dtype).into_owned(), json!(names))).collect();
    let rules = &loaded.compiled.rules;
    let loops: Map<String, Value> = loaded
        .compiled
        .loops()
        .into_iter()
        .map(|(op, pairs)| {
            let pairs = pairs.iter().map(|pair| pair.map(|id| loaded.show_id(id)));
            (rules.ops[op].name.clone(), json!(pairs.collect::<Vec<_>>()))
        })
        .collect();
    json!({
        "name": name,
        "rules": loaded.rules.name(),
        "file": loaded.compiled.rules.files[0],
        "params": params.collect::<Vec<_>>(),
        "dtypes": tables.dtypes.iter().map(|dtype: &DType| loaded.show(*dtype)).collect::<Vec<_>>(),
        "kinds": kinds,
        "names": names,
        "ops": ops.collect::<Vec<_>>(),
        "loops": loops,
    })
}
