//! What `where` makes of an array and an integer number, by the value of that, in either order.

use promote::Op;

use crate::answers::{As, Rules};
use crate::table::{cells, data};

#[test]
fn where_takes_or_refuses_integers_as_recorded() {
    let data = data("where_numbers");
    let (mut compared, mut wrong) = (0, Vec::new());
    for (set, recorded) in data.as_object().expect("an object") {
        let rules = Rules::load(set);
        for (number, array, word) in cells(recorded.as_object().expect("a framework"), "table") {
            let [a, b] = [&number, &array].map(|word| rules.operand(word, As::Array));
            for operands in [[a, b], [b, a]] {
                let ours = rules.op(Op::Where, &operands);
                compared += 1;
                if ours.as_deref().unwrap_or("-") != word {
                    wrong.push(format!("{set}: {number} and {array}: recorded {word}, ours {ours:?}"));
                }
            }
        }
    }
    println!("{compared} answers of `where`");
    assert!(compared > 2000, "only {compared} answers");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}
