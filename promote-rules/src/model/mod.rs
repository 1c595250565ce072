//! The model of a rule file: names are ids, shorthands are expanded, and defaults are filled in.
//!
//! `resolve` makes the model, and nothing changes it afterwards.

mod category;
mod clause;
mod loss;
mod set;
mod walk;

use proc_macro2::Span;

pub use category::Categories;
pub use clause::{
    Among, Block, Clause, ClauseId, Guard, Int, NumberClause, Operand, Output, Pattern, Patterns, Refusal,
    Term, Var,
};
pub use loss::Loss;
pub use promote_core::__private::{Category, KernelInfo, KernelOp, OpInfo};
pub use promote_core::{Casting, DType as StandardDType, Format, NumberKind, Op as StandardOp};
pub use set::{DTypeId, DTypeSet};

/// The way in which the result of an op is stored in its left operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// Cast to the operand's dtype, at the level at this position in [`Rules::casts`].
    Cast(usize),
    /// The result replaces the operand, with its own dtype.
    Result,
}

/// A rule set.
#[derive(Debug)]
pub struct Rules {
    /// The name, which is that of a Rust type.
    pub name: syn::Ident,
    /// The path of the facade in emitted code, if the file says one.
    pub krate: Option<syn::Path>,
    /// True if emitted code cannot use the compiler's `diagnostic` attributes.
    pub bare: bool,
    /// The rule set that this one builds on, as its file names it.
    pub base: Option<syn::Path>,
    /// The names of the files: the rule set's own first, then that of its base, and so on.
    pub files: Vec<String>,
    /// The dtypes; a [`DTypeId`] is a position here.
    pub dtypes: Vec<DType>,
    /// The names of the kinds, lowest first; a [`KindId`] is a position here.
    pub kinds: Vec<String>,
    /// For each dtype, the dtypes that it holds.
    pub holds: Vec<DTypeSet>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The text and the position of every clause; a [`ClauseId`] is a position here.
    pub clauses: Vec<ClauseInfo>,
    /// True if there are weak operands: the order names them, or a clause gives one.
    pub weak: bool,
    /// The dtypes of numbers that stand alone.
    pub numbers: Vec<NumberClause>,
    /// The dtypes that arrays get when they are made. A dtype that no clause matches stays as it is.
    pub stored: Block,
    /// Promotion of two operands of one category.
    pub promote: Block,
    /// The categories, highest first, that yield to one another.
    pub order: Vec<Category>,
    /// The rank of each category in that order; 0 is the highest.
    pub ranks: [u8; 4],
    /// The position of the declaration that orders them.
    pub order_span: Span,
    /// Promotion of two operands of two categories, the higher one first.
    pub yields: Block,
    /// Changes to the result of promotion, which stays as it is where no clause matches.
    pub check: Block,
    /// The dtypes in which ops compute. An op computes in the dtype itself where no clause matches.
    pub opmath: Block,
    /// The casting levels.
    pub casts: Vec<Cast>,
    /// The way in which results are stored in place.
    pub inplace: Option<InPlace>,
    /// True if operands of one rank are joined kind by kind, the highest kind first.
    pub by_kind: bool,
    /// The ops.
    pub ops: Vec<Op>,
    /// The loops that the files request in addition to the bundled ones.
    pub loops: Vec<LoopRequest>,
    /// The laws.
    pub laws: Vec<Law>,
}

/// The position of a kind in the order of kinds.
pub type KindId = usize;

/// A dtype of a rule set.
#[derive(Debug)]
pub struct DType {
    /// Its name.
    pub name: String,
    /// Its kind: unsigned and signed integers are one kind.
    pub kind: KindId,
    /// Its width.
    pub bits: u32,
    /// The standard dtype; `None` for a custom one.
    pub standard: Option<StandardDType>,
    /// The names that the system has for it, the one that is shown first.
    pub names: Vec<String>,
    /// The Rust type that the file names.
    pub path: Option<syn::Type>,
    /// The file that declares it: a position in [`Rules::files`].
    pub layer: usize,
    /// The position of its declaration.
    pub span: Span,
}

/// A parameter: a closed set of values, one of them the default.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<Value>,
    /// The position of the default among them.
    pub default: usize,
    /// The position of its declaration.
    pub span: Span,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A dtype.
    DType(DTypeId),
    /// Any other word.
    Word(String),
}

/// The text and the position of a clause.
#[derive(Debug)]
pub struct ClauseInfo {
    /// The clause on one line.
    pub text: String,
    /// The file: a position in [`Rules::files`]; 0 is the rule set's own.
    pub layer: usize,
    /// The declaration it belongs to, such as `promote` or `op less`.
    pub block: String,
    /// The refusal, if its result is one.
    pub refusal: Option<Refusal>,
    /// The position of its first token.
    pub span: Span,
}

