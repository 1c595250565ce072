//! Query engines: results of single elements at the edges of dtypes, from `rows` in their files of dtypes.
//!
//! A row has the op, the dtype of its operands, the operands, and the result: an element, `null` or `error`.

use promote::{DType, Number, Op, RuleSet, ScalarValue, SliceMut, TensorView};

use crate::data::data;

/// What a rule set computes otherwise than its engine: the ops, the rows, and the reason.
type Exception = (&'static str, fn(&Row) -> bool, &'static str);

/// A row, in words.
struct Row {
    op: String,
    dtype: String,
    operands: Vec<String>,
    result: String,
}

impl Row {
    fn read(line: &str) -> Row {
        let mut words = line.split(' ').map(str::to_owned);
        let mut next = || words.next().expect("an op, a dtype and a result");
        let (op, dtype) = (next(), next());
        let mut operands: Vec<String> = words.collect();
        let result = operands.pop().expect("a result");
        Row { op, dtype, operands, result }
    }

    fn has(&self, word: &str) -> bool {
        self.operands.iter().any(|operand| operand.trim_matches(['[', ']']).split(',').any(|x| x == word))
    }
}

const BY_ZERO: &str = "an integer by zero is null, and an error here";
const EMPTY: &str = "a reduction of nothing is null";
const EXTREMA: &str = "extrema pass over NaN, and here they are NaN: as `nan_max` and `nan_min`";
const ZEROS: &str = "the second of two zeros, and here +0 is greater than -0";

const POLARS: &[Exception] = &[
    ("floor_divide remainder", |row| row.result == "null", BY_ZERO),
    ("max mean", |row| row.has(""), EMPTY),
    ("max min", |row| row.has("nan"), EXTREMA),
    ("sign", |row| row.has("-0.0"), "the sign of -0 is -0, and +0 here"),
    ("fmax fmin", |row| row.has("-0.0"), ZEROS),
];

const DATAFUSION: &[Exception] = &[
    (
        "divide",
        |row| row.has("-1") && row.result == "error",
        "the lowest integer by -1 is an error, and wraps here",
    ),
    ("abs", |row| row.result == "error", "the lowest integer has no absolute value, and wraps here"),
    ("pow", |row| row.result == "error", "0 to a negative power is an error, and infinity here"),
    ("sqrt", |row| row.result == "error", "the root of a negative number is an error, and NaN here"),
    ("max mean sum", |row| row.has(""), EMPTY),
    ("min", |row| row.has("nan"), "NaN is the greatest number, and here an extremum of NaN is NaN"),
];

#[test]
fn polars_gives_the_recorded_elements() {
    compare("polars", POLARS, 644);
}

#[test]
fn datafusion_gives_the_recorded_elements() {
    compare("datafusion", DATAFUSION, 475);
}

/// Compares each row of a system.
///
/// # Panics
/// Panics if an element differs, if an exception excuses nothing, or if there are fewer rows than `at_least`.
fn compare(system: &str, exceptions: &[Exception], at_least: usize) {
    let rules = promote::rule_set(system).expect("a bundled rule set");
    let (mut equal, mut excused, mut wrong) = (0, vec![0; exceptions.len()], Vec::new());
    let data = data(system);
    for line in data["rows"].as_array().expect("rows") {
        let line = line.as_str().expect("a row");
        let row = Row::read(line);
        let ours = result(&rules, &row);
        let same = match (&ours, &*row.result) {
            (None, "error") => true,
            (None, _) | (Some(_), "error" | "null") => false,
            (Some(ours), word) => is_equal(ours, &element(ours.dtype(), word)),
        };
        let is = |(ops, is, _): &Exception| ops.split(' ').any(|op| op == row.op) && is(&row);
        match exceptions.iter().position(is) {
            _ if same => equal += 1,
            Some(at) => excused[at] += 1,
            None => wrong.push(format!("{line}: ours {:?}", ours.and_then(|ours| ours.number()))),
        }
    }
    println!("{system}: {equal} rows equal");
    for ((ops, _, reason), count) in exceptions.iter().zip(&excused) {
        println!("{system}: {count} rows of {ops}: {reason}");
        assert!(*count > 0, "{system}, {ops}: this exception excuses nothing");
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(equal >= at_least, "{system}: {equal} rows are equal, of at least {at_least}");
}

/// Computes a row; `None` if the call is an error.
fn result(rules: &RuleSet, row: &Row) -> Option<ScalarValue> {
    let dtype: DType = row.dtype.parse().expect("a dtype");
    let op: Op = row.op.parse().expect("an op");
    if op == Op::Astype {
        let to: DType = row.operands[1].parse().expect("a dtype");
        let mut out = element(to, "0");
        let (from, mut bytes) = (element(dtype, &row.operands[0]), out.as_bytes().to_vec());
        let (from, to_slice) = (from.as_bytes(), SliceMut::from_bytes(to, &mut bytes));
        let from = promote::Slice::from_bytes(dtype, from).expect("an element");
        rules.cast_kernel(dtype, to).ok()?.call(from, to_slice.expect("an element")).ok()?;
        out = ScalarValue::from_bytes(to, &bytes).expect("an element");
        return Some(out);
    }
    let arrays: Vec<(Vec<u8>, usize)> = row.operands.iter().map(|words| array(dtype, words)).collect();
    let stride = [dtype.size().expect("a dtype with elements") as isize];
    let shapes: Vec<[usize; 1]> = arrays.iter().map(|(_, length)| [*length]).collect();
    let views = arrays.iter().zip(&shapes).map(|((bytes, _), shape)| {
        TensorView::from_bytes(dtype, bytes, shape, &stride, 0).expect("an array")
    });
    let views: Vec<TensorView<'_>> = views.collect();
    let operands: Vec<promote::Argument<'_>> = views.iter().map(Into::into).collect();
    let found = rules.call(op, &operands).ok()?;
    ScalarValue::from_bytes(found.dtype(), found.as_bytes()).ok()
}

/// Returns the bytes of an element or of a list, and the number of elements.
fn array(dtype: DType, words: &str) -> (Vec<u8>, usize) {
    let words = words.trim_matches(['[', ']']);
    let elements: Vec<ScalarValue> =
        words.split(',').filter(|word| !word.is_empty()).map(|word| element(dtype, word)).collect();
    (elements.iter().flat_map(|element| element.as_bytes().to_vec()).collect(), elements.len())
}

fn element(dtype: DType, word: &str) -> ScalarValue {
    let number = match (word, word.parse()) {
        ("True", _) => Number::Bool(true),
        ("False", _) => Number::Bool(false),
        (_, Ok(whole)) => Number::Int(whole),
        _ => Number::Float(word.parse().unwrap_or_else(|_| panic!("{word} is no number"))),
    };
    ScalarValue::from_number(number, dtype).expect("a dtype with elements")
}

/// Returns true if two elements have equal bytes, or are both NaN.
fn is_equal(a: &ScalarValue, b: &ScalarValue) -> bool {
    let is_nan = |x: &ScalarValue| matches!(x.number(), Some(Number::Float(x)) if x.is_nan());
    a.as_bytes() == b.as_bytes() || is_nan(a) && is_nan(b)
}
