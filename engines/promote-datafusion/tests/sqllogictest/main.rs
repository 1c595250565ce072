//! DataFusion's own tests of arithmetic, comparison and coercion, under the rule set `datafusion`.
//!
//! Each statement runs in a session without this crate and in one with the rules of DataFusion. Types and
//! rows are equal, and both are those that the file expects. `PROMOTE_SLT` names the folder of the files,
//! which is `test_files` of the package `datafusion-sqllogictest`; `.ci/engines` finds it.

mod excused;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use datafusion::arrow::datatypes::DataType;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::{common::collect, execute_stream};
use datafusion::prelude::SessionContext;
use datafusion_sqllogictest::{
    DFColumnType, DFSqlLogicTestError, TestContext, convert_batches, convert_schema_to_types,
    df_value_validator, value_normalizer,
};
use promote_datafusion::Session;
use sqllogictest::{
    AsyncDB, DBOutput, MakeConnection, Record, Runner, TestError, parse_file, strict_column_validator,
};

use crate::excused::EXCUSED;

const FILES: [&str; 25] = [
    "arrow_try_cast",
    "arrow_typeof",
    "array/array_operators",
    "case",
    "cast",
    "cast_to_type",
    "coalesce",
    "decimal",
    "expr",
    "float16",
    "floor_preimage",
    "functions",
    "grouping",
    "in_list",
    "math",
    "negative_zero",
    "nullif",
    "nvl",
    "nvl2",
    "operator",
    "pg_compat/pg_compat_type_coercion",
    "scalar",
    "select",
    "string_numeric_coercion",
    "type_coercion",
];

/// The types and rows of a result, or the text of an error.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Rows(Vec<DataType>, Vec<Vec<String>>),
    Error(String),
}

/// A session that keeps the outcome of its last statement.
struct Recorder {
    context: SessionContext,
    last: Arc<Mutex<Option<Outcome>>>,
}

impl Recorder {
    async fn result(
        &self,
        sql: &str,
    ) -> Result<(Vec<DataType>, DBOutput<DFColumnType>), DFSqlLogicTestError> {
        let frame = self.context.sql(sql).await?;
        let task = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await?;
        let schema = plan.schema();
        let batches = collect(execute_stream(plan, task)?).await?;
        let found = schema.fields().iter().map(|field| field.data_type().clone()).collect();
        let types = convert_schema_to_types(schema.fields());
        let rows = convert_batches(&schema, batches, false)?;
        let is_empty = rows.is_empty() && types.is_empty();
        Ok((found, if is_empty { DBOutput::StatementComplete(0) } else { DBOutput::Rows { types, rows } }))
    }
}

#[async_trait]
impl AsyncDB for Recorder {
    type Error = DFSqlLogicTestError;
    type ColumnType = DFColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DFColumnType>, DFSqlLogicTestError> {
        let result = self.result(sql).await;
        let outcome = match &result {
            Ok((types, DBOutput::Rows { rows, .. })) => Outcome::Rows(types.clone(), rows.clone()),
            Ok((types, _)) => Outcome::Rows(types.clone(), Vec::new()),
            Err(error) => Outcome::Error(error.to_string()),
        };
        *self.last.lock().unwrap() = Some(outcome);
        result.map(|(_, output)| output)
    }

    fn engine_name(&self) -> &'static str {
        "DataFusion"
    }

    async fn shutdown(&mut self) {}
}

/// Returns the session in which DataFusion runs a file, with the hooks of this crate if there is a mode.
async fn session(file: &Path, mode: Option<&str>) -> SessionContext {
    let context = TestContext::try_new_for_test_file(file).await.unwrap().session_ctx().clone();
    let Some(mode) = mode else { return context };
    let (session, state) = (Session::new(), context.state());
    let config = state.config().clone().with_option_extension(session.options());
    let state = SessionStateBuilder::new_from_existing(state)
        .with_config(config)
        .with_analyzer_rules(session.analyzer_rules())
        .build();
    let mut context = SessionContext::new_with_state(state);
    session.register(&mut context).unwrap();
    for setting in ["rules = 'datafusion'".to_owned(), format!("mode = '{mode}'")] {
        context.sql(&format!("SET promote.{setting}")).await.unwrap().collect().await.unwrap();
    }
    context
}

/// Runs a record, and returns the outcome and what the file finds wrong with it; `None` if nothing was run.
async fn run<M: MakeConnection<Conn = Recorder>>(
    runner: &mut Runner<Recorder, M>,
    last: &Mutex<Option<Outcome>>,
    record: Record<DFColumnType>,
) -> Option<(Outcome, Option<TestError>)> {
    let checked = runner.run_async(record).await;
    let outcome = last.lock().unwrap().take()?;
    Some((outcome, checked.err()))
}

