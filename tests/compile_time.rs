//! The published tables of PyTorch hold while the compiler runs: a wrong cell does not build.
//!
//! Source: "Demystifying Dtype Promotion in PyTorch" (January 2024): the table of `c10/core/ScalarType.cpp`,
//! and the quiz of its introduction.

use half::{bf16, f16};
use num_complex::Complex;
use promote::{DType, Element, Number, Op, OpTypes, Operand, PromoteError, Promoted, ResultType, Torch};

#[allow(non_camel_case_types, reason = "complex dtypes go by their canonical names")]
mod names {
    pub(crate) type c32 = super::Complex<super::f16>;
    pub(crate) type c64 = super::Complex<f32>;
    pub(crate) type c128 = super::Complex<f64>;
}
use names::{c32, c64, c128};

/// Each row: the left type, and what it gives with the type of each column.
macro_rules! table {
    ($columns:tt $($row:ident: $cells:tt)*) => { $(row! { $row $columns $cells })* };
}

macro_rules! row {
    ($a:ident [$($b:ident)*] [$($c:ident)*]) => {
        $(const _: () = {
            // Not a comparison of names: only one type fits.
            const _: fn(Promoted<$a, $b, Torch>) -> $c = |same| same;
            let found = Torch::new().promote_types(<$a as Element>::DTYPE, <$b as Element>::DTYPE);
            assert!(matches!(found, Ok(dtype) if dtype.index() == <$c as Element>::DTYPE.index()));
        };)*
    };
}

table! {
    [u8 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 bool bf16]
    u8: [u8 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 u8 bf16]
    i8: [i16 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 i8 bf16]
    i16: [i16 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 i16 bf16]
    i32: [i32 i32 i32 i32 i64 f16 f32 f64 c32 c64 c128 i32 bf16]
    i64: [i64 i64 i64 i64 i64 f16 f32 f64 c32 c64 c128 i64 bf16]
    f16: [f16 f16 f16 f16 f16 f16 f32 f64 c32 c64 c128 f16 f32]
    f32: [f32 f32 f32 f32 f32 f32 f32 f64 c64 c64 c128 f32 f32]
    f64: [f64 f64 f64 f64 f64 f64 f64 f64 c128 c128 c128 f64 f64]
    c32: [c32 c32 c32 c32 c32 c32 c64 c128 c32 c64 c128 c32 c64]
    c64: [c64 c64 c64 c64 c64 c64 c64 c128 c64 c64 c128 c64 c64]
    c128: [c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128]
    bool: [u8 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 bool bf16]
    bf16: [bf16 bf16 bf16 bf16 bf16 f32 f32 f64 c64 c64 c128 bf16 bf16]
}

const fn op(op: Op, a: Operand, b: Operand) -> OpTypes {
    match Torch::new().op_types(op, &[a, b]) {
        Ok(types) => types,
        Err(_) => panic!("PyTorch gives a dtype"),
    }
}

/// An expression of the quiz: what it gives.
macro_rules! quiz {
    ($($op:ident $left:expr, $right:expr => $result:ident;)*) => {
        $(const _: () = assert!(op(Op::$op, $left, $right).output.index() == DType::$result.index());)*
    };
}

quiz! {
    // (int_tensor + 5).dtype
    Add Operand::Array(DType::I32), Operand::Number(Number::Int(5)) => I32;
    // (int_tensor + 5.5).dtype
    Add Operand::Array(DType::I32), Operand::Number(Number::Float(5.5)) => F32;
    // (int_tensor / 5).dtype
    Divide Operand::Array(DType::I32), Operand::Number(Number::Int(5)) => F32;
    // (int_tensor + long_zerodim).dtype
    Add Operand::Array(DType::I32), Operand::ZeroDim(DType::I64, None) => I32;
    // (long_tensor + int_tensor).dtype
    Add Operand::Array(DType::I64), Operand::Array(DType::I32) => I64;
    // (bool_tensor + long_tensor).dtype
    Add Operand::Array(DType::Bool), Operand::Array(DType::I64) => I64;
    // (bool_tensor + uint_tensor).dtype
    Add Operand::Array(DType::Bool), Operand::Array(DType::U8) => U8;
    // (float_tensor + double_tensor).dtype
    Add Operand::Array(DType::F32), Operand::Array(DType::F64) => F64;
    // (complex_float_tensor + complex_double_tensor).dtype
    Add Operand::Array(DType::C64), Operand::Array(DType::C128) => C128;
    // (bool_tensor + int_tensor).dtype
    Add Operand::Array(DType::Bool), Operand::Array(DType::I32) => I32;
    // torch.add(long_tensor, float_tensor).dtype
    Add Operand::Array(DType::I64), Operand::Array(DType::F32) => F32;
}

#[test]
fn published_tables_hold_at_compile_time() {
    // The assertions above are the test; this one shows in the count of tests that they were built.
    assert_eq!(
        op(Op::Divide, Operand::Array(DType::I32), Operand::Number(Number::Int(5))).output,
        DType::F32
    );
}

#[test]
fn operands_promote_one_at_a_time() {
    const STATE: Result<ResultType, PromoteError> = {
        let mut state = Torch::new().rule_set().result_type_state();
        assert!(state.add(Operand::Number(Number::Float(0.5))).is_ok());
        assert!(state.add(Operand::ZeroDim(DType::I64, None)).is_ok());
        assert!(state.add(Operand::Array(DType::I8)).is_ok());
        state.result()
    };
    assert_eq!(STATE.unwrap().dtype, DType::F32, "the number has the highest kind");

    // Two arrays of one category are joined: neither is the result.
    let (u8s, i8s) = (Operand::Array(DType::U8), Operand::Array(DType::I8));
    let mut state = Torch::new().rule_set().result_type_state();
    assert!(state.result().is_err(), "there is no operand");
    state.add(u8s).unwrap();
    state.add(i8s).unwrap();
    assert_eq!(state.result().unwrap().dtype, DType::I16);
    // A refused operand changes nothing.
    assert!(state.add(Operand::Array(DType::U32)).is_err());
    assert_eq!(state.result().unwrap().dtype, DType::I16);
    state.add(Operand::Array(DType::F16)).unwrap();
    assert_eq!(state.result().unwrap().dtype, DType::F16);
}
