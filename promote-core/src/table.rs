//! A rule set as data: what the macro emits as a `static`, and what the command fills from a file.
//!
//! Promotion planes and op tables are bytes. [`Cell`] and [`OpCell`] are their encoding; [`Tables`] looks
//! them up, also in constants.

mod cell;
mod lookup;

use crate::casting::Casting;
use crate::kernel_op::KernelOp;
use crate::{DType, Op};
pub use cell::{Cell, OpCell, encode_cast, encode_stored};
pub use lookup::{
    Answer, Holders, KINDS, NO_VALUE, OpAnswer, TableOperand, higher, is_dtype, is_named, order,
};

/// What an operand is, beside its dtype; the order is that of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An array with dimensions.
    Array,
    /// An array without dimensions.
    ZeroDim,
    /// A number without a width.
    Number,
    /// A number, or what came of one, whose weakness the result inherits.
    Weak,
}

impl Category {
    /// All categories, in the order of the tables.
    pub const ALL: [Category; 4] = [Category::Array, Category::ZeroDim, Category::Number, Category::Weak];

    /// The name, as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Array => "array",
            Category::ZeroDim => "zero_dim",
            Category::Number => "number",
            Category::Weak => "weak",
        }
    }

    /// The category with a name.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// The tables of a rule set.
///
/// Planes are bytes, so that a compiled rule set costs the compiler nothing: four for each cell of
/// [`Tables::planes`] (dtype, flags, clause), six for each of [`Tables::maps`] and [`Tables::pairs`] (common,
/// compute, output, flags, clause). dtypes are positions in [`Tables::dtypes`], clauses in
/// [`Tables::clauses`].
///
/// # Consistency
///
/// The tables that the macro emits and those that the command line fills are consistent; whoever fills others
/// sees to it:
///
/// - there are at most 253 dtypes and 255 ops; no two dtypes and no two ops have one name;
/// - [`Tables::positions`] and [`Tables::op_positions`] are what the functions of these names make of
///   [`Tables::dtypes`] and [`Tables::ops`];
/// - each rank is below 4;
/// - the default of a parameter is a position among its values, and there is one setting for each choice of
///   values;
/// - a setting has 40 bytes of [`Setting::ops`] for each op, 32 of [`Setting::op_values`] for each or none at
///   all, and as many [`Setting::casts`] as there are levels of casting; its positions of planes, maps, pairs
///   and casts are in range, but for [`Setting::planes`] of categories that come in the other order, which
///   nothing reads; so is [`Tables::inplace`];
/// - with `n` dtypes, a plane has `n * n` cells, a map `n`, a table of pairs or casts `n * n`; a plane or a
///   table of pairs where values count has `n * n * n`;
/// - what a cell or a number says are dtypes and clauses in range, or the words [`REFUSED`], [`UNREACHABLE`],
///   [`BY_COMMON`] and [`NO_CLAUSE`] where they may stand.
///
/// # Panics
///
/// What is asked of a rule set whose tables are not consistent panics or gets a wrong answer; there is no
/// unsafe code that relies on them.
#[derive(Debug)]
pub struct Tables<'t> {
    /// The name of the rule set, such as `Torch`.
    pub name: &'t str,
    /// The rule file, relative to its package.
    pub file: &'t str,
    /// The dtypes of the rule set.
    pub dtypes: &'t [DType],
    /// The position of each standard dtype among them, from [`positions`](Tables::positions()).
    pub positions: [u8; DType::STANDARD.len()],
    /// The parameters.
    pub params: &'t [Param<'t>],
    /// The clauses.
    pub clauses: &'t [Clause<'t>],
    /// How high each category stands, 0 highest.
    pub ranks: [u8; 4],
    /// The ops.
    pub ops: &'t [OpTable<'t>],
    /// The position of each standard op among them, from [`op_positions`](Tables::op_positions()).
    pub op_positions: [u8; Op::STANDARD.len()],
    /// The tables of each choice of parameters, the last parameter changing fastest.
    pub settings: &'t [Setting<'t>],
    /// What two operands promote to, `a * n + b`; where the value of the lower one counts, `(a * n + b) * n +
    /// v`.
    pub planes: &'t [&'t [u8]],
    /// What an op makes of a common dtype.
    pub maps: &'t [&'t [u8]],
    /// What an op makes of two operands, `a * n + b`; where a value counts, `(a * n + b) * n + v`.
    pub pairs: &'t [&'t [u8]],
    /// What an array of each dtype becomes when it is made: three bytes a dtype (dtype, clause).
    pub stored: &'t [&'t [u8]],
    /// The levels of casting.
    pub castings: &'t [Casting],
    /// Which casts are refused and by which clause, `from * n + to`: two bytes a cell, [`NO_CLAUSE`] where
    /// none refuses.
    pub casts: &'t [&'t [u8]],
    /// What becomes of a result in place.
    pub inplace: Option<InPlace>,
    /// Whether operands of one rank are joined kind by kind, the highest first, and not in the order in which
    /// they stand.
    pub by_kind: bool,
}

/// What becomes of the result of an op whose left operand takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// It is cast to the operand's dtype, at this level: a position in [`Tables::castings`].
    Cast(u16),
    /// The operand becomes the result, dtype and all.
    Result,
}

