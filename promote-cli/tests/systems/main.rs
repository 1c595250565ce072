//! Every bundled rule set against what its framework answered: every recorded question, cell by cell.
//!
//! A section of the data that no line here speaks of is an error, and so is an exception that excuses nothing.

mod answers;
mod lists;
mod score;
mod sections;
mod table;

use score::System;

const NUMPY: System = System {
    rules: "numpy",
    data: "numpy",
    left_out: &[("min_scalar_type", "a function of values, which no promotion asks under NEP 50")],
    single: &[],
};

#[test]
fn numpy() {
    sections::compare(&NUMPY);
}
