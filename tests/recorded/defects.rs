//! `docs/defects.md`: what the tests excuse the frameworks, a row a defect; in it of each framework how many
//! recorded lanes have it, of which ops and dtypes, and one of them. `PROMOTE_BLESS=1` writes anew what the
//! test knows.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;
use std::{env, fs};

use promote::{DType, Kind, Op};

/// Every defect: its name, which is that of the exceptions, and what is exact and what they give.
const DEFECTS: &[(&str, &str)] = &[
    ("subnormals", "numbers as others; they take one for 0, and give 0 for one"),
    (
        "order of zeros",
        "+0 is greater than -0; they give the left or the right one, as op, dtype and place in the array have it",
    ),
    (
        "sign of zero",
        "that of the exact formula; theirs is what steps leave: 0 - a, a + 0, a·1, a choice of 0",
    ),
    (
        "NaN in orders and extrema",
        "NaN is unordered, and an extremum with it NaN; they pass over some of them",
    ),
    (
        "infinities",
        "what the function tends to; their steps make NaN of inf·0, inf - inf and inf / inf, or lose the sign",
    ),
    (
        "complex infinities and NaN",
        "C's Annex G, or the formula of the quotient; theirs is what other steps leave",
    ),
    (
        "floats that an integer does not hold",
        "one rule for every float; theirs depends on the loop, and so on the dtype",
    ),
    (
        "integers that overflow on the way",
        "what fits comes out, and all else wraps; they wrap a step, or saturate",
    ),
    (
        "integers by zero",
        "an error, or one value for all integers; theirs depends on the dtype or the processor",
    ),
    (
        "Python numbers",
        "as an array of that number; they wrap, multiply by the reciprocal, or take other loops",
    ),
    (
        "steps in a narrow dtype",
        "computed in the dtype that the rules say, and rounded once; they round some steps, or to another dtype",
    ),
    (
        "order of a reduction",
        "from the first to the last; they add neighbours or accumulators first, and every sum of halves is rounded",
    ),
    ("hypot by squares", "no overflow on the way; they take the root of a·a + b·b, each step rounded"),
    (
        "complex products",
        "never fused, so that each place in the array gives the same; their vector loops fuse one product of two",
    ),
    ("complex quotients", "Smith's formula, as NumPy's; they scale, and are some units off"),
    (
        "powers of a complex zero",
        "0, or infinity beside NaN, as the absolute value says, and 1 to the power of 0; they give 0-0i and NaN",
    ),
    (
        "complex powers",
        "more digits of z·ln w; they round it, of which the error becomes one of angle and size",
    ),
    (
        "complex functions",
        "a few units off, and on the side of a cut that the sign of zero says; they round on the way",
    ),
    (
        "angles of sums of powers",
        "from -π to π, to the last digit; theirs is not brought back, or by a rounded π",
    ),
    (
        "angles of complex numbers",
        "to the last digit; theirs is made of x² + y² in steps, and loses digits or all, and the side of a cut",
    ),
    (
        "functions far from the exact result",
        "the float beside it, of complex ones a few units off; they are so many floats off",
    ),
    (WHOLE, "what the rules say of dtypes; they look at shapes, values or options besides"),
];

/// The name under which whole cases are told.
pub(crate) const WHOLE: &str = "operands that it refuses or takes alone";

/// Tests of one binary run side by side, and each writes what it knows.
static WRITING: Mutex<()> = Mutex::new(());

/// What is excused under a name.
#[derive(Clone, Default)]
pub(crate) struct Excused {
    /// How many lanes; none where whole cases are.
    pub(crate) lanes: usize,
    /// How many whole cases.
    pub(crate) cases: usize,
    ops: BTreeSet<String>,
    dtypes: BTreeSet<usize>,
    pub(crate) first: String,
}

impl Excused {
    /// One more lane of an op, in which this dtype comes out.
    pub(crate) fn lane(&mut self, op: &str, dtype: DType, example: impl FnOnce() -> String) {
        if self.lanes == 0 {
            self.first = example();
        }
        self.lanes += 1;
        self.ops.insert(op.to_owned());
        self.dtypes.insert(dtype.index());
    }

    /// One more case, of which this is the text.
    #[allow(dead_code, reason = "of pairs there are lanes alone")]
    pub(crate) fn case(&mut self, op: &str, text: &str) {
        if self.cases == 0 {
            self.first = format!("`{op} .. {} ..`", text.replace('|', ", "));
        }
        self.cases += 1;
        self.ops.insert(op.to_owned());
    }

    /// With what is to be said in place of the names of the ops.
    #[allow(dead_code, reason = "of cases the ops are named")]
    pub(crate) fn of(mut self, ops: &str) -> Excused {
        self.ops = BTreeSet::from([ops.to_owned()]);
        self
    }

    fn and(mut self, other: &Excused) -> Excused {
        if self.first.is_empty() {
            self.first.clone_from(&other.first);
        }
        self.lanes += other.lanes;
        self.cases += other.cases;
        self.ops.extend(other.ops.iter().cloned());
        self.dtypes.extend(&other.dtypes);
        self
    }

    fn is_none(&self) -> bool {
        self.lanes + self.cases == 0
    }

