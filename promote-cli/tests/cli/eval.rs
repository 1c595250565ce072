//! `promote eval`: whole expressions give the bytes of PyTorch.

use std::path::Path;

use promote::DType;
use promote_cli::array::Array;
use promote_cli::files;
use serde_json::Value;

use crate::{Ran, promote, promote_in, repository, write};

/// Evaluates in the folder of the example data and reads the result.
fn eval(out: &Path, expression: &str, arrays: &[&str]) -> Array {
    let ran = run(out, expression, arrays);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{expression}");
    files::read(out.to_str().expect("UTF-8")).expect("it was written")
}

fn run(out: &Path, expression: &str, arrays: &[&str]) -> Ran {
    let mut args = vec!["eval", "torch", expression];
    args.extend(arrays);
    args.extend(["-o", out.to_str().expect("UTF-8")]);
    promote(&args)
}

/// The hash with which the bytes were recorded, every NaN as the positive quiet one.
fn fnv1a64(array: &Array) -> u64 {
    let mut bytes = array.bytes().to_vec();
    match array.dtype() {
        DType::F16 => {
            nans::<2>(&mut bytes, |b| u16::from_le_bytes(b) & 0x7fff > 0x7c00, 0x7e00_u16.to_le_bytes());
        }
        DType::BF16 => {
            nans::<2>(&mut bytes, |b| u16::from_le_bytes(b) & 0x7fff > 0x7f80, 0x7fc0_u16.to_le_bytes());
        }
        DType::F32 => {
            nans::<4>(&mut bytes, |b| f32::from_le_bytes(b).is_nan(), 0x7fc0_0000_u32.to_le_bytes());
        }
        _ => {}
    }
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn nans<const N: usize>(bytes: &mut [u8], is: impl Fn([u8; N]) -> bool, nan: [u8; N]) {
    for element in bytes.as_chunks_mut::<N>().0 {
        if is(*element) {
            *element = nan;
        }
    }
}

#[test]
fn expressions_over_the_example_data_give_the_bytes_of_pytorch() {
    let text = std::fs::read_to_string(repository("tests/data/torch_eval.json")).expect("the data");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.npy");
    let operands: Vec<(&str, String)> = data["operands"]
        .as_object()
        .expect("names and files")
        .iter()
        .map(|(name, file)| (name.as_str(), format!("{name}={}", file.as_str().expect("a file"))))
        .collect();
    let mut compared = 0;
    for result in data["results"].as_array().expect("results") {
        let expression = result["expression"].as_str().expect("text");
        let uses = |name: &str| {
            expression.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        };
        let arrays: Vec<&str> =
            operands.iter().filter(|(name, _)| uses(name)).map(|(_, binding)| binding.as_str()).collect();
        let found = eval(&out, expression, &arrays);
        assert_eq!(found.dtype().name(), result["dtype"], "{expression}");
        let shape: Vec<u64> = found.shape().iter().map(|length| *length as u64).collect();
        assert_eq!(Value::from(shape), result["shape"], "{expression}");
        assert_eq!(format!("{:016x}", fnv1a64(&found)), result["fnv1a64"], "{expression}");
        compared += 1;
    }
    assert!(compared >= 15, "{compared}");
}

#[test]
fn byte_order_and_memory_order_of_a_file_do_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let [npy, other] = ["a.npy", "b.safetensors"].map(|name| folder.path().join(name));
    let expression = "image * gain + offset";
    let first = eval(&npy, expression, &["image=image.npy", "gain=gain.npy", "offset=offset.npy"]);
    let arrays = ["image=image.npy", "gain=gain.safetensors:gain_f16", "offset=offset_be_fortran.npy"];
    let second = eval(&other, expression, &arrays);
    assert_eq!((first.dtype(), first.shape()), (DType::F16, &[201, 201][..]));
    assert_eq!((second.dtype(), second.shape()), (first.dtype(), first.shape()));
    assert_eq!(second.bytes(), first.bytes());
}

#[test]
fn results_may_replace_an_input() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(repository("examples/data/image.npy"), folder.path().join("x.npy")).expect("a copy");
    let told = promote_in(folder.path(), &["eval", "torch", "x / 255", "x=x.npy", "-o", "x.npy"]).told();
    assert_eq!(told, "x.npy: f32 (201, 201)\n");
    let told =
        promote_in(folder.path(), &["eval", "torch", "x < 0.5", "x=x.npy", "--out", "y.safetensors"]).told();
    assert_eq!(told, "y.safetensors: bool (201, 201)\n");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2);
}

#[test]
fn shows_how_to_load_bf16() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let told = run(&out, "a + a", &["a=gain.safetensors:gain_bf16"]).told();
    assert!(told.ends_with("`np.load(..).view(ml_dtypes.bfloat16)` reads it\n"), "{told}");
}

#[test]
fn parameters_can_be_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let out = out.to_str().expect("UTF-8");
    let args = ["eval", "torch", "a / 2", "a=image.npy", "--set", "default_dtype=f64", "-o", out];
    assert!(promote(&args).told().ends_with("f64 (201, 201)\n"));
}

