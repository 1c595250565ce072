//! Scans, the spread around a mean, medians, and sums in another dtype have the dtypes, shapes and values
//! that the frameworks gave (`tests/data/scans_*.json`).
//!
//! Values have equal bits, or both are NaN. Floats may differ by the roundings of as many steps as there are
//! elements, because the frameworks add in other orders and dtypes. All other differences are listed in
//! [`DIFFERS`].

use promote::{Axes, DType, Kind, NumPy, RuleSet, TensorView, Torch};
use serde_json::Value;

use crate::aligned::Aligned;
use crate::reductions_recorded::{bytes, dtype, list, numbers, op, unit, written};

/// Ops that a rule set does not have.
const ABSENT: &[(&str, &str)] = &[("numpy", "logsumexp")];

/// A call: the op, the dtype of the elements, the argument `dtype`, and the elements.
struct Asked<'a> {
    op: &'a str,
    of: DType,
    named: Option<DType>,
    elements: &'a [[f64; 2]],
}

/// The framework, why its answer differs, and where.
type Excuse = (&'static str, &'static str, fn(&Asked<'_>) -> bool);

/// The known differences of the frameworks, with their reasons. An excuse that excuses nothing fails.
const DIFFERS: &[Excuse] = &[
    ("numpy", "returns one of the elements of which a part is NaN", |asked| {
        asked.op == "median" && asked.is_complex() && asked.elements.iter().any(|[re, im]| (re + im).is_nan())
    }),
    ("torch", "computes `nansum` of integers by `sum`, which has complex numbers", |asked| {
        asked.op == "nansum" && asked.named == Some(DType::C64) && asked.of.kind() < Kind::Float
    }),
];

impl Asked<'_> {
    fn is_complex(&self) -> bool {
        self.of.kind() == Kind::Complex
    }
}

/// Returns true if two results are equal, or are as near as `roundings` bring numbers of this magnitude; with
/// `None`, of their own magnitude.
fn near(found: &str, recorded: &str, roundings: f64, magnitude: Option<f64>) -> bool {
    if found == recorded {
        return true;
    }
    let [found, recorded] = [found, recorded].map(|text| {
        let (head, hex) = text.rsplit_once(' ').expect("a result");
        let name = dtype(head.split(' ').next().expect("a dtype"));
        (head.to_owned(), name, numbers(name, &bytes(hex)))
    });
    let unit = unit(found.1);
    #[allow(clippy::float_cmp, reason = "infinities and zeros of both signs")]
    let same = |a: f64, b: f64| a.is_nan() && b.is_nan() || a == b;
    found.0 == recorded.0
        && found.2.len() == recorded.2.len()
        && found.2.iter().zip(&recorded.2).all(|(a, b)| {
            let allowed = roundings * unit * magnitude.unwrap_or_else(|| b[0].hypot(b[1]));
            (0..2).all(|part| {
                same(a[part], b[part]) || (a[part] - b[part]).abs() <= allowed && allowed.is_finite()
            })
        })
}

fn compare(rules: &RuleSet, text: &str) -> usize {
    let data: Value = serde_json::from_str(text).expect("JSON");
    let framework = data["framework"].as_str().expect("a name");
    let (mut compared, mut wrong) = (0, Vec::new());
    let differs: Vec<&Excuse> = DIFFERS.iter().filter(|differs| differs.0 == framework).collect();
    let mut excused = vec![0; differs.len()];
    for case in data["cases"].as_array().expect("cases") {
        let of = dtype(case["dtype"].as_str().expect("a dtype"));
        let shape = list::<usize>(&case["shape"]);
        let memory = Aligned::copy(&bytes(case["bytes"].as_str().expect("bytes")));
        let mut strides = vec![0; shape.len()];
        let mut step = of.size().expect("a size") as isize;
        for (stride, len) in strides.iter_mut().zip(&shape).rev() {
            (*stride, step) = (step, step * *len as isize);
        }
        let view = TensorView::from_bytes(of, memory.bytes(), &shape, &strides, 0).expect("a view");
        let elements = numbers(of, memory.bytes());
        let finite = |x: &f64| x.is_finite();
        let sum: f64 = elements.iter().map(|[re, im]| re.abs() + im.abs()).filter(finite).sum();
        for row in case["found"].as_array().expect("calls") {
            let (name, recorded) = (row[0].as_str().expect("an op"), row[3].as_str().expect("a result"));
            if ABSENT.iter().any(|(whose, ops)| *whose == framework && ops.split(' ').any(|op| op == name)) {
                continue;
            }
            let axes = row[1].as_i64().map_or(Axes::All, |axis| Axes::One(axis as isize));
            let named = row[2].as_str().map(dtype);
            let operands = [(&view).into()];
            let mut call = rules.prepare(op(name), &operands).axes(axes);
            if let Some(dtype) = named {
                call = call.dtype(dtype);
            }
            let found = call
                .run()
                .map_or("-".to_owned(), |found| written(found.dtype(), found.shape(), found.as_bytes()));
            let floats = recorded.starts_with(['f', 'c']) || recorded.starts_with("bf");
            let roundings = if floats { elements.len() as f64 } else { 0.0 };
            let magnitude = match name {
                "sum" | "nansum" | "mean" | "cumsum" => Some(sum),
                _ => None,
            };
            let equal = match (found.as_str(), recorded) {
                ("-", recorded) | (recorded, "-") => found == recorded,
                (found, recorded) => near(found, recorded, roundings, magnitude),
            };
            let asked = Asked { op: name, of, named, elements: &elements };
            compared += 1;
            if equal {
                continue;
            }
            match differs.iter().position(|(.., excuses)| excuses(&asked)) {
                Some(at) => excused[at] += 1,
                None => wrong.push(format!(
                    "{name} of {of} {shape:?} along {axes:?} in {named:?}: {found}, recorded {recorded}, of {elements:?}"
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "{framework}: {} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    for ((_, why, _), excused) in differs.iter().zip(excused) {
        assert!(excused > 0, "{framework}: that it {why} excuses nothing");
    }
    compared
}

#[test]
fn scans_are_those_of_numpy() {
    assert!(compare(&NumPy::new().rule_set(), include_str!("../data/scans_numpy.json")) > 1000);
}

#[test]
fn scans_are_those_of_pytorch() {
    assert!(compare(&Torch::new().rule_set(), include_str!("../data/scans_torch.json")) > 1000);
}

#[cfg(feature = "jax")]
#[test]
fn scans_are_those_of_jax() {
    let rules = promote::Jax::new().rule_set();
    assert!(compare(&rules, include_str!("../data/scans_jax.json")) > 1000);
}
