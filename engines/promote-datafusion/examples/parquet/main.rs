//! Compares the modes `casts` and `kernels` with casts in SQL, on Parquet files of three columns of different
//! types.
//!
//! In the folder `engines`, `cargo run --release -p promote-datafusion --example parquet` writes the files
//! once, 1.3 GB in the folder of temporary files, checks that all values equal those of `RuleSet::call`, and
//! prints the time and the memory of queries. Its arguments are the folder, the number of rows and the number
//! of runs.

mod data;

use std::env;
use std::error::Error;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float32Type, Int8Type, Int64Type};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::datasource::MemTable;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use futures::StreamExt;
use promote_datafusion::Session;
use promote_datafusion::promote::{self, Argument, Op, RuleSet, Slice, Tensor, Torch};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// The number of rows of the files, if it is not an argument.
const ROWS: usize = 100_000_000;

/// The number of runs of each query, if it is not an argument.
const RUNS: usize = 15;

/// An expression in the ways in which it is computed.
struct Query {
    /// The expression by PyTorch's rules.
    torch: &'static str,
    /// The expression by DataFusion's own rules, with casts to the types of PyTorch's.
    plain: &'static str,
    /// The expression without SQL, on the columns `clicks`, `price` and `seen`.
    own: fn(&RuleSet, [Argument<'_>; 3]) -> Result<Tensor, promote::Error>,
    /// What a query returns of the expression, which stands for `{}`.
    result: &'static str,
    /// A query that reads the columns of the expression and adds one of them.
    scan: &'static str,
}

const QUERIES: [Query; 5] = [
    Query {
        torch: "clicks * price",
        plain: "CAST(clicks AS REAL) * price",
        own: |rules, [clicks, price, _]| rules.call(Op::Multiply, &[clicks, price]),
        result: "SELECT sum({}) FROM t",
        scan: "SELECT sum(price), count(clicks) FROM t",
    },
    Query {
        torch: "seen + price",
        plain: "CAST(seen AS REAL) + price",
        own: |rules, [_, price, seen]| rules.call(Op::Add, &[seen, price]),
        result: "SELECT sum({}) FROM t",
        scan: "SELECT sum(price), count(seen) FROM t",
    },
    Query {
        torch: "seen - clicks",
        plain: "seen - CAST(clicks AS BIGINT)",
        own: |rules, [clicks, _, seen]| rules.call(Op::Subtract, &[seen, clicks]),
        result: "SELECT sum({}) FROM t",
        scan: "SELECT sum(seen), count(clicks) FROM t",
    },
    Query {
        torch: "clicks * 2.5 + price",
        plain: "CAST(clicks AS REAL) * CAST(2.5 AS REAL) + price",
        own: |rules, [clicks, price, _]| {
            let product = rules.call(Op::Multiply, &[clicks, 2.5.into()])?;
            rules.call(Op::Add, &[(&product).into(), price])
        },
        result: "SELECT sum({}) FROM t",
        scan: "SELECT sum(price), count(clicks) FROM t",
    },
    Query {
        torch: "clicks < price",
        plain: "CAST(clicks AS REAL) < price",
        own: |rules, [clicks, price, _]| rules.call(Op::Less, &[clicks, price]),
        result: "SELECT count(*) FROM t WHERE {}",
        // Counts alone would be answered by statistics.
        scan: "SELECT sum(price), count(clicks) FROM t",
    },
];

/// The number of ways.
const WAYS: usize = 4;

/// How a query is computed.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The columns are read, and the expression is not computed.
    Scan,
    /// DataFusion's own rules, with casts in SQL.
    Plain,
    Casts,
    Kernels,
}

impl Way {
    const ALL: [Way; WAYS] = [Way::Scan, Way::Plain, Way::Casts, Way::Kernels];

    fn name(self) -> &'static str {
        match self {
            Way::Scan => "scan",
            Way::Plain => "plain",
            Way::Casts => "casts",
            Way::Kernels => "kernels",
        }
    }

