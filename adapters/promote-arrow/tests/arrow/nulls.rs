//! Nulls, and values under them.

use super::*;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, Float32Array, Int8Array, Int32Array, Int64Array, Scalar, UInt8Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use promote::{CallError, Op};
use promote_arrow::{Error, arrow_buffer, call, cast, if_else};

/// Makes an array with these values under its nulls, too.
fn with_nulls(values: Vec<i32>, valid: Vec<bool>) -> Int32Array {
    Int32Array::new(values.into(), Some(NullBuffer::from(valid)))
}

fn refusal(error: CallError) -> Error {
    Error::Promote(promote::Error::Call(error))
}

#[test]
fn zero_divisors_under_nulls_are_not_refused() {
    let rules = &rule_sets()[0];
    let a = Int64Array::from(vec![7, 8, 9, -7]);
    let b = with_nulls(vec![2, 0, 3, 2], vec![true, false, true, true]);
    let quotients = call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(*quotients, Int64Array::from(vec![Some(3), None, Some(3), Some(-4)]));
    let remainders = call(rules, Op::Remainder, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(*remainders, Int64Array::from(vec![Some(1), None, Some(0), Some(1)]));
    // The null may also be in the other operand.
    let (a, b) = (with_nulls(vec![1, 9], vec![false, true]), Int8Array::from(vec![0, 2]));
    let quotients = call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(*quotients, Int32Array::from(vec![None, Some(4)]));
}

#[test]
fn false_divisors_under_nulls_are_not_refused() {
    let rules = &rule_sets()[0];
    let a = Int32Array::from_iter_values(0..100).slice(1, 98);
    let valid: Vec<bool> = (0..100).map(|i| i % 3 == 0).collect();
    let b = BooleanArray::new(BooleanBuffer::from(valid.clone()), Some(valid.into())).slice(1, 98);
    let quotients = call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap();
    let expected: Int32Array = (1..99).map(|i| (i % 3 == 0).then_some(i)).collect();
    assert_eq!(*quotients, expected);
}

#[test]
fn zero_divisors_in_valid_rows_are_refused() {
    let rules = &rule_sets()[0];
    let a = Int32Array::from(vec![7, 8]);
    let b = with_nulls(vec![0, 0], vec![true, false]);
    let error = call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap_err();
    assert_eq!(error, refusal(CallError::DivisionByZero));
    assert!(matches!(arrow_schema::ArrowError::from(error), arrow_schema::ArrowError::DivideByZero));
    let error = call(rules, Op::FloorDivide, &[(&b).into(), 0.into()]).unwrap_err();
    assert_eq!(error, refusal(CallError::DivisionByZero));
}

#[test]
fn a_zero_scalar_divides_a_column_of_nulls() {
    let rules = &rule_sets()[0];
    let nulls = with_nulls(vec![5, 6], vec![false, false]);
    for divisor in [0.into(), (&Int32Array::new_scalar(0)).into()] {
        let quotients = call(rules, Op::FloorDivide, &[(&nulls).into(), divisor]).unwrap();
        assert_eq!((quotients.data_type(), quotients.null_count()), (&DataType::Int32, 2));
    }
}

#[test]
fn negative_exponents_under_nulls_are_not_refused() {
    let numpy = &rule_sets()[1];
    let a = Int32Array::from(vec![2, 3, 4]);
    let b = with_nulls(vec![3, -1, 2], vec![true, false, true]);
    let powers = call(numpy, Op::Pow, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(*powers, Int32Array::from(vec![Some(8), None, Some(16)]));
    let b = with_nulls(vec![3, -1, 2], vec![true, true, false]);
    let error = call(numpy, Op::Pow, &[(&a).into(), (&b).into()]).unwrap_err();
    assert_eq!(error, refusal(CallError::NegativeExponent));
}

#[test]
fn wrong_probabilities_under_nulls_are_not_refused() {
    let rules = &rule_sets()[0];
    let valid = NullBuffer::from(vec![true, false]);
    let a = Float32Array::new(vec![0.5, 7.0].into(), Some(valid));
    let b = Float32Array::from(vec![1.0, -3.0]);
    let losses = call(rules, Op::BinaryCrossEntropy, &[(&a).into(), (&b).into()]).unwrap();
    assert!((losses.as_primitive::<Float32Type>().value(0) - 2.0_f32.ln()).abs() < 1e-6);
    assert!(losses.is_null(1) && losses.is_valid(0));
}

#[test]
fn values_under_nulls_beyond_a_block_are_not_refused() {
    let rules = &rule_sets()[0];
    let len = 10_000;
    // Three divisors are 0, in the first, second and last block, and in rows that are null.
    let zeros = [5, 4097, 9_999];
    let values: Vec<i32> = (0..len).map(|i| if zeros.contains(&i) { 0 } else { i % 7 + 1 }).collect();
    let valid: Vec<bool> = (0..len).map(|i| !zeros.contains(&i) && i % 11 != 0).collect();
    let b = with_nulls(values.clone(), valid.clone());
    let a = Int32Array::from_iter_values(0..len);
    let expected: Int32Array =
        (0..len).zip(&valid).map(|(i, valid)| valid.then(|| i / values[i as usize])).collect();
    assert_eq!(*call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap(), expected);
    // A slice that begins within a byte of the bitmap.
    let (a, b, expected) = (a.slice(3, 9_990), b.slice(3, 9_990), expected.slice(3, 9_990));
    assert_eq!(*call(rules, Op::FloorDivide, &[(&a).into(), (&b).into()]).unwrap(), expected);
}

#[test]
fn null_scalars_make_every_row_null() {
    for rules in rule_sets() {
        let column = Int8Array::from(vec![1, 2, 3]);
        let null = Scalar::new(Float32Array::from(vec![None]));
        let sum = call(&rules, Op::Add, &[(&column).into(), (&null).into()]).unwrap();
        assert_eq!((sum.data_type(), sum.null_count(), sum.len()), (&DataType::Float32, 3, 3));
        let less = call(&rules, Op::Less, &[(&null).into(), (&column).into()]).unwrap();
        assert_eq!((less.data_type(), less.null_count(), less.len()), (&DataType::Boolean, 3, 3));
    }
}

#[test]
fn if_else_looks_at_the_nulls_of_the_chosen_operand() {
    let rules = &rule_sets()[0];
    let mask = booleans(&[Some(true), Some(false), None, Some(true)]);
    let a = with_nulls(vec![1, 2, 3, 4], vec![true, false, false, false]);
    let null = Scalar::new(UInt8Array::from(vec![None]));
    let chosen = if_else(rules, &mask, &a, 9).unwrap();
    assert_eq!(*chosen, Int32Array::from(vec![Some(1), Some(9), Some(9), None]));
    let chosen = if_else(rules, &mask, &a, &null).unwrap();
    assert_eq!(*chosen, Int32Array::from(vec![Some(1), None, None, None]));
    // A condition for all rows; a null one is false.
    let always = BooleanArray::new_scalar(true);
    assert_eq!(
        *if_else(rules, &always, &a, 0.5).unwrap(),
        *cast(rules, &a, &DataType::Float32, None).unwrap()
    );
    let unknown = Scalar::new(BooleanArray::from(vec![None]));
    assert_eq!(*if_else(rules, &unknown, &a, 9).unwrap(), Int32Array::from(vec![9; 4]));
    assert_eq!(if_else(rules, false, &a, &null).unwrap().null_count(), 4);
}

#[test]
fn a_mask_with_true_under_nulls_chooses_the_second_operand() {
    let rules = &rule_sets()[0];
    let nulls = NullBuffer::from(vec![false, true]);
    let mask = BooleanArray::new(BooleanBuffer::new_set(2), Some(nulls));
    let chosen = if_else(rules, &mask, 1, 2).unwrap();
    // PyTorch's dtype of numbers alone.
    assert_eq!(*chosen, Int64Array::from(vec![2, 1]));
}

#[test]
fn nulls_are_dropped_where_there_are_none() {
    let rules = &rule_sets()[0];
    let a = Int32Array::new(vec![1, 2].into(), Some(NullBuffer::new_valid(2)));
    let sum = call(rules, Op::Add, &[(&a).into(), 1.into()]).unwrap();
    assert!(sum.nulls().is_none());
    assert_eq!(sum.as_primitive::<Int32Type>().values(), &[2, 3]);
}
