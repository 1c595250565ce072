//! A rule set as data: what the macro emits as a `static`, and what the command line fills from a file.

use crate::casting::Casting;
use crate::kernel::KernelOp;
use crate::number::{Number, NumberKind};
use crate::op::Op;
use crate::{DType, Kind, OpTypes};

/// What an operand is, beside its dtype; the order is that of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

/// The tables of a rule set.
///
/// Planes are bytes, so that a compiled rule set costs the compiler nothing: four for each cell of
/// [`Tables::planes`] (dtype, flags, clause), six for each of [`Tables::maps`] and [`Tables::pairs`] (common,
/// compute, output, flags, clause). dtypes are positions in [`Tables::dtypes`], clauses in [`Tables::clauses`].
///
/// # Consistency
///
/// The tables that the macro emits and those that the command line fills are consistent; whoever fills others sees to it:
///
/// - there are at most 253 dtypes and 255 ops; no two dtypes and no two ops have one name;
/// - [`Tables::places`] and [`Tables::op_places`] are what the functions of these names make of [`Tables::dtypes`] and
///   [`Tables::ops`];
/// - each rank is below 4;
/// - the default of a parameter is a position among its values, and there is one setting for each choice of values;
/// - a setting has 40 bytes of [`Setting::ops`] for each op, and as many [`Setting::casts`] as there are levels of
///   casting; its positions of planes, maps, pairs and casts are in range, but for [`Setting::planes`] of categories that
///   come in the other order, which nothing reads; so is [`Tables::inplace`];
/// - with `n` dtypes, a plane has `n * n` cells, a map `n`, a table of pairs or casts `n * n`;
/// - what a cell or a number says are dtypes and clauses in range, or the words [`REFUSED`], [`UNREACHABLE`],
///   [`BY_COMMON`] and [`NO_CLAUSE`] where they may stand.
///
/// # Panics
///
/// What is asked of a rule set whose tables are not consistent panics or gets a wrong answer; there is no unsafe code
/// that relies on them.
#[derive(Debug)]
pub struct Tables {
    /// The name of the rule set, such as `Torch`.
    pub name: &'static str,
    /// The rule file, relative to its package.
    pub file: &'static str,
    /// The dtypes of the rule set.
    pub dtypes: &'static [DType],
    /// Where each standard dtype stands among them: made by [`Tables::places`].
    pub places: [u8; DType::STANDARD.len()],
    /// The parameters.
    pub params: &'static [Param],
    /// The clauses.
    pub clauses: &'static [Clause],
    /// How high each category stands, 0 highest.
    pub ranks: [u8; 4],
    /// The ops.
    pub ops: &'static [OpTable],
    /// Where each standard op stands among them: made by [`Tables::op_places`].
    pub op_places: [u8; Op::STANDARD.len()],
    /// The tables of each choice of parameters, the last parameter changing fastest.
    pub settings: &'static [Setting],
    /// What two operands promote to, `a * n + b`; where the value of `b` counts, `(a * n + b) * n + v`.
    pub planes: &'static [&'static [u8]],
    /// What an op makes of a common dtype.
    pub maps: &'static [&'static [u8]],
    /// What an op makes of two operands, `a * n + b`.
    pub pairs: &'static [&'static [u8]],
    /// What an array of each dtype becomes when it is made: three bytes a dtype (dtype, clause).
    pub stored: &'static [&'static [u8]],
    /// The levels of casting.
    pub castings: &'static [Casting],
    /// Which casts are refused and by which clause, `from * n + to`: two bytes a cell, [`NO_CLAUSE`] where none refuses.
    pub casts: &'static [&'static [u8]],
    /// The level at which a result is cast into the left operand in place: a position in [`Tables::castings`].
    pub inplace: Option<u16>,
}

/// A parameter of a rule set.
#[derive(Debug)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// The values, as the rule file spells them.
    pub values: &'static [&'static str],
    /// The position of the default.
    pub default: u16,
}

/// A clause of the rule file.
#[derive(Debug)]
pub struct Clause {
    /// The clause on one line.
    pub text: &'static str,
    /// The declaration it belongs to, such as `promote` or `op less`.
    pub block: &'static str,
    /// Why it refuses, if it does.
    pub reason: Option<&'static str>,
    /// The rule file: another than [`Tables::file`] where the rule set builds on one.
    pub file: &'static str,
    /// The line in the rule file.
    pub line: u32,
}

/// An op of a rule set.
#[derive(Debug)]
pub struct OpTable {
    /// The op.
    pub op: Op,
    /// The op with its semantics, as kernels know it; none where there are no kernels of it.
    pub kernel: Option<KernelOp>,
    /// How a scalar operand enters.
    pub scalar: ScalarEntry,
    /// The semantics of the op: a key and a word for each choice that it has, [`OpTable::scalar`] among them.
    pub words: &'static [(&'static str, &'static str)],
}

