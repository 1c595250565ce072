//! The cells that differ, as JSON.

use promote::Op;
use serde_json::{Map, Value, json};

use super::{Counts, Pair};
use crate::table;

/// Returns the cells of `promote table --format json` that differ, and those with a dtype that one rule set
/// lacks.
pub(super) fn write(pair: &Pair) -> Value {
    let [a, b] = [0, 1].map(|at| table::json::write(&pair.loaded[at], pair.op, &pair.own_dtypes(at)));
    let (mut counts, mut different, mut absent) = (Map::new(), Map::new(), Map::new());
    for (name, cells) in a.as_object().into_iter().flatten() {
        // Each rule set has its own parameters.
        let (Some(cells), Some(others)) = (cells.as_object(), b[name].as_object()) else { continue };
        if name == "params" {
            continue;
        }
        let (mut count, mut differing) = (Counts::default(), Map::new());
        for (key, cell) in cells {
            let Some(other) = others.get(key) else { continue };
            let verdict = pair.verdict(&operands(key), cell.as_str(), other.as_str());
            count.add(verdict);
            if verdict.differs() {
                differing.insert(key.clone(), json!([cell, other]));
            }
        }
        let only = [lacking(pair, 1, cells), lacking(pair, 0, others)];
        // In cells that differ, one rule set may refuse.
        let told = json!({
            "cells": count.cells(),
            "different": differing.len(),
            "equal": count.equal,
            "refused_by_one": count.refused,
            "refused_by_both": count.refused_by_both,
            "absent": only.each_ref().map(Map::len),
        });
        absent.insert(name.clone(), json!(only));
        counts.insert(name.clone(), told);
        different.insert(name.clone(), Value::Object(differing));
    }
    let shared = pair.dtypes[0].iter().map(|dtype| pair.show(*dtype));
    let shared: Vec<_> = shared.filter(|name| !pair.lacks(0, name) && !pair.lacks(1, name)).collect();
    json!({
        "rules": pair.loaded.each_ref().map(|loaded| loaded.rules.name()),
        "op": pair.op.map(Op::name),
        "params": [&a["params"], &b["params"]],
        "dtypes": shared,
        "only": pair.only,
        "counts": counts,
        "different": different,
        "absent": absent,
    })
}

/// Returns the operands of a cell by its key.
fn operands(key: &str) -> Vec<&str> {
    key.split(',').collect()
}

/// Returns the cells with a dtype that the other rule set, of this index, lacks.
fn lacking(pair: &Pair, other: usize, cells: &Map<String, Value>) -> Map<String, Value> {
    let lacks = |key: &str| operands(key).iter().any(|operand| pair.lacks(other, operand));
    let found = cells.iter().filter(|(key, _)| lacks(key));
    found.map(|(key, cell)| (key.clone(), cell.clone())).collect()
}
