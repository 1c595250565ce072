//! Operands converted to their common dtype, each in its own shape.

use half::f16;
use promote::{Argument, DType, Error, NumPy, Number, PromoteError, RuleSet, Tensor, TensorView, Torch};
use promote::{CallError, ScalarValue};

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

fn shapes(converted: &[Tensor]) -> Vec<&[usize]> {
    converted.iter().map(Tensor::shape).collect()
}

#[test]
fn converts_each_operand_in_its_own_shape() {
    let (bytes, halves) = ([1_u8, 2, 3, 4, 5, 6], [0.5_f32, -1.5]);
    let transposed = TensorView::byte_strided(&bytes[..], &[3, 2], &[1, 3], 0).unwrap();
    let converted = torch().promote_arrays(&[(&transposed).into(), (&halves[..]).into()]).unwrap();
    assert_eq!(shapes(&converted), [&[3, 2][..], &[2]]);
    assert_eq!(converted[0].as_slice(), Some(&[1.0_f32, 4.0, 2.0, 5.0, 3.0, 6.0][..]));
    assert_eq!(converted[1].as_slice(), Some(&halves[..]));
}

#[test]
fn shapes_need_not_broadcast() {
    let (three, two) = ([1_i32, 2, 3], [1_i64, 2]);
    let converted = torch().promote_arrays(&[(&three[..]).into(), (&two[..]).into()]).unwrap();
    assert_eq!(shapes(&converted), [[3], [2]]);
    assert_eq!(converted[0].as_slice(), Some(&[1_i64, 2, 3][..]));
}

#[test]
fn joins_several_operands_as_the_rule_set_does() {
    // NumPy joins the highest kind first: u8, i8 and f16 are f16 together, and f32 pair by pair.
    let (a, b, c) = ([1_u8], [-1_i8], [f16::from_f32(0.5)]);
    let operands = [Argument::from(&a[..]), Argument::from(&b[..]), Argument::from(&c[..])];
    let converted = NumPy::new().rule_set().promote_arrays(&operands).unwrap();
    let elements: Vec<_> =
        converted.iter().map(|array| array.as_slice::<f16>().unwrap()[0].to_f32()).collect();
    assert_eq!(elements, [1.0, -1.0, 0.5]);
}

#[test]
fn numbers_and_zero_dimensional_operands_become_arrays_without_axes() {
    let array = [1_i16, -2];
    let one = [2.5_f64];
    let zero_dim = TensorView::new(&one[..], &[]).unwrap();
    let operands = [(&array[..]).into(), (&zero_dim).into(), Argument::from(Number::Bool(true))];
    let converted = torch().promote_arrays(&operands).unwrap();
    assert_eq!(shapes(&converted), [&[2][..], &[], &[]]);
    // PyTorch: a zero-dimensional operand of a higher kind counts as its dtype.
    assert_eq!(converted[0].as_slice(), Some(&[1.0_f64, -2.0][..]));
    assert_eq!(converted[1].as_slice(), Some(&one[..]));
    assert_eq!(converted[2].as_slice(), Some(&[1.0_f64][..]));
    let element = Argument::ZeroDim(ScalarValue::new(2.5_f64));
    let converted = torch().promote_arrays(&[element]).unwrap();
    assert_eq!((converted[0].shape(), converted[0].as_slice()), (&[][..], Some(&one[..])));
}

#[test]
fn a_number_that_does_not_fit_is_refused() {
    let bytes = [1_u8];
    let operands = [Argument::from(&bytes[..]), Argument::from(Number::Int(300))];
    // PyTorch's `add` wraps such a number.
    for rules in [torch(), NumPy::new().rule_set()] {
        let refused = rules.promote_arrays(&operands).unwrap_err();
        assert!(
            matches!(
                refused,
                Error::Promote(PromoteError::NumberDoesNotFit { op: None, dtype: DType::U8, .. })
            ),
            "{refused}"
        );
    }
}

#[test]
fn refuses_what_the_rule_set_refuses() {
    let (a, b) = ([1_u16], [1_i32]);
    let refused = torch().promote_arrays(&[(&a[..]).into(), (&b[..]).into()]).unwrap_err();
    assert!(refused.to_string().contains("unsigned integers other than u8"), "{refused}");
    assert!(torch().promote_arrays(&[]).unwrap_err().to_string().contains("no operands"));
    let refused = torch().promote_arrays(&[Argument::InPlace(DType::F32)]).unwrap_err();
    assert_eq!(refused, Error::Call(CallError::Uninitialised));
}

