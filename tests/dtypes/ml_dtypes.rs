//! NumPy with `ml_dtypes`.

use crate::score::System;
use crate::sections;

const SYSTEM: System = System {
    rules: "ml-dtypes",
    data: "ml_dtypes",
    left_out: &[("formats", "what a format can represent is no question of promotion")],
    single: &[],
    lacks: &[],
    kinds: "can_cast number_values ops promote_types tensor_scalar",
    min_cells: 28_220,
};

#[test]
fn every_recorded_cell_is_equal() {
    sections::compare(&SYSTEM);
}
