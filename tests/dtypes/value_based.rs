//! Answers that depend on values: a row for each number and each zero-dimensional array, by its value.

use promote::Op;
use serde_json::{Map, Value};

use crate::answers::{As, Rules};
use crate::score::Score;
use crate::table::cells;

/// Compares the table `values`.
pub(crate) fn compare(rules: &Rules, score: &mut Score, data: &Map<String, Value>) {
    let mut objects = 0;
    for (value, array, word) in cells(data, "values") {
        // For zero-dimensional arrays only `result_type` was asked.
        let (operand, asked) = match value.strip_prefix("0d:").and_then(|rest| rest.split_once(':')) {
            Some((dtype, value)) => (rules.zero_dim(dtype, value), 1),
            None => (rules.operand(&value, As::Array), 3),
        };
        let operands = [rules.operand(&array, As::Array), operand];
        let words: Vec<&str> = word.split('/').collect();
        if words[0] == "object" {
            objects += 1;
            continue;
        }
        let words = if let [result] = words[..] { vec![result, result, "bool"] } else { words };
        let ours = [rules.result(&operands), rules.op(Op::Add, &operands), rules.op(Op::Less, &operands)];
        let kinds = ["values.result_type", "values.add", "values.less"];
        for ((kind, word), ours) in kinds.into_iter().zip(&words).zip(ours).take(asked) {
            score.cell(kind, "values", &format!("{value},{array}"), word, ours.as_deref());
        }
    }
    if objects > 0 {
        println!("{objects} cells of `values` left out: `object`, Python's own integers, is no dtype here");
    }
}
