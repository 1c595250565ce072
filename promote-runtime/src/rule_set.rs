//! A rule set at run time: its tables under one choice of the parameters.

use crate::Tables;
use core::fmt;

use crate::Number;
use crate::Op;
use crate::error::{OperandKind, PromoteError, WideInteger};
use crate::explain::Trace;
use crate::table::{
    Category, Clause, Holders, KINDS, NO_CLAUSE, NO_VALUE, NumberEntry, OpAnswer, OpTable, ScalarEntry,
    TableOperand, order,
};
use crate::{DType, OpTypes};

/// A rule set under one choice of its parameters: what run-time promotion and dispatch ask.
///
/// It is a small `Copy` value; a compiled set makes one (`Torch::new().rule_set()`), and so does a program
/// that reads a rule file.
#[derive(Clone, Copy)]
pub struct RuleSet {
    pub(crate) tables: &'static Tables,
    pub(crate) setting: u16,
    #[cfg(feature = "kernels")]
    pub(crate) kernels: &'static crate::kernel::Kernels,
    /// There under the default parameters only.
    #[cfg(feature = "kernels")]
    pub(crate) cache: Option<&'static crate::kernel::DispatchCache>,
}

/// An operand as promotion sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operand {
    /// An array with dimensions.
    Array(DType),
    /// An array without dimensions.
    ZeroDim(DType),
    /// An array without dimensions whose value is known: it counts where a rule set looks at values.
    ZeroDimValue(DType, Number),
    /// A number without a width.
    Scalar(Number),
    /// A weakly typed array, where the rule set knows such.
    Weak(DType),
}

impl Operand {
    /// The dtype; a number has none.
    pub(crate) const fn dtype(self) -> Option<DType> {
        match self {
            Operand::Array(dtype)
            | Operand::ZeroDim(dtype)
            | Operand::ZeroDimValue(dtype, _)
            | Operand::Weak(dtype) => Some(dtype),
            Operand::Scalar(_) => None,
        }
    }

    /// The operand without its value.
    pub const fn kind(self) -> OperandKind {
        match self {
            Operand::Array(dtype) => OperandKind::Array(dtype),
            Operand::ZeroDim(dtype) | Operand::ZeroDimValue(dtype, _) => OperandKind::ZeroDim(dtype),
            Operand::Scalar(number) => OperandKind::Scalar(number.kind()),
            Operand::Weak(dtype) => OperandKind::Weak(dtype),
        }
    }
}

/// What operands promote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultType {
    /// The dtype.
    pub dtype: DType,
    /// Whether it is weak: it yields to the dtype of an operand of the same or a higher kind.
    pub weak: bool,
}

impl RuleSet {
    /// A rule set with its default parameters and no kernels.
    ///
    /// # Panics
    /// If the tables are not [consistent](Tables#consistency) and have no such setting. Where they are
    /// inconsistent elsewhere, this does not see it: whatever is asked of the rule set may then panic or give
    /// a wrong answer.
    pub const fn new(tables: &'static Tables) -> RuleSet {
        RuleSet::at(tables, tables.default_setting())
    }

    /// A rule set under a setting, a position in [`Tables::settings`], and without kernels.
    ///
    /// # Panics
    /// If there is no such setting. Of inconsistent tables, see [`RuleSet::new`].
    pub const fn at(tables: &'static Tables, setting: u16) -> RuleSet {
        assert!((setting as usize) < tables.settings.len(), "no such setting");
        RuleSet {
            tables,
            setting,
            #[cfg(feature = "kernels")]
            kernels: &crate::kernel::Kernels::EMPTY,
            #[cfg(feature = "kernels")]
            cache: None,
        }
    }

    /// The same with a parameter set; `None` if there is no such parameter or value.
    pub fn with(self, param: &str, value: &str) -> Option<RuleSet> {
        let setting = self.tables.with(self.setting, param, value)?;
        #[cfg(feature = "kernels")]
        let cache = self.cache.filter(|_| setting == self.setting);
        Some(RuleSet {
            setting,
            #[cfg(feature = "kernels")]
            cache,
            ..self
        })
    }

    /// Which choice of the parameters: a position in [`Tables::settings`].
    pub const fn setting(&self) -> u16 {
        self.setting
    }

