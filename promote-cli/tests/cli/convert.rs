//! `promote eval RULES "promote(a, b)"`: promotion and conversion without an op.

use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use promote_cli::files;

use crate::{Ran, promote_in, write};

/// A folder with arrays: the shapes of the examples in OpenVINO's document, and a zero-dimensional one.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let arrays: [(&str, DType, &[usize]); 8] = [
        ("f16", DType::F16, &[256, 56]),
        ("f32", DType::F32, &[3]),
        ("i16", DType::I16, &[256, 56]),
        ("u32", DType::U32, &[3]),
        ("u64", DType::U64, &[3]),
        ("i8", DType::I8, &[2]),
        ("u8", DType::U8, &[3, 2]),
        ("zero_dim", DType::I64, &[]),
    ];
    for (name, dtype, shape) in arrays {
        let mut array = Array::zeros(dtype, shape.to_vec()).expect("memory");
        // The highest byte of an element counts: so these are values far from 0, also below it.
        for (at, byte) in array.bytes_mut().iter_mut().enumerate() {
            *byte = (at * 37 % 113) as u8;
        }
        write(&folder.path().join(format!("{name}.npy")), array);
    }
    folder
}

/// Converts `a` and `b`, the files of these names.
fn convert(folder: &Path, [a, b]: [&str; 2], set: &[&str]) -> Ran {
    let (a, b) = (format!("a={a}.npy"), format!("b={b}.npy"));
    let mut args = vec!["eval", "openvino", "promote(a, b)", &a, &b, "-o", "out.safetensors"];
    args.extend(set.iter().flat_map(|set| ["--set", *set]));
    promote_in(folder, &args)
}

fn output(folder: &Path, name: &str) -> Array {
    let file = folder.join("out.safetensors");
    files::read(format!("{}:{name}", file.display())).expect("it was written")
}

#[test]
fn promoted_arrays_keep_their_shapes_and_names() {
    let folder = folder();
    let examples: [([&str; 2], &[&str], DType); 3] = [
        (["f16", "f32"], &[], DType::F32),
        (["i16", "u32"], &["promote_unsafe=true"], DType::I64),
        (["i16", "u64"], &["promote_unsafe=true", "u64_integer_promotion_target=f32"], DType::F32),
    ];
    for (operands, set, expected) in examples {
        let told = convert(folder.path(), operands, set).told();
        assert_eq!(
            told,
            format!("out.safetensors: a {expected} (256, 56)\nout.safetensors: b {expected} (3,)\n")
        );
        for (name, operand) in [("a", operands[0]), ("b", operands[1])] {
            let file = folder.path().join(format!("{operand}.npy"));
            let (before, after) =
                (files::read(file.to_str().expect("UTF-8")).expect("it"), output(folder.path(), name));
            assert_eq!((after.dtype(), after.shape()), (expected, before.shape()));
            let (before, after) = (before.view().expect("a view"), after.view().expect("a view"));
            for i in 0..before.len().min(100) {
                let index = if before.rank() == 1 { vec![i] } else { vec![i / 56, i % 56] };
                let [x, y] = [&before, &after].map(|view| view.get(&index).expect("an element"));
                let x = x.cast(expected, false).expect("a cast");
                assert_eq!(x.as_bytes(), y.as_bytes(), "{operands:?}: {name} at {index:?}");
            }
        }
    }
}

#[test]
fn parameters_decide_and_zero_dimensional_operands_yield() {
    let folder = folder();
    let refused = convert(folder.path(), ["i8", "u8"], &[]).refused();
    assert!(refused.contains("`i8` and `u8` do not promote under OpenVino"), "{refused}");
    assert!(!folder.path().join("out.safetensors").exists());
    convert(folder.path(), ["i8", "u8"], &["promote_unsafe=true"]).told();
    assert_eq!(output(folder.path(), "b").dtype(), DType::I16);
    let set = ["promote_unsafe=true", "pytorch_scalar_promotion=true"];
    convert(folder.path(), ["zero_dim", "u8"], &set).told();
    let zero_dim = output(folder.path(), "a");
    assert_eq!((zero_dim.dtype(), zero_dim.shape()), (DType::U8, &[][..]));
}

#[test]
fn several_operands_are_converted_together() {
    let folder = folder();
    let args =
        ["eval", "torch", "promote(x, y, z)", "x=i8.npy", "y=u8.npy", "z=f16.npy", "-o", "out.safetensors"];
    let told = promote_in(folder.path(), &args).told();
    assert!(
        told.ends_with("x f16 (2,)\nout.safetensors: y f16 (3, 2)\nout.safetensors: z f16 (256, 56)\n"),
        "{told}"
    );
}

#[test]
fn rejects_invalid_promotions() {
    let folder = folder();
    let run = |expression: &str, out: &str| {
        let args = ["eval", "torch", expression, "a=i8.npy", "b=u8.npy", "-o", out];
        promote_in(folder.path(), &args).refused()
    };
    let cases = [
        ("promote(a, a)", "column 12: `a` is an operand twice"),
        ("promote(a, b * 2)", "column 12: an operand of `promote` is the name of an array"),
        ("promote(a, 2)", "column 12: an operand of `promote` is the name of an array"),
        ("promote()", "`promote` has no operands"),
        ("promote(a, b) + 1", "column 1: `promote(..)` returns several arrays"),
        ("a + promote(b)", "column 5: `promote(..)` returns several arrays"),
        ("promote(a)", "the expression does not use the name `b`"),
    ];
    for (expression, expected) in cases {
        let told = run(expression, "out.safetensors");
        assert!(told.contains(expected), "{expression}: {told}");
    }
    let told = run("promote(a, b)", "out.npy");
    assert!(told.contains("a `.npy` file holds one array, not 2"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 8);
}
