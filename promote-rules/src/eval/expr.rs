//! The value of a condition, and of what a clause gives.

use super::{Env, Eval, Stop};
use crate::model::{Category, ClauseId, DTypeId, DTypeSet, Format, Guard, Int, Operand, Output, Term, Value};

impl<'a> Eval<'a> {
    pub(super) fn guard(&self, guard: Option<&Guard>, env: Env) -> bool {
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
            Guard::Holds(a, b) => {
                self.term(a, env).zip(self.term(b, env)).is_some_and(|(a, b)| self.holds(a, b))
            }
        }
    }

    fn value(&self, param: usize) -> &'a Value {
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
            Output::Least { among, holding, or_refuse, scope } => {
                let mut held = Vec::with_capacity(2);
                if holding.is_empty() {
                    held.extend([env.a, env.b].into_iter().flatten().map(|o| o.dtype));
                }
                for one in holding {
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
