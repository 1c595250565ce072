//! `promote diff`: the operands for which two rule sets differ.
//!
//! - here: the arguments, the two rule sets, and the comparison of two answers;
//! - `page`: both tables in one, for people, in the forms of `promote table`;
//! - `text`: the cells that differ, for a terminal;
//! - `json`: the cells that differ, for programs.

mod json;
mod page;
mod text;

use std::borrow::Cow;
use std::fmt;

use promote::{DType, Op};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::load::{Assignment, BaseArgs, FileArgs, Loaded};
use crate::names::NamesArgs;
use crate::operands::{self, knows_weak, same, setting};
use crate::output::AnswerArgs;
use crate::suggest::near_dtype;
use crate::table::{self, Format};
use crate::terminal;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("format", |format| format.help(
    "The form of the answer; text and json list the cells that differ, the others show all cells"
)))]
pub struct Args {
    /// A bundled rule set, or the path of a rule file
    #[arg(value_name = "A")]
    a: String,
    /// The rule set to compare it with
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    dtype_names: NamesArgs,
    /// Give a parameter of A another value than its default
    #[arg(long, value_name = "PARAM=VALUE")]
    set: Vec<Assignment>,
    /// Give a parameter of B another value than its default
    #[arg(long, value_name = "PARAM=VALUE")]
    set_b: Vec<Assignment>,
    /// Compare the result dtypes of this op instead of promotion
    #[arg(long)]
    op: Option<String>,
    /// Compare these dtypes only, in this order; text then lists dtypes that one rule set lacks, too
    #[arg(long, value_name = "DTYPE", value_delimiter = ',')]
    dtypes: Vec<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs<Format>,
    /// Exit with 1 if the rule sets differ in a cell or in their dtypes
    #[arg(long)]
    exit_code: bool,
}

/// Compares two rule sets.
///
/// # Errors
/// Returns an error if a rule set has mistakes, or no such op or parameter, if they have no dtype in common,
/// or, with `--exit-code`, if they differ.
pub fn run(args: &Args) -> Result<Answer, Failure> {
    let a = FileArgs::new(&args.a, &args.base, &args.dtype_names).load(&args.set)?;
    let b = FileArgs::new(&args.b, &args.base, &args.dtype_names).load(&args.set_b)?;
    let pair = Pair::new(a, b, [&args.a, &args.b], args.op.as_deref(), &args.dtypes)?;
    let found = page::compare(&pair);
    let page = || page::write(&pair, &found);
    let told = match args.answer.format {
        Format::Json => terminal::json(&json::write(&pair)),
        Format::Text => text::write(&pair, &found),
        Format::Markdown => table::markdown::write(&page()),
        Format::Html => table::html::write(&page()),
        Format::Svg => table::svg::write(&page()),
    };
    let answer = Answer::new(Counted(found.counts(), &pair.names).to_string(), told);
    if args.exit_code && found.counts().differ() {
        let [a, b] = &pair.names;
        return Err(Failure::new(format!("{a} and {b} differ")).with_answer(answer));
    }
    Ok(answer)
}

