//! The checks of a rule file: the lists in [`forms`] and [`cells`] name them all.

mod cells;
mod forms;
mod laws;
mod ops;
mod params;

pub use laws::LawReport;
pub(crate) use laws::reports;

use crate::diag::Errors;
use crate::model::Rules;
use crate::tables::Computed;

/// Checks the clauses before any cell is computed. After this, evaluation terminates, and every operand that
/// a clause names exists.
pub(crate) fn forms(errors: &mut Errors, rules: &Rules) {
    forms::promote_does_not_ask_itself(errors, rules);
    forms::clauses_have_the_operands_they_name(errors, rules);
    forms::clauses_of_ops_have_the_operands_they_name(errors, rules);
    forms::first_of_lists_an_operand(errors, rules);
    forms::categories_that_count_as_arrays_differ_from_them(errors, rules);
    forms::values_count_in_yield_only(errors, rules);
    forms::casts_allow_or_refuse(errors, rules);
    forms::settings_can_be_counted(errors, rules);
    params::parameters_give_dtypes(errors, rules);
    forms::names_are_names_in_rust(errors, rules);
}

/// Checks the computed cells.
pub(crate) fn cells(errors: &mut Errors, rules: &Rules, computed: &Computed) {
    cells::tables_can_be_numbered(errors, rules, computed);
    cells::every_number_has_a_dtype(errors, rules, computed);
    cells::what_is_stored_stays(errors, rules, computed);
    cells::every_cell_is_decided(errors, rules, computed);
    cells::no_clause_contradicts_itself(errors, rules, computed);
    ops::an_op_without_order_has_none(errors, rules, &computed.tables);
    cells::no_clause_is_dead(errors, rules, computed);
    ops::ops_compute_where_they_can(errors, rules, computed);
    ops::rounding_has_an_effect(errors, rules, computed);
    ops::narrow_floats_say_what_they_compute_in(errors, rules, computed);
    ops::ops_in_the_common_dtype_stay_in_it(errors, rules, computed);
    laws::claimed_laws_hold(errors, rules, computed);
}
