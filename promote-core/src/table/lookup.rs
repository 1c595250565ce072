//! Look-ups in the tables. All of them can run in constants.

use super::{
    Category, Cell, NO_CLAUSE, NO_PLANE, OP_VALUE_WORDS, OP_WORDS, OpCell, OpTable, REFUSED, Tables,
};
use crate::{DType, Kind, Number, NumberKind, Op, OpTypes};

/// An operand, with the position of its dtype in [`Tables::dtypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOperand {
    /// The position of the dtype.
    pub dtype: u8,
    /// The category.
    pub category: Category,
    /// The dtypes that hold the operand's value, or [`NO_VALUE`].
    pub value: Holders,
}

/// The set of dtypes that hold an operand's value: a bit for each position in [`Tables::dtypes`].
pub type Holders = u64;

/// The empty set, for an operand that counts by its dtype: its value is unknown, does not matter, or fits no
/// dtype of its kind.
pub const NO_VALUE: Holders = 0;

/// The result of a look-up, or the position of the clause that refuses; [`NO_CLAUSE`] if no clause decides.
pub type Answer<T> = Result<T, u16>;

/// The result of an op. Dtypes and clauses are positions in the tables.
#[derive(Clone, Copy, Debug)]
pub struct OpAnswer {
    /// The common, the compute and the output dtype.
    pub types: [u8; 3],
    /// True if the result is weak.
    pub weak: bool,
    /// The clause that promoted the operands, if the op depends on their common dtype.
    pub promotion: u16,
    /// The clause of the op.
    pub clause: u16,
}

