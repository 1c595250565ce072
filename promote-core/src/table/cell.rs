//! The encoding of tables: cells as little-endian bytes.

use super::{BY_COMMON, NO_CLAUSE, REFUSED, UNREACHABLE, WEAK};

/// A cell of a promotion plane. Dtypes and clauses are positions in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The dtype that the operands promote to.
    Resolved {
        /// The dtype.
        dtype: u8,
        /// True if the result is weak.
        weak: bool,
        /// The clause that decided.
        clause: u16,
    },
    /// The clause that refuses the operands.
    Refused(u16),
    /// A cell that no operands reach.
    Unreachable,
}

impl Cell {
    /// Encodes the cell: dtype, flags, clause.
    pub const fn encode(self) -> [u8; 4] {
        let (dtype, flags, clause) = match self {
            Cell::Resolved { dtype, weak, clause } => (dtype, if weak { WEAK } else { 0 }, clause),
            Cell::Refused(clause) => (REFUSED, 0, clause),
            Cell::Unreachable => (UNREACHABLE, 0, NO_CLAUSE),
        };
        let [low, high] = clause.to_le_bytes();
        [dtype, flags, low, high]
    }

    /// Decodes the cell at a position in a plane.
    #[inline]
    pub const fn decode(plane: &[u8], at: usize) -> Cell {
        let at = 4 * at;
        let clause = u16::from_le_bytes([plane[at + 2], plane[at + 3]]);
        match plane[at] {
            REFUSED => Cell::Refused(clause),
            UNREACHABLE => Cell::Unreachable,
            dtype => Cell::Resolved { dtype, weak: plane[at + 1] & WEAK != 0, clause },
        }
    }
}

/// A cell of an op's table. Dtypes and clauses are positions in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpCell {
    /// The dtypes of the op.
    Resolved {
        /// The common, the compute and the output dtype.
        types: [u8; 3],
        /// True if the result is weak.
        weak: bool,
        /// The clause of the op that decided, or [`NO_CLAUSE`].
        clause: u16,
    },
    /// The clause that refuses the operands.
    Refused(u16),
    /// A cell of an op that depends on the common dtype only.
    ByCommon,
    /// A cell that no operands reach.
    Unreachable,
}

impl OpCell {
    /// Encodes the cell: common, compute, output, flags, clause.
    pub const fn encode(self) -> [u8; 6] {
        let (types, flags, clause) = match self {
            OpCell::Resolved { types, weak, clause } => (types, if weak { WEAK } else { 0 }, clause),
            OpCell::Refused(clause) => ([REFUSED, 0, 0], 0, clause),
            OpCell::ByCommon => ([BY_COMMON, 0, 0], 0, NO_CLAUSE),
            OpCell::Unreachable => ([UNREACHABLE, 0, 0], 0, NO_CLAUSE),
        };
        let ([common, compute, output], [low, high]) = (types, clause.to_le_bytes());
        [common, compute, output, flags, low, high]
    }

    /// Decodes the cell at a position in a table.
    #[inline]
    pub const fn decode(plane: &[u8], at: usize) -> OpCell {
        let at = 6 * at;
        let clause = u16::from_le_bytes([plane[at + 4], plane[at + 5]]);
        match plane[at] {
            REFUSED => OpCell::Refused(clause),
            UNREACHABLE => OpCell::Unreachable,
            BY_COMMON => OpCell::ByCommon,
            common => OpCell::Resolved {
                types: [common, plane[at + 1], plane[at + 2]],
                weak: plane[at + 3] & WEAK != 0,
                clause,
            },
        }
    }
}

/// Encodes the stored dtype of a dtype: that dtype and the clause, or [`NO_CLAUSE`].
pub const fn encode_stored(dtype: u8, clause: u16) -> [u8; 3] {
    let [low, high] = clause.to_le_bytes();
    [dtype, low, high]
}

/// Encodes a cell of a casting level: the clause that refuses, or [`NO_CLAUSE`].
pub const fn encode_cast(clause: u16) -> [u8; 2] {
    clause.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        for cell in [
            Cell::Resolved { dtype: 3, weak: true, clause: 300 },
            Cell::Resolved { dtype: 0, weak: false, clause: NO_CLAUSE },
            Cell::Refused(7),
            Cell::Unreachable,
        ] {
            let mut plane = [9; 8];
            plane[4..].copy_from_slice(&cell.encode());
            assert_eq!(Cell::decode(&plane, 1), cell);
        }
        for cell in [
            OpCell::Resolved { types: [0, 1, 2], weak: true, clause: 300 },
            OpCell::Refused(7),
            OpCell::ByCommon,
            OpCell::Unreachable,
        ] {
            let mut plane = [9; 12];
            plane[6..].copy_from_slice(&cell.encode());
            assert_eq!(OpCell::decode(&plane, 1), cell);
        }
    }
}
