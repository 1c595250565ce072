//! A rule set that resembles no bundled one gets its types, tables and kernels from its file alone: no other
//! code knows a system.

use half::{bf16, f16};
use num_complex::Complex;
use promote::SliceMut;
use promote::{Argument, DType, Number, Op, Operand, Promoted, RuleSet};

mod rules;

use rules::{Miser, MiserBig, MiserMood};

mod agreement {
    promote::agreement! { crate::rules::Miser = "tests/own_rules/rules.rs" }
}

#[test]
fn types_follow_the_text() {
    let narrow: Promoted<i64, u8, Miser> = 7_u8;
    assert_eq!(narrow, 7);
    assert_eq!(Miser::add(300_i16, 1_u8), 45, "300 wraps to 44 in u8, which wins");
    assert_eq!(Miser::divide(1_i64, 3_i64), bf16::from_f32(1.0 / 3.0));
    assert_eq!(Miser::subtract(5_i16, 7_u8), 254, "computed in u8, which wins");
    assert_eq!(Miser::subtract(Complex::new(1.0_f32, 2.0), 1_i64), Complex::new(0.0, 2.0));
    assert!(Miser::less(f16::ONE, 2_i16));
}

#[test]
fn an_op_over_operands_in_order_refuses_one_order_only() {
    let rules = Miser::new().rule_set();
    let types = |a, b| rules.op_types(Op::Subtract, &[Operand::Array(a), Operand::Array(b)]);
    assert_eq!(types(DType::I16, DType::U8).map(|t| t.output), Ok(DType::U8));
    let refused = types(DType::U8, DType::I16).expect_err("the text refuses it");
    assert_eq!(
        refused.to_string(),
        "`subtract` of `u8` and `i16` is refused under Miser: would go below zero (tests/own_rules/rules.rs:36)"
    );
}

#[test]
fn parameters_change_what_the_text_says_they_change() {
    let ask = |rules: RuleSet, a, b| rules.result_type(&[a, b]).map(|found| (found.dtype, found.weak));
    let (mean, generous) = (Miser::new(), Miser::new().with_mood(MiserMood::Generous));
    let halves = [Operand::Array(DType::F16), Operand::Array(DType::BF16)];
    assert!(ask(mean.rule_set(), halves[0], halves[1]).is_err());
    assert_eq!(ask(generous.rule_set(), halves[0], halves[1]), Ok((DType::F32, false)));

    let number = [Operand::Array(DType::I16), Operand::Number(Number::Float(2.5))];
    assert_eq!(ask(mean.rule_set(), number[0], number[1]), Ok((DType::F16, true)));
    assert_eq!(ask(mean.with_big(MiserBig::F64).rule_set(), number[0], number[1]), Ok((DType::F64, true)));
    assert_eq!(ask(generous.rule_set(), number[0], number[1]), Ok((DType::F64, true)));
    let truth = ask(mean.rule_set(), Operand::Array(DType::I16), Operand::Number(Number::Bool(true)));
    assert!(truth.is_err(), "the text gives a bool no dtype");
}

#[test]
fn kernels_compute_in_the_dtype_that_the_text_names() {
    let rules = Miser::new().rule_set();
    let types = rules.op_types(Op::Add, &[Operand::Array(DType::F16); 2]).expect("defined");
    assert_eq!((types.common, types.compute, types.output), (DType::F16, DType::F64, DType::F16));
    // 2^-24 is the least f16: in f64 the sum is exact, and then rounded once.
    let (a, b) = ([f16::from_f32(2048.0), f16::from_bits(1)], [f16::from_f32(1.0), f16::from_bits(1)]);
    let mut out = [f16::ZERO; 2];
    rules
        .binary(Op::Add, Argument::from(&a[..]), Argument::from(&b[..]), SliceMut::new(&mut out))
        .expect("defined");
    assert_eq!(out, [f16::from_f32(2048.0), f16::from_bits(2)]);

    let mut out = [f16::ZERO; 2];
    Miser::multiply_into(&a, &[3_i64, 5], &mut out).expect("equal lengths");
    assert_eq!(out, [f16::from_f32(6144.0), f16::from_bits(5)]);
}