impl Tables<'_> {
    /// Returns the position of each standard dtype in a list, or [`REFUSED`] for dtypes that are not in it.
    pub const fn positions(dtypes: &[DType]) -> [u8; DType::STANDARD.len()] {
        let mut positions = [REFUSED; DType::STANDARD.len()];
        let mut i = 0;
        while i < dtypes.len() {
            let index = dtypes[i].index();
            if index < positions.len() {
                positions[index] = i as u8;
            }
            i += 1;
        }
        positions
    }

    /// Returns the dtype with this name.
    ///
    /// # Panics
    ///
    /// Panics if no dtype has this name. In a constant that is a compile error.
    pub const fn dtype(&self, name: &str) -> DType {
        let mut i = 0;
        while i < self.dtypes.len() {
            if same_bytes(self.dtypes[i].name().as_bytes(), name.as_bytes()) {
                return self.dtypes[i];
            }
            i += 1;
        }
        panic!("no dtype has this name")
    }

    /// Returns the position of a dtype.
    ///
    /// A custom dtype is found by its name, which is unique in a rule set, because constants cannot compare
    /// addresses. Kernels compare addresses, so that two dtypes of one name never share memory.
    #[inline]
    pub const fn position(&self, dtype: DType) -> Option<u8> {
        let index = dtype.index();
        if index < self.positions.len() {
            let position = self.positions[index];
            return if position == REFUSED { None } else { Some(position) };
        }
        let DType::Custom(wanted) = dtype else { return None };
        let mut i = 0;
        while i < self.dtypes.len() {
            if let DType::Custom(custom) = self.dtypes[i]
                && same_bytes(custom.name().as_bytes(), wanted.name().as_bytes())
            {
                return Some(i as u8);
            }
            i += 1;
        }
        None
    }

    /// Returns the setting in which every parameter has its default.
    pub const fn default_setting(&self) -> u16 {
        let (mut at, mut i) = (0, 0);
        while i < self.params.len() {
            at = at * self.params[i].values.len() as u16 + self.params[i].default;
            i += 1;
        }
        at
    }

    /// Returns the values of the parameters in a setting, in the order of [`Tables::params`].
    pub fn values(&self, setting: u16) -> impl Iterator<Item = &str> {
        (0..self.params.len())
            .map(move |which| self.params[which].values[self.value(setting, which).0 as usize])
    }

    /// Returns the position of a parameter's value in a setting, and by how much the next value differs.
    fn value(&self, setting: u16, which: usize) -> (u16, u16) {
        let stride = self.params[which + 1..].iter().map(|param| param.values.len() as u16).product();
        (setting / stride % self.params[which].values.len() as u16, stride)
    }

    /// Returns the setting that differs from `setting` in one parameter; `None` if there is no such parameter
    /// or value.
    pub fn with(&self, setting: u16, param: &str, value: &str) -> Option<u16> {
        let which = self.params.iter().position(|p| p.name == param)?;
        let wanted = self.params[which].values.iter().position(|v| *v == value)? as u16;
        let (now, stride) = self.value(setting, which);
        Some(setting - now * stride + wanted * stride)
    }

    /// Promotes two operands. Returns the result and the clause that decided.
    #[inline]
    pub const fn promote(
        &self,
        setting: u16,
        a: TableOperand,
        b: TableOperand,
    ) -> Answer<(TableOperand, u16)> {
        let (a, b) = if a.category as u8 <= b.category as u8 { (a, b) } else { (b, a) };
        let setting = &self.settings[setting as usize];
        let categories = 4 * a.category as usize + b.category as usize;
        let pair = a.dtype as usize * self.dtypes.len() + b.dtype as usize;
        let value = self.lower(a, b).value;
        if setting.values[categories] != NO_PLANE && value != NO_VALUE {
            return match self.promote_value(setting.values[categories], pair, self.higher(a, b), value) {
                Ok((_, found)) => Ok(found),
                Err((_, clause)) => Err(clause),
            };
        }
        Self::promoted(self.planes[setting.planes[categories] as usize], pair, self.higher(a, b))
    }

    /// Returns the operand of the lower category, or the second one if the categories have equal ranks.
    #[inline]
    const fn lower(&self, a: TableOperand, b: TableOperand) -> TableOperand {
        if self.ranks[b.category as usize] < self.ranks[a.category as usize] { a } else { b }
    }

    #[inline]
    const fn higher(&self, a: TableOperand, b: TableOperand) -> Category {
        higher(self.ranks, a.category, b.category)
    }

    /// Promotes operands if the value of the lower one counts.
    ///
    /// Among the dtypes that hold the value, the one with the lowest result replaces the dtype of the
    /// operand. Returns that dtype and the result, or, if promotion refuses all of them, the last one and the
    /// clause.
    #[cold]
    const fn promote_value(
        &self,
        plane: u16,
        pair: usize,
        category: Category,
        holders: Holders,
    ) -> Result<(u8, (TableOperand, u16)), (u8, u16)> {
        let mut best: Option<(u8, (TableOperand, u16))> = None;
        let mut refused = (0, NO_CLAUSE);
        let mut rest = holders;
        while rest != 0 {
            let value = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let at = pair * self.dtypes.len() + value as usize;
            match Self::promoted(self.planes[plane as usize], at, category) {
                Ok(found) => {
                    let lower = match best {
                        Some((_, best)) => self.is_lower(found.0.dtype, best.0.dtype),
                        None => true,
                    };
                    if lower {
                        best = Some((value, found));
                    }
                }
                Err(clause) => refused = (value, clause),
            }
        }
        match best {
            Some(found) => Ok(found),
            None => Err(refused),
        }
    }

    /// Returns true if one dtype has a lower kind than another, or the same kind and fewer bits.
    const fn is_lower(&self, a: u8, b: u8) -> bool {
        let (a, b) = (self.dtypes[a as usize], self.dtypes[b as usize]);
        let (x, y) = (order(a), order(b));
        x < y || x == y && a.bits() < b.bits()
    }

    #[inline]
    const fn promoted(plane: &[u8], cell: usize, higher: Category) -> Answer<(TableOperand, u16)> {
        match Cell::decode(plane, cell) {
            Cell::Refused(clause) => Err(clause),
            Cell::Unreachable => Err(NO_CLAUSE),
            Cell::Resolved { dtype, weak, clause } => {
                // A result that is not weak has the higher operand's category.
                let category = if weak { Category::Weak } else { higher };
                Ok((TableOperand { dtype, category, value: NO_VALUE }, clause))
            }
        }
    }

    /// Returns the dtype in which arrays of a dtype are stored, and the clause that decided.
    #[inline]
    pub const fn stored_as(&self, setting: u16, dtype: u8) -> (u8, u16) {
        match self.settings[setting as usize].stored {
            NO_PLANE => (dtype, NO_CLAUSE),
            plane => {
                let (plane, at) = (self.stored[plane as usize], 3 * dtype as usize);
                (plane[at], u16::from_le_bytes([plane[at + 1], plane[at + 2]]))
            }
        }
    }

    /// Returns the clause that refuses a cast at a level, a position in [`Tables::castings`], or
    /// [`NO_CLAUSE`] if the cast is allowed.
    #[inline]
    pub const fn cast(&self, setting: u16, level: usize, from: u8, to: u8) -> u16 {
        let plane = self.casts[self.settings[setting as usize].casts[level] as usize];
        word(plane, from as usize * self.dtypes.len() + to as usize)
    }

    /// Returns the dtypes that hold a number, if values count under the setting. Only the first 64 dtypes are
    /// considered: a rule set with more would have no room for planes by value.
    pub const fn holders(&self, setting: u16, number: Number) -> Holders {
        let values = &self.settings[setting as usize].values;
        let (mut counts, mut i) = (false, 0);
        while i < values.len() {
            counts |= values[i] != NO_PLANE;
            i += 1;
        }
        let mut holders = NO_VALUE;
        let mut i = 0;
        while counts && i < self.dtypes.len() && i < Holders::BITS as usize {
            if number.fits(self.dtypes[i]) {
                holders |= 1 << i;
            }
            i += 1;
        }
        holders
    }

    /// Looks up the result of an op on one operand or on two.
    #[inline]
    pub const fn op(
        &self,
        setting: u16,
        op: usize,
        a: TableOperand,
        b: Option<TableOperand>,
    ) -> Answer<OpAnswer> {
        let index = self.settings[setting as usize].ops;
        let (common, promotion) = match b {
            Some(b) => {
                if let Some(answer) = self.op_pair(setting, op, a, b) {
                    return answer;
                }
                match self.promote(setting, a, b) {
                    Ok(found) => found,
                    Err(clause) => return Err(clause),
                }
            }
            None => (a, NO_CLAUSE),
        };
        let map = word(index, OP_WORDS * op + common.category as usize);
        match op_cell(self.maps[map as usize], common.dtype as usize) {
            Some(Ok(answer)) => Ok(OpAnswer { promotion, ..answer }),
            Some(Err(clause)) => Err(clause),
            None => Err(NO_CLAUSE),
        }
    }

    /// Looks up the result of an op's clauses of two patterns; `None` if the op depends on the common dtype.
    #[inline]
    const fn op_pair(
        &self,
        setting: u16,
        op: usize,
        a: TableOperand,
        b: TableOperand,
    ) -> Option<Answer<OpAnswer>> {
        let index = self.settings[setting as usize].ops;
        let pairs = word(index, OP_WORDS * op + 4 + 4 * a.category as usize + b.category as usize);
        if pairs == NO_PLANE {
            return None;
        }
        let (plane, row, at) = match self.op_value(setting, op, a, b) {
            Some((plane, value)) => (plane, a.dtype as usize * self.dtypes.len() + b.dtype as usize, value),
            None => (pairs, a.dtype as usize, b.dtype),
        };
        let row = word(self.pairs[plane as usize], row) as usize;
        op_cell(self.rows, row * self.dtypes.len() + at as usize)
    }

    /// Returns what the first two operands of an op of three or more are converted to, which then meets the
    /// next operand, and the clause that decided: one of the op that has two patterns, or one of promotion.
    pub const fn op_step(
        &self,
        setting: u16,
        op: usize,
        a: TableOperand,
        b: TableOperand,
    ) -> Answer<(TableOperand, u16)> {
        match self.op_pair(setting, op, a, b) {
            Some(Ok(OpAnswer { types: [dtype, ..], weak, clause, .. })) => {
                let category = if weak { Category::Weak } else { self.higher(a, b) };
                Ok((TableOperand { dtype, category, value: NO_VALUE }, clause))
            }
            Some(Err(clause)) => Err(clause),
            None => self.promote(setting, a, b),
        }
    }

    /// Returns true if the operands of an op promote to one dtype first, and its clauses see only that dtype.
    /// This holds for custom ops, except ops without kernels that have two operands, or more and clauses of
    /// two patterns.
    #[inline]
    pub const fn joins_operands(&self, setting: u16, op: usize) -> bool {
        match self.ops[op].op {
            Op::Custom(custom) if custom.has_kernels() => true,
            Op::Custom(custom) => match custom.arity() {
                1 => true,
                2 => false,
                _ => word(self.settings[setting as usize].ops, OP_WORDS * op + 4) == NO_PLANE,
            },
            _ => false,
        }
    }

    /// Returns the plane of an op's pairs for a known value of the lower operand, and the dtype that replaces
    /// that of the operand in promotion. `None` if the value is unknown or changes nothing.
    #[inline]
    const fn op_value(&self, setting: u16, op: usize, a: TableOperand, b: TableOperand) -> Option<(u16, u8)> {
        let holders = self.lower(a, b).value;
        let setting = &self.settings[setting as usize];
        if holders == NO_VALUE || setting.op_values.is_empty() {
            return None;
        }
        let plane =
            word(setting.op_values, OP_VALUE_WORDS * op + 4 * a.category as usize + b.category as usize);
        if plane == NO_PLANE {
            return None;
        }
        let (x, y) = if a.category as u8 <= b.category as u8 { (a, b) } else { (b, a) };
        let promotion = setting.values[4 * x.category as usize + y.category as usize];
        let pair = x.dtype as usize * self.dtypes.len() + y.dtype as usize;
        match self.promote_value(promotion, pair, self.higher(x, y), holders) {
            Ok((value, _)) | Err((value, _)) => Some((plane, value)),
        }
    }

    /// Returns the dtypes of an op's answer.
    #[inline]
    pub const fn types(&self, answer: OpAnswer) -> OpTypes {
        let [common, compute, output] = answer.types;
        OpTypes {
            common: self.dtypes[common as usize],
            compute: self.dtypes[compute as usize],
            output: self.dtypes[output as usize],
        }
    }

    /// Returns the position of each standard op in a list, or [`REFUSED`] for ops that are not in it.
    pub const fn op_positions(ops: &[OpTable<'_>]) -> [u8; Op::STANDARD.len()] {
        let mut positions = [REFUSED; Op::STANDARD.len()];
        let mut i = 0;
        while i < ops.len() {
            let index = ops[i].op.index();
            if index < positions.len() {
                positions[index] = i as u8;
            }
            i += 1;
        }
        positions
    }

    /// Returns the position of an op. A custom op is found by its name, as a custom dtype is.
    #[inline]
    pub const fn op_position(&self, op: Op) -> Option<usize> {
        let index = op.index();
        if index < self.op_positions.len() {
            let position = self.op_positions[index];
            return if position == REFUSED { None } else { Some(position as usize) };
        }
        let Op::Custom(wanted) = op else { return None };
        let mut i = 0;
        while i < self.ops.len() {
            if let Op::Custom(custom) = self.ops[i].op
                && same_bytes(custom.name().as_bytes(), wanted.name().as_bytes())
                && (custom.has_kernels() || wanted.has_kernels() || custom.arity() == wanted.arity())
            {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// Returns the table of an op; `None` if the rule set does not have the op.
    pub fn op_table(&self, op: Op) -> Option<&OpTable<'_>> {
        self.op_position(op).map(|position| &self.ops[position])
    }

    /// Returns true if the rule file chooses this value of an op's option.
    pub fn chooses(&self, op: Op, option: &str, value: &str) -> bool {
        self.op_table(op).is_some_and(|table| table.option(option) == Some(value))
    }

    /// Returns the operand that a number without other operands becomes.
    #[inline]
    pub const fn number(&self, setting: u16, kind: NumberKind) -> Answer<(TableOperand, u16)> {
        match self.settings[setting as usize].numbers[kind as usize] {
            (REFUSED, _, clause) => Err(clause),
            (dtype, category, clause) => Ok((TableOperand { dtype, category, value: NO_VALUE }, clause)),
        }
    }
}

/// Returns the category of a result that is not weak: that of the operand with the higher rank, or `a` if the
/// ranks are equal. Rank 0 is the highest. The result of two weak operands is an array.
#[inline]
pub const fn higher(ranks: [u8; 4], a: Category, b: Category) -> Category {
    match if ranks[b as usize] < ranks[a as usize] { b } else { a } {
        Category::Weak => Category::Array,
        higher => higher,
    }
}

/// The number of kinds in the order of [`order`].
pub const KINDS: u8 = 5;

/// Returns the position of a dtype's kind in the order of promotion; custom kinds come last.
pub const fn order(dtype: DType) -> u8 {
    match dtype.kind() {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
        Kind::Custom => 4,
    }
}

/// Reads a little-endian word of two bytes.
#[inline]
const fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])
}

