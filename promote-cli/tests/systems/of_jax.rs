//! JAX.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "jax",
    data: "jax",
    left_out: &[
        ("ops.lax_add", "`jax.lax` takes operands of one dtype, and no numbers"),
        (
            "x64=false;explicit_x64=allow",
            "a setting between the two, in which dtypes that are asked for are not stored",
        ),
        ("lattice", "the order itself, of which promotion is the join: `promote lattice jax` draws it"),
    ],
    single: &[],
};

#[test]
fn every_recorded_answer() {
    sections::compare(&SYSTEM);
}
