//! Sizes that follow from files and arguments are refused where there is not enough memory, and never end the
//! process.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use promote::DType;
use promote_cli::array::Array;
use tempfile::TempDir;

use crate::{promote_in, write};

/// Makes a `.npy` file with elements that take no blocks of the disk.
fn sparse(folder: &TempDir, name: &str, header: &str, bytes: u64) {
    let text = format!("{header:<117}\n");
    let start = [&b"\x93NUMPY\x01\x00\x76\x00"[..], text.as_bytes()].concat();
    let path = folder.path().join(name);
    std::fs::write(&path, &start).expect("a file");
    let file = std::fs::File::options().write(true).open(path).expect("the file");
    file.set_len(start.len() as u64 + bytes).expect("a length");
}

/// The exit status and the message of the command with 600,000 KiB of addresses, of which its stack and its
/// code take more than half.
fn limited(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("sh")
        .current_dir(folder)
        .args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\""])
        .arg(assert_cmd::cargo::cargo_bin("promote"))
        .args(args)
        .output()
        .expect("it runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let (status, told) = limited(folder, args);
    assert_eq!(status, Some(1), "{args:?}: {told}");
    told
}

/// The files have 268 MB each, which is more than what is left of the addresses.
#[test]
fn expressions_over_long_files_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 16384), }";
    sparse(&folder, "a.npy", header, 1 << 28);
    sparse(&folder, "row.npy", "{'descr': '<f2', 'fortran_order': False, 'shape': (16384,), }", 1 << 15);
    for (expression, arrays) in [
        ("sum(a * 2 + row)", &["a=a.npy", "row=row.npy"][..]),
        ("mean(a, axis = 0)", &["a=a.npy"]),
        ("amax(a + 1, axis = -1)", &["a=a.npy"]),
        ("astype(a, f64) + row > 0", &["a=a.npy", "row=row.npy"]),
    ] {
        let args = [&["eval", "torch", expression, "-o", "o.npy"], arrays].concat();
        assert_eq!(limited(folder.path(), &args), (Some(0), String::new()), "{expression}");
    }
    let told = promote_in(folder.path(), &["eval", "torch", "any(o)", "o=o.npy"]).told();
    assert_eq!(told, "False\ndtype=bool shape=()\n");
}

#[test]
fn rejects_arrays_that_have_to_be_held_and_cannot() {
    let folder = tempfile::tempdir().expect("a folder");
    sparse(&folder, "a.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (1073741824,), }", 1 << 30);
    sparse(
        &folder,
        "f.npy",
        "{'descr': '|u1', 'fortran_order': True, 'shape': (14000, 14000), }",
        196_000_000,
    );
    for (name, shape) in [("column.npy", [1 << 16, 1]), ("row.npy", [1, 1 << 16])] {
        write(&folder.path().join(name), Array::zeros(DType::U8, shape.to_vec()).expect("memory"));
    }
    let eval = |expression, arrays: &[&str]| {
        refused(folder.path(), &[&["eval", "torch", expression, "-o", "o.npy"], arrays].concat())
    };
    assert_eq!(
        eval("dot(a, a)", &["a=a.npy"]),
        "note: `a` is held in memory as a whole: 1073 MB\n\
         error: not enough memory for an array of `u8` and shape (1073741824,): 1073741824 bytes\n"
    );
    assert_eq!(
        eval("a + 1", &["a=f.npy"]),
        "note: `f.npy` is in Fortran order, and is held in memory twice to be reordered: 392 MB\n\
         error: cannot read `f.npy`: not enough memory for an array of `u8` and shape (14000, 14000): 196000000 bytes\n"
    );
    // The inner sum broadcasts.
    let told = "note: `a + b` broadcasts, and is held in memory as a whole: 4294 MB\n\
                error: not enough memory for an array of `u8` and shape (65536, 65536): 4294967296 bytes\n";
    let arrays = ["a=column.npy", "b=row.npy", "c=cube.npy"];
    write(&folder.path().join("cube.npy"), Array::zeros(DType::U8, vec![2, 1, 1]).expect("memory"));
    assert_eq!(eval("(a + b) * c", &arrays), told);
}

#[test]
fn rejects_headers_that_do_not_match_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = format!("{{\"a\":{{\"shape\":[{}1]}}}}", "1,".repeat(40_000_000));
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    std::fs::write(folder.path().join("a.safetensors"), file).expect("a file");
    assert_eq!(
        refused(folder.path(), &["eval", "torch", "a", "a=a.safetensors", "-o", "o.npy"]),
        format!(
            "error: cannot read `a.safetensors`: not enough memory for the tensors of its header: {} bytes\n",
            16 * header.len()
        )
    );
}

/// Text about the file takes no memory beside its own, however many pairs it has.
#[test]
fn headers_of_metadata_are_read_with_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let pairs: Vec<String> = (0..700_000).map(|i| format!("\"{i:x}\":\"\"")).collect();
    let header = format!(
        "{{\"__metadata__\":{{{}}},\"a\":{{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}}}",
        pairs.join(",")
    );
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[7]].concat();
    std::fs::write(folder.path().join("a.safetensors"), file).expect("a file");
    assert_eq!(
        limited(folder.path(), &["eval", "torch", "a", "a=a.safetensors", "-o", "o.npy"]),
        (Some(0), String::new())
    );
}

#[test]
fn rejects_benchmarks_that_need_too_much_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    for (n, expected) in [
        ("1000000000000", "an array of `f64` and shape (1000000000000,): 8000000000000 bytes"),
        ("14000000", "a copy of as many bytes: 84000000 bytes"),
    ] {
        let told = refused(folder.path(), &["bench", "torch", "add", "f32", "f32", "--n", n]);
        assert_eq!(told, format!("error: not enough memory for {expected}\n"));
    }
}

#[test]
fn rejects_empty_arrays_whose_lengths_overflow() {
    let folder = tempfile::tempdir().expect("a folder");
    sparse(&folder, "a.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4294967296, 1), }", 0);
    sparse(&folder, "b.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 1, 4294967296), }", 0);
    for expression in ["a + b", "sum(a * 2 + b)"] {
        let args = ["eval", "torch", expression, "a=a.npy", "b=b.npy", "-o", "o.npy"];
        assert_eq!(
            promote_in(folder.path(), &args).refused(),
            "error: an array of `u8` and shape (0, 4294967296, 4294967296) is too large: its lengths multiply to \
             more than 18446744073709551615\n"
        );
    }
}
