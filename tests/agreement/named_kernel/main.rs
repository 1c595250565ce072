//! Custom ops that a rule file names: types, tables, calls and explanations have the dtypes that the
//! file says.
#![allow(clippy::float_cmp, reason = "the values are exact")]

use half::f16;
use promote::SliceMut;
use promote::op::OpType;
use promote::{Argument, CustomOp, DType, Number, Op, OpOutput, Operand, Torch, kernel};

mod rules;
mod wider;

use rules::Lab;
use wider::Wider;

mod lab_agrees {
    promote::agreement! { crate::rules::Lab = "named_kernel/rules.rs", "../../rules/torch.rs" }
}

/// `alpha · x + y`
#[kernel(named)]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// `log(exp(x) + 1)`
#[kernel(named)]
fn ramp<T: promote::Floating>(x: T) -> T {
    (x.exp() + 1.0).log()
}

/// `x² + y²`, a function with the name of another one.
mod stranger {
    #[promote::kernel]
    pub(crate) fn axpy<T>(x: T, y: T) -> T {
        x * x + y * y
    }
}

#[test]
fn types_follow_the_rule_file() {
    let z: f64 = Lab::axpy(2_i8, 300_i16, 1_u8);
    assert_eq!(z, 601.0);
    let z: f16 = Lab::axpy(2_i8, f16::from_f32(0.5), 1_i64);
    assert_eq!(z, f16::from_f32(2.0));
    // In f64, and rounded once: in f32 the product would lose its last digit.
    let (x, square) = (1.0 + f32::EPSILON, 1.0 + 2.0 * f32::EPSILON);
    assert_eq!((Lab::axpy(x, x, -square), x * x - square), (f32::EPSILON.powi(2), 0.0));
    let ramp: f32 = Lab::ramp(1_i32);
    let narrowed: f32 = Lab::ramp(1.0_f64);
    let wide: f64 = Wider::ramp(1_i32);
    assert!((ramp - 1.313_261_7).abs() < 1e-6 && (wide - 1.313_261_687_518_222_8).abs() < 1e-15);
    assert_eq!(narrowed, wide as f32);
    let as_type: OpOutput<Axpy, (i32,), Lab> = 1.0_f64;
    assert_eq!(as_type, 1.0);
}

#[test]
fn run_time_calls_give_the_results_of_typed_calls() {
    let rules = Lab::new().rule_set();
    let (alpha, x, y) = ([1_i8, -2, 3], [f16::from_f32(0.1); 3], [0.1_f32, 20.0, -0.3]);
    let (mut typed, mut found) = ([0.0_f32; 3], [1.0_f32; 3]);
    Lab::axpy_into(&alpha, &x, &y, &mut typed).expect("equal lengths");
    rules
        .elementwise(
            Axpy::OP,
            &[(&alpha[..]).into(), (&x[..]).into(), (&y[..]).into()],
            SliceMut::new(&mut found),
        )
        .expect("defined");
    assert_eq!(typed, found);
    assert_eq!(typed, [0, 1, 2].map(|i| Lab::axpy(alpha[i], x[i], y[i])));

    let (mut typed, mut found) = ([0.0_f64; 3], [1.0_f64; 3]);
    Lab::axpy_into(7_i32, &alpha, &alpha, &mut typed).expect("equal lengths");
    let inputs = [Argument::Number(Number::Int(7)), (&alpha[..]).into(), (&alpha[..]).into()];
    rules.elementwise(Axpy::OP, &inputs, SliceMut::new(&mut found)).expect("defined");
    assert_eq!((typed, found), ([8.0, -16.0, 24.0], typed));
}

#[test]
fn refusals_have_the_texts_of_the_rule_file() {
    let rules = Lab::new().rule_set();
    let asked = |op: Op, dtype: DType| rules.op_types(op, &[Operand::Array(dtype); 3][..op.arity()]);
    let refused = asked(Axpy::OP, DType::Bool).expect_err("the file refuses it").to_string();
    assert!(
        refused.contains("`axpy`")
            && refused.contains("bool is not a numeric type (tests/agreement/named_kernel/rules.rs:6)"),
        "{refused}"
    );
    assert!(asked(Ramp::OP, DType::C64).is_err());
    let wider = Wider::new().rule_set().op_types(Axpy::OP, &[Operand::Array(DType::I64); 3]);
    assert!(
        wider.expect_err("the nearer file refuses it").to_string().contains("f64 does not hold every i64")
    );
    let torch = Torch::new().rule_set().op_types(Axpy::OP, &[Operand::Array(DType::F32); 3]);
    assert!(torch.expect_err("it does not name it").to_string().contains("axpy"));
    let two = rules.op_types(Axpy::OP, &[Operand::Array(DType::F32); 2]).expect_err("three are needed");
    assert!(two.to_string().contains('3'), "{two}");
}

#[test]
fn explanations_name_the_clause() {
    static ANY: CustomOp = CustomOp::named("axpy");
    let rules = Lab::new().rule_set();
    let operands = [Operand::Array(DType::I8), Operand::Array(DType::I32), Operand::Number(Number::Int(2))];
    let explained = rules.explain(Some(Axpy::OP), &operands).expect("defined");
    assert_eq!(explained.result.dtype, DType::F64);
    let last = explained.clauses().last().expect("clauses decide");
    assert_eq!((last.text, last.block, last.line), ("int => f64", "op axpy", 7));
    // The op by its name takes any number of operands.
    let types = rules.op_types(Op::Custom(&ANY), &operands[..2]).expect("defined");
    assert_eq!((types.common, types.compute, types.output), (DType::F64, DType::F64, DType::F64));
}

/// A kernel without `named` keeps the dtypes of its standard op, on types and at run time, even if a rule
/// file has an op of its name.
#[test]
fn ops_with_one_name_are_different_ops() {
    let typed: i16 = <Lab as stranger::AxpyExt>::axpy(2_i16, 3_i8);
    let types = Lab::new()
        .rule_set()
        .op_types(stranger::Axpy::OP, &[Operand::Array(DType::I16), Operand::Array(DType::I8)]);
    assert_eq!((typed, types.map(|types| types.output)), (13, Ok(DType::I16)));
}
