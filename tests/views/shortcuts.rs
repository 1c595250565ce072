//! Calls that take a shorter way give the results of the long one: numbers whose kernel was found before, and
//! results that begin within a cache line.

use promote::{
    Argument, CallError, DType, Error, Kernel, Level, Number, Op, RuleSet, Slice, SliceMut, Torch,
};

use crate::aligned::Aligned;
use crate::bundled::bundled;

/// Numbers that fit every dtype, some or none, and those that an op may refuse.
const NUMBERS: [Number; 13] = [
    Number::Bool(true),
    Number::Int(0),
    Number::Int(3),
    Number::Int(-1),
    Number::Int(200),
    Number::Int(-129),
    Number::Int(70_000),
    Number::Int(1 << 40),
    Number::Float(2.5),
    Number::Float(1e-8),
    Number::Float(1e300),
    Number::Float(f64::NAN),
    Number::Complex(1.5, -2.0),
];

#[test]
fn a_call_with_a_number_does_not_depend_on_earlier_calls() {
    // Other options than the default ones are not looked up in a cache.
    let level = Level::active();
    let mut computed = 0;
    for rules in bundled() {
        let ops = rules.ops().filter(|op| !RuleSet::is_reduction(*op) && op.inputs() == 2);
        for (op, dtype) in ops.flat_map(|op| DType::WITH_TYPE.iter().map(move |dtype| (op, *dtype))) {
            let size = dtype.size().expect("a dtype with a Rust type");
            let bytes: Vec<u8> = if dtype == DType::Bool {
                vec![1, 0, 1, 1]
            } else {
                (0..4 * size).map(|i| (i * 73 % 251) as u8).collect()
            };
            let a = Aligned::copy(&bytes);
            let a = Argument::from(Slice::from_bytes(dtype, a.bytes()).expect("elements"));
            for operands in
                NUMBERS.iter().flat_map(|x| [[a, Argument::Number(*x)], [Argument::Number(*x), a]])
            {
                let long = rules.prepare(op, &operands).level(level).run();
                for _ in 0..2 {
                    let short = rules.call(op, &operands);
                    let bits = |found: &Result<promote::Tensor, Error>| {
                        found
                            .as_ref()
                            .map(|found| (found.dtype(), found.as_bytes().to_vec()))
                            .map_err(Error::to_string)
                    };
                    assert_eq!(bits(&short), bits(&long), "{}: {op} of {dtype}, {operands:?}", rules.name());
                }
                computed += usize::from(long.is_ok());
            }
        }
    }
    assert!(computed > 10_000, "{computed} calls");
}

/// Calls a kernel with operands and results at an address, and returns the bytes of the results.
fn results_at(kernel: &Kernel, inputs: [&[u8]; 2], n: usize, skipped: usize) -> Result<Vec<u8>, CallError> {
    let [a, b, output] = kernel.dtypes();
    let size = output.size().expect("a dtype with a Rust type");
    let mut out = Aligned::copy(&vec![0xAB; (skipped + n + 1) * size]);
    let [a, b] = [(a, inputs[0]), (b, inputs[1])].map(|(dtype, bytes)| Slice::from_bytes(dtype, bytes));
    let room = &mut out.bytes_mut()[skipped * size..][..n * size];
    let done = kernel.call_slices(a?, b?, SliceMut::from_bytes(output, room)?);
    let (before, rest) = out.bytes().split_at(skipped * size);
    let (results, after) = rest.split_at(n * size);
    let free = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0xAB);
    assert!(free(before) && free(after), "something else is written");
    assert!(done.is_ok() || free(results), "results are written although one is refused");
    done.map(|()| results.to_vec())
}

#[test]
fn results_at_any_address_are_the_same() {
    let rules = Torch::new().rule_set();
    let pairs = [
        (Op::Add, DType::I8, DType::I8),
        (Op::Multiply, DType::I8, DType::F32),
        (Op::Add, DType::F32, DType::F32),
        (Op::Less, DType::I64, DType::F64),
        (Op::Maximum, DType::F16, DType::F32),
        (Op::Multiply, DType::C128, DType::C128),
        (Op::Remainder, DType::I32, DType::I32),
        (Op::Hypot, DType::F32, DType::F32),
    ];
    for (op, a, b) in pairs {
        let kernel = rules.kernel(op, a, b).expect("PyTorch has it");
        for n in [255, 1023, 1024, 1025, 4096, 4103] {
            // No element is 0, or a NaN with a payload.
            let elements = |dtype: DType, seed: usize| {
                let numbers = (0..n).map(|i| Number::Int(i128::from((i * seed % 100) as u8) + 1));
                let values: Vec<_> =
                    numbers.map(|number| promote::ScalarValue::from_number(number, dtype).unwrap()).collect();
                Aligned::of(&values)
            };
            let (x, y) = (elements(a, 7), elements(b, 13));
            let expected = results_at(&kernel, [x.bytes(), y.bytes()], n, 0).unwrap();
            for skipped in 1..65 {
                let found = results_at(&kernel, [x.bytes(), y.bytes()], n, skipped).unwrap();
                assert!(found == expected, "{op} of {a} and {b}: {n} elements, {skipped} behind");
            }
        }
    }
}

#[test]
fn a_refused_element_leaves_results_at_any_address_as_they_were() {
    let kernel = Torch::new().rule_set().kernel(Op::Remainder, DType::I32, DType::I32).unwrap();
    let (n, ones) = (4099, Aligned::copy(&vec![1; 4 * 4099]));
    let mut zero_at_the_end = Aligned::copy(ones.bytes());
    zero_at_the_end.bytes_mut()[4 * (n - 1)..].fill(0);
    for skipped in 0..17 {
        let refused = results_at(&kernel, [ones.bytes(), zero_at_the_end.bytes()], n, skipped);
        assert_eq!(refused, Err(CallError::DivisionByZero));
    }
}