    /// As the page tells it.
    fn told(&self) -> String {
        let mut count = Vec::new();
        for (n, what) in [(self.lanes, "lane"), (self.cases, "case")] {
            if n > 0 {
                count.push(format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
            }
        }
        let ops = shortened(&self.ops.iter().cloned().collect::<Vec<_>>(), "ops");
        let dtypes = self.dtypes.iter().map(|at| DType::STANDARD[*at].name().to_owned());
        let dtypes = shortened(&dtypes.collect::<Vec<_>>(), "dtypes");
        let of = if dtypes.is_empty() { String::new() } else { format!(" in {dtypes}") };
        format!("{} of {ops}{of}{EXAMPLE}{}", count.join(", "), self.first)
    }
}

/// A list, or where it is long its first and how many they are.
fn shortened(words: &[String], what: &str) -> String {
    const MOST: usize = 8;
    match words.len() {
        0..=MOST => words.join(" "),
        n => format!("{n} {what} ({} ..)", words[..3].join(" ")),
    }
}

/// Compares the page with what a test excuses a framework, by the names of exceptions. Of `who` ending in
/// `, cases`, what the page says of the framework without them is not told again.
pub(crate) fn told(path: &str, who: &str, excused: &[(&str, Excused)]) {
    let _writing = WRITING.lock();
    let text = fs::read_to_string(path).expect("docs/defects.md");
    let (head, rows) = text.split_once(TABLE).expect("docs/defects.md has a table");
    for (name, _) in excused {
        assert!(
            DEFECTS.iter().any(|defect| defect.0 == *name),
            "{name} is none of the defects that are told"
        );
    }
    let mark = |who: &str| format!("**{who}**: ");
    let mut table = String::new();
    for (name, what) in DEFECTS {
        let row = rows.lines().find_map(|row| row.strip_prefix(&format!("| {name} | "))?.strip_suffix(" |"));
        let known = row.and_then(|row| row.split_once(" | ")).map_or("", |(_, known)| known);
        let known: Vec<&str> = known.split(BETWEEN).filter(|entry| !entry.is_empty()).collect();
        let before = who.strip_suffix(", cases").map(mark);
        let is_told = before.is_some_and(|before| known.iter().any(|entry| entry.starts_with(&before)));
        let ours = excused.iter().filter(|excused| excused.0 == *name && !is_told);
        let ours = ours.fold(Excused::default(), |all, (_, excused)| all.and(excused));
        let mut entries: Vec<String> = known
            .iter()
            .filter(|entry| !entry.starts_with(&mark(who)))
            .map(|entry| (*entry).to_owned())
            .collect();
        if !ours.is_none() {
            entries.push(mark(who) + &ours.told());
        }
        let place = |entry: &String| WHO.iter().position(|who| entry.starts_with(&mark(who)));
        entries.sort_by_key(place);
        // One example is enough.
        for entry in entries.iter_mut().skip(1) {
            entry.truncate(entry.find(EXAMPLE).unwrap_or(entry.len()));
        }
        let _ = writeln!(table, "| {name} | {what} | {} |", entries.join(BETWEEN));
    }
    let written = [head, TABLE, &table].concat();
    if env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(path, written).expect("the folder can be written");
        return;
    }
    assert!(
        text == written,
        "docs/defects.md tells something else of {who} than the test excuses: PROMOTE_BLESS=1 writes it"
    );
    let unused: Vec<&str> = table.lines().filter(|row| row.ends_with("|  |")).collect();
    assert!(unused.is_empty(), "nobody has these defects: {unused:?}");
}

/// Whose defects the page tells, in this order.
const WHO: &[&str] = &[
    "PyTorch",
    "PyTorch, cases",
    "NumPy",
    "NumPy, cases",
    "JAX",
    "JAX, cases",
    "TensorFlow",
    "PaddlePaddle",
    "OneFlow",
];

const TABLE: &str = "| defect | what is exact, and what they give | who, how often, where; and one of them |\n| --- | --- | --- |\n";

/// Before the example of an entry.
const EXAMPLE: &str = "; as ";

const BETWEEN: &str = "<br>";

/// A lane of a recorded case, as the page tells it.
#[allow(dead_code, reason = "of pairs lanes are told otherwise")]
pub(crate) fn example(
    op: Op,
    case: &str,
    operands: [(DType, [f64; 2]); 2],
    dtype: DType,
    results: [[f64; 2]; 2],
) -> String {
    let [a, b] = operands.map(|(dtype, x)| shown(dtype, x));
    let operands = if op.arity() == 2 { format!("{a}, {b}") } else { a };
    let [ours, theirs] = results.map(|x| shown(dtype, x));
    format!("`{op} {case}` at {operands} is {theirs}, not {ours}")
}

/// A number as it is written, with as many digits as tell the elements of a dtype apart.
pub(crate) fn shown(dtype: DType, [re, im]: [f64; 2]) -> String {
    let part = |x: f64| {
        let wide = matches!(dtype, DType::F64 | DType::C128);
        let text = if wide { format!("{x:?}") } else { format!("{:?}", x as f32) };
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    match dtype.kind() {
        Kind::Complex => {
            let sign = if im.is_sign_negative() && !im.is_nan() { '-' } else { '+' };
            format!("{}{sign}{}i", part(re), part(im.abs()))
        }
        Kind::Float => part(re),
        _ => format!("{re}"),
    }
}