/// One element, of a file without dimensions or of an expression without arrays.
fn scalar(expression: &str, arrays: &[&str]) -> (DType, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let found = eval(&folder.path().join("o.npy"), expression, arrays);
    assert_eq!(found.shape(), [0_usize; 0], "{expression}");
    (found.dtype(), found.bytes().to_vec())
}

#[test]
fn numbers_alone_give_a_zero_dimensional_array() {
    let i64 = |n: i64| (DType::I64, n.to_le_bytes().to_vec());
    let f32 = |x: f32| (DType::F32, x.to_le_bytes().to_vec());
    assert_eq!(scalar("2 * 3 + 1", &[]), i64(7));
    assert_eq!(scalar("-3", &[]), i64(-3));
    assert_eq!(scalar("1 / 3", &[]), f32(1.0 / 3.0));
    assert_eq!(scalar("0.1 + 0.2", &[]), f32(0.3));
    assert_eq!(scalar("3 > 2", &[]), (DType::Bool, vec![1]));
    assert_eq!(scalar("true + true", &[]), (DType::Bool, vec![1]));
    let complex: Vec<u8> = [0.0_f32, 4.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    assert_eq!(scalar("2j * 2", &[]), (DType::C64, complex));
    assert_eq!(scalar("maximum(2, minimum(7, 5))", &[]), i64(5));
}

/// The result of two numbers is a number: it has the precision of f64, and promotes as a number.
#[test]
fn numbers_stay_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, out] = ["a.npy", "o.npy"].map(|name| folder.path().join(name));
    for (dtype, one) in [(DType::F64, 1.0_f64.to_le_bytes().to_vec()), (DType::U8, vec![1])] {
        let mut array = Array::zeros(dtype, vec![1]).expect("memory");
        array.bytes_mut().copy_from_slice(&one);
        write(&a, array);
        let bound = format!("a={}", a.display());
        let found = eval(&out, "a * (2 * 3)", &[&bound]);
        assert_eq!(found.dtype(), dtype);
        if dtype == DType::F64 {
            let found = eval(&out, "a * (1 / 3)", &[&bound]);
            assert_eq!(found.bytes(), (1.0_f64 / 3.0).to_le_bytes());
        }
    }
}

/// PyTorch keeps the digits of a number on the right of a product, and Python turns `n * a` into `a * n`.
#[test]
fn numbers_before_arrays_become_right_operands() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, out] = ["a.npy", "o.npy"].map(|name| folder.path().join(name));
    let mut array = Array::zeros(DType::F16, vec![1]).expect("memory");
    array.bytes_mut().copy_from_slice(&0x63d0_u16.to_le_bytes()); // 1000
    write(&a, array);
    let bound = format!("a={}", a.display());
    let bits = |expression| eval(&out, expression, &[&bound]).bytes().to_vec();
    let small = 0x00a8_u16.to_le_bytes(); // 1.0e-5
    assert_eq!(bits("a * 1e-8"), small);
    assert_eq!(bits("1e-8 * a"), small);
    assert_eq!(bits("multiply(1e-8, a)"), [0, 0], "1e-8 is rounded to f16 first");
}

#[test]
fn functions_of_complex_numbers_give_what_numpy_gives() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    // Operands of `tests/data/complex_numpy.bin`.
    let z: [f32; 6] = [1.020_255_8, 1.929_706_6, -0.385_084_06, -1.288_179, 2.719_484_3, -0.034_314_126];
    let mut array = Array::zeros(DType::C64, vec![3]).expect("memory");
    for (bytes, part) in array.bytes_mut().chunks_exact_mut(4).zip(z) {
        bytes.copy_from_slice(&part.to_le_bytes());
    }
    let file = folder.path().join("z.npy");
    write(&file, array);
    let bound = format!("z={}", file.display());
    let ran = promote(&["eval", "numpy", "exp(sin(z))", &bound, "-o", out.to_str().expect("UTF-8")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let found = files::read(out.to_str().expect("UTF-8")).expect("it was written");
    assert_eq!((found.dtype(), found.shape()), (DType::C64, &[3][..]));
    let part = |i: usize| f32::from_le_bytes(found.bytes()[4 * i..][..4].try_into().expect("a part"));
    // The result of NumPy.
    let wanted: [[f32; 2]; 3] =
        [[-3.836_404, 19.649_803], [0.008_780_9, -0.480_453_2], [1.505_967_6, 0.047_164_9]];
    for (i, [re, im]) in wanted.into_iter().enumerate() {
        let off = (part(2 * i) - re).hypot(part(2 * i + 1) - im);
        assert!(off <= 1e-6 * re.hypot(im), "element {i} is {off} off");
    }
}

#[test]
fn zero_dimensional_arrays_yield() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("z.safetensors");
    let mut zero_dim = Array::zeros(DType::F64, Vec::new()).expect("memory");
    zero_dim.bytes_mut().copy_from_slice(&2.5_f64.to_le_bytes());
    write(&file, zero_dim);
    let bound = format!("z={}", file.display());
    let out = folder.path().join("o.npy");
    // Of a higher kind it counts with its dtype, of the same kind not at all.
    let found = eval(&out, "image + z", &["image=image.npy", &bound]);
    assert_eq!((found.dtype(), found.shape()), (DType::F64, &[201, 201][..]));
    let found = eval(&out, "gain + z", &["gain=gain.npy", &bound]);
    assert_eq!(found.dtype(), DType::F16);
    let (dtype, bytes) = scalar("z * z - 1", &[&bound]);
    assert_eq!((dtype, bytes), (DType::F64, 5.25_f64.to_le_bytes().to_vec()));
}

