//! NumPy with `ml_dtypes`.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "ml-dtypes",
    data: "ml_dtypes",
    left_out: &[("formats", "what a format can represent is no question of promotion")],
    single: &[],
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
