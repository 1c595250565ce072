//! Sessions of clients.

use std::sync::Arc;

use ballista_core::extension::SessionConfigExt;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::{SessionConfig, SessionContext};
use promote_datafusion::Session;

use crate::Codec;

/// Returns a configuration in which functions of rule sets can be sent to a cluster.
///
/// Give it to Ballista before it makes a session of it. Codecs that the configuration has are still asked
/// for everything else.
///
/// ```
/// use ballista::prelude::SessionConfigExt;
/// use datafusion::prelude::SessionConfig;
/// use promote_ballista::with_codec;
///
/// let config = with_codec(SessionConfig::new_with_ballista());
/// assert!(format!("{:?}", config.ballista_logical_extension_codec()).starts_with("Codec"));
/// ```
#[must_use]
pub fn with_codec(config: SessionConfig) -> SessionConfig {
    let (logical, physical) =
        (config.ballista_logical_extension_codec(), config.ballista_physical_extension_codec());
    let codec = Arc::new(Codec::new(logical, physical));
    config
        .with_ballista_logical_extension_codec(Arc::clone(&codec) as _)
        .with_ballista_physical_extension_codec(codec)
}

/// Returns a session of Ballista with rule sets: `SET promote.rules = 'torch'`.
///
/// Ballista replaces the functions of a session that it sets up, so this is done to the session that it
/// returns. The rest of the session stays as it is. `session` has the hooks of this one session.
///
/// # Errors
///
/// Returns the errors of the session's registry of functions.
///
/// ```no_run
/// use ballista::prelude::SessionContextExt;
/// use datafusion::prelude::SessionContext;
/// use promote_ballista::{Session, with_rules};
///
/// # async fn start() -> datafusion::error::Result<()> {
/// let context = SessionContext::remote("df://localhost:50050").await?;
/// let context = with_rules(&context, &Session::new())?;
/// context.sql("SET promote.rules = 'torch'").await?;
/// # Ok(())
/// # }
/// ```
pub fn with_rules(context: &SessionContext, session: &Session) -> Result<SessionContext> {
    let state = context.state();
    let mut rules = session.analyzer_rules();
    for rule in &state.analyzer().rules {
        if rules.iter().all(|known| known.name() != rule.name()) {
            rules.push(Arc::clone(rule));
        }
    }
    let config = state.config().clone().with_option_extension(session.options());
    let state = SessionStateBuilder::new_from_existing(state)
        .with_config(config)
        .with_analyzer_rules(rules)
        .with_optimizer_rule(Arc::new(RefuseFloat16Literals))
        .build();
    let mut context = SessionContext::new_with_state(state);
    session.register(&mut context)?;
    Ok(context)
}

/// Refuses literals of type Float16. DataFusion's protocol sends them as literals of Float32, and the result
/// would have another type than the plan says. It is the last rule, since others fold casts.
#[derive(Debug)]
struct RefuseFloat16Literals;

impl OptimizerRule for RefuseFloat16Literals {
    fn name(&self) -> &'static str {
        "promote_refuse_float16_literals"
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        plan.apply_with_subqueries(|node| node.apply_expressions(|expr| expr.apply(refuse)))?;
        Ok(Transformed::no(plan))
    }
}

fn refuse(expr: &Expr) -> Result<TreeNodeRecursion> {
    match expr {
        Expr::Literal(ScalarValue::Float16(Some(value)), _) => Err(DataFusionError::Plan(format!(
            "the literal {value} of type Float16 cannot be sent to a cluster, which would take it for a Float32; \
             help: cast the operand to Float32; literals without a type can be sent in \
             `SET promote.mode = 'kernels'`"
        ))),
        _ => Ok(TreeNodeRecursion::Continue),
    }
}
