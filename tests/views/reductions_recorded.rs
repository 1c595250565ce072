//! Reductions along axes have the dtypes, shapes and values that the frameworks gave
//! (`tests/data/reductions_*.json`).
//!
//! Values have equal bits, or both are NaN. Sums, products and norms of floats are exceptions: no framework
//! documents its order of additions, so results may differ by as many roundings as there are steps. All other
//! differences are listed in [`DIFFERS`].

use promote::{Axes, DType, NumPy, Number, Op, RuleSet, TensorView, Torch};
use serde_json::Value;

use crate::aligned::Aligned;

/// Ops that a rule set does not have.
const ABSENT: &[(&str, &str)] = &[("numpy", "amax amin norm"), ("jax", "amax amin argmin norm")];

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

pub(crate) fn list<T: TryFrom<i64>>(value: &Value) -> Vec<T>
where
    T::Error: std::fmt::Debug,
{
    value.as_array().unwrap().iter().map(|x| x.as_i64().unwrap().try_into().unwrap()).collect()
}

pub(crate) fn dtype(name: &str) -> DType {
    *DType::WITH_TYPE.iter().find(|dtype| dtype.name() == name).unwrap()
}

pub(crate) fn op(name: &str) -> Op {
    *Op::STANDARD.iter().find(|op| op.name() == name).unwrap()
}

/// The form of a result in the files: dtype, shape, bytes.
pub(crate) fn written(dtype: DType, shape: &[usize], bytes: &[u8]) -> String {
    let hex: String = bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from_digit(digit.into(), 16).unwrap())
        .collect();
    format!("{} {shape:?} {hex}", dtype.name()).replace(", ", ",")
}

fn parts(number: Number) -> [f64; 2] {
    match number {
        Number::Bool(x) => [f64::from(x), 0.0],
        Number::Int(x) => [x as f64, 0.0],
        Number::Float(x) => [x, 0.0],
        Number::Complex(re, im) => [re, im],
    }
}

pub(crate) fn numbers(dtype: DType, bytes: &[u8]) -> Vec<[f64; 2]> {
    let of = |bytes| promote::ScalarValue::from_bytes(dtype, bytes).unwrap().number().unwrap();
    bytes.chunks(dtype.size().unwrap()).map(|bytes| parts(of(bytes))).collect()
}

