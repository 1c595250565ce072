//! Arrays that are longer than what the command holds in memory: values equal those of calls on whole arrays.

use promote::{Axes, DType, Op, Operand, RuleSet, Tensor, TensorView, Torch};
use promote_cli::array::Array;
use promote_cli::files;
use promote_runtime::__private::kernel::Accumulator;

use crate::{promote_in, write};

/// An array of small numbers of a dtype.
fn array(dtype: DType, shape: &[usize]) -> Array {
    let bytes = Array::zeros(DType::I8, shape.to_vec()).map(|mut array| {
        for (at, byte) in array.bytes_mut().iter_mut().enumerate() {
            *byte = (at.wrapping_mul(2_654_435_761) >> 7) as u8 % 7;
        }
        array
    });
    let (bytes, mut out) = (bytes.expect("memory"), Array::zeros(dtype, shape.to_vec()).expect("memory"));
    let rules = Torch::new().rule_set();
    rules.astype_into(&bytes.view().expect("a view"), None, out.view_mut().expect("a view")).expect("a cast");
    out
}

/// Reduces an array in boxes of these lengths.
fn in_boxes(
    rules: &RuleSet,
    op: Op,
    array: &Array,
    axes: Axes<'_>,
    lengths: [usize; 3],
) -> Result<Tensor, promote::Error> {
    let shape = array.shape();
    let call = rules.prepare(op, &[]).axes(axes).keep_dims(true);
    let mut states = Accumulator::new(&call, Operand::Array(array.dtype()), shape)?;
    let size = array.dtype().size().expect("a size");
    let steps = |axis: usize| (0..shape[axis]).step_by(lengths[axis]);
    for i in steps(0) {
        for j in steps(1) {
            for k in steps(2) {
                let first = [i, j, k];
                let own: Vec<usize> =
                    (0..3).map(|axis| lengths[axis].min(shape[axis] - first[axis])).collect();
                let strides: Vec<isize> = (0..3)
                    .map(|axis| (shape[axis + 1..].iter().product::<usize>() * size) as isize)
                    .collect();
                let offset: usize = (0..3).map(|axis| first[axis] * strides[axis] as usize).sum();
                let part = TensorView::from_bytes(array.dtype(), array.bytes(), &own, &strides, offset)?;
                states.add(&first, &part)?;
            }
        }
    }
    states.finish()
}