/// A casting level. Casts that no clause refuses are allowed. In a clause `a` is the source, `b` the target.
#[derive(Debug)]
pub struct Cast {
    /// The level.
    pub level: Casting,
    /// The clauses.
    pub block: Block,
    /// The position of its declaration.
    pub span: Span,
}

/// An op of a rule set.
#[derive(Debug)]
pub struct Op {
    /// Its name.
    pub name: String,
    /// The names that the system has for it, the one that is shown first.
    pub names: Vec<String>,
    /// The type of a custom op. Such an op has one operand, the dtype that all inputs of a call promote to.
    pub path: Option<syn::Path>,
    /// The standard op; `None` for a custom one.
    pub standard: Option<StandardOp>,
    /// The number of operands of an op that has dtypes and no kernels; `None` for other ops.
    pub declared: Option<usize>,
    /// The properties that do not depend on the rule set.
    pub info: &'static OpInfo,
    /// The dtype of the output, if the declaration says one.
    pub output: Option<Output>,
    /// The clauses.
    pub block: Block,
    /// The categories whose operands count as arrays in the op, with the positions in the file.
    pub as_array: Vec<(Category, Span)>,
    /// The position of the value that the file chose, for each of [`OpInfo::options`].
    pub chosen: Vec<Option<usize>>,
    /// The options that the rule set's own file sets, with their positions.
    pub set_here: Vec<(&'static str, Span)>,
    /// The position of its first declaration.
    pub span: Span,
    /// The declaration that names it first: its file, a position in [`Rules::files`], and its position there.
    pub item: (usize, usize),
}

/// A request for loops: of each of the ops, for each pair of the dtypes in either order.
#[derive(Debug)]
pub struct LoopRequest {
    /// The file that asks for them: a position in [`Rules::files`].
    pub layer: usize,
    /// The ops, as positions in [`Rules::ops`].
    pub ops: Vec<Requested<Vec<usize>>>,
    /// The dtypes, which have Rust types.
    pub dtypes: Vec<Requested<DTypeSet>>,
}

/// A name in a [`LoopRequest`], with the ops or dtypes that it stands for.
#[derive(Debug)]
pub struct Requested<T> {
    /// The name, of one op or dtype or of a group.
    pub name: String,
    /// The position of the name.
    pub span: Span,
    /// The ops or the dtypes.
    pub all: T,
}

impl LoopRequest {
    /// Returns the dtypes of all names.
    pub fn all_dtypes(&self) -> DTypeSet {
        self.dtypes.iter().fold(DTypeSet::default(), |all, dtypes| all.or(dtypes.all))
    }

    /// Returns the ops of all names.
    pub fn all_ops(&self) -> impl Iterator<Item = usize> + '_ {
        self.ops.iter().flat_map(|ops| ops.all.iter().copied())
    }
}

/// A law that the file claims or denies.
#[derive(Debug)]
pub struct Law {
    /// The law.
    pub kind: LawKind,
    /// True if it is claimed to hold.
    pub holds: bool,
    /// The reason why it does not hold.
    pub reason: Option<String>,
    /// The position in the file.
    pub span: Span,
}

/// The laws that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawKind {
    /// `a, b` gives what `b, a` gives.
    Commutative,
    /// `(a, b), c` gives what `a, (b, c)` gives, weakness and refusals included.
    Associative,
}

impl Op {
    /// Returns true if the operands promote to one dtype first, and clauses see only that dtype. This holds
    /// for custom ops, except ops without kernels that have two operands, or that have more and clauses of
    /// two patterns.
    pub fn joins_operands(&self) -> bool {
        match self.declared {
            Some(2) => false,
            Some(3..) => !self.looks_at_pairs(),
            Some(_) => true,
            None => self.standard.is_none(),
        }
    }

    /// Returns true if the op has a table of two operands.
    pub fn looks_at_pairs(&self) -> bool {
        self.info.arity == 2 && (!self.as_array.is_empty() || self.block.iter().any(Clause::sees_operands))
    }

    /// Returns the category that an operand has in the op: operands of some categories may count as arrays.
    pub fn counts_as(&self, category: Category) -> Category {
        if self.as_array.iter().any(|(array, _)| *array == category) { Category::Array } else { category }
    }

    /// Returns true if some clauses see the operands in the written order only.
    pub fn is_ordered(&self) -> bool {
        self.block.iter().any(|clause| clause.ordered)
    }

