//! What `logical_and` makes of an array and a number, by the value of that, in either order: by the kernels
//! and by the reference.

use promote::ScalarValue;
use promote::{Argument, DType, Number, Op};
use promote::{Slice, SliceMut};
use promote_reference::{Options, Value, evaluate};

use crate::answers::{Rules, number};
use crate::table::{cells, data};

#[test]
fn logical_ops_take_numbers_for_what_was_recorded() {
    let data = data("logical_numbers");
    let (mut compared, mut wrong) = (0, Vec::new());
    for (set, recorded) in data.as_object().expect("an object") {
        let rules = Rules::load(set);
        for (word, array, expected) in cells(recorded.as_object().expect("a framework"), "table") {
            let number = number(&word).expect("a number");
            let dtype = rules.dtype(&array);
            for number_first in [false, true] {
                compared += 1;
                let [kernel, reference] =
                    [by_kernel, by_reference].map(|f| f(&rules, dtype, number, number_first));
                if [&kernel, &reference].map(String::as_str) != [expected.as_str(); 2] {
                    wrong.push(format!(
                        "{set}: {word} and {array}: recorded {expected}, kernel {kernel}, reference {reference}"
                    ));
                }
            }
        }
    }
    println!("{compared} answers of `logical_and`");
    assert!(compared > 1500, "only {compared} answers");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The answer for an array of a 1, or `-` for an error; nothing is true beside a 0.
fn by_kernel(rules: &Rules, dtype: DType, number: Number, number_first: bool) -> String {
    let answer = |element: i128| {
        let element =
            ScalarValue::from_number(Number::Int(element), dtype).expect("0 and 1 are in every dtype");
        let array = Slice::from_bytes(dtype, element.bytes()).expect("one element");
        let mut operands = [Argument::Array(array), Argument::Number(number)];
        operands[..].rotate_left(usize::from(number_first));
        let mut out = [false];
        rules.rules.elementwise(Op::LogicalAnd, &operands, SliceMut::new(&mut out)).ok()?;
        Some(out[0])
    };
    assert_ne!(answer(0), Some(true), "0 and {number:?} under {}", rules.rules.name());
    answer(1).map_or("-".to_owned(), |truth| truth.to_string())
}

/// The same by the reference evaluator.
fn by_reference(rules: &Rules, dtype: DType, number: Number, number_first: bool) -> String {
    let element = ScalarValue::from_number(Number::Int(1), dtype).expect("1 is in every dtype");
    let mut operands = [Value::Array(element), Value::Number(number)];
    operands.rotate_left(usize::from(number_first));
    let answer = evaluate(&rules.rules, Op::LogicalAnd, &operands, &Options::default());
    answer.map_or("-".to_owned(), |truth| truth.get::<bool>().expect("a bool").to_string())
}