#[test]
fn reductions_in_boxes_equal_those_of_whole_arrays() {
    let rules = Torch::new().rule_set();
    let ops = [
        Op::Sum,
        Op::Mean,
        Op::Prod,
        Op::Amax,
        Op::Amin,
        Op::Argmax,
        Op::Argmin,
        Op::All,
        Op::Any,
        Op::Norm,
        Op::Nansum,
    ];
    let axes: [&[isize]; 6] = [&[0], &[1], &[-1], &[0, 2], &[0, 1, 2], &[]];
    let mut compared = 0;
    for dtype in
        [DType::Bool, DType::U8, DType::I32, DType::I64, DType::F16, DType::F32, DType::F64, DType::C64]
    {
        let array = array(dtype, &[6, 7, 50]);
        let view = array.view().expect("a view");
        for op in ops {
            for axes in axes {
                let whole = rules.prepare(op, &[(&view).into()]).axes(axes).keep_dims(true).run();
                for lengths in [[6, 7, 50], [1, 7, 50], [2, 3, 50], [4, 1, 13], [6, 7, 1]] {
                    let parts = in_boxes(&rules, op, &array, axes.into(), lengths);
                    match (&whole, parts) {
                        (Ok(whole), Ok(parts)) => {
                            assert_eq!(parts.shape(), whole.shape());
                            assert_eq!(
                                parts.as_bytes(),
                                whole.as_bytes(),
                                "{op} {dtype} {axes:?} {lengths:?}"
                            );
                            compared += 1;
                        }
                        (Err(whole), Err(parts)) => assert_eq!(parts.to_string(), whole.to_string()),
                        (whole, parts) => panic!("{op} {dtype} {axes:?}: {whole:?} and {parts:?}"),
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn reductions_in_boxes_reject_parts_that_do_not_fit() {
    let rules = Torch::new().rule_set();
    let new = |shape: &[usize], op| {
        Accumulator::new(&rules.prepare(op, &[]).axis(0), Operand::Array(DType::U8), shape)
    };
    let mut sums = new(&[2, 3], Op::Sum).expect("a sum");
    let view = |shape| TensorView::new(&[1_u8; 6][..shape], &[1, 1]).map(|_| ()).err();
    assert!(view(0).is_some());
    let six = [1_u8; 6];
    for (first, shape) in [(&[0, 1][..], &[2, 3][..]), (&[1, 0], &[2, 3]), (&[usize::MAX, 0], &[2, 3])] {
        let part = TensorView::new(&six[..], shape).expect("a view");
        assert!(sums.add(first, &part).is_err(), "{first:?}");
    }
    assert!(sums.add(&[0], &TensorView::new(&six[..], &[2, 3]).expect("a view")).is_err());
    assert!(sums.add(&[0, 0], &TensorView::new(&[1_i8; 6][..], &[2, 3]).expect("a view")).is_err());
    sums.add(&[0, 0], &TensorView::new(&six[..], &[2, 3]).expect("a view")).expect("it fits");
    assert_eq!(sums.finish().expect("sums").to_string(), "[2, 2, 2]");
    assert!(new(&[0, 3], Op::Amax).is_err());
    assert_eq!(new(&[0, 3], Op::Sum).expect("sums").finish().expect("sums").to_string(), "[0, 0, 0]");
}

#[test]
fn long_files_give_the_values_of_short_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    // 24 MB and 12 MB, of which each row of the second broadcasts; the third is short.
    let shapes: [(&str, DType, &[usize]); 4] = [
        ("a", DType::F32, &[300, 200, 100]),
        ("b", DType::F16, &[300, 200, 100]),
        ("row", DType::I16, &[200, 1]),
        ("v", DType::F32, &[6_000_000]),
    ];
    for (name, dtype, shape) in shapes {
        write(&folder.path().join(format!("{name}.npy")), array(dtype, shape));
    }
    let [a, b, row] = ["a", "b", "row"]
        .map(|name| files::read(folder.path().join(format!("{name}.npy"))).expect("an array"));
    let rules = Torch::new().rule_set();
    let [av, bv, rv] = [&a, &b, &row].map(|array| array.view().expect("a view"));
    let product = rules.call(Op::Multiply, &[(&av).into(), (&rv).into()]).expect("a product");
    let expected = rules.call(Op::Add, &[(&product).into(), (&bv).into()]).expect("a sum");
    for out in ["o.npy", "o.npz", "o.safetensors"] {
        let args = ["eval", "torch", "a * row + b", "a=a.npy", "b=b.npy", "row=row.npy", "-o", out];
        promote_in(folder.path(), &args).told();
        let found = files::read(folder.path().join(out)).expect("the output");
        assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()));
        assert!(found.bytes() == expected.as_bytes(), "{out}");
        // What was written is read block by block as well.
        let told = promote_in(
            folder.path(),
            &[
                "eval",
                "torch",
                "all(a * row + b == o)",
                &format!("o={out}"),
                "a=a.npy",
                "b=b.npy",
                "row=row.npy",
            ],
        )
        .told();
        assert_eq!(told, "True\ndtype=bool shape=()\n");
    }
    let sums: [(&str, Op, &[isize]); 7] = [
        ("sum(o)", Op::Sum, &[0, 1, 2]),
        ("mean(o, axis = 0)", Op::Mean, &[0]),
        ("sum(o, axis = -1)", Op::Sum, &[-1]),
        ("amax(o, axis = (0, 2))", Op::Amax, &[0, 2]),
        ("argmin(o, axis = 1)", Op::Argmin, &[1]),
        ("argmax(o)", Op::Argmax, &[0, 1, 2]),
        ("prod(o, axis = 0)", Op::Prod, &[0]),
    ];
    for (expression, op, axes) in sums {
        let args = ["eval", "torch", expression, "o=o.npy", "-o", "sum.npy"];
        promote_in(folder.path(), &args).told();
        let found = files::read(folder.path().join("sum.npy")).expect("the output");
        let whole = rules.prepare(op, &[(&expected).into()]).axes(axes).run().expect("a reduction");
        assert_eq!((found.dtype(), found.shape()), (whole.dtype(), whole.shape()), "{expression}");
        assert!(found.bytes() == whole.as_bytes(), "{expression}");
    }
    // Printed without being held: the ends only.
    let told = promote_in(folder.path(), &["eval", "torch", "o * 0", "o=o.npy"]).told();
    assert!(
        told.starts_with("[[[0. 0. 0. ... 0. 0. 0.]\n") && told.ends_with("shape=(300, 200, 100)\n"),
        "{told}"
    );
    let told = promote_in(
        folder.path(),
        &["eval", "torch", "promote(o, row)", "o=o.npy", "row=row.npy", "-o", "both.npz"],
    )
    .told();
    assert_eq!(told, "both.npz: o f32 (300, 200, 100)\nboth.npz: row f32 (200, 1)\n");
    let found = files::read(format!("{}:o", folder.path().join("both.npz").display())).expect("the output");
    assert!(found.bytes() == expected.as_bytes());
}

#[test]
fn what_is_held_in_memory_is_said_first() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("v.npy"), array(DType::F32, &[6_000_000]));
    let noted = |expression: &str| {
        let ran = promote_in(folder.path(), &["eval", "torch", expression, "v=v.npy"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(
        noted("dot(v, v * 2)"),
        "note: `v` is held in memory as a whole: 24 MB\nnote: `v * 2` is held in memory as a whole: 24 MB\n"
    );
    assert_eq!(
        noted("mse_loss(v, v, reduction = mean)"),
        "note: `v` is held in memory as a whole: 24 MB\n".repeat(2)
    );
    assert_eq!(noted("sum(v * 2)"), "");
    assert_eq!(noted("v - mean(v)"), "");
}

/// A copy of a dtype that nothing computes with keeps its bytes.
#[test]
fn dtypes_without_kernels_are_copied_and_not_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let dtypes = ["F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0", "F4", "F6_E2M3", "F6_E3M2"];
    for dtype in dtypes {
        let bits = if dtype == "F4" {
            4
        } else if dtype.starts_with("F6") {
            6
        } else {
            8
        };
        let bytes = 16 * bits / 8;
        let header =
            format!("{{\"x\":{{\"dtype\":\"{dtype}\",\"shape\":[4,4],\"data_offsets\":[0,{bytes}]}}}}");
        let elements: Vec<u8> = (0..bytes as u8).map(|byte| byte.wrapping_mul(37)).collect();
        let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &elements].concat();
        std::fs::write(folder.path().join("x.safetensors"), file).expect("a file");
        let run = |expression, out: &[&str]| {
            promote_in(folder.path(), &[&["eval", "torch", expression, "x=x.safetensors"], out].concat())
        };
        let told = run("x", &["-o", "y.safetensors"]).told();
        let name = DType::from_safetensors_name(dtype).expect("a dtype");
        assert_eq!(told, format!("y.safetensors: {name} (4, 4)\n"));
        let written = std::fs::read(folder.path().join("y.safetensors")).expect("a file");
        assert!(written.ends_with(&elements), "{dtype}");
        assert!(
            String::from_utf8_lossy(&written).contains(&format!("\"dtype\":\"{dtype}\",\"shape\":[4,4]"))
        );
        assert_eq!(
            run("x + 1", &["-o", "y.safetensors"]).refused(),
            format!(
                "error: nothing computes with elements of `{name}`, the dtype of `x`\n\
                 help: the expression `x` alone copies the array to a `.safetensors` file\n"
            )
        );
        assert!(run("x", &["-o", "y.npy"]).refused().contains("help: write to `.safetensors`"));
        assert!(run("x", &[]).refused().contains("cannot be printed\nhelp: "));
    }
}

/// The last element is refused, when all others have been written to a temporary file.
#[test]
fn late_errors_leave_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut exponents = array(DType::I32, &[5_000_000]);
    exponents.bytes_mut().last_chunk_mut().map(|last| *last = (-1_i32).to_ne_bytes()).expect("an element");
    write(&folder.path().join("b.npy"), exponents);
    write(&folder.path().join("o.npy"), array(DType::U8, &[2]));
    let before = std::fs::read(folder.path().join("o.npy")).expect("a file");
    let told = promote_in(folder.path(), &["eval", "numpy", "pow(b * 0 + 3, b)", "b=b.npy", "-o", "o.npy"]);
    assert!(told.refused().contains("negative"));
    assert_eq!(std::fs::read(folder.path().join("o.npy")).expect("a file"), before);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2);
}