#[test]
fn computes_empty_arrays_and_arrays_of_several_blocks() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, out] = ["a.npy", "o.npy"].map(|name| folder.path().join(name));
    let bound = format!("a={}", file.display());
    for shape in [vec![0], vec![3, 0, 2], vec![1], vec![(1 << 14) - 1], vec![1 << 14], vec![3, (1 << 14) + 1]]
    {
        let mut array = Array::zeros(DType::I16, shape.clone()).expect("memory");
        for (at, element) in array.bytes_mut().chunks_exact_mut(2).enumerate() {
            element.copy_from_slice(&(at as u16).to_le_bytes());
        }
        let values: Vec<i16> =
            array.bytes().chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
        write(&file, array);
        let found = eval(&out, "(a + 1) * (a - 1) - a * a", &[&bound]);
        assert_eq!((found.dtype(), found.shape()), (DType::I16, &shape[..]));
        let expected: Vec<u8> = values
            .iter()
            .flat_map(|x| {
                x.wrapping_add(1)
                    .wrapping_mul(x.wrapping_sub(1))
                    .wrapping_sub(x.wrapping_mul(*x))
                    .to_le_bytes()
            })
            .collect();
        assert_eq!(found.bytes(), expected);
    }
}

/// Writes an array of small integers, which `value` computes from the position.
fn save<T: Copy, const N: usize>(
    folder: &Path,
    name: &str,
    dtype: DType,
    shape: &[usize],
    value: impl Fn(usize) -> T,
    bytes: fn(T) -> [u8; N],
) -> String {
    let mut array = Array::zeros(dtype, shape.to_vec()).expect("memory");
    for (at, element) in array.bytes_mut().as_chunks_mut::<N>().0.iter_mut().enumerate() {
        *element = bytes(value(at));
    }
    let file = folder.join(format!("{name}.npy"));
    write(&file, array);
    format!("{name}={}", file.display())
}

fn integers(array: &Array) -> Vec<i64> {
    assert_eq!(array.dtype(), DType::I64);
    array.bytes().as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect()
}

/// Computes arrays of one block and of many, with the repeated axis before, in and behind the axis along
/// which blocks are cut.
#[test]
fn arrays_of_different_shapes_broadcast() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    for [i, j, k] in [[2, 3, 4], [3, 2, 20_000], [40, 700, 3], [20_000, 1, 2], [2, 0, 3]] {
        let array = |name: &str, shape: &[usize], factor: i64| {
            save(folder.path(), name, DType::I64, shape, |at| at as i64 * factor + 1, i64::to_le_bytes)
        };
        let bound = [
            array("a", &[i, j, k], 1),
            array("row", &[k], 10),
            array("column", &[j, 1], 100),
            array("plane", &[i, 1, 1], 1000),
            array("one", &[1], 7),
        ];
        let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
        // Values that do not depend on the block, such as `row + one`, are computed once.
        let found = eval(
            &out,
            "(row + one) * 3 - a * column + where(plane > 1, column * row, plane - one) * (-plane)",
            &bound,
        );
        assert_eq!(found.shape(), [i, j, k]);
        let mut expected = Vec::new();
        for at in 0..(i * j * k) as i64 {
            let (i, j, k) = (at / (j * k) as i64, at / k as i64 % j as i64, at % k as i64);
            let (a, row, column, plane) = (at + 1, k * 10 + 1, j * 100 + 1, i * 1000 + 1);
            let chosen = if plane > 1 { column * row } else { plane - 1 };
            expected.push((row + 1) * 3 - a * column + chosen * -plane);
        }
        assert!(integers(&found) == expected, "{:?}", [i, j, k]);
        let outer = eval(&out, "row * column", &[bound[1], bound[2]]);
        assert_eq!(outer.shape(), [j, k]);
        let expected = (0..j * k).map(|at| (at % k * 10 + 1) as i64 * (at / k * 100 + 1) as i64);
        assert!(integers(&outer) == expected.collect::<Vec<_>>());
    }
}

/// An axis of length 1 is an axis: its dtype counts, which that of an array without dimensions does not.
#[test]
fn arrays_of_one_element_are_not_zero_dimensional() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let one = save(folder.path(), "one", DType::F64, &[1], |_| 0.5_f64, f64::to_le_bytes);
    let zero_dim = save(folder.path(), "zero", DType::F64, &[], |_| 0.5_f64, f64::to_le_bytes);
    assert_eq!(eval(&out, "gain + one", &["gain=gain.npy", &one]).dtype(), DType::F64);
    assert_eq!(eval(&out, "gain + zero", &["gain=gain.npy", &zero_dim]).dtype(), DType::F16);
    assert_eq!(eval(&out, "gain + zero * 2", &["gain=gain.npy", &zero_dim]).dtype(), DType::F16);
    let found = eval(&out, "one + zero", &[&one, &zero_dim]);
    assert_eq!((found.shape(), found.bytes()), (&[1][..], &1.0_f64.to_le_bytes()[..]));
}