impl OpTable {
    /// The word for a choice of semantics; none where the op has no such choice.
    pub fn word(&self, key: &str) -> Option<&'static str> {
        self.words.iter().find(|choice| choice.0 == key).map(|choice| choice.1)
    }
}

/// How a scalar operand enters an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarEntry {
    /// Rounded to the common dtype first.
    Rounded,
    /// In the dtype in which the op computes if it is the right operand, else rounded.
    OpmathRight,
}

impl ScalarEntry {
    /// The way of a word of the rule language.
    pub fn from_word(word: &str) -> Option<ScalarEntry> {
        match word {
            "rounded" => Some(ScalarEntry::Rounded),
            "opmath_right" => Some(ScalarEntry::OpmathRight),
            _ => None,
        }
    }
}

/// The tables of one choice of the parameters.
#[derive(Debug)]
pub struct Setting {
    /// What a number of each kind is when it stands alone: dtype, category and clause; [`REFUSED`] where the clause does.
    pub numbers: [(u8, Category, u16); 4],
    /// The plane of two categories, `4 * a + b` with `a` not after `b`.
    pub planes: [u16; 16],
    /// The same where the value of the second is known and counts: a plane with one more dimension, the least dtype that
    /// holds the value; [`NO_PLANE`] where values do not count.
    pub values: [u16; 16],
    /// What arrays become when they are made: a position in [`Tables::stored`], or [`NO_PLANE`] where they stay as they are.
    pub stored: u16,
    /// The tables of each op of [`Tables::ops`]: 20 little-endian words of two bytes an op. The first four are positions in
    /// [`Tables::maps`], by the category of the common dtype; the others are positions in [`Tables::pairs`], `4 * a + b`
    /// with the left operand first, or [`NO_PLANE`] where the op looks at the common dtype only.
    pub ops: &'static [u8],
    /// The plane of each level of [`Tables::castings`].
    pub casts: &'static [u16],
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

/// An operand, with its dtype's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) dtype: u8,
    pub(crate) category: Category,
    pub(crate) value: Stand,
}

/// The least dtypes that hold an operand's value, where it is known and counts: an unsigned one, and a signed one or one of
/// another kind. [`REFUSED`] where there is none.
pub(crate) type Stand = [u8; 2];

/// The value is not known, or does not count.
pub(crate) const NO_VALUE: Stand = [REFUSED; 2];

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

    /// The position of a dtype. A custom one is found by its name, which is unique in a rule set: addresses cannot be
    /// compared in constants. Kernels compare addresses, so that two dtypes of one name never share memory.
    #[inline]
    pub(crate) const fn place(&self, dtype: DType) -> Option<u8> {
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
        if setting.values[categories] != NO_PLANE && (b.value[0] != REFUSED || b.value[1] != REFUSED) {
            return self.promote_value(setting.values[categories], pair, a.category, b.value);
        }
        self.promoted(self.planes[setting.planes[categories] as usize], pair, a.category)
    }

    /// Where the value of the second counts: the lowest result of those that its stand-ins give.
    #[cold]
    const fn promote_value(
        &self,
        plane: u16,
        pair: usize,
        category: Category,
        stand: Stand,
    ) -> Answer<(Local, u16)> {
        let mut best: Option<(Local, u16)> = None;
        let mut refused = NO_CLAUSE;
        let mut i = 0;
        while i < stand.len() {
            if stand[i] != REFUSED {
                let at = pair * self.dtypes.len() + stand[i] as usize;
                match self.promoted(self.planes[plane as usize], at, category) {
                    Ok(found) => {
                        let lower = match best {
                            Some(best) => self.is_lower(found.0.dtype, best.0.dtype),
                            None => true,
                        };
                        if lower {
                            best = Some(found);
                        }
                    }
                    Err(clause) => refused = clause,
                }
            }
            i += 1;
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
    const fn promoted(&self, plane: &[u8], cell: usize, higher: Category) -> Answer<(Local, u16)> {
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

    /// The least dtypes that hold a number, where values count under the setting.
    pub(crate) const fn stand(&self, setting: u16, number: Number) -> Stand {
        let values = &self.settings[setting as usize].values;
        let (mut counts, mut i) = (false, 0);
        while i < values.len() {
            counts |= values[i] != NO_PLANE;
            i += 1;
        }
        let mut stand = NO_VALUE;
        let mut i = 0;
        while counts && i < self.dtypes.len() {
            let dtype = self.dtypes[i];
            let slot = !matches!(dtype.kind(), Kind::Unsigned) as usize;
            let narrower = stand[slot] == REFUSED || dtype.bits() < self.dtypes[stand[slot] as usize].bits();
            if narrower && number.fits(dtype) {
                stand[slot] = i as u8;
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
                    let plane = self.pairs[pairs as usize];
                    let cell = op_cell(plane, a.dtype as usize * self.dtypes.len() + b.dtype as usize);
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
                && same_bytes(custom.name.as_bytes(), wanted.name.as_bytes())
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

/// The order of the standard kinds; a kind of a user's own stands last.
const fn order(dtype: DType) -> u8 {
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
