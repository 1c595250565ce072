//! Rewrites expressions by the rules of a session.

use std::collections::HashSet;

use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{DataFusionError, Result, TableReference};
use datafusion_expr::expr::{Between, BinaryExpr, Case, InList, ScalarFunction};
use datafusion_expr::{Expr, Operator, cast, lit, not};
use promote::{Kind, Number, Op, Operand};
use promote_arrow::dtype_of;

use crate::decide::{
    Decision, decide, engine_output, fold, is_distinct, join, literal, literal_of, number, operand,
};
use crate::kernel::kernel;
use crate::options::Mode;
use crate::planned::Planned;
use crate::rules::Rules;

/// The beginning of an alias that names the clauses which decided; see [`Rewriter::explained`].
const NOTE: &str = "promote: ";

/// The functions whose arguments and result have one type, to which all arguments are cast.
const JOINING: [&str; 4] = ["coalesce", "greatest", "least", "nvl"];

/// Rewrites expressions by a rule set. `types` returns the type of an expression.
pub(crate) struct Rewriter<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) mode: Mode,
    /// True if the expressions filter or join rows.
    pub(crate) is_condition: bool,
    pub(crate) types: &'a dyn Fn(&Expr) -> Result<DataType>,
}

impl Rewriter<'_> {
    /// Rewrites an expression whose parts were rewritten; `None` if it stays as it is.
    pub(crate) fn rewrite(&self, expr: &Expr) -> Result<Option<Expr>> {
        match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => self.binary(left, *op, right),
            Expr::ScalarFunction(function) => match Planned::of(function) {
                Some((left, op, right)) => {
                    let plain = || binary(left.clone(), op, right.clone());
                    Ok(Some(self.binary(left, op, right)?.unwrap_or_else(plain)))
                }
                None => self.joining_function(function),
            },
            Expr::Case(case) => self.case(case),
            Expr::Between(between) => self.between(between),
            Expr::InList(list) => self.in_list(list),
            _ => Ok(None),
        }
    }

    /// Returns the number that an expression is: a literal, or an operator on numbers.
    pub(crate) fn number(&self, expr: &Expr) -> Option<Number> {
        match expr {
            Expr::Literal(value, _) => number(value),
            Expr::Negative(inner) => match self.number(inner)? {
                Number::Int(x) => Some(Number::Int(-x)),
                Number::Float(x) => Some(Number::Float(-x)),
                _ => None,
            },
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
                fold(self.rules, *op, self.number(left)?, self.number(right)?)
            }
            Expr::ScalarFunction(function) => {
                let (left, op, right) = Planned::of(function)?;
                fold(self.rules, op, self.number(left)?, self.number(right)?)
            }
            _ => None,
        }
    }

    /// Returns the operand that an expression is; `None` if it has a type without a dtype.
    pub(crate) fn operand(&self, expr: &Expr) -> Option<Operand> {
        match self.number(expr) {
            Some(number) => Some(Operand::Number(number)),
            None => operand(&(self.types)(expr).ok()?),
        }
    }

    fn binary(&self, left: &Expr, operator: Operator, right: &Expr) -> Result<Option<Expr>> {
        let (Some(a), Some(b)) = (self.operand(left), self.operand(right)) else { return Ok(None) };
        if let (Operand::Number(a), Operand::Number(b)) = (a, b)
            && let Some(result) = fold(self.rules, operator, a, b)
        {
            return Ok(literal(result).map(lit));
        }
        let shown = || binary(left.clone(), operator, right.clone());
        let decision = decide(self.rules, operator, [a, b]).map_err(|error| named(&error, &shown()))?;
        let Some(decision) = decision else { return Ok(None) };
        let Decision { op, common, output, has_kernel, is_computed_in_common } = decision;
        let fits = both_fit([a, b], &common);
        if !fits && is_distinct(operator) {
            // A cast may fail, and no kernel compares nulls.
            return Ok(None);
        }
        let engine = engine_output(operator, &common);
        let is_cast = |operand| matches!(operand, Operand::Array(from) if dtype_of(&common) != Ok(from));
        let gains_nothing = engine.as_ref() == Some(&output)
            && ![a, b].into_iter().any(is_cast)
            && is_computed_in_common
            && has_equal_values(op, &common);
        let is_kernel = has_kernel
            && !is_distinct(operator)
            && (engine.is_none()
                || differs(op)
                || !fits
                || (self.mode == Mode::Kernels
                    && !gains_nothing
                    && !(self.is_condition && relates_tables(left, right))));
        let expr = match engine {
            Some(engine) if !is_kernel => {
                let expr = binary(self.cast(left, &common)?, operator, self.cast(right, &common)?);
                if engine == output { expr } else { cast(expr, output) }
            }
            None if !is_kernel => {
                let error = format!(
                    "neither DataFusion nor this build computes `{op}` of {common}; help: cast an operand, such as \
                     `CAST(x AS BIGINT)`"
                );
                return Err(named(&DataFusionError::Plan(error), &shown()));
            }
            _ => {
                let weak = [a, b].map(|operand| matches!(operand, Operand::Number(_)));
                let argument = |expr: &Expr, operand| match operand {
                    Operand::Number(number) => literal(number).map_or_else(|| expr.clone(), lit),
                    _ => expr.clone(),
                };
                kernel(self.rules, op, weak).call(vec![argument(left, a), argument(right, b)])
            }
        };
        Ok(Some(self.explained(expr, Some(op), &[a, b])))
    }

    /// Gives an expression an alias that names the clauses which decided. `EXPLAIN VERBOSE` shows it in the
    /// plan after the rule `promote_rules`; the next rule removes it.
    fn explained(&self, expr: Expr, op: Option<Op>, operands: &[Operand]) -> Expr {
        let Ok(explanation) = self.rules.set().explain(op, operands) else { return expr };
        let clauses: Vec<String> = explanation
            .clauses()
            .map(|clause| format!("`{}` ({}:{})", clause.text, clause.file, clause.line))
            .collect();
        let op = op.map_or_else(String::new, |op| format!(" {op}"));
        let clauses = if clauses.is_empty() { String::new() } else { format!(": {}", clauses.join(", ")) };
        expr.alias(format!("{NOTE}{}{op}{clauses}", self.rules.name()))
    }

    /// Casts an expression to a type, unless it has it.
    fn cast(&self, expr: &Expr, to: &DataType) -> Result<Expr> {
        if let Some(number) = self.number(expr)
            && let Some(value) = literal_of(self.rules, number, to)
        {
            return Ok(lit(value));
        }
        Ok(if (self.types)(expr)? == *to { expr.clone() } else { cast(expr.clone(), to.clone()) })
    }

    /// Returns the type that expressions of one result promote to; `None` if it is DataFusion's to decide.
    /// Nulls without a type do not count.
    fn joined(&self, exprs: &[&Expr], shown: &Expr) -> Result<Option<(DataType, Vec<Operand>)>> {
        let mut operands = Vec::new();
        for expr in exprs {
            match self.operand(expr) {
                Some(operand) => operands.push(operand),
                None if (self.types)(expr)?.is_null() => {}
                None => return Ok(None),
            }
        }
        if !operands.iter().any(|operand| matches!(operand, Operand::Array(_))) {
            return Ok(None);
        }
        let joined = join(self.rules, &operands).map_err(|error| named(&error, shown))?;
        Ok(joined.map(|data_type| (data_type, operands)))
    }

    fn joining_function(&self, function: &ScalarFunction) -> Result<Option<Expr>> {
        if !JOINING.contains(&function.name()) {
            return Ok(None);
        }
        let shown = Expr::ScalarFunction(function.clone());
        let args: Vec<&Expr> = function.args.iter().collect();
        let Some((data_type, operands)) = self.joined(&args, &shown)? else { return Ok(None) };
        let args = args.into_iter().map(|arg| self.cast(arg, &data_type)).collect::<Result<_>>()?;
        let expr = Expr::ScalarFunction(ScalarFunction { func: function.func.clone(), args });
        Ok(Some(self.explained(expr, None, &operands)))
    }

    fn case(&self, case: &Case) -> Result<Option<Expr>> {
        let branches = case.when_then_expr.iter().map(|(_, then)| then).chain(&case.else_expr);
        let branches: Vec<&Expr> = branches.map(AsRef::as_ref).collect();
        let shown = Expr::Case(case.clone());
        let Some((data_type, operands)) = self.joined(&branches, &shown)? else { return Ok(None) };
        let mut case = case.clone();
        let branches = case.when_then_expr.iter_mut().map(|(_, then)| then).chain(&mut case.else_expr);
        for branch in branches {
            **branch = self.cast(branch, &data_type)?;
        }
        Ok(Some(self.explained(Expr::Case(case), None, &operands)))
    }

    /// Rewrites `x BETWEEN low AND high` as two comparisons, as DataFusion itself does later.
    fn between(&self, between: &Between) -> Result<Option<Expr>> {
        let Between { expr, negated, low, high } = between;
        let (low, high) = (self.binary(expr, Operator::GtEq, low)?, self.binary(expr, Operator::LtEq, high)?);
        let (Some(low), Some(high)) = (low, high) else { return Ok(None) };
        let both = low.and(high);
        Ok(Some(if *negated { not(both) } else { both }))
    }

    /// Rewrites `x IN (..)`: its items are cast if one type does for all of them, and otherwise compared one
    /// by one.
    fn in_list(&self, in_list: &InList) -> Result<Option<Expr>> {
        let InList { expr, list, negated } = in_list;
        let mut common = HashSet::new();
        let mut fits = true;
        for item in list {
            let (Some(a), Some(b)) = (self.operand(expr), self.operand(item)) else { return Ok(None) };
            let shown = || binary((**expr).clone(), Operator::Eq, item.clone());
            let decision =
                decide(self.rules, Operator::Eq, [a, b]).map_err(|error| named(&error, &shown()))?;
            let Some(decision) = decision else { return Ok(None) };
            fits &= both_fit([a, b], &decision.common);
            common.insert(decision.common);
        }
        if let (1, Some(data_type)) = (common.len(), common.iter().next())
            && fits
            && self.mode == Mode::Casts
        {
            let list = list.iter().map(|item| self.cast(item, data_type)).collect::<Result<_>>()?;
            let expr = Box::new(self.cast(expr, data_type)?);
            return Ok(Some(Expr::InList(InList { expr, list, negated: *negated })));
        }
        let mut any: Option<Expr> = None;
        for item in list {
            let Some(equal) = self.binary(expr, Operator::Eq, item)? else { return Ok(None) };
            any = Some(match any {
                Some(any) => any.or(equal),
                None => equal,
            });
        }
        Ok(any.map(|any| if *negated { not(any) } else { any }))
    }

    /// Casts the two sides of an equality that joins tables. If a cast may fail, they are left to DataFusion.
    pub(crate) fn join_keys(&self, left: &Expr, right: &Expr) -> Result<Option<(Expr, Expr)>> {
        let (Some(a), Some(b)) = (self.operand(left), self.operand(right)) else { return Ok(None) };
        let shown = || binary(left.clone(), Operator::Eq, right.clone());
        let decision = decide(self.rules, Operator::Eq, [a, b]).map_err(|error| named(&error, &shown()))?;
        let Some(Decision { common, .. }) = decision else { return Ok(None) };
        if !both_fit([a, b], &common) {
            return Ok(None);
        }
        Ok(Some((self.cast(left, &common)?, self.cast(right, &common)?)))
    }

    /// Returns the type that an operator has in a plan of SQL; `None` if it is DataFusion's to decide.
    pub(crate) fn planned_type(
        &self,
        left: &Expr,
        operator: Operator,
        right: &Expr,
    ) -> Result<Option<DataType>> {
        let (Some(a), Some(b)) = (self.operand(left), self.operand(right)) else { return Ok(None) };
        type_of(self.rules, operator, [a, b])
    }
}

