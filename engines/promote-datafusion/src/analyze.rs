//! Rewrites plans before DataFusion coerces types.

use std::sync::Arc;

use datafusion_common::config::ConfigOptions;
use datafusion_common::tree_node::{Transformed, TreeNode};
use datafusion_common::{DFSchema, Result};
use datafusion_expr::expr_rewriter::NamePreserver;
use datafusion_expr::logical_plan::{DmlStatement, Join, Union, WriteOp};
use datafusion_expr::utils::merge_schema;
use datafusion_expr::{Expr, ExprSchemable, LogicalPlan};
use datafusion_optimizer::AnalyzerRule;

use crate::options::{Choice, Options};
use crate::planned::Planned;
use crate::rewrite::{Rewriter, binary, without_note};

/// Rewrites all operators of a plan by the rule set of the session.
#[derive(Debug)]
pub(crate) struct ApplyRules;

impl AnalyzerRule for ApplyRules {
    fn name(&self) -> &'static str {
        "promote_rules"
    }

    fn analyze(&self, plan: LogicalPlan, config: &ConfigOptions) -> Result<LogicalPlan> {
        let choice = Options::choice(config);
        let mut is_changed = false;
        let done = plan.transform_up_with_subqueries(|plan| {
            let done = node(&choice, plan)?;
            is_changed |= done.transformed;
            // A type may have changed further down.
            if is_changed { done.map_data(with_new_schema) } else { Ok(done) }
        });
        Ok(done?.data)
    }
}

/// Removes the aliases that name clauses. They are there for `EXPLAIN VERBOSE`, which shows the plan after
/// each rule.
#[derive(Debug)]
pub(crate) struct RemoveNotes;

impl AnalyzerRule for RemoveNotes {
    fn name(&self) -> &'static str {
        "promote_casts"
    }

    fn analyze(&self, plan: LogicalPlan, config: &ConfigOptions) -> Result<LogicalPlan> {
        if Options::choice(config).rules.is_none() {
            return Ok(plan);
        }
        let done = plan.transform_up_with_subqueries(|plan| {
            plan.map_expressions(|expr| {
                expr.transform_up(|expr| {
                    Ok(match without_note(expr) {
                        Ok(inner) => Transformed::yes(inner),
                        Err(expr) => Transformed::no(expr),
                    })
                })
            })
        });
        Ok(done?.data)
    }
}

/// Returns true for expressions whose members keep their names one by one: grouping sets, and `grouping(x)`,
/// for which DataFusion looks for `x` among the members.
fn is_grouping(expr: &Expr) -> bool {
    match expr {
        Expr::GroupingSet(_) => true,
        Expr::AggregateFunction(function) => function.func.name() == "grouping",
        Expr::Alias(alias) => is_grouping(&alias.expr),
        _ => false,
    }
}

/// Rewrites an expression, or its members if they keep their names one by one.
fn rewrite_members(
    expr: Expr,
    rewrite: &impl Fn(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<Expr>> {
    match expr {
        Expr::Alias(_) if is_grouping(&expr) => expr.map_children(|inner| rewrite_members(inner, rewrite)),
        _ if is_grouping(&expr) => expr.map_children(rewrite),
        _ => rewrite(expr),
    }
}

/// Rewrites the expressions of one node of a plan.
fn node(choice: &Choice, plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = input_schema(&plan)?;
    let types = |expr: &Expr| expr.get_type(&schema);
    let rewriter = choice.rules.as_ref().map(|rules| Rewriter {
        rules,
        mode: choice.mode,
        is_condition: matches!(plan, LogicalPlan::Filter(_) | LogicalPlan::Join(_)),
        types: &types,
    });
    let plan = match (plan, &rewriter) {
        (LogicalPlan::Join(join), Some(rewriter)) => with_keys(join, rewriter)?,
        (plan, _) => Transformed::no(plan),
    };
    let names = NamePreserver::new(&plan.data);
    plan.transform_data(|plan| {
        let rewrite = |expr: Expr| {
            let name = names.save(&expr);
            let done = expr.transform_up(|expr| {
                let new = match &rewriter {
                    Some(rewriter) => rewriter.rewrite(&expr)?,
                    None => unplanned(&expr),
                };
                Ok(new.map_or_else(|| Transformed::no(expr), Transformed::yes))
            })?;
            Ok(done.update_data(|expr| name.restore(expr)))
        };
        plan.map_expressions(|expr| rewrite_members(expr, &rewrite))
    })
}

/// Returns the operator of a planned one, for sessions that use DataFusion's own rules.
fn unplanned(expr: &Expr) -> Option<Expr> {
    let Expr::ScalarFunction(function) = expr else { return None };
    let (left, operator, right) = Planned::of(function)?;
    Some(binary(left.clone(), operator, right.clone()))
}

/// Casts the keys of a join that are equal.
fn with_keys(mut join: Join, rewriter: &Rewriter<'_>) -> Result<Transformed<LogicalPlan>> {
    let mut is_changed = false;
    for (left, right) in &mut join.on {
        if let Some(keys) = rewriter.join_keys(left, right)? {
            is_changed |= keys.0 != *left || keys.1 != *right;
            (*left, *right) = keys;
        }
    }
    let plan = LogicalPlan::Join(join);
    Ok(if is_changed { Transformed::yes(plan) } else { Transformed::no(plan) })
}

/// Returns the fields that the expressions of a node may name, as DataFusion's own rules merge them.
fn input_schema(plan: &LogicalPlan) -> Result<DFSchema> {
    let mut schema = merge_schema(&plan.inputs());
    let further = match plan {
        LogicalPlan::TableScan(scan) => Some((&scan.table_name, scan.source.schema())),
        LogicalPlan::Dml(DmlStatement { op: WriteOp::MergeInto(_), table_name, target, .. }) => {
            Some((table_name, target.schema()))
        }
        _ => None,
    };
    if let Some((table, fields)) = further {
        schema.merge(&DFSchema::try_from_qualified_schema(table.clone(), &fields)?);
    }
    Ok(schema)
}

/// Computes the schema of a node again.
fn with_new_schema(plan: LogicalPlan) -> Result<LogicalPlan> {
    match plan {
        // `recompute_schema` keeps the types of a union. Its inputs may differ in types until DataFusion
        // coerces them.
        LogicalPlan::Union(Union { inputs, schema }) => {
            let new = Union::try_new_with_loose_types(inputs)?;
            let is_alike = new.schema.fields().len() == schema.fields().len()
                && new.schema.field_names() == schema.field_names();
            let schema = if is_alike { Arc::clone(&new.schema) } else { schema };
            Ok(LogicalPlan::Union(Union { inputs: new.inputs, schema }))
        }
        // It has the schema of its input, and its constructor would remove the note of its predicate.
        LogicalPlan::Filter(_) => Ok(plan),
        plan => plan.recompute_schema(),
    }
}