/// As PyTorch's `a.to(..)`.
#[test]
fn astype_casts_as_the_rule_set_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let floats = [1.5, -1.5, 300.0, 65520.0, 1e-8, -0.0];
    let a = save(folder.path(), "a", DType::F64, &[6], |at| floats[at], f64::to_le_bytes);
    let of = |expression: &str| {
        let found = eval(&out, expression, &[&a]);
        (found.dtype(), found.bytes().to_vec())
    };
    let u8s = (DType::U8, vec![1, 255, 44, 240, 0, 0]);
    assert_eq!(of("astype(a, u8)"), u8s);
    assert_eq!(of("astype(a + 0, u8) * 1"), u8s);
    let half: Vec<u8> =
        [0x3e00_u16, 0xbe00, 0x5cb0, 0x7c00, 0, 0x8000].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(of("astype(a, f16)"), (DType::F16, half));
    assert_eq!(of("astype(a, bool)"), (DType::Bool, vec![1, 1, 1, 1, 1, 0]));
    assert_eq!(of("astype(astype(a, i16), f32) * astype(0, i64)").0, DType::F32);
    assert_eq!(scalar("astype(2.75, i32)", &[]), (DType::I32, 2_i32.to_le_bytes().to_vec()));
    assert_eq!(
        scalar("astype(astype(3, i64), f16) * 2", &[]),
        (DType::F16, 0x4600_u16.to_le_bytes().to_vec())
    );
    // It has the dtype that was asked for, and yields as an array without dimensions.
    assert_eq!(of("astype(a, f16) * astype(2.5, f32)").0, DType::F16);
    let told =
        promote(&["eval", "numpy", "astype(a, bf16)", &a, "-o", out.to_str().expect("UTF-8")]).refused();
    assert!(told.contains("bf16"), "{told}");
}

/// The sums are PyTorch's, which warns of the shapes.
#[test]
fn operands_of_a_loss_broadcast_before_its_sum() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let a = save(folder.path(), "a", DType::F32, &[3, 100], |at| (at % 7) as f32, f32::to_le_bytes);
    let b = save(folder.path(), "b", DType::F32, &[3, 1], |at| (at * 10) as f32, f32::to_le_bytes);
    let c = save(folder.path(), "c", DType::F32, &[100], |_| 1.0_f32, f32::to_le_bytes);
    let of = |expression: &str, bound: &[&str]| {
        let found = eval(&out, expression, bound);
        assert_eq!((found.dtype(), found.shape()), (DType::F32, &[][..]), "{expression}");
        found.bytes().to_vec()
    };
    assert_eq!(of("mse_loss(a, b, reduction = sum)", &[&a, &b]), 35777_f32.to_le_bytes());
    assert_eq!(of("mse_loss(a, b + c, reduction = sum)", &[&a, &b, &c]), 40283_f32.to_le_bytes());
    assert_eq!(of("mse_loss(a * c, b * c + 1.0, reduction = sum)", &[&a, &b, &c]), 40283_f32.to_le_bytes());
}

/// The results of PyTorch for `a = (arange(24) * 7 % 11).reshape(2, 3, 4)`.
#[test]
fn scans_and_reductions_in_another_dtype() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let a = save(folder.path(), "a", DType::I64, &[2, 3], |at| at as i64 * 50, i64::to_le_bytes);
    let of = |expression: &str, shape: &[usize]| {
        let found = eval(&out, expression, &[&a]);
        assert_eq!(found.shape(), shape, "{expression}");
        found
    };
    assert_eq!(integers(&of("cumsum(a, axis = 0)", &[2, 3])), [0, 50, 100, 150, 250, 350]);
    assert_eq!(integers(&of("cumsum(a + 1, axis = -1) * 2", &[2, 3])), [2, 104, 306, 302, 704, 1206]);
    assert_eq!(integers(&of("cumprod(sum(a, axis = 0), axis = 0)", &[3])), [150, 37_500, 13_125_000]);
    let sum = of("sum(a, dtype = i8)", &[]);
    assert_eq!((sum.dtype(), sum.bytes()), (DType::I8, &[(750_i64 % 256) as u8][..]));
    let mean = of("mean(a * 2, axis = 0, keepdims = true, dtype = f32)", &[1, 3]);
    assert_eq!((mean.dtype(), &mean.bytes()[..4]), (DType::F32, &150.0_f32.to_le_bytes()[..]));
    for (expression, expected) in [
        ("var(astype(a, f64))", 8750.0_f64),
        ("var(astype(a, f64) + 0, correction = 0)", 43750.0 / 6.0),
        ("median(a * 0.5, axis = (0, 1)) * astype(1, f64)", 50.0),
    ] {
        assert_eq!(of(expression, &[]).bytes(), expected.to_le_bytes(), "{expression}");
    }
    assert_eq!(integers(&of("median(a)", &[])), [100]);
}

