//! Files that are not what they say: a sentence each, and never a panic, a large allocation or an endless
//! loop.

use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use promote_cli::files;

use crate::{promote_in, repository, write};

fn read(path: &Path, bytes: &[u8]) -> Result<Array, String> {
    std::fs::write(path, bytes).expect("a file");
    files::read(path.to_str().expect("UTF-8")).map_err(|failure| {
        let text = failure.to_string();
        assert!(text.starts_with("error: cannot read "), "{text}");
        text
    })
}

/// A small file of each format.
fn samples(folder: &Path) -> [(std::path::PathBuf, Vec<u8>); 3] {
    ["a.npy", "a.npz", "a.safetensors"].map(|name| {
        let path = folder.join(name);
        let mut array = Array::zeros(DType::F32, vec![2, 3]).expect("memory");
        array.bytes_mut().fill(0x3f);
        write(&path, array);
        let bytes = std::fs::read(&path).expect("it was written");
        (path, bytes)
    })
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn rejects_truncated_and_overlong_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in samples(folder.path()) {
        for length in 0..bytes.len() {
            assert!(read(&path, &bytes[..length]).is_err(), "{} of {length} bytes", path.display());
        }
        // Bytes behind an archive are not a part of it, as in Python.
        let is_archive = path.extension().is_some_and(|extension| extension == "npz");
        assert_eq!(read(&path, &[&bytes[..], &[0]].concat()).is_ok(), is_archive);
        assert!(read(&path, &bytes).is_ok());
    }
}

#[test]
fn reads_or_rejects_files_with_changed_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (path, bytes) in samples(folder.path()) {
        for _ in 0..1500 {
            let mut changed = bytes.clone();
            for _ in 0..=random.next() % 3 {
                let at = random.next() as usize % changed.len();
                changed[at] = random.next() as u8;
            }
            let _ = read(&path, &changed);
        }
        for length in 0..200 {
            let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            assert!(read(&path, &noise).is_err());
            assert!(read(&path, &[&bytes[..8], &noise].concat()).is_err());
        }
    }
}

#[test]
fn rejects_headers_with_false_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    let npy = |shape: &str| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file
    };
    for shape in [
        "(1000000000000,)",
        "(9223372036854775808, 4)",
        "(18446744073709551616,)",
        "(4294967296, 4294967296, 0)",
        // Their bytes, counted with 64 bits, are as many as there are: none.
        "(2305843009213693952,)",
        "(4294967296, 4294967296)",
        "(0xffffffffffffffff, 0xffffffffffffffff)",
        "(-1,)",
        "(1.5,)",
        "(True,)",
        "5",
        "(3)",
        "(,)",
        "(3,,)",
        "(3,) 4",
        "(3",
        "((1,),)",
        "((((((((((((((((((((((((((((((",
        "{{{{{{{{{{{{{{{{{{{{",
        "[[[[[[[[[[[[[[",
        "'",
    ] {
        let told = read(&path, &npy(shape)).expect_err("a refusal");
        assert!(told.len() < 500, "{told}");
    }
    // The length of the header itself.
    assert!(read(&path, b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}").is_err());
    assert!(read(&path, b"\x93NUMPY\x01\x00\xff\xff{}").is_err());
    for version in [b"\x09\x00", b"\x00\x00", b"\x01\x01"] {
        let file = [b"\x93NUMPY", &version[..], b"\x02\x00{}"].concat();
        let told = read(&path, &file).unwrap_err();
        let expected = format!("its format version {}.{} is unknown", version[0], version[1]);
        assert!(told.contains(&expected), "{told}");
    }
    let mut spaces = b"\x93NUMPY\x02\x00\x00\x00\x10\x00".to_vec();
    spaces.resize(12 + (1 << 20), b' ');
    assert!(read(&path, &spaces).expect_err("a refusal").contains("more than 10000"));

    let path = folder.path().join("a.safetensors");
    let tensors =
        |header: &str, data: &[u8]| [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat();
    for header in [
        r#"{"a":{"dtype":"F32","shape":[1000000000000],"data_offsets":[0,4000000000000]}}"#,
        r#"{"a":{"dtype":"F32","shape":[9223372036854775808,9223372036854775808],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#,
        r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#,
        r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
        r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#,
        r#"{"a":{"dtype":"F8_E8M0","shape":[8],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"F4","shape":[16],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"X","shape":[8],"data_offsets":[0,8]}}"#,
        r#"{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}"#,
        "{}",
        "[]",
        "nonsense",
        "",
    ] {
        let told = read(&path, &tensors(header, &[0; 8])).expect_err("a refusal");
        assert!(told.len() < 500, "{told}");
    }
    assert!(read(&path, &tensors(&"[".repeat(100_000), &[])).is_err());
    assert!(read(&path, &[0xff; 64]).is_err());
}

#[test]
fn the_command_reports_errors_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("d.npy")).expect("a folder");
    std::fs::copy(repository("examples/data/gain.safetensors"), folder.path().join("swapped.npy"))
        .expect("a copy");
    std::fs::copy(repository("examples/data/gain.npy"), folder.path().join("swapped.safetensors"))
        .expect("a copy");
    std::fs::write(folder.path().join("empty.npy"), []).expect("a file");
    for (file, expected) in [
        ("d.npy", "it is a directory"),
        ("swapped.npy", "it is not a `.npy` file"),
        ("swapped.safetensors", "it is not a `.safetensors` file"),
        ("empty.npy", "it has less than 8 bytes"),
        ("nowhere.safetensors", "no such file"),
    ] {
        let told =
            promote_in(folder.path(), &["eval", "torch", "a", &format!("a={file}"), "-o", "o.npy"]).refused();
        assert!(told.contains(expected), "{file}: {told}");
        assert!(told.lines().count() <= 2, "{told}");
    }
    assert!(!folder.path().join("o.npy").exists());
}

