//! Clusters, and clients with a table that has a column of each type.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::{default_config_producer, default_session_builder};
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
    Int64Array, RecordBatch, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use datafusion::arrow::compute::concat_batches;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use promote_ballista::promote_datafusion::promote::half::f16;
use promote_ballista::{Codec, Session, with_codec, with_rules};

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

const ROWS: usize = 12;

/// Returns a table with a column of each type: small values, those at the ends of the type, special floats,
/// and a null.
fn table() -> RecordBatch {
    macro_rules! integers {
        ($array:ident, $ty:ty) => {{
            let (min, max) = (<$ty>::MIN, <$ty>::MAX);
            let mut values: [Option<$ty>; ROWS] =
                [1, 2, 3, 7, 100, max, 0, max / 3, min / 2, min, 5, 64].map(Some);
            values[2] = None;
            Arc::new($array::from(values.to_vec())) as ArrayRef
        }};
    }
    macro_rules! floats {
        ($array:ident, $from:expr) => {{
            let (nan, infinite) = (f64::NAN, f64::INFINITY);
            let mut values = [0.0, 1.5, 0.0, -2.5, nan, 0.1, -0.0, 7.0, infinite, -3.0, 2.0, 1000.25]
                .map(|x| Some(($from)(x)));
            values[2] = None;
            Arc::new($array::from(values.to_vec())) as ArrayRef
        }};
    }
    let row: Int32Array = (0..).take(ROWS).map(Some).collect();
    let bits = (0..ROWS).map(|row| (row != 4).then_some(row % 3 == 0));
    let columns = [
        ("id", Arc::new(row) as ArrayRef),
        ("b", Arc::new(bits.collect::<BooleanArray>())),
        ("i8", integers!(Int8Array, i8)),
        ("i16", integers!(Int16Array, i16)),
        ("i32", integers!(Int32Array, i32)),
        ("i64", integers!(Int64Array, i64)),
        ("u8", integers!(UInt8Array, u8)),
        ("u16", integers!(UInt16Array, u16)),
        ("u32", integers!(UInt32Array, u32)),
        ("u64", integers!(UInt64Array, u64)),
        ("f16", floats!(Float16Array, f16::from_f64)),
        #[expect(clippy::cast_possible_truncation, reason = "rounds")]
        ("f32", floats!(Float32Array, |x| x as f32)),
        ("f64", floats!(Float64Array, |x| x)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}