/// Returns true for ops whose values differ from DataFusion's for ordinary operands: `%` of negative numbers
/// has another sign, and shifts by a negative count or by the width of the type have other values.
fn differs(op: Op) -> bool {
    matches!(op, Op::Remainder | Op::LeftShift | Op::RightShift)
}

/// Returns true if DataFusion's operator on two columns of a type has the values of the kernel, which
/// computes in that type. Comparisons of NaN differ.
fn has_equal_values(op: Op, data_type: &DataType) -> bool {
    use Op::{Add, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply, NotEqual, Subtract};
    let is_float = matches!(data_type, DataType::Float32 | DataType::Float64);
    match op {
        Add | Subtract | Multiply => is_float || data_type.is_integer(),
        Divide => is_float,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => data_type.is_integer(),
        _ => false,
    }
}

/// Returns true if a type holds every value that the operands may have. DataFusion's casts to integers fail
/// for other values, and rule sets wrap these or, in comparisons, use them as they are.
fn both_fit(operands: [Operand; 2], data_type: &DataType) -> bool {
    let Ok(to) = dtype_of(data_type) else { return true };
    let fits = |operand| match operand {
        Operand::Number(number @ Number::Int(_)) => number.fits(to),
        Operand::Array(from) => match (from.kind(), to.kind()) {
            (Kind::Bool, _) => true,
            (Kind::Unsigned, Kind::Signed) => from.bits() < to.bits(),
            (Kind::Unsigned, Kind::Unsigned) | (Kind::Signed, Kind::Signed) => from.bits() <= to.bits(),
            _ => false,
        },
        _ => true,
    };
    !matches!(to.kind(), Kind::Unsigned | Kind::Signed) || operands.into_iter().all(fits)
}

