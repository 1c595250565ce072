//! OpenVINO.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "openvino",
    data: "openvino",
    left_out: &[(
        "seed|examples",
        "the document's examples, no table: all are cells of the others, but (i64[], u8), which the document has as u8 and OpenVINO refuses when safe",
    )],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
