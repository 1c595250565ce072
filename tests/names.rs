//! The names that systems have for dtypes: each stands for one dtype of a rule set, and is read as the dtype
//! that the system itself says.

#[path = "common/bundled.rs"]
mod bundled;

use std::collections::BTreeMap;

use promote::{Argument, DType, Op, RuleSet, Tensor};
use promote_rules::bundled::{meanings, sources};
use promote_rules::{compile, name_of, with_bases};
use serde_json::{Map, Value};

use crate::bundled::bundled;

mod rules {
    promote::rules! {
        rules Base;
        dtypes bool i64 f32;
        promote { any, any => join or refuse "cast one"; }
        names {
            i64: "int64" "long" "i8";
            f32: "lib.float" "single";
        }
    }
    promote::rules! {
        rules Other extends crate::rules::Base;
        dtypes i8 f64;
        names {
            f32: "float32";
            f64: "float";
        }
    }
}

/// What the systems answered: `tests/data/record_names.py` asks them.
const RECORDED: &str = include_str!("data/names.json");

#[test]
fn every_name_is_read_as_the_dtype_it_stands_for() {
    let mut names = 0;
    for rules in bundled() {
        for &dtype in rules.dtypes() {
            assert!(!rules.names_of(dtype).is_empty(), "{} has no name for {dtype}", rules.name());
            assert_eq!(rules.dtype_named(rules.name_of(dtype)), Some(dtype), "{}", rules.name());
            for name in rules.names_of(dtype) {
                assert_eq!(rules.dtype_named(name), Some(dtype), "{}: {name}", rules.name());
                names += 1;
            }
        }
    }
    println!("{names} names");
}

#[test]
fn no_name_stands_for_two_dtypes() {
    for rules in bundled() {
        let mut meanings: BTreeMap<&str, DType> = BTreeMap::new();
        for &dtype in rules.dtypes() {
            for name in rules.names_of(dtype) {
                let other = meanings.insert(name, dtype);
                assert!(other.is_none(), "{}: `{name}` is {dtype} and {other:?}", rules.name());
            }
        }
    }
}

/// The names of `promote` that a system gives to another dtype. A rule set that gets one more makes the
/// command tell so on standard error.
#[test]
fn names_with_another_meaning_are_known() {
    let bytes = "u1=u8 u2=u16 u4=u32 u8=u64 i1=i8 i2=i16 i4=i32 i8=i64";
    for rules in bundled() {
        let other = DType::STANDARD.iter().filter_map(|dtype| {
            let named = rules.dtype_named(dtype.name()).filter(|named| named != dtype)?;
            Some(format!("{dtype}={named}"))
        });
        let expected = match rules.name() {
            "ArrayApi" | "Jax" | "Jax2020" | "MlDtypes" | "NumPy" | "NumPy1" => bytes,
            "Torch" | "TorchAutocast" | "OneFlow2021" => "u1=u8 i1=i8 i2=i16 i4=i32 i8=i64",
            "OpenVino" => "f8e4m3=f8e4m3fn",
            _ => "",
        };
        let mut other: Vec<String> = other.collect();
        let mut expected: Vec<&str> = expected.split_whitespace().collect();
        other.sort();
        expected.sort_unstable();
        assert_eq!(other, expected, "{}", rules.name());
    }
}

#[test]
fn names_mean_what_the_systems_say() {
    let recorded: Map<String, Value> = serde_json::from_str(RECORDED).expect("JSON");
    for (system, said) in &recorded {
        let rules = bundled().into_iter().find(|rules| plain(rules.name()) == plain(system));
        let Some(rules) = rules else { continue };
        let names = said["names"].as_object().expect("names");
        for (name, said) in names {
            let Some(dtype) = said.as_str().and_then(|said| dtype(&rules, said)) else {
                // The system does not know the name, or the rule set not the dtype.
                assert!(said.is_null() || rules.dtype_named(name).is_none(), "{system}: {name}");
                continue;
            };
            assert_eq!(rules.dtype_named(name), Some(dtype), "{system}: {name}");
        }
        assert!(names.len() >= 9, "{system}");
    }
    assert!(recorded.len() >= 12, "only {} systems", recorded.len());
}

