//! Dtypes, rules, generic code and expressions.

#![deny(warnings)]

use dtypes::SliceMut;
use dtypes::{Casting, DType, Element, Number, Op, Operand, Promoted, Rules, Torch, weak};
use outside::fixed::{Metres, Q8, Q16};
use outside::rules::Workshop;
use outside::{expressions, generic};

#[test]
fn custom_dtypes_promote_with_standard_ones() {
    let wide: Promoted<Q8, u8, Workshop> = Workshop::add(Q8(128), 2_u8);
    assert_eq!(wide, Q16(5 << 15));
    assert_eq!(Workshop::add(Q8(-256), Q16(1)), Q16(1 - 65536));
    assert!((Workshop::multiply(Q16::from(0.5), 3.0_f32) - 1.5_f64).abs() < 1e-12);
    assert_eq!(Workshop::multiply(Q8::from(1.5), weak(2)), Q8::from(3.0));
    assert_eq!(Workshop::subtract(Q8::from(1.5), 1_i8), Q8::from(0.5));
    assert_eq!(Workshop::negative(Q8(3)), Q8(-3));
    assert_eq!(Workshop::sqrt(Q8::from(2.25)), Q8::from(1.5));
    assert_eq!(Workshop::divide(Q8::from(1.0), 4_i8), Q8::from(0.25));
    assert_eq!(Workshop::add(Metres(1.5), Metres(2.0)), Metres(3.5));
    assert!(Workshop::less(Metres(1.5), Metres(2.0)));
}

#[test]
fn other_cells_follow_the_base() {
    let sum: Promoted<u8, i8, Workshop> = Workshop::add(200_u8, -1_i8);
    assert_eq!(sum, 199_i16);
    assert!((Workshop::divide(1_i32, 2_i32) - 0.5_f32).abs() < 1e-9);
}

#[test]
fn run_time_promotion_equals_the_types() -> Result<(), dtypes::Error> {
    let rules = Workshop::new().rule_set();
    assert_eq!(rules.promote_types(Q8::DTYPE, DType::U8)?, Q16::DTYPE);
    assert_eq!(rules.promote_types(DType::F16, Q8::DTYPE)?, DType::F32);
    assert_eq!(rules.promote_types(DType::I64, DType::BF16)?, DType::F32);
    assert_eq!(Torch::new().rule_set().promote_types(DType::I64, DType::BF16)?, DType::BF16);
    let refused = rules.promote_types(Metres::DTYPE, DType::F32).expect_err("a length").to_string();
    assert!(
        refused.contains("a length and a number have no sum") && refused.contains("src/rules.rs:"),
        "{refused}"
    );
    rules.can_cast(Q8::DTYPE, Q16::DTYPE, Casting::Default)?;
    rules.can_cast(DType::F32, Q8::DTYPE, Casting::Default).expect_err("of a lower kind");
    let types = rules.op_types(Op::Divide, &[Operand::Array(Q8::DTYPE), Operand::Number(Number::Int(4))])?;
    assert_eq!((types.compute, types.output), (DType::F64, Q8::DTYPE));
    Ok(())
}

#[test]
fn custom_dtypes_have_kernels() -> Result<(), dtypes::Error> {
    let (a, b) = ([Q8::from(0.5); 100], [1_i8; 100]);
    let mut out = [Q8(0); 100];
    Workshop::add_into(&a, &b, &mut out)?;
    assert_eq!(out, [Q8::from(1.5); 100]);

    let mut wide = [Q16(0); 100];
    let rules = Workshop::new().rule_set();
    rules.binary(Op::Multiply, a[..].into(), [200_u8; 100][..].into(), SliceMut::new(&mut wide))?;
    assert_eq!(wide, [Q16::from(100.0); 100]);
    let squares = wide;
    rules.unary(Op::Sqrt, squares[..].into(), SliceMut::new(&mut wide))?;
    assert_eq!(wide, [Q16::from(10.0); 100]);
    Ok(())
}

#[test]
fn generic_code_needs_one_bound_for_each_op() {
    assert_eq!(generic::axpy::<Workshop, _, _, _>(2_i8, Q8::from(1.5), 1_u8), Q16::from(4.0));
    assert!((generic::axpy::<Torch, _, _, _>(2_i8, 1.5_f32, 1_i64) - 4.0_f32).abs() < 1e-9);
    assert!((generic::root::<Torch, _>(4_i32) - 2.0_f32).abs() < 1e-9);
    assert_eq!(generic::root::<Workshop, _>(Q16::from(4.0)), Q16::from(2.0));
    assert!((generic::half::<Torch, _>(3_u8) - 1.5_f32).abs() < 1e-9);
    assert_eq!(generic::greater(200_u8, -1_i8), 200_i16);
    assert_eq!(generic::bytes_of_common(&(1_u8, 1_i8, 1.0_f64)), 8);
    assert_eq!(size_of::<generic::Three>(), 4);
    assert_eq!(Workshop::common(Q8(1), Q16(1)), (Q16(256), Q16(1)));
}

#[test]
fn sums_and_dot_products_have_the_accumulator_of_the_rule_set() {
    assert_eq!(generic::total::<Torch, _>(&[200_u8; 100]), 20_000_i64);
    assert_eq!(generic::total::<Workshop, _>(&[Q8(1); 100]), Q8(100));
    assert_eq!(generic::correlation::<Torch, _, _>(&[1_i32, 2], &[3_i32, 4]), 11);
    assert_eq!(
        generic::correlation::<Workshop, _, _>(&[Q8::from(1.5), Q8(0)], &[Q8::from(2.0), Q8(9)]),
        Q8::from(3.0)
    );
}

#[test]
fn expressions_round_op_by_op() {
    assert!((expressions::line(2, 1.5, 3) - 4.5).abs() < 1e-6);
    assert!((expressions::distance(9) - 1.0).abs() < 1e-12);
    assert!((expressions::distance(-9) - 1.0).abs() < 1e-12);
    assert!(expressions::above(Q8(1), 3) && !expressions::above(Q8(-1), 3));
}