/// Returns the type of an operator's result; `None` if it is DataFusion's to decide.
pub(crate) fn type_of(rules: &Rules, operator: Operator, operands: [Operand; 2]) -> Result<Option<DataType>> {
    if let [Operand::Number(a), Operand::Number(b)] = operands
        && let Some(result) = fold(rules, operator, a, b).and_then(literal)
    {
        return Ok(Some(result.data_type()));
    }
    Ok(decide(rules, operator, operands)?.map(|decision| decision.output))
}

/// Returns the expression inside of an alias that names clauses.
pub(crate) fn without_note(expr: Expr) -> std::result::Result<Expr, Expr> {
    match expr {
        Expr::Alias(alias) if alias.name.starts_with(NOTE) => Ok(*alias.expr),
        other => Err(other),
    }
}

pub(crate) fn binary(left: Expr, op: Operator, right: Expr) -> Expr {
    Expr::BinaryExpr(BinaryExpr { left: Box::new(left), op, right: Box::new(right) })
}

/// Returns true if a type is one that rule sets know.
pub(crate) fn has_dtype(data_type: &DataType) -> bool {
    dtype_of(data_type).is_ok()
}

/// Returns true if a comparison relates columns of different tables. DataFusion joins tables and resolves
/// correlated subqueries by its own comparisons only.
fn relates_tables(left: &Expr, right: &Expr) -> bool {
    if left.contains_outer() || right.contains_outer() {
        return true;
    }
    let tables = |expr: &Expr| -> HashSet<Option<TableReference>> {
        expr.column_refs().into_iter().map(|column| column.relation.clone()).collect()
    };
    let (left, right) = (tables(left), tables(right));
    !left.is_empty() && !right.is_empty() && left != right
}

/// Puts the expression before the message of an error.
fn named(error: &DataFusionError, expr: &Expr) -> DataFusionError {
    match error {
        DataFusionError::Plan(text) => {
            let mut shown = expr.clone();
            if let Ok(plain) = without_notes(shown.clone()) {
                shown = plain;
            }
            DataFusionError::Plan(format!("`{}`: {text}", shown.human_display()))
        }
        other => DataFusionError::Plan(other.to_string()),
    }
}

/// Removes all aliases that name clauses.
pub(crate) fn without_notes(expr: Expr) -> Result<Expr> {
    use datafusion_common::tree_node::{Transformed, TransformedResult, TreeNode};
    expr.transform_up(|expr| {
        Ok(match without_note(expr) {
            Ok(inner) => Transformed::yes(inner),
            Err(expr) => Transformed::no(expr),
        })
    })
    .data()
}
