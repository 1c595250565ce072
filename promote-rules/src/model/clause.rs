//! Clauses as meant.

use super::{Categories, Category, DTypeId, DTypeSet, NumberKind};

/// A clause's position in [`super::Rules::clauses`].
pub type ClauseId = usize;

/// An operand: its dtype and category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operand {
    /// The dtype.
    pub dtype: DTypeId,
    /// The category.
    pub category: Category,
}

/// Clauses in order: the first that matches decides.
pub type Block = Vec<Clause>;

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its id.
    pub id: ClauseId,
    /// What it matches.
    pub patterns: Patterns,
    /// Its condition, that of the `when` around it included.
    pub guard: Option<Guard>,
    /// What it gives.
    pub result: Output,
    /// What the op computes in, where the clause says so.
    pub compute: Option<Output>,
    /// What comes out of the op, where the clause says so.
    pub output: Option<Output>,
    /// Of an op: whether it sees the operands in the written order only, as its item says by `(a, b)`.
    pub ordered: bool,
}

impl Clause {
    /// Everything that it says a dtype by.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        core::iter::once(&self.result).chain(&self.compute).chain(&self.output)
    }

    /// Whether it looks at the two operands of an op, and not at their common dtype.
    pub fn sees_operands(&self) -> bool {
        matches!(self.patterns, Patterns::Same(_) | Patterns::Two(..))
    }
}

/// What a Python number is when it stands alone.
#[derive(Debug)]
pub struct NumberClause {
    /// Its id.
    pub id: ClauseId,
    /// The kinds of number it speaks of.
    pub kinds: Vec<NumberKind>,
    /// Its condition.
    pub guard: Option<Guard>,
    /// What it gives.
    pub result: Output,
}

/// What a clause matches.
#[derive(Clone, Debug)]
pub enum Patterns {
    /// Everything.
    Any,
    /// Two operands of one dtype, among these.
    Same(DTypeSet),
    /// One operand, or the common dtype.
    One(Pattern),
    /// Two operands.
    Two(Pattern, Pattern),
}

/// The operands that one side of a clause takes.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Of these categories.
    pub categories: Categories,
    /// Of these dtypes.
    pub dtypes: DTypeSet,
}

impl Pattern {
    /// Whether an operand matches.
    pub fn takes(&self, operand: Operand) -> bool {
        self.categories.contains(operand.category) && self.dtypes.contains(operand.dtype)
    }
}

/// A name that stands for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Var {
    /// The first operand.
    A,
    /// The second.
    B,
    /// The common dtype.
    Common,
    /// The result: in `check` that of promotion, after `in` and `->` the dtype that an op converts to.
    Result,
}

impl Var {
    /// All of them.
    pub const ALL: [Var; 4] = [Var::A, Var::B, Var::Common, Var::Result];

    /// The name in the rule language.
    pub fn name(self) -> &'static str {
        match self {
            Var::A => "a",
            Var::B => "b",
            Var::Common => "common",
            Var::Result => "result",
        }
    }

    /// The operand of a name.
    pub fn from_name(name: &str) -> Option<Var> {
        Var::ALL.into_iter().find(|var| var.name() == name)
    }
}

/// A condition.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the condition that its name says")]
pub enum Guard {
    Not(Box<Guard>),
    And(Box<Guard>, Box<Guard>),
    Or(Box<Guard>, Box<Guard>),
    /// A parameter that is true or false.
    Param(usize),
    /// A parameter has the value at this position.
    ParamIs(usize, usize),
    SameDType(Term, Term),
    Less(Int, Int),
    SameInt(Int, Int),
    In(Term, DTypeSet),
    Holds(Term, Term),
}

/// A dtype in a condition.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the term that its name says")]
pub enum Term {
    Var(Var),
    Const(DTypeId),
    Param(usize),
    /// No dtype where the two do not promote.
    Promote(Box<Term>, Box<Term>),
}

/// A number in a condition.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the number that its name says")]
pub enum Int {
    Kind(Term),
    Bits(Term),
    Number(i64),
    Times(Box<Int>, Box<Int>),
}

/// What a clause gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// No: with a reason.
    Refuse(String),
    /// A result of this strength.
    Strength(Category, Box<Output>),
    /// An operand.
    Var(Var),
    /// A dtype.
    Const(DTypeId),
    /// The dtype that a parameter names.
    Param(usize),
    /// What two results promote to.
    Promote(Box<Output>, Box<Output>),
    /// The dtype of a complex dtype's parts; a real dtype itself.
    Real(Box<Output>),
    /// What a Python number of this kind is when it stands alone.
    Default(NumberKind),
    /// The least dtype that holds the value of `b`; only an argument of [`Output::Join`].
    Value,
    /// The least dtype, of the lowest kind, that holds all of these.
    Join {
        /// The dtypes to choose from; `None` for all.
        among: Option<Among>,
        /// The results that it must hold; empty for the operands.
        above: Vec<Output>,
        /// The reason for a refusal if there is no such dtype.
        or_refuse: Option<String>,
        /// The dtypes of the file that the clause comes from: an extension changes no old cell.
        scope: DTypeSet,
    },
    /// The operand whose dtype stands first in this list.
    FirstOf(Vec<DTypeId>),
}

/// A set that may name operands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Among {
    /// The dtypes.
    pub set: DTypeSet,
    /// The operands.
    pub vars: Vec<Var>,
}
