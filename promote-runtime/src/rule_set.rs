//! Rule sets at run time: promotion by the tables of a rule set, under one choice of its parameters.

/// Stands for the operator `?`, which `const` functions cannot use.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

pub(crate) mod explain;
mod names;
#[cfg(feature = "serde")]
pub mod settings;
mod state;

pub use state::ResultTypeState;

use crate::Tables;
use core::fmt;

use crate::Number;
use crate::Op;
use crate::element::Element;
use crate::error::{OperandKind, PromoteError, WideInteger};
use crate::number::ZeroDim;
use crate::rule_set::explain::Trace;
use crate::semantics::{NumberOverflow, RightScalar};
use crate::table::{
    Category, Clause, Holders, KINDS, NO_CLAUSE, NO_VALUE, OpAnswer, OpTable, TableOperand, order,
};
use crate::{DType, OpTypes};

/// A rule set under one choice of its parameters, for promotion and dispatch at run time.
///
/// It is a small `Copy` value. The type of a compiled rule set returns it (`Torch::new().rule_set()`), and
/// the `promote` command makes one from each rule file that it reads. Two rule sets are equal if they have
/// the same tables and parameters.
///
/// ```
/// use promote::{DType, Op, Operand, Torch};
///
/// let rules = Torch::new().rule_set();
/// assert_eq!(rules.promote_types(DType::I32, DType::F16)?, DType::F16);
/// let types = rules.op_types(Op::Divide, &[Operand::Array(DType::I8); 2])?;
/// assert_eq!((types.common, types.output), (DType::F32, DType::F32));
/// # Ok::<(), promote::PromoteError>(())
/// ```
#[derive(Clone, Copy)]
pub struct RuleSet {
    pub(crate) tables: &'static Tables,
    pub(crate) setting: u16,
    #[cfg(feature = "kernels")]
    pub(crate) kernels: &'static crate::kernel::Kernels,
    /// `None` unless all parameters have their default values.
    #[cfg(feature = "kernels")]
    pub(crate) cache: Option<&'static crate::kernel::DispatchCache>,
}

/// An operand of promotion: its category and dtype, without its elements.
///
/// ```
/// use promote::{DType, Number, Operand, Torch};
///
/// let rules = Torch::new().rule_set();
/// let promoted = |operand| rules.result_type(&[Operand::Array(DType::F32), operand]).map(|found| found.dtype);
/// assert_eq!(promoted(Operand::Array(DType::F64)), Ok(DType::F64));
/// assert_eq!(promoted(Operand::ZeroDim(DType::F64, None)), Ok(DType::F32));
/// assert_eq!(promoted(Operand::Number(Number::Float(0.1))), Ok(DType::F32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Operand {
    /// An array with at least one axis.
    Array(DType),
    /// An array without axes. Its value, if known, matters under rule sets that look at values (NumPy 1).
    ZeroDim(DType, Option<Number>),
    /// A number without a width, such as a Python literal.
    Number(Number),
    /// A weakly typed array, for rule sets that have such arrays (JAX).
    Weak(DType),
}

/// An operand of promotion as a type.
pub trait OperandType {
    /// The operand. A number has a value that fits every dtype.
    const OPERAND: Operand;
}

impl<T: Element> OperandType for T {
    const OPERAND: Operand = match (T::WEAK, T::DTYPE) {
        (false, dtype) => Operand::Array(dtype),
        (true, DType::Bool) => Operand::Number(Number::Bool(true)),
        (true, DType::I64) => Operand::Number(Number::Int(1)),
        (true, DType::F64) => Operand::Number(Number::Float(0.5)),
        (true, DType::C128) => Operand::Number(Number::Complex(0.5, 1.0)),
        (true, dtype) => Operand::Weak(dtype),
    };
}

impl<T: Element> OperandType for ZeroDim<T> {
    const OPERAND: Operand = Operand::ZeroDim(T::DTYPE, None);
}

