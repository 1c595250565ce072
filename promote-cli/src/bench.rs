//! `promote bench`: how long an op takes over arrays in memory, and how that compares to copying as many
//! bytes.

use std::cell::RefCell;
use std::hint::black_box;

use promote::{Argument, DType, ExtraKind, Level, Op, Operand, RuleSet};
use promote_measure::paired;
use serde_json::json;

use crate::array::{self, Array};
use crate::bundled::{Loaded, RulesArgs};
use crate::explain::Format;
use crate::failure::Failure;
use crate::{cast, memory, table, terminal};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The op
    op: String,
    /// The dtypes of its operands
    #[arg(required = true, value_name = "DTYPE", num_args = 1..=2)]
    dtypes: Vec<String>,
    /// The elements of each array
    #[arg(long, default_value_t = 1 << 20, value_parser = elements)]
    n: usize,
    /// The threads
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// The least value of the operands
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true)]
    low: f64,
    /// Their greatest value
    #[arg(long, default_value_t = 3.0, allow_hyphen_values = true)]
    high: f64,
    /// The form of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
}

/// The golden ratio: its multiples, less their whole parts, are spread over 0 to 1 and never repeat.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

fn elements(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "write a number of elements, 1 or more".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|n| (1..=1024).contains(n));
    threads.ok_or_else(|| "write a number of threads, 1 to 1024".to_owned())
}

/// What was measured.
struct Measured {
    out: DType,
    /// Nanoseconds a call.
    ns: f64,
    /// Bytes read and written a nanosecond.
    gb_per_s: f64,
    /// The time of copying as many bytes over that of the call.
    copy_ratio: f64,
}

/// Measures.
///
/// # Errors
/// The rule set has mistakes, refuses, or does not know the op or a dtype; there is no kernel, no memory, or
/// no thread.
pub fn run(args: &Args) -> Result<String, Failure> {
    let loaded = args.rules.load()?;
    let op = table::op(&loaded.rules, &args.op)?;
    if let Op::Custom(_) = op {
        let message = format!("the kernel of `{op}` is in the program that has it, and not in the rule file");
        return Err(Failure::new(message));
    }
    if args.dtypes.len() != op.arity() {
        let (expected, found) = (op.arity(), args.dtypes.len());
        return Err(Failure::new(format!("`{op}` takes {expected} dtypes and {found} were given")));
    }
    let dtypes =
        args.dtypes.iter().map(|name| cast::dtype(&loaded, name)).collect::<Result<Vec<_>, Failure>>()?;
    let operands = dtypes.iter().enumerate().map(|(at, dtype)| operand(&loaded, args, *dtype, at));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let rules = &loaded.rules;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let pool = pool.map_err(|error| Failure::new(format!("no {} threads: {error}", args.threads)))?;
    let measured = pool.install(|| measure(rules, op, &operands))?;
    Ok(match args.format {
        Format::Text => text(&loaded, op, args, &measured),
        Format::Json => {
            let json = json!({
                "rules": loaded.rules.name(),
                "op": op.name(),
                "dtypes": args.dtypes,
                "out": measured.out.name(),
                "n": args.n,
                "threads": args.threads,
                "level": Level::active().name(),
                "ns": measured.ns,
                "gb_per_s": measured.gb_per_s,
                "copy_ratio": measured.copy_ratio,
            });
            terminal::json(&json)
        }
    })
}

/// Values all over the range, in an order that no branch can learn.
fn operand(loaded: &Loaded, args: &Args, dtype: DType, at: usize) -> Result<Array, Failure> {
    let mut values = Array::zeros(DType::F64, vec![args.n])?;
    for (i, bytes) in values.bytes_mut().chunks_exact_mut(8).enumerate() {
        let place = ((i + 1) as f64 * GOLDEN + at as f64 * 0.37).fract();
        bytes.copy_from_slice(&(args.low + (args.high - args.low) * place).to_ne_bytes());
    }
    let mut cast = Array::zeros(dtype, vec![args.n])?;
    let from = array::block(DType::F64, values.bytes(), 0..args.n)?;
    let to = array::block_mut(dtype, cast.bytes_mut(), 0..args.n)?;
    loaded.rules.cast_kernel(DType::F64, dtype)?.call(from, to)?;
    Ok(cast)
}

fn measure(rules: &RuleSet, op: Op, operands: &[Array]) -> Result<Measured, Failure> {
    let n = operands[0].len();
    let shown: Vec<_> = operands.iter().map(|array| Operand::Array(array.dtype())).collect();
    let types = rules.op_types(op, &shown)?;
    let out = RefCell::new(Array::zeros(types.output, vec![n])?);
    // What an op chooses by decides no dtype.
    let chooses = op.extras().iter().any(|extra| extra.kind == ExtraKind::Condition);
    let condition = chooses.then(|| condition(n)).transpose()?;
    let arguments = condition
        .iter()
        .chain(operands)
        .map(|array| Ok(Argument::Array(array::block(array.dtype(), array.bytes(), 0..n)?)));
    let arguments = arguments.collect::<Result<Vec<_>, Failure>>()?;
    let call = || -> Result<(), Failure> {
        let mut out = out.borrow_mut();
        let out = array::block_mut(types.output, out.bytes_mut(), 0..n)?;
        Ok(rules.elementwise(op, black_box(&arguments), out)?)
    };
    // What is refused is refused here.
    call()?;
    let read: usize = condition.iter().chain(operands).map(|array| array.bytes().len()).sum();
    let bytes = read + out.borrow().bytes().len();
    // A copy reads and writes each of its bytes.
    let of_copy = || memory::zeroed("a copy of as many bytes", bytes / 2);
    let (mut source, copy) = (of_copy()?, RefCell::new(of_copy()?));
    // Memory that nobody has written to is one page of zeros.
    source.fill(1);
    let both = paired(
        || call().expect("what was computed before"),
        || black_box(&mut copy.borrow_mut()[..]).copy_from_slice(black_box(&source)),
    );
    Ok(Measured {
        out: types.output,
        ns: both.ours,
        gb_per_s: bytes as f64 / both.ours,
        copy_ratio: both.ratio,
    })
}

/// Truths without a pattern.
fn condition(n: usize) -> Result<Array, Failure> {
    let mut condition = Array::zeros(DType::Bool, vec![n])?;
    for (i, byte) in condition.bytes_mut().iter_mut().enumerate() {
        *byte = u8::from(((i + 1) as f64 * GOLDEN).fract() < 0.5);
    }
    Ok(condition)
}

fn text(loaded: &Loaded, op: Op, args: &Args, measured: &Measured) -> String {
    let threads = if args.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", args.threads) };
    format!(
        "{}: `{op}` of {} gives {}; {} elements, {threads}, level {}\n  \
         {:.1} ns a call, {:.4} ns an element\n  \
         {:.1} GB/s read and written\n  \
         {:.2} of the speed of a memory copy on one thread\n",
        loaded.rules.name(),
        args.dtypes.join(" and "),
        measured.out,
        args.n,
        Level::active(),
        measured.ns,
        measured.ns / args.n as f64,
        measured.gb_per_s,
        measured.copy_ratio,
    )
}
