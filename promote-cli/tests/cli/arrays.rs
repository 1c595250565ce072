//! Arrays in files: every dtype there and back, and what other programs write.

use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use promote_cli::files::{self, Format};

use crate::write;

fn read(path: &Path) -> Result<Array, String> {
    files::read(path.to_str().expect("UTF-8")).map_err(|failure| failure.to_string())
}

/// Elements of every sort of bytes.
fn array(dtype: DType, shape: &[usize]) -> Array {
    let mut array = Array::zeros(dtype, shape.to_vec()).expect("memory");
    for (at, byte) in array.bytes_mut().iter_mut().enumerate() {
        *byte = if dtype == DType::Bool { (at % 3 == 0).into() } else { (at * 37 + 11) as u8 };
    }
    array
}

fn named(arrays: &[(&str, DType, &[usize])]) -> Vec<(String, Array)> {
    arrays.iter().map(|(name, dtype, shape)| ((*name).to_owned(), array(*dtype, shape))).collect()
}

#[test]
fn single_arrays_have_the_recorded_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let [npy, tensors] = ["a.npy", "a.safetensors"].map(|name| folder.path().join(name));
    write(&npy, array(DType::U8, &[3]));
    let header = format!("{:<117}\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }");
    let expected = [&b"\x93NUMPY\x01\x00\x76\x00"[..], header.as_bytes(), &[11, 48, 85]].concat();
    assert_eq!(std::fs::read(npy).expect("a file"), expected);
    write(&tensors, array(DType::U8, &[3]));
    let header = br#"{"out":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}} "#;
    let expected = [&56_u64.to_le_bytes()[..], header, &[11, 48, 85]].concat();
    assert_eq!(std::fs::read(tensors).expect("a file"), expected);
}

#[test]
fn several_arrays_are_written_as_the_safetensors_crate_writes_them() {
    use safetensors::tensor::{Dtype, TensorView, serialize};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.safetensors");
    let arrays: &[(&str, DType, &[usize])] = &[
        ("mask", DType::Bool, &[3]),
        ("b", DType::F32, &[2, 3]),
        ("a", DType::F32, &[]),
        ("whole", DType::I64, &[0, 7]),
        ("half", DType::F16, &[5]),
    ];
    files::write(&path, named(arrays)).expect("a file");
    let views = named(arrays);
    let dtypes = [Dtype::BOOL, Dtype::F32, Dtype::F32, Dtype::I64, Dtype::F16];
    let views = views.iter().zip(dtypes).map(|((name, array), dtype)| {
        (name, TensorView::new(dtype, array.shape().to_vec(), array.bytes()).expect("a tensor"))
    });
    let expected = serialize(views, None).expect("a file");
    assert_eq!(std::fs::read(&path).expect("a file"), expected);
    for (name, dtype, shape) in arrays {
        let found = read(Path::new(&format!("{}:{name}", path.display()))).expect("the tensor");
        assert_eq!((found.dtype(), found.shape()), (*dtype, *shape));
        assert_eq!(found.bytes(), array(*dtype, shape).bytes());
    }
}

#[test]
fn rejects_arrays_that_one_file_cannot_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |file: &str, names: &[&str]| {
        let path = folder.path().join(file);
        let arrays: Vec<(&str, DType, &[usize])> =
            names.iter().map(|name| (*name, DType::U8, &[2][..])).collect();
        let told = files::write(&path, named(&arrays)).expect_err("a refusal").to_string();
        assert!(!path.exists());
        told
    };
    assert_eq!(
        refused("o.npy", &["a", "b"]),
        "error: a `.npy` file holds one array, not 2\n\
         help: write to `.npz` or `.safetensors`, which hold any number of named arrays"
    );
    assert_eq!(
        refused("o.safetensors", &["a", "b", "a"]),
        "error: two tensors of one `.safetensors` file are named `a`"
    );
    let told = refused("o.safetensors", &["__metadata__"]);
    assert!(told.contains("cannot be named `__metadata__`\nhelp: the format reserves that name"), "{told}");
}

