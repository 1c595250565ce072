//! Which clauses decide: the same walk through the tables as a plain question, with what it meets written
//! down.

use crate::Op;
use crate::OpTypes;
use crate::error::PromoteError;
use crate::rule_set::{Operand, ResultType, RuleSet};
use crate::table::{Clause, NO_CLAUSE};

/// The most clauses that are written down; a question meets fewer, unless it is about many operands under
/// many rules.
const MOST: usize = 16;

/// The clauses met on the way to an answer, each once, in the order of their work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace {
    clauses: [u16; MOST],
    len: usize,
}

impl Trace {
    pub(crate) const fn new() -> Trace {
        Trace { clauses: [NO_CLAUSE; MOST], len: 0 }
    }

    pub(crate) const fn meet(&mut self, clause: u16) {
        let mut i = 0;
        while i < self.len {
            if self.clauses[i] == clause {
                return;
            }
            i += 1;
        }
        if clause != NO_CLAUSE && self.len < MOST {
            self.clauses[self.len] = clause;
            self.len += 1;
        }
    }
}

/// An answer, and the clauses that decided it.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// What comes out.
    pub result: ResultType,
    /// What the op converts to, computes in and gives, where one was asked for.
    pub types: Option<OpTypes>,
    rules: RuleSet,
    trace: Trace,
}

impl Explanation {
    /// The clauses that decided, in the order of their work: those of numbers, of promotion, of the op.
    pub fn because(&self) -> impl Iterator<Item = &'static Clause<'static>> {
        let clauses = self.rules.tables.clauses;
        self.trace.clauses.into_iter().take(self.trace.len).filter_map(|clause| clauses.get(clause as usize))
    }
}

impl RuleSet {
    /// What operands promote to, or what an op gives, and which clauses decide it.
    ///
    /// # Errors
    /// As [`RuleSet::op_types`] and [`RuleSet::result_type`].
    pub fn explain(&self, op: Option<Op>, operands: &[Operand]) -> Result<Explanation, PromoteError> {
        let mut trace = Trace::new();
        let (result, types) = match op {
            Some(op) => {
                let (_, answer) = self.decide(op, operands, &mut trace)?;
                let types = self.tables.types(answer);
                (ResultType { dtype: types.output, weak: answer.weak }, Some(types))
            }
            None => (self.fold(operands, &mut trace)?, None),
        };
        Ok(Explanation { result, types, rules: *self, trace })
    }
}
