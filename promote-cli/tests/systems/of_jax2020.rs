//! The table of JAX's documentation of October 2020. Only that is recorded, and only that is another than today's.

use crate::answers::{As, Rules};
use crate::score::System;
use crate::sections;
use crate::table::{cells, data};

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

/// The document has no weak cell among its dtypes, and the rules give none.
#[test]
fn the_table_with_its_weakness() {
    let (data, rules) = (data(SYSTEM.data), Rules::load(SYSTEM.rules));
    for (a, b, printed) in cells(data["sections"].as_object().expect("sections"), "promote_types") {
        let found = rules.result(&[rules.operand(&a, As::Array), rules.operand(&b, As::Array)]);
        assert_eq!(found.as_deref(), Some(&*printed), "{a},{b}");
    }
}
