//! Numbers and zero-dimensional operands enter kernels as they do in PyTorch: recorded values, 32 lanes a
//! cell. Of two arrays `tests/pairs` has the values.

#[path = "common/aligned.rs"]
mod aligned;
mod common;

use std::collections::HashMap;

use aligned::Aligned;
use common::lines_to_cells;
use half::bf16;
use promote::{Argument, DType, Kind, Number, Op, RuleSet, Torch};
use promote::{ScalarValue, Slice, SliceMut};
use promote_reference::{Options, Value, evaluate};
use safetensors::SafeTensors;

struct Recorded {
    file: Vec<u8>,
    about: HashMap<String, String>,
}

impl Recorded {
    fn read() -> Recorded {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/torch_values.safetensors");
        let file = std::fs::read(path).expect("the data lie in the repository");
        let (_, header) = SafeTensors::read_metadata(&file).expect("a safetensors file");
        let about = header.metadata().clone().expect("with metadata");
        Recorded { file, about }
    }

    fn lanes(&self) -> usize {
        self.about["lanes"].parse().expect("a number")
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        let tensors = SafeTensors::deserialize(&self.file).expect("a safetensors file");
        tensors.tensor(name).expect("a tensor").data().to_vec()
    }

    fn operand(&self, dtype: DType) -> Aligned {
        Aligned::copy(&self.bytes(&format!("left.{dtype}")))
    }

    /// Row, column, dtype and bytes of each recorded result.
    fn results(&self, name: &str) -> Vec<(String, String, DType, Vec<u8>)> {
        let lines: Vec<&str> = self.about[name].lines().collect();
        let (bytes, mut at, mut results) = (self.bytes(name), 0, Vec::new());
        for (row, column, word) in lines_to_cells(&lines) {
            let Ok(dtype) = word.parse::<DType>() else {
                continue;
            };
            let len = self.lanes() * dtype.size().expect("whole bytes");
            results.push((row, column, dtype, bytes[at..at + len].to_vec()));
            at += len;
        }
        assert_eq!(at, bytes.len(), "{name}: bytes are left over");
        results
    }
}

/// The parts of element `i`.
fn parts(dtype: DType, bytes: &[u8], i: usize) -> Vec<f64> {
    let size = dtype.size().expect("whole bytes");
    match ScalarValue::from_bytes(dtype, &bytes[i * size..][..size]).expect("an element").number() {
        Some(Number::Float(x)) => vec![x],
        Some(Number::Complex(re, im)) => vec![re, im],
        // Bits that are compared as bits.
        Some(Number::Int(x)) => vec![f64::from_bits(x as u64)],
        Some(Number::Bool(x)) => vec![x as u8 as f64],
        _ => unreachable!("every recorded dtype has elements"),
    }
}

/// Equal bits, NaN and NaN, or, in a complex result, zeros of either sign.
fn same(dtype: DType, ours: &[f64], recorded: &[f64]) -> bool {
    let zeros = dtype.kind() == Kind::Complex;
    ours.iter().zip(recorded).all(|(a, b)| {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || (zeros && *a == 0.0 && *b == 0.0)
    })
}

/// What PyTorch computes in a way of its own, and we do not copy.
fn is_defect(op: Op, dtype: DType, left: &[f64], right: &[f64], ours: &[f64], recorded: &[f64]) -> bool {
    if dtype.kind() != Kind::Complex {
        return false;
    }
    let finite = |parts: &[f64]| parts.iter().all(|x| x.is_finite());
    match op {
        // It multiplies the right operand by 1+0j first, so that an infinite part makes the other one NaN.
        Op::Add | Op::Subtract => !finite(right),
        // Of infinities and NaN it makes what its order of operations gives; the last bit of a quotient is
        // its own too.
        Op::Multiply => !(finite(left) && finite(right) && finite(recorded)),
        Op::Divide => {
            let close = |a: f64, b: f64| (a - b).abs() <= 2e-6 * (recorded[0].hypot(recorded[1]));
            !(finite(left) && finite(right) && finite(recorded))
                || ours.iter().zip(recorded).all(|(a, b)| close(*a, *b))
        }
        _ => false,
    }
}

fn rules() -> RuleSet {
    Torch::new().rule_set()
}

fn number(word: &str) -> Number {
    match word {
        "true" => Number::Bool(true),
        "1+2j" => Number::Complex(1.0, 2.0),
        _ => word.parse::<i64>().map_or_else(|_| Number::Float(word.parse().expect("a float")), Number::from),
    }
}

