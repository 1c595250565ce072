//! The table of JAX's documentation of October 2020, which is all that is recorded of it. The rule set
//! differs from today's in this table only.

use crate::answers::{As, Rules};
use crate::data::data;
use crate::score::System;
use crate::sections;
use crate::table::cells;

const SYSTEM: System = System {
    rules: "jax2020",
    data: "jax2020",
    left_out: &[(
        "different_from_numpy",
        "the cells that the document marks green: a test of `promote diff` reads them",
    )],
    single: &[],
    lacks: &[],
    kinds: "promote_types",
    min_cells: 225,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}

#[test]
fn dtypes_of_the_table_are_never_weak() {
    let (data, rules) = (data(SYSTEM.data), Rules::load(SYSTEM.rules));
    for (a, b, printed) in cells(data["sections"].as_object().expect("sections"), "promote_types") {
        let found = rules.result(&[rules.operand(&a, As::Array), rules.operand(&b, As::Array)]);
        assert_eq!(found.as_deref(), Some(&*printed), "{a},{b}");
    }
}

/// Dtypes that are newer than the table promote as they do today.
#[test]
fn refuses_u64_with_integers_below_8_bits_as_jax_does() {
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
