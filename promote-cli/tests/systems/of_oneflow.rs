//! OneFlow.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System { rules: "oneflow", data: "oneflow", left_out: &[], single: &[] };

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
