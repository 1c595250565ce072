//! `promote eval`: an expression over arrays in files.

mod promoted;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use indicatif::{ProgressBar, ProgressStyle};
use promote::{DType, Op, RuleSet};

use crate::array::Array;
use crate::bundled::RulesArgs;
use crate::expr;
use crate::failure::{Failure, listed};
use crate::files::Format;
use crate::plan::Plan;
use crate::suggest::near;
use crate::{array, files, print, tensors, terminal};

/// How many computed elements are worth a progress bar.
const LONG: usize = 1 << 27;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Names, numbers, parentheses, + - * / == != < <= > >=, and calls such as maximum(a, b) or lerp(a, b,
    /// weight = 0.25); or promote(a, b), which converts each array to the common dtype
    #[arg(allow_hyphen_values = true)]
    expr: String,
    /// An array of the expression: NAME=x.npy, NAME=x.npz:ARRAY or NAME=x.safetensors:TENSOR; NAME=- reads
    /// standard input
    #[arg(value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(|text| Binding::parse(&text)))]
    arrays: Vec<Binding>,
    /// The file to write: .npy, .npz or .safetensors; of promote(a, b) one of the last two, with an array of
    /// each name. `-` is standard output. Without it, the result is printed, at most 1000 elements of it
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// The format of standard input and standard output where an array is read or written there, as `-`
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Args {
    /// Checks that the result can be written, and returns the format; `None` if it is printed.
    fn destination(&self) -> Result<Option<Format>, Failure> {
        let streams = self.arrays.iter().filter(|binding| files::is_stream(files::split(&binding.file).0));
        let streams: Vec<&Binding> = streams.collect();
        if let [first, second, ..] = streams[..] {
            let message =
                format!("the names `{}` and `{}` both read standard input", first.name, second.name);
            return Err(Failure::new(message).help("write one of the arrays to a file first"));
        }
        let writes = self.out.as_ref().is_some_and(files::is_stream);
        if self.format.is_some() && streams.is_empty() && !writes {
            return Err(Failure::new(
                "`--format` names the format of `-`, and neither an array nor `-o` is `-`",
            )
            .help("leave it out: the format of a file goes by its extension"));
        }
        self.out.as_ref().map(|out| files::check_destination(out, self.format)).transpose()
    }

    /// Reads the arrays of these names.
    fn read(&self, names: &[String]) -> Result<Vec<Array>, Failure> {
        bind(names, &self.arrays)?.iter().map(|file| files::read_from(file, self.format)).collect()
    }
}

/// A name and the file of its array.
#[derive(Clone, Debug)]
pub struct Binding {
    name: String,
    file: OsString,
}

impl Binding {
    fn parse(text: &OsStr) -> Result<Binding, &'static str> {
        let (name, file) = files::split_once(text, "=").ok_or("write NAME=FILE")?;
        let name = name.to_str().ok_or("the name is not UTF-8 text")?.to_owned();
        if file.is_empty() {
            return Err("write NAME=FILE");
        }
        Ok(Binding { name, file: file.to_owned() })
    }
}

/// Computes the expression, and writes or prints the result.
///
/// # Errors
/// Rules, expression, files and dtypes do not fit together. Then no file is written.
pub fn run(args: &Args) -> Result<String, Failure> {
    let rules = args.rules.load()?.rules;
    let text = args.expr.trim();
    if let Some(names) = expr::promoted(text)? {
        return promoted::run(&rules, names, args);
    }
    let tables = rules.tables().ops.iter();
    let computed = tables.filter(|table| table.kernel.is_some() || RuleSet::reduces(table.op));
    let ops: Vec<Op> = computed.map(|table| table.op).collect();
    let expression = expr::parse(text, &ops)?;
    bind(&expression.names, &args.arrays)?;
    let format = args.destination()?;
    let inputs = args.read(&expression.names)?;

    let plan = Plan::new(rules, &expression, &inputs)?;
    let dtype = plan.dtype()?;
    format.map_or(Ok(()), |format| format.takes(dtype))?;
    let progress = progress(plan.work());
    let result = plan.run(|elements| progress.inc(elements as u64))?;
    progress.finish_and_clear();

    let (Some(path), Some(format)) = (&args.out, format) else { return print::text(&result) };
    let out = path.display().to_string();
    let shape = array::shape_text(result.shape());
    let mut told = format!("{}: {} {shape}\n", terminal::line(&out), result.dtype());
    if matches!(format, Format::Npy | Format::Npz) && result.dtype() == DType::BF16 {
        told.push_str("NumPy has no name for bf16: `np.load(..).view(ml_dtypes.bfloat16)` reads it\n");
    }
    write(path, format, told, vec![(tensors::NAME.to_owned(), result)])
}

/// Writes named arrays, and returns what is told of them: nothing if they are written to standard output.
fn write(out: &Path, format: Format, told: String, arrays: Vec<(String, Array)>) -> Result<String, Failure> {
    if files::is_stream(out) {
        files::write_to_stdout(format, arrays)?;
        return Ok(String::new());
    }
    files::write(out, arrays)?;
    Ok(told)
}

/// The file of each name of the expression.
fn bind<'a>(names: &[String], arrays: &'a [Binding]) -> Result<Vec<&'a OsStr>, Failure> {
    for (at, Binding { name, .. }) in arrays.iter().enumerate() {
        if !is_name(name) {
            return Err(Failure::new(format!("`{name}` cannot name an array"))
                .help("a name is of letters, digits and `_`, and does not begin with a digit"));
        }
        if arrays[..at].iter().any(|earlier| earlier.name == *name) {
            return Err(Failure::new(format!("the name `{name}` is given two files")));
        }
    }
    let is_used = |binding: &&Binding| names.contains(&binding.name);
    let missing = |name: &String| {
        let given = listed(arrays.iter().map(|binding| binding.name.as_str()));
        let unused = arrays.iter().filter(|binding| !is_used(binding));
        let unused: Vec<&str> = unused.map(|binding| binding.name.as_str()).collect();
        Failure::new(format!("the expression uses the name `{name}`, which is given no file")).help(near(
            name,
            &unused,
            &format!("add `{name}=FILE`; given are {given}"),
        ))
    };
    let file = |name: &String| {
        let found = arrays.iter().find(|binding| binding.name == *name);
        found.map(|binding| binding.file.as_os_str()).ok_or_else(|| missing(name))
    };
    let files = names.iter().map(file).collect::<Result<Vec<_>, _>>()?;
    match arrays.iter().find(|binding| !is_used(binding)) {
        Some(Binding { name, .. }) => {
            Err(Failure::new(format!("the expression does not use the name `{name}`")))
        }
        None => Ok(files),
    }
}

fn is_name(name: &str) -> bool {
    // Whatever the parser of expressions takes as one.
    expr::parse(name, &[]).is_ok_and(|expression| expression.names == [name])
}

fn progress(work: usize) -> ProgressBar {
    if work < LONG {
        return ProgressBar::hidden();
    }
    // It draws on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(work as u64);
    match ProgressStyle::with_template("{wide_bar} {percent}% {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
