//! The tables of a rule set: every cell, under every setting of the parameters. All output is derived from
//! them.

mod build;
mod reach;

pub(crate) use build::{Asymmetry, Computed, MAX_CELLS, MAX_SETTINGS, MAX_WORK, Problem, choices, compute};

use crate::model::{ClauseId, DTypeId, Operand, Rules};

/// A cell of a promotion table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// A dtype, whether it is weak, and the clause that decided.
    Resolved(DTypeId, bool, ClauseId),
    /// A refusal by a clause.
    Refused(ClauseId),
    /// The cell of operands that cannot occur.
    Unreachable,
}

impl Cell {
    /// Returns true if two cells have the same result, by any clause.
    pub(crate) fn says_as(self, other: Cell) -> bool {
        match (self, other) {
            (Cell::Resolved(a, weak, _), Cell::Resolved(b, also_weak, _)) => (a, weak) == (b, also_weak),
            (Cell::Refused(_), Cell::Refused(_)) | (Cell::Unreachable, Cell::Unreachable) => true,
            _ => false,
        }
    }
}

/// The dtype of a number that stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberCell {
    /// An operand, and the clause that decided.
    Resolved(Operand, ClauseId),
    /// A refusal by a clause.
    Refused(ClauseId),
    /// No clause matches it.
    Undefined,
}

impl NumberCell {
    /// The operand, if it is one.
    pub fn operand(self) -> Option<Operand> {
        match self {
            NumberCell::Resolved(operand, _) => Some(operand),
            NumberCell::Refused(_) | NumberCell::Undefined => None,
        }
    }
}

/// A cell of an op's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpCell {
    /// The dtypes of the op.
    Resolved {
        /// The dtype to which the operands are converted.
        common: DTypeId,
        /// The dtype in which the op computes.
        compute: DTypeId,
        /// The dtype of the output.
        output: DTypeId,
        /// True if the output is weak.
        weak: bool,
        /// The clause of the op that decided, if one did.
        clause: Option<ClauseId>,
    },
    /// A refusal by a clause.
    Refused(ClauseId),
    /// The op does not look at the two operands here, but at what they promote to.
    ByCommon,
    /// The cell of operands that cannot occur.
    Unreachable,
}

impl OpCell {
    /// Returns true if two cells have the same result, by any clause.
    pub(crate) fn says_as(self, other: OpCell) -> bool {
        let dtypes = |cell| match cell {
            OpCell::Resolved { common, compute, output, weak, .. } => Some((common, compute, output, weak)),
            OpCell::Refused(_) | OpCell::ByCommon | OpCell::Unreachable => None,
        };
        match (self, other) {
            (OpCell::Refused(_), OpCell::Refused(_)) => true,
            (OpCell::Resolved { .. }, OpCell::Resolved { .. }) => dtypes(self) == dtypes(other),
            (a, b) => a == b,
        }
    }
}

/// The tables of a rule set. Equal planes are kept once.
#[derive(Debug, Default)]
pub struct Tables {
    /// One choice of the parameters each, the last parameter changing fastest.
    pub settings: Vec<Setting>,
    /// Two operands, `a * n + b`: for the category pairs in [`Setting::planes`]; and those of
    /// [`Setting::values`].
    pub planes: Vec<Vec<Cell>>,
    /// The dtype that an array of each dtype gets when it is made, and the clause that decides it.
    pub stored: Vec<Vec<(DTypeId, Option<ClauseId>)>>,
    /// The results of ops by common dtype.
    pub maps: Vec<Vec<OpCell>>,
    /// The results of ops by two operands, `a * n + b`; and the planes of [`OpIndex::values`].
    pub pairs: Vec<Vec<OpCell>>,
    /// The clauses that refuse casts, `from * n + to`.
    pub casts: Vec<Vec<Option<ClauseId>>>,
}

/// The tables under one choice of the parameters.
#[derive(Debug)]
pub struct Setting {
    /// The position of each parameter's value.
    pub choice: Vec<usize>,
    /// The dtype of a number of each kind that stands alone.
    pub numbers: [NumberCell; 4],
    /// The plane of two categories, the first not after the second.
    pub planes: [[usize; 4]; 4],
    /// The planes for operands of which the value of the lower one is known: `(a * n + b) * n + v`, where `v`
    /// is a dtype that holds the value. `None` where no clause asks for values, or the two are of one rank.
    pub values: [[Option<usize>; 4]; 4],
    /// A position in [`Tables::stored`].
    pub stored: Option<usize>,
    /// The tables of each op.
    pub ops: Vec<OpIndex>,
    /// The plane of each level of [`Rules::casts`].
    pub casts: Vec<usize>,
}

/// The tables of one op under one choice of the parameters.
#[derive(Clone, Debug)]
pub struct OpIndex {
    /// The map of each category of the common dtype.
    pub maps: [usize; 4],
    /// The pairs of two categories, left operand first; `None` where the op looks at the common dtype only.
    pub pairs: Option<[[usize; 4]; 4]>,
    /// The pairs of two categories where the value of the lower operand is known: planes of
    /// `(a * n + b) * n + v`, with `v` as in [`Setting::values`]. `None` where [`OpIndex::pairs`] hold for
    /// every value.
    pub values: Option<[[Option<usize>; 4]; 4]>,
}

impl Tables {
    /// The setting in which every parameter has its default.
    pub fn default_setting(&self, rules: &Rules) -> usize {
        rules.params.iter().fold(0, |at, param| at * param.values.len() + param.default)
    }
}
