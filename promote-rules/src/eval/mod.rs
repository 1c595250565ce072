//! Evaluates a rule set: finds the clause that decides, and its result.

mod expr;
mod setting;

use std::cell::Cell;

use crate::model::{
    Block, Category, Clause, ClauseId, DTypeId, NumberKind, Op, Operand, Output, Patterns, Rules, Var,
};

/// A rule set under one choice of its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    pub(crate) rules: &'a Rules,
    /// The position of each parameter's value.
    pub(crate) setting: &'a [usize],
    /// Records the clauses and parameters in use.
    pub(crate) hits: &'a Hits,
}

/// The clauses that decided something, and the parameters that were looked at.
pub(crate) struct Hits {
    clauses: Vec<Cell<bool>>,
    params: Cell<Params>,
}

impl Hits {
    pub(crate) fn none(rules: &Rules) -> Hits {
        Hits { clauses: vec![Cell::new(false); rules.clauses.len()], params: Cell::default() }
    }

    fn mark(&self, clause: ClauseId) {
        self.clauses[clause].set(true);
    }

    pub(crate) fn contains(&self, clause: ClauseId) -> bool {
        self.clauses[clause].get()
    }

    fn ask(&self, param: usize) {
        self.params.set(Params(self.params.get().0 | Params::bit(param)));
    }

    /// Returns the parameters that were looked at since the last call.
    pub(crate) fn take_params(&self) -> Params {
        self.params.take()
    }
}

/// A set of parameters. A result that depends on these alone is equal under all settings that agree in them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Params(u64);

impl Params {
    /// Returns the bit of a parameter. All parameters from the 64th on share the last bit.
    fn bit(param: usize) -> u64 {
        1 << param.min(63)
    }

    /// Returns true if two settings have the same values of these parameters.
    pub(crate) fn agree(self, a: &[usize], b: &[usize]) -> bool {
        let differ = |(param, (a, b)): (usize, (&usize, &usize))| a != b && self.0 & Params::bit(param) != 0;
        !a.iter().zip(b).enumerate().any(differ)
    }
}

/// A result, with the clause that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) operand: Operand,
    pub(crate) clause: ClauseId,
}

/// The reason for which there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The file refuses.
    Refused(ClauseId),
    /// No clause matches.
    Undecided,
    /// Two or more dtypes are minimal.
    NotUnique(ClauseId, Search, Vec<DTypeId>),
    /// No dtype holds the operands, and the clause gives no reason.
    NoneHolds(ClauseId, Search),
}

/// The form in which a clause names the least dtype that holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Search {
    /// `join`, among all dtypes.
    Join,
    /// `set above ..`, among those of a set.
    Above,
}

/// The dtypes of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpOutcome {
    /// The dtype to which the operands are converted.
    pub(crate) common: DTypeId,
    /// The dtype in which the op computes.
    pub(crate) compute: DTypeId,
    /// The output.
    pub(crate) output: Operand,
}

/// The operands that a clause can name.
#[derive(Clone, Copy, Default)]
struct Env {
    a: Option<Operand>,
    b: Option<Operand>,
    common: Option<Operand>,
    result: Option<Operand>,
    /// The least dtype that holds the value of `b`, if the value is known.
    value: Option<DTypeId>,
}

impl Env {
    fn get(self, var: Var) -> Option<Operand> {
        match var {
            Var::A => self.a,
            Var::B => self.b,
            Var::Common => self.common,
            Var::Result => self.result,
        }
    }

    /// Returns the category of a result whose clause does not say one: weak if all operands are.
    fn category(self) -> Category {
        let mut operands = [self.a, self.b].into_iter().flatten();
        let weak = self.a.is_some() && operands.all(|o| o.category == Category::Weak);
        if weak { Category::Weak } else { Category::Array }
    }
}

type Found = Result<Decided, Stop>;

