//! Paddle.

use crate::score::System;
use crate::sections;

const MADE: &str =
    "the function makes an array of the number: i64, or the default dtype; the operator does not";
const REFUSES: &str = "the function refuses floats of 8 bits; the operator takes them";
const KEEPS: &str = "the function keeps an array of integers what it is; the operator does not";
const COMPLEX: &str = "the function takes no complex number; the operator does";

const RIGHT: &str = "f32 alone casts an integer operand, and only a right one; f64 does not";

const SYSTEM: System = System {
    rules: "paddle",
    data: "paddle",
    left_out: &[],
    single: &[
        ("ops_scalar.floor_divide", "u8,py_int", MADE),
        ("ops_scalar.floor_divide", "i8,py_int", MADE),
        ("ops_scalar.floor_divide", "i16,py_int", MADE),
        ("ops_scalar.floor_divide", "i32,py_int", MADE),
        ("ops_scalar.floor_divide", "bf16,py_float", MADE),
        ("ops_scalar.floor_divide", "f16,py_float", MADE),
        ("ops_scalar.floor_divide", "f8e4m3fn,*", REFUSES),
        ("ops_scalar.floor_divide", "f8e5m2,*", REFUSES),
        ("ops_scalar.pow", "i32,py_float", KEEPS),
        ("ops_scalar.pow", "i64,py_float", KEEPS),
        ("ops_scalar.remainder", "i32,py_float", KEEPS),
        ("ops_scalar.remainder", "i64,py_float", KEEPS),
        ("ops_scalar.pow", "*,py_complex", COMPLEX),
        ("ops.matmul", "f32,i32", RIGHT),
        ("ops.matmul", "f32,i64", RIGHT),
        (
            "static_add",
            "f16,f16",
            "it has no kernel here; the recording has lost the message, and so a refusal",
        ),
    ],
    lacks: &[],
    kinds: "default_dtype dim_zerodim inplace inplace_dtype ops ops_scalar promote_types reductions \
            scalar_ops scalar_tensor static_add tensor_scalar unary zerodim_scalar zerodim_zerodim",
    min_cells: 12_749,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
