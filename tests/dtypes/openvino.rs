//! OpenVINO.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "openvino",
    data: "openvino",
    left_out: &[],
    single: &[],
    lacks: &[],
    kinds: "dim_dim dim_scalar promote_types scalar_dim scalar_scalar",
    min_cells: 60_625,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
