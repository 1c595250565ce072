//! The feature `serde`: values read back as they were written, by their names.

use std::fmt::Debug;

use promote::{
    Casting, CustomDType, CustomOp, DType, Kind, Level, Number, NumberKind, Op, OpTypes, Operand, Reduction,
    ResultType, Torch, TorchDefaultDtype,
};
use serde_json::Value;

#[allow(clippy::needless_pass_by_value, reason = "callers have literals")]
fn reads_back<T>(value: T, json: &str)
where
    T: Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned,
{
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn names_read_back_as_their_values() {
    for dtype in DType::STANDARD {
        reads_back(*dtype, &format!("{:?}", dtype.name()));
    }
    for op in Op::STANDARD {
        reads_back(*op, &format!("{:?}", op.name()));
    }
    for casting in Casting::ALL {
        reads_back(*casting, &format!("{:?}", casting.name()));
    }
    for level in Level::ALL {
        reads_back(*level, &format!("{:?}", level.name()));
    }
    for kind in NumberKind::ALL {
        reads_back(kind, &format!("{:?}", kind.name()));
    }
    reads_back(Kind::Unsigned, r#""unsigned""#);
    reads_back(Reduction::Mean, r#""mean""#);
}

#[test]
fn numbers_operands_and_results_read_back() {
    reads_back(Number::Bool(true), r#"{"bool":true}"#);
    reads_back(Number::Int(i128::from(u64::MAX)), r#"{"int":18446744073709551615}"#);
    reads_back(Number::Float(0.1), r#"{"float":0.1}"#);
    reads_back(Number::Complex(1.0, -2.5), r#"{"complex":[1.0,-2.5]}"#);
    reads_back(Operand::Array(DType::BF16), r#"{"array":"bf16"}"#);
    reads_back(Operand::ZeroDim(DType::I8, Some(Number::Int(-1))), r#"{"zero_dim":["i8",{"int":-1}]}"#);
    reads_back(Operand::ZeroDim(DType::F64, None), r#"{"zero_dim":["f64",null]}"#);
    reads_back(ResultType { dtype: DType::F32, weak: true }, r#"{"dtype":"f32","weak":true}"#);
    reads_back(OpTypes::uniform(DType::F16), r#"{"common":"f16","compute":"f32","output":"f16"}"#);
}

#[test]
fn reads_names_from_owned_strings() {
    assert_eq!(serde_json::from_value::<DType>(Value::from("f64")).unwrap(), DType::F64);
}

#[test]
fn unknown_names_are_errors_that_suggest_known_ones() {
    let error = serde_json::from_str::<DType>(r#""float32""#).unwrap_err().to_string();
    assert!(
        error.starts_with("`float32`: no standard dtype has this name") && error.contains("f32"),
        "{error}"
    );
    let error = serde_json::from_str::<Op>(r#""plus""#).unwrap_err().to_string();
    assert!(error.starts_with("`plus`: no standard op has this name") && error.contains("add"), "{error}");
    let error = serde_json::from_str::<Casting>("3").unwrap_err().to_string();
    assert!(error.contains(r#"expected a level of casting, such as "same_kind""#), "{error}");
    assert!(serde_json::from_str::<Level>(r#""avx""#).is_err());
    assert!(serde_json::from_str::<Kind>(r#""integer""#).is_err());
}

#[test]
fn custom_dtypes_and_ops_are_not_serialized() {
    static CENTS: CustomDType = CustomDType::new("cents", 64, 8);
    static BLEND: CustomOp = CustomOp::named("blend");
    let error = serde_json::to_string(&DType::Custom(&CENTS)).unwrap_err().to_string();
    assert_eq!(error, "`cents` is a custom dtype, which a name does not identify");
    let error = serde_json::to_string(&Op::Custom(&BLEND)).unwrap_err().to_string();
    assert_eq!(error, "`blend` is a custom op, which a name does not identify");
}

#[test]
fn parameters_of_rule_sets_read_back() {
    let torch = Torch::new().with_default_dtype(TorchDefaultDtype::F64);
    let json = serde_json::to_value(torch).unwrap();
    assert_eq!(json["default_dtype"], "f64");
    assert_eq!(serde_json::from_value::<Torch>(json.clone()).unwrap(), torch);
    // Those that are missing have their defaults.
    assert_eq!(serde_json::from_str::<Torch>("{}").unwrap(), Torch::new());
    assert_eq!(serde_json::from_str::<Torch>(r#"{"default_dtype": "f64"}"#).unwrap(), torch);
    // A rule set at run time has its name beside them.
    let rules = serde_json::to_value(torch.rule_set()).unwrap();
    assert_eq!((&rules["name"], &rules["parameters"]), (&Value::from("Torch"), &json));

    let error = |json: &str| serde_json::from_str::<Torch>(json).unwrap_err().to_string();
    let unknown = error(r#"{"dtype": "f64"}"#);
    assert!(
        unknown.starts_with("invalid value: string \"dtype\", expected one of `default_dtype`"),
        "{unknown}"
    );
    let unknown = error(r#"{"default_dtype": "i32"}"#);
    assert!(unknown.starts_with("invalid value: string \"i32\", expected one of `"), "{unknown}");
    assert!(error("3").contains("a map of the parameters of Torch"));
}

#[test]
fn explanations_name_their_clauses() {
    let operands = [Operand::Array(DType::U8), Operand::Array(DType::I8)];
    let rules = Torch::new().rule_set();
    let json = serde_json::to_value(rules.explain(Some(Op::Add), &operands).unwrap()).unwrap();
    assert_eq!(json["result"]["dtype"], "i16");
    assert_eq!(json["types"]["output"], "i16");
    let explained = rules.explain(Some(Op::Add), &operands).unwrap();
    let texts: Vec<&str> = explained.clauses().map(|clause| clause.text).collect();
    let clauses = json["clauses"].as_array().unwrap();
    assert_eq!(clauses.iter().map(|clause| clause["text"].as_str().unwrap()).collect::<Vec<_>>(), texts);
    assert!(!texts.is_empty() && clauses[0]["line"].as_u64().unwrap() > 0);
}
