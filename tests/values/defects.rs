//! `docs/defects.md`, the page of what the tests excuse.
//!
//! A row is a defect. It says for each system how many recorded lanes have the defect, of which ops and
//! dtypes, and shows one of them. The page is generated: `PROMOTE_BLESS=1` writes it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::{env, fs};

use promote::DType;

/// Every defect: the name that exceptions use, the exact result, and what systems give.
const DEFECTS: &[(&str, &str)] = &[
    ("subnormals", "numbers as others; they take one for 0, and give 0 for one"),
    (
        "order of zeros",
        "+0 is greater than -0; they give the left or the right one, as op, dtype and position in the array have it",
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
        "never fused, so that each position in the array gives the same; their vector loops fuse one product of two",
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
    (FAR_OFF, "the float beside it, of complex ones a few units off; they are so many floats off"),
    (WHOLE, "what the rules say of dtypes; they look at shapes, values or options besides"),
];

/// The name under which whole cases are listed.
pub(crate) const WHOLE: &str = "operands that it refuses or takes alone";

/// The name of functions that are many floats off the exact result.
pub(crate) const FAR_OFF: &str = "functions far from the exact result";

/// The lanes and cases that have a defect.
#[derive(Clone, Default)]
pub(crate) struct Listed {
    /// The number of lanes.
    pub(crate) lanes: usize,
    /// The number of whole cases.
    pub(crate) cases: usize,
    ops: BTreeSet<String>,
    dtypes: BTreeSet<usize>,
    example: String,
}

impl Listed {
    /// Adds a lane of an op with a result of this dtype.
    pub(crate) fn lane(&mut self, op: &str, dtype: DType, example: impl FnOnce() -> String) {
        if self.lanes == 0 {
            self.example = example();
        }
        self.lanes += 1;
        self.ops.insert(op.to_owned());
        self.dtypes.insert(dtype.index());
    }

    /// Adds a whole case. `text` is what its exception looks for.
    pub(crate) fn case(&mut self, op: &str, text: &str) {
        if self.cases == 0 {
            self.example = format!("`{op} .. {} ..`", text.replace('|', ", "));
        }
        self.cases += 1;
        self.ops.insert(op.to_owned());
    }

    /// Replaces the names of the ops.
    pub(crate) fn of(mut self, ops: &str) -> Listed {
        self.ops = BTreeSet::from([ops.to_owned()]);
        self
    }

    fn and(mut self, other: &Listed) -> Listed {
        if self.example.is_empty() {
            self.example.clone_from(&other.example);
        }
        self.lanes += other.lanes;
        self.cases += other.cases;
        self.ops.extend(other.ops.iter().cloned());
        self.dtypes.extend(&other.dtypes);
        self
    }

    fn is_empty(&self) -> bool {
        self.lanes + self.cases == 0
    }

    /// Writes the counts, the ops and the dtypes.
    fn summary(&self) -> String {
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
        format!("{} of {ops}{of}", count.join(", "))
    }
}

/// Writes a list; of a long one, its first words and its length.
fn shortened(words: &[String], what: &str) -> String {
    const MOST: usize = 8;
    match words.len() {
        0..=MOST => words.join(" "),
        n => format!("{n} {what} ({} ..)", words[..3].join(" ")),
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/defects.md");

const HEAD: &str = "| defect | what is exact, and what they give | who, how often, where; and one of them |\n| --- | --- | --- |\n";

/// Compares the page with what is excused: the title of each recording, and defects with what has them.
///
/// # Panics
/// Panics if the page is out of date, or if nothing has a defect.
pub(crate) fn check(excused: &[(&str, Vec<(&str, Listed)>)]) {
    for (name, _) in excused.iter().flat_map(|(_, listed)| listed) {
        assert!(DEFECTS.iter().any(|defect| defect.0 == *name), "`{name}` is no defect of the page");
    }
    let mut table = String::new();
    for (name, exact) in DEFECTS {
        let mut entries: Vec<(&str, String)> = Vec::new();
        for (title, listed) in excused {
            let same = listed.iter().filter(|(defect, _)| defect == name);
            let all = same.fold(Listed::default(), |all, (_, listed)| all.and(listed));
            if all.is_empty() {
                continue;
            }
            // One example for each defect is enough.
            let example = if entries.is_empty() { format!("; as {}", all.example) } else { String::new() };
            entries.push((title, format!("**{title}**: {}{example}", all.summary())));
        }
        assert!(!entries.is_empty(), "nothing has the defect `{name}`");
        let entries: Vec<String> = entries.into_iter().map(|(_, entry)| entry).collect();
        let _ = writeln!(table, "| {name} | {exact} | {} |", entries.join("<br>"));
    }
    let text = fs::read_to_string(PAGE).expect("docs/defects.md");
    let (head, _) = text.split_once(HEAD).expect("docs/defects.md has a table");
    let written = [head, HEAD, &table].concat();
    if env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(PAGE, written).expect("the page can be written");
        return;
    }
    assert!(text == written, "docs/defects.md is out of date; help: run this test with PROMOTE_BLESS=1");
}
