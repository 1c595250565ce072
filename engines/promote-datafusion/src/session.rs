//! What a session of DataFusion is built with.

use std::sync::Arc;

use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{DFSchema, Result};
use datafusion_expr::registry::FunctionRegistry;
use datafusion_expr::{Expr, ExprSchemable, Operator};
use datafusion_optimizer::{Analyzer, AnalyzerRule};

use crate::analyze::{ApplyRules, RemoveNotes};
use crate::kernel::functions;
use crate::options::{Options, Shared};
use crate::planned::Planner;
use crate::rewrite::binary;

/// The hooks of one session of DataFusion. Make a new one for each session.
///
/// ```
/// use datafusion::execution::SessionStateBuilder;
/// use datafusion::prelude::{SessionConfig, SessionContext};
/// use promote_datafusion::Session;
///
/// let session = Session::new();
/// let state = SessionStateBuilder::new_with_default_features()
///     .with_config(SessionConfig::new().with_option_extension(session.options()))
///     .with_analyzer_rules(session.analyzer_rules())
///     .build();
/// let mut context = SessionContext::new_with_state(state);
/// session.register(&mut context)?;
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Session {
    shared: Shared,
}

impl Session {
    /// Creates the hooks of a session. Until `SET promote.rules`, DataFusion's own rules hold.
    pub fn new() -> Session {
        Session::default()
    }

    /// Returns the settings, for the configuration of the session.
    pub fn options(&self) -> Options {
        Options::new(&self.shared)
    }

    /// Returns the analyzer rules of the session: those of this crate, and then DataFusion's own ones.
    ///
    /// Rules that are added to a session that exists come after type coercion, which is too late.
    pub fn analyzer_rules(&self) -> Vec<Arc<dyn AnalyzerRule + Send + Sync>> {
        let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> =
            vec![Arc::new(ApplyRules), Arc::new(RemoveNotes)];
        rules.extend(Analyzer::new().rules);
        rules
    }

    /// Registers the planner of SQL operators, and the [functions](functions) of the rule sets of this build.
    ///
    /// # Errors
    ///
    /// Returns the errors of the registry.
    pub fn register(&self, registry: &mut dyn FunctionRegistry) -> Result<()> {
        for function in functions() {
            registry.register_udf(Arc::new(function))?;
        }
        registry.register_expr_planner(Arc::new(Planner { shared: Arc::clone(&self.shared) }))
    }

    /// Returns an operator on two expressions, for data frames.
    ///
    /// `a + b` does for most of them. This method also makes operators that DataFusion refuses while it
    /// builds a plan, such as the sum of a boolean and an integer, and gives the plan the type of the rule
    /// set from the start. `schema` is that of the data frame.
    ///
    /// ```
    /// use datafusion::logical_expr::Operator;
    /// use datafusion::prelude::{DataFrame, col};
    /// use promote_datafusion::Session;
    ///
    /// fn with_sum(frame: DataFrame, session: &Session) -> datafusion::error::Result<DataFrame> {
    ///     let sum = session.binary(col("is_paid"), Operator::Plus, col("clicks"), frame.schema());
    ///     frame.select(vec![sum.alias("sum")])
    /// }
    /// ```
    pub fn binary(&self, left: Expr, operator: Operator, right: Expr, schema: &DFSchema) -> Expr {
        let types = |expr: &Expr| -> Result<DataType> { expr.get_type(schema) };
        let planned = Planner { shared: Arc::clone(&self.shared) }.plan(&left, operator, &right, &types);
        planned.unwrap_or_else(|| binary(left, operator, right))
    }
}
