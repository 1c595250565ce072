//! Counts of equal and excused cells, and the cells that differ.

use std::collections::BTreeMap;

use promote::Op;

/// A system, its recorded data, and the exceptions.
pub(crate) struct System {
    /// The name of the rule set.
    pub(crate) rules: &'static str,
    /// The file of `tests/data`.
    pub(crate) data: &'static str,
    /// Sections that are not compared, each with the reason. A name without parameters stands for the section
    /// under all parameters.
    pub(crate) left_out: &'static [(&'static str, &'static str)],
    /// Single cells in which the system contradicts itself: the section, the cell, the reason. A name without
    /// parameters stands for the section under all parameters, and a `*` for any operand.
    pub(crate) single: &'static [(&'static str, &'static str, &'static str)],
    /// Cells with a dtype that the rule set has, and that it lacks all the same: the system computes in
    /// another dtype, or the dtype depends on a number's value. Sections separated by spaces, the cell, the
    /// reason. Cells with a dtype that no rule set has are not listed.
    pub(crate) lacks: &'static [(&'static str, &'static str, &'static str)],
    /// The kinds of compared sections, in order and separated by spaces. A kind is a section's name up to a
    /// dot; the table `values` has three.
    pub(crate) kinds: &'static str,
    /// The fewest equal cells: as many as were recorded, so that the loss of a single section fails.
    pub(crate) min_cells: usize,
}

/// The number of differing cells of a section that are shown.
const SHOWN: usize = 12;

/// The most single cells that a system may have.
const MAX_SINGLE: usize = 40;

#[derive(Default)]
struct Count {
    compared: usize,
    lacking: usize,
    no_kernel: usize,
}

/// The outcome of the comparison with a system.
pub(crate) struct Score {
    system: &'static System,
    left_out: Vec<usize>,
    excused: Vec<usize>,
    lacked: Vec<usize>,
    kinds: BTreeMap<String, Count>,
    asked: Vec<Op>,
    wrong: Vec<String>,
}