/// Returns the unit in the last place of 1.
pub(crate) fn unit(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f64::from(half::f16::EPSILON),
        DType::BF16 => f64::from(half::bf16::EPSILON),
        DType::F32 | DType::C64 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// Returns true if two results are equal, or are as near as `roundings` in their dtype bring sums of numbers
/// of this magnitude.
fn near(found: &str, recorded: &str, roundings: f64, magnitude: f64) -> bool {
    if found == recorded {
        return true;
    }
    let [found, recorded] = [found, recorded].map(|text| {
        let (head, hex) = text.rsplit_once(' ').unwrap();
        let name = dtype(head.split(' ').next().unwrap());
        (head.to_owned(), name, numbers(name, &bytes(hex)))
    });
    let unit = unit(found.1);
    let close = |a: f64, b: f64| {
        a.to_bits() == b.to_bits()
            || a.is_nan() && b.is_nan()
            || (a - b).abs() <= roundings * unit * magnitude
    };
    found.0 == recorded.0
        && found.2.len() == recorded.2.len()
        && found.2.iter().zip(&recorded.2).all(|(a, b)| close(a[0], b[0]) && close(a[1], b[1]))
}

/// A question: the op, the dtype, and the elements.
type Asked<'a> = (&'a str, DType, &'a [[f64; 2]]);

/// The framework, why its answer differs, and where.
type Excuse = (&'static str, &'static str, fn(Asked<'_>) -> bool);

/// The known differences of the frameworks, with their reasons. An excuse that excuses nothing fails.
const DIFFERS: &[Excuse] = &[
    ("torch", "looks at the order of complex numbers only where there are some", |(op, of, elements)| {
        elements.is_empty() && matches!(op, "amax" | "amin") && of.name().starts_with('c')
    }),
    ("torch", "has no kernel", |(op, of, _)| {
        op == "dot" && matches!(of, DType::U16 | DType::U32 | DType::U64)
    }),
    ("jax", "asks the real part alone whether a complex number is true", |(op, _, elements)| {
        matches!(op, "any" | "all") && elements.iter().any(|x| x[0] == 0.0 && x[1] != 0.0)
    }),
];

fn compare(rules: &RuleSet, text: &str) -> usize {
    let data: Value = serde_json::from_str(text).unwrap();
    let framework = data["framework"].as_str().unwrap();
    let (mut compared, mut wrong) = (0, Vec::new());
    let differs = || DIFFERS.iter().filter(|differs| differs.0 == framework);
    let mut excused = vec![0; differs().count()];
    // An excused difference is counted.
    let mut is_excused = |asked: Asked<'_>| {
        let found = differs().position(|(.., excuses)| excuses(asked));
        found.inspect(|at| excused[*at] += 1).is_some()
    };
    for case in data["cases"].as_array().unwrap() {
        let of = dtype(case["dtype"].as_str().unwrap());
        let (shape, memory) =
            (list::<usize>(&case["shape"]), Aligned::copy(&bytes(case["bytes"].as_str().unwrap())));
        let mut strides = vec![0; shape.len()];
        let mut step = of.size().unwrap() as isize;
        for (stride, len) in strides.iter_mut().zip(&shape).rev() {
            (*stride, step) = (step, step * *len as isize);
        }
        let view = TensorView::from_bytes(of, memory.bytes(), &shape, &strides, 0).unwrap();
        let axes: Option<Vec<isize>> = (!case["axes"].is_null()).then(|| list(&case["axes"]));
        let axes = axes.as_ref().map_or(Axes::All, |axes| Axes::Of(axes));
        let keepdims = case["keepdims"].as_bool().unwrap();
        let elements = numbers(of, memory.bytes());
        let sum: f64 = elements.iter().map(|[re, im]| re.abs() + im.abs()).filter(|x| x.is_finite()).sum();
        for (name, recorded) in case["found"].as_object().unwrap() {
            if ABSENT.iter().any(|(whose, ops)| *whose == framework && ops.split(' ').any(|op| op == name)) {
                continue;
            }
            let recorded = recorded.as_str().unwrap();
            let found = rules.prepare(op(name), &[(&view).into()]).axes(axes).keep_dims(keepdims).run();
            let found =
                found.map_or("-".to_owned(), |found| written(found.dtype(), found.shape(), found.as_bytes()));
            let roundings = match name.as_str() {
                "sum" | "mean" | "norm" | "prod" if of.name().starts_with(['f', 'b', 'c']) => elements.len(),
                "mean" | "norm" => 1,
                _ => 0,
            };
            let equal = match (found.as_str(), recorded) {
                ("-", recorded) | (recorded, "-") => found == recorded,
                (found, recorded) => near(found, recorded, roundings as f64, sum),
            };
            if !equal && !is_excused((name, of, &elements)) {
                wrong.push(format!(
                    "{name} of {of} {shape:?} along {axes:?}, {elements:?}: {found}, recorded {recorded}"
                ));
            }
            compared += 1;
        }
    }
    for case in data["dots"].as_array().unwrap() {
        let of = dtype(case["dtype"].as_str().unwrap());
        let memory = Aligned::copy(&bytes(case["bytes"].as_str().unwrap()));
        let (n, size) = (memory.bytes().len() / of.size().unwrap(), of.size().unwrap() as isize);
        let (shape, offset) = ([n], (n - 1) * size as usize);
        let (forward, backward) = ([size], [-size]);
        let row = TensorView::from_bytes(of, memory.bytes(), &shape, &forward, 0).unwrap();
        let back = TensorView::from_bytes(of, memory.bytes(), &shape, &backward, offset).unwrap();
        let found = rules.call(Op::Dot, &[(&row).into(), (&back).into()]);
        let found = found.map_or("-".to_owned(), |found| written(found.dtype(), &[], found.as_bytes()));
        let recorded = case["found"].as_str().unwrap();
        let sum: f64 = numbers(of, memory.bytes()).iter().map(|[re, im]| re * re + im * im).sum();
        let equal = if found == "-" || recorded == "-" {
            found == recorded
        } else {
            near(&found, recorded, n as f64, sum)
        };
        if !equal && !is_excused(("dot", of, &[])) {
            wrong.push(format!("dot of {of}: {found}, recorded {recorded}"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{framework}: {} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    for ((_, why, _), excused) in differs().zip(excused) {
        assert!(excused > 0, "{framework}: that it {why} excuses nothing");
    }
    compared
}

#[test]
fn reductions_are_those_of_numpy() {
    assert!(compare(&NumPy::new().rule_set(), include_str!("../data/reductions_numpy.json")) > 1500);
}

#[test]
fn reductions_are_those_of_pytorch() {
    assert!(compare(&Torch::new().rule_set(), include_str!("../data/reductions_torch.json")) > 1500);
}

#[cfg(feature = "jax")]
#[test]
fn reductions_are_those_of_jax() {
    let rules = promote::Jax::new().rule_set();
    assert!(compare(&rules, include_str!("../data/reductions_jax.json")) > 1500);
}
