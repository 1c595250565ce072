//! TensorFlow.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System { rules: "tensorflow", data: "tensorflow", left_out: &[], single: &[] };

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
