//! Polars.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "polars",
    data: "polars",
    left_out: &[
        ("series_ops.divide", "Series of Polars divide integers by floats in f64, and expressions do not"),
        (
            "series_ops.bitwise_and",
            "Series of Polars take two integers of one dtype, and expressions of any two",
        ),
        ("default_dtype_by_value", "a rule file has one dtype for the integers that stand alone"),
    ],
    single: &[],
    lacks: &[
        (COMPARISONS, "u64,i*", WIDE),
        (COMPARISONS, "i*,u64", WIDE),
        ("number_values.less", "py_int:9223372036854775808,i*", WIDE),
        ("number_values.less", "py_int:18446744073709551615,i*", WIDE),
        (NUMBERS, "py_int:-*,u64", "a negative number beside a u64 makes an i64 of it"),
        (NUMBERS, "py_int:9223372036854775808,bool", BESIDE_BOOL),
        (NUMBERS, "py_int:18446744073709551615,bool", BESIDE_BOOL),
        (NUMBERS, "py_int:-9223372036854775809,*", BEYOND),
        (NUMBERS, "py_int:18446744073709551616,*", BEYOND),
        (NUMBERS, "py_int:170141183460469231731687303715884105727,*", BEYOND),
        (NUMBERS, "py_int:-170141183460469231731687303715884105728,*", BEYOND),
    ],
    kinds: "default_dtype number_ops number_values ops ops_scalar ops_zerodim promote_types reductions \
            scalar_ops unary",
    min_cells: 8_488,
};

const COMPARISONS: &str =
    "ops.equal ops.not_equal ops.less ops.less_equal ops.greater ops.greater_equal ops_zerodim.less";
const NUMBERS: &str = "number_values.add number_values.fmax number_values.where number_values.less";

const WIDE: &str = "they are compared as i128";
const BESIDE_BOOL: &str = "a number beside a bool is an i32, and beyond that an i64, a u64 or an i128";
const BEYOND: &str = "an integer of more than 64 bits is an i128, whatever it stands beside";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