impl Score {
    pub(crate) fn new(system: &'static System) -> Score {
        Score {
            system,
            left_out: vec![0; system.left_out.len()],
            excused: vec![0; system.single.len()],
            lacked: vec![0; system.lacks.len()],
            kinds: BTreeMap::new(),
            asked: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Returns true if a section is not compared.
    pub(crate) fn leaves_out(&mut self, name: &str, section: &str) -> bool {
        let found = self.system.left_out.iter().position(|(out, _)| [name, section].contains(out));
        if let Some(at) = found {
            self.left_out[at] += 1;
        }
        found.is_some()
    }

    /// Notes that answers for an op are recorded.
    pub(crate) fn has_answers(&mut self, op: Op) {
        self.asked.push(op);
    }

    /// Compares a cell: the recorded word and the answer of the rules.
    pub(crate) fn cell(&mut self, kind: &str, section: &str, cell: &str, word: &str, ours: Option<&str>) {
        let count = self.kinds.entry(kind.to_owned()).or_default();
        let known = match word {
            // The system has no kernel or no such overload, and so no answer.
            "no_kernel" | "no_overload" => {
                count.no_kernel += 1;
                return;
            }
            "." => return,
            "-" => None,
            word if has_no_set(word) => Some(LACKS),
            word => match word.strip_prefix('~') {
                // The system has no kernel but promotes. The rules give that dtype or refuse.
                Some(_) if ours.is_none() => {
                    count.no_kernel += 1;
                    return;
                }
                Some(promoted) => Some(promoted),
                None => Some(word),
            },
        };
        if known == ours {
            let kind = if known == Some(LACKS) { &mut count.lacking } else { &mut count.compared };
            *kind += 1;
            return;
        }
        let behind = section.rsplit('|').next().unwrap_or(section);
        let lacks = |(of, pattern, _): &(&str, &str, &str)| {
            of.split(' ').any(|of| of == behind) && fits(pattern, cell)
        };
        if [None, Some(LACKS)].contains(&ours)
            && let Some(at) = self.system.lacks.iter().position(lacks)
        {
            self.lacked[at] += 1;
            count.lacking += 1;
            return;
        }
        let is =
            |(of, pattern, _): &(&str, &str, &str)| [section, behind].contains(of) && fits(pattern, cell);
        if let Some(at) = self.system.single.iter().position(is) {
            self.excused[at] += 1;
            return;
        }
        self.wrong.push(format!("{section} {cell}: recorded {word}, ours {}", ours.unwrap_or("-")));
    }

    /// Prints the counts and the ops without a recorded answer.
    ///
    /// # Panics
    /// Panics if a cell differs, an exception excuses nothing, or kinds of sections or cells are missing.
    pub(crate) fn finish(self, ops: &[Op]) {
        let name = self.system.rules;
        for (kind, Count { compared, lacking, no_kernel }) in &self.kinds {
            let lacking =
                if *lacking > 0 { format!(", {lacking} that the set lacks") } else { String::new() };
            println!("{name:16} {kind:24} {compared:6} equal, {no_kernel:5} without a kernel{lacking}");
        }
        for ((section, reason), count) in self.system.left_out.iter().zip(&self.left_out) {
            println!("{name:16} {count:3} sections `{section}` left out: {reason}");
            assert!(*count > 0, "there is no section `{section}` to leave out");
        }
        for ((section, cell, reason), count) in self.system.single.iter().zip(&self.excused) {
            println!("{name:16} {count:3} single: {section} {cell}: {reason}");
            assert!(*count > 0, "{section} {cell}: this exception excuses nothing");
        }
        for ((section, cell, reason), count) in self.system.lacks.iter().zip(&self.lacked) {
            println!("{name:16} {count:3} lacking: {section} {cell}: {reason}");
            assert!(*count > 0, "{section} {cell}: the set lacks none of these");
        }
        let compared: usize = self.kinds.values().map(|count| count.compared).sum();
        let no_kernel: usize = self.kinds.values().map(|count| count.no_kernel).sum();
        let single: usize = self.excused.iter().sum();
        println!("{name:16} {compared} cells equal, {single} single, {no_kernel} without a kernel");
        let silent = ops.iter().filter(|op| !self.asked.contains(op));
        let silent: Vec<&str> = silent.map(|op| op.name()).collect();
        if !ops.is_empty() {
            let (count, all, names) = (silent.len(), ops.len(), silent.join(" "));
            println!("{name:16} {count} of {all} ops have rules but no recorded answer: {names}");
        }
        let mut by_section: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for wrong in &self.wrong {
            by_section.entry(wrong.split(' ').next().unwrap_or_default()).or_default().push(wrong);
        }
        let shown = by_section.iter().map(|(section, wrong)| {
            format!("{section}: {} differ\n{}", wrong.len(), wrong[..wrong.len().min(SHOWN)].join("\n"))
        });
        let shown = shown.collect::<Vec<_>>().join("\n");
        assert!(self.wrong.is_empty(), "{} cells differ:\n{shown}", self.wrong.len());
        assert!(single <= MAX_SINGLE, "{single} single cells");
        let kinds: Vec<&str> = self.kinds.keys().map(String::as_str).collect();
        let expected: Vec<&str> = self.system.kinds.split_whitespace().collect();
        assert_eq!(kinds, expected, "{name}: left: the kinds of the compared sections, right: those listed");
        let min = self.system.min_cells;
        assert!(compared >= min, "{name}: {compared} cells are equal, of at least {min}");
    }
}

/// The answer of a rule set that does not say what its system does.
pub(crate) const LACKS: &str = "(lacks)";

/// Returns true if a word is a dtype that no rule set has: `i128`, `dec20_0`.
fn has_no_set(word: &str) -> bool {
    word == "i128" || word.starts_with("dec")
}

/// Returns true if a cell matches a pattern, in which `*` is any operand, and `u*` any that begins with `u`.
fn fits(pattern: &str, cell: &str) -> bool {
    let (a, b) = (pattern.split(','), cell.split(','));
    let fits = |(x, y): (&str, &str)| x == y || x.strip_suffix('*').is_some_and(|start| y.starts_with(start));
    a.clone().count() == b.clone().count() && a.zip(b).all(fits)
}