    fn expression(self, query: &Query) -> &'static str {
        if let Way::Casts | Way::Kernels = self { query.torch } else { query.plain }
    }

    fn sql(self, query: &Query) -> String {
        if self == Way::Scan {
            query.scan.to_owned()
        } else {
            query.result.replace("{}", self.expression(query))
        }
    }

    /// Returns a session with the files as the table `t`.
    async fn session(self, folder: &str) -> Result<SessionContext> {
        let session = Session::new();
        let state = SessionStateBuilder::new_with_default_features()
            .with_config(SessionConfig::new().with_option_extension(session.options()))
            .with_analyzer_rules(session.analyzer_rules())
            .build();
        let mut context = SessionContext::new_with_state(state);
        session.register(&mut context)?;
        if let Way::Casts | Way::Kernels = self {
            context.sql("SET promote.rules = 'torch'").await?;
            context.sql(&format!("SET promote.mode = '{}'", self.name())).await?;
        }
        context.register_parquet("t", folder, ParquetReadOptions::default()).await?;
        Ok(context)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [measure, folder, source, way, query] = arguments.as_slice()
        && measure == "measure"
    {
        let way = Way::ALL.into_iter().find(|known| known.name() == way).ok_or("no such way")?;
        return measured(folder, source == "memory", way, &QUERIES[query.parse::<usize>()?]).await;
    }
    let folder = arguments.first().map_or_else(|| env::temp_dir().join("promote-parquet"), Into::into);
    let rows = arguments.get(1).map_or(Ok(ROWS), |rows| rows.parse())?;
    let runs = arguments.get(2).map_or(Ok(RUNS), |runs| runs.parse())?.max(1);
    data::write(&folder, rows)?;
    let folder = folder.to_str().ok_or("the name of the folder is not Unicode")?;
    for query in &QUERIES {
        for way in [Way::Plain, Way::Casts, Way::Kernels] {
            let checked = check(folder, way, query).await?;
            assert_eq!(checked, rows, "rows of `{}`", query.torch);
        }
    }
    println!(
        "{rows} rows of each expression equal those of `RuleSet::call` in every bit, in each of the ways\n"
    );
    println!("processor: {}, level {:?}\n", promote_measure::processor(), promote::Level::active());
    for source in ["parquet", "memory"] {
        println!(
            "| columns in {source} | scan alone | casts in SQL | `casts` | `kernels` | casts in SQL / `kernels` |"
        );
        println!("| --- | --- | --- | --- | --- | ---: |");
        for (at, query) in QUERIES.iter().enumerate() {
            compare(folder, source, query, (at, runs))?;
        }
        println!();
    }
    Ok(())
}

/// Prints a row of the table: the ways of a query in turn, each in a process of its own. Times are the
/// shortest, memory is the most. A ratio is the median of those of all turns, with its interval.
fn compare(folder: &str, source: &str, query: &Query, (at, runs): (usize, usize)) -> Result<()> {
    let (mut found, mut ratios) = ([(f64::INFINITY, 0_u64); WAYS], Vec::new());
    let mut results = Vec::new();
    for run in 0..runs {
        let mut times = [0.0; WAYS];
        for turn in 0..WAYS {
            // Every other turn is in the reverse order, so that none of the ways always follows another.
            let index = if run % 2 == 0 { turn } else { WAYS - 1 - turn };
            let way = Way::ALL[index];
            let program = env::current_exe()?;
            let arguments = ["measure", folder, source, way.name(), &at.to_string()];
            let output = Command::new(program).args(arguments).output()?;
            let text = String::from_utf8(output.stdout)?;
            let [seconds, kib, result] = text.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err(format!("{}: {}", query.torch, String::from_utf8_lossy(&output.stderr)).into());
            };
            times[index] = seconds.parse()?;
            let (time, memory) = &mut found[index];
            *time = time.min(times[index]);
            *memory = (*memory).max(kib.parse()?);
            if way != Way::Scan {
                results.push(result.parse::<f64>()?);
            }
        }
        ratios.push(times[Way::Plain as usize] / times[Way::Kernels as usize]);
    }
    // The order in which threads add their rows differs from run to run.
    let is_near = |result: &f64| (result - results[0]).abs() <= 1e-9 * result.abs();
    assert!(results.iter().all(is_near), "results of `{}`: {results:?}", query.torch);
    let cell = |(time, kib): (f64, u64)| format!("{:.0} ms, {} MiB", time * 1e3, kib >> 10);
    let (median, least, most) = median(&mut ratios);
    let cells = found.map(cell).join(" | ");
    println!("| `{}` | {cells} | {median:.2} ({least:.2} to {most:.2}) |", query.torch);
    Ok(())
}