#[test]
fn every_dtype_survives_a_round_trip() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut kept = [0; 3];
    for &dtype in DType::WITH_TYPE {
        for (format, name) in
            [(Format::Npy, "a.npy"), (Format::Npz, "a.npz"), (Format::Safetensors, "a.safetensors")]
        {
            let path = folder.path().join(name);
            for shape in [&[][..], &[0], &[5], &[2, 3, 4]] {
                let before = array(dtype, shape);
                let bytes = before.bytes().to_vec();
                if let Err(failure) = format.takes(dtype) {
                    assert!(failure.to_string().contains("help: "), "{dtype}: {failure}");
                    assert!(files::write(&path, vec![("a".to_owned(), before)]).is_err());
                    continue;
                }
                write(&path, before);
                let after = read(&path).expect("it was written");
                assert_eq!(
                    (after.dtype(), after.shape(), after.bytes()),
                    (dtype, shape, &bytes[..]),
                    "{name}"
                );
                kept[format as usize] += 1;
            }
        }
    }
    // `.npy` and `.npz` lack the f8 and c32, `.safetensors` c32 and c128.
    assert_eq!(kept, [15 * 4, 15 * 4, 16 * 4]);
}

/// A `.npy` file: the header as given, padded as `NumPy` does.
fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY".to_vec();
    file.extend([version, 0]);
    let prefix = if version == 1 { 10 } else { 12 };
    let length = (prefix + header.len() + 1).next_multiple_of(64) - prefix;
    file.extend(&(length as u32).to_le_bytes()[..prefix - 8]);
    file.extend(format!("{header:<width$}\n", width = length - 1).bytes());
    file.extend(data);
    file
}

fn header(descr: &str, fortran: bool, shape: &str) -> String {
    let fortran = if fortran { "True" } else { "False" };
    format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}")
}

fn load(version: u8, header: &str, data: &[u8]) -> Result<Array, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    std::fs::write(&path, npy(version, header, data)).expect("a file");
    read(&path)
}

#[test]
fn both_byte_orders_and_all_versions_are_read() {
    let types = [
        ("b1", DType::Bool, 1),
        ("u1", DType::U8, 1),
        ("u2", DType::U16, 2),
        ("u4", DType::U32, 4),
        ("u8", DType::U64, 8),
        ("i1", DType::I8, 1),
        ("i2", DType::I16, 2),
        ("i4", DType::I32, 4),
        ("i8", DType::I64, 8),
        ("f2", DType::F16, 2),
        ("f4", DType::F32, 4),
        ("f8", DType::F64, 8),
        ("c8", DType::C64, 4),
        ("c16", DType::C128, 8),
        ("V2", DType::BF16, 2),
    ];
    for (name, dtype, part) in types {
        let elements = array(dtype, &[2, 3]);
        let little = elements.bytes().to_vec();
        let big: Vec<u8> = little.chunks(part).flat_map(|part| part.iter().rev().copied()).collect();
        for (sign, data) in [("<", &little), (">", &big), ("|", &little)] {
            if sign == "|" && part > 1 && name != "V2" {
                continue;
            }
            for version in 1..=3 {
                let found = load(version, &header(&format!("{sign}{name}"), false, "(2, 3)"), data);
                let found = found.unwrap_or_else(|error| panic!("{sign}{name}: {error}"));
                assert_eq!((found.dtype(), found.shape(), found.bytes()), (dtype, &[2, 3][..], &little[..]));
            }
        }
    }
}

