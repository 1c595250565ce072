//! `promote bench`: the speed of an op over arrays in memory, beside a copy of as many bytes.

use std::cell::RefCell;
use std::hint::black_box;

use promote::{Argument, DType, ExtraKind, Level, Op, Operand, RuleSet};
use promote_core::__private::KernelOp;
use promote_measure::paired;
use serde_json::json;

use crate::answer::Answer;
use crate::array::{self, Array};
use crate::failure::{Failure, counted};
use crate::load::{Loaded, RulesArgs};
use crate::output::{AnswerArgs, Format};
use crate::{memory, operands, terminal};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The op to measure
    op: String,
    /// The dtype of each operand
    #[arg(required = true, value_name = "DTYPE", num_args = 1..=2)]
    dtypes: Vec<String>,
    /// The number of elements of each array
    #[arg(long, default_value_t = 1 << 20, value_parser = elements)]
    n: usize,
    /// The number of threads
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// The smallest value of the operands
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true)]
    low: f64,
    /// The largest value of the operands
    #[arg(long, default_value_t = 3.0, allow_hyphen_values = true)]
    high: f64,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

/// The golden ratio. The fractional parts of its multiples are spread over 0 to 1 and never repeat.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

fn elements(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "write a number of elements, 1 or more".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|n| (1..=1024).contains(n));
    threads.ok_or_else(|| "write a number of threads, 1 to 1024".to_owned())
}

/// The result of a measurement.
struct Measured {
    out: DType,
    /// The time of a call in nanoseconds.
    ns: f64,
    /// The bytes read and written in a nanosecond.
    gb_per_s: f64,
    /// The time of a copy of as many bytes, divided by the time of the call.
    copy_ratio: f64,
}

/// Measures an op.
///
/// # Errors
/// Returns an error if the rule set has mistakes, refuses the operands, or does not know the op or a dtype,
/// or if a kernel, memory or a thread is missing.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let loaded = args.rules.load()?;
    let op = operands::op(&loaded, &args.op)?;
    if let Op::Custom(_) = op {
        let message = format!("the kernel of `{op}` is in the program that has it, and not in the rule file");
        return Err(Failure::new(message));
    }
    if args.dtypes.len() != op.arity() {
        let (expected, found) = (op.arity(), args.dtypes.len());
        let of_operands = if expected == 1 { "1 operand".to_owned() } else { format!("{expected} operands") };
        let message = format!("`{op}` has {of_operands}, and the number of dtypes given is {found}");
        return Err(Failure::new(message).help("name the dtype of each operand"));
    }
    if KernelOp::of(op).is_none() {
        let (rules, dtypes) = (loaded.rules.name(), args.dtypes.join(" "));
        let message = format!("`{op}` cannot be measured: it is not computed element by element");
        let help =
            format!("its dtypes under {rules}: `promote explain {} --op {op} {dtypes}`", args.rules.name());
        return Err(Failure::new(message).help(help));
    }
    let dtypes =
        args.dtypes.iter().map(|name| operands::dtype(&loaded, name)).collect::<Result<Vec<_>, Failure>>()?;
    let operands = dtypes.iter().enumerate().map(|(at, dtype)| operand(&loaded, args, *dtype, at));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let rules = &loaded.rules;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let pool = pool.map_err(|error| Failure::new(format!("no {} threads: {error}", args.threads)))?;
    let measured = pool.install(|| measure(rules, op, &operands))?;
    let text = text(&loaded, op, args, &measured);
    let title = text.lines().next().unwrap_or_default().to_owned();
    let text = match args.answer.format {
        Format::Text => text,
        Format::Json => {
            let json = json!({
                "rules": loaded.rules.name(),
                "op": op.name(),
                "dtypes": args.dtypes,
                "out": loaded.show(measured.out),
                "n": args.n,
                "threads": args.threads,
                "level": Level::active().name(),
                "ns": measured.ns,
                "gb_per_s": measured.gb_per_s,
                "copy_ratio": measured.copy_ratio,
            });
            terminal::json(&json)
        }
    };
    Ok(Answer::new(title, text))
}

/// Creates an operand with values from the whole range, in an order that branch prediction cannot learn.
fn operand(loaded: &Loaded, args: &Args, dtype: DType, at: usize) -> Result<Array, Failure> {
    let mut values = Array::zeros(DType::F64, vec![args.n])?;
    for (i, bytes) in values.bytes_mut().chunks_exact_mut(8).enumerate() {
        let fraction = ((i + 1) as f64 * GOLDEN + at as f64 * 0.37).fract();
        bytes.copy_from_slice(&(args.low + (args.high - args.low) * fraction).to_ne_bytes());
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
    // A condition takes no part in promotion.
    let chooses = op.extras().iter().any(|extra| extra.kind == ExtraKind::Condition);
    let condition = chooses.then(|| condition(n)).transpose()?;
    let arguments = condition
        .iter()
        .chain(operands)
        .map(|array| Ok(Argument::Slice(array::block(array.dtype(), array.bytes(), 0..n)?)));
    let arguments = arguments.collect::<Result<Vec<_>, Failure>>()?;
    let call = || -> Result<(), Failure> {
        let mut out = out.borrow_mut();
        let out = array::block_mut(types.output, out.bytes_mut(), 0..n)?;
        Ok(rules.elementwise(op, black_box(&arguments), out)?)
    };
    // Errors end the command here, before anything is measured.
    call()?;
    let read: usize = condition.iter().chain(operands).map(|array| array.bytes().len()).sum();
    let bytes = read + out.borrow().bytes().len();
    // A copy reads and writes each of its bytes.
    let of_copy = || memory::zeroed("a copy of as many bytes", bytes / 2);
    let (mut source, copy) = (of_copy()?, RefCell::new(of_copy()?));
    // The operating system maps untouched memory to one page of zeros, which stays in the cache.
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

/// Creates a condition with an unpredictable pattern.
fn condition(n: usize) -> Result<Array, Failure> {
    let mut condition = Array::zeros(DType::Bool, vec![n])?;
    for (i, byte) in condition.bytes_mut().iter_mut().enumerate() {
        *byte = u8::from(((i + 1) as f64 * GOLDEN).fract() < 0.5);
    }
    Ok(condition)
}

fn text(loaded: &Loaded, op: Op, args: &Args, measured: &Measured) -> String {
    let threads = counted(args.threads, "thread");
    format!(
        "{}: `{op}` of {} gives {}; {} elements, {threads}, level {}\n  \
         {:.1} ns a call, {:.4} ns an element\n  \
         {:.1} GB/s read and written\n  \
         {:.2} of the speed of a memory copy on one thread\n",
        loaded.rules.name(),
        args.dtypes.join(" and "),
        loaded.show(measured.out),
        args.n,
        Level::active(),
        measured.ns,
        measured.ns / args.n as f64,
        measured.gb_per_s,
        measured.copy_ratio,
    )
}
