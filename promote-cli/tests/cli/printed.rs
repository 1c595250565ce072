//! `promote eval` without `-o`: the result on standard output.

use promote::DType;
use promote_cli::array::Array;

use crate::{promote, promote_in, write};

/// A folder with `x.npy`, bytes from 0 on in the shape (2, 3).
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut array = Array::zeros(DType::U8, vec![2, 3]).expect("memory");
    for (at, byte) in array.bytes_mut().iter_mut().enumerate() {
        *byte = at as u8;
    }
    write(&folder.path().join("x.npy"), array);
    folder
}

#[test]
fn prints_the_result_with_its_dtype_and_shape() {
    let folder = folder();
    let told = |expression: &str| promote_in(folder.path(), &["eval", "torch", expression, "x=x.npy"]).told();
    assert_eq!(told("x / 2"), "[[0.  0.5 1. ]\n [1.5 2.  2.5]]\ndtype=f32 shape=(2, 3)\n");
    assert_eq!(told("x > 2"), "[[False False False]\n [ True  True  True]]\ndtype=bool shape=(2, 3)\n");
    assert_eq!(told("sum(x)"), "15\ndtype=i64 shape=()\n");
    assert_eq!(promote(&["eval", "numpy", "1 / 4"]).told(), "0.25\ndtype=f64 shape=()\n");
}

#[test]
fn prints_only_the_ends_of_a_large_array() {
    let told = promote(&["eval", "torch", "a", "a=image.npy"]).told();
    let rows: Vec<&str> = told.lines().collect();
    assert_eq!(rows.len(), 8, "{told}");
    assert_eq!(rows[3], " ...");
    assert!(rows[0].starts_with("[[") && rows[0].contains(" ... "), "{told}");
    assert_eq!(rows[7], "dtype=u8 shape=(201, 201)");
}

#[test]
fn prints_each_promoted_array_under_its_name() {
    let folder = folder();
    write(&folder.path().join("y.npy"), Array::zeros(DType::F16, vec![2]).expect("memory"));
    let told = promote_in(folder.path(), &["eval", "torch", "promote(x, y)", "x=x.npy", "y=y.npy"]).told();
    assert_eq!(
        told,
        "x:\n[[0. 1. 2.]\n [3. 4. 5.]]\ndtype=f16 shape=(2, 3)\n\ny:\n[0. 0.]\ndtype=f16 shape=(2,)\n"
    );
}

/// No file format has the dtype, but it has a text.
#[test]
fn prints_dtypes_that_no_file_holds() {
    let told = promote(&["eval", "torch", "sum(astype(gain, f16) * 0j)", "gain=gain.npy"]).told();
    assert_eq!(told, "0j\ndtype=c32 shape=()\n");
}
