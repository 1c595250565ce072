//! The run-time tables of a rule set: what the macro emits and what the command loads.

use std::collections::BTreeMap;

use bumpalo::Bump;
use promote_core::__private::Tables;
use promote_core::__private::semantics::{NumberOverflow, RightScalar};
use promote_core::__private::table::{self, NO_CLAUSE, NO_PLANE, encode_cast, encode_stored};
use promote_core::{CustomDType, CustomOp, DType, Op};

use crate::Compiled;
use crate::model::{Category, ClauseId, ClauseInfo, DTypeId, InPlace, Operand, Param, Rules};
use crate::tables::{Cell, NumberCell, OpCell, OpIndex, Setting};

/// Encodes the tables of a rule set in memory that is never freed, since custom dtypes and ops are compared
/// by address.
pub fn leaked(compiled: &'static Compiled) -> &'static Tables<'static> {
    let arena: &'static Bump = Box::leak(Box::new(Bump::new()));
    Box::leak(Box::new(encode(
        compiled,
        arena,
        |dtype| Box::leak(Box::new(CustomDType::new(&dtype.name, dtype.bits, 1))),
        |op| {
            let named = || CustomOp::named(&op.name);
            let op = op.declared.map_or_else(named, |arity| CustomOp::without_kernels(&op.name, arity));
            Box::leak(Box::new(op))
        },
    )))
}

/// Encodes the tables of a rule set in an arena.
///
/// `custom_dtype` and `custom_op` make the custom dtypes and ops, which have to live as long as the program.
fn encode<'t>(
    compiled: &'t Compiled,
    arena: &'t Bump,
    custom_dtype: impl Fn(&'t crate::model::DType) -> &'static CustomDType,
    custom_op: impl Fn(&'t crate::model::Op) -> &'static CustomOp,
) -> Tables<'t> {
    let Compiled { rules, tables } = compiled;
    let (rows, pairs) = rows(arena, &tables.pairs, rules.dtypes.len());
    let dtypes = rules.dtypes.iter();
    let dtypes = dtypes.map(|dtype| dtype.standard.unwrap_or_else(|| DType::Custom(custom_dtype(dtype))));
    let dtypes = list(arena, dtypes);
    let ops = list(
        arena,
        rules.ops.iter().map(|op| table::OpTable {
            op: op.standard.unwrap_or_else(|| Op::Custom(custom_op(op))),
            kernel: op.kernel_op(),
            right_scalar: op
                .option("right_scalar")
                .and_then(RightScalar::from_name)
                .unwrap_or(RightScalar::Rounded),
            number: op.option("number").and_then(NumberOverflow::from_name).unwrap_or(NumberOverflow::Wraps),
            semantics: list(arena, op.options()),
        }),
    );
    Tables {
        name: arena.alloc_str(&rules.name.to_string()),
        file: &rules.files[0],
        dtypes,
        positions: Tables::positions(dtypes),
        names: names(rules, arena),
        params: list(arena, rules.params.iter().map(|param| self::param(rules, param, arena))),
        clauses: list(arena, rules.clauses.iter().map(|clause| self::clause(rules, clause))),
        ranks: rules.ranks,
        ops,
        op_positions: Tables::op_positions(ops),
        settings: list(arena, tables.settings.iter().map(|setting| self::setting(setting, arena))),
        planes: planes(arena, &tables.planes, |cell| encoded_cell(*cell).encode()),
        maps: planes(arena, &tables.maps, |cell| encoded_op_cell(*cell).encode()),
        rows,
        pairs,
        stored: planes(arena, &tables.stored, |(id, clause)| encode_stored(dtype(*id), opt(*clause))),
        castings: list(arena, rules.casts.iter().map(|cast| cast.level)),
        casts: planes(arena, &tables.casts, |clause| encode_cast(opt(*clause))),
        inplace: rules.inplace.map(|inplace| match inplace {
            InPlace::Cast(level) => table::InPlace::Cast(level as u16),
            InPlace::Result => table::InPlace::Result,
        }),
        by_kind: rules.by_kind,
    }
}

/// Encodes the tables for look-up: all custom dtypes are one, and so are all custom ops.
pub(crate) fn looked_up<'t>(compiled: &'t Compiled, arena: &'t Bump) -> Lookup<'t> {
    static DTYPE: CustomDType = CustomDType::new("", 0, 1);
    static OP: CustomOp = CustomOp::named("");
    let tables = encode(compiled, arena, |_| &DTYPE, |_| &OP);
    Lookup { setting: tables.default_setting(), tables }
}