    /// Returns the value of an option: that of the file, or the default. `None` if the op has no such option.
    pub fn option(&self, name: &str) -> Option<&'static str> {
        self.options().find(|option| option.0 == name).map(|option| option.1)
    }

    /// Returns the name and the value of each option.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let chosen = self.info.options().zip(&self.chosen);
        chosen.map(|(option, chosen)| (option.name, option.values[chosen.unwrap_or(0)].0))
    }

    /// Returns true if the op has a meaning in dtypes of a kind. A quotient of integers has one if the file
    /// says how it is rounded.
    pub fn computes(&self, kind: NumberKind) -> bool {
        let rounds = || self.option("rounding").is_some_and(|value| value != "none");
        self.info.computes.contains(&kind) || kind == NumberKind::Int && rounds()
    }

    /// Returns the op with its semantics, if it has kernels.
    pub fn kernel_op(&self) -> Option<KernelOp> {
        let bits = self.info.options().zip(&self.chosen);
        let bits = bits.fold(0, |bits, (option, chosen)| bits | option.values[chosen.unwrap_or(0)].1);
        Some(KernelOp::of(self.standard?)?.with_semantics(bits))
    }
}

impl DType {
    /// Returns the format; `None` for a custom dtype.
    pub fn format(&self) -> Option<Format> {
        self.standard?.format()
    }

    /// Returns true if its elements have a Rust type: it is a standard dtype with one, or the file names one.
    pub fn has_type(&self) -> bool {
        self.path.is_some() || self.standard.is_some_and(StandardDType::has_type)
    }
}

impl Rules {
    /// Returns the name of the file of a clause.
    pub fn file_of(&self, clause: ClauseId) -> &str {
        &self.files[self.clauses[clause].layer]
    }

    /// Returns true if elements of a dtype have a Rust type.
    pub fn has_type(&self, id: DTypeId) -> bool {
        self.dtypes[id.index()].has_type()
    }

    /// Returns the standard dtype; `None` for a custom one.
    pub fn standard(&self, id: DTypeId) -> Option<StandardDType> {
        self.dtypes[id.index()].standard
    }

    /// Returns true if `compute` is the dtype in which processors compute with elements of `dtype`.
    pub fn is_register_of(&self, compute: DTypeId, dtype: DTypeId) -> bool {
        match (self.standard(compute), self.standard(dtype)) {
            (Some(compute), Some(dtype)) => compute == dtype.register(),
            _ => compute == dtype,
        }
    }

    /// Returns true if an op [computes in the dtype](KernelInfo::in_common_dtype) `common` to which its
    /// operands are converted. False for a dtype that the file defines, since the file does not say which
    /// values it has.
    pub fn steps_in(&self, op: &Op, common: DTypeId) -> bool {
        op.info.in_common_dtype() && self.standard(common).is_some()
    }

    /// Returns the value of a parameter as the file spells it.
    pub fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::DType(id) => self.dtype_name(*id).to_owned(),
            Value::Word(word) => word.clone(),
        }
    }

    /// Returns true if a clause uses the value of an operand.
    pub fn asks_values(&self) -> bool {
        let value = |output: &Output| match output {
            Output::Join { above, .. } => above.iter().any(|held| matches!(held, Output::Value)),
            _ => false,
        };
        self.yields.iter().any(|clause| value(&clause.result))
    }

    /// Returns the name of a dtype.
    pub fn dtype_name(&self, id: DTypeId) -> &str {
        &self.dtypes[id.index()].name
    }

    /// Returns every dtype.
    pub fn all(&self) -> DTypeSet {
        DTypeSet::first(self.dtypes.len())
    }

    /// Returns the dtypes of one kind.
    pub fn of_kind(&self, kind: KindId) -> DTypeSet {
        self.ids().filter(|id| self.dtypes[id.index()].kind == kind).collect()
    }

    /// Returns the id of every dtype, in the order of declaration.
    pub fn ids(&self) -> impl Iterator<Item = DTypeId> + use<> {
        (0..self.dtypes.len()).map(DTypeId::new)
    }

    /// Returns the op with a name.
    pub fn op(&self, name: &str) -> Option<usize> {
        self.ops.iter().position(|op| op.name == name)
    }

    /// Returns the dtype with a name.
    pub fn dtype(&self, name: &str) -> Option<DTypeId> {
        self.ids().find(|id| self.dtype_name(*id) == name)
    }

    /// Returns the category whose rules apply to operands of a category, which the order may not name.
    pub fn effective(&self, category: Category) -> Category {
        match category {
            Category::ZeroDim if !self.order.contains(&Category::ZeroDim) => Category::Array,
            Category::Weak if !self.weak => Category::Number,
            other => other,
        }
    }

    /// Returns the category of a result that is not weak.
    pub fn higher(&self, a: Category, b: Category) -> Category {
        promote_core::__private::table::higher(self.ranks, a.min(b), a.max(b))
    }

    /// Returns the rank of a category; 0 is the highest.
    pub fn rank(&self, category: Category) -> u8 {
        self.ranks[category as usize]
    }
}

/// Converts a name to camel case: `default_dtype` to `DefaultDtype`.
pub(crate) fn pascal(snake: &str) -> String {
    snake
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
        })
        .collect()
}
