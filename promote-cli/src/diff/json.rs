//! The cells that differ, for a program.

use promote::Op;
use serde_json::{Map, Value, json};

use super::Pair;
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
        let both: Vec<_> =
            cells.iter().filter_map(|(key, cell)| Some((key, cell, others.get(key)?))).collect();
        let same = |a: &Value, b: &Value| match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => pair.same(a, b),
            (a, b) => a == b,
        };
        let differing = both.iter().filter(|(_, a, b)| !same(a, b));
        let differing: Map<String, Value> =
            differing.map(|(key, a, b)| ((*key).clone(), json!([a, b]))).collect();
        counts.insert(name.clone(), json!({ "cells": both.len(), "different": differing.len() }));
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
