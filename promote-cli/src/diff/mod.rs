//! `promote diff`: what two rule sets answer differently.
//!
//! - here: the arguments, the two rule sets, and when two answers are the same;
//! - `page`: the tables of both in one, for a person; the forms are those of `promote table`;
//! - `text`: the cells that differ, for a terminal;
//! - `json`: the cells that differ of every table, for a program.

mod json;
mod page;
mod text;

use std::fmt;
use std::path::PathBuf;

use promote::{DType, Op};

use crate::bundled::{Assignment, FileArgs, Loaded};
use crate::failure::Failure;
use crate::suggest::near_dtype;
use crate::table::{self, Format, knows_weak, setting};
use crate::{replace, terminal};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A bundled rule set, or the path of a rule file
    #[arg(value_name = "A")]
    a: String,
    /// Another one
    #[arg(value_name = "B")]
    b: String,
    /// A rule file that A or B builds on
    #[arg(long, value_name = "FILE")]
    base: Vec<String>,
    /// A parameter of A
    #[arg(long, value_name = "PARAM=VALUE")]
    set: Vec<Assignment>,
    /// A parameter of B
    #[arg(long, value_name = "PARAM=VALUE")]
    set_b: Vec<Assignment>,
    /// Compare what comes out of this op, not what its operands promote to
    #[arg(long)]
    op: Option<String>,
    /// Compare these dtypes only, in this order; text then lists those that one rule set lacks as well
    #[arg(long, value_name = "DTYPE", value_delimiter = ',')]
    dtypes: Vec<String>,
    /// The form: text and json list the cells that differ, the others show all cells
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write it to this file, and the counts to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Exit with 1 if they differ, in a cell or in their dtypes; otherwise that is no failure
    #[arg(long)]
    exit_code: bool,
}

impl Args {
    /// Returns true if standard output gets text for a person.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.format, Format::Text)
    }
}

/// Compares.
///
/// # Errors
/// A rule set has mistakes, or no such op or parameter; they have no dtype in common; or they differ, and the
/// exit code was to tell.
pub fn run(args: &Args) -> Result<String, Failure> {
    args.output.as_deref().map_or(Ok(()), replace::check)?;
    let a = FileArgs::new(&args.a, &args.base).load(&args.set)?;
    let b = FileArgs::new(&args.b, &args.base).load(&args.set_b)?;
    let pair = Pair::new(a, b, [&args.a, &args.b], args.op.as_deref(), &args.dtypes)?;
    let found = page::compare(&pair);
    let page = || page::write(&pair, &found);
    let told = match args.format {
        Format::Json => terminal::json(&json::write(&pair)),
        Format::Text => text::write(&pair, &found),
        Format::Markdown => table::markdown::write(&page()),
        Format::Html => table::html::write(&page()),
        Format::Svg => table::svg::write(&page()),
    };
    let told = match &args.output {
        None => told,
        Some(path) => {
            replace::replace(path, &[terminal::lines(&told).as_bytes()])?;
            let path = path.display().to_string();
            format!("{}: {}\n", terminal::line(&path), Counted(found.counts(), &pair.names))
        }
    };
    if args.exit_code && found.counts().differ() {
        let [a, b] = &pair.names;
        return Err(Failure::new(format!("{a} and {b} differ")).with_stdout(told));
    }
    Ok(told)
}

/// Two rule sets, and the dtypes and the op for which they are compared.
struct Pair {
    loaded: [Loaded; 2],
    /// Their names, with the values of parameters where the rule set is the same.
    names: [String; 2],
    op: Option<Op>,
    /// The dtypes that are compared, as each rule set defines them; one that it lacks is as in the other.
    dtypes: [Vec<DType>; 2],
    /// The names of those that only one has.
    only: [Vec<String>; 2],
    /// The dtypes were named by the user.
    chosen: bool,
    /// Both have weak operands.
    weak: bool,
}