/// Decodes the cell of an op; `None` if the op depends on the common dtype only.
#[inline]
const fn op_cell(plane: &[u8], at: usize) -> Option<Answer<OpAnswer>> {
    match OpCell::decode(plane, at) {
        OpCell::Refused(clause) => Some(Err(clause)),
        OpCell::Unreachable => Some(Err(NO_CLAUSE)),
        OpCell::ByCommon => None,
        OpCell::Resolved { types, weak, clause } => {
            Some(Ok(OpAnswer { types, weak, promotion: NO_CLAUSE, clause }))
        }
    }
}

/// Returns true if a dtype has this name and this width. Emitted code asserts it.
#[doc(hidden)]
pub const fn is_dtype(dtype: DType, name: &str, bits: u32) -> bool {
    dtype.bits() == bits && same_bytes(dtype.name().as_bytes(), name.as_bytes())
}

/// Returns true if an op is a custom op of this name whose dtypes rule sets declare. Emitted code asserts it.
#[doc(hidden)]
pub const fn is_named(op: Op, name: &str) -> bool {
    matches!(op, Op::Custom(custom) if custom.like().is_none() && same_bytes(custom.name().as_bytes(), name.as_bytes()))
}

/// Returns true if tables are those of one rule file: it has the same name and place, and the same clauses.
/// Constants cannot compare addresses.
#[doc(hidden)]
pub const fn same_rules(a: &Tables<'_>, b: &Tables<'_>) -> bool {
    let mut same =
        same_text(a.name, b.name) && same_text(a.file, b.file) && a.clauses.len() == b.clauses.len();
    let mut i = 0;
    while same && i < a.clauses.len() {
        let (x, y) = (&a.clauses[i], &b.clauses[i]);
        same = same_text(x.text, y.text) && same_text(x.file, y.file) && x.line == y.line;
        i += 1;
    }
    same
}

const fn same_text(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

const fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
