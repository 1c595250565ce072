//! The tables as data. `docs/emit.md` describes the format.

use serde_json::{Map, Value, json};

use super::{About, Tables};
use crate::load::Loaded;
use crate::operands::params;
use crate::terminal;

/// Returns the JSON, with a row of a table on each line.
pub(super) fn write(about: &About, loaded: &Loaded, tables: &Tables) -> String {
    let params: Map<String, Value> =
        params(loaded).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    let refused = tables.first_refusal();
    let answers = (0..refused + tables.refusals.len()).map(|code| match tables.result(code) {
        Some(result) => json!(result),
        None => json!({ "refused": tables.refusals[code - refused] }),
    });
    let rows: Vec<Value> = tables.rows.iter().map(|row| json!([row.name, row.at])).collect();
    let pair = |at: usize| {
        let table = &tables.pairs[at];
        let rows: Vec<String> = table.cells.iter().map(|row| line(&json!(row))).collect();
        format!("{{\"ops\": {}, \"cells\": [\n{}\n]}}", line(&json!(table.ops)), rows.join(",\n"))
    };
    let single = |at: usize| {
        let table = &tables.singles[at];
        format!("{{\"ops\": {}, \"cells\": {}}}", line(&json!(table.ops)), line(&json!(table.cells)))
    };
    let lists = [
        ("pairs", (0..tables.pairs.len()).map(pair).collect::<Vec<_>>()),
        ("singles", (0..tables.singles.len()).map(single).collect()),
    ];
    let heads = [
        ("format", json!(1)),
        ("rules", json!(about.rules)),
        ("system", json!(about.system)),
        ("params", json!(params)),
        ("promote", json!(env!("CARGO_PKG_VERSION"))),
        ("command", json!(about.command)),
        ("scope", json!(about.scope)),
        ("dtypes", json!(tables.names)),
        ("operands", Value::Array(rows)),
        ("answers", answers.collect()),
    ];
    let heads = heads.iter().map(|(name, value)| format!("\"{name}\": {}", line(value)));
    let lists = lists.iter().map(|(name, tables)| format!("\"{name}\": [{}]", tables.join(",\n")));
    format!("{{\n{}\n}}\n", heads.chain(lists).collect::<Vec<_>>().join(",\n"))
}

/// Returns JSON on one line.
fn line(value: &Value) -> String {
    terminal::json(value).trim_end().to_owned()
}
