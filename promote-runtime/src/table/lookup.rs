//! What the tables say: every question is a look-up, and can be asked in a constant.

use super::{BY_COMMON, Category, NO_CLAUSE, NO_PLANE, OpTable, REFUSED, Tables, UNREACHABLE, WEAK};
use crate::number::{Number, NumberKind};
use crate::op::Op;
use crate::{DType, Kind, OpTypes};

/// An operand, with its dtype's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) dtype: u8,
    pub(crate) category: Category,
    pub(crate) value: Stand,
}

/// The dtypes that hold an operand's value, where it is known and counts: a bit for each position.
pub(crate) type Stand = u64;

/// The value is not known, does not count, or no dtype of its kind holds it: then the operand counts as its
/// dtype.
pub(crate) const NO_VALUE: Stand = 0;

/// What a cell says: a value, or the clause that refuses; [`NO_CLAUSE`] where no operands ask for it.
pub(crate) type Answer<T> = Result<T, u16>;

/// What an op does, in positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpAnswer {
    pub(crate) types: [u8; 3],
    pub(crate) weak: bool,
    /// The clause by which the operands promote, where the op looks at what they promote to.
    pub(crate) promotion: u16,
    pub(crate) clause: u16,
}

impl Tables {
    /// Where each standard dtype stands in a list; [`REFUSED`] where it does not.
    pub const fn places(dtypes: &[DType]) -> [u8; DType::STANDARD.len()] {
        let mut places = [REFUSED; DType::STANDARD.len()];
        let mut i = 0;
        while i < dtypes.len() {
            let index = dtypes[i].index();
            if index < places.len() {
                places[index] = i as u8;
            }
            i += 1;
        }
        places
    }

    /// The dtype of a name.
    ///
    /// # Panics
    /// If there is none; in a constant that is a compile error.
    pub const fn dtype(&self, name: &str) -> DType {
        let mut i = 0;
        while i < self.dtypes.len() {
            if same_bytes(self.dtypes[i].name().as_bytes(), name.as_bytes()) {
                return self.dtypes[i];
            }
            i += 1;
        }
        panic!("no dtype of this name")
    }

    /// The position of a dtype. A custom one is found by its name, which is unique in a rule set: addresses
    /// cannot be compared in constants. Kernels compare addresses, so that two dtypes of one name never share
    /// memory.
    #[inline]
    pub const fn place(&self, dtype: DType) -> Option<u8> {
        let index = dtype.index();
        if index < self.places.len() {
            let place = self.places[index];
            return if place == REFUSED { None } else { Some(place) };
        }
        let DType::Custom(wanted) = dtype else { return None };
        let mut i = 0;
        while i < self.dtypes.len() {
            if let DType::Custom(custom) = self.dtypes[i]
                && same_bytes(custom.name.as_bytes(), wanted.name.as_bytes())
            {
                return Some(i as u8);
            }
            i += 1;
        }
        None
    }

    /// The setting in which every parameter has its default.
    pub const fn default_setting(&self) -> u16 {
        let (mut at, mut i) = (0, 0);
        while i < self.params.len() {
            at = at * self.params[i].values.len() as u16 + self.params[i].default;
            i += 1;
        }
        at
    }

    /// The setting that differs from `setting` in one parameter.
    pub fn with(&self, setting: u16, param: &str, value: &str) -> Option<u16> {
        let which = self.params.iter().position(|p| p.name == param)?;
        let wanted = self.params[which].values.iter().position(|v| *v == value)? as u16;
        let stride: u16 = self.params[which + 1..].iter().map(|p| p.values.len() as u16).product();
        let now = setting / stride % self.params[which].values.len() as u16;
        Some(setting - now * stride + wanted * stride)
    }

