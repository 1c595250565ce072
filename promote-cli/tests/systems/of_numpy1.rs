//! NumPy 1.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System { rules: "numpy1", data: "numpy1", left_out: &[], single: &[] };

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
