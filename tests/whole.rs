//! Ops of whole arrays, compared with recorded results: `concatenate`, `stack`, `isin` and `matmul`.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

use std::fs::File;
use std::io::BufReader;

use promote::{
    Argument, CallError, DType, Error, Number, Op, RuleSet, Tensor, TensorView, TensorViewMut, Torch,
};
use serde_json::Value;

/// What is recorded if a system has no kernel for the dtypes.
const NO_KERNEL: &str = "no_kernel";

fn numbers(value: &Value) -> Vec<Number> {
    let float = |value: &Value| match value {
        Value::String(text) => text.parse().expect("a float"),
        other => other.as_f64().expect("a float"),
    };
    let number = |value: &Value| match value {
        Value::Bool(x) => Number::Bool(*x),
        Value::Array(parts) => Number::Complex(float(&parts[0]), float(&parts[1])),
        Value::Number(x) if !x.is_f64() => {
            Number::Int(x.as_i64().map_or_else(|| x.as_u64().expect("an integer").into(), i128::from))
        }
        other => Number::Float(float(other)),
    };
    value.as_array().expect("elements").iter().map(number).collect()
}

fn lengths(value: &Value) -> Vec<usize> {
    let length = |value: &Value| value.as_u64().expect("a length") as usize;
    value.as_array().expect("a shape").iter().map(length).collect()
}

fn dtype(value: &Value) -> DType {
    value.as_str().expect("a dtype").parse().expect("a dtype")
}

/// Returns an array of numbers.
fn array(value: &Value) -> Tensor {
    let (dtype, shape) = (dtype(&value[0]), lengths(&value[1]));
    let elements = numbers(&value[2]).into_iter().map(|number| match number {
        Number::Complex(re, im) => num_complex::Complex::new(re, im),
        Number::Float(x) => x.into(),
        Number::Int(x) => (x as f64).into(),
        Number::Bool(x) => f64::from(u8::from(x)).into(),
    });
    let wide = Tensor::from_vec(elements.collect(), &shape).expect("as many elements");
    Torch::new().rule_set().astype(&wide.view(), dtype, None).expect("a cast")
}

/// Returns how far two numbers are apart, in parts of `scale`.
fn distance(a: Number, b: Number, scale: f64) -> f64 {
    let parts = |number| match number {
        Number::Bool(x) => [f64::from(u8::from(x)), 0.0],
        Number::Int(x) => [x as f64, 0.0],
        Number::Float(x) => [x, 0.0],
        Number::Complex(re, im) => [re, im],
    };
    let part = |(x, y): (f64, f64)| match (x - y).abs() / scale {
        _ if x == y || x.is_nan() && y.is_nan() => 0.0,
        // One of the two is a NaN.
        far if far.is_nan() => f64::INFINITY,
        far => far,
    };
    let ([a, b], [c, d]) = (parts(a), parts(b));
    part((a, c)).max(part((b, d)))
}

fn compare(name: &str) -> usize {
    let path = format!("{}/tests/data/whole_{name}.bin", env!("CARGO_MANIFEST_DIR"));
    let file = flate2::bufread::ZlibDecoder::new(BufReader::new(File::open(path).expect("the recording")));
    let recorded: Value = serde_json::from_reader(BufReader::new(file)).expect("recorded cases");
    let rules = promote::rule_set(name).expect("a bundled rule set");
    let mut equal = 0;
    for case in recorded["cases"].as_array().expect("cases") {
        let op: Op = case["op"].as_str().expect("an op").parse().expect("an op");
        let operands: Vec<Tensor> =
            case["operands"].as_array().expect("operands").iter().map(array).collect();
        let arguments: Vec<Argument<'_>> = operands.iter().map(Argument::from).collect();
        let call = rules.prepare(op, &arguments);
        let found = match case["axis"].as_i64().filter(|_| op.joins_arrays()) {
            Some(axis) => call.axis(axis as isize).run(),
            None => call.run(),
        };
        let shown: Vec<String> = operands.iter().map(|x| format!("{} {:?}", x.dtype(), x.shape())).collect();
        let shown = format!("{name}: {op} of {} along {}", shown.join(", "), case["axis"]);
        match (case["error"].as_str(), found) {
            (Some(NO_KERNEL), _) | (Some(_), Err(_)) => {}
            (Some(_), Ok(found)) => panic!("{shown}: it refuses, we give {} {found}", found.dtype()),
            (None, Err(error)) => panic!("{shown}: {error}"),
            (None, Ok(found)) => {
                let result = &case["result"];
                assert_eq!(
                    (found.dtype(), found.shape()),
                    (dtype(&result[0]), &lengths(&result[1])[..]),
                    "{shown}"
                );
                // Sums of 40 products in another order. The elements have a magnitude of at most 1 there, and
                // the sums of about 20. PyTorch rounds some sums of halves on the way.
                let inexact = op == Op::Matmul && operands[0].len() > 100;
                let tolerance = match found.dtype() {
                    _ if !inexact => 0.0,
                    DType::BF16 => 2.0_f64.powi(-7),
                    DType::F16 => 2.0_f64.powi(-10),
                    DType::F32 | DType::C64 => 40.0 * 2.0_f64.powi(-24),
                    _ => 40.0 * 2.0_f64.powi(-53),
                };
                let wide = |found: &Tensor| (0..found.len()).map(|i| element(found, i)).collect::<Vec<_>>();
                for (i, (ours, theirs)) in wide(&found).into_iter().zip(numbers(&result[2])).enumerate() {
                    let far = distance(ours, theirs, 20.0);
                    assert!(far <= tolerance, "{shown}: element {i} is {ours:?}, there {theirs:?}");
                }
                equal += 1;
            }
        }
    }
    equal
}