#[test]
fn reductions_along_axes() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let a = save(folder.path(), "a", DType::I64, &[2, 3, 4], |at| at as i64 * 7 % 11, i64::to_le_bytes);
    let of = |expression: &str, shape: &[usize]| {
        let found = eval(&out, expression, &[&a]);
        assert_eq!(found.shape(), shape, "{expression}");
        found
    };
    assert_eq!(integers(&of("sum(a)", &[])), [117]);
    assert_eq!(integers(&of("sum(a, axis = 1)", &[2, 4])), [7, 17, 16, 15, 17, 16, 15, 14]);
    assert_eq!(integers(&of("amax(a, axis = (0, -1))", &[3])), [10, 9, 8]);
    assert_eq!(integers(&of("argmax(a, axis = -1)", &[2, 3])), [3, 2, 1, 2, 1, 0]);
    assert_eq!(integers(&of("argmin(a)", &[])), [0]);
    // A sum with a kept axis broadcasts, and what comes of that is reduced again.
    assert_eq!(
        integers(&of("sum(a * sum(a, axis = 2, keepdims = true), axis = (0, 1))", &[4])),
        [513, 595, 655, 616]
    );
    assert_eq!(integers(&of("sum(a) * 0 + 1", &[])), [1]);
    let centred = of("a * 1.0 - mean(a * 1.0, axis = (0, 2), keepdims = true)", &[2, 3, 4]);
    assert_eq!((centred.dtype(), &centred.bytes()[..4]), (DType::F32, &(-5.75_f32).to_le_bytes()[..]));
    assert_eq!(of("any(a > 8, axis = 0, keepdims = true)", &[1, 3, 4]).dtype(), DType::Bool);
    for (expression, expected) in [
        (
            "sum(a, axis = 3)",
            "in `sum(a, axis = 3)`: axis 3 is out of range for an array of 3 axes\nhelp: its axes are 0 to 2, or -1 to -3",
        ),
        ("1 + sum(a, axis = (0, -3))", "in `sum(a, axis = (0, -3))`: axis 0 is named twice"),
        (
            "a + sum(a, axis = 1)",
            "`a` has the shape (2, 3, 4), and `sum(a, axis = 1)` the shape (2, 4): along axis -2",
        ),
        ("mean(a)", "`mean` of `i64` is refused"),
    ] {
        let told = run(&out, expression, &[&a]).refused();
        assert!(told.contains(expected), "{expression}: {told}");
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list of cases")]
fn errors_write_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let mut small = Array::zeros(DType::U8, vec![3]).expect("memory");
    small.bytes_mut().fill(1);
    let file = folder.path().join("small.npy");
    write(&file, small);
    let small = format!("small={}", file.display());
    let cases: &[(&str, &[&str], &str)] = &[
        ("a + b", &["a=image.npy"], "the expression uses the name `b`, and no file is given for it"),
        ("a", &["a=image.npy", "b=gain.npy"], "the expression does not use the name `b`"),
        ("a", &["a=image.npy", "a=gain.npy"], "the name `a` is given two files"),
        ("a", &["a=image.npy", "3a=gain.npy"], "`3a` cannot name an array"),
        ("a", &["a=image.npy", "=gain.npy"], "`` cannot name an array"),
        ("a", &["a=image.npy", "true=gain.npy"], "`true` cannot name an array"),
        (
            "a + small",
            &["a=image.npy", &small],
            "`a` has the shape (201, 201), and `small` the shape (3,): along axis -1 they have the lengths 201 and 3\nhelp: ",
        ),
        (
            "where(a > 3, small * 2, a)",
            &["a=image.npy", &small],
            "`a > 3` has the shape (201, 201), and `small * 2` the shape (3,): along axis -1",
        ),
        (
            "mse_loss(a * 1.0, small * 1.0, reduction = sum)",
            &["a=image.npy", &small],
            "`a * 1.0` has the shape (201, 201), and `small * 1.0` the shape (3,): along axis -1",
        ),
        ("astype(a, i4)", &["a=image.npy"], "`i4` exists in promotion tables only"),
        ("astype(a, f16, f32)", &["a=image.npy"], "`astype` takes an operand and a dtype, not 3 arguments"),
        ("a - true", &["a=image.npy"], "a bool cannot be subtracted"),
        ("a < 2j", &["a=image.npy"], "complex numbers have no order"),
        ("a %= 2", &["a=image.npy"], "expressions cannot assign"),
        ("a // 2", &["a=image.npy"], "`floor_divide`"),
        ("a ** 2", &["a=image.npy"], "write `pow(a, b)`"),
        (
            "where(a, a, a)",
            &["a=image.npy"],
            "the condition `a` of `where` is `u8`, and it has to be `bool`\nhelp: write `a != 0`",
        ),
        (
            "where(a + 1, a, a)",
            &["a=image.npy"],
            "the condition `a + 1` of `where` is `u8`, and it has to be `bool`\nhelp: write `(a + 1) != 0`",
        ),
        (
            "where(1, a, a)",
            &["a=image.npy"],
            "the condition `1` of `where` is a number, and it has to be `bool`",
        ),
        ("where(sum(a), a, a)", &["a=image.npy"], "the condition `sum(a)` of `where` is `i64`"),
        (
            "sum(small, axis = 3)",
            &[&small],
            "axis 3 is out of range for an array of 1 axis\nhelp: its only axis is 0, or -1 counted from the last",
        ),
        (
            "sum(sum(small), axis = -1)",
            &[&small],
            "axis -1 is out of range for an array of 0 axes\nhelp: an array without axes is reduced as a whole",
        ),
        ("where(a < a, a)", &["a=image.npy"], "`where` takes 3 operands, not 2"),
        ("dot(a, a)", &["a=image.npy"], "`dot` takes arrays of one axis, and `a` has the shape ("),
        ("outer(a, a)", &["a=image.npy"], "`outer` cannot be computed: it has dtypes, and no kernels yet"),
        ("cumsum(a)", &["a=image.npy"], "`cumsum` works along one axis\nhelp: name one"),
        (
            "cumsum(a, axis = 2)",
            &["a=image.npy"],
            "axis 2 is out of range for an array of 2 axes\nhelp: its axes are 0 to 1",
        ),
        ("mean(a, dtype = i32)", &["a=image.npy"], "`mean` of `i32` is refused under Torch"),
        ("lerp(a, a)", &["a=image.npy"], "`lerp` takes 3 operands, not 2"),
        ("huber_loss(a, a, 1.0)", &["a=image.npy"], "`u8` and `u8` is refused under Torch: floats only"),
        (
            "mse_loss(a, a, delta = 1)",
            &["a=image.npy"],
            "the arguments of `mse_loss` with names: `reduction`",
        ),
        ("huber_loss(a * 1.0, a, delta = 0)", &["a=image.npy"], "`delta` is not above 0"),
        ("huber_loss(a * 1.0, a, delta = a)", &["a=image.npy"], "`delta` must be a number, not an array"),
        ("add(a, a, alpha = 0.5)", &["a=image.npy"], "`alpha` is not an integer"),
        ("multiply(a, a, alpha = 2)", &["a=image.npy"], "`multiply` has no arguments with names"),
        ("addcmul(a, a, a, value = 0.5)", &["a=image.npy"], "`value` is not an integer"),
        (
            "a",
            &["a=gain.safetensors"],
            "it holds 2 tensors\nhelp: write `FILE:TENSOR`; it has `gain_bf16`, `gain_f16`",
        ),
        ("a", &["a=gain.safetensors:b"], "it holds no tensor `b`"),
        ("a", &["a=nowhere.npy"], "cannot read `nowhere.npy`: no such file or directory"),
        ("a", &["a=README.md"], "the format of `README.md` is not known"),
        ("a", &["a=."], "the format of `.` is not known"),
        ("gain * 2j", &["gain=gain.npy"], "`.npy` has no name for `c32`"),
        ("gain * 2j * gain", &["gain=gain.safetensors:gain_bf16"], "`bc32` exists in promotion tables only"),
        ("9223372036854775808 + 1", &[], "more than 63 bits"),
    ];
    for (expression, arrays, expected) in cases {
        let told = run(&out, expression, arrays).refused();
        assert!(told.contains(expected), "{expression}: {told}");
        assert!(!out.exists(), "{expression}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn suggests_the_nearest_name() {
    for (expression, arrays, expected) in [
        (
            "imag * 2",
            &["image=image.npy"][..],
            "error: the expression uses the name `imag`, and no file is given for it\nhelp: did you mean `image`?\n",
        ),
        // The name that is near is in the expression already.
        (
            "a + b",
            &["a=image.npy"],
            "`b`, and no file is given for it\nhelp: add `b=FILE`; the names with a file: `a`\n",
        ),
        (
            "truediv(a, a)",
            &["a=image.npy"],
            "column 1: there is no op `truediv`\nhelp: did you mean `divide`?\n",
        ),
        ("sqrtt(a)", &["a=image.npy"], "there is no op `sqrtt`\nhelp: did you mean `sqrt`?\n"),
        ("frobnicate(a)", &["a=image.npy"], "there is no op `frobnicate`\nhelp: the operators are "),
        ("astype(a, DT_FLOAT)", &["a=image.npy"], "`DT_FLOAT` is not a dtype\nhelp: did you mean `f32`?\n"),
        (
            "sum(a, axes = 0)",
            &["a=image.npy"],
            "no argument `axes`\nhelp: did you mean `axis`? the arguments of `sum`",
        ),
        ("a", &["a=gain.safetensors:gain_f61"], "`gain_f61`\nhelp: did you mean `gain_f16`?\n"),
        (
            "image +",
            &["image=image.npy"],
            "error: the expression ends too early, at column 8\nhelp: add an operand there: ",
        ),
    ] {
        let told = promote(&[&["eval", "torch", expression], arrays].concat()).refused();
        assert!(told.contains(expected), "{expression}: {told}");
    }
    for (args, meant) in [
        (&["cast", "numpy", "Int32", "f32"][..], "i32"),
        (&["explain", "torch", "DT_FLOAT[]", "i8"], "f32[]"),
        (&["explain", "torch", "--op", "reduce_sum", "f32"], "sum"),
        (&["bench", "torch", "add", "bool_", "i8"], "bool"),
        (&["table", "torch", "--dtypes", "jnp.bfloat16"], "bf16"),
        (&["diff", "torch", "numpy", "--dtypes", "tf.complex64"], "c64"),
    ] {
        let told = promote(args).refused();
        assert!(told.ends_with(&format!("\nhelp: did you mean `{meant}`?\n")), "{args:?}: {told}");
    }
}

#[test]
fn suggests_names_of_other_libraries() {
    for (args, help) in [
        (&["explain", "torch", "<f4"][..], "did you mean `f32`?"),
        (&["explain", "torch", "--op", "clip", "f32", "i8"], "write `minimum(maximum(a, low), high)`"),
        (&["eval", "torch", "clip(1, 2, 3)"], "write `minimum(maximum(a, low), high)`"),
        (&["eval", "torch", "np.sum(a)", "a=image.npy"], "call the op by its name alone: `sum(..)`"),
        (
            &["table", "torch", "--set", "default_dtype=DT_DOUBLE"],
            "did you mean `f64`? its values: `bf16`, `f16`, `f32`, `f64`",
        ),
    ] {
        let told = promote(args).refused();
        assert!(told.ends_with(&format!("\nhelp: {help}\n")), "{args:?}: {told}");
    }
}

#[test]
fn suggests_files_of_the_folder() {
    for (args, meant) in [
        (&["eval", "torch", "a", "a=imgae.npy"][..], "image.npy"),
        (&["eval", "torch", "a", "a=../data/gian.safetensors:gain_f16"], "../data/gain.safetensors"),
    ] {
        let told = promote(args).refused();
        assert!(told.ends_with(&format!("\nhelp: did you mean `{meant}`?\n")), "{args:?}: {told}");
    }
    let told = promote(&["eval", "torch", "a", "a=nothing-like-it.npy"]).refused();
    assert!(!told.contains("help:"), "{told}");
}

#[test]
fn computes_dot_products() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut array = Array::zeros(DType::U8, vec![3]).expect("memory");
    array.bytes_mut().copy_from_slice(&[1, 2, 3]);
    write(&folder.path().join("v.npy"), array);
    let eval = |expression: &str| promote_in(folder.path(), &["eval", "torch", expression, "v=v.npy"]);
    assert_eq!(eval("dot(v, v)").told(), "14\ndtype=u8 shape=()\n");
    assert_eq!(eval("dot(v * 2, v) + v").told(), "[29 30 31]\ndtype=u8 shape=(3,)\n");
    assert_eq!(eval("matmul(v, v * 2)").told(), "28\ndtype=u8 shape=()\n");
    assert_eq!(eval("isin(v + 1, v)").told(), "[ True  True False]\ndtype=bool shape=(3,)\n");
    assert_eq!(eval("isin(v, 2.0) && v < 3").told(), "[False  True False]\ndtype=bool shape=(3,)\n");
    assert_eq!(
        eval("concatenate(v, v * 0.5, v - 1)").told(),
        "[1.  2.  3.  0.5 1.  1.5 0.  1.  2. ]\ndtype=f32 shape=(9,)\n"
    );
    assert_eq!(
        eval("stack(v, -v, axis = -1)").told(),
        "[[  1 255]\n [  2 254]\n [  3 253]]\ndtype=u8 shape=(3, 2)\n"
    );
    assert_eq!(eval("sum(matmul(stack(v, v), stack(v, v, axis = 1)))").told(), "56\ndtype=i64 shape=()\n");
    assert_eq!(eval("subtract(v, v, alpha = 3)").told(), "[254 252 250]\ndtype=u8 shape=(3,)\n");
    let told = eval("concatenate(v, 1)").refused();
    assert!(told.contains("in `concatenate(v, 1)`: input 1 of `concatenate` has 0 axes"), "{told}");
    let told = eval("matmul(v, stack(v, v))").refused();
    assert!(told.contains("a row of `a` has 3 elements, and a column of `b` has 2"), "{told}");
    let told = eval("dot(v, astype(v, f32))").refused();
    assert!(told.contains("both of the same dtype (rules/torch.rs:"), "{told}");
}

/// Help texts of the library, behind `; help: `, are on a line of their own.
#[test]
fn help_of_the_library_has_its_own_line() {
    for (args, expected) in [
        (&["eval", "torch", "floor_divide(1, 0)"][..], "an integer is divided by zero\nhelp: mask the zeros"),
        (&["eval", "torch", "sum(a, axis = 3)", "a=image.npy"], "of 2 axes\nhelp: its axes are 0 to 1"),
        (&["bench", "torch", "add", "i4", "i4"], "\nhelp: "),
    ] {
        let told = promote(args).refused();
        assert!(told.contains(expected) && !told.contains("; help: "), "{args:?}: {told}");
    }
}

#[test]
fn reports_destinations_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("d.npy")).expect("a folder");
    let cases = [
        ("nowhere/o.npy", "there is no directory `nowhere`"),
        ("d.npy", "it is a directory"),
        ("o.png", "the format of `o.png` is not known"),
        ("o", "the format of `o` is not known"),
        ("", "the format of `` is not known"),
    ];
    for (out, expected) in cases {
        let told = promote_in(folder.path(), &["eval", "torch", "2 * 3", &format!("-o{out}")]);
        if out.is_empty() {
            assert_ne!(told.code, 0);
            continue;
        }
        let told = told.refused();
        assert!(told.contains(expected), "{out}: {told}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn rejects_expressions_that_are_too_long_or_deep() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let long = "a + ".repeat(5_000) + "a";
    let found = eval(&out, &long, &["a=image.npy"]);
    let image = files::read(repository("examples/data/image.npy").to_str().expect("UTF-8")).expect("a file");
    let expected: Vec<u8> = image.bytes().iter().map(|x| x.wrapping_mul((5_001_u32 % 256) as u8)).collect();
    assert_eq!(found.bytes(), expected);
    let nested = "(".repeat(60) + "a" + &" + 1)".repeat(60);
    eval(&out, &nested, &["a=image.npy"]);
    let told = run(&out, &("(".repeat(100) + "a" + &")".repeat(100)), &["a=image.npy"]).refused();
    assert!(told.contains("nest deeper than 64"), "{told}");
    let told = run(&out, &("a + ".repeat(30_000) + "a"), &["a=image.npy"]).refused();
    assert!(told.contains("more than 50000 tokens"), "{told}");
    let told = run(&out, &(" -".repeat(30_000) + "a"), &["a=image.npy"]).refused();
    assert!(told.contains("more than 64 signs"), "{told}");
}

#[test]
fn losses_have_a_mean_and_a_sum() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let image = files::read(repository("examples/data/image.npy").to_str().expect("UTF-8")).expect("a file");
    let squares: Vec<f64> = image.bytes().iter().map(|x| f64::from(*x) * f64::from(*x)).collect();
    let sum: f64 = squares.iter().sum();
    let of = |expression: &str| {
        let found = eval(&out, expression, &["a=image.npy"]);
        assert_eq!((found.dtype(), found.shape()), (DType::F32, &[][..]), "{expression}");
        <[u8; 4]>::try_from(found.bytes()).expect("one element")
    };
    // Squares of whole numbers, and their sum, are exact in `f64`.
    assert_eq!(of("mse_loss(a * 2.0, a, reduction = sum)"), (sum as f32).to_ne_bytes());
    let mean = (sum / squares.len() as f64) as f32;
    assert_eq!(of("mse_loss(a * 1.0, a * 2.0, reduction = mean)"), mean.to_ne_bytes());
    // What it takes is computed before, and goes on to be computed with.
    assert_eq!(of("mse_loss(a * 1.0, a * 1.0 + a, reduction = sum) * 0.5"), (sum as f32 * 0.5).to_ne_bytes());
    let found =
        eval(&out, "(a + 1.0) * mse_loss(a * 1.0, a * 2.0, reduction = mean) - (a + 1.0)", &["a=image.npy"]);
    assert_eq!((found.dtype(), found.shape()), (DType::F32, image.shape()));
    let first = f32::from(image.bytes()[0]) + 1.0;
    assert_eq!(found.bytes()[..4], (first * mean - first).to_ne_bytes());
}

