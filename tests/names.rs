//! The names that systems have for dtypes: each stands for one dtype of a rule set, and is read as the dtype
//! that the system itself says.

#[path = "common/bundled.rs"]
mod bundled;

use std::collections::BTreeMap;

use promote::{DType, RuleSet};
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
