//! The table of JAX's documentation of October 2020. Only that is recorded, and only that is another than
//! today's.

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

/// Dtypes that are younger than the table promote as they do today. `Jax` refuses integers of 1, 2 and 4 bits
/// beside a u64.
#[test]
fn refuses_tiny_integers_as_jax_does() {
    for params in ["", "strict=true", "x64=false;explicit_x64=allow"] {
        let [then, now] =
            [SYSTEM.rules, "jax"].map(|set| Rules::load(set).under(params).expect("parameters of JAX"));
        for tiny in ["u1", "u2", "u4", "i1", "i2", "i4"] {
            for (a, b) in [("u64", tiny), (tiny, "u64")] {
                let result =
                    |rules: &Rules| rules.result(&[a, b].map(|dtype| rules.operand(dtype, As::Array)));
                assert_eq!(result(&now), None, "{params} {a},{b}");
                assert_eq!(result(&then), None, "{params} {a},{b}");
            }
        }
    }
}
