//! NumPy 2.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "numpy",
    data: "numpy",
    left_out: &[(
        "min_scalar_type",
        "a function of a value alone, which does not take part in promotion under NEP 50",
    )],
    single: &[
        ("values", "py_int:9223372036854775808,bool", BESIDE_BOOL),
        ("values", "py_int:18446744073709551615,bool", BESIDE_BOOL),
        ("values", "py_int:18446744073709551616,bool", BESIDE_BOOL),
        ("values", "py_int:-9223372036854775809,bool", BESIDE_BOOL),
    ],
    lacks: &[],
    kinds: "can_cast default_dtype dim_zerodim inplace lists number_values ops ops_scalar promote_types \
            reductions scalar_ops scalar_scalar tensor_scalar unary values.add values.less \
            values.result_type zerodim_scalar",
    min_cells: 21_786,
};

const BESIDE_BOOL: &str =
    "a comparison of integers takes any number, but beside bools the number has to be an i64 first";

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
