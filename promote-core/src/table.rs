//! A rule set as data.
//!
//! The macro emits the tables as a `static`, and the command fills them from a file. Promotion planes and op
//! tables are bytes: [`Cell`] and [`OpCell`] encode them, and the methods of [`Tables`] look answers up, also
//! in constants.

mod cell;
mod lookup;

use crate::casting::Casting;
use crate::kernel_op::KernelOp;
use crate::semantics::{NumberOverflow, RightScalar};
use crate::{DType, Op};
pub use cell::{Cell, OpCell, encode_cast, encode_stored};
pub use lookup::{
    Answer, Holders, KINDS, NO_VALUE, OpAnswer, TableOperand, higher, is_dtype, is_named, order, same_rules,
};

/// The category of an operand, beside its dtype. The order is that of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An array with at least one axis.
    Array,
    /// An array without axes.
    ZeroDim,
    /// A number without a width.
    Number,
    /// A weakly typed number or array, whose weakness the result inherits.
    Weak,
}

impl Category {
    /// All categories, in the order of the tables.
    pub const ALL: [Category; 4] = [Category::Array, Category::ZeroDim, Category::Number, Category::Weak];

    /// Returns the name, as rule files spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Array => "array",
            Category::ZeroDim => "zero_dim",
            Category::Number => "number",
            Category::Weak => "weak",
        }
    }

    /// Returns the category with this name.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// The tables of a rule set.
///
/// Planes are bytes, which rustc compiles faster than arrays of structs: four for each cell of
/// [`Tables::planes`] (dtype, flags, clause), six for each cell of [`Tables::maps`] and [`Tables::rows`]
/// (common, compute and output dtype, flags, clause). Dtypes are positions in [`Tables::dtypes`], clauses in
/// [`Tables::clauses`].
///
/// # Consistency
///
/// The tables that the macro emits and those that the command fills are consistent. Code that fills others
/// has to guarantee:
///
/// - there are at most 253 dtypes and 255 ops; no two dtypes and no two ops have one name;
/// - [`Tables::positions`] and [`Tables::op_positions`] are the results of the functions of these names for
///   [`Tables::dtypes`] and [`Tables::ops`];
/// - there is a list of names for each dtype or none at all, and no name stands for two dtypes;
/// - each rank is below 4;
/// - the default of a parameter is a position among its values, and there is one setting for each choice of
///   values;
/// - a setting has 40 bytes of [`Setting::ops`] for each op, 32 of [`Setting::op_values`] for each op or none
///   at all, and one of [`Setting::casts`] for each casting level;
/// - the positions in a setting and in [`Tables::inplace`] are in range, except in [`Setting::planes`] for
///   categories in the wrong order, which are never read;
/// - with `n` dtypes, a plane has `n * n` cells, a map and a row `n`, a table of pairs `n` positions of rows,
///   and a table of casts `n * n` cells; if values count, a plane has `n * n * n` cells and a table of pairs
///   `n * n` positions;
/// - dtypes and clauses in cells are in range, or [`REFUSED`], [`UNREACHABLE`], [`BY_COMMON`] or
///   [`NO_CLAUSE`].
///
/// # Panics
///
/// Look-ups in inconsistent tables panic or return a wrong answer. No unsafe code relies on the tables.
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
    /// The names that the system has for each dtype, the one that is shown first; empty if the rule file has
    /// no names.
    pub names: &'t [&'t [&'t str]],
    /// The parameters.
    pub params: &'t [Param<'t>],
    /// The clauses.
    pub clauses: &'t [Clause<'t>],
    /// The rank of each category; 0 is the highest.
    pub ranks: [u8; 4],
    /// The ops.
    pub ops: &'t [OpTable<'t>],
    /// The position of each standard op among them, from [`op_positions`](Tables::op_positions()).
    pub op_positions: [u8; Op::STANDARD.len()],
    /// The tables of each choice of parameters, the last parameter changing fastest.
    pub settings: &'t [Setting<'t>],
    /// The promotion of two operands, at `a * n + b`. If the value of the lower one counts, at
    /// `(a * n + b) * n + v`.
    pub planes: &'t [&'t [u8]],
    /// The dtypes of an op for a common dtype.
    pub maps: &'t [&'t [u8]],
    /// Rows of [`Tables::pairs`], each once: `n` cells a row.
    pub rows: &'t [u8],
    /// The dtypes of an op for two operands: at `a`, the position of a row whose cell `b` has them. If a
    /// value counts, at `a * n + b`, the position of a row whose cell `v` has them. Two bytes a position.
    pub pairs: &'t [&'t [u8]],
    /// The stored dtype of each dtype: three bytes each (dtype, clause).
    pub stored: &'t [&'t [u8]],
    /// The casting levels.
    pub castings: &'t [Casting],
    /// The clause that refuses a cast, at `from * n + to`: two bytes a cell, [`NO_CLAUSE`] if the cast is
    /// allowed.
    pub casts: &'t [&'t [u8]],
    /// The conversion of a result in place.
    pub inplace: Option<InPlace>,
    /// True if several operands of one rank are promoted kind by kind, the highest kind first; false if they
    /// are promoted from left to right.
    pub by_kind: bool,
}

