//! OneFlow as its article of November 2021 describes it.

use crate::answers::{As, Rules};

const DTYPES: [&str; 8] = ["bool", "u8", "i8", "i32", "i64", "f16", "f32", "f64"];

/// Returns the Python number of a dtype's family. The article has three families: bool, integers and floats.
fn number(dtype: &str) -> &'static str {
    match &dtype[..1] {
        "b" => "py_bool",
        "f" => "py_float",
        _ => "py_int",
    }
}

/// "The behavior of Array and Scalar will be consistent with the behavior of Array and 0d Array."
#[test]
fn zero_dimensional_arrays_promote_as_numbers() {
    let rules = Rules::load("oneflow2021");
    let of = |array: &str, other| rules.result(&[rules.operand(array, As::Array), other]);
    for array in DTYPES {
        for other in DTYPES {
            let zero_dim = of(array, rules.operand(other, As::ZeroDim));
            assert_eq!(zero_dim, of(array, rules.operand(number(other), As::Array)), "{array} and {other}");
            if number(array) == number(other) {
                assert_eq!(zero_dim.as_deref(), Some(array), "of one family: {array} and {other}");
            }
        }
    }
    let f64_number = rules.operand("f64", As::ZeroDim);
    assert_eq!(of("i32", f64_number).as_deref(), Some("f32"));
    // Today the array's dtype stays, whatever the other's.
    let today = Rules::load("oneflow");
    let found = today.result(&[today.operand("i32", As::Array), today.operand("f64", As::ZeroDim)]);
    assert_eq!(found.as_deref(), Some("i32"));
}

#[test]
fn arrays_promote_as_today() {
    let (rules, today) = (Rules::load("oneflow2021"), Rules::load("oneflow"));
    for a in DTYPES {
        for b in DTYPES {
            assert_eq!(rules.promote(a, b), today.promote(a, b), "{a} and {b}");
        }
    }
}
