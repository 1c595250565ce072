//! Lists of two to five operands, drawn at random, and the result types that systems give for them.

use promote::Operand;
use serde_json::Value;

use crate::answers::{As, Rules, number};
use crate::score::Score;

/// The fewest lists that a system has.
const MIN_LISTS: usize = 1000;

/// Returns an operand as the lists spell it: `f32` (an array), `f32[]` (zero-dimensional) or a Python number.
fn operand(rules: &Rules, word: &str) -> Operand {
    if let Some(dtype) = word.strip_suffix("[]") {
        return rules.operand(dtype, As::ZeroDim);
    }
    let kind = match word {
        "True" | "False" => "py_bool",
        _ if word.ends_with('j') => "py_complex",
        _ if word.parse::<i128>().is_ok() => "py_int",
        _ if word.parse::<f64>().is_ok() => "py_float",
        _ => return rules.operand(word, As::Array),
    };
    Operand::Number(number(&format!("{kind}:{word}")).expect("a number"))
}

/// Compares the section `lists`. Each line holds operands, and behind them their result type.
pub(crate) fn compare(rules: &Rules, score: &mut Score, lists: &Value) {
    let lists = lists.as_array().expect("lines");
    for line in lists {
        let line = line.as_str().expect("a line");
        let (list, recorded) = line.rsplit_once(' ').expect("operands and a result");
        let operands: Vec<Operand> = list.split(' ').map(|word| operand(rules, word)).collect();
        score.cell("lists", "lists", list, recorded, rules.result(&operands).as_deref());
    }
    assert!(lists.len() >= MIN_LISTS, "only {} lists", lists.len());
}
