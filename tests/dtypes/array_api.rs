//! The array API standard.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "array-api",
    data: "array_api",
    left_out: &[("ops.matmul", "array-api-strict does not check it, and gives NumPy's dtype")],
    single: &[
        ("dim_zerodim", "bool,bool", "the sum was asked, which is refused; the two do promote"),
        ("ops_scalar.less", "*,py_complex", "array-api-strict checks the array, and not the number"),
        ("scalar_ops.less", "py_complex,*", "array-api-strict checks the array, and not the number"),
    ],
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
