//! Clusters, and clients with a table that has a column of each type.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::{default_config_producer, default_session_builder};
use datafusion::arrow::array::{ArrayRef, Int32Array, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use promote_ballista::{Codec, Session, with_codec, with_rules};

use crate::columns::{ROWS, columns};

/// A folder with the table, which is removed at the end of the test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    pub(crate) async fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("promote-ballista-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let frame = SessionContext::new().read_batch(table()).unwrap();
        // Two files, so that there are two tasks.
        for half in [0, 1] {
            let file = path.join(format!("t/{half}.parquet"));
            let frame = frame.clone().limit(half * ROWS / 2, Some(ROWS / 2)).unwrap();
            let options = DataFrameWriteOptions::new().with_single_file_output(true);
            frame.write_parquet(file.to_str().unwrap(), options, None).await.unwrap();
        }
        Folder { path }
    }

    pub(crate) async fn register(&self, context: &SessionContext) {
        let table = self.path.join("t");
        context.register_parquet("t", table.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What a process of a cluster knows.
#[derive(Clone, Copy)]
pub(crate) enum Knows {
    /// What Ballista knows.
    Nothing,
    /// The functions of rule sets.
    Functions,
}

impl Knows {
    fn codec(self) -> BallistaCodec {
        match self {
            Knows::Nothing => BallistaCodec::default(),
            Knows::Functions => {
                let codec = Arc::new(Codec::default());
                BallistaCodec::new(codec.clone(), codec)
            }
        }
    }
}

/// Starts a scheduler and an executor, and returns the address of the scheduler.
pub(crate) async fn cluster(scheduler: Knows, executor: Knows) -> String {
    let address = ballista_scheduler::standalone::new_standalone_scheduler_with_builder(
        Arc::new(default_session_builder),
        Arc::new(default_config_producer),
        scheduler.codec(),
    )
    .await
    .unwrap();
    // The socket is bound: a connection waits until the scheduler accepts it.
    let client = SchedulerGrpcClient::connect(format!("http://localhost:{}", address.port())).await.unwrap();
    ballista_executor::new_standalone_executor(client, 2, executor.codec()).await.unwrap();
    format!("df://localhost:{}", address.port())
}

/// Returns a client of a cluster, and its hooks.
pub(crate) async fn client(url: &str, folder: &Folder) -> (SessionContext, Session) {
    let config = with_codec(SessionConfig::new_with_ballista().with_target_partitions(2));
    let state = SessionStateBuilder::new_with_default_features().with_config(config).build();
    let context = SessionContext::remote_with_state(url, state).await.unwrap();
    let session = Session::new();
    let context = with_rules(&context, &session).unwrap();
    folder.register(&context).await;
    (context, session)
}

/// Returns a session in this process, without a cluster.
pub(crate) async fn local(folder: &Folder) -> SessionContext {
    let context = with_rules(&SessionContext::new(), &Session::new()).unwrap();
    folder.register(&context).await;
    context
}

/// Sets a setting of rule sets.
pub(crate) async fn set(context: &SessionContext, key: &str, value: &str) {
    context.sql(&format!("SET promote.{key} = '{value}'")).await.unwrap().collect().await.unwrap();
}

/// Returns all rows of a query. A query that hangs is an error.
pub(crate) async fn query(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    let frame = context.sql(sql).await?;
    let batches =
        tokio::time::timeout(Duration::from_mins(2), frame.collect()).await.expect("a query hangs")?;
    Ok(concat_batches(&batches[0].schema(), &batches)?)
}

/// Returns a table with the number of each row and a column of each type.
fn table() -> RecordBatch {
    let row: Int32Array = (0..).take(ROWS).map(Some).collect();
    let columns = std::iter::once(("id", Arc::new(row) as ArrayRef)).chain(columns());
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}
