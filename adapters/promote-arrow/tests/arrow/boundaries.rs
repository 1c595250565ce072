//! Empty arrays, scalars alone, slices, types and ops that are refused.

use super::*;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int64Type};
use arrow_array::{Array, Int8Array, Int16Array, Int64Array, StringArray, TimestampSecondArray};
use promote::{Casting, DType, Op};
use promote_arrow::{Argument, Error, call, cast, if_else};

#[test]
fn empty_arrays_give_empty_arrays_of_the_dtype() {
    for rules in rule_sets() {
        for a in &TYPES {
            for b in &TYPES {
                let (a, b) = (array(a, &[]), array(b, &[]));
                let Ok(sum) = call(&rules, Op::Add, &[(&a).into(), (&b).into()]) else { continue };
                assert_eq!(sum.len(), 0);
                let less = call(&rules, Op::Less, &[(&a).into(), (&b).into()]).unwrap();
                assert_eq!((less.len(), less.data_type()), (0, &DataType::Boolean));
                let mask = booleans(&[]);
                assert_eq!(if_else(&rules, &mask, &a, &b).unwrap().len(), 0);
                assert_eq!(cast(&rules, &a, b.data_type(), None).unwrap().len(), 0);
            }
        }
    }
}

#[test]
fn numeric_results_begin_on_a_cache_line_and_can_be_changed_in_place() {
    let (bytes, numbers) = (Int8Array::from(vec![1; 3000]), Int64Array::from(vec![2; 3000]));
    let result = call(&rule_sets()[0], Op::Add, &[(&bytes).into(), (&numbers).into()]).unwrap();
    let sum = result.as_primitive::<Int64Type>().clone();
    assert!(sum.values().as_ptr().addr().is_multiple_of(64));
    drop(result);
    let negative = sum.unary_mut(|x| -x).expect("memory that nothing else uses");
    assert_eq!(negative, Int64Array::from(vec![-3; 3000]));
}

