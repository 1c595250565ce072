//! The command as its users see it: exit codes, both streams, and the files that it reads and writes.

mod arrays;
mod bench;
mod cast;
mod check;
mod convert;
mod custom;
mod diff;
mod emit;
mod eval;
mod explain;
mod generate;
mod hostile;
mod lattice;
mod list;
mod memory;
mod names;
mod npz;
mod output;
mod picture;
mod printed;
mod readme;
mod statements;
mod streamed;
mod streams;
mod table;
mod terminal;
mod values;
mod weak;
mod wild;

use std::path::PathBuf;

use assert_cmd::Command;
use promote_cli::array::Array;
use promote_cli::{files, tensors};
use serde_json::Value;

/// A file of the repository, by its path from the root.
fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Writes an array as `eval` writes its result.
fn write(path: &std::path::Path, array: Array) {
    files::write(path, vec![(tensors::NAME.to_owned(), array)]).expect("a file");
}

/// The outcome of a run of the command.
struct Ran {
    code: i32,
    stdout: String,
    /// Standard error, without the notes below.
    stderr: String,
    /// Notes that the system of a rule set has another dtype of a name.
    notes: Vec<String>,
}

/// Runs the command in a folder.
fn promote_in(folder: &std::path::Path, args: &[&str]) -> Ran {
    let mut command = Command::cargo_bin("promote").expect("the command is built with its tests");
    let output = command.current_dir(folder).args(args).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("it speaks UTF-8");
    let stderr = text(output.stderr);
    let is_note = |line: &&str| line.starts_with("note: `") && line.ends_with("reads it so\n");
    let (notes, stderr): (Vec<&str>, Vec<&str>) = stderr.split_inclusive('\n').partition(is_note);
    let ran = Ran {
        code: output.status.code().expect("no signal ends it"),
        stdout: text(output.stdout),
        stderr: stderr.concat(),
        notes: notes.into_iter().map(str::to_owned).collect(),
    };
    assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("RUST_BACKTRACE"), "{}", ran.stderr);
    ran
}

fn promote(args: &[&str]) -> Ran {
    promote_in(&repository("examples/data"), args)
}

impl Ran {
    /// Returns the text on standard output; panics if the command failed.
    fn told(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    /// Returns the text on standard error; panics if the command succeeded.
    fn refused(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (1, ""), "{}", self.stderr);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        self.stderr
    }

    /// Returns the text on both streams.
    fn everything(self) -> String {
        self.stdout + &self.stderr
    }

    fn json(self) -> Value {
        serde_json::from_str(&self.told()).expect("it is JSON")
    }
}

#[test]
fn invalid_arguments_exit_with_2() {
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("out.npy");
    let file = file.to_str().expect("UTF-8");
    let wrong: &[&[&str]] = &[
        &[],
        &["tabel", "torch"],
        &["check"],
        &["check", "torch", "--format", "svg"],
        &["table", "torch", "--format", "pdf"],
        &["diff", "torch"],
        &["diff", "torch", "torch", "--format", "dot"],
        &["explain", "torch", "--set-also", "x=y", "i32"],
        &["lattice", "torch", "--format", "html"],
        &["lattice", "torch", "--op", "add"],
        &["lattice"],
        &["table", "torch", "--set", "default_dtype"],
        &["explain", "torch"],
        &["list", "--base", "base.rs"],
        &["explain", "torch", "--no-such-flag", "i32"],
        &["eval", "torch", "a", "image.npy", "-o", file],
    ];
    for args in wrong {
        let ran = promote(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
    assert_eq!(std::fs::read_dir(out.path()).expect("the folder").count(), 0);
    for args in [&["--help"][..], &["--version"], &["eval", "--help"]] {
        promote(args).told();
    }
}

#[test]
fn suggests_the_nearest_rule_set() {
    for verb in
        [&["check", "troch"][..], &["table", "troch"], &["lattice", "troch"], &["explain", "troch", "i32"]]
    {
        let told = promote(verb).refused();
        assert_eq!(
            told,
            "error: there is no rule set `troch`: no bundled one has this name, and no file\n\
             help: did you mean `torch`?\n"
        );
    }
    for (written, meant) in [
        ("pytorch", "torch"),
        ("tensorflow_numpy", "tensorflow-numpy"),
        ("Torch", "torch"),
        ("MlDtypes", "ml-dtypes"),
    ] {
        let told = promote(&["check", written]).refused();
        assert!(told.contains(&format!("help: did you mean `{meant}`?\n")), "{told}");
    }
    let told = promote(&["check", "nothing-like-it"]).refused();
    assert!(
        told.contains("help: a rule set is a path to a rule file or one of `array-api`, `datafusion`, "),
        "{told}"
    );
    assert!(promote(&["check", "."]).refused().contains("cannot read the rule file `.`: it is a directory"));
}

/// A closed pipe is not an error of the command.
#[test]
#[cfg(unix)]
fn closed_pipes_do_not_panic() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("promote"))
        .args(["table", "torch", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
