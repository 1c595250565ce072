//! NumPy 2.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "numpy",
    data: "numpy",
    left_out: &[(
        "min_scalar_type",
        "a function of a value alone, which promotion does not ask under NEP 50",
    )],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
