//! The `promote` command as a library: one module for each subcommand, on top of `promote-rules` and
//! `promote`.
//!
//! - [`check`], [`table`], [`diff`], [`lattice`], [`explain`], [`cast`], [`eval`], [`mod@bench`]: the subcommands.
//!   Each defines its arguments and a function that returns the text for standard output;
//! - [`generate`]: completion scripts and manual pages;
//! - [`bundled`], [`load`], [`report`]: load a rule set into run-time tables and report the mistakes of its file;
//! - [`expr`], [`plan`]: parse an expression and plan the kernel calls that compute it;
//! - [`mod@array`], [`files`], [`npy`], [`npz`], [`tensors`]: arrays in memory and in files;
//! - [`mod@print`]: arrays as text;
//! - `replace`, `interrupt`: replace files atomically, also when a signal arrives;
//! - `memory`: allocations that return an error instead of aborting;
//! - [`picture`]: parts that the SVG pictures share;
//! - [`failure`], `suggest`: the error type of the subcommands, and what was probably meant by an unknown name;
//! - `terminal`: escapes control characters in all output, and adds colours.
#![forbid(unsafe_code)]

pub mod array;
pub mod bench;
pub mod bundled;
pub mod cast;
pub mod check;
pub mod diff;
pub mod eval;
pub mod explain;
pub mod expr;
pub mod failure;
pub mod files;
pub mod generate;
mod interrupt;
pub mod lattice;
pub mod load;
mod memory;
pub mod npy;
pub mod npz;
pub mod picture;
pub mod plan;
pub mod print;
mod replace;
pub mod report;
mod suggest;
pub mod table;
pub mod tensors;
mod terminal;

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use failure::Failure;

/// Dtype promotion from one declarative rule file: checked, shown, explained, and computed with.
#[derive(Debug, Parser)]
#[command(name = "promote", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Check rule files and sum them up
    Check(check::Args),
    /// Show what every two operands promote to
    Table(table::Args),
    /// Show what two rule sets answer differently
    Diff(diff::Args),
    /// Draw the order that promotion implies
    Lattice(lattice::Args),
    /// Say what operands promote to, which clauses decide, and what can be lost
    Explain(explain::Args),
    /// Say at which levels a cast is allowed, and what it can lose
    Cast(cast::Args),
    /// Compute an expression over arrays in .npy, .npz and .safetensors files
    Eval(eval::Args),
    /// Measure an op over arrays in memory
    Bench(bench::Args),
    /// Write a completion script for a shell
    Completions(generate::CompletionsArgs),
    /// Write a manual page, to be read by `man -l -`
    Manual(generate::ManualArgs),
}

/// The stack for the parsers, which recurse: as much as the longest text needs that they are given.
const STACK: usize = 256 << 20;

/// Does what the arguments say, the first of which is the name of the program.
///
/// The exit code is 0, 1 after a refusal, which is told on standard error, or 2 after arguments that make no
/// sense.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().map(numbers_are_no_flags).collect();
    let here = args.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || obey(args));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The message of a panic is on standard error already.
        Ok(Err(_)) => ExitCode::from(101),
        Err(_) => obey(here),
    }
}

/// `-3` and `-1j` are operands: a space before them keeps them from being read as flags.
fn numbers_are_no_flags(arg: OsString) -> OsString {
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
            // There is nobody to tell if the stream is closed.
            let _ = if dangerous { tell_plainly(&error) } else { error.print() };
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let form = verb.form();
    let told = match verb {
        Verb::Check(args) => check::run(&args),
        Verb::Table(args) => table::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Lattice(args) => lattice::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Cast(args) => cast::run(&args),
        Verb::Eval(args) => eval::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Completions(args) => {
            say_bytes(&generate::completions(&args, Cli::command())).map(|()| String::new())
        }
        Verb::Manual(args) => {
            generate::manual(&args, Cli::command()).and_then(|page| say_bytes(&page)).map(|()| String::new())
        }
    };
    match told.and_then(|text| say(&text, form)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.is_first() {
                let _ = writeln!(std::io::stderr(), "{}", failure.styled());
            }
            if let Some(text) = failure.stdout() {
                let _ = say(text, form);
            }
            if !failure.is_first() {
                let _ = writeln!(std::io::stderr(), "{}", failure.styled());
            }
            ExitCode::FAILURE
        }
    }
}

/// What standard output gets.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Text for a person that begins with a title.
    Titled,
    /// Text for a person.
    Text,
    /// Something for a program.
    Other,
}

impl Verb {
    fn form(&self) -> Form {
        let is_text = match self {
            Verb::Check(args) => args.is_text(),
            Verb::Table(args) => args.is_text(),
            Verb::Diff(args) => args.is_text(),
            Verb::Lattice(args) => args.is_text(),
            Verb::Explain(args) => args.is_text(),
            Verb::Cast(args) => args.is_text(),
            Verb::Bench(args) => args.is_text(),
            Verb::Eval(_) => return Form::Text,
            Verb::Completions(_) | Verb::Manual(_) => false,
        };
        if is_text { Form::Titled } else { Form::Other }
    }
}

/// Writes what is wrong with arguments that would act on a terminal, and which the message repeats.
fn tell_plainly(error: &clap::Error) -> std::io::Result<()> {
    let text = error.render().to_string();
    std::io::stderr().write_all(terminal::lines(&text).as_bytes())
}

/// Writes a text to standard output, in colours if it is for a person and they are shown there.
fn say(text: &str, form: Form) -> Result<(), Failure> {
    // What comes from files is escaped before the colours are added.
    let text = terminal::lines(text);
    match form {
        Form::Titled | Form::Text if terminal::shows_colours(&std::io::stdout()) => {
            say_bytes(terminal::coloured_dtypes(&text, matches!(form, Form::Titled)).as_bytes())
        }
        _ => say_bytes(text.as_bytes()),
    }
}

/// Writes to standard output. A reader that has heard enough is no failure.
fn say_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