    /// The tables.
    pub const fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// The name of the rule set.
    pub const fn name(&self) -> &'static str {
        self.tables.name
    }

    /// The dtype that two arrays promote to; weakness aside.
    ///
    /// # Errors
    /// The rule set refuses the pair, or does not have one of the dtypes.
    #[inline]
    pub const fn promote_types(&self, a: DType, b: DType) -> Result<DType, PromoteError> {
        let (x, y) = match (self.tables.position(a), self.tables.position(b)) {
            (Some(x), Some(y)) => (x, y),
            (None, _) => return Err(self.unknown(a)),
            (_, None) => return Err(self.unknown(b)),
        };
        let array = Category::Array;
        let (x, y) = (
            TableOperand { dtype: x, category: array, value: NO_VALUE },
            TableOperand { dtype: y, category: array, value: NO_VALUE },
        );
        match self.tables.promote(self.setting, x, y) {
            Ok((found, _)) => Ok(self.tables.dtypes[found.dtype as usize]),
            Err(clause) => {
                Err(self.refused(None, (OperandKind::Array(a), Some(OperandKind::Array(b))), clause))
            }
        }
    }

    /// What an array of a dtype becomes when it is made: itself, unless the rule set says otherwise (JAX
    /// without 64-bit dtypes).
    ///
    /// # Errors
    /// The rule set does not have the dtype.
    pub const fn stored(&self, dtype: DType) -> Result<DType, PromoteError> {
        match self.tables.position(dtype) {
            Some(position) => {
                Ok(self.tables.dtypes[self.tables.stored_as(self.setting, position).0 as usize])
            }
            None => Err(self.unknown(dtype)),
        }
    }

    /// What operands promote to: each category is joined by itself, in the order of the operands or, where
    /// the rule set says so, kind by kind from the highest down; then the categories are joined from the
    /// lowest up. Arrays count as what they become when they are made.
    ///
    /// # Errors
    /// There are no operands, the rule set refuses two of them, or does not have one of the dtypes.
    pub const fn result_type(&self, operands: &[Operand]) -> Result<ResultType, PromoteError> {
        self.fold(operands, &mut Trace::new())
    }

    pub(crate) const fn fold(
        &self,
        operands: &[Operand],
        trace: &mut Trace,
    ) -> Result<ResultType, PromoteError> {
        if let [a @ Operand::Array(_), b @ Operand::Array(_)] = *operands {
            return self.fold_arrays(a, b, trace);
        }
        let mut result: Option<(TableOperand, OperandKind)> = None;
        // Four ranks at most: one pass each, or one for each kind, lowest category first, so that nothing is
        // allocated.
        let mut rank = 4;
        while rank > 0 {
            rank -= 1;
            let mut group: Option<(TableOperand, OperandKind)> = None;
            let mut passes = if self.tables.by_kind { KINDS } else { 1 };
            while passes > 0 {
                passes -= 1;
                let mut i = 0;
                while i < operands.len() {
                    let local = match self.table_operand(operands[i], trace) {
                        Ok(local) => local,
                        Err(error) => return Err(error),
                    };
                    let in_this_pass =
                        !self.tables.by_kind || order(self.tables.dtypes[local.dtype as usize]) == passes;
                    if self.tables.ranks[local.category as usize] == rank && in_this_pass {
                        group = match self.join(group, (local, operands[i].kind()), trace) {
                            Ok(joined) => Some(joined),
                            Err(error) => return Err(error),
                        };
                    }
                    i += 1;
                }
            }
            if let Some(group) = group {
                result = match self.join(result, group, trace) {
                    Ok(joined) => Some(joined),
                    Err(error) => return Err(error),
                };
            }
        }
        match result {
            Some((found, _)) => {
                let dtype = self.tables.dtypes[found.dtype as usize];
                Ok(ResultType { dtype, weak: matches!(found.category, Category::Weak) })
            }
            None => Err(PromoteError::Arity { op: None, expected: 1, found: 0 }),
        }
    }

    /// The usual case, with one look at the table: two operands of one category meet in their order or, where
    /// the rule set goes kind by kind, the one of the higher kind first.
    const fn fold_arrays(
        &self,
        a: Operand,
        b: Operand,
        trace: &mut Trace,
    ) -> Result<ResultType, PromoteError> {
        let (x, y) = match (self.table_operand(a, trace), self.table_operand(b, trace)) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let dtypes = self.tables.dtypes;
        let turned = self.tables.by_kind && order(dtypes[x.dtype as usize]) < order(dtypes[y.dtype as usize]);
        let (first, second) =
            if turned { ((y, b.kind()), (x, a.kind())) } else { ((x, a.kind()), (y, b.kind())) };
        match self.join(Some(first), second, trace) {
            Ok((found, _)) => {
                let weak = matches!(found.category, Category::Weak);
                Ok(ResultType { dtype: dtypes[found.dtype as usize], weak })
            }
            Err(error) => Err(error),
        }
    }

    /// What an op converts its operands to, computes in and gives; of a comparison, `output` is bool.
    ///
    /// # Errors
    /// The rule set refuses, does not have the op or a dtype, or the op takes another number of operands; an
    /// integer number does not fit the dtype that it enters, where the rule set says that it must.
    #[inline]
    pub const fn op_types(&self, op: Op, operands: &[Operand]) -> Result<OpTypes, PromoteError> {
        match self.decide(op, operands, &mut Trace::new()) {
            Ok((_, answer)) => Ok(self.tables.types(answer)),
            Err(error) => Err(error),
        }
    }

    /// The op's table and what it says of the operands.
    #[inline]
    pub(crate) const fn decide(
        &self,
        op: Op,
        operands: &[Operand],
        trace: &mut Trace,
    ) -> Result<(&'static OpTable<'static>, OpAnswer), PromoteError> {
        if let Op::Custom(custom) = op
            && let Some(like) = custom.like()
        {
            let both = match self.joined(op, operands, trace) {
                Ok(joined) => [joined; 2],
                Err(error) => return Err(error),
            };
            let (count, _) = both.split_at(like.arity());
            let (table, answer) = match self.decide(like, count, trace) {
                Ok(decided) => decided,
                Err(error) => return Err(error),
            };
            // Such an op knows how to compute, and not how numbers beyond its dtype compare.
            if let NumberEntry::Error | NumberEntry::Exact = table.number {
                let mut i = 0;
                while i < operands.len() {
                    if let Err(error) =
                        self.number_fits(Some(op), operands[i], self.tables.types(answer).common)
                    {
                        return Err(error);
                    }
                    i += 1;
                }
            }
            return Ok((table, answer));
        }
        let Some(position) = self.tables.op_position(op) else {
            return Err(PromoteError::UnknownOp { rules: self.tables.name, op });
        };
        let (a, b) = match *operands {
            _ if matches!(op, Op::Custom(_)) => match self.joined(op, operands, trace) {
                Ok(joined) => (joined, None),
                Err(error) => return Err(error),
            },
            [a] if op.arity() == 1 => (a, None),
            [a, b] if op.arity() == 2 => (a, Some(b)),
            _ => {
                return Err(PromoteError::Arity {
                    op: Some(op),
                    expected: op.arity(),
                    found: operands.len(),
                });
            }
        };
        let x = match self.table_operand(a, trace) {
            Ok(local) => local,
            Err(error) => return Err(error),
        };
        let y = match b {
            Some(b) => match self.table_operand(b, trace) {
                Ok(local) => Some(local),
                Err(error) => return Err(error),
            },
            None => None,
        };
        match self.tables.op(self.setting, position, x, y) {
            Ok(answer) => {
                trace.meet(answer.promotion);
                trace.meet(answer.clause);
                let table = &self.tables.ops[position];
                if let (NumberEntry::Error, Some(b)) = (table.number, b)
                    && let Err(error) = self.numbers_fit(table, a, b, answer)
                {
                    return Err(error);
                }
                Ok((table, answer))
            }
            Err(clause) => {
                let b = match b {
                    Some(b) => Some(b.kind()),
                    None => None,
                };
                Err(self.refused(Some(op), (a.kind(), b), clause))
            }
        }
    }

    /// What all operands of a user's op promote to, which is its one operand.
    const fn joined(&self, op: Op, operands: &[Operand], trace: &mut Trace) -> Result<Operand, PromoteError> {
        // Of an op that is known by its name alone, nobody knows how many it takes.
        if op.arity() != 0 && op.arity() != operands.len() {
            let (expected, found) = (op.arity(), operands.len());
            return Err(PromoteError::Arity { op: Some(op), expected, found });
        }
        match self.fold(operands, trace) {
            Ok(ResultType { dtype, weak: true }) => Ok(Operand::Weak(dtype)),
            Ok(ResultType { dtype, weak: false }) => Ok(Operand::Array(dtype)),
            Err(error) => Err(error),
        }
    }

    /// Whether the integer dtypes that numbers enter hold them.
    const fn numbers_fit(
        &self,
        table: &OpTable,
        a: Operand,
        b: Operand,
        answer: OpAnswer,
    ) -> Result<(), PromoteError> {
        let OpTypes { common, compute, .. } = self.tables.types(answer);
        let right = match table.scalar {
            ScalarEntry::Rounded => common,
            ScalarEntry::OpmathRight => compute,
        };
        match self.number_fits(Some(table.op), a, common) {
            Ok(()) => self.number_fits(Some(table.op), b, right),
            refused => refused,
        }
    }

    pub(crate) const fn number_fits(
        &self,
        op: Option<Op>,
        operand: Operand,
        dtype: DType,
    ) -> Result<(), PromoteError> {
        if let Operand::Scalar(number) = operand
            && let Some(int) = number.beyond(dtype)
        {
            return Err(PromoteError::NumberDoesNotFit {
                rules: self.tables.name,
                op,
                number: WideInteger::new(int),
                dtype,
            });
        }
        Ok(())
    }

    #[inline]
    const fn table_operand(&self, operand: Operand, trace: &mut Trace) -> Result<TableOperand, PromoteError> {
        let (dtype, category, value) = match operand {
            Operand::Array(dtype) => (dtype, Category::Array, NO_VALUE),
            Operand::ZeroDim(dtype) => (dtype, Category::ZeroDim, NO_VALUE),
            Operand::ZeroDimValue(dtype, number) => {
                (dtype, Category::ZeroDim, self.tables.holders(self.setting, number))
            }
            Operand::Weak(dtype) => (dtype, Category::Weak, NO_VALUE),
            Operand::Scalar(number) => {
                return match self.tables.number(self.setting, number.kind()) {
                    Ok((local, clause)) => {
                        trace.meet(clause);
                        Ok(TableOperand { value: self.tables.holders(self.setting, number), ..local })
                    }
                    Err(clause) => Err(self.refused(None, (operand.kind(), None), clause)),
                };
            }
        };
        let Some(position) = self.tables.position(dtype) else { return Err(self.unknown(dtype)) };
        let made = match category {
            Category::Array | Category::ZeroDim => {
                let (made, clause) = self.tables.stored_as(self.setting, position);
                trace.meet(clause);
                made
            }
            Category::Number | Category::Weak => position,
        };
        Ok(TableOperand { dtype: made, category, value })
    }

    const fn join(
        &self,
        a: Option<(TableOperand, OperandKind)>,
        b: (TableOperand, OperandKind),
        trace: &mut Trace,
    ) -> Result<(TableOperand, OperandKind), PromoteError> {
        let Some(a) = a else { return Ok(b) };
        match self.tables.promote(self.setting, a.0, b.0) {
            Ok((found, clause)) => {
                trace.meet(clause);
                let found = TableOperand { value: self.values(a.0, b.0), ..found };
                let dtype = self.tables.dtypes[found.dtype as usize];
                let kind = match found.category {
                    Category::Array => OperandKind::Array(dtype),
                    Category::ZeroDim => OperandKind::ZeroDim(dtype),
                    Category::Number => OperandKind::Numbers(dtype),
                    Category::Weak => OperandKind::Weak(dtype),
                };
                Ok((found, kind))
            }
            Err(clause) => Err(self.refused(None, (a.1, Some(b.1)), clause)),
        }
    }

    /// What stands for the values of two operands that were joined: they are of one rank, or the value of one
    /// counts no more.
    const fn values(&self, a: TableOperand, b: TableOperand) -> Holders {
        let mut values = NO_VALUE;
        if a.category as u8 != b.category as u8 {
            return values;
        }
        let mut xs = a.value;
        while xs != 0 {
            let x =
                TableOperand { dtype: xs.trailing_zeros() as u8, category: Category::Array, value: NO_VALUE };
            xs &= xs - 1;
            let mut ys = b.value;
            while ys != 0 {
                let y = TableOperand { dtype: ys.trailing_zeros() as u8, ..x };
                ys &= ys - 1;
                if let Ok((found, _)) = self.tables.promote(self.setting, x, y) {
                    values |= 1 << found.dtype;
                }
            }
        }
        values
    }

    #[cold]
    const fn unknown(&self, dtype: DType) -> PromoteError {
        PromoteError::UnknownDType { rules: self.tables.name, dtype }
    }

    #[cold]
    const fn refused(
        &self,
        op: Option<Op>,
        operands: (OperandKind, Option<OperandKind>),
        clause: u16,
    ) -> PromoteError {
        let rules = self.tables.name;
        if clause == NO_CLAUSE {
            return PromoteError::Undefined { rules, operand: operands.0 };
        }
        let Clause { reason, file, line, .. } = self.tables.clauses[clause as usize];
        let reason = match reason {
            Some(reason) => reason,
            None => "",
        };
        PromoteError::Refused { rules, op, operands, reason, file, line }
    }
}

/// Two rule sets are equal if they have the same tables under the same parameters.
impl PartialEq for RuleSet {
    fn eq(&self, other: &RuleSet) -> bool {
        core::ptr::eq(self.tables, other.tables) && self.setting == other.setting
    }
}

impl Eq for RuleSet {}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("name", &self.name())
            .field("setting", &self.setting)
            .finish_non_exhaustive()
    }
}
