//! DataFusion.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "datafusion",
    data: "datafusion",
    left_out: &[],
    single: &[],
    lacks: &[
        (COMPARISONS, "u64,i*", DECIMAL),
        (COMPARISONS, "i*,u64", DECIMAL),
        ("number_values.less", "py_int:*,u64", DECIMAL),
        ("number_values.less", "py_int:9223372036854775808,i*", DECIMAL),
        (NUMBERS, "py_int:9223372036854775808,u*", "an integer that an i64 does not hold is a u64"),
    ],
    kinds: "number_values ops promote_types reductions unary",
    min_cells: 4_323,
};

const COMPARISONS: &str =
    "ops.equal ops.not_equal ops.less ops.less_equal ops.greater ops.greater_equal ops.isin";
const NUMBERS: &str =
    "number_values.add number_values.divide number_values.less number_values.maximum number_values.where";

const DECIMAL: &str = "they are compared as decimal(20, 0)";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
