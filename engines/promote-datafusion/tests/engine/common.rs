//! A session with a table that has a column of each type.

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use promote_datafusion::Session;

pub(crate) use crate::columns::{ROWS, columns};

/// Returns a session without tables, and its hooks.
pub(crate) fn session() -> (SessionContext, Session) {
    let session = Session::new();
    let config = SessionConfig::new().with_target_partitions(1).with_option_extension(session.options());
    let state = SessionStateBuilder::new_with_default_features()
        .with_config(config)
        .with_analyzer_rules(session.analyzer_rules())
        .build();
    let mut context = SessionContext::new_with_state(state);
    session.register(&mut context).unwrap();
    (context, session)
}

/// Returns a session with the table `t` and these settings.
pub(crate) async fn with_table(rules: &str, mode: &str) -> SessionContext {
    let (context, _) = session();
    context.register_batch("t", table()).unwrap();
    set(&context, "rules", rules).await.unwrap();
    set(&context, "mode", mode).await.unwrap();
    context
}

/// Sets a setting of this crate.
pub(crate) async fn set(context: &SessionContext, key: &str, value: &str) -> Result<()> {
    context.sql(&format!("SET promote.{key} = '{value}'")).await?.collect().await.map(|_| ())
}

/// Returns all rows of a query.
pub(crate) async fn query(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    let batches = context.sql(sql).await?.collect().await?;
    Ok(concat_batches(&batches[0].schema(), &batches)?)
}

/// Returns the message of the error of a query.
pub(crate) async fn error(context: &SessionContext, sql: &str) -> String {
    query(context, sql).await.unwrap_err().to_string()
}

/// Returns the type of the first column of a query.
pub(crate) async fn type_of(context: &SessionContext, expr: &str) -> DataType {
    let frame = context.sql(&format!("SELECT {expr} FROM t")).await.unwrap();
    let planned = frame.schema().field(0).data_type().clone();
    let found = query(context, &format!("SELECT {expr}, arrow_typeof({expr}) FROM t")).await.unwrap();
    let data_type = found.schema().field(0).data_type().clone();
    assert_eq!(planned, data_type, "the plan of {expr}");
    let text = datafusion::arrow::util::display::array_value_to_string(found.column(1), 0).unwrap();
    assert_eq!(text, data_type.to_string(), "arrow_typeof({expr})");
    data_type
}

/// Returns the table of all columns.
pub(crate) fn table() -> RecordBatch {
    let columns = columns().into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// Returns a column of a batch as text, one row each.
pub(crate) fn texts(array: &dyn Array) -> Vec<String> {
    let options = datafusion::arrow::util::display::FormatOptions::new().with_null("null");
    let format = datafusion::arrow::util::display::ArrayFormatter::try_new(array, &options).unwrap();
    (0..array.len()).map(|row| format.value(row).to_string()).collect()
}