impl Operand {
    /// Returns the dtype; `None` for a number.
    pub(crate) const fn dtype(self) -> Option<DType> {
        match self {
            Operand::Array(dtype) | Operand::ZeroDim(dtype, _) | Operand::Weak(dtype) => Some(dtype),
            Operand::Number(_) => None,
        }
    }

    /// Returns the operand without its value.
    pub const fn kind(self) -> OperandKind {
        match self {
            Operand::Array(dtype) => OperandKind::Array(dtype),
            Operand::ZeroDim(dtype, _) => OperandKind::ZeroDim(dtype),
            Operand::Number(number) => OperandKind::Number(number.kind()),
            Operand::Weak(dtype) => OperandKind::Weak(dtype),
        }
    }
}

/// The result of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResultType {
    /// The dtype.
    pub dtype: DType,
    /// True if the result is weak, so that it yields to the dtype of other operands as the rule set says.
    pub weak: bool,
}

impl RuleSet {
    /// Returns a rule set with its default parameters and no kernels.
    ///
    /// # Panics
    /// Panics if the tables have no such setting. Other ways in which tables can be inconsistent are not
    /// detected: methods of the rule set may then panic or return a wrong answer.
    #[doc(hidden)]
    pub const fn new(tables: &'static Tables) -> RuleSet {
        RuleSet::at(tables, tables.default_setting())
    }

    /// Returns a rule set under a setting, a position in the tables' settings, and without kernels.
    ///
    /// # Panics
    /// Panics if there is no such setting. See [`RuleSet::new`] for inconsistent tables.
    #[doc(hidden)]
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

    /// Returns the rule set with a parameter set to a value; `None` if there is no such parameter or value.
    ///
    /// ```
    /// use promote::{DType, Operand, Torch, Number};
    ///
    /// let rules = Torch::new().rule_set().with("default_dtype", "f64").unwrap();
    /// let operands = [Operand::Array(DType::I32), Operand::Number(Number::Float(0.5))];
    /// assert_eq!(rules.result_type(&operands)?.dtype, DType::F64);
    /// assert!(rules.with("default_dtype", "i32").is_none());
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
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

    /// Returns the choice of the parameters, as a position in the tables' settings.
    #[doc(hidden)]
    pub const fn setting(&self) -> u16 {
        self.setting
    }

