//! Evaluates conditions and results.

use super::{Env, Eval, Search, Stop};
use crate::model::{
    Category, ClauseId, DTypeId, DTypeSet, Guard, Int, Operand, Output, StandardDType, Term, Value, Var,
};

impl<'a> Eval<'a> {
    /// Returns true if the condition of a clause holds. A condition that asks about a dtype that does not
    /// exist (the promotion of a refused pair) is false, and so is its negation.
    pub(super) fn guard(&self, guard: Option<&Guard>, env: Env) -> bool {
        guard.is_none_or(|guard| self.holds_true(guard, env) == Some(true))
    }

    fn holds_true(&self, guard: &Guard, env: Env) -> Option<bool> {
        match guard {
            Guard::Not(inner) => self.holds_true(inner, env).map(|inner| !inner),
            // If one side decides, the other one need not exist.
            Guard::And(a, b) => match self.holds_true(a, env) {
                Some(false) => Some(false),
                a => match self.holds_true(b, env) {
                    Some(false) => Some(false),
                    b => Some(a? && b?),
                },
            },
            Guard::Or(a, b) => match self.holds_true(a, env) {
                Some(true) => Some(true),
                a => match self.holds_true(b, env) {
                    Some(true) => Some(true),
                    b => Some(a? || b?),
                },
            },
            Guard::Param(param) => Some(*self.value(*param) == Value::Bool(true)),
            Guard::ParamIs(param, value) => {
                self.hits.ask(*param);
                Some(self.setting[*param] == *value)
            }
            Guard::SameDType(a, b) => Some(self.term(a, env)? == self.term(b, env)?),
            Guard::Less(a, b) => Some(self.int(a, env)? < self.int(b, env)?),
            Guard::SameInt(a, b) => Some(self.int(a, env)? == self.int(b, env)?),
            Guard::In(a, set) => Some(set.contains(self.term(a, env)?)),
            Guard::Holds(a, b) => Some(self.holds(self.term(a, env)?, self.term(b, env)?)),
        }
    }

    fn value(&self, param: usize) -> &'a Value {
        self.hits.ask(param);
        &self.rules.params[param].values[self.setting[param]]
    }

    fn term(&self, term: &Term, env: Env) -> Option<DTypeId> {
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

    fn int(&self, int: &Int, env: Env) -> Option<i64> {
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

    pub(super) fn output(&self, output: &Output, env: Env, clause: ClauseId) -> Result<Operand, Stop> {
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
            Output::Value => {
                let low = env.b.ok_or(Stop::Undecided)?;
                Ok(Operand { dtype: env.value.unwrap_or(low.dtype), ..low })
            }
            Output::Default(kind) => self.number(*kind).map(|found| made(found.operand.dtype)),
            Output::FirstOf(order) => {
                let position = |var| {
                    let operand = env.get(var)?;
                    Some((order.iter().position(|id| *id == operand.dtype)?, operand))
                };
                let listed = [Var::A, Var::B].into_iter().filter_map(position);
                let first = listed.min_by_key(|(position, _)| *position);
                first.map(|(_, operand)| operand).ok_or(Stop::Undecided)
            }
            Output::Join { among, above, or_refuse, scope } => {
                let mut held = Vec::with_capacity(2);
                if above.is_empty() {
                    held.extend([env.a, env.b].into_iter().flatten().map(|o| o.dtype));
                }
                for one in above {
                    held.push(self.output(one, env, clause)?.dtype);
                }
                let candidates = match among {
                    Some(among) => among
                        .vars
                        .iter()
                        .filter_map(|v| env.get(*v))
                        .map(|o| o.dtype)
                        .collect::<DTypeSet>()
                        .or(among.set),
                    None => self.rules.all(),
                };
                let search = if among.is_some() { Search::Above } else { Search::Join };
                let in_scope = scope.or(held.iter().copied().collect());
                match self.least(candidates.and(in_scope), &held) {
                    Ok(found) => Ok(made(found)),
                    Err(minimal) if !minimal.is_empty() => Err(Stop::NotUnique(clause, search, minimal)),
                    Err(_) if or_refuse.is_some() => Err(Stop::Refused(clause)),
                    Err(_) => Err(Stop::NoneHolds(clause, search)),
                }
            }
        }
    }

    /// Returns the dtype of the parts of a complex dtype, if the rule set has it.
    fn part(&self, dtype: DTypeId) -> DTypeId {
        let part = self.rules.standard(dtype).and_then(StandardDType::real_dtype);
        part.and_then(|part| self.rules.dtype(part.name())).unwrap_or(dtype)
    }

    /// Returns the least dtype of the lowest kind that holds all of these, or the minimal ones if it is not
    /// unique.
    fn least(&self, among: DTypeSet, held: &[DTypeId]) -> Result<DTypeId, Vec<DTypeId>> {
        let fits: DTypeSet = among.iter().filter(|d| held.iter().all(|h| self.holds(*d, *h))).collect();
        let kind = |id: DTypeId| self.rules.dtypes[id.index()].kind;
        let lowest = held.iter().map(|h| kind(*h)).max().unwrap_or(0);
        let Some(kind_found) = fits.iter().map(kind).filter(|k| *k >= lowest).min() else {
            return Err(Vec::new());
        };
        let candidates = fits.and(self.rules.of_kind(kind_found));
        let beaten = |d: DTypeId| candidates.iter().any(|e| e != d && self.holds(d, e) && !self.holds(e, d));
        let minimal: Vec<DTypeId> = candidates.iter().filter(|d| !beaten(*d)).collect();
        match minimal[..] {
            [one] => Ok(one),
            _ => Err(minimal),
        }
    }
}
