//! OpenVINO.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System { rules: "openvino", data: "openvino", left_out: &[], single: &[] };

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