#[test]
fn scalars_alone_give_one_row() {
    let rules = &rule_sets()[0];
    let (a, b) = (Int8Array::new_scalar(3), Int16Array::new_scalar(4));
    let sum = call(rules, Op::Add, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(*sum, Int16Array::from(vec![7]));
    assert_eq!(*call(rules, Op::Add, &[1.into(), 2.into()]).unwrap(), Int64Array::from(vec![3]));
    let less = call(rules, Op::Less, &[(&a).into(), 2.into()]).unwrap();
    assert_eq!(*less, booleans(&[Some(false)]));
    assert_eq!(*if_else(rules, true, &a, &b).unwrap(), Int16Array::from(vec![3]));
}

#[test]
fn constants_equal_columns_of_their_value() {
    for rules in rule_sets() {
        for a in &TYPES {
            for b in &TYPES {
                let column = array(a, &[Some(3), None, Some(0), Some(-1)].repeat(20));
                for value in [Some(0), Some(1), Some(2), None] {
                    let (one, all) = (array(b, &[value]), array(b, &[value; 80]));
                    let constant = Argument::Constant(&one);
                    let mask = booleans(&[Some(true), None, Some(false), Some(true)].repeat(20));
                    for op in [Op::Add, Op::Divide, Op::FloorDivide, Op::Less, Op::BitwiseAnd] {
                        let expected = call(&rules, op, &[(&column).into(), (&all).into()]);
                        assert_eq!(call(&rules, op, &[(&column).into(), constant]), expected, "{op} {a} {b}");
                        let expected = call(&rules, op, &[(&all).into(), (&column).into()]);
                        assert_eq!(call(&rules, op, &[constant, (&column).into()]), expected, "{op} {b} {a}");
                        let expected = call(&rules, op, &[(&one).into(), (&one).into()]);
                        assert_eq!(call(&rules, op, &[constant, constant]), expected, "{op} {b} {b}");
                    }
                    let expected = if_else(&rules, &mask, &column, &all);
                    assert_eq!(if_else(&rules, &mask, &column, constant), expected, "{a} {b}");
                    if *b == DataType::Boolean {
                        let expected = if_else(&rules, &all, &column, &mask);
                        assert_eq!(if_else(&rules, constant, &column, &mask), expected, "{a}");
                    }
                }
            }
        }
        let two = Int8Array::from(vec![1, 2]);
        let error = call(&rules, Op::Add, &[(&two).into(), Argument::Constant(&two)]).unwrap_err();
        assert_eq!(error, Error::Length { expected: 1, found: 2 });
    }
}

#[test]
fn arrays_of_one_element_do_not_broadcast() {
    let rules = &rule_sets()[0];
    let (a, b) = (Int8Array::from(vec![1, 2]), Int8Array::from(vec![1]));
    let error = call(rules, Op::Add, &[(&a).into(), (&b).into()]).unwrap_err();
    assert_eq!(error, Error::Length { expected: 2, found: 1 });
    assert!(error.to_string().contains("`Scalar`"));
}

#[test]
fn slices_are_read_where_they_are() {
    let rules = &rule_sets()[0];
    let a: Int8Array = (0..100).map(|i| (i % 5 > 0).then_some(i)).collect();
    let b = Int16Array::from_iter_values(0..100);
    let whole = call(rules, Op::Add, &[(&a).into(), (&b).into()]).unwrap();
    for (offset, len) in [(0, 100), (1, 99), (3, 64), (63, 30), (99, 1), (100, 0)] {
        let (a, b) = (a.slice(offset, len), b.slice(offset, len));
        let sum = call(rules, Op::Add, &[(&a).into(), (&b).into()]).unwrap();
        assert_eq!(&sum, &whole.slice(offset, len));
    }
}

#[test]
fn booleans_at_odd_bit_offsets_equal_copies() {
    let rules = &rule_sets()[0];
    let bits: BooleanArray = (0_u32..9000).map(|i| (i % 13 > 0).then_some(i * i % 7 < 3)).collect();
    let numbers = Int16Array::from_iter_values((0..9000).map(|i| i % 300));
    let whole = call(rules, Op::Multiply, &[(&bits).into(), (&numbers).into()]).unwrap();
    let chosen = if_else(rules, &bits, &numbers, -1).unwrap();
    let inverted = call(rules, Op::LogicalNot, &[(&bits).into()]).unwrap();
    let smaller = call(rules, Op::Less, &[(&bits).into(), (&inverted).into()]).unwrap();
    for (offset, len) in [(0, 9000), (1, 8999), (13, 4096), (5, 4097), (70, 8193), (8999, 1)] {
        let (bits, numbers) = (bits.slice(offset, len), numbers.slice(offset, len));
        let product = call(rules, Op::Multiply, &[(&bits).into(), (&numbers).into()]).unwrap();
        assert_eq!(&product, &whole.slice(offset, len));
        assert_eq!(&if_else(rules, &bits, &numbers, -1).unwrap(), &chosen.slice(offset, len));
        let not = call(rules, Op::LogicalNot, &[(&bits).into()]).unwrap();
        assert_eq!(&not, &inverted.slice(offset, len));
        let less = call(rules, Op::Less, &[(&bits).into(), (&not).into()]).unwrap();
        assert_eq!(&less, &smaller.slice(offset, len));
        assert_eq!(not.as_boolean(), &arrow_arith::boolean::not(&bits).unwrap());
    }
}

#[test]
fn logical_ops_on_bits_equal_those_of_arrow() {
    use arrow_arith::boolean::{and, or};
    for rules in rule_sets() {
        let a: BooleanArray = (0..200).map(|i| (i % 3 > 0).then_some(i % 2 == 0)).collect();
        let b: BooleanArray = (0..200).map(|i| (i % 5 > 0).then_some(i % 7 < 3)).collect();
        let (a, b) = (a.slice(9, 130), b.slice(22, 130));
        for op in [Op::BitwiseAnd, Op::LogicalAnd, Op::Minimum] {
            assert_eq!(*call(&rules, op, &[(&a).into(), (&b).into()]).unwrap(), and(&a, &b).unwrap(), "{op}");
        }
        for op in [Op::BitwiseOr, Op::LogicalOr, Op::Maximum] {
            assert_eq!(*call(&rules, op, &[(&a).into(), (&b).into()]).unwrap(), or(&a, &b).unwrap(), "{op}");
        }
        let different = arrow_ord::cmp::neq(&a, &b).unwrap();
        for op in [Op::BitwiseXor, Op::LogicalXor, Op::NotEqual] {
            assert_eq!(*call(&rules, op, &[(&a).into(), (&b).into()]).unwrap(), different, "{op}");
        }
    }
}

#[test]
fn ops_with_extra_inputs_take_columns_and_numbers() {
    use arrow_array::Float32Array;
    let rules = &rule_sets()[0];
    let (a, b) = (Float32Array::from(vec![0.0, 10.0]), Float32Array::from(vec![Some(1.0), None]));
    let between = call(rules, Op::Lerp, &[(&a).into(), (&b).into(), 0.25.into()]).unwrap();
    assert_eq!(*between, Float32Array::from(vec![Some(0.25), None]));
    let c = Int8Array::from(vec![2, 3]);
    let sum = call(rules, Op::Addcmul, &[(&c).into(), (&a).into(), (&c).into()]).unwrap();
    assert_eq!(*sum, Float32Array::from(vec![2.0, 33.0]));
    assert!(call(rules, Op::Lerp, &[(&a).into(), (&b).into()]).is_err());
}

#[test]
fn unary_functions_of_integers_give_floats() {
    use arrow_array::Float32Array;
    let rules = &rule_sets()[0];
    let a = Int16Array::from(vec![Some(4), None, Some(9)]);
    let roots = call(rules, Op::Sqrt, &[(&a).into()]).unwrap();
    assert_eq!(*roots, Float32Array::from(vec![Some(2.0), None, Some(3.0)]));
    let negative = call(rules, Op::Negative, &[(&a).into()]).unwrap();
    assert_eq!(negative.as_primitive::<Int16Type>().value(2), -9);
    let finite = call(rules, Op::Isfinite, &[(&a).into()]).unwrap();
    assert_eq!(*finite, booleans(&[Some(true), None, Some(true)]));
}

#[test]
fn other_types_are_errors_that_name_the_type() {
    let rules = &rule_sets()[0];
    let number = Int8Array::from(vec![1]);
    let others: [ArrayRef; 2] =
        [Arc::new(StringArray::from(vec!["1"])), Arc::new(TimestampSecondArray::from(vec![1]))];
    for other in &others {
        let error = call(rules, Op::Add, &[(&number).into(), other.into()]).unwrap_err();
        assert_eq!(error, Error::DataType(other.data_type().clone()));
        assert!(error.to_string().contains(&other.data_type().to_string()), "{error}");
        assert!(cast(rules, other, &DataType::Int8, None).is_err());
    }
}

#[test]
fn results_without_an_arrow_type_are_errors() {
    let rules = rule_sets()[0].with("default_dtype", "bf16").expect("a parameter of PyTorch's rules");
    let a = Int8Array::from(vec![1, 2]);
    let error = call(&rules, Op::Divide, &[(&a).into(), 2.into()]).unwrap_err();
    assert_eq!(error, Error::DType(DType::BF16));
}

#[test]
fn reductions_are_refused() {
    let rules = &rule_sets()[0];
    let a = Int8Array::from(vec![1, 2]);
    assert_eq!(call(rules, Op::Sum, &[(&a).into()]).unwrap_err(), Error::NotElementwise(Op::Sum));
    let error = call(rules, Op::Dot, &[(&a).into(), (&a).into()]).unwrap_err();
    assert_eq!(error, Error::NotElementwise(Op::Dot));
    assert!(call(rules, Op::Concatenate, &[(&a).into(), (&a).into()]).is_err());
}

#[test]
fn conditions_that_are_not_boolean_are_refused() {
    let rules = &rule_sets()[0];
    let a = Int8Array::from(vec![1, 2]);
    assert!(if_else(rules, &a, &a, &a).unwrap_err().to_string().contains("condition is `i8`"));
    assert!(if_else(rules, 1, &a, &a).unwrap_err().to_string().contains("`condition`"));
    let one: [Argument<'_>; 1] = [(&a).into()];
    assert!(call(rules, Op::Where, &one).is_err());
}

#[test]
fn casts_share_memory_if_nothing_changes_and_obey_a_level() {
    let numpy = &rule_sets()[1];
    let a = Int16Array::from(vec![Some(300), None]);
    let same = cast(numpy, &a, &DataType::Int16, None).unwrap();
    assert!(same.as_primitive::<Int16Type>().values().inner().ptr_eq(a.values().inner()));
    assert!(cast(numpy, &a, &DataType::Int8, Some(Casting::Safe)).is_err());
    assert!(cast(numpy, &a, &DataType::Int8, Some(Casting::SameKind)).is_ok());
    // Integers wrap, where Arrow's cast gives null.
    assert_eq!(*cast(numpy, &a, &DataType::Int8, None).unwrap(), Int8Array::from(vec![Some(44), None]));
}

#[test]
fn errors_become_arrow_errors() {
    fn in_arrow() -> Result<ArrayRef, arrow_schema::ArrowError> {
        let rules = &rule_sets()[0];
        let (a, b) = (arrow_array::UInt16Array::from(vec![1]), arrow_array::Int32Array::from(vec![1]));
        Ok(call(rules, Op::Add, &[(&a).into(), (&b).into()])?)
    }
    assert!(in_arrow().unwrap_err().to_string().contains("refused under Torch"));
}