#[test]
#[cfg(unix)]
fn rejects_files_that_are_not_regular_without_waiting() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.npy")).expect("a link");
    let told = promote_in(folder.path(), &["eval", "torch", "a", "a=zero.npy", "-o", "o.npy"]).refused();
    assert!(told.contains("it is not a regular file"), "{told}");
    let told = promote_in(folder.path(), &["check", "/dev/zero"]).refused();
    assert!(
        told.contains("cannot read the rule file `/dev/zero`: it is not a regular file\nhelp: "),
        "{told}"
    );
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("fifo.rs")).status();
    assert!(made.expect("it runs").success());
    let told = promote_in(folder.path(), &["check", "fifo.rs"]).refused();
    assert!(told.contains("cannot read the rule file `fifo.rs`: it is not a regular file\nhelp: "), "{told}");
    let told = promote_in(folder.path(), &["check", "torch", "--base", "fifo.rs"]).refused();
    assert!(told.contains("it is not a regular file"), "{told}");
}

/// Pipes that a shell opens for the command are read to their end.
#[test]
#[cfg(target_os = "linux")]
fn rule_files_may_come_from_a_pipe() {
    for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let output = std::process::Command::new("sh")
            .args(["-c", "cat \"$0\" | \"$1\" check \"$2\""])
            .arg(repository("rules/numpy.rs"))
            .arg(assert_cmd::cargo::cargo_bin("promote"))
            .arg(name)
            .output()
            .expect("it runs");
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(told.starts_with(&format!("NumPy ({name}): no mistakes\n")), "{told}");
    }
}

#[test]
#[cfg(unix)]
fn paths_that_are_not_utf_8_are_read_and_written() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let name = |end: &[u8]| OsStr::from_bytes(&[b"\xff=\xfe", end].concat()).to_owned();
    let run = |binding: &[u8], out: &[u8]| {
        let output = assert_cmd::Command::cargo_bin("promote")
            .expect("the command is built with its tests")
            .current_dir(folder.path())
            .args(["eval", "torch", "a + 1"])
            .arg(OsStr::from_bytes(&[b"a=", binding].concat()))
            .arg("-o")
            .arg(name(out))
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    write(&folder.path().join(name(b".npy")), Array::zeros(DType::U8, vec![1]).expect("memory"));
    assert_eq!(run(b"\xff=\xfe.npy", b".safetensors"), (Some(0), String::new()));
    assert_eq!(run(b"\xff=\xfe.safetensors", b"1.npy"), (Some(0), String::new()));
    assert_eq!(run(b"\xff=\xfe.safetensors:out", b"2.npy"), (Some(0), String::new()));
    assert_eq!(files::read(folder.path().join(name(b"2.npy"))).expect("an array").bytes(), [2]);
    let (code, told) = run(b"\xff=\xfe.safetensors:\xff", b"3.npy");
    assert_eq!(code, Some(1));
    assert!(told.contains("it has no tensor `\u{fffd}`: the name is not UTF-8 text"), "{told}");
}

#[test]
fn rejects_files_that_are_not_rule_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rules.rs");
    let rules = |body: &str| format!("promote::rules! {{ rules T; dtypes bool u8; {body} }}");
    for text in [
        String::new(),
        "\u{feff}fn main() {}".to_owned(),
        "(".repeat(100_000),
        "(".repeat(100_000) + &")".repeat(100_000),
        format!("fn f() {{ {}1 }}", "-".repeat(40_000)),
        rules(&format!("promote {{ any, any if {}x => a; }}", "!".repeat(40_000))),
        rules(&format!("promote {{ any, any => {} a; }}", "weak ".repeat(40_000))),
        rules(&"junk ".repeat(40_000)),
        "a ".repeat(60_000),
    ] {
        std::fs::write(&path, text).expect("a file");
        let told = promote_in(folder.path(), &["check", "rules.rs"]).refused();
        assert!(told.len() < 2_000_000);
    }
    std::fs::write(&path, [0xff, 0xfe, 0]).expect("a file");
    assert!(promote_in(folder.path(), &["check", "rules.rs"]).refused().contains("it is not UTF-8 text"));
}
