//! OneFlow.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "oneflow",
    data: "oneflow",
    left_out: &[],
    single: &[
        (
            "ops_scalar.divide",
            "bool,py_int",
            "a bool becomes i64 for the sake of the integer, and then nobody asks whether to divide in f32",
        ),
        ("reductions.mean", "bf16", "the check that lets f16, f32 and f64 pass forgets bf16"),
    ],
    lacks: &[],
    kinds: "default_dtype dim_zerodim inplace ops ops_scalar ops_zerodim promote_types reductions \
            tensor_scalar unary zerodim_scalar zerodim_zerodim",
    min_cells: 3_090,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