#[test]
fn ops_of_one_two_and_three_operands_are_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("o.npy");
    let image = files::read(repository("examples/data/image.npy").to_str().expect("UTF-8")).expect("a file");
    let computed = |expression: &str, expected: fn(u8) -> u8| {
        let found = eval(&out, expression, &["a=image.npy"]);
        assert_eq!(found.dtype(), DType::U8, "{expression}");
        assert_eq!(
            found.bytes(),
            image.bytes().iter().map(|x| expected(*x)).collect::<Vec<_>>(),
            "{expression}"
        );
    };
    computed("where(a % 7 == 0, a, 1)", |x| if x % 7 == 0 { x } else { 1 });
    computed("-a + !a", |x| x.wrapping_neg().wrapping_add(!x));
    computed("a >> 2 | a & 1 ^ 4", |x| x >> 2 | x & 1 ^ 4);
    computed("floor_divide(a, 3) * 3 + a % 3", |x| x);
    computed("pow(a, 2)", |x| x.wrapping_mul(x));
    let roots = eval(&out, "sqrt(a)", &["a=image.npy"]);
    let roots: Vec<f32> =
        roots.bytes().chunks(4).map(|x| f32::from_le_bytes(x.try_into().expect("four bytes"))).collect();
    assert_eq!(roots, image.bytes().iter().map(|x| f32::from(*x).sqrt()).collect::<Vec<_>>());
    let told = run(&out, "floor_divide(a, 0)", &["a=image.npy"]).refused();
    assert!(told.contains("an integer is divided by zero"), "{told}");
}