/// A parameter of a rule set.
#[derive(Debug)]
pub struct Param<'t> {
    /// The name.
    pub name: &'t str,
    /// The values, as the rule file spells them.
    pub values: &'t [&'t str],
    /// The position of the default.
    pub default: u16,
}

/// A clause of the rule file.
#[derive(Debug)]
pub struct Clause<'t> {
    /// The clause on one line.
    pub text: &'t str,
    /// The declaration it belongs to, such as `promote` or `op less`.
    pub block: &'t str,
    /// Why it refuses, if it does.
    pub reason: Option<&'t str>,
    /// The rule file: another than [`Tables::file`] where the rule set builds on one.
    pub file: &'t str,
    /// The line in the rule file.
    pub line: u32,
}

/// An op of a rule set.
#[derive(Debug)]
pub struct OpTable<'t> {
    /// The op.
    pub op: Op,
    /// The op with its semantics, as kernels know it; none where there are no kernels of it.
    pub kernel: Option<KernelOp>,
    /// How a scalar operand enters.
    pub scalar: ScalarEntry,
    /// Whether an integer number must fit.
    pub number: NumberEntry,
    /// The semantics of the op: each of its options with its value, [`OpTable::scalar`] and
    /// [`OpTable::number`] among them.
    pub semantics: &'t [(&'static str, &'static str)],
}

impl OpTable<'_> {
    /// The bits of the op's [`semantics`](crate::semantics).
    pub fn bits(&self) -> u16 {
        let values = self.op.info().options().zip(self.semantics);
        values.fold(0, |bits, (option, (_, value))| bits | option.bit(value))
    }

    /// The value of an option; `None` where the op has no such option.
    pub fn option(&self, name: &str) -> Option<&'static str> {
        self.semantics.iter().find(|option| option.0 == name).map(|option| option.1)
    }
}

/// How a scalar operand enters an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarEntry {
    /// Rounded to the common dtype first.
    Rounded,
    /// In the dtype in which the op computes if it is the right operand, else rounded.
    OpmathRight,
}

impl ScalarEntry {
    /// Every value.
    pub const ALL: &'static [ScalarEntry] = &[ScalarEntry::Rounded, ScalarEntry::OpmathRight];

    /// The value as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarEntry::Rounded => "rounded",
            ScalarEntry::OpmathRight => "opmath_right",
        }
    }

    /// The entry with a name.
    pub fn from_name(name: &str) -> Option<ScalarEntry> {
        ScalarEntry::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

/// What becomes of an integer number that the integer dtype which it enters does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberEntry {
    /// It wraps around: its low bits enter.
    Wraps,
    /// The op is refused.
    Error,
    /// It is compared as the number that it is, which is beyond all that the dtype holds. Of comparisons
    /// only.
    Exact,
}

impl NumberEntry {
    /// Every value.
    pub const ALL: &'static [NumberEntry] = &[NumberEntry::Wraps, NumberEntry::Error, NumberEntry::Exact];

    /// The value as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            NumberEntry::Wraps => "wraps",
            NumberEntry::Error => "error",
            NumberEntry::Exact => "exact",
        }
    }

    /// The entry with a name.
    pub fn from_name(name: &str) -> Option<NumberEntry> {
        NumberEntry::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

/// The tables of one choice of the parameters.
#[derive(Debug)]
pub struct Setting<'t> {
    /// What a number of each kind is when it stands alone: dtype, category and clause; [`REFUSED`] where the
    /// clause does.
    pub numbers: [(u8, Category, u16); 4],
    /// The plane of two categories, `4 * a + b` with `a` not after `b`.
    pub planes: [u16; 16],
    /// The planes for operands of which the value of the lower one is known and counts: they have one more
    /// dimension, a dtype that holds the value. [`NO_PLANE`] where values do not count.
    pub values: [u16; 16],
    /// What arrays become when they are made: a position in [`Tables::stored`], or [`NO_PLANE`] where they
    /// stay as they are.
    pub stored: u16,
    /// The tables of each op of [`Tables::ops`]: 20 little-endian words of two bytes an op. The first four
    /// are positions in [`Tables::maps`], by the category of the common dtype; the others are positions in
    /// [`Tables::pairs`], `4 * a + b` with the left operand first, or [`NO_PLANE`] where the op looks at the
    /// common dtype only.
    pub ops: &'t [u8],
    /// The pairs of each op for operands of which the value of the lower one is known: 16 little-endian words
    /// of two bytes an op, positions in [`Tables::pairs`] of planes with one more dimension, as in
    /// [`Setting::values`], or [`NO_PLANE`]. Empty where values change nothing.
    pub op_values: &'t [u8],
    /// The plane of each level of [`Tables::castings`].
    pub casts: &'t [u16],
}

/// In place of a dtype: the clause refuses.
pub const REFUSED: u8 = 255;
/// In place of a dtype: no operands ask for this cell.
pub const UNREACHABLE: u8 = 254;
/// In place of a common dtype: the op looks at what the operands promote to.
pub const BY_COMMON: u8 = 253;
/// In place of a clause: none was needed.
pub const NO_CLAUSE: u16 = u16::MAX;
/// In place of a plane: there is none.
pub const NO_PLANE: u16 = u16::MAX;
/// The flag of a weak result.
pub const WEAK: u8 = 1;
