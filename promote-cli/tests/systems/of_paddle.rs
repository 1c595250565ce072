//! Paddle.

use crate::score::System;
use crate::sections;

const KEEPS: &str =
    "the function keeps the array's dtype or makes an array of the number; compared is the operator";

const SYSTEM: System = System {
    rules: "paddle",
    data: "paddle",
    left_out: &[
        ("ops_scalar.floor_divide", KEEPS),
        ("ops_scalar.remainder", KEEPS),
        ("ops_scalar.pow", KEEPS),
        ("seed|apis", "no table: which section of the document speaks of which function"),
    ],
    single: &[
        ("ops.matmul", "f32,i32", "f32 alone casts an integer operand, and only a right one; f64 does not"),
        ("ops.matmul", "f32,i64", "likewise"),
        ("static_add", "f16,f16", "no kernel, which was not recorded as the reason"),
        ("seed|promote_types", "bool,bool", "a dash on the diagonal: nothing to promote"),
        ("seed|promote_types", "u8,u8", "likewise"),
        ("seed|promote_types", "i8,i8", "likewise"),
        ("seed|promote_types", "i16,i16", "likewise"),
        ("seed|promote_types", "i32,i32", "likewise"),
        ("seed|promote_types", "i64,i64", "likewise"),
        (
            "seed|promote_types",
            "c64,f64",
            "the printed row has slipped: c128 stands one column too far to the left",
        ),
        ("seed|promote_types", "c64,i64", "likewise"),
    ],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
