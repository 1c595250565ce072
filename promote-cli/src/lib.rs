//! The `promote` command as a library: one module for each subcommand, on top of `promote-rules` and
//! `promote`.
//!
//! - [`check`], [`list`], [`table`], [`diff`], [`lattice`], [`explain`], [`cast`], [`emit`], [`eval`],
//!   [`mod@bench`]: the subcommands. Each defines its arguments and a function that returns the text for
//!   standard output;
//! - [`generate`]: completion scripts and manual pages;
//! - [`load`], [`report`]: load a rule set into run-time tables and report the mistakes of its file;
//! - [`expr`], [`plan`]: parse an expression and plan the kernel calls that compute it;
//! - [`mod@array`], [`stored`], [`files`], [`npy`], [`npz`], [`tensors`]: arrays in memory and in files;
//! - [`mod@print`]: arrays as text;
//! - `columns`: text in aligned columns;
//! - [`answer`], [`output`]: the text of a subcommand; the options `--format` and `-o`;
//! - `replace`, `interrupt`: replace files atomically, also when a signal arrives;
//! - `system`: errors and kinds of files of the operating system;
//! - `memory`: allocations that return an error instead of aborting, and notes about long ones;
//! - `progress`: the progress bar of long computations;
//! - [`picture`]: parts that the SVG pictures share;
//! - [`names`]: the names by which dtypes are read and shown;
//! - `operands`: look-up of dtypes and ops by name, and titles;
//! - [`failure`], `suggest`: the error type of the subcommands, and suggestions for unknown names;
//! - `terminal`: escapes control characters in all output, and adds colours.
#![forbid(unsafe_code)]

pub mod answer;
pub mod array;
pub mod bench;
pub mod cast;
pub mod check;
mod columns;
pub mod diff;
pub mod emit;
pub mod eval;
pub mod explain;
pub mod expr;
pub mod failure;
pub mod files;
pub mod generate;
mod interrupt;
pub mod lattice;
pub mod list;
pub mod load;
mod memory;
pub mod names;
pub mod npy;
pub mod npz;
mod operands;
pub mod output;
pub mod picture;
pub mod plan;
pub mod print;
mod progress;
mod replace;
pub mod report;
pub mod stored;
mod suggest;
mod system;
pub mod table;
pub mod tensors;
mod terminal;

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use answer::Answer;
use failure::Failure;
use output::Form;

/// Dtype promotion from declarative rule files: check, show, explain and compare rules, and compute with them
#[derive(Debug, Parser)]
#[command(name = "promote", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Check rule files for mistakes, and summarize them
    Check(check::Args),
    /// List the bundled rule sets, or the parameters, dtypes and ops of one
    List(list::Args),
    /// Show the dtype that each pair of dtypes promotes to
    Table(table::Args),
    /// Show where two rule sets differ
    Diff(diff::Args),
    /// Draw the order of dtypes that promotion implies
    Lattice(lattice::Args),
    /// Explain the result of operands, or an op as a rule set defines it
    Explain(explain::Args),
    /// Show which casting levels allow a cast, and what it can lose
    Cast(cast::Args),
    /// Write the tables of a rule set as a source file in Rust, C, C++, Python or JSON
    Emit(emit::Args),
    /// Compute an expression over arrays in .npy, .npz and .safetensors files
    Eval(eval::Args),
    /// Measure the speed of an op over arrays in memory
    Bench(bench::Args),
    /// Print a completion script for a shell
    Completions(generate::CompletionsArgs),
    /// Print a manual page, for `man -l -`
    Manual(generate::ManualArgs),
}

/// The size of the stack for the parsers. They recurse, and their longest input needs this much.
const STACK: usize = 256 << 20;

/// Runs the command with its arguments, the first of which is the name of the program.
///
/// Returns the exit code: 0, or 1 after an error, or 2 for arguments that are not understood. Messages go to
/// standard error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().map(negative_numbers_are_operands).collect();
    let here = args.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || obey(args));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The message of a panic is on standard error already.
        Ok(Err(_)) => ExitCode::from(101),
        Err(_) => obey(here),
    }
}

/// Puts a space before negative numbers such as `-3` and `-1j`, which would be read as flags otherwise.
fn negative_numbers_are_operands(arg: OsString) -> OsString {
    match arg.to_str().map(str::as_bytes) {
        Some([b'-', b'0'..=b'9' | b'.' | b'(' | b' ', ..]) => {
            let mut spaced = OsString::from(" ");
            spaced.push(arg);
            spaced
        }
        _ => arg,
    }
}

