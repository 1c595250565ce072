//! Explanations: which clauses of the rule file decide a promotion.

use crate::Clause;
use crate::Op;
use crate::OpTypes;
use crate::error::PromoteError;
use crate::rule_set::{Operand, ResultType, RuleSet};
use crate::table::NO_CLAUSE;

/// The largest number of clauses in an explanation; further ones are left out.
const MAX_CLAUSES: usize = 16;

/// The clauses that decide a look-up, each once, in the order in which they apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace {
    clauses: [u16; MAX_CLAUSES],
    len: usize,
}

impl Trace {
    pub(crate) const fn new() -> Trace {
        Trace { clauses: [NO_CLAUSE; MAX_CLAUSES], len: 0 }
    }

    /// Adds a clause, unless it is there already.
    pub(crate) const fn add(&mut self, clause: u16) {
        let mut i = 0;
        while i < self.len {
            if self.clauses[i] == clause {
                return;
            }
            i += 1;
        }
        if clause != NO_CLAUSE && self.len < MAX_CLAUSES {
            self.clauses[self.len] = clause;
            self.len += 1;
        }
    }
}

/// The result of promotion, with the clauses of the rule file that decided it. See [`RuleSet::explain`].
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The result.
    pub result: ResultType,
    /// The dtypes of the op; `None` for promotion alone.
    pub types: Option<OpTypes>,
    rules: RuleSet,
    trace: Trace,
}

impl Explanation {
    /// Returns the clauses that decided, in the order in which they apply: those for numbers, for promotion,
    /// and for the op.
    pub fn clauses(&self) -> impl Iterator<Item = &'static Clause<'static>> {
        let clauses = self.rules.tables.clauses;
        self.trace.clauses.into_iter().take(self.trace.len).filter_map(|clause| clauses.get(clause as usize))
    }
}

impl RuleSet {
    /// Returns what operands promote to, or the dtypes of an op on them, with the clauses that decide.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::op_types`] and [`RuleSet::result_type`].
    ///
    /// ```
    /// use promote::{DType, Operand, Torch};
    ///
    /// let operands = [Operand::Array(DType::U8), Operand::Array(DType::I8)];
    /// let explanation = Torch::new().rule_set().explain(None, &operands)?;
    /// assert_eq!(explanation.result.dtype, DType::I16);
    /// let clause = explanation.clauses().next().unwrap();
    /// assert!(clause.file.ends_with("torch.rs") && clause.line > 0);
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
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