impl Eval<'_> {
    /// Promotes two operands of one category, in either order.
    pub(crate) fn promote(&self, a: Operand, b: Operand) -> Found {
        for clause in &self.rules.promote {
            if let Some(env) = self.matches_either(clause, a, b) {
                return self.decide(clause, &clause.result, env);
            }
        }
        Err(Stop::Undecided)
    }

    /// Promotes two operands of any categories; `value` is the least dtype that holds the value of the
    /// operand of the lower category.
    pub(crate) fn across(&self, a: Operand, b: Operand, value: Option<DTypeId>) -> Found {
        let (rank_a, rank_b) = (self.rules.rank(a.category), self.rules.rank(b.category));
        if rank_a == rank_b {
            let found = self.promote(a, b).and_then(|found| self.check(a, b, found))?;
            return Ok(self.settle(found, a, b));
        }
        let (high, low) = if rank_a < rank_b { (a, b) } else { (b, a) };
        for clause in &self.rules.yields {
            if let Some(env) = self.matches(clause, high, low) {
                let env = Env { value, ..env };
                let found = self
                    .decide(clause, &clause.result, env)
                    .and_then(|found| self.check(high, low, found))?;
                return Ok(self.settle(found, high, low));
            }
        }
        Err(Stop::Undecided)
    }

    /// Applies the clauses of `check`, which see the operands in either order, to the result of promotion.
    fn check(&self, a: Operand, b: Operand, found: Decided) -> Found {
        for clause in &self.rules.check {
            for (x, y) in [(a, b), (b, a)] {
                let result = Some(found.operand);
                if let Some(env) =
                    self.matches_env(clause, Env { a: Some(x), b: Some(y), result, ..Env::default() })
                {
                    return self.decide(clause, &clause.result, env);
                }
            }
        }
        Ok(found)
    }

    /// Returns the dtype that an array of a dtype gets when it is made, and the clause that decides it.
    pub(crate) fn stored(&self, a: Operand) -> Result<(DTypeId, Option<ClauseId>), Stop> {
        let env = Env { a: Some(a), ..Env::default() };
        for clause in &self.rules.stored {
            if Self::matches_one(clause, a) && self.guard(clause.guard.as_ref(), env) {
                self.hits.mark(clause.id);
                return Ok((self.output(&clause.result, env, clause.id)?.dtype, Some(clause.id)));
            }
        }
        Ok((a.dtype, None))
    }

    /// Gives a result that is not weak the category of the higher operand.
    fn settle(&self, mut found: Decided, a: Operand, b: Operand) -> Decided {
        if found.operand.category != Category::Weak {
            found.operand.category = self.rules.higher(a.category, b.category);
        }
        found
    }

    /// Returns the dtype of a number that stands alone.
    pub(crate) fn number(&self, kind: NumberKind) -> Found {
        for clause in &self.rules.numbers {
            let env = Env::default();
            if clause.kinds.contains(&kind) && self.guard(clause.guard.as_ref(), env) {
                self.hits.mark(clause.id);
                let mut operand = self.output(&clause.result, env, clause.id)?;
                if !matches!(clause.result, Output::Strength(..)) {
                    operand.category = Category::Number;
                }
                return Ok(Decided { operand, clause: clause.id });
            }
        }
        Err(Stop::Undecided)
    }

    /// Returns the dtype in which the ops of a dtype compute.
    pub(crate) fn opmath(&self, c: Operand) -> Result<DTypeId, Stop> {
        let env = Env { a: Some(c), common: Some(c), ..Env::default() };
        for clause in &self.rules.opmath {
            if Self::matches_one(clause, c) && self.guard(clause.guard.as_ref(), env) {
                self.hits.mark(clause.id);
                return Ok(self.output(&clause.result, env, clause.id)?.dtype);
            }
        }
        Ok(c.dtype)
    }

    /// Returns the clause that decides a cast, if one does, and true if it refuses.
    pub(crate) fn cast(&self, block: &Block, from: DTypeId, to: DTypeId) -> Option<(ClauseId, bool)> {
        let array = |dtype| Operand { dtype, category: Category::Array };
        for clause in block {
            if self.matches(clause, array(from), array(to)).is_some() {
                self.hits.mark(clause.id);
                return Some((clause.id, matches!(clause.result, Output::Refuse(_))));
            }
        }
        None
    }

    /// Returns the clause of two patterns that decides the result of an op, if one does, and the result.
    ///
    /// `common` is what the operands promote to, if they do. An earlier clause of one pattern that matches it
    /// decides instead.
    pub(crate) fn op_pair(
        &self,
        op: &Op,
        a: Operand,
        b: Operand,
        common: Option<Operand>,
    ) -> Option<(ClauseId, Result<OpOutcome, Stop>)> {
        for clause in &op.block {
            let env = if clause.sees_operands() {
                let straight = self.matches_with(clause, a, b, common);
                if clause.ordered {
                    straight
                } else {
                    straight.or_else(|| self.matches_with(clause, b, a, common))
                }
            } else if common.is_none_or(|c| self.takes_common(clause, c)) {
                return None;
            } else {
                None
            };
            if let Some(env) = env {
                let result = self.op_result(op, clause, env);
                // A clause that names `common` decides nothing where promotion refuses: the refusal holds.
                let asks_common = common.is_none() && result == Err(Stop::Undecided);
                return (!asks_common).then_some((clause.id, result));
            }
        }
        None
    }

    /// Returns the result of an op for a common dtype, by its clauses of one pattern; the dtype itself where
    /// none matches.
    pub(crate) fn op_common(&self, op: &Op, c: Operand) -> (Option<ClauseId>, Result<OpOutcome, Stop>) {
        let env = Env { a: Some(c), common: Some(c), ..Env::default() };
        for clause in &op.block {
            if !clause.sees_operands() && self.takes_common(clause, c) {
                return (Some(clause.id), self.op_result(op, clause, env));
            }
        }
        (None, self.finish(op, None, c, env))
    }

    fn takes_common(&self, clause: &Clause, c: Operand) -> bool {
        let env = Env { a: Some(c), common: Some(c), ..Env::default() };
        Self::matches_one(clause, c) && self.guard(clause.guard.as_ref(), env)
    }

    fn op_result(&self, op: &Op, clause: &Clause, env: Env) -> Result<OpOutcome, Stop> {
        self.hits.mark(clause.id);
        let converted = self.output(&clause.result, env, clause.id)?;
        self.finish(op, Some(clause), converted, env)
    }

    /// Evaluates `in ..` and `-> ..`, in which `result` stands for `converted`, the dtype that the operands
    /// are converted to. `clause` is the clause of the op that decided, if one did.
    fn finish(
        &self,
        op: &Op,
        clause: Option<&Clause>,
        converted: Operand,
        env: Env,
    ) -> Result<OpOutcome, Stop> {
        let env = Env { result: Some(converted), ..env };
        let id = clause.map_or(usize::MAX, |clause| clause.id);
        let output = match clause.and_then(|clause| clause.output.as_ref()).or(op.output.as_ref()) {
            Some(output) => {
                let mut out = self.output(output, env, id)?;
                if !matches!(output, Output::Strength(..)) && converted.category == Category::Weak {
                    out.category = Category::Weak;
                }
                out
            }
            None => converted,
        };
        let compute = match clause.and_then(|clause| clause.compute.as_ref()) {
            Some(compute) => self.output(compute, env, id)?.dtype,
            None if self.rules.steps_in(op, converted.dtype) => converted.dtype,
            None => self.opmath(converted)?,
        };
        Ok(OpOutcome { common: converted.dtype, compute, output })
    }

    fn decide(&self, clause: &Clause, result: &Output, env: Env) -> Found {
        self.hits.mark(clause.id);
        Ok(Decided { operand: self.output(result, env, clause.id)?, clause: clause.id })
    }

    fn matches_either(&self, clause: &Clause, a: Operand, b: Operand) -> Option<Env> {
        self.matches(clause, a, b).or_else(|| self.matches(clause, b, a))
    }

    fn matches(&self, clause: &Clause, a: Operand, b: Operand) -> Option<Env> {
        self.matches_with(clause, a, b, None)
    }

    fn matches_with(&self, clause: &Clause, a: Operand, b: Operand, common: Option<Operand>) -> Option<Env> {
        self.matches_env(clause, Env { a: Some(a), b: Some(b), common, ..Env::default() })
    }

    fn matches_env(&self, clause: &Clause, env: Env) -> Option<Env> {
        let (a, b) = (env.a?, env.b?);
        let fits = match &clause.patterns {
            Patterns::Any => true,
            Patterns::Same(among) => a.dtype == b.dtype && among.contains(a.dtype),
            Patterns::One(_) => false,
            Patterns::Two(x, y) => x.takes(a) && y.takes(b),
        };
        (fits && self.guard(clause.guard.as_ref(), env)).then_some(env)
    }

    fn matches_one(clause: &Clause, c: Operand) -> bool {
        match &clause.patterns {
            Patterns::Any => true,
            Patterns::One(pattern) => pattern.takes(c),
            Patterns::Same(_) | Patterns::Two(..) => false,
        }
    }
}