    /// What two operands promote to.
    #[inline]
    pub(crate) const fn promote(&self, setting: u16, a: Local, b: Local) -> Answer<(Local, u16)> {
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

    /// Returns the operand of the lower category, and the second one where the categories are of one rank.
    #[inline]
    const fn lower(&self, a: Local, b: Local) -> Local {
        if self.ranks[b.category as usize] < self.ranks[a.category as usize] { a } else { b }
    }

    /// The category of a result that is not weak: that of the higher operand; of weak ones it is an array.
    #[inline]
    const fn higher(&self, a: Local, b: Local) -> Category {
        let lower = self.ranks[b.category as usize] < self.ranks[a.category as usize];
        match if lower { b.category } else { a.category } {
            Category::Weak => Category::Array,
            higher => higher,
        }
    }

    /// Promotes operands of which the value of the lower one counts: of the dtypes that hold the value, the
    /// one with the lowest result stands for it. Returns that dtype and the result; where promotion refuses
    /// for all of them, the last one and the clause.
    #[cold]
    const fn promote_value(
        &self,
        plane: u16,
        pair: usize,
        category: Category,
        stand: Stand,
    ) -> Result<(u8, (Local, u16)), (u8, u16)> {
        let mut best: Option<(u8, (Local, u16))> = None;
        let mut refused = (0, NO_CLAUSE);
        let mut rest = stand;
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

    /// Whether one dtype is of a lower kind than another, or of the same one and narrower.
    const fn is_lower(&self, a: u8, b: u8) -> bool {
        let (a, b) = (self.dtypes[a as usize], self.dtypes[b as usize]);
        let (x, y) = (order(a), order(b));
        x < y || x == y && a.bits() < b.bits()
    }

    #[inline]
    const fn promoted(plane: &[u8], cell: usize, higher: Category) -> Answer<(Local, u16)> {
        let at = 4 * cell;
        let clause = u16::from_le_bytes([plane[at + 2], plane[at + 3]]);
        match plane[at] {
            REFUSED => Err(clause),
            UNREACHABLE => Err(NO_CLAUSE),
            dtype => {
                let weak = plane[at + 1] & WEAK != 0;
                // A result that is not weak is of the higher operand's category.
                let category = if weak { Category::Weak } else { higher };
                Ok((Local { dtype, category, value: NO_VALUE }, clause))
            }
        }
    }

    /// What an array becomes when it is made, and the clause that says so.
    #[inline]
    pub(crate) const fn made(&self, setting: u16, dtype: u8) -> (u8, u16) {
        match self.settings[setting as usize].stored {
            NO_PLANE => (dtype, NO_CLAUSE),
            plane => {
                let (plane, at) = (self.stored[plane as usize], 3 * dtype as usize);
                (plane[at], u16::from_le_bytes([plane[at + 1], plane[at + 2]]))
            }
        }
    }

    /// The dtypes that hold a number, where values count under the setting: each of its kind, among the first
    /// 64: planes by value of a rule set with more would not fit.
    pub(crate) const fn stand(&self, setting: u16, number: Number) -> Stand {
        let values = &self.settings[setting as usize].values;
        let (mut counts, mut i) = (false, 0);
        while i < values.len() {
            counts |= values[i] != NO_PLANE;
            i += 1;
        }
        let mut stand = NO_VALUE;
        let mut i = 0;
        while counts && i < self.dtypes.len() && i < Stand::BITS as usize {
            if number.fits(self.dtypes[i]) {
                stand |= 1 << i;
            }
            i += 1;
        }
        stand
    }

    /// What an op makes of one operand or of two.
    #[inline]
    pub(crate) const fn op(&self, setting: u16, op: usize, a: Local, b: Option<Local>) -> Answer<OpAnswer> {
        let index = self.settings[setting as usize].ops;
        let (common, promotion) = match b {
            Some(b) => {
                let pairs = word(index, 20 * op + 4 + 4 * a.category as usize + b.category as usize);
                if pairs != NO_PLANE {
                    let pair = a.dtype as usize * self.dtypes.len() + b.dtype as usize;
                    let cell = match self.op_value(setting, op, a, b) {
                        Some((plane, value)) => {
                            op_cell(self.pairs[plane as usize], pair * self.dtypes.len() + value as usize)
                        }
                        None => op_cell(self.pairs[pairs as usize], pair),
                    };
                    if let Some(answer) = cell {
                        return answer;
                    }
                }
                match self.promote(setting, a, b) {
                    Ok(found) => found,
                    Err(clause) => return Err(clause),
                }
            }
            None => (a, NO_CLAUSE),
        };
        let map = word(index, 20 * op + common.category as usize);
        match op_cell(self.maps[map as usize], common.dtype as usize) {
            Some(Ok(answer)) => Ok(OpAnswer { promotion, ..answer }),
            Some(Err(clause)) => Err(clause),
            None => Err(NO_CLAUSE),
        }
    }

    /// Returns the plane of an op's pairs for a known value of the lower operand, and the dtype that stands
    /// for the value: the one by which the operands promote. None where the value is not known or changes
    /// nothing.
    #[inline]
    const fn op_value(&self, setting: u16, op: usize, a: Local, b: Local) -> Option<(u16, u8)> {
        let stand = self.lower(a, b).value;
        let setting = &self.settings[setting as usize];
        if stand == NO_VALUE || setting.op_values.is_empty() {
            return None;
        }
        let plane = word(setting.op_values, 16 * op + 4 * a.category as usize + b.category as usize);
        if plane == NO_PLANE {
            return None;
        }
        let (x, y) = if a.category as u8 <= b.category as u8 { (a, b) } else { (b, a) };
        let promotion = setting.values[4 * x.category as usize + y.category as usize];
        let pair = x.dtype as usize * self.dtypes.len() + y.dtype as usize;
        match self.promote_value(promotion, pair, self.higher(x, y), stand) {
            Ok((value, _)) | Err((value, _)) => Some((plane, value)),
        }
    }

    /// The dtypes of an op's answer.
    #[inline]
    pub(crate) const fn types(&self, answer: OpAnswer) -> OpTypes {
        let [common, compute, output] = answer.types;
        OpTypes {
            common: self.dtypes[common as usize],
            compute: self.dtypes[compute as usize],
            output: self.dtypes[output as usize],
        }
    }

    /// Where each standard op stands in a list; [`REFUSED`] where it does not.
    pub const fn op_places(ops: &[OpTable]) -> [u8; Op::STANDARD.len()] {
        let mut places = [REFUSED; Op::STANDARD.len()];
        let mut i = 0;
        while i < ops.len() {
            let index = ops[i].op.index();
            if index < places.len() {
                places[index] = i as u8;
            }
            i += 1;
        }
        places
    }

    /// The position of an op. A custom one is found by its name, as a custom dtype is.
    #[inline]
    pub(crate) const fn op_place(&self, op: Op) -> Option<usize> {
        let index = op.index();
        if index < self.op_places.len() {
            let place = self.op_places[index];
            return if place == REFUSED { None } else { Some(place as usize) };
        }
        let Op::Custom(wanted) = op else { return None };
        let mut i = 0;
        while i < self.ops.len() {
            if let Op::Custom(custom) = self.ops[i].op
                && same_bytes(custom.name().as_bytes(), wanted.name().as_bytes())
            {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// What a number is when it stands alone.
    #[inline]
    pub(crate) const fn number(&self, setting: u16, kind: NumberKind) -> Answer<(Local, u16)> {
        match self.settings[setting as usize].numbers[kind as usize] {
            (REFUSED, _, clause) => Err(clause),
            (dtype, category, clause) => Ok((Local { dtype, category, value: NO_VALUE }, clause)),
        }
    }
}

/// The positions of kinds in their order.
pub(crate) const KINDS: u8 = 5;

/// The order of the standard kinds; a kind of a user's own stands last.
pub const fn order(dtype: DType) -> u8 {
    match dtype.kind() {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
        _ => 4,
    }
}

/// A word of two bytes.
#[inline]
const fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])
}

/// The cell of an op; `None` where the op looks at the common dtype.
#[inline]
const fn op_cell(plane: &[u8], at: usize) -> Option<Answer<OpAnswer>> {
    let at = 6 * at;
    let clause = u16::from_le_bytes([plane[at + 4], plane[at + 5]]);
    match plane[at] {
        REFUSED => Some(Err(clause)),
        UNREACHABLE => Some(Err(NO_CLAUSE)),
        BY_COMMON => None,
        common => Some(Ok(OpAnswer {
            types: [common, plane[at + 1], plane[at + 2]],
            weak: plane[at + 3] & WEAK != 0,
            promotion: NO_CLAUSE,
            clause,
        })),
    }
}

/// Whether a dtype has this name and this width: for what the macros assert.
#[doc(hidden)]
pub const fn is_dtype(dtype: DType, name: &str, bits: u32) -> bool {
    dtype.bits() == bits && same_bytes(dtype.name().as_bytes(), name.as_bytes())
}

/// Whether an op is one of a user's own of this name whose dtypes rule sets say: for what the macros assert.
#[doc(hidden)]
pub const fn is_named(op: Op, name: &str) -> bool {
    matches!(op, Op::Custom(custom) if custom.like().is_none() && same_bytes(custom.name().as_bytes(), name.as_bytes()))
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