#[test]
fn fortran_order_becomes_c_order() {
    // The array [[0, 1, 2], [3, 4, 5]].
    let found =
        load(1, &header(">i2", true, "(2, 3)"), &[0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5]).expect("an array");
    assert_eq!(found.bytes(), [0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
    // Element i of the file has the index (i % 2, i / 2 % 3, i / 6).
    let data: Vec<u8> = (0..24).collect();
    let found = load(1, &header("|u1", true, "(2, 3, 4)"), &data).expect("an array");
    let expected: Vec<u8> =
        (0..2).flat_map(|i| (0..3).flat_map(move |j| (0..4).map(move |k| i + 2 * j + 6 * k))).collect();
    assert_eq!(found.bytes(), expected);
    for shape in ["()", "(1,)", "(24,)"] {
        let data = &data[..if shape == "(24,)" { 24 } else { 1 }];
        assert_eq!(load(1, &header("|u1", true, shape), data).expect("an array").bytes(), data);
    }
    assert_eq!(load(1, &header("|u1", true, "(3, 0)"), &[]).expect("an array").shape(), [3, 0]);
}

/// As NumPy does, which reads files of versions 1 and 2 that Python 2 wrote.
#[test]
fn reads_integers_of_python_2() {
    let with_shape = |shape: &str| header("<i2", false, shape);
    for version in [1, 2] {
        for (shape, expected) in [("(4L,)", &[4][..]), ("(2L, 2)", &[2, 2]), ("(1L, 4L)", &[1, 4])] {
            assert_eq!(
                load(version, &with_shape(shape), &[1; 8]).expect("an array").shape(),
                expected,
                "{shape}"
            );
        }
    }
    for (version, shape) in [(3, "(4L,)"), (1, "(4LL,)"), (1, "(L4,)"), (1, "(4l,)"), (1, "(4 4L,)")] {
        let told = load(version, &with_shape(shape), &[1; 8]).expect_err("a refusal");
        assert!(told.contains("its header is not understood: "), "{shape}: {told}");
        assert!(!told.contains("memory"), "{shape}: {told}");
    }
    // Within text an `L` is a letter.
    let told = load(1, "{'descr': '4L', 'fortran_order': False, 'shape': (4L,), }", &[1; 8]);
    assert!(told.expect_err("a refusal").contains("4L"));
}

#[test]
fn rejects_unknown_header_keys() {
    let refused = |header: &str| load(1, header, &[0; 2]).expect_err("a refusal");
    let help =
        "\nhelp: the header of a `.npy` file has the keys `descr`, `fortran_order` and `shape`, each once";
    let known = "'descr': '|u1', 'fortran_order': False, 'shape': (2,)";
    let told = refused(&format!("{{{known}, 'strides': (1,), }}"));
    assert!(told.ends_with(&format!("its header has the unknown key `strides`{help}")), "{told}");
    let told = refused(&format!("{{{known}, 7: 1, }}"));
    assert!(told.ends_with(&format!("its header has the unknown key `7`{help}")), "{told}");
    let told = refused(&format!("{{{known}, 'shape': (1, 2), }}"));
    assert!(told.ends_with(&format!("its header has the key `shape` twice{help}")), "{told}");
    for (header, expected) in [
        ("{'descr': '|u1', 'shape': (2,), }", "fortran_order"),
        ("('descr', 'shape')", "it is not a Python dictionary"),
        ("{'descr': ", "it is not a Python dictionary"),
    ] {
        let told = refused(header);
        assert!(told.contains(expected), "{header}: {told}");
    }
}

#[test]
fn reads_any_nonzero_bool_byte_as_true() {
    let found = load(1, &header("|b1", false, "(4,)"), &[0, 1, 2, 255]).expect("an array");
    assert_eq!(found.bytes(), [0, 1, 1, 1]);
}

#[test]
fn rejects_other_element_types_with_a_help() {
    let refused = |header: &str, data: &[u8]| load(1, header, data).expect_err("a refusal");
    let told = refused(&header("|V1", false, "(2,)"), &[0, 0]);
    assert!(told.contains("does not say which 8-bit dtype") && told.contains(".safetensors"), "{told}");
    for descr in ["<f1", "<W4", "<f16", "|O", "|S3", "<U1", "<M8[ns]", "<V3", "<i3", "", "x"] {
        let told = refused(&header(descr, false, "(2,)"), &[0; 64]);
        assert!(told.starts_with("error: cannot read "), "{descr}: {told}");
        assert_eq!(told.lines().filter(|line| line.starts_with("error")).count(), 1);
    }
    let told = refused(&header("<U1", false, "(2,)"), &[0; 64]);
    assert!(told.contains("its elements are strings (`<U1`)") && told.contains(".astype("), "{told}");
    let told =
        refused("{'descr': [('x', '<f4'), ('y', '<i2')], 'fortran_order': False, 'shape': (1,), }", &[0; 6]);
    assert!(told.contains("its elements are structures"), "{told}");
}

#[test]
fn single_tensors_need_no_name_and_names_may_contain_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.safetensors");
    write(&path, array(DType::F8E5M2, &[3]));
    let text = path.to_str().expect("UTF-8");
    for text in [text.to_owned(), format!("{text}:out")] {
        assert_eq!(files::read(&text).expect("the tensor").dtype(), DType::F8E5M2);
    }
    let told = files::read(format!("{text}:out:2")).expect_err("a refusal").to_string();
    assert!(told.contains("it holds no tensor `out:2`\nhelp: did you mean `out`?"), "{told}");
}

fn tensors(header: &str, data: &[u8]) -> Result<Array, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.safetensors");
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat();
    std::fs::write(&path, file).expect("a file");
    files::read(format!("{}:a", path.to_str().expect("UTF-8"))).map_err(|failure| failure.to_string())
}

