//! Searches the parts of results and conditions.

use super::{Clause, Guard, Int, Output, Term, Var};

impl Output {
    /// Returns true if `is` holds for this result or for a part of it.
    pub fn any(&self, is: &dyn Fn(&Output) -> bool) -> bool {
        is(self)
            || match self {
                Output::Strength(_, inner) | Output::Real(inner) => inner.any(is),
                Output::Promote(a, b) => a.any(is) || b.any(is),
                Output::Join { above, .. } => above.iter().any(|held| held.any(is)),
                Output::Refuse(_)
                | Output::Var(_)
                | Output::Const(_)
                | Output::Param(_)
                | Output::Default(_)
                | Output::FirstOf(_)
                | Output::Value => false,
            }
    }

    /// Returns true if the result names the operand.
    pub fn names(&self, var: Var) -> bool {
        self.any(&|output| match output {
            Output::Var(named) => *named == var,
            Output::Join { among: Some(among), .. } => among.vars.contains(&var),
            _ => false,
        })
    }
}

impl Guard {
    /// Returns true if `is` holds for a term of the condition.
    pub fn any_term(&self, is: &dyn Fn(&Term) -> bool) -> bool {
        match self {
            Guard::Not(a) => a.any_term(is),
            Guard::And(a, b) | Guard::Or(a, b) => a.any_term(is) || b.any_term(is),
            Guard::Param(_) | Guard::ParamIs(..) => false,
            Guard::SameDType(a, b) | Guard::Holds(a, b) => a.any(is) || b.any(is),
            Guard::In(a, _) => a.any(is),
            Guard::Less(a, b) | Guard::SameInt(a, b) => a.any_term(is) || b.any_term(is),
        }
    }

    /// Returns true if the condition names the operand.
    pub fn names(&self, var: Var) -> bool {
        self.any_term(&|term| matches!(term, Term::Var(named) if *named == var))
    }
}

impl Term {
    fn any(&self, is: &dyn Fn(&Term) -> bool) -> bool {
        is(self) || matches!(self, Term::Promote(a, b) if a.any(is) || b.any(is))
    }
}

impl Int {
    /// Returns true if `is` holds for a term of the number.
    pub fn any_term(&self, is: &dyn Fn(&Term) -> bool) -> bool {
        match self {
            Int::Kind(term) | Int::Bits(term) => term.any(is),
            Int::Number(_) => false,
            Int::Times(a, b) => a.any_term(is) || b.any_term(is),
        }
    }
}

impl Clause {
    /// Returns true if a result or the condition of the clause names the operand.
    pub fn names(&self, var: Var) -> bool {
        self.outputs().any(|output| output.names(var)) || self.guard.as_ref().is_some_and(|g| g.names(var))
    }
}