/// What became of the statements.
#[derive(Default)]
struct Counts {
    statements: usize,
    equal: usize,
    refused_by_both: usize,
    /// The number of statements that were not compared, by the reason.
    skipped: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
    excuses: Vec<&'static str>,
}

impl Counts {
    fn add(
        &mut self,
        at: &str,
        sql: &str,
        plain: (Outcome, Option<TestError>),
        ours: (Outcome, Option<TestError>),
    ) {
        self.statements += 1;
        let mut skip = |reason| *self.skipped.entry(reason).or_default() += 1;
        let is_plan = sql.trim_start().to_lowercase().starts_with("explain");
        match (plain, ours) {
            ((plain, Some(_)), (ours, _)) if plain == ours || is_equal(&plain, &ours) => {
                skip(
                    "reads a file that is not in the package: DataFusion gives another result than is expected, \
                     and the rule set gives the same one",
                );
            }
            ((Outcome::Error(_), None), (Outcome::Error(_), _)) => self.refused_by_both += 1,
            ((plain, None), (ours, None)) if is_equal(&plain, &ours) => self.equal += 1,
            _ if is_plan => skip("prints a plan, which has other casts or functions"),
            ((plain, _), (ours, wrong)) => {
                if let Some(excuse) = EXCUSED.iter().find(|excuse| sql.contains(excuse.sql)) {
                    self.excuses.push(excuse.sql);
                    skip(excuse.reason);
                } else {
                    let wrong = wrong.map(|wrong| format!("\n{wrong}")).unwrap_or_default();
                    self.differences.push(format!("{at}: {sql}\n  {plain:?}\n  {ours:?}{wrong}"));
                }
            }
        }
    }
}

/// Returns true for equal types and equal rows. Their order matters only if the file has an order, which the
/// runner has checked.
fn is_equal(plain: &Outcome, ours: &Outcome) -> bool {
    match (plain, ours) {
        (Outcome::Rows(types, rows), Outcome::Rows(others, other_rows)) => {
            let sorted = |rows: &Vec<Vec<String>>| {
                let mut rows = rows.clone();
                rows.sort();
                rows
            };
            types == others && sorted(rows) == sorted(other_rows)
        }
        _ => false,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_datafusion_give_equal_types_and_rows() {
    let Some(folder) = std::env::var_os("PROMOTE_SLT") else {
        println!(
            "not run: no files; help: set PROMOTE_SLT to `test_files` of the package datafusion-sqllogictest"
        );
        return;
    };
    // Some statements write files.
    let scratch = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("promote-datafusion-{}-slt", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    std::env::set_current_dir(&scratch).unwrap();
    for mode in ["casts", "kernels"] {
        let mut counts = Counts::default();
        for file in FILES {
            let file = format!("{file}.slt");
            let path = Path::new(&folder).join(&file);
            let records = parse_file::<DFColumnType>(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
            let runner = async |mode| {
                let context = session(Path::new(&file), mode).await;
                let last = Arc::new(Mutex::new(None));
                let kept = Arc::clone(&last);
                let mut runner = Runner::new(move || {
                    let recorder = Recorder { context: context.clone(), last: Arc::clone(&kept) };
                    async { Ok(recorder) }
                });
                runner.add_label("Datafusion");
                runner.with_column_validator(strict_column_validator);
                runner.with_normalizer(value_normalizer);
                runner.with_validator(df_value_validator);
                (runner, last)
            };
            let (mut plain, plain_last) = runner(None).await;
            let (mut ours, ours_last) = runner(Some(mode)).await;
            for record in records {
                let (at, sql) = match &record {
                    Record::Statement { loc, sql, .. } | Record::Query { loc, sql, .. } => {
                        (format!("{file}:{}", loc.line()), sql.clone())
                    }
                    _ => (file.clone(), String::new()),
                };
                let plain = run(&mut plain, &plain_last, record.clone()).await;
                let ours = run(&mut ours, &ours_last, record).await;
                match (plain, ours) {
                    (Some(plain), Some(ours)) => counts.add(&at, &sql, plain, ours),
                    (None, None) => {}
                    other => panic!("{at}: one session alone ran it: {other:?}"),
                }
            }
        }
        let Counts { statements, equal, refused_by_both, skipped, differences, excuses } = counts;
        println!(
            "{mode}: {statements} statements in {} files; {equal} have equal types and rows, {refused_by_both} are \
             errors in both sessions; not compared: {skipped:#?}",
            FILES.len()
        );
        assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
        assert!(equal >= 500, "{equal}");
        for excuse in EXCUSED.iter().filter(|excuse| excuse.modes.contains(&mode)) {
            assert!(excuses.contains(&excuse.sql), "{mode}: `{}` is a difference no more", excuse.sql);
        }
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}
