//! Losses of PyTorch that are reduced, and its comparisons of bf16 with complex numbers.

use half::bf16;
use promote::{
    Argument, DType, Element, Flags, Number, Op, Reduction, RuleSet, ScalarValue, SliceMut, Torch,
};
use promote_reference::{Options, Value, evaluate};

use crate::recorded::{Case, Input, Recorded, Result};
use crate::tolerance::{distance, magnitude, parts, reordered, unit};
use crate::ways::referenced;

/// Returns the elements of an array of floats.
fn floats<T: Element>(input: &Input) -> Option<Vec<T>> {
    input.array()?.1.iter().map(ScalarValue::get).collect()
}

/// Returns what the kernels give for a case of two arrays of `T` that is reduced.
fn reduced<T: Element>(rules: &RuleSet, case: &Case, then: Reduction) -> Option<ScalarValue> {
    let [a, b] = &case.inputs[..] else { return None };
    let (a, b) = (floats::<T>(a)?, floats::<T>(b)?);
    rules.reduced(case.op, Flags::default(), &[a[..].into(), b[..].into()], then).ok()
}

#[test]
fn means_and_sums_of_losses_are_those_of_pytorch() {
    let (recorded, rules) = (Recorded::read("cases_torch"), Torch::new().rule_set());
    let mut compared = 0;
    for name in recorded.ops() {
        for case in recorded.cases(name) {
            let (Some(then), Result::Elements(dtype, theirs)) = (case.then, &case.result) else { continue };
            let reduction = if then == Op::Mean { Reduction::Mean } else { Reduction::Sum };
            let found = match dtype {
                DType::F16 => reduced::<half::f16>(&rules, &case, reduction),
                DType::BF16 => reduced::<half::bf16>(&rules, &case, reduction),
                DType::F32 => reduced::<f32>(&rules, &case, reduction),
                _ => reduced::<f64>(&rules, &case, reduction),
            };
            let found = found.unwrap_or_else(|| panic!("{name} {} is not reduced", case.text));
            compared += 1;
            // PyTorch adds up halves in f32 and all else in its own dtype, so that it is the one that is off.
            let size = referenced(&rules, &case).expect("a loss").total;
            let total = if then == Op::Mean { size / case.lanes() as f64 } else { size };
            let bound = reordered(then, dtype.register(), case.lanes(), total, 0.0);
            let [x, y] = [found, theirs[0]].map(|x| magnitude(parts(x)));
            let apart = distance(found, theirs[0], 1.0) * unit(*dtype, 1.0);
            assert!(apart <= bound + unit(*dtype, x.max(y)), "{name} {}: {x} and {y}", case.text);
        }
    }
    assert!(compared >= 48, "{compared} of 48: six losses, four dtypes, mean and sum");
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
                Torch::new()
                    .rule_set()
                    .binary(op, Argument::from(&array[..]), scalar, SliceMut::new(&mut right))
                    .expect("a kernel");
                Torch::new()
                    .rule_set()
                    .binary(op, scalar, Argument::from(&array[..]), SliceMut::new(&mut left))
                    .expect("a kernel");
                assert_eq!((right, left), (expected, expected), "{op} {re} {im}");
                let reference = array.map(|x| {
                    let operands = [Value::Array(ScalarValue::new(x)), value];
                    let found = evaluate(&Torch::new().rule_set(), op, &operands, &Options::default())
                        .expect("a value");
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
    let refused =
        Torch::new().rule_set().binary(Op::Add, a, b, SliceMut::new(&mut out)).expect_err("no such elements");
    assert!(refused.to_string().contains("bc32"), "{refused}");
}
