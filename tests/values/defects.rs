//! `docs/defects.md`, the page of what the tests excuse.
//!
//! A row is a defect. It says for each system how many recorded lanes have the defect, of which ops and
//! dtypes, and shows one of them. The page is generated: `PROMOTE_BLESS=1` writes it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::{env, fs};

use promote::DType;

/// Every defect: the name that exceptions use, then what `promote` gives and what the systems give.
const DEFECTS: &[(&str, &str)] = &[
    (
        "subnormals",
        "Subnormal numbers are ordinary operands and results. The systems read them as 0, and return 0 instead.",
    ),
    (
        "order of zeros",
        "+0 is greater than -0. The systems return the left or the right operand, depending on op, dtype and position in the array.",
    ),
    (
        "sign of zero",
        "Results have the sign of the exact formula. The systems give the sign that a step leaves, such as 0 - a, a + 0 or a · 1.",
    ),
    (
        "NaN in orders and extrema",
        "NaN is unordered, and an extremum of NaN is NaN. The systems skip some NaN.",
    ),
    (
        "infinities",
        "The result is the limit of the function. The systems compute inf · 0, inf - inf or inf / inf in a step, which is NaN, or lose the sign.",
    ),
    (
        "complex infinities and NaN",
        "Results are the values of C's Annex G, or of the formula of the quotient. The systems give what their steps leave.",
    ),
    (
        "floats that an integer does not hold",
        "One rule holds for every float. The results of the systems depend on the loop, and so on the dtype.",
    ),
    (
        "integers that overflow on the way",
        "Results that fit are exact, and all others wrap. The systems wrap or saturate an intermediate step.",
    ),
    (
        "integers by zero",
        "The result is an error, or one value for all integers. The results of the systems depend on the dtype or the processor.",
    ),
    (
        "Python numbers",
        "A number counts as an array of that number. The systems wrap it, multiply by its reciprocal, or run other loops.",
    ),
    (
        "steps in a narrow dtype",
        "The op computes in the dtype that the rules name, and rounds once. The systems round some steps, or round to another dtype.",
    ),
    (
        "order of a reduction",
        "Elements are reduced from the first to the last. The systems add neighbours or partial sums first, and round every sum of halves.",
    ),
    (
        "hypot by squares",
        "No step overflows. The systems take the root of a · a + b · b, and round each step.",
    ),
    (
        "complex products",
        "Products are not fused, so that every position in the array gives equal bits. The vector loops of the systems fuse one product of two.",
    ),
    (
        "complex quotients",
        "Quotients follow Smith's formula, as in NumPy. The systems scale the operands, and are some units in the last place off.",
    ),
    (
        "powers of a complex zero",
        "The result is 0, or infinity beside NaN, as the absolute value says, and 1 if the exponent is 0. The systems give 0-0i and NaN.",
    ),
    (
        "complex powers",
        "`promote` keeps z · ln w with more digits than the result has. The systems round it, and the error grows with the angle and the magnitude.",
    ),
    (
        "complex functions",
        "Results are a few units in the last place off, and on the side of a branch cut that the sign of zero selects. The systems round intermediate steps.",
    ),
    (
        "angles of sums of powers",
        "Angles are between -π and π, to the last digit. The systems do not reduce the angle, or reduce it by a rounded π.",
    ),
    (
        "angles of complex numbers",
        "Angles are right to the last digit. The systems compute x² + y² in steps, and lose some or all digits, or the side of a branch cut.",
    ),
    (
        FAR_OFF,
        "Real results are one of the two floats nearest to the exact result, and complex results are a few units off. The systems are off by the number of floats shown.",
    ),
    (WHOLE, "The rules for dtypes decide. The systems look at shapes, values or options as well."),
];

/// The name under which whole cases are listed.
pub(crate) const WHOLE: &str = "operands that a system alone refuses or accepts";

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
    const MAX_NAMED: usize = 8;
    match words.len() {
        0..=MAX_NAMED => words.join(" "),
        n => format!("{n} {what} ({} ..)", words[..3].join(" ")),
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/defects.md");

const HEAD: &str = "| defect | what `promote` gives, and what the systems give | who, how often, where; and one of them |\n| --- | --- | --- |\n";

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
