//! `promote eval`: computes an expression over arrays in files.

mod promoted;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use promote::{DType, Op};

use crate::expr;
use crate::failure::{Failure, listed};
use crate::files::{Format, Outline};
use crate::load::{Loaded, RulesArgs};
use crate::plan::Plan;
use crate::stored::Input;
use crate::suggest::near;
use crate::{array, files, print, progress, system, tensors, terminal};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// The expression: names, numbers, parentheses, operators as in Rust (+ - * / % & | ^ << >> && || == != <
    /// <= > >= !), and calls such as maximum(a, b), lerp(a, b, weight = 0.25), sum(a, axis = 0) or astype(a,
    /// f16); or promote(a, b), which converts each array to the common dtype
    #[arg(allow_hyphen_values = true)]
    expr: String,
    /// An array in the expression: NAME=x.npy, NAME=x.npz:ARRAY or NAME=x.safetensors:TENSOR; NAME=- reads
    /// standard input
    #[arg(value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(|text| Binding::parse(&text)))]
    arrays: Vec<Binding>,
    /// Write the result to this .npy, .npz or .safetensors file, or to standard output (`-`). Without it, the
    /// result is printed; long results are shortened. The arrays of promote(a, b) keep their names, and need
    /// a .npz or .safetensors file
    #[arg(short, long = "output", visible_alias = "out", value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of arrays that are read from standard input or written to standard output
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Args {
    /// Checks that the result can be written, and returns the format; `None` if it is printed.
    fn destination(&self) -> Result<Option<Format>, Failure> {
        let streams = self.arrays.iter().filter(|binding| system::is_stream(files::split(&binding.file).0));
        let streams: Vec<&Binding> = streams.collect();
        if let [first, second, ..] = streams[..] {
            let message =
                format!("the names `{}` and `{}` both read standard input", first.name, second.name);
            return Err(Failure::new(message).help("write one of the arrays to a file first"));
        }
        let writes = self.out.as_ref().is_some_and(system::is_stream);
        if self.format.is_some() && streams.is_empty() && !writes {
            return Err(Failure::new(
                "`--format` names the format of standard input and output (`-`), and neither is used",
            )
            .help("leave it out: the extension of a file names its format"));
        }
        self.out.as_ref().map(|out| files::check_destination(out, self.format)).transpose()
    }

    /// Opens the arrays of these names.
    fn open(&self, names: &[String]) -> Result<Vec<Input>, Failure> {
        bind(names, &self.arrays)?.iter().map(|file| files::open(file, self.format)).collect()
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
/// Returns an error if the rule set, the expression, the files or the dtypes do not fit together. Then no
/// file is written.
pub fn run(args: &Args) -> Result<String, Failure> {
    let loaded = args.rules.load()?;
    let rules = loaded.rules;
    let text = args.expr.trim();
    if let Some(names) = expr::promoted(text)? {
        return promoted::run(&loaded, &names, args);
    }
    let tables = rules.tables().ops.iter();
    let ops: Vec<Op> = tables.map(|table| table.op).filter(|op| expr::is_computed(*op)).collect();
    let expression = expr::parse_under(Some(&loaded), text, &ops)?;
    bind(&expression.names, &args.arrays)?;
    let format = args.destination()?;
    let inputs = args.open(&expression.names)?;

    let plan = Plan::new(rules, &expression, &inputs)?;
    let dtype = plan.dtype()?;
    format.map_or(Ok(()), |format| format.takes(dtype))?;
    let (Some(path), Some(format)) = (&args.out, format) else { return print(&loaded, &plan) };
    let out = path.display().to_string();
    let shape = array::shape_text(plan.shape());
    let mut told = format!("{}: {} {shape}\n", terminal::line(&out), loaded.show(dtype));
    if matches!(format, Format::Npy | Format::Npz) && dtype == DType::BF16 {
        told.push_str("NumPy has no name for bf16: `np.load(..).view(ml_dtypes.bfloat16)` reads it\n");
    }
    write(path, format, told, &[(tensors::NAME, plan)])
}

/// Computes an array, and prints it.
fn print(loaded: &Loaded, plan: &Plan<'_>) -> Result<String, Failure> {
    let dtype = plan.dtype()?;
    if !dtype.has_type() {
        return Err(Failure::new(format!("elements of `{}` cannot be printed", loaded.show(dtype)))
            .help("copy the array to a file: `-o FILE.safetensors`"));
    }
    let mut printed = print::Printed::new(dtype, plan.shape());
    let progress = progress::bar(plan.work());
    plan.run(&mut |block| printed.take(block), |elements| progress.inc(elements as u64))?;
    progress.finish_and_clear();
    Ok(printed.text(&loaded.show(dtype)))
}

/// Computes and writes named arrays, and returns the text for standard output: none if the arrays are written
/// there.
fn write(out: &Path, format: Format, told: String, arrays: &[(&str, Plan<'_>)]) -> Result<String, Failure> {
    let outline = |(name, plan): &(&str, Plan<'_>)| {
        Ok(Outline { name: (*name).to_owned(), dtype: plan.dtype()?, shape: plan.shape().to_vec() })
    };
    let outlines = arrays.iter().map(outline).collect::<Result<Vec<_>, Failure>>()?;
    let progress = progress::bar(arrays.iter().map(|(_, plan)| plan.work()).fold(0, usize::saturating_add));
    let mut elements = |index: usize, sink: &mut files::Sink<'_>| {
        let (_, plan) = &arrays[index];
        plan.run(sink, |elements| progress.inc(elements as u64))
    };
    let is_stream = system::is_stream(out);
    if is_stream {
        files::write_to_stdout(format, outlines, &mut elements)?;
    } else {
        files::write_computed(out, outlines, &mut elements)?;
    }
    progress.finish_and_clear();
    Ok(if is_stream { String::new() } else { told })
}

/// Returns the file of each name in the expression.
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
        Failure::new(format!("the expression uses the name `{name}`, and no file is given for it"))
            .help(near(name, &unused, &format!("add `{name}=FILE`; the names with a file: {given}")))
    };
    let file = |name: &String| {
        let found = arrays.iter().find(|binding| binding.name == *name);
        found.map(|binding| binding.file.as_os_str()).ok_or_else(|| missing(name))
    };
    let files = names.iter().map(file).collect::<Result<Vec<_>, _>>()?;
    match arrays.iter().find(|binding| !is_used(binding)) {
        Some(Binding { name, .. }) => {
            let used = listed(names.iter().map(String::as_str));
            Err(Failure::new(format!("the expression does not use the name `{name}`"))
                .help(format!("leave out `{name}=..`; the names in the expression: {used}")))
        }
        None => Ok(files),
    }
}

fn is_name(name: &str) -> bool {
    // The parser of expressions decides.
    expr::parse(name, &[]).is_ok_and(|expression| expression.names == [name])
}
