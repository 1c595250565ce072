//! What is compared, what is excused, and what differs.

use std::collections::BTreeMap;

/// A system: its rules, its data, and what of those is no question to its rules.
pub(crate) struct System {
    /// The name of the rule set.
    pub(crate) rules: &'static str,
    /// The file of `tests/data`.
    pub(crate) data: &'static str,
    /// Sections that are not compared, by the beginning of their names behind the parameters, and why.
    pub(crate) left_out: &'static [(&'static str, &'static str)],
    /// Single cells in which the framework is inconsistent, and why: a part of the section's name, the cell, the reason. A `*`
    /// stands for any operand.
    pub(crate) single: &'static [(&'static str, &'static str, &'static str)],
}

/// How many cells of a section are shown that differ.
const SHOWN: usize = 12;

/// How many single cells a system may have.
const MOST_SINGLE: usize = 40;

#[derive(Default)]
struct Count {
    compared: usize,
    no_kernel: usize,
    single: usize,
}

/// The score of a system.
pub(crate) struct Score {
    system: &'static str,
    exceptions: &'static [(&'static str, &'static str, &'static str)],
    excused: Vec<usize>,
    kinds: BTreeMap<String, Count>,
    wrong: Vec<String>,
}

impl Score {
    pub(crate) fn new(system: &System) -> Score {
        let excused = vec![0; system.single.len()];
        Score {
            system: system.rules,
            exceptions: system.single,
            excused,
            kinds: BTreeMap::new(),
            wrong: Vec::new(),
        }
    }

    /// A cell: what was recorded, and what the rules give.
    pub(crate) fn cell(&mut self, kind: &str, section: &str, cell: &str, word: &str, ours: Option<&str>) {
        let count = self.kinds.entry(kind.to_owned()).or_default();
        let known = match word {
            // The framework has no kernel or no such overload: no answer.
            "no_kernel" | "no_overload" => {
                count.no_kernel += 1;
                return;
            }
            "." => return,
            "-" => None,
            word => match word.strip_prefix('~') {
                // No kernel, but a dtype that it promotes to: ours, or we refuse.
                Some(_) if ours.is_none() => {
                    count.no_kernel += 1;
                    return;
                }
                Some(promoted) => Some(promoted),
                None => Some(word),
            },
        };
        if known == ours {
            count.compared += 1;
            return;
        }
        let is = |(part, pattern, _): &(&str, &str, &str)| section.contains(part) && fits(pattern, cell);
        if let Some(at) = self.exceptions.iter().position(is) {
            self.excused[at] += 1;
            count.single += 1;
            return;
        }
        self.wrong.push(format!("{section} {cell}: recorded {word}, ours {}", ours.unwrap_or("-")));
    }

    /// Prints the counts; fails where a cell differs.
    pub(crate) fn finish(self) {
        for (kind, Count { compared, no_kernel, single }) in &self.kinds {
            println!(
                "{:12} {kind:24} {compared:6} equal, {no_kernel:5} without a kernel, {single:3} single",
                self.system
            );
        }
        for ((section, cell, reason), count) in self.exceptions.iter().zip(&self.excused) {
            println!("{:12} {count:3} excused: {section} {cell}: {reason}", self.system);
            assert!(*count > 0, "{section} {cell}: this exception excuses nothing");
        }
        let compared: usize = self.kinds.values().map(|count| count.compared).sum();
        let single: usize = self.excused.iter().sum();
        println!("{:12} {compared} cells equal", self.system);
        let mut sections: BTreeMap<&str, usize> = BTreeMap::new();
        for wrong in &self.wrong {
            *sections.entry(wrong.split(' ').next().unwrap_or_default()).or_default() += 1;
        }
        println!("{sections:?}");
        // A few of each section.
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let few = |wrong: &&String| {
            let count = seen.entry(wrong.split(' ').next().unwrap_or_default().to_owned()).or_default();
            *count += 1;
            *count <= SHOWN
        };
        let shown = self.wrong.iter().filter(few).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.wrong.is_empty(), "{} cells differ:\n{shown}", self.wrong.len());
        assert!(single <= MOST_SINGLE, "{single} single cells");
    }
}

/// Whether a cell is one that a pattern means: `*` is any operand.
fn fits(pattern: &str, cell: &str) -> bool {
    let (a, b) = (pattern.split(','), cell.split(','));
    a.clone().count() == b.clone().count() && a.zip(b).all(|(x, y)| x == "*" || x == y)
}
