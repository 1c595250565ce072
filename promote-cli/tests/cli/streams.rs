//! Arrays from standard input and to standard output: `NAME=-` and `-o -`.

use std::io::Write as _;
use std::process::{Output, Stdio};

use promote::DType;
use promote_cli::array::Array;

use crate::{promote, write};

/// Runs the command with bytes on standard input.
fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("promote"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // A run that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// The bytes on standard output, with nothing on standard error.
fn bytes(output: Output) -> Vec<u8> {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    output.stdout
}

/// The bytes of a file that holds `[5, 5, 5]`, of each format.
fn fives(name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let mut array = Array::zeros(DType::U8, vec![3]).expect("memory");
    array.bytes_mut().fill(5);
    write(&path, array);
    std::fs::read(path).expect("a file")
}

#[test]
fn arrays_travel_through_a_pipe_in_each_format() {
    for (format, name) in [("npy", "a.npy"), ("npz", "a.npz"), ("safetensors", "a.safetensors")] {
        let args = ["eval", "torch", "a", "a=-", "-o", "-", "--format", format];
        assert_eq!(bytes(piped(&args, &fives(name))), fives(name), "{format}");
        let told = bytes(piped(&["eval", "torch", "a + 1", "a=-", "--format", format], &fives(name)));
        assert_eq!(String::from_utf8(told).expect("UTF-8"), "[6 6 6]\ndtype=u8 shape=(3,)\n");
    }
    let args = ["eval", "torch", "a + 1", "a=-:out", "--format", "safetensors"];
    assert!(bytes(piped(&args, &fives("a.safetensors"))).starts_with(b"[6 6 6]\n"));
    let args = ["eval", "torch", "promote(a)", "a=-:out", "-o", "-", "--format", "safetensors"];
    assert!(bytes(piped(&args, &fives("a.safetensors"))).ends_with(&[5, 5, 5]));
}

#[test]
fn streams_need_a_format_and_are_read_once() {
    let unknown = "error: the format of `-` is not known, since it has no extension\n\
                   help: add `--format npy`, `--format npz` or `--format safetensors`\n";
    for args in [&["eval", "torch", "a", "a=-"][..], &["eval", "torch", "1 + 1", "-o", "-"]] {
        assert_eq!(promote(args).refused(), unknown);
    }
    let told = promote(&["eval", "torch", "a + b", "a=-", "b=-", "--format", "npy"]).refused();
    assert!(told.starts_with("error: the names `a` and `b` both read standard input\nhelp: "), "{told}");
    let told = promote(&["eval", "torch", "a", "a=image.npy", "--format", "npy"]).refused();
    assert!(
        told.starts_with(
            "error: `--format` names the format of standard input and output (`-`), and neither"
        ),
        "{told}"
    );
}

#[test]
fn streams_are_checked_like_files() {
    let args = ["eval", "torch", "a", "a=-", "-o", "-", "--format", "npy"];
    for (input, expected) in [
        (&b""[..], "cannot read standard input: it is not a `.npy` file: it has less than 8 bytes"),
        (&fives("a.npy")[..130], "cannot read standard input: its header says `u8` and the shape (3,)"),
        (&fives("a.safetensors"), "cannot read standard input: it is not a `.npy` file"),
    ] {
        let output = piped(&args, input);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(expected), "{told}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
}

/// A closed pipe is not an error of the command.
#[test]
#[cfg(unix)]
fn closed_pipes_end_the_output_of_arrays_without_an_error() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("promote"))
        .args(["eval", "torch", "1 + 1", "-o", "-", "--format", "npy"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
}
