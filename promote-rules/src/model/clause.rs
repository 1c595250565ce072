//! Clauses with resolved names.

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
    /// The id.
    pub id: ClauseId,
    /// The patterns.
    pub patterns: Patterns,
    /// The condition, joined with those of the `when` blocks around the clause.
    pub guard: Option<Guard>,
    /// The result.
    pub result: Output,
    /// The dtype that the op computes in, if the clause says one.
    pub compute: Option<Output>,
    /// The dtype of the output, if the clause says one.
    pub output: Option<Output>,
    /// True for a clause of an op that sees the operands in the written order only: `(a, b)`.
    pub ordered: bool,
}

impl Clause {
    /// Returns all results of the clause.
    pub fn outputs(&self) -> impl Iterator<Item = &Output> {
        core::iter::once(&self.result).chain(&self.compute).chain(&self.output)
    }

    /// Returns true if the clause looks at the two operands of an op, and not at their common dtype.
    pub fn sees_operands(&self) -> bool {
        matches!(self.patterns, Patterns::Same(_) | Patterns::Two(..))
    }
}

/// A clause of the `numbers` block.
#[derive(Debug)]
pub struct NumberClause {
    /// The id.
    pub id: ClauseId,
    /// The kinds of numbers that it matches.
    pub kinds: Vec<NumberKind>,
    /// The condition.
    pub guard: Option<Guard>,
    /// The result.
    pub result: Output,
}

/// The patterns of a clause.
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
    /// The categories that match.
    pub categories: Categories,
    /// The dtypes that match.
    pub dtypes: DTypeSet,
}

impl Pattern {
    /// Returns true if an operand matches.
    pub fn takes(&self, operand: Operand) -> bool {
        self.categories.contains(operand.category) && self.dtypes.contains(operand.dtype)
    }
}

/// An operand that a clause can name.
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
    /// Every variant.
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

    /// Returns the operand with a name.
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

/// The result of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A refusal.
    Refuse(Refusal),
    /// A result of this strength.
    Strength(Category, Box<Output>),
    /// An operand.
    Var(Var),
    /// A dtype.
    Const(DTypeId),
    /// The dtype that a parameter names.
    Param(usize),
    /// The dtype that two results promote to.
    Promote(Box<Output>, Box<Output>),
    /// The dtype of the parts of a complex dtype; a real dtype itself.
    Real(Box<Output>),
    /// The dtype of a number of this kind that stands alone.
    Default(NumberKind),
    /// The least dtype that holds the value of `b`; only an argument of [`Output::Join`].
    Value,
    /// The least dtype, of the lowest kind, that holds all of these.
    Join {
        /// The dtypes to choose from; `None` for all.
        among: Option<Among>,
        /// The results that it must hold; empty for the operands.
        above: Vec<Output>,
        /// The refusal if there is no such dtype.
        or_refuse: Option<Refusal>,
        /// The dtypes of the file of the clause: those of an extension do not change its result.
        scope: DTypeSet,
    },
    /// The operand whose dtype stands first in this list.
    FirstOf(Vec<DTypeId>),
}

/// Why operands have no result.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// True if the system has a result, whose dtype the rule set lacks; false if the system refuses.
    pub lacks: bool,
    /// The reason.
    pub reason: String,
}

/// A set that may name operands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Among {
    /// The dtypes.
    pub set: DTypeSet,
    /// The operands.
    pub vars: Vec<Var>,
}
