//! Lists of operands, mixed at random, and what the frameworks make of them.

use promote::Operand;

use crate::answers::{As, Rules, number};
use crate::table::data;

/// An operand as the lists spell it: a dtype, `f32[]` without dimensions, or a Python number.
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

/// Compares the lists of a framework with the rule set of the same name.
fn compare(framework: &str) {
    let data = data("lists");
    assert!(
        data.as_object().expect("an object").keys().eq(["numpy", "jax", "torch"]),
        "each has a test below"
    );
    let rules = Rules::load(framework);
    let lists = data[framework]["lists"].as_array().expect("lists");
    let mut wrong = Vec::new();
    for row in lists {
        let [list, recorded] = [0, 1].map(|i| row[i].as_str().expect("a list and what came of it"));
        let operands: Vec<Operand> = list.split(' ').map(|word| operand(&rules, word)).collect();
        let ours = rules.result(&operands);
        let ours = ours.as_deref().unwrap_or("-");
        if ours != recorded {
            wrong.push(format!("{list}: recorded {recorded}, ours {ours}"));
        }
    }
    println!("{framework:12} {} lists of operands equal", lists.len() - wrong.len());
    assert!(lists.len() >= 1000, "{} lists", lists.len());
    assert!(wrong.is_empty(), "{} lists differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn lists_of_numpy() {
    compare("numpy");
}

#[test]
fn lists_of_jax() {
    compare("jax");
}

#[test]
fn lists_of_torch() {
    compare("torch");
}