#[test]
fn numbers_and_zero_dimensional_operands_enter_as_in_pytorch() {
    let recorded = Recorded::read();
    // The one complex number among the recorded ones.
    let complex = [1.0, 2.0];
    let (mut lanes, mut wrong) = (0, Vec::new());
    for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide] {
        for section in ["array_number", "number_array", "array_zero_dim", "zero_dim_array"] {
            for (row, column, dtype, result) in recorded.results(&format!("{op}.{section}")) {
                let a: DType = row.parse().expect("a dtype");
                let array = recorded.operand(a);
                let scalar = match column.split_once(':') {
                    Some((of, value)) => {
                        let of: DType = of.parse().expect("a dtype");
                        Argument::ZeroDim(
                            ScalarValue::from_number(number(value), of).expect("a dtype with elements"),
                        )
                    }
                    None => Argument::Number(number(&column)),
                };
                let mut out = Aligned::new(result.len());
                let slice =
                    Argument::Array(Slice::from_bytes(a, array.bytes()).expect("whole, aligned elements"));
                let (x, y) = if section.starts_with("array") { (slice, scalar) } else { (scalar, slice) };
                let target = SliceMut::from_bytes(dtype, out.bytes_mut()).expect("whole, aligned elements");
                rules().binary(op, x, y, target).expect("PyTorch computes it, so we do");
                for i in 0..recorded.lanes() {
                    let (ours, theirs) = (parts(dtype, out.bytes(), i), parts(dtype, &result, i));
                    lanes += 1;
                    let element = parts(a, array.bytes(), i);
                    let (left, right) = if section.starts_with("array") {
                        (&element[..], &complex[..])
                    } else {
                        (&complex[..], &element[..])
                    };
                    if !same(dtype, &ours, &theirs) && !is_defect(op, dtype, left, right, &ours, &theirs) {
                        wrong.push(format!(
                            "{op} {section} {a} {element:?}, {column}: ours {ours:?}, PyTorch {theirs:?}"
                        ));
                    }
                }
            }
        }
    }
    println!("{lanes} lanes compared");
    assert!(lanes > 10_000, "only {lanes} lanes");
    assert!(wrong.is_empty(), "{} lanes differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// PyTorch 2.15 compares them in `bcomplex32`, two bf16, to which the number is rounded first.
#[test]
fn bf16_compares_with_complex_scalars_rounded_to_bf16() {
    let array = [1.0, 2.0, 1.007_812_5, 3.39e38, f32::INFINITY, f32::NAN].map(bf16::from_f32);
    for (re, im, equal) in [
        (1.0, 0.0, [true, false, false, false, false, false]),
        (0.0, 1.0, [false; 6]),
        (1.001, 0.0, [true, false, false, false, false, false]),
        (1.005, 0.0, [false, false, true, false, false, false]),
        (1.0, 1e-45, [true, false, false, false, false, false]),
        (1.001, 1e-9, [false; 6]),
        (3.39e38, 0.0, [false, false, false, true, false, false]),
        (3.4e38, 0.0, [false, false, false, false, true, false]),
    ] {
        let number = Number::Complex(re, im);
        let zero_dim = |dtype| ScalarValue::from_number(number, dtype).expect("a complex dtype");
        let scalars = [
            (Argument::Number(number), Value::Number(number)),
            (Argument::ZeroDim(zero_dim(DType::C64)), Value::ZeroDim(zero_dim(DType::C64))),
            (Argument::ZeroDim(zero_dim(DType::C128)), Value::ZeroDim(zero_dim(DType::C128))),
        ];
        for (scalar, value) in scalars {
            for (op, expected) in [(Op::Equal, equal), (Op::NotEqual, equal.map(|equal| !equal))] {
                let (mut right, mut left) = ([false; 6], [false; 6]);
                rules()
                    .binary(op, Argument::from(&array[..]), scalar, SliceMut::new(&mut right))
                    .expect("a kernel");
                rules()
                    .binary(op, scalar, Argument::from(&array[..]), SliceMut::new(&mut left))
                    .expect("a kernel");
                assert_eq!((right, left), (expected, expected), "{op} {re} {im}");
                let reference = array.map(|x| {
                    let operands = [Value::Array(ScalarValue::new(x)), value];
                    let found = evaluate(&rules(), op, &operands, &Options::default()).expect("a value");
                    found.get::<bool>().expect("a bool")
                });
                assert_eq!(reference, expected, "{op} {re} {im}, by the reference");
            }
        }
    }
}

/// The result would be of `bcomplex32`, of which there are no elements.
#[test]
fn bf16_arithmetic_with_complex_numbers_says_what_is_missing() {
    let (array, mut out) = ([bf16::ONE], [num_complex::Complex::<f32>::default()]);
    let (a, b) = (Argument::from(&array[..]), Argument::Number(Number::Complex(0.0, 1.0)));
    let refused = rules().binary(Op::Add, a, b, SliceMut::new(&mut out)).expect_err("no such elements");
    assert!(refused.to_string().contains("bc32"), "{refused}");
}