fn obey(args: Vec<OsString>) -> ExitCode {
    let dangerous = args.iter().any(|arg| arg.to_string_lossy().contains(terminal::is_dangerous));
    let verb = match Cli::try_parse_from(args) {
        Ok(cli) => cli.verb,
        Err(error) => {
            // A failed write to standard error can be reported nowhere.
            let _ = if dangerous { tell_plainly(&error) } else { error.print() };
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let failure = match verb.run().and_then(|answer| verb.show(&answer)) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    let answer = match (failure.answer(), verb.destination()) {
        (Some(answer), _) => Some(answer.clone()),
        // Programs read the error on standard output. A file that `-o` names stays as it is.
        (None, (None, Form::Json)) => {
            Some(Answer::new(failure.message(), terminal::json(&failure.as_json())))
        }
        (None, _) => None,
    };
    let show = || answer.as_ref().map_or(Ok(()), |answer| verb.show(answer));
    // An answer that cannot be written has an error of its own already.
    if failure.is_first() {
        let _ = writeln!(std::io::stderr(), "{}", failure.styled());
        let _ = show();
    } else {
        let _ = show();
        let _ = writeln!(std::io::stderr(), "{}", failure.styled());
    }
    ExitCode::FAILURE
}

impl Verb {
    /// Runs the subcommand.
    fn run(&self) -> Result<Answer, Failure> {
        if let (Some(file), _) = self.destination() {
            replace::check(file)?;
        }
        match self {
            Verb::Check(args) => check::run(args),
            Verb::List(args) => list::run(args),
            Verb::Table(args) => table::run(args),
            Verb::Diff(args) => diff::run(args),
            Verb::Lattice(args) => lattice::run(args),
            Verb::Explain(args) => explain::run(args),
            Verb::Cast(args) => cast::run(args),
            Verb::Emit(args) => emit::run(args),
            Verb::Eval(args) => eval::run(args).map(|text| Answer::new("", text)),
            Verb::Bench(args) => bench::run(args),
            Verb::Completions(args) => {
                say_bytes(&generate::completions(args, Cli::command())).map(|()| Answer::new("", ""))
            }
            Verb::Manual(args) => {
                let page = generate::manual(args, Cli::command())?;
                say_bytes(&page).map(|()| Answer::new("", ""))
            }
        }
    }

    /// Returns the file that gets the answer, or `None` for standard output, and the kind of text.
    fn destination(&self) -> (Option<&Path>, Form) {
        match self {
            Verb::Check(args) => args.answer.destination(),
            Verb::List(args) => args.answer.destination(),
            Verb::Table(args) => args.answer.destination(),
            Verb::Diff(args) => args.answer.destination(),
            Verb::Lattice(args) => args.answer.destination(),
            Verb::Explain(args) => args.answer.destination(),
            Verb::Cast(args) => args.answer.destination(),
            Verb::Bench(args) => args.answer.destination(),
            Verb::Emit(args) => (args.output.file(), args.lang.into()),
            // `eval` writes arrays to files.
            Verb::Eval(_) => (None, Form::Text),
            Verb::Completions(_) | Verb::Manual(_) => (None, Form::Other),
        }
    }

    /// Writes an answer to the file that `-o` names, or to standard output.
    fn show(&self, answer: &Answer) -> Result<(), Failure> {
        match self.destination() {
            (Some(file), _) => say(&output::write(answer, file)?, Form::Text),
            (None, form) => say(&answer.text, form),
        }
    }
}

/// Writes an error about arguments with control characters, which its message repeats, in escaped form.
fn tell_plainly(error: &clap::Error) -> std::io::Result<()> {
    let text = error.render().to_string();
    std::io::stderr().write_all(terminal::lines(&text).as_bytes())
}

/// Writes a text to standard output, in colours if a terminal shows it to a person.
fn say(text: &str, form: Form) -> Result<(), Failure> {
    // Text from files is escaped before the colours are added.
    let text = terminal::lines(text);
    match form {
        Form::Titled | Form::Text if terminal::shows_colours(&std::io::stdout()) => {
            say_bytes(terminal::coloured_dtypes(&text, matches!(form, Form::Titled)).as_bytes())
        }
        _ => say_bytes(text.as_bytes()),
    }
}

/// Writes bytes to standard output. A reader that closes the pipe early is not an error.
fn say_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
