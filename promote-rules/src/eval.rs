//! Which clause decides, and what it gives: the meaning of the language.

use std::cell::Cell;

use crate::model::{
    Block, Category, Clause, ClauseId, DTypeId, DTypeSet, Format, Guard, Int, NumberKind, Op, Operand, Output, Patterns, Rules, Term,
    Value, Var,
};

/// A rule set under one choice of its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    pub(crate) rules: &'a Rules,
    /// The position of each parameter's value.
    pub(crate) setting: &'a [usize],
    /// Which clauses decided something.
    pub(crate) hits: &'a Hits,
}

/// Which clauses decided something.
pub(crate) struct Hits(Vec<Cell<bool>>);

impl Hits {
    pub(crate) fn none(rules: &Rules) -> Hits {
        Hits(vec![Cell::new(false); rules.clauses.len()])
    }

    fn mark(&self, clause: ClauseId) {
        self.0[clause].set(true);
    }

    pub(crate) fn contains(&self, clause: ClauseId) -> bool {
        self.0[clause].get()
    }
}

/// A result, and the clause that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) operand: Operand,
    pub(crate) clause: ClauseId,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The file refuses.
    Refused(ClauseId),
    /// No clause matches.
    Undecided,
    /// Two or more dtypes are minimal.
    NotUnique(ClauseId, Vec<DTypeId>),
    /// No dtype holds the operands, and the clause says no reason.
    NoneHolds(ClauseId),
}

/// The operands that the names in a clause stand for.
#[derive(Clone, Copy, Default)]
struct Env {
    a: Option<Operand>,
    b: Option<Operand>,
    c: Option<Operand>,
}

impl Env {
    fn get(&self, var: Var) -> Option<Operand> {
        match var {
            Var::A => self.a,
            Var::B => self.b,
            Var::C => self.c,
        }
    }

    /// What weakness the result has where the clause does not say: that of all operands together.
    fn category(&self) -> Category {
        let mut operands = [self.a, self.b].into_iter().flatten();
        let weak = self.a.is_some() && operands.all(|o| o.category == Category::Weak);
        if weak { Category::Weak } else { Category::Array }
    }
}

type Found = Result<Decided, Stop>;

impl<'a> Eval<'a> {
    /// Two operands of one category, in either order.
    pub(crate) fn promote(&self, a: Operand, b: Operand) -> Found {
        for clause in &self.rules.promote {
            if let Some(env) = self.matches_either(clause, a, b) {
                return self.decide(clause, &clause.result, env);
            }
        }
        Err(Stop::Undecided)
    }

    /// Two operands of any categories.
    pub(crate) fn across(&self, a: Operand, b: Operand) -> Found {
        let (rank_a, rank_b) = (self.rules.rank(a.category), self.rules.rank(b.category));
        if rank_a == rank_b {
            return self.promote(a, b).map(|found| self.settle(found, a.category.min(b.category)));
        }
        let (high, low) = if rank_a < rank_b { (a, b) } else { (b, a) };
        for clause in &self.rules.yields {
            if let Some(env) = self.matches(clause, high, low) {
                return self.decide(clause, &clause.result, env).map(|found| self.settle(found, high.category));
            }
        }
        Err(Stop::Undecided)
    }

    /// A result is weak, or else of the higher operand's category.
    fn settle(&self, mut found: Decided, higher: Category) -> Decided {
        if found.operand.category != Category::Weak {
            found.operand.category = if higher == Category::Weak { Category::Array } else { higher };
        }
        found
    }

    /// What a Python number is when it stands alone.
    pub(crate) fn number(&self, kind: NumberKind) -> Found {
        for clause in &self.rules.numbers {
            let env = Env::default();
            if clause.kinds.contains(&kind) && self.guard(clause.guard.as_ref(), &env) {
                self.hits.mark(clause.id);
                let mut operand = self.output(&clause.result, &env, clause.id)?;
                if !matches!(clause.result, Output::Strength(..)) {
                    operand.category = Category::Number;
                }
                return Ok(Decided { operand, clause: clause.id });
            }
        }
        Err(Stop::Undecided)
    }

