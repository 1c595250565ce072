//! A cluster on this machine: a scheduler and two executors, each a process of its own, compute an expression
//! on columns of three types under two rule sets.
//!
//! ```sh
//! cargo run --release -p promote-ballista --example cluster -- [ROWS] [FOLDER] [--kill]
//! ```
//!
//! The rows, 10 million unless a number is given, are written once to Parquet files in the folder. With
//! `--kill`, an executor is killed in the middle of a query.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use promote_arrow::Argument;
use promote_ballista::promote_datafusion::promote::{self, Op};
use promote_ballista::{Session, with_codec, with_rules};

#[path = "../../../promote-datafusion/examples/parquet/data.rs"]
mod data;
mod processes;
mod roles;

use processes::Cluster;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const EXPRESSION: &str = "clicks * price + seen";

/// The rule sets, and the expression in DataFusion's own SQL with casts to the types of the rule set.
const RULES: [(&str, &str); 2] = [
    ("torch", "CAST(clicks AS REAL) * price + CAST(seen AS REAL)"),
    ("numpy", "CAST(CAST(clicks AS REAL) * price AS DOUBLE) + CAST(seen AS DOUBLE)"),
];

/// How often a query runs; its least time counts.
const RUNS: usize = 3;

/// The longest time of a query.
const LIMIT: Duration = Duration::from_mins(10);

fn main() -> ExitCode {
    start(std::env::args().skip(1))
}

