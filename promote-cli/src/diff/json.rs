//! The cells that differ, for a program.

use promote::Op;
use serde_json::{Map, Value, json};

use super::{Counts, Pair};
use crate::table;

/// Of every table of `promote table --format json` the cells that both have, and of those the ones that differ.
pub(super) fn write(pair: &Pair) -> Value {
    let [a, b] = [0, 1].map(|at| table::json::write(&pair.loaded[at], pair.op));
    let (mut counts, mut different) = (Map::new(), Map::new());
    for (name, cells) in a.as_object().into_iter().flatten() {
        // The parameters are of each its own.
        let (Some(cells), Some(others)) = (cells.as_object(), b[name].as_object()) else { continue };
        if name == "params" {
            continue;
        }
        let (mut count, mut differing) = (Counts::default(), Map::new());
        for (key, cell) in cells {
            let Some(other) = others.get(key) else { continue };
            let verdict = pair.verdict(cell.as_str(), other.as_str());
            count.add(verdict);
            if verdict.differs() {
                differing.insert(key.clone(), json!([cell, other]));
            }
        }
        // All that differ, of which one may refuse.
        let told = json!({
            "cells": count.cells(),
            "different": differing.len(),
            "equal": count.equal,
            "refused_by_one": count.refused,
            "refused_by_both": count.refused_by_both,
        });
        counts.insert(name.clone(), told);
        different.insert(name.clone(), Value::Object(differing));
    }
    let names: Vec<&str> = pair.dtypes[0].iter().map(|dtype| dtype.name()).collect();
    json!({
        "rules": pair.loaded.each_ref().map(|loaded| loaded.rules.name()),
        "op": pair.op.map(Op::name),
        "params": [&a["params"], &b["params"]],
        "dtypes": names,
        "only": pair.only,
        "counts": counts,
        "different": different,
    })
}