impl Pair {
    fn new(
        a: Loaded,
        b: Loaded,
        said: [&str; 2],
        op: Option<&str>,
        chosen: &[String],
    ) -> Result<Pair, Failure> {
        let names = names(&a, &b, said);
        let op = match op {
            None => None,
            Some(name) => {
                table::op(&b.rules, name)?;
                Some(table::op(&a.rules, name)?)
            }
        };
        let (of_a, of_b) = (a.rules.tables().dtypes, b.rules.tables().dtypes);
        // A dtype of a file's own is known by its address: what two files have in common is the name.
        let find =
            |dtypes: &[DType], wanted: DType| dtypes.iter().copied().find(|d| d.name() == wanted.name());
        let mut both: Vec<(DType, DType)> = of_a.iter().filter_map(|a| Some((*a, find(of_b, *a)?))).collect();
        if both.is_empty() {
            return Err(Failure::new(format!("{} and {} have no dtype in common", names[0], names[1])));
        }
        // Those that only one has come last, so that the cells that can be compared form one block.
        let lacking = |own: &[DType], other: &[DType]| -> Vec<DType> {
            own.iter().copied().filter(|dtype| find(other, *dtype).is_none()).collect()
        };
        let only = [lacking(of_a, of_b), lacking(of_b, of_a)];
        both.extend(only.iter().flatten().map(|dtype| (*dtype, *dtype)));
        if !chosen.is_empty() {
            both = choose(&both, chosen, &names)?;
        }
        let compared = |dtype: &&DType| both.iter().any(|(of_a, _)| of_a.name() == dtype.name());
        let only = only.map(|only| only.iter().filter(compared).map(DType::to_string).collect());
        let weak = knows_weak(&a) && knows_weak(&b);
        let (dtypes_a, dtypes_b) = both.into_iter().unzip();
        let chosen = !chosen.is_empty();
        Ok(Pair { loaded: [a, b], names, op, dtypes: [dtypes_a, dtypes_b], only, chosen, weak })
    }

    /// Whether the rule set of this position lacks an operand: a dtype, with a star if it is weak, or a
    /// number.
    fn lacks(&self, at: usize, operand: &str) -> bool {
        let dtype = operand.trim_end_matches('*');
        self.only[1 - at].iter().any(|only| only == dtype)
    }

    /// The dtypes that are compared and that the rule set of this position has.
    fn own_dtypes(&self, at: usize) -> Vec<DType> {
        self.dtypes[at].iter().copied().filter(|dtype| !self.lacks(at, dtype.name())).collect()
    }

    /// Compares two answers to the same operands; a refusal is `None`.
    fn verdict(&self, operands: &[&str], a: Option<&str>, b: Option<&str>) -> Verdict {
        let [of_a, of_b] = [0, 1].map(|at| operands.iter().any(|operand| self.lacks(at, operand)));
        match (of_a, of_b) {
            (true, true) => return Verdict::AbsentInBoth,
            (true, false) => return Verdict::Absent(0),
            (false, true) => return Verdict::Absent(1),
            (false, false) => {}
        }
        match (a, b) {
            (None, None) => Verdict::RefusedByBoth,
            (None, Some(_)) => Verdict::Refused(0),
            (Some(_), None) => Verdict::Refused(1),
            (Some(a), Some(b)) if same(a, b, self.weak) => Verdict::Equal,
            _ => Verdict::Different,
        }
    }

    /// What the sentences about dtypes say that only one has.
    fn only(&self) -> impl Iterator<Item = String> {
        let sets = self.names.iter().zip(&self.only).filter(|(_, only)| !only.is_empty());
        sets.map(|(name, only)| format!("only {name} has: {}", only.join(" ")))
    }

    /// Both, and under which parameters they are.
    fn title(&self) -> String {
        // Where parameters tell them apart, they are in the names.
        let whole = [0, 1].map(|at| match setting(&self.loaded[at]) {
            setting if self.names[at].ends_with(&setting) => self.names[at].clone(),
            setting => format!("{}{setting}", self.names[at]),
        });
        format!("{}: {}", whole.join(" and "), table::subject(self.op))
    }
}