/// Runs the example, or the part of a process that the example has started.
pub(crate) fn start(arguments: impl Iterator<Item = String>) -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let done = runtime.block_on(async {
        match std::env::var(processes::ROLE) {
            Ok(role) => roles::run(&role).await,
            Err(_) => measure(arguments).await,
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: impl Iterator<Item = String>) -> Result<()> {
    let (mut rows, mut folder, mut kill) = (10_000_000, std::env::temp_dir().join("promote-rows"), false);
    for argument in arguments {
        match argument.parse() {
            Ok(number) => rows = number,
            Err(_) if argument == "--kill" => kill = true,
            Err(_) => folder = PathBuf::from(argument),
        }
    }
    let folder = folder.join(rows.to_string());
    data::write(&folder, rows)?;

    println!("{EXPRESSION}, {rows} rows\n");
    println!("| rule set | computed by | type | time | peak memory of the executors |");
    println!("| --- | --- | --- | --- | --- |");
    let mut results = BTreeMap::new();
    for (rules, plain) in RULES {
        for (mode, expression) in [("", plain), ("casts", EXPRESSION), ("kernels", EXPRESSION)] {
            // Peaks are those of a process.
            let cluster = Cluster::start(2)?;
            let context = client(&cluster, &folder).await?;
            if !mode.is_empty() {
                choose(&context, rules, mode).await?;
            }
            let (mut least, mut found) = (LIMIT, None);
            for _ in 0..RUNS {
                let start = Instant::now();
                found = Some(query(&context, &summary(expression)).await?);
                least = least.min(start.elapsed());
            }
            let found = found.ok_or("no runs")?;
            let by = if mode.is_empty() { "DataFusion, explicit casts" } else { mode };
            let data_type = found.column(0).data_type();
            let peaks = cluster.peaks().join(" + ");
            println!("| {rules} | {by} | {data_type} | {:.2} s | {peaks} |", least.as_secs_f64());
            if !mode.is_empty() {
                check(&context, rules).await?;
            }
            let first = results.entry(rules).or_insert_with(|| found.clone());
            if *first != found {
                return Err(format!("{by} under {rules} gives {found:?} instead of {first:?}").into());
            }
        }
    }
    println!("\nAll ways give equal bits under a rule set, and those of `RuleSet::call`.\n");
    println!("| rule set | least | greatest | not null | sum of integral parts |");
    println!("| --- | --- | --- | --- | --- |");
    for (rules, found) in &results {
        let values: Vec<String> = found
            .columns()
            .iter()
            .map(|column| array_value_to_string(column, 0))
            .collect::<std::result::Result<_, _>>()?;
        println!("| {rules} | {} |", values.join(" | "));
    }
    if kill {
        let (rules, _) = RULES[0];
        kill_one(&folder, rules, &results[rules]).await?;
    }
    Ok(())
}

/// Returns a query whose result does not depend on the order of rows.
fn summary(expression: &str) -> String {
    format!(
        "SELECT min(x), max(x), count(x), sum(CAST(x AS BIGINT)) FROM (SELECT {expression} AS x FROM rows)"
    )
}

/// Returns a client of a cluster, with the files as the table `rows`.
async fn client(cluster: &Cluster, folder: &Path) -> Result<SessionContext> {
    let config = with_codec(SessionConfig::new_with_ballista());
    let state = SessionStateBuilder::new_with_default_features().with_config(config).build();
    let context = SessionContext::remote_with_state(&cluster.url(), state).await?;
    let context = with_rules(&context, &Session::new())?;
    let folder = folder.to_str().ok_or("the folder is not UTF-8")?;
    context.register_parquet("rows", folder, ParquetReadOptions::default()).await?;
    Ok(context)
}

async fn choose(context: &SessionContext, rules: &str, mode: &str) -> Result<()> {
    context.sql(&format!("SET promote.rules = '{rules}'")).await?.collect().await?;
    context.sql(&format!("SET promote.mode = '{mode}'")).await?.collect().await?;
    Ok(())
}

async fn query(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    let frame = context.sql(sql).await?;
    let batches = tokio::time::timeout(LIMIT, frame.collect()).await.map_err(|_| "the query hangs")??;
    let schema = batches.first().ok_or("no rows")?.schema();
    Ok(concat_batches(&schema, &batches)?)
}

/// Checks that a cluster gives the bits of `RuleSet::call`.
async fn check(context: &SessionContext, rules: &str) -> Result<()> {
    let sql = format!("SELECT clicks, price, seen, {EXPRESSION} AS x FROM rows LIMIT 100000");
    let found = query(context, &sql).await?;
    let set = promote::rule_set(rules).ok_or("no such rule set")?;
    let column = |index| Argument::Array(found.column(index));
    let product = promote_arrow::call(&set, Op::Multiply, &[column(0), column(1)])?;
    let sum = promote_arrow::call(&set, Op::Add, &[Argument::Array(&product), column(2)])?;
    // There is neither a NaN nor a negative zero, whose bits equality would not see.
    if sum.as_ref() == found.column(3).as_ref() {
        Ok(())
    } else {
        Err(format!("values differ under {rules}").into())
    }
}

/// Kills an executor that computes, and checks that the query ends and that the cluster serves the next one.
async fn kill_one(folder: &Path, rules: &str, expected: &RecordBatch) -> Result<()> {
    let mut cluster = Cluster::start(2)?;
    let context = client(&cluster, folder).await?;
    choose(&context, rules, "kernels").await?;
    cluster.hold()?;
    let start = Instant::now();
    let running = tokio::spawn({
        let context = context.clone();
        async move { query(&context, &summary(EXPRESSION)).await }
    });
    cluster.kill_busy()?;
    println!("\nKilled an executor that had a task under {rules}.");
    let first = (running.await?, start.elapsed());
    let next = (query(&context, &summary(EXPRESSION)).await, start.elapsed());
    for (name, (found, time)) in [("Its query", first), ("The next query", next)] {
        let outcome = match found {
            Ok(found) if found == *expected => "has the right result".to_owned(),
            Ok(found) => return Err(format!("{name} has a wrong result: {found:?}").into()),
            Err(error) => return Err(format!("{name} failed: {error}").into()),
        };
        println!("{name} {outcome}, {:.1} s after the start.", time.as_secs_f64());
    }
    Ok(())
}