    /// Returns the tables.
    #[doc(hidden)]
    pub const fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// Returns the dtypes that the rule set knows, in the order of its file.
    pub const fn dtypes(&self) -> &'static [DType] {
        self.tables.dtypes
    }

    /// Returns the ops that the rule set knows, in the order of its file.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = Op> + use<> {
        self.tables.ops.iter().map(|table| table.op)
    }

    /// Returns the name of the rule set.
    pub const fn name(&self) -> &'static str {
        self.tables.name
    }

    /// Returns the dtype that two arrays promote to.
    ///
    /// # Errors
    /// Returns an error with the rule set's reason if it refuses the pair, and an error if it does not have
    /// one of the dtypes.
    ///
    /// ```
    /// use promote::{DType, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// assert_eq!(rules.promote_types(DType::U8, DType::I8), Ok(DType::I16));
    /// let refused = rules.promote_types(DType::U16, DType::I32).unwrap_err().to_string();
    /// assert!(refused.starts_with("`u16` and `i32` do not promote under Torch: unsigned integers"));
    /// ```
    #[inline]
    pub const fn promote_types(&self, a: DType, b: DType) -> Result<DType, PromoteError> {
        let x = TableOperand { dtype: ok!(self.position(a)), category: Category::Array, value: NO_VALUE };
        let y = TableOperand { dtype: ok!(self.position(b)), ..x };
        match self.tables.promote(self.setting, x, y) {
            Ok((found, _)) => Ok(self.tables.dtypes[found.dtype as usize]),
            Err(clause) => {
                Err(self.refused(None, (OperandKind::Array(a), Some(OperandKind::Array(b))), clause))
            }
        }
    }

    /// Returns the dtype in which an array of a dtype is stored. It differs from the dtype itself only under
    /// rule sets that say so, such as JAX's without 64-bit dtypes.
    ///
    /// # Errors
    /// Returns an error if the rule set does not have the dtype.
    ///
    /// ```
    /// use promote::DType;
    ///
    /// promote::rules! {
    ///     rules Narrow;
    ///     dtypes f32 f64;
    ///     stored { f64 => f32; }
    ///     promote { any, any => join; }
    /// }
    /// assert_eq!(Narrow::new().rule_set().stored_dtype(DType::F64), Ok(DType::F32));
    /// ```
    pub const fn stored_dtype(&self, dtype: DType) -> Result<DType, PromoteError> {
        let (stored, _) = self.tables.stored_as(self.setting, ok!(self.position(dtype)));
        Ok(self.tables.dtypes[stored as usize])
    }

    /// Returns what operands promote to.
    ///
    /// Operands of one category are joined first: in their order or, if the rule set says so, kind by kind
    /// from the highest kind down. Then the categories are joined from the lowest up. Arrays count with the
    /// dtype in which they are stored.
    ///
    /// # Errors
    /// Returns an error if there are no operands, if the rule set refuses two of them, or if it does not have
    /// one of the dtypes.
    ///
    /// ```
    /// use promote::{DType, Number, Operand, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let array = Operand::Array(DType::F16);
    /// // A zero-dimensional array of the same kind does not change the dtype of an array, nor does a number.
    /// let others = [Operand::ZeroDim(DType::F64, None), Operand::Number(Number::Float(0.1))];
    /// assert_eq!(rules.result_type(&[array, others[0], others[1]])?.dtype, DType::F16);
    /// assert_eq!(rules.result_type(&others)?.dtype, DType::F64);
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
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
        let mut state = self.result_type_state();
        // Lowest category first, as an explanation names them.
        let mut rank = state::RANKS;
        while rank > 0 {
            rank -= 1;
            let mut passes = if self.tables.by_kind { KINDS } else { 1 };
            while passes > 0 {
                passes -= 1;
                let mut i = 0;
                while i < operands.len() {
                    let local = ok!(self.table_operand(operands[i], trace));
                    let in_this_pass =
                        !self.tables.by_kind || order(self.tables.dtypes[local.dtype as usize]) == passes;
                    if in_this_pass && self.tables.ranks[local.category as usize] as usize == rank {
                        ok!(state.join(local, operands[i].kind(), trace));
                    }
                    i += 1;
                }
            }
        }
        state.joined(trace)
    }

    /// The fast path for two arrays, with one look-up: they are joined in their order or, if the rule set
    /// goes kind by kind, with the higher kind first.
    const fn fold_arrays(
        &self,
        a: Operand,
        b: Operand,
        trace: &mut Trace,
    ) -> Result<ResultType, PromoteError> {
        let x = (ok!(self.table_operand(a, trace)), a.kind());
        let y = (ok!(self.table_operand(b, trace)), b.kind());
        let dtypes = self.tables.dtypes;
        let swapped =
            self.tables.by_kind && order(dtypes[x.0.dtype as usize]) < order(dtypes[y.0.dtype as usize]);
        let (first, second) = if swapped { (y, x) } else { (x, y) };
        let (found, _) = ok!(self.join(Some(first), second, trace));
        Ok(self.result_of(found))
    }

    const fn result_of(&self, found: TableOperand) -> ResultType {
        let dtype = self.tables.dtypes[found.dtype as usize];
        ResultType { dtype, weak: matches!(found.category, Category::Weak) }
    }

    /// Returns the dtypes of an op: what its operands are converted to, what it computes in, and its output.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the operands, if it does not have the op or a dtype, if the
    /// op takes another number of operands, or if an integer number does not fit the dtype that it is
    /// converted to and the rule set makes that an error.
    ///
    /// ```
    /// use promote::{DType, Op, Operand, Torch};
    ///
    /// let rules = Torch::new().rule_set();
    /// let types = rules.op_types(Op::Less, &[Operand::Array(DType::I64), Operand::Array(DType::BF16)])?;
    /// assert_eq!((types.common, types.compute, types.output), (DType::BF16, DType::F32, DType::Bool));
    /// # Ok::<(), promote::PromoteError>(())
    /// ```
    #[inline]
    pub const fn op_types(&self, op: Op, operands: &[Operand]) -> Result<OpTypes, PromoteError> {
        let (_, answer) = ok!(self.decide(op, operands, &mut Trace::new()));
        Ok(self.tables.types(answer))
    }

    /// Looks up the table of an op and its result for operands.
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
            let both = [ok!(self.joined(op, operands, trace)); 2];
            let (count, _) = both.split_at(like.arity());
            let (table, answer) = ok!(self.decide(like, count, trace));
            // A custom kernel cannot compare numbers that are outside of the dtype, so they must fit.
            if let NumberOverflow::Error | NumberOverflow::Exact = table.number {
                let mut i = 0;
                while i < operands.len() {
                    ok!(self.number_fits(Some(op), operands[i], self.tables.types(answer).common));
                    i += 1;
                }
            }
            return Ok((table, answer));
        }
        let Some(position) = self.tables.op_position(op) else {
            return Err(PromoteError::UnknownOp { rules: self.tables.name, op });
        };
        let arity = self.tables.ops[position].op.arity();
        let (a, b) = match *operands {
            _ if self.tables.joins_operands(self.setting, position) => {
                (ok!(self.joined(op, operands, trace)), None)
            }
            _ if operands.len() != arity => {
                return Err(PromoteError::Arity { op: Some(op), expected: arity, found: operands.len() });
            }
            [a] => (a, None),
            [a, .., b] => (a, Some(b)),
            [] => return Err(PromoteError::Arity { op: Some(op), expected: 1, found: 0 }),
        };
        let (x, a_kind) = ok!(self.before_last(op, position, operands, a, trace));
        let y = match b {
            Some(b) => Some(ok!(self.table_operand(b, trace))),
            None => None,
        };
        match self.tables.op(self.setting, position, x, y) {
            Ok(answer) => {
                trace.add(answer.promotion);
                trace.add(answer.clause);
                let table = &self.tables.ops[position];
                if let (NumberOverflow::Error, Some(b)) = (table.number, b) {
                    let OpTypes { common, compute, .. } = self.tables.types(answer);
                    let right = match table.right_scalar {
                        RightScalar::Rounded => common,
                        RightScalar::Opmath => compute,
                    };
                    let mut next = 0;
                    while next + 1 < operands.len() {
                        ok!(self.number_fits(Some(op), operands[next], common));
                        next += 1;
                    }
                    ok!(self.number_fits(Some(op), b, right));
                }
                Ok((table, answer))
            }
            Err(clause) => {
                let b = match b {
                    Some(b) => Some(b.kind()),
                    None => None,
                };
                Err(self.refused(Some(op), (a_kind, b), clause))
            }
        }
    }

    /// Returns the operand that meets the last one: the first, or, of three or more, what the others before
    /// the last are converted to, step by step.
    #[inline]
    const fn before_last(
        &self,
        op: Op,
        position: usize,
        operands: &[Operand],
        first: Operand,
        trace: &mut Trace,
    ) -> Result<(TableOperand, OperandKind), PromoteError> {
        let mut found = (ok!(self.table_operand(first, trace)), first.kind());
        let mut next = 1;
        while next + 1 < operands.len() {
            let operand = ok!(self.table_operand(operands[next], trace));
            found = match self.tables.op_step(self.setting, position, found.0, operand) {
                Ok((found, clause)) => {
                    trace.add(clause);
                    (found, self.kind_of(found))
                }
                Err(clause) => {
                    return Err(self.refused(Some(op), (found.1, Some(operands[next].kind())), clause));
                }
            };
            next += 1;
        }
        Ok(found)
    }

    /// Promotes all operands of a custom op to the single operand of its table.
    const fn joined(&self, op: Op, operands: &[Operand], trace: &mut Trace) -> Result<Operand, PromoteError> {
        // The number of operands is unknown if the op is known by its name alone.
        if op.arity() != 0 && op.arity() != operands.len() {
            let (expected, found) = (op.arity(), operands.len());
            return Err(PromoteError::Arity { op: Some(op), expected, found });
        }
        let ResultType { dtype, weak } = ok!(self.fold(operands, trace));
        Ok(if weak { Operand::Weak(dtype) } else { Operand::Array(dtype) })
    }

    /// Checks that an operand that is an integer number fits an integer dtype.
    pub(crate) const fn number_fits(
        &self,
        op: Option<Op>,
        operand: Operand,
        dtype: DType,
    ) -> Result<(), PromoteError> {
        if let Operand::Number(number) = operand
            && let Some(int) = number.out_of_range(dtype)
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

    /// Looks up how the tables describe an operand.
    #[inline]
    const fn table_operand(&self, operand: Operand, trace: &mut Trace) -> Result<TableOperand, PromoteError> {
        let (dtype, category, value) = match operand {
            Operand::Array(dtype) => (dtype, Category::Array, NO_VALUE),
            Operand::ZeroDim(dtype, None) => (dtype, Category::ZeroDim, NO_VALUE),
            Operand::ZeroDim(dtype, Some(number)) => {
                (dtype, Category::ZeroDim, self.tables.holders(self.setting, number))
            }
            Operand::Weak(dtype) => (dtype, Category::Weak, NO_VALUE),
            Operand::Number(number) => {
                return match self.tables.number(self.setting, number.kind()) {
                    Ok((local, clause)) => {
                        trace.add(clause);
                        Ok(TableOperand { value: self.tables.holders(self.setting, number), ..local })
                    }
                    Err(clause) => Err(self.refused(None, (operand.kind(), None), clause)),
                };
            }
        };
        let position = ok!(self.position(dtype));
        let stored = match category {
            Category::Array | Category::ZeroDim => {
                let (stored, clause) = self.tables.stored_as(self.setting, position);
                trace.add(clause);
                stored
            }
            Category::Number | Category::Weak => position,
        };
        Ok(TableOperand { dtype: stored, category, value })
    }

    /// Promotes two operands, of which the first may be missing.
    const fn join(
        &self,
        a: Option<(TableOperand, OperandKind)>,
        b: (TableOperand, OperandKind),
        trace: &mut Trace,
    ) -> Result<(TableOperand, OperandKind), PromoteError> {
        let Some(a) = a else { return Ok(b) };
        match self.tables.promote(self.setting, a.0, b.0) {
            Ok((found, clause)) => {
                trace.add(clause);
                let found = TableOperand { value: self.values(a.0, b.0), ..found };
                Ok((found, self.kind_of(found)))
            }
            Err(clause) => Err(self.refused(None, (a.1, Some(b.1)), clause)),
        }
    }

    /// Returns the kind of an operand that others promote to.
    const fn kind_of(&self, found: TableOperand) -> OperandKind {
        let dtype = self.tables.dtypes[found.dtype as usize];
        match found.category {
            Category::Array => OperandKind::Array(dtype),
            Category::ZeroDim => OperandKind::ZeroDim(dtype),
            Category::Number => OperandKind::PromotedNumber(dtype),
            Category::Weak => OperandKind::Weak(dtype),
        }
    }

    /// Returns the dtypes that stand for the values of two joined operands. There are none if the categories
    /// differ, since values do not matter then.
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

    /// Returns the position of a dtype in the tables.
    #[inline]
    pub(crate) const fn position(&self, dtype: DType) -> Result<u8, PromoteError> {
        match self.tables.position(dtype) {
            Some(position) => Ok(position),
            None => Err(self.unknown(dtype)),
        }
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
        let Clause { reason, lacks, file, line, .. } = self.tables.clauses[clause as usize];
        let reason = match reason {
            Some(reason) => reason,
            None => "",
        };
        PromoteError::Refused { rules, op, operands, reason, lacks, file, line }
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
