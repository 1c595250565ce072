//! JAX as its documentation had it in 2020.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "jax2020",
    data: "jax2020",
    left_out: &[("different_from_numpy", "which cells it paints green: a test of `promote diff`")],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
