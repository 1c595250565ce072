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
    lacks: &[],
    kinds: "can_cast default_dtype dim_zerodim inplace number_values ops ops_scalar promote_types \
            reductions scalar_ops tensor_scalar unary",
    min_cells: 7_259,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