/// Returns the median of ratios, and the bounds of an interval that contains the true median with a
/// probability of about 95 %: the number of ratios below it is that of heads in as many throws of a coin, so
/// half of the ratios less two deviations are left out on each side.
fn median(ratios: &mut [f64]) -> (f64, f64, f64) {
    ratios.sort_by(f64::total_cmp);
    let (runs, last) = (ratios.len(), ratios.len() - 1);
    // The deviation of the heads is half the square root of the runs.
    let four_deviations = (4 * runs - 1).isqrt() + 1;
    let outside = runs.saturating_sub(four_deviations) / 2;
    let middle = f64::midpoint(ratios[last / 2], ratios[last.div_ceil(2)]);
    (middle, ratios[outside], ratios[last - outside])
}

/// Runs a query once, and prints its time in seconds, the most memory that the process has used in KiB, and
/// the first column of its result.
async fn measured(folder: &str, in_memory: bool, way: Way, query: &Query) -> Result<()> {
    let context = way.session(folder).await?;
    if in_memory {
        repeat_in_memory(&context).await?;
    }
    let start = Instant::now();
    let batches = context.sql(&way.sql(query)).await?.collect().await?;
    let seconds = start.elapsed().as_secs_f64();
    let result = array_value_to_string(batches[0].column(0), 0)?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    println!("{seconds} {} {result}", peak.unwrap_or("0"));
    Ok(())
}

/// Replaces the table `t` by one in memory with about as many rows: a few batches, over and over.
async fn repeat_in_memory(context: &SessionContext) -> Result<()> {
    const ROWS: usize = 8192;
    let rows = context.table("t").await?.count().await?;
    let batches = (0..16).map(|i| data::batch(i * ROWS, (i + 1) * ROWS));
    let batches = batches.collect::<datafusion::error::Result<Vec<_>>>()?;
    let partitions = context.state().config().target_partitions();
    let each = rows.div_ceil(ROWS * partitions);
    let each: Vec<RecordBatch> = batches.iter().cycle().take(each).cloned().collect();
    let table = MemTable::try_new(batches[0].schema(), vec![each; partitions])?;
    context.deregister_table("t")?;
    context.register_table("t", Arc::new(table))?;
    Ok(())
}

/// Compares the values of an expression with those of `RuleSet::call` on the same rows, and returns the
/// number of rows.
async fn check(folder: &str, way: Way, query: &Query) -> Result<usize> {
    let context = way.session(folder).await?;
    let sql = format!("SELECT clicks, price, seen, {} FROM t", way.expression(query));
    let mut stream = context.sql(&sql).await?.execute_stream().await?;
    let mut rows = 0;
    while let Some(batch) = stream.next().await {
        rows += check_batch(query, &batch?)?;
    }
    Ok(rows)
}

fn check_batch(query: &Query, batch: &RecordBatch) -> Result<usize> {
    let [clicks, price, seen, result] = batch.columns() else { return Err("not four columns".into()) };
    let (clicks, price) = (clicks.as_primitive::<Int8Type>(), price.as_primitive::<Float32Type>());
    let seen = seen.as_primitive::<Int64Type>();
    let columns = [Slice::new(clicks.values()), Slice::new(price.values()), Slice::new(seen.values())];
    let own = (query.own)(&Torch::new().rule_set(), columns.map(Argument::from))?;
    let unpacked: Vec<u8>;
    let found = match result.data_type() {
        DataType::Float32 => result.as_primitive::<Float32Type>().values().inner().as_slice(),
        DataType::Int64 => result.as_primitive::<Int64Type>().values().inner().as_slice(),
        _ => {
            unpacked = result.as_boolean().values().iter().map(u8::from).collect();
            &unpacked
        }
    };
    let size = own.dtype().bits().div_ceil(8) as usize;
    let mut rows = 0;
    for (own, found) in own.as_bytes().chunks(size).zip(found.chunks(size)) {
        let is_null = query.torch.contains("seen") && seen.is_null(rows);
        assert_eq!(result.is_null(rows), is_null, "`{}` is null", query.torch);
        assert!(is_null || own == found, "`{}`: {own:?} and {found:?}", query.torch);
        rows += 1;
    }
    assert_eq!(rows, batch.num_rows(), "`{}`", query.torch);
    Ok(rows)
}