/// The conversion of an op's result into its left operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// The result is cast to the operand's dtype, at this level: a position in [`Tables::castings`].
    Cast(u16),
    /// The operand takes on the dtype of the result.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clause<'t> {
    /// The clause on one line.
    pub text: &'t str,
    /// The declaration it belongs to, such as `promote` or `op less`.
    pub block: &'t str,
    /// The reason, if the clause refuses.
    pub reason: Option<&'t str>,
    /// True if it refuses because the rule set lacks the dtype of the system's result.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub lacks: bool,
    /// The rule file. It differs from [`Tables::file`] if the clause belongs to the base set.
    pub file: &'t str,
    /// The line in the rule file.
    pub line: u32,
}

/// An op of a rule set.
#[derive(Debug)]
pub struct OpTable<'t> {
    /// The op.
    pub op: Op,
    /// The op with its semantics, as kernels know it; `None` if it has no kernels.
    pub kernel: Option<KernelOp>,
    /// The conversion of a right operand that is a scalar.
    pub right_scalar: RightScalar,
    /// The treatment of an integer number that does not fit.
    pub number: NumberOverflow,
    /// Each option of the op with its value, including [`OpTable::right_scalar`] and [`OpTable::number`].
    pub semantics: &'t [(&'static str, &'static str)],
}

impl OpTable<'_> {
    /// Returns the bits of the op's [`semantics`](crate::semantics).
    pub fn bits(&self) -> u16 {
        let values = self.op.info().options().zip(self.semantics);
        values.fold(0, |bits, (option, (_, value))| bits | option.bit(value))
    }

    /// Returns the value of an option; `None` if the op has no such option.
    pub fn option(&self, name: &str) -> Option<&'static str> {
        self.semantics.iter().find(|option| option.0 == name).map(|option| option.1)
    }
}

/// The number of words that an op has in [`Setting::ops`].
pub const OP_WORDS: usize = 20;

/// The number of words that an op has in [`Setting::op_values`].
pub const OP_VALUE_WORDS: usize = 16;

/// The tables of one choice of the parameters.
#[derive(Debug)]
pub struct Setting<'t> {
    /// The dtype, category and clause of a number of each kind that stands alone, or [`REFUSED`] as the
    /// dtype.
    pub numbers: [(u8, Category, u16); 4],
    /// The plane of two categories, `4 * a + b` with `a` not after `b`.
    pub planes: [u16; 16],
    /// The planes for operands in which the value of the lower one counts. They have one more dimension, a
    /// dtype that holds the value. [`NO_PLANE`] if values do not count.
    pub values: [u16; 16],
    /// The stored dtypes: a position in [`Tables::stored`], or [`NO_PLANE`] if every dtype is stored as it
    /// is.
    pub stored: u16,
    /// The tables of each op of [`Tables::ops`]: [`OP_WORDS`] little-endian words of two bytes for each op.
    ///
    /// The first four are positions in [`Tables::maps`], by the category of the common dtype. The others are
    /// positions in [`Tables::pairs`], at `4 * a + b` with the left operand first, or [`NO_PLANE`] if the op
    /// depends on the common dtype only.
    pub ops: &'t [u8],
    /// The pairs of each op for operands in which the value of the lower one counts: [`OP_VALUE_WORDS`]
    /// little-endian words of two bytes for each op. They are positions in [`Tables::pairs`] of planes with
    /// one more dimension, as in [`Setting::values`], or [`NO_PLANE`]. Empty if values change nothing.
    pub op_values: &'t [u8],
    /// The plane of each level of [`Tables::castings`].
    pub casts: &'t [u16],
}

/// The code, in place of a dtype, of a cell that a clause refuses.
pub const REFUSED: u8 = 255;
/// The code, in place of a dtype, of a cell that no operands reach.
pub const UNREACHABLE: u8 = 254;
/// The code, in place of a common dtype, of an op that depends on the common dtype only.
pub const BY_COMMON: u8 = 253;
/// The code, in place of a clause, of an answer that needed none.
pub const NO_CLAUSE: u16 = u16::MAX;
/// The code, in place of a plane, of a plane that does not exist.
pub const NO_PLANE: u16 = u16::MAX;
/// The flag that marks a weak result.
pub const WEAK: u8 = 1;
