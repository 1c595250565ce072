//! The tables of two rule sets, combined cell by cell for people.

use super::{Counted, Counts, Pair, Verdict};
use crate::picture::{ABSENT, DIFFERENT, Legend, PAPER, REFUSED_BY_ONE, SAME};
use crate::table::{Cell, Header, Matrix, Note, Page, Why, matrices};

/// A table of each rule set, with the same rows and columns.
pub(super) struct Compared {
    pub(super) both: [Matrix; 2],
    pub(super) counts: Counts,
}

/// A cell of each rule set, and how they compare.
pub(super) struct CellPair<'a> {
    pub(super) column: &'a str,
    pub(super) cells: [&'a Cell; 2],
    pub(super) verdict: Verdict,
}

impl CellPair<'_> {
    /// Returns true if the rule set of this index lacks a dtype of the operands.
    fn is_absent(&self, at: usize) -> bool {
        match self.verdict {
            Verdict::Absent(lacking) => lacking == at,
            Verdict::AbsentInBoth => true,
            _ => false,
        }
    }

    /// Returns the text of the rule set of this index.
    pub(super) fn text(&self, at: usize) -> String {
        if self.is_absent(at) { "absent".to_owned() } else { self.cells[at].text() }
    }

    /// Returns the clauses or the reason behind the text.
    fn because(&self, at: usize) -> String {
        let cell = self.cells[at];
        if self.is_absent(at) {
            format!("{}: absent, it lacks a dtype of these", cell.operands)
        } else {
            cell.because.clone()
        }
    }
}

impl Compared {
    /// Returns the rows: a name, and cells.
    pub(super) fn rows<'a>(&'a self, pair: &'a Pair) -> impl Iterator<Item = (&'a str, Vec<CellPair<'a>>)> {
        let [a, b] = &self.both;
        a.rows.iter().zip(&b.rows).map(move |((header, of_a), (_, of_b))| {
            let cell_pairs = a.columns.iter().zip(of_a.iter().zip(of_b)).map(|(column, (a, b))| CellPair {
                column: &column.name,
                cells: [a, b],
                verdict: verdict(pair, &[&header.name, &column.name], a, b),
            });
            (header.name.as_str(), cell_pairs.collect())
        })
    }
}

fn verdict(pair: &Pair, operands: &[&str], a: &Cell, b: &Cell) -> Verdict {
    let [a, b] = [a, b].map(|cell| cell.fill.map(|_| cell.text()));
    pair.verdict(operands, a.as_deref(), b.as_deref())
}

/// All tables.
pub(super) struct Found(pub(super) Vec<Compared>);

impl Found {
    /// Counts the cells by verdict.
    pub(super) fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        self.0.iter().for_each(|compared| sum += compared.counts);
        sum
    }
}

/// Compares the tables of both rule sets.
pub(super) fn compare(pair: &Pair) -> Found {
    let [a, b] = [0, 1].map(|at| matrices(&pair.loaded[at], pair.op, &pair.dtypes[at], pair.weak));
    let compared = a.into_iter().zip(b).map(|(a, b)| {
        let mut compared = Compared { both: [a, b], counts: Counts::default() };
        let mut counts = Counts::default();
        for cell_pair in compared.rows(pair).flat_map(|(_, cell_pairs)| cell_pairs) {
            counts.add(cell_pair.verdict);
        }
        compared.counts = counts;
        compared
    });
    Found(compared.collect())
}

/// Combines both tables into one.
pub(super) fn write(pair: &Pair, found: &Found) -> Page {
    let [a, b] = &pair.names;
    let mut matrices: Vec<Matrix> = found.0.iter().map(|compared| matrix(pair, compared)).collect();
    if let Some(summary) = matrices.first_mut().and_then(|first| first.summary.as_mut()) {
        for only in pair.only() {
            *summary = format!("{summary}; {only}");
        }
    }
    let mut entries = vec![
        (vec![SAME], "equal".to_owned()),
        (vec![DIFFERENT], "different".to_owned()),
        (vec![REFUSED_BY_ONE], "refused by one".to_owned()),
    ];
    if pair.only.iter().any(|only| !only.is_empty()) {
        entries.push((vec![ABSENT], "a dtype that one lacks".to_owned()));
    }
    Page {
        title: pair.title(),
        legend: Legend {
            entries,
            refused: Some("refused by both".to_owned()),
            words: format!("of two answers the first is {a}'s, the second {b}'s"),
        },
        notes: Note::of(&matrices),
        refused: "Refused by one",
        matrices,
    }
}

fn matrix(pair: &Pair, compared: &Compared) -> Matrix {
    // Colours show the differences, and not the dtypes.
    let header = |name: &str| Header { name: name.to_owned(), fill: None };
    let [a, _] = &compared.both;
    let row = |(name, cell_pairs): (&str, Vec<CellPair>)| {
        (header(name), cell_pairs.iter().map(|cell_pair| cell(pair, cell_pair)).collect())
    };
    Matrix {
        heading: a.heading,
        columns: a.columns.iter().map(|column| header(&column.name)).collect(),
        rows: compared.rows(pair).map(row).collect(),
        summary: Some(Counted(compared.counts, &pair.names).to_string()),
    }
}

fn cell(pair: &Pair, cell_pair: &CellPair) -> Cell {
    let [a, _] = cell_pair.cells;
    let differs = cell_pair.verdict.differs();
    // If only one rule set has the dtype, its clauses are not marked as different: there are no others to
    // compare them with.
    let compared = !matches!(cell_pair.verdict, Verdict::Absent(_));
    // Different reasons for a refusal are not a difference. The tooltip shows them.
    let refused = |at: usize| {
        let whys = cell_pair.cells[at].refused.iter().filter(|_| differs && compared);
        whys.map(move |(line, why)| -> Why { (*line, format!("by {}: {why}", pair.names[at])) })
    };
    Cell {
        operands: a.operands.clone(),
        texts: match cell_pair.verdict {
            Verdict::AbsentInBoth => vec![String::new()],
            _ if differs => vec![cell_pair.text(0), cell_pair.text(1)],
            _ => a.texts.clone(),
        },
        fill: match cell_pair.verdict {
            Verdict::Equal => Some(SAME),
            Verdict::Different => Some(DIFFERENT),
            Verdict::Refused(_) => Some(REFUSED_BY_ONE),
            Verdict::RefusedByBoth => None,
            Verdict::Absent(_) => Some(ABSENT),
            Verdict::AbsentInBoth => Some(PAPER),
        },
        because: [0, 1].map(|at| format!("{}: {}", pair.names[at], cell_pair.because(at))).join("; "),
        refused: refused(0).chain(refused(1)).collect(),
    }
}