/// Returns an element of an array by its position.
fn element(array: &Tensor, position: usize) -> Number {
    let line = TensorView::new(array.elements(), std::slice::from_ref(&array.len()))
        .map(|view| view.get(&[position]));
    line.expect("contiguous elements").and_then(|value| value.number()).expect("an element")
}

#[test]
fn pytorch_numpy_and_jax_give_the_same() {
    for (name, least) in [("torch", 500), ("numpy", 840), ("jax", 900)] {
        let equal = compare(name);
        assert!(equal >= least, "{name}: {equal} cases");
    }
}

fn torch() -> RuleSet {
    Torch::new().rule_set()
}

#[test]
fn results_are_written_into_out() {
    let (a, b) = (
        Tensor::from_vec(vec![1_i32, 2], &[2, 1]).unwrap(),
        Tensor::from_vec(vec![3_i32, 4], &[1, 2]).unwrap(),
    );
    let mut out = [0.0_f32; 8];
    let operands = [(&a).into(), (&b).into()];
    // Every other column.
    let columns = TensorViewMut::strided(&mut out, &[2, 2], &[4, 2], 0).unwrap();
    torch().prepare(Op::Matmul, &operands).out(columns).run().unwrap();
    assert_eq!(out, [3.0, 0.0, 4.0, 0.0, 6.0, 0.0, 8.0, 0.0]);
    let refused = torch()
        .prepare(Op::Matmul, &operands)
        .out(TensorViewMut::new(&mut [true; 4], &[2, 2]).unwrap())
        .run();
    assert!(refused.unwrap_err().to_string().contains("cannot be cast"));
    let shape =
        torch().prepare(Op::Matmul, &operands).out(TensorViewMut::new(&mut out, &[4, 2]).unwrap()).run();
    assert_eq!(shape, Err(Error::Call(CallError::OutShape { axis: 0, expected: 2, found: 4 })));
}

#[test]
fn strided_operands_are_read_where_they_lie() {
    let numbers = [1_i64, 2, 3, 4, 5, 6];
    let matrix = TensorView::new(&numbers, &[2, 3]).unwrap();
    let transpose = TensorView::strided(&numbers, &[3, 2], &[1, 3], 0).unwrap();
    let found = torch().call(Op::Matmul, &[(&matrix).into(), (&transpose).into()]).unwrap();
    assert_eq!(found.to_string(), "[[14, 32], [32, 77]]");
    let joined =
        torch().prepare(Op::Concatenate, &[(&transpose).into(), (&transpose).into()]).axis(-1).run().unwrap();
    assert_eq!(joined.to_string(), "[[1, 4, 1, 4], [2, 5, 2, 5], [3, 6, 3, 6]]");
    let found = torch().call(Op::Isin, &[(&transpose).into(), 4.into()]).unwrap();
    assert_eq!(found.to_string(), "[[false, true], [false, false], [false, false]]");
}

#[test]
fn wrong_operands_are_errors() {
    let (row, matrix) = ([1.0_f32; 3], Tensor::from_vec(vec![1.0_f32; 6], &[2, 3]).unwrap());
    let call = |op, operands: &[Argument<'_>]| torch().call(op, operands).unwrap_err().to_string();
    assert!(call(Op::Matmul, &[(&matrix).into(), (&matrix).into()]).contains("a row of `a` has 3 elements"));
    assert!(call(Op::Matmul, &[(&matrix).into(), 2.into()]).contains("input 1 of `matmul` is a number, or"));
    assert!(call(Op::Matmul, &[(&matrix).into()]).contains("the op takes 2 inputs, not 1"));
    assert!(
        call(Op::Concatenate, &[(&matrix).into(), (&row).into()])
            .contains("input 1 of `concatenate` has 1 axes")
    );
    assert!(call(Op::Stack, &[]).contains("the op takes 1 inputs, not 0"));
    assert!(call(Op::Stack, &[(&row).into(), 2.into()]).contains("input 1 of `stack` is a number, or"));
    let axes = torch().prepare(Op::Stack, &[(&row).into()]).axes(&[0, 1]).run().unwrap_err();
    assert_eq!(axes, Error::Call(CallError::OneAxis { op: Op::Stack }));
    let kept = torch().prepare(Op::Stack, &[(&row).into()]).keep_dims(true).run();
    assert!(kept.is_err());
    let axis = torch().prepare(Op::Isin, &[(&row).into(), 1.into()]).axis(0).run().unwrap_err();
    assert_eq!(axis, Error::Call(CallError::NoReduction { op: Op::Isin }));
    // The lengths of both are beyond what memory can hold.
    let long = TensorView::byte_strided(&row, &[usize::MAX / 8], &[0], 0).unwrap();
    let memory = torch().call(Op::Concatenate, &[(&long).into(), (&long).into()]).unwrap_err();
    assert!(matches!(memory, Error::Call(CallError::Memory { .. })), "{memory}");
}