/// The dtypes of these names, in their order.
fn choose(
    known: &[(DType, DType)],
    chosen: &[String],
    names: &[String; 2],
) -> Result<Vec<(DType, DType)>, Failure> {
    let find = |name: &String| {
        known.iter().copied().find(|(dtype, _)| dtype.name() == *name).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|(dtype, _)| dtype.name()).collect();
            let all = format!("their dtypes: {}", known.join(" "));
            let [a, b] = names;
            Failure::new(format!("neither {a} nor {b} has a dtype `{name}`"))
                .help(near_dtype(name, &known, &all))
        })
    };
    table::named_once(chosen)?;
    chosen.iter().map(find).collect()
}

/// What tells two rule sets apart: their names; if these are equal, their parameters; or else their files.
fn names(a: &Loaded, b: &Loaded, said: [&str; 2]) -> [String; 2] {
    let name = |loaded: &Loaded, behind: String| format!("{}{behind}", loaded.rules.name());
    if a.rules.name() != b.rules.name() {
        [name(a, String::new()), name(b, String::new())]
    } else if setting(a) != setting(b) {
        [name(a, setting(a)), name(b, setting(b))]
    } else {
        [name(a, format!(" in {}", said[0])), name(b, format!(" in {}", said[1]))]
    }
}

/// Whether two answers are the same, stars included if both rule sets have weak operands: to one that has
/// none a star says nothing, so a dtype is all that there is to compare.
pub(crate) fn same(a: &str, b: &str, weak: bool) -> bool {
    if weak { a == b } else { a.replace('*', "") == b.replace('*', "") }
}

/// What the two say of the same operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The same.
    Equal,
    /// Each something else.
    Different,
    /// The one of this position refuses, the other does not.
    Refused(usize),
    /// Both refuse.
    RefusedByBoth,
    /// The one of this position lacks a dtype of the operands.
    Absent(usize),
    /// Each lacks a dtype of the operands.
    AbsentInBoth,
}

impl Verdict {
    fn differs(self) -> bool {
        matches!(self, Verdict::Different | Verdict::Refused(_) | Verdict::Absent(_))
    }
}

/// How many cells there are of each sort.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    equal: usize,
    different: usize,
    refused: [usize; 2],
    refused_by_both: usize,
    /// Those with a dtype that the one of this position lacks. They are not among the cells that are
    /// compared.
    absent: [usize; 2],
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Equal => &mut self.equal,
            Verdict::Different => &mut self.different,
            Verdict::Refused(at) => &mut self.refused[at],
            Verdict::RefusedByBoth => &mut self.refused_by_both,
            Verdict::Absent(at) => &mut self.absent[at],
            Verdict::AbsentInBoth => return,
        } += 1;
    }

    fn cells(self) -> usize {
        self.equal + self.different + self.refused[0] + self.refused[1] + self.refused_by_both
    }

    fn differ(self) -> bool {
        self.different + self.refused[0] + self.refused[1] + self.absent[0] + self.absent[1] > 0
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.equal += other.equal;
        self.different += other.different;
        self.refused[0] += other.refused[0];
        self.refused[1] += other.refused[1];
        self.refused_by_both += other.refused_by_both;
        self.absent[0] += other.absent[0];
        self.absent[1] += other.absent[1];
    }
}

/// Counts of two rule sets of these names.
struct Counted<'a>(Counts, &'a [String; 2]);

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(counts, [a, b]) = self;
        write!(f, "{} cells: {} equal, {} different", counts.cells(), counts.equal, counts.different)?;
        for (count, by) in [(counts.refused[0], a.as_str()), (counts.refused[1], b)] {
            if count > 0 {
                write!(f, ", {count} refused by {by} alone")?;
            }
        }
        if counts.refused_by_both > 0 {
            write!(f, ", {} refused by both", counts.refused_by_both)?;
        }
        for (count, by) in [(counts.absent[0], a.as_str()), (counts.absent[1], b)] {
            if count > 0 {
                write!(f, "; {count} more of dtypes that {by} lacks")?;
            }
        }
        Ok(())
    }
}
