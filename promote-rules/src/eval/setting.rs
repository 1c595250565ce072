//! Finds blocks that do not depend on parameters: their cells are computed once for all settings.

use super::Eval;
use crate::model::{Block, Guard, Int, Output, Rules, Term};

impl Eval<'_> {
    /// Returns true if a block can give different results under different settings.
    pub(crate) fn depends_on_setting(rules: &Rules, block: &Block) -> bool {
        block.iter().any(|clause| {
            clause.guard.as_ref().is_some_and(|g| guard_asks(rules, g))
                || clause.outputs().any(|output| output_asks(rules, output))
        })
    }
}

fn guard_asks(rules: &Rules, guard: &Guard) -> bool {
    match guard {
        Guard::Not(a) => guard_asks(rules, a),
        Guard::And(a, b) | Guard::Or(a, b) => guard_asks(rules, a) || guard_asks(rules, b),
        Guard::Param(_) | Guard::ParamIs(..) => true,
        Guard::SameDType(a, b) | Guard::Holds(a, b) => term_asks(rules, a) || term_asks(rules, b),
        Guard::In(a, _) => term_asks(rules, a),
        Guard::Less(a, b) | Guard::SameInt(a, b) => int_asks(rules, a) || int_asks(rules, b),
    }
}

fn int_asks(rules: &Rules, int: &Int) -> bool {
    match int {
        Int::Kind(term) | Int::Bits(term) => term_asks(rules, term),
        Int::Number(_) => false,
        Int::Times(a, b) => int_asks(rules, a) || int_asks(rules, b),
    }
}

fn term_asks(rules: &Rules, term: &Term) -> bool {
    match term {
        Term::Var(_) | Term::Const(_) => false,
        Term::Param(_) => true,
        // Guards of `promote` that ask for `promote` again would not end; `check` refuses them.
        Term::Promote(a, b) => {
            term_asks(rules, a) || term_asks(rules, b) || Eval::depends_on_setting(rules, &rules.promote)
        }
    }
}

fn output_asks(rules: &Rules, output: &Output) -> bool {
    match output {
        Output::Refuse(_) | Output::Var(_) | Output::Const(_) | Output::FirstOf(_) | Output::Value => false,
        Output::Param(_) | Output::Default(_) => true,
        Output::Strength(_, inner) | Output::Real(inner) => output_asks(rules, inner),
        Output::Promote(a, b) => {
            output_asks(rules, a) || output_asks(rules, b) || Eval::depends_on_setting(rules, &rules.promote)
        }
        Output::Join { above, .. } => above.iter().any(|h| output_asks(rules, h)),
    }
}