/// `ConvertPromoteTypes`: the three examples in XML of OpenVINO's document, and those that it lists.
#[cfg(feature = "openvino")]
mod convert_promote_types {
    use promote::{Number, OpenVino, RuleSet, Tensor};
    use serde_json::Value;

    use crate::random::same;

    fn data() -> Value {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openvino.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn dtype(rules: &RuleSet, name: &str) -> promote::DType {
        *rules.tables().dtypes.iter().find(|dtype| dtype.name() == name).expect("a dtype of OpenVINO")
    }

    fn under(params: &str) -> RuleSet {
        let set = |rules: RuleSet, param: &str| {
            let (name, value) = param.split_once('=').expect("a parameter and its value");
            rules.with(name, value).expect("a parameter of OpenVINO")
        };
        params.split(';').filter(|param| *param != ".").fold(OpenVino::new().rule_set(), set)
    }

    /// An array that holds 0, 1, 2, 3 over and over.
    fn array(dtype: promote::DType, shape: &[usize]) -> Tensor {
        let count: usize = shape.iter().product();
        let element =
            |i: usize| promote::ScalarValue::from_number(Number::Int(i as i128 % 4), dtype).unwrap();
        let bytes: Vec<u8> = (0..count).flat_map(|i| element(i).as_bytes().to_vec()).collect();
        Tensor::new(promote::Slice::from_bytes(dtype, &bytes).unwrap(), shape).unwrap()
    }

    /// Converts two arrays and checks dtypes, shapes and every value.
    fn check(rules: &RuleSet, operands: [(&str, &[usize]); 2], expected: &str) {
        let arrays = operands.map(|(name, shape)| array(dtype(rules, name), shape));
        let views = arrays.each_ref().map(Tensor::view);
        let converted = rules.promote_arrays(&[(&views[0]).into(), (&views[1]).into()]);
        let converted = converted.unwrap_or_else(|error| panic!("{operands:?}: {error}"));
        assert_eq!(converted.len(), 2);
        for (array, converted) in arrays.iter().zip(&converted) {
            assert_eq!(
                (converted.dtype().name(), converted.shape()),
                (expected, array.shape()),
                "{operands:?}"
            );
            for i in 0..array.len() {
                let index = crate::random::unravel(i, array.shape());
                let [before, after] = [array, converted].map(|array| array.view().get(&index).unwrap());
                assert!(same(&before.cast(converted.dtype(), false).unwrap(), &after), "{operands:?}: {i}");
            }
        }
    }

    #[test]
    fn the_examples_in_xml_give_the_documented_dtypes() {
        let shapes: [&[usize]; 2] = [&[256, 56], &[3]];
        let examples = [
            ("promote_unsafe=false", ["f16", "f32"], "f32"),
            ("promote_unsafe=true", ["i16", "u32"], "i64"),
            ("promote_unsafe=true", ["i16", "u64"], "f32"),
        ];
        for (params, [a, b], expected) in examples {
            let attributes = "pytorch_scalar_promotion=false;u64_integer_promotion_target=f32";
            let rules = under(&format!("{params};{attributes}"));
            check(&rules, [(a, shapes[0]), (b, shapes[1])], expected);
        }
    }

    #[test]
    fn the_listed_examples_give_the_documented_dtypes() {
        let data = data();
        let examples = data["sections"]["seed|examples"].as_array().unwrap();
        let mut converted = 0;
        for example in &examples[1..] {
            let words: Vec<&str> = example.as_str().unwrap().split(' ').collect();
            let [left, right, ranks, expected, when_safe, params] = words[..] else { panic!("{example}") };
            let shape = |ranks: &str| -> &[usize] { if ranks == "scalar" { &[] } else { &[2, 3] } };
            let (x, y) = ranks.split_once('_').unwrap();
            let operands = [(left, shape(x)), (right, shape(y))];
            // The one example that today's OpenVINO refuses unless `promote_unsafe` is set:
            // docs/documents.md.
            let params = match (left, right, ranks) {
                ("i64", "u8", "scalar_dim") => format!("{params};promote_unsafe=true"),
                _ => params.to_owned(),
            };
            check(&under(&params), operands, expected);
            if when_safe == "-" {
                let rules = under("promote_unsafe=false");
                let arrays = operands.map(|(name, shape)| array(dtype(&rules, name), shape));
                let views = arrays.each_ref().map(Tensor::view);
                assert!(
                    rules.promote_arrays(&[(&views[0]).into(), (&views[1]).into()]).is_err(),
                    "{example}"
                );
            }
            converted += 1;
        }
        assert_eq!(converted, 15);
    }
}