    /// The dtype in which the ops of a dtype compute.
    pub(crate) fn opmath(&self, c: Operand) -> Result<DTypeId, Stop> {
        let env = Env { a: Some(c), c: Some(c), ..Env::default() };
        for clause in &self.rules.opmath {
            if self.matches_one(clause, c) && self.guard(clause.guard.as_ref(), &env) {
                self.hits.mark(clause.id);
                return Ok(self.output(&clause.result, &env, clause.id)?.dtype);
            }
        }
        Ok(c.dtype)
    }

    /// The clause of an op that decides over two operands before promotion, if one does.
    ///
    /// `common` is what the two promote to, if they do; a clause of one pattern that stands first decides over that.
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
                if op.ordered { straight } else { straight.or_else(|| self.matches_with(clause, b, a, common)) }
            } else if common.is_none_or(|c| self.takes_common(clause, c)) {
                return None;
            } else {
                None
            };
            if let Some(env) = env {
                return Some((clause.id, self.op_result(clause, op.output.as_ref(), &env)));
            }
        }
        None
    }

    /// What an op makes of the common dtype, by its clauses of one pattern; the dtype itself where none matches.
    pub(crate) fn op_common(&self, op: &Op, c: Operand) -> (Option<ClauseId>, Result<OpOutcome, Stop>) {
        let env = Env { a: Some(c), b: None, c: Some(c) };
        for clause in &op.block {
            if !clause.sees_operands() && self.takes_common(clause, c) {
                return (Some(clause.id), self.op_result(clause, op.output.as_ref(), &env));
            }
        }
        let outcome = self.finish(c, op.output.as_ref(), &env, usize::MAX);
        (None, outcome)
    }

    fn takes_common(&self, clause: &Clause, c: Operand) -> bool {
        let env = Env { a: Some(c), b: None, c: Some(c) };
        self.matches_one(clause, c) && self.guard(clause.guard.as_ref(), &env)
    }

    fn op_result(&self, clause: &Clause, output: Option<&Output>, env: &Env) -> Result<OpOutcome, Stop> {
        self.hits.mark(clause.id);
        let computed = self.output(&clause.result, env, clause.id)?;
        self.finish(computed, clause.output.as_ref().or(output), env, clause.id)
    }

    /// The dtype in which the op computes, and what comes out.
    fn finish(&self, computed: Operand, output: Option<&Output>, env: &Env, clause: ClauseId) -> Result<OpOutcome, Stop> {
        let out = match output {
            Some(output) => {
                let env = Env { c: Some(computed), ..*env };
                let mut out = self.output(output, &env, clause)?;
                if !matches!(output, Output::Strength(..)) && computed.category == Category::Weak {
                    out.category = Category::Weak;
                }
                out
            }
            None => computed,
        };
        let compute = self.opmath(computed)?;
        Ok(OpOutcome { common: computed.dtype, compute, output: out })
    }

    fn decide(&self, clause: &Clause, result: &Output, env: Env) -> Found {
        self.hits.mark(clause.id);
        Ok(Decided { operand: self.output(result, &env, clause.id)?, clause: clause.id })
    }

    fn matches_either(&self, clause: &Clause, a: Operand, b: Operand) -> Option<Env> {
        self.matches(clause, a, b).or_else(|| self.matches(clause, b, a))
    }

    /// Whether a clause matches two operands in this order, its guard included.
    pub(crate) fn matches_ordered(&self, clause: &Clause, a: Operand, b: Operand) -> bool {
        self.matches(clause, a, b).is_some()
    }

    /// What a clause gives for two operands in this order.
    pub(crate) fn give(&self, clause: &Clause, a: Operand, b: Operand) -> Found {
        self.decide(clause, &clause.result, Env { a: Some(a), b: Some(b), c: None })
    }

    fn matches(&self, clause: &Clause, a: Operand, b: Operand) -> Option<Env> {
        self.matches_with(clause, a, b, None)
    }

    fn matches_with(&self, clause: &Clause, a: Operand, b: Operand, c: Option<Operand>) -> Option<Env> {
        let fits = match &clause.patterns {
            Patterns::Any => true,
            Patterns::Same => a.dtype == b.dtype,
            Patterns::One(_) => false,
            Patterns::Two(x, y) => x.takes(a) && y.takes(b),
        };
        let env = Env { a: Some(a), b: Some(b), c };
        (fits && self.guard(clause.guard.as_ref(), &env)).then_some(env)
    }

    fn matches_one(&self, clause: &Clause, c: Operand) -> bool {
        match &clause.patterns {
            Patterns::Any => true,
            Patterns::One(pattern) => pattern.takes(c),
            Patterns::Same | Patterns::Two(..) => false,
        }
    }

    fn guard(&self, guard: Option<&Guard>, env: &Env) -> bool {
        let Some(guard) = guard else { return true };
        match guard {
            Guard::Not(inner) => !self.guard(Some(inner), env),
            Guard::And(a, b) => self.guard(Some(a), env) && self.guard(Some(b), env),
            Guard::Or(a, b) => self.guard(Some(a), env) || self.guard(Some(b), env),
            Guard::Param(param) => *self.value(*param) == Value::Bool(true),
            Guard::ParamIs(param, value) => self.setting[*param] == *value,
            Guard::SameDType(a, b) => self.term(a, env).is_some_and(|a| Some(a) == self.term(b, env)),
            Guard::Less(a, b) => self.int(a, env).zip(self.int(b, env)).is_some_and(|(a, b)| a < b),
            Guard::SameInt(a, b) => self.int(a, env).zip(self.int(b, env)).is_some_and(|(a, b)| a == b),
            Guard::In(a, set) => self.term(a, env).is_some_and(|a| set.contains(a)),
            Guard::Holds(a, b) => self.term(a, env).zip(self.term(b, env)).is_some_and(|(a, b)| self.holds(a, b)),
        }
    }

    fn value(&self, param: usize) -> &'a Value {
        &self.rules.params[param].values[self.setting[param]]
    }

    fn term(&self, term: &Term, env: &Env) -> Option<DTypeId> {
        match term {
            Term::Var(var) => env.get(*var).map(|operand| operand.dtype),
            Term::Const(id) => Some(*id),
            Term::Param(param) => match self.value(*param) {
                Value::DType(id) => Some(*id),
                Value::Bool(_) | Value::Word(_) => None,
            },
            Term::Promote(a, b) => {
                let array = |term| Some(Operand { dtype: self.term(term, env)?, category: Category::Array });
                self.promote(array(a)?, array(b)?).ok().map(|found| found.operand.dtype)
            }
        }
    }

    fn int(&self, int: &Int, env: &Env) -> Option<i64> {
        let dtype = |term| self.term(term, env).map(|id| &self.rules.dtypes[id.index()]);
        match int {
            Int::Kind(term) => dtype(term).map(|d| d.kind as i64),
            Int::Bits(term) => dtype(term).map(|d| i64::from(d.bits)),
            Int::Number(n) => Some(*n),
            Int::Times(a, b) => self.int(a, env)?.checked_mul(self.int(b, env)?),
        }
    }

    fn holds(&self, a: DTypeId, b: DTypeId) -> bool {
        self.rules.holds[a.index()].contains(b)
    }

    fn output(&self, output: &Output, env: &Env, clause: ClauseId) -> Result<Operand, Stop> {
        let made = |dtype| Operand { dtype, category: env.category() };
        match output {
            Output::Refuse(_) => Err(Stop::Refused(clause)),
            Output::Strength(category, inner) => {
                Ok(Operand { dtype: self.output(inner, env, clause)?.dtype, category: *category })
            }
            Output::Var(var) => env.get(*var).ok_or(Stop::Undecided),
            Output::Const(id) => Ok(made(*id)),
            Output::Param(param) => match self.value(*param) {
                Value::DType(id) => Ok(made(*id)),
                Value::Bool(_) | Value::Word(_) => Err(Stop::Undecided),
            },
            Output::Promote(a, b) => {
                let (a, b) = (self.output(a, env, clause)?, self.output(b, env, clause)?);
                self.promote(a, b).map(|found| found.operand)
            }
            Output::Real(inner) => {
                let operand = self.output(inner, env, clause)?;
                Ok(Operand { dtype: self.part(operand.dtype), ..operand })
            }
            Output::Default(kind) => self.number(*kind).map(|found| made(found.operand.dtype)),
            Output::Least { among, holding, or_refuse, scope } => {
                let mut held = Vec::with_capacity(2);
                if holding.is_empty() {
                    held.extend([env.a, env.b].into_iter().flatten().map(|o| o.dtype));
                }
                for one in holding {
                    held.push(self.output(one, env, clause)?.dtype);
                }
                let candidates = match among {
                    Some(among) => {
                        among.vars.iter().filter_map(|v| env.get(*v)).map(|o| o.dtype).collect::<DTypeSet>().or(among.set)
                    }
                    None => self.rules.all(),
                };
                let in_scope = scope.or(held.iter().copied().collect());
                match self.least(candidates.and(in_scope), &held) {
                    Ok(found) => Ok(made(found)),
                    Err(minimal) if !minimal.is_empty() => Err(Stop::NotUnique(clause, minimal)),
                    Err(_) if or_refuse.is_some() => Err(Stop::Refused(clause)),
                    Err(_) => Err(Stop::NoneHolds(clause)),
                }
            }
        }
    }

    /// The dtype of a complex dtype's parts, if the rule set has it.
    fn part(&self, dtype: DTypeId) -> DTypeId {
        match self.rules.dtypes[dtype.index()].format {
            Some(Format::Complex { part }) => self.rules.dtype(part).unwrap_or(dtype),
            _ => dtype,
        }
    }

    /// The least dtype of the lowest kind that holds all of these; the minimal ones where it is not unique.
    fn least(&self, among: DTypeSet, held: &[DTypeId]) -> Result<DTypeId, Vec<DTypeId>> {
        let fits: DTypeSet = among.iter().filter(|d| held.iter().all(|h| self.holds(*d, *h))).collect();
        let kind = |id: DTypeId| self.rules.dtypes[id.index()].kind;
        let lowest = held.iter().map(|h| kind(*h)).max().unwrap_or(0);
        let Some(kind_found) = fits.iter().map(kind).filter(|k| *k >= lowest).min() else { return Err(Vec::new()) };
        let candidates = fits.and(self.rules.of_kind(kind_found));
        let beaten = |d: DTypeId| candidates.iter().any(|e| e != d && self.holds(d, e) && !self.holds(e, d));
        let minimal: Vec<DTypeId> = candidates.iter().filter(|d| !beaten(*d)).collect();
        match minimal[..] {
            [one] => Ok(one),
            _ => Err(minimal),
        }
    }

    /// Whether a block can give different results under different settings.
    pub(crate) fn depends_on_setting(rules: &Rules, block: &Block) -> bool {
        block.iter().any(|clause| {
            clause.guard.as_ref().is_some_and(|g| guard_asks(rules, g))
                || output_asks(rules, &clause.result)
                || clause.output.as_ref().is_some_and(|o| output_asks(rules, o))
        })
    }
}

/// What an op does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpOutcome {
    /// The dtype to which the operands are converted.
    pub(crate) common: DTypeId,
    /// The dtype in which the op computes.
    pub(crate) compute: DTypeId,
    /// What comes out.
    pub(crate) output: Operand,
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
        Term::Promote(a, b) => term_asks(rules, a) || term_asks(rules, b) || Eval::depends_on_setting(rules, &rules.promote),
    }
}

fn output_asks(rules: &Rules, output: &Output) -> bool {
    match output {
        Output::Refuse(_) | Output::Var(_) | Output::Const(_) => false,
        Output::Param(_) | Output::Default(_) => true,
        Output::Strength(_, inner) | Output::Real(inner) => output_asks(rules, inner),
        Output::Promote(a, b) => {
            output_asks(rules, a) || output_asks(rules, b) || Eval::depends_on_setting(rules, &rules.promote)
        }
        Output::Least { holding, .. } => holding.iter().any(|h| output_asks(rules, h)),
    }
}