/// Two rule sets, and the dtypes and the op for which they are compared.
struct Pair {
    loaded: [Loaded; 2],
    /// Their names, with the values of parameters if both are the same rule set.
    names: [String; 2],
    op: Option<Op>,
    /// The dtypes that are compared, as each rule set defines them. A dtype that one lacks is that of the
    /// other.
    dtypes: [Vec<DType>; 2],
    /// The names of the dtypes that only one rule set has.
    only: [Vec<String>; 2],
    /// True if the user chose the dtypes.
    chosen: bool,
    /// True if both have weak operands.
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
                let [of_b, of_a] = [operands::op(&b, name)?, operands::op(&a, name)?];
                if of_a.name() != of_b.name() {
                    let message =
                        format!("`{name}` is `{of_a}` in {} and `{of_b}` in {}", names[0], names[1]);
                    return Err(Failure::new(message).help("write one of these two"));
                }
                Some(of_a)
            }
        };
        let (of_a, of_b) = (a.rules.tables().dtypes, b.rules.tables().dtypes);
        // Custom dtypes are compared by address, so two files can only share their names.
        let find =
            |dtypes: &[DType], wanted: DType| dtypes.iter().copied().find(|d| d.name() == wanted.name());
        let mut both: Vec<(DType, DType)> = of_a.iter().filter_map(|a| Some((*a, find(of_b, *a)?))).collect();
        if both.is_empty() {
            return Err(Failure::new(format!("{} and {} have no dtype in common", names[0], names[1])));
        }
        // Dtypes that only one has come last, so that the cells that can be compared form one block.
        let lacking = |own: &[DType], other: &[DType]| -> Vec<DType> {
            own.iter().copied().filter(|dtype| find(other, *dtype).is_none()).collect()
        };
        let only = [lacking(of_a, of_b), lacking(of_b, of_a)];
        both.extend(only.iter().flatten().map(|dtype| (*dtype, *dtype)));
        if !chosen.is_empty() {
            both = choose([&a, &b], &both, chosen, &names)?;
        }
        let compared = |dtype: &&DType| both.iter().any(|(of_a, _)| of_a.name() == dtype.name());
        let only =
            only.map(|only| only.iter().filter(compared).map(|dtype| a.show(*dtype).into_owned()).collect());
        let weak = knows_weak(&a) && knows_weak(&b);
        let (dtypes_a, dtypes_b) = both.into_iter().unzip();
        let chosen = !chosen.is_empty();
        Ok(Pair { loaded: [a, b], names, op, dtypes: [dtypes_a, dtypes_b], only, chosen, weak })
    }

    /// Returns the name by which a dtype is shown.
    fn show(&self, dtype: DType) -> Cow<'static, str> {
        self.loaded[0].show(dtype)
    }

    /// Returns true if a rule set, by its index, lacks an operand: a dtype, with a star if it is weak, or a
    /// number.
    fn lacks(&self, at: usize, operand: &str) -> bool {
        let dtype = operand.trim_end_matches('*');
        self.only[1 - at].iter().any(|only| only == dtype)
    }

    /// Returns the compared dtypes that a rule set, by its index, has.
    fn own_dtypes(&self, at: usize) -> Vec<DType> {
        self.dtypes[at].iter().copied().filter(|dtype| !self.lacks(at, &self.show(*dtype))).collect()
    }

    /// Compares two answers for the same operands; a refusal is `None`.
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

    /// Returns sentences about the dtypes that only one rule set has.
    fn only(&self) -> impl Iterator<Item = String> {
        let sets = self.names.iter().zip(&self.only).filter(|(_, only)| !only.is_empty());
        sets.map(|(name, only)| format!("only {name} has: {}", only.join(" ")))
    }

    /// Returns a title with both names and the values of the parameters.
    fn title(&self) -> String {
        // The names may contain the values of the parameters already.
        let whole = [0, 1].map(|at| match setting(&self.loaded[at]) {
            setting if self.names[at].ends_with(&setting) => self.names[at].clone(),
            setting => format!("{}{setting}", self.names[at]),
        });
        format!("{}: {}", whole.join(" and "), table::subject(self.op))
    }
}

/// Looks up dtypes by their names, in order. A name that both rule sets know has to mean one dtype.
fn choose(
    loaded: [&Loaded; 2],
    known: &[(DType, DType)],
    chosen: &[String],
    names: &[String; 2],
) -> Result<Vec<(DType, DType)>, Failure> {
    let find = |name: &String| {
        let found = loaded.map(|loaded| loaded.find_dtype(name));
        let [a, b] = names;
        if let [Some(of_a), Some(of_b)] = found
            && of_a.name() != of_b.name()
        {
            let message = format!("`{name}` is `{of_a}` in {a} and `{of_b}` in {b}");
            return Err(
                Failure::new(message).help("write one of these two, or choose the names by `--names`")
            );
        }
        let found = found.into_iter().flatten().next();
        let pair = found.and_then(|found| known.iter().find(|(dtype, _)| dtype.name() == found.name()));
        pair.copied().ok_or_else(|| {
            let known: Vec<_> = known.iter().map(|(dtype, _)| loaded[0].show(*dtype)).collect();
            let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
            let all = format!("their dtypes: {}", known.join(" "));
            Failure::new(format!("neither {a} nor {b} has a dtype `{name}`"))
                .help(near_dtype(name, &known, None, &all))
        })
    };
    let found = chosen.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let named: Vec<String> = found.iter().map(|(dtype, _)| loaded[0].show(*dtype).into_owned()).collect();
    operands::named_once("dtype", &named)?;
    Ok(found)
}

/// Returns names that differ: those of the rule sets, with parameters or files if they are equal.
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

/// The comparison of two answers for the same operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Equal results.
    Equal,
    /// Different results.
    Different,
    /// Only the rule set of this index refuses.
    Refused(usize),
    /// Both refuse.
    RefusedByBoth,
    /// The rule set of this index lacks a dtype of the operands.
    Absent(usize),
    /// Each lacks a dtype of the operands.
    AbsentInBoth,
}

impl Verdict {
    fn differs(self) -> bool {
        matches!(self, Verdict::Different | Verdict::Refused(_) | Verdict::Absent(_))
    }
}

/// The number of cells for each verdict.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    equal: usize,
    different: usize,
    refused: [usize; 2],
    refused_by_both: usize,
    /// Cells with a dtype that the rule set of this index lacks. They are not compared.
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

/// The counts, with the names of both rule sets, as a sentence.
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