#[cfg(feature = "matmul")]
#[test]
fn names_of_ops_stand_for_functions_that_compute_them() {
    let recorded: Map<String, Value> = serde_json::from_str(RECORDED).expect("JSON");
    let mut compared = 0;
    for (system, said) in &recorded {
        let rules = bundled().into_iter().find(|rules| plain(rules.name()) == plain(system));
        let Some(rules) = rules else { continue };
        let none = Map::new();
        let functions =
            said.get("functions").map_or(&none, |functions| functions.as_object().expect("functions"));
        for name in written_names_of_ops(&rules) {
            let function =
                functions.get(&name).unwrap_or_else(|| panic!("{system}: `{name}` is not recorded"));
            assert!(!function.is_null(), "{system} has no `{name}`");
            let op = function["op"].as_str().expect("an op");
            let means = |of: &str, by: &str| of == op && by == rules.name();
            let is_named = meanings(&name).iter().any(|m| m.systems.iter().any(|by| means(m.of, by)));
            assert!(is_named, "{system}: `{name}` was recorded as `{op}`");
            compare(&rules, &name, op.parse().expect("a standard op"), function);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Returns the names that the file of a rule set itself gives to ops, as they are written: with a path, if
/// the system has one.
#[cfg(feature = "matmul")]
fn written_names_of_ops(rules: &RuleSet) -> Vec<String> {
    let file = sources().find(|file| name_of(file).as_deref() == Some(rules.name())).expect("a bundled file");
    let files = with_bases(file, sources()).unwrap_or_else(|_| panic!("the bases of {}", rules.name()));
    let ops = compile(&files).unwrap_or_else(|_| panic!("{} has mistakes", rules.name())).rules.ops;
    let names = ops.into_iter().flat_map(|op| op.names);
    // A set that extends another one has the names of its base, and no functions of its own.
    let is_own = files.len() == 1 || rules.name() == "ArrayApi";
    names.filter(|name| is_own && (name.contains('.') || rules.name() == "ArrayApi")).collect()
}

/// Compares what an op computes with what a function of the system returned.
#[cfg(feature = "matmul")]
fn compare(rules: &RuleSet, name: &str, op: Op, function: &Value) {
    let operands: Vec<Tensor> = list(&function["operands"]).iter().map(tensor).collect();
    let found = if op == Op::Astype {
        rules.astype(&operands[0].view(), DType::I32, None)
    } else {
        let mut inputs: Vec<Argument<'_>> = operands.iter().map(Argument::from).collect();
        if op == Op::Clamp {
            inputs.extend([-1.0, 1.0].map(Argument::from));
        }
        rules.call(op, &inputs)
    };
    let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
    let [dtype, shape, numbers] = list(&function["result"]) else { panic!("a result of {name}") };
    let shape: Vec<usize> = list(shape).iter().map(|len| len.as_u64().expect("a length") as usize).collect();
    assert_eq!(
        (found.dtype().name(), found.shape()),
        (dtype.as_str().expect("a dtype"), &shape[..]),
        "{name}"
    );
    let found = rules.astype(&found.view(), DType::F64, None).expect("numbers");
    for (found, recorded) in found.as_slice::<f64>().expect("f64").iter().zip(list(numbers)) {
        let recorded = number(recorded);
        let is_near = (found - recorded).abs() <= 4e-7 * recorded.abs();
        assert!(is_near || found.is_nan() && recorded.is_nan(), "{name}: {found}, recorded {recorded}");
    }
}

#[cfg(feature = "matmul")]
fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Returns a recorded number; `null` is NaN.
#[cfg(feature = "matmul")]
fn number(value: &Value) -> f64 {
    value.as_bool().map_or_else(|| value.as_f64().unwrap_or(f64::NAN), |is_true| f64::from(u8::from(is_true)))
}

/// Returns a recorded operand: a dtype, and numbers in a row or in rows.
#[cfg(feature = "matmul")]
fn tensor(operand: &Value) -> Tensor {
    let [dtype, numbers] = list(operand) else { panic!("an operand") };
    let rows = list(numbers);
    let (shape, flat): (Vec<usize>, Vec<f64>) = if rows[0].is_array() {
        let flat: Vec<f64> = rows.iter().flat_map(|row| list(row).iter().map(number)).collect();
        (vec![rows.len(), flat.len() / rows.len()], flat)
    } else {
        (vec![rows.len()], rows.iter().map(number).collect())
    };
    match dtype.as_str() {
        Some("bool") => Tensor::new(&flat.iter().map(|x| *x != 0.0).collect::<Vec<_>>()[..], &shape),
        Some("i32") => Tensor::new(&flat.iter().map(|x| *x as i32).collect::<Vec<_>>()[..], &shape),
        _ => Tensor::new(&flat.iter().map(|x| *x as f32).collect::<Vec<_>>()[..], &shape),
    }
    .expect("a tensor")
}

/// Returns the dtype of a rule set with a name of `promote`.
fn dtype(rules: &RuleSet, name: &str) -> Option<DType> {
    rules.dtypes().iter().copied().find(|dtype| dtype.name() == name)
}

fn plain(name: &str) -> String {
    name.replace(['-', '_'], "").to_lowercase()
}

#[test]
fn an_extension_inherits_names_and_replaces_lines() {
    let (base, other) = (rules::Base::new().rule_set(), rules::Other::new().rule_set());
    assert_eq!(base.names_of(DType::F32), ["lib.float", "single", "float"]);
    assert_eq!(base.dtype_named("float"), Some(DType::F32));
    // The file has no names for bool.
    assert_eq!((base.name_of(DType::Bool), base.dtype_named("bool")), ("bool", Some(DType::Bool)));
    assert_eq!(base.dtype_named("f32"), None);
    assert_eq!(other.names_of(DType::I64), ["int64", "long", "i8"]);
    // The name of a dtype that the extension adds is one of the base for another dtype.
    assert_eq!((other.name_of(DType::I8), other.dtype_named("i8")), ("promote.i8", Some(DType::I64)));
    assert_eq!(other.names_of(DType::F32), ["float32"]);
    assert_eq!((other.dtype_named("float"), other.dtype_named("single")), (Some(DType::F64), None));
}