/// Tables under the default parameters, with the look-up of the run time.
pub(crate) struct Lookup<'t> {
    pub(crate) tables: Tables<'t>,
    setting: u16,
}

impl Lookup<'_> {
    /// Promotes two operands.
    pub(crate) fn promote(&self, a: Operand, b: Operand) -> Cell {
        match self.tables.promote(self.setting, operand(a), operand(b)) {
            Ok((found, clause)) => Cell::Resolved(
                DTypeId::new(found.dtype.into()),
                found.category == Category::Weak,
                clause.into(),
            ),
            Err(NO_CLAUSE) => Cell::Unreachable,
            Err(clause) => Cell::Refused(clause.into()),
        }
    }

    /// Returns the dtype in which arrays of a dtype are stored.
    pub(crate) fn stored(&self, a: Operand) -> Operand {
        match a.category {
            Category::Array | Category::ZeroDim => {
                let (stored, _) = self.tables.stored_as(self.setting, dtype(a.dtype));
                Operand { dtype: DTypeId::new(stored.into()), ..a }
            }
            Category::Number | Category::Weak => a,
        }
    }

    /// Returns the result of an op on one operand or on two.
    pub(crate) fn op(&self, which: usize, a: Operand, b: Option<Operand>) -> OpCell {
        self.op_of(which, a, b, [])
    }

    /// Returns the result of an op on one operand or on two, which `more` operands follow.
    pub(crate) fn op_of(
        &self,
        which: usize,
        a: Operand,
        b: Option<Operand>,
        more: impl IntoIterator<Item = Operand>,
    ) -> OpCell {
        let stored = |a| operand(self.stored(a));
        let (mut a, mut b) = (stored(a), b.map(stored));
        for next in more {
            if let Some(second) = b {
                match self.tables.op_step(self.setting, which, a, second) {
                    Ok((found, _)) => a = found,
                    Err(NO_CLAUSE) => return OpCell::Unreachable,
                    Err(clause) => return OpCell::Refused(clause.into()),
                }
            }
            b = Some(stored(next));
        }
        match self.tables.op(self.setting, which, a, b) {
            Ok(answer) => {
                let [common, compute, output] = answer.types.map(|dtype| DTypeId::new(dtype.into()));
                let clause = (answer.clause != NO_CLAUSE).then_some(answer.clause.into());
                OpCell::Resolved { common, compute, output, weak: answer.weak, clause }
            }
            Err(NO_CLAUSE) => OpCell::Unreachable,
            Err(clause) => OpCell::Refused(clause.into()),
        }
    }
}

fn operand(operand: Operand) -> table::TableOperand {
    table::TableOperand { dtype: dtype(operand.dtype), category: operand.category, value: table::NO_VALUE }
}

fn list<T>(arena: &Bump, items: impl IntoIterator<Item = T>) -> &[T] {
    arena.alloc_slice_fill_iter(items.into_iter().collect::<Vec<_>>())
}

fn planes<'t, T, const N: usize>(
    arena: &'t Bump,
    planes: &[Vec<T>],
    encode: impl Fn(&T) -> [u8; N],
) -> &'t [&'t [u8]] {
    list(
        arena,
        planes.iter().map(|plane| {
            // Users' dev builds run this without optimization, where a loop takes half the time of adaptors.
            let mut bytes = Vec::with_capacity(plane.len() * N);
            for cell in plane {
                bytes.extend_from_slice(&encode(cell));
            }
            &*arena.alloc_slice_copy(&bytes)
        }),
    )
}

/// Encodes tables of pairs, of which many have rows in common. Returns each row once, and the tables as
/// positions of their rows.
fn rows<'t>(arena: &'t Bump, tables: &[Vec<OpCell>], length: usize) -> (&'t [u8], &'t [&'t [u8]]) {
    let (mut rows, mut positions) = (Vec::new(), BTreeMap::new());
    let mut row_position = |row: &[OpCell]| {
        let mut bytes = Vec::with_capacity(row.len() * 6);
        for cell in row {
            bytes.extend_from_slice(&encoded_op_cell(*cell).encode());
        }
        let next = positions.len() as u16;
        *positions.entry(bytes).or_insert_with_key(|bytes| {
            rows.extend_from_slice(bytes);
            next
        })
    };
    let pairs = list(
        arena,
        tables
            .iter()
            .map(|table| list(arena, table.chunks(length).flat_map(|row| row_position(row).to_le_bytes()))),
    );
    (arena.alloc_slice_copy(&rows), pairs)
}

fn dtype(id: DTypeId) -> u8 {
    id.index() as u8
}

fn opt(clause: Option<ClauseId>) -> u16 {
    clause.map_or(NO_CLAUSE, |clause| clause as u16)
}

/// Returns the names of each dtype, or nothing if no dtype has one.
fn names<'t>(rules: &'t Rules, arena: &'t Bump) -> &'t [&'t [&'t str]] {
    if rules.dtypes.iter().all(|dtype| dtype.names.is_empty()) {
        return &[];
    }
    list(arena, rules.dtypes.iter().map(|dtype| list(arena, dtype.names.iter().map(String::as_str))))
}

