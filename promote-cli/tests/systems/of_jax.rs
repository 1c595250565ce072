//! JAX.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "jax",
    data: "jax",
    left_out: &[(
        "lattice",
        "the order itself, of which promotion is the join: `promote lattice jax` draws it",
    )],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
