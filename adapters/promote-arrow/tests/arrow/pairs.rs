//! Every pair of types.

use super::*;
use arrow_array::cast::AsArray;
use arrow_array::{Array, Datum, Int8Array, Scalar};
use promote::{DType, Op, Operand};
use promote_arrow::{Argument, Error, call, cast, data_type_of, dtype_of, if_else};

const A: [Option<i8>; 9] = [Some(1), Some(0), None, Some(7), Some(100), Some(3), None, Some(5), Some(2)];
const B: [Option<i8>; 9] = [Some(1), Some(2), Some(3), None, Some(20), Some(4), None, Some(0), Some(1)];

/// Calls a function for every rule set and pair of types that promotes, with the arrays and the type to which
/// they promote for an op. Returns the number of pairs.
fn for_each_pair(op: Op, mut check: impl FnMut(&RuleSet, &ArrayRef, &ArrayRef, &DataType)) -> usize {
    let mut pairs = 0;
    for rules in rule_sets() {
        for a in &TYPES {
            for b in &TYPES {
                let operands = [a, b].map(|ty| Operand::Array(dtype_of(ty).expect("a type of promote")));
                let (a, b) = (array(a, &A), array(b, &B));
                match rules.op_types(op, &operands) {
                    Ok(types) => {
                        check(&rules, &a, &b, &data_type_of(types.common).expect("a type of Arrow"));
                        pairs += 1;
                    }
                    Err(refused) => {
                        let condition: &[Argument<'_>] = if op == Op::Where { &[true.into()] } else { &[] };
                        let operands = [condition, &[(&a).into(), (&b).into()]].concat();
                        assert_eq!(call(&rules, op, &operands).unwrap_err(), Error::Promote(refused.into()));
                    }
                }
            }
        }
    }
    pairs
}

/// Casts two arrays by Arrow's own `cast`.
fn cast_both(a: &ArrayRef, b: &ArrayRef, common: &DataType) -> [ArrayRef; 2] {
    [a, b].map(|array| arrow_cast::cast(array, common).expect("a cast that Arrow has"))
}

#[test]
fn add_of_every_pair_equals_cast_and_add() {
    let pairs = for_each_pair(Op::Add, |rules, a, b, common| {
        let sum = call(rules, Op::Add, &[a.into(), b.into()]).expect("the pair promotes");
        let [x, y] = cast_both(a, b, common);
        // Arrow does not add booleans; `promote` does so as by `or`.
        let expected: ArrayRef = match common {
            DataType::Boolean => {
                Arc::new(arrow_arith::boolean::or(x.as_boolean(), y.as_boolean()).expect("one length"))
            }
            _ => arrow_arith::numeric::add_wrapping(&x, &y).expect("arrays of one type"),
        };
        assert_eq!(&sum, &expected, "{} + {}", a.data_type(), b.data_type());
    });
    // PyTorch refuses pairs of an unsigned integer above u8 and another integer.
    assert!(pairs > 240, "{pairs}");
}

#[test]
fn comparisons_of_every_pair_equal_cast_and_compare() {
    use arrow_ord::cmp;
    type Compare = fn(&dyn Datum, &dyn Datum) -> Result<BooleanArray, arrow_schema::ArrowError>;
    let ops: [(Op, Compare); 6] = [
        (Op::Less, cmp::lt),
        (Op::LessEqual, cmp::lt_eq),
        (Op::Greater, cmp::gt),
        (Op::GreaterEqual, cmp::gt_eq),
        (Op::Equal, cmp::eq),
        (Op::NotEqual, cmp::neq),
    ];
    for (op, compare) in ops {
        for_each_pair(op, |rules, a, b, common| {
            let found = call(rules, op, &[a.into(), b.into()]).expect("the pair promotes");
            let [x, y] = cast_both(a, b, common);
            let expected = compare(&x, &y).expect("arrays of one type");
            assert_eq!(found.as_boolean(), &expected, "{op} of {} and {}", a.data_type(), b.data_type());
        });
    }
}

#[test]
fn if_else_of_every_pair_equals_cast_and_zip() {
    let mask =
        [Some(true), Some(false), Some(true), None, None, Some(true), Some(false), Some(false), Some(true)];
    let mask = booleans(&mask);
    for_each_pair(Op::Where, |rules, a, b, common| {
        let chosen = if_else(rules, &mask, a, b).expect("the pair promotes");
        let [x, y] = cast_both(a, b, common);
        let expected = arrow_select::zip::zip(&mask, &x, &y).expect("arrays of one type");
        assert_eq!(&chosen, &expected, "{} or {}", a.data_type(), b.data_type());
        assert_eq!(
            &call(rules, Op::Where, &[(&mask).into(), a.into(), b.into()]).expect("promotes"),
            &expected
        );
    });
}

#[test]
fn casts_of_every_pair_equal_those_of_arrow() {
    for rules in rule_sets() {
        for from in &TYPES {
            for to in &TYPES {
                let values = array(from, &A);
                let found = cast(&rules, &values, to, None).expect("promote has every cast");
                let expected = arrow_cast::cast(&values, to).expect("Arrow has every cast");
                assert_eq!(&found, &expected, "{from} to {to}");
            }
        }
    }
}

#[test]
fn typed_scalars_equal_columns_of_one_value() {
    for rules in rule_sets() {
        for a in &TYPES {
            for b in &TYPES {
                let (column, one) = (array(a, &A), array(b, &[Some(3)]));
                let scalar = Scalar::new(Arc::clone(&one));
                let Ok(sum) = call(&rules, Op::Maximum, &[(&column).into(), (&scalar).into()]) else {
                    continue;
                };
                let [x, y] = cast_both(&column, &array(b, &[Some(3); 9]), sum.data_type());
                let expected = call(&rules, Op::Maximum, &[(&x).into(), (&y).into()]).expect("one type");
                assert_eq!(&sum, &expected, "{a} and a scalar of {b}");
                let less = call(&rules, Op::Less, &[(&column).into(), (&scalar).into()]).expect("promotes");
                assert_eq!(less.len(), 9);
            }
        }
    }
}

#[test]
fn scalars_keep_the_width_of_a_column_under_pytorch_and_not_under_numpy() {
    let [torch, numpy] = rule_sets();
    let column = Int8Array::from(vec![1, 2]);
    let scalar = arrow_array::Int64Array::new_scalar(1);
    for (rules, expected) in [(torch, DataType::Int8), (numpy, DataType::Int64)] {
        let sum = call(&rules, Op::Add, &[(&column).into(), (&scalar).into()]).expect("promotes");
        assert_eq!(sum.data_type(), &expected);
        let sum = call(&rules, Op::Add, &[(&column).into(), 1.into()]).expect("promotes");
        assert_eq!(sum.data_type(), &DataType::Int8);
    }
}

#[test]
fn arrow_itself_refuses_mixed_columns() {
    let (a, b) = (array(&DataType::Int8, &A), array(&DataType::Float32, &B));
    let error = arrow_arith::numeric::add(&a, &b).unwrap_err();
    assert!(error.to_string().contains("Invalid arithmetic operation: Int8 + Float32"), "{error}");
    let sum = call(&rule_sets()[0], Op::Add, &[(&a).into(), (&b).into()]).expect("PyTorch has this pair");
    assert_eq!(sum.data_type(), &DataType::Float32);
}

#[test]
fn dtypes_convert_both_ways() {
    for data_type in TYPES {
        assert_eq!(data_type_of(dtype_of(&data_type).unwrap()), Ok(data_type));
    }
    for dtype in DType::STANDARD {
        // The format strings of Arrow's C data interface name the same dtypes.
        assert_eq!(data_type_of(*dtype).is_ok(), dtype.arrow_format().is_some(), "{dtype}");
    }
}