fn param<'t>(rules: &'t Rules, param: &'t Param, arena: &'t Bump) -> table::Param<'t> {
    let values = param.values.iter().map(|value| &*arena.alloc_str(&rules.value_text(value)));
    table::Param { name: &param.name, values: list(arena, values), default: param.default as u16 }
}

fn clause<'t>(rules: &'t Rules, clause: &'t ClauseInfo) -> table::Clause<'t> {
    table::Clause {
        text: &clause.text,
        block: &clause.block,
        reason: clause.refusal.as_ref().map(|refusal| refusal.reason.as_str()),
        lacks: clause.refusal.as_ref().is_some_and(|refusal| refusal.lacks),
        file: &rules.files[clause.layer],
        line: clause.span.start().line as u32,
    }
}

fn setting<'t>(setting: &Setting, arena: &'t Bump) -> table::Setting<'t> {
    table::Setting {
        numbers: setting.numbers.map(|cell| match cell {
            NumberCell::Resolved(operand, clause) => (dtype(operand.dtype), operand.category, clause as u16),
            NumberCell::Refused(clause) => (table::REFUSED, Category::Number, clause as u16),
            NumberCell::Undefined => (table::REFUSED, Category::Number, NO_CLAUSE),
        }),
        planes: square(&setting.planes),
        values: sparse_square(&setting.values),
        stored: setting.stored.map_or(NO_PLANE, |plane| plane as u16),
        ops: list(arena, setting.ops.iter().flat_map(op_index).flat_map(u16::to_le_bytes)),
        op_values: list(arena, op_values(setting)),
        casts: list(arena, setting.casts.iter().map(|plane| *plane as u16)),
    }
}

fn encoded_cell(cell: Cell) -> table::Cell {
    match cell {
        Cell::Resolved(id, weak, clause) => {
            table::Cell::Resolved { dtype: dtype(id), weak, clause: clause as u16 }
        }
        Cell::Refused(clause) => table::Cell::Refused(clause as u16),
        Cell::Unreachable => table::Cell::Unreachable,
    }
}

fn encoded_op_cell(cell: OpCell) -> table::OpCell {
    match cell {
        OpCell::Resolved { common, compute, output, weak, clause } => {
            table::OpCell::Resolved { types: [common, compute, output].map(dtype), weak, clause: opt(clause) }
        }
        OpCell::Refused(clause) => table::OpCell::Refused(clause as u16),
        OpCell::ByCommon => table::OpCell::ByCommon,
        OpCell::Unreachable => table::OpCell::Unreachable,
    }
}

/// Returns the planes of an op: the map of each category, then the pairs of each two, or [`NO_PLANE`].
fn op_index(index: &OpIndex) -> impl Iterator<Item = u16> {
    let pairs = index.pairs.as_ref().map_or([NO_PLANE; 16], square);
    index.maps.map(|map| map as u16).into_iter().chain(pairs)
}

/// Returns the planes of each op for operands whose value is known: the pairs of each two categories, or
/// [`NO_PLANE`]. Empty if values change nothing for any op.
fn op_values(setting: &Setting) -> Vec<u8> {
    if setting.ops.iter().all(|op| op.values.is_none()) {
        return Vec::new();
    }
    let planes = setting.ops.iter().flat_map(|op| op.values.as_ref().map_or([NO_PLANE; 16], sparse_square));
    planes.flat_map(u16::to_le_bytes).collect()
}

/// Returns the indices of planes by two categories, row by row; [`NO_PLANE`] if there is no plane.
fn sparse_square(planes: &[[Option<usize>; 4]; 4]) -> [u16; 16] {
    core::array::from_fn(|i| planes[i / 4][i % 4].map_or(NO_PLANE, |plane| plane as u16))
}

/// Returns the indices of planes by two categories, row by row.
fn square(planes: &[[usize; 4]; 4]) -> [u16; 16] {
    core::array::from_fn(|i| planes[i / 4][i % 4] as u16)
}
