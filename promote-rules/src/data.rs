//! Cells as the bytes that the run-time tables are made of. Emission writes them into Rust, the command line
//! into memory.

use crate::model::{Category, ClauseId, DTypeId, Rules};
use crate::tables::{Cell, NumberCell, OpCell, OpIndex, Setting};

/// In place of a dtype: the clause refuses.
pub const REFUSED: u8 = 255;
/// In place of a dtype: no operands ask for this cell.
pub const UNREACHABLE: u8 = 254;
/// In place of a common dtype: the op looks at what the operands promote to.
pub const BY_COMMON: u8 = 253;
const NO_CLAUSE: u16 = u16::MAX;

/// A cell of a promotion plane: dtype, flags, clause.
pub fn cell(cell: Cell) -> [u8; 4] {
    let (dtype, weak, clause) = match cell {
        Cell::Gives(dtype, weak, clause) => (dtype.index() as u8, weak, clause as u16),
        Cell::Refused(clause) => (REFUSED, false, clause as u16),
        Cell::Unreachable => (UNREACHABLE, false, NO_CLAUSE),
    };
    let [low, high] = clause.to_le_bytes();
    [dtype, weak as u8, low, high]
}

/// A cell of an op: common, compute, output, flags, clause.
pub fn op_cell(cell: OpCell) -> [u8; 6] {
    let refused = |dtype: u8, clause: u16| {
        let [low, high] = clause.to_le_bytes();
        [dtype, 0, 0, 0, low, high]
    };
    match cell {
        OpCell::Gives { common, compute, output, weak, clause } => {
            let [low, high] = clause.map_or(NO_CLAUSE, |clause| clause as u16).to_le_bytes();
            [common.index() as u8, compute.index() as u8, output.index() as u8, weak as u8, low, high]
        }
        OpCell::Refused(clause) => refused(REFUSED, clause as u16),
        OpCell::ByCommon => refused(BY_COMMON, NO_CLAUSE),
        OpCell::Unreachable => refused(UNREACHABLE, NO_CLAUSE),
    }
}

/// A cell of a level of casting: the clause that refuses, or that none does.
pub fn cast(cell: Option<ClauseId>) -> [u8; 2] {
    cell.map_or(NO_CLAUSE, |clause| clause as u16).to_le_bytes()
}

/// What an array of a dtype becomes when it is made: dtype and clause.
pub fn stored((dtype, clause): (DTypeId, Option<ClauseId>)) -> [u8; 3] {
    let [low, high] = cast(clause);
    [dtype.index() as u8, low, high]
}

/// The tables of an op: the map of each category, then the pairs of each two or [`NO_PLANE`].
pub fn op_index(index: &OpIndex) -> [u8; 40] {
    let pairs = index.pairs.as_ref().map_or([NO_PLANE; 16], square);
    let planes = index.maps.iter().map(|map| *map as u16).chain(pairs);
    let mut bytes = [0; 40];
    for (two, plane) in bytes.chunks_exact_mut(2).zip(planes) {
        two.copy_from_slice(&plane.to_le_bytes());
    }
    bytes
}

/// Encodes the planes of each op for operands whose value is known: the pairs of each two categories or
/// [`NO_PLANE`]. Empty where the values change nothing for any op.
pub fn op_values(setting: &Setting) -> Vec<u8> {
    if setting.ops.iter().all(|op| op.values.is_none()) {
        return Vec::new();
    }
    let planes = setting.ops.iter().flat_map(|op| op.values.as_ref().map_or([NO_PLANE; 16], sparse_square));
    planes.flat_map(u16::to_le_bytes).collect()
}

/// What a number of each kind is: dtype, category, clause.
pub fn numbers(setting: &Setting) -> [(u8, Category, u16); 4] {
    setting.numbers.map(|cell| match cell {
        NumberCell::Gives(operand, clause) => (operand.dtype.index() as u8, operand.category, clause as u16),
        NumberCell::Refused(clause) => (REFUSED, Category::Number, clause as u16),
        NumberCell::Undefined => (REFUSED, Category::Number, NO_CLAUSE),
    })
}

/// The rank of each category.
pub fn ranks(rules: &Rules) -> [u8; 4] {
    Category::ALL.map(|category| rules.rank(category) as u8)
}

/// In place of a plane: there is none.
pub const NO_PLANE: u16 = u16::MAX;

/// Indices of planes by two categories, row by row; [`NO_PLANE`] where there is none.
pub fn sparse_square(planes: &[[Option<usize>; 4]; 4]) -> [u16; 16] {
    core::array::from_fn(|i| planes[i / 4][i % 4].map_or(NO_PLANE, |plane| plane as u16))
}

/// Indices of planes by two categories, row by row.
pub fn square(planes: &[[usize; 4]; 4]) -> [u16; 16] {
    core::array::from_fn(|i| planes[i / 4][i % 4] as u16)
}
