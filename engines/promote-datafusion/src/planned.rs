//! Operators in a plan of SQL that is not analysed yet.

use std::hash::Hash;
use std::sync::{Arc, PoisonError};

use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DFSchema, DataFusionError, Result};
use datafusion_expr::binary::BinaryTypeCoercer;
use datafusion_expr::expr::ScalarFunction;
use datafusion_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion_expr::sqlparser::ast::BinaryOperator;
use datafusion_expr::{
    ColumnarValue, Expr, ExprSchemable, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};
use promote::{Number, Operand};

use crate::decide::{number, operand};
use crate::kernel::downcast;
use crate::options::{Choice, Shared};
use crate::rewrite::{Rewriter, binary, has_dtype, type_of};

/// An operator as a function, until the plan is analysed.
///
/// DataFusion computes the types of a plan of SQL while it builds it, and refuses operators on some types
/// then. This function has the type that the rule set gives, so that plans have the right types from the
/// start and DataFusion does not refuse what the rule set allows. The analyzer replaces it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Planned {
    operator: Operator,
    /// Which operands are numbers without a width.
    weak: [bool; 2],
    /// The choice of the session when the plan was made. The analyzer has the choice that counts.
    choice: Choice,
    signature: Signature,
}

impl Planned {
    /// Returns the operator and its operands, if a call is a planned operator.
    pub(crate) fn of(function: &ScalarFunction) -> Option<(&Expr, Operator, &Expr)> {
        let planned: &Planned = downcast(&function.func)?;
        match function.args.as_slice() {
            [left, right] => Some((left, planned.operator, right)),
            _ => None,
        }
    }

    /// Plans an operator.
    pub(crate) fn call(choice: Choice, left: Expr, operator: Operator, right: Expr, weak: [bool; 2]) -> Expr {
        let signature = Signature::user_defined(Volatility::Immutable);
        ScalarUDF::from(Planned { operator, weak, choice, signature }).call(vec![left, right])
    }
}

impl ScalarUDFImpl for Planned {
    fn name(&self) -> &'static str {
        "promote_planned"
    }

    /// Returns the name that DataFusion gives the operator, which names the column.
    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        let [left, right] = args else { return Err(not_analysed()) };
        Ok(binary(left.clone(), self.operator, right.clone()).schema_name().to_string())
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(arg_types.to_vec())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Err(not_analysed())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let [a, b] = args.arg_fields else { return Err(not_analysed()) };
        let operand = |position: usize| {
            let data_type = args.arg_fields[position].data_type();
            if !self.weak[position] {
                return operand(data_type);
            }
            let value = args.scalar_arguments.get(position).copied().flatten().and_then(number);
            // The value of an operator on literals is not known here. Any value has its kind.
            let any = match data_type {
                DataType::Boolean => Number::Bool(true),
                DataType::Float64 => Number::Float(1.0),
                _ => Number::Int(1),
            };
            Some(Operand::Number(value.unwrap_or(any)))
        };
        let ours = match (&self.choice.rules, operand(0), operand(1)) {
            (Some(rules), Some(a), Some(b)) => type_of(rules, self.operator, [a, b])?,
            _ => None,
        };
        let output = match ours {
            Some(output) => output,
            None => BinaryTypeCoercer::new(a.data_type(), &self.operator, b.data_type()).get_result_type()?,
        };
        Ok(Arc::new(Field::new(self.name(), output, a.is_nullable() || b.is_nullable())))
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Err(not_analysed())
    }
}

fn not_analysed() -> DataFusionError {
    DataFusionError::Plan(
        "an operator was planned by the rules of `promote.rules`, and the plan was not analysed by them; help: \
         build the session with the analyzer rules of `promote_datafusion::Session::analyzer_rules`"
            .to_owned(),
    )
}

/// Plans operators of SQL.
#[derive(Debug)]
pub(crate) struct Planner {
    pub(crate) shared: Shared,
}

impl Planner {
    /// Plans an operator as a function if DataFusion would refuse it, or give it another type.
    pub(crate) fn plan(
        &self,
        left: &Expr,
        operator: Operator,
        right: &Expr,
        types: &dyn Fn(&Expr) -> Result<DataType>,
    ) -> Option<Expr> {
        let choice = self.shared.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (a, b) = (types(left).ok()?, types(right).ok()?);
        if !has_dtype(&a) || !has_dtype(&b) {
            return None;
        }
        let engine = BinaryTypeCoercer::new(&a, &operator, &b).get_result_type().ok();
        let (mut weak, mut ours) = ([false; 2], None);
        if let Some(rules) = &choice.rules {
            let rewriter = Rewriter { rules, mode: choice.mode, is_condition: false, types };
            weak = [left, right].map(|expr| rewriter.number(expr).is_some());
            // A refusal is reported when the plan is analysed, or by the type of the function.
            ours = rewriter.planned_type(left, operator, right).ok().flatten();
        }
        let is_ours = engine.is_none() || ours.is_some_and(|ours| engine != Some(ours));
        is_ours.then(|| Planned::call(choice, left.clone(), operator, right.clone(), weak))
    }
}

impl ExprPlanner for Planner {
    fn plan_binary_op(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let planned = operator_of(&expr.op)
            .and_then(|operator| self.plan(&expr.left, operator, &expr.right, &|expr| expr.get_type(schema)));
        Ok(match planned {
            Some(planned) => PlannerResult::Planned(planned),
            None => PlannerResult::Original(expr),
        })
    }
}

/// Returns the operator of expressions that an operator of the parser stands for, if rule sets may decide it.
fn operator_of(operator: &BinaryOperator) -> Option<Operator> {
    Some(match operator {
        BinaryOperator::Plus => Operator::Plus,
        BinaryOperator::Minus => Operator::Minus,
        BinaryOperator::Multiply => Operator::Multiply,
        BinaryOperator::Divide => Operator::Divide,
        BinaryOperator::Modulo => Operator::Modulo,
        BinaryOperator::Eq => Operator::Eq,
        BinaryOperator::NotEq => Operator::NotEq,
        BinaryOperator::Lt => Operator::Lt,
        BinaryOperator::LtEq => Operator::LtEq,
        BinaryOperator::Gt => Operator::Gt,
        BinaryOperator::GtEq => Operator::GtEq,
        BinaryOperator::Spaceship => Operator::IsNotDistinctFrom,
        BinaryOperator::BitwiseAnd => Operator::BitwiseAnd,
        BinaryOperator::BitwiseOr => Operator::BitwiseOr,
        BinaryOperator::Xor | BinaryOperator::BitwiseXor | BinaryOperator::PGBitwiseXor => {
            Operator::BitwiseXor
        }
        BinaryOperator::PGBitwiseShiftLeft => Operator::BitwiseShiftLeft,
        BinaryOperator::PGBitwiseShiftRight => Operator::BitwiseShiftRight,
        _ => return None,
    })
}
