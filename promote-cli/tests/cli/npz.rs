//! Archives of arrays: `.npz` files in and out.

use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use promote_cli::files;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::{promote_in, write};

/// The bytes of a `.npy` file of bytes.
fn npy(elements: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    let mut array = Array::zeros(DType::U8, vec![elements.len()]).expect("memory");
    array.bytes_mut().copy_from_slice(elements);
    write(&path, array);
    std::fs::read(path).expect("a file")
}

fn archive(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        archive.start_file(*name, options).expect("a file");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("an archive").into_inner()
}

fn read(path: &Path, bytes: &[u8]) -> Result<Array, String> {
    std::fs::write(path, bytes).expect("a file");
    files::read(path).map_err(|failure| failure.to_string())
}

#[test]
fn archives_name_their_arrays_after_a_colon() {
    let folder = tempfile::tempdir().expect("a folder");
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let files = [("x.npy", &npy(&[1, 2])[..]), ("y.npy", &npy(&[40, 50])), ("about.txt", b"text")];
        std::fs::write(folder.path().join("a.npz"), archive(method, &files)).expect("a file");
        let args = ["eval", "torch", "x + y", "x=a.npz:x", "y=a.npz:y"];
        assert_eq!(promote_in(folder.path(), &args).told(), "[41 52]\ndtype=u8 shape=(2,)\n");
        let told = promote_in(folder.path(), &["eval", "torch", "x", "x=a.npz"]).refused();
        let expected =
            "error: cannot read `a.npz`: it holds 2 arrays\nhelp: write `FILE:ARRAY`; it has `x`, `y`\n";
        assert_eq!(told, expected);
        let told = promote_in(folder.path(), &["eval", "torch", "x", "x=a.npz:z"]).refused();
        assert!(told.contains("it holds no array `z`\nhelp: "), "{told}");
        // The only array needs no name.
        std::fs::write(folder.path().join("b.npz"), archive(method, &files[1..])).expect("a file");
        assert!(
            promote_in(folder.path(), &["eval", "torch", "x", "x=b.npz"]).told().starts_with("[40 50]\n")
        );
    }
}

#[test]
fn results_are_written_under_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x.npy"), npy(&[1, 2])).expect("a file");
    let args = ["eval", "torch", "promote(a, b)", "a=x.npy", "b=x.npy", "-o", "o.npz"];
    assert_eq!(promote_in(folder.path(), &args).told(), "o.npz: a u8 (2,)\no.npz: b u8 (2,)\n");
    let bytes = std::fs::read(folder.path().join("o.npz")).expect("a file");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    assert_eq!(archive.file_names().collect::<Vec<_>>(), ["a.npy", "b.npy"]);
    let mut found = Vec::new();
    archive.by_name("b.npy").expect("a file").read_to_end(&mut found).expect("it is whole");
    assert_eq!(found, npy(&[1, 2]));
    let args = ["eval", "torch", "a + 1", "a=o.npz:a", "-o", "p.npz"];
    assert_eq!(promote_in(folder.path(), &args).told(), "p.npz: u8 (2,)\n");
    assert_eq!(files::read(folder.path().join("p.npz:out")).expect("an array").bytes(), [2, 3]);
}

#[test]
fn rejects_archives_with_false_sizes_before_allocating() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npz");
    // Both headers of the entry claim almost 4 GiB.
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let mut bytes = archive(method, &[("x.npy", &npy(&[7; 64]))]);
        let directory = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").expect("a directory");
        for at in [22, directory + 24] {
            bytes[at..at + 4].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
        }
        assert!(read(&path, &bytes).is_err());
    }
    // The header of the array claims 2^60 elements.
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (1152921504606846976,), }";
    let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    array.extend(format!("{text:<117}\n").bytes());
    let told = read(&path, &archive(CompressionMethod::Stored, &[("x.npy", &array)])).expect_err("a refusal");
    assert!(told.contains("cannot read") && told.contains("which is 1152921504606846976 bytes"), "{told}");
    // A directory of more files than there are bytes.
    let mut bytes = archive(CompressionMethod::Stored, &[("x.npy", &npy(&[7]))]);
    let end = bytes.len() - 22;
    bytes[end + 8..end + 12].copy_from_slice(&[0xff; 4]);
    assert!(read(&path, &bytes).is_err());
}

/// Each of its records could be the end of an archive, and none is.
#[test]
fn rejects_archives_of_false_ends_quickly() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2e\0\0\0\0\0\0\0\0\0";
    let start = std::time::Instant::now();
    assert!(read(&folder.path().join("a.npz"), &record.repeat(20_000)).is_err());
    assert!(start.elapsed().as_secs() < 10);
}

#[test]
fn rejects_damaged_archives() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npz");
    let mut bytes = archive(CompressionMethod::Stored, &[("x.npy", &npy(&[7; 64]))]);
    let at = bytes.windows(4).position(|window| window == [7; 4]).expect("elements");
    bytes[at] = 8;
    let told = read(&path, &bytes).expect_err("a refusal");
    assert!(told.contains("the array `x`: invalid checksum"), "{told}");
    let told = read(&path, &npy(&[1])).expect_err("a refusal");
    assert!(told.contains("it is not a `.npz` file, or not all of one"), "{told}");
    let told = read(&path, &archive(CompressionMethod::Stored, &[("a.txt", b"a")])).expect_err("a refusal");
    assert!(told.contains("it holds no array"), "{told}");
}

/// The bytes of an archive whose last two entries have one name. `ZipWriter` writes no such archives.
fn duplicated(method: CompressionMethod) -> Vec<u8> {
    let mut bytes = archive(method, &[("x.npy", &npy(&[1])), ("y.npy", &npy(&[2]))]);
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"y.npy" {
            bytes[at] = b'x';
        }
    }
    bytes
}

#[test]
fn rejects_two_entries_of_one_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        std::fs::write(folder.path().join("a.npz"), duplicated(method)).expect("a file");
        for file in ["x=a.npz", "x=a.npz:x"] {
            let told = promote_in(folder.path(), &["eval", "torch", "x", file]).refused();
            assert_eq!(
                told,
                "error: cannot read `a.npz`: it has two entries `x.npy`\n\
                 help: write the file again, with another name for each array\n"
            );
        }
    }
}