#[test]
fn rejects_tensors_with_two_descriptions() {
    let info = |from: usize| format!(r#"{{"dtype":"U8","shape":[1],"data_offsets":[{from},{}]}}"#, from + 1);
    let (first, second) = (info(0), info(1));
    let told = tensors(&format!(r#"{{"a":{first},"a":{second}}}"#), &[1, 2]).expect_err("a refusal");
    assert!(
        told.ends_with(
            "its header names the tensor `a` twice\nhelp: write the file again with a name for each tensor"
        ),
        "{told}"
    );
    // In another spelling, and with one description.
    assert!(tensors(&format!(r#"{{"a":{first},"\u0061":{second}}}"#), &[1, 2]).is_err());
    assert!(tensors(&format!(r#"{{"a":{first},"a":{first}}}"#), &[1]).is_err());
    let text = r#""__metadata__":{"b":"c"}"#;
    assert_eq!(tensors(&format!(r#"{{{text},"a":{first}}}"#), &[7]).expect("a tensor").bytes(), [7]);
    let told = tensors(&format!(r#"{{{text},{text},"a":{first}}}"#), &[7]).expect_err("a refusal");
    assert!(told.contains("duplicate field `__metadata__`"), "{told}");
    // The order of the text is not that of the elements.
    assert_eq!(tensors(&format!(r#"{{"b":{second},"a":{first}}}"#), &[7, 8]).expect("a tensor").bytes(), [7]);
}

/// Nothing pads a header, so that elements begin at any byte of the file.
#[test]
fn reads_tensors_at_any_offset_and_any_nonzero_bool_byte_as_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.safetensors");
    for length in 1..=8 {
        let name = "n".repeat(length);
        let header = format!(
            r#"{{"b":{{"dtype":"BOOL","shape":[5],"data_offsets":[0,5]}},"{name}":{{"dtype":"F64","shape":[2],"data_offsets":[5,21]}}}}"#
        );
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.bytes());
        file.extend([0, 1, 2, 128, 255]);
        let elements = [1.5_f64, -2.0].map(f64::to_le_bytes).concat();
        file.extend(&elements);
        std::fs::write(&path, file).expect("a file");
        let tensor = |name: &str| {
            files::read(format!("{}:{name}", path.to_str().expect("UTF-8"))).expect("the tensor")
        };
        assert_eq!(tensor("b").bytes(), [0, 1, 1, 1, 1]);
        let found = tensor(&name);
        assert_eq!((found.dtype(), found.shape()), (DType::F64, &[2][..]));
        assert_eq!(
            found.elements().expect("elements").as_slice::<f64>().expect("they are aligned"),
            [1.5, -2.0]
        );
    }
}
