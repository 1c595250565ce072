//! Paddle.

use crate::score::System;
use crate::sections;

const KEEPS: &str =
    "the function keeps the array's dtype or makes an array of the number; compared is the operator";

const SYSTEM: System = System {
    rules: "paddle",
    data: "paddle",
    left_out: &[
        ("inplace_dtype", "the left operand takes the result's dtype, which `inplace` cannot say"),
        ("ops_scalar.floor_divide", KEEPS),
        ("ops_scalar.remainder", KEEPS),
        ("ops_scalar.pow", KEEPS),
        ("static_add", "in a static graph `+` is as it is elsewhere; (f16, f16) has no kernel there either"),
        ("seed|apis", "no table: which section of the document speaks of which function"),
        ("seed", "the document as printed"),
    ],
    single: &[
        ("ops.matmul", "f32,i32", "f32 alone casts an integer operand, and only a right one; f64 does not"),
        ("ops.matmul", "f32,i64", "likewise"),
    ],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
