//! Where a framework gives something else than the reference, and why.

use promote::{DType, Kind, Op};

/// One lane that differs.
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The operands; of an op of one operand the second is the first.
    pub(crate) operands: [(DType, [f64; 2]); 2],
    /// What comes out, as dtype.
    pub(crate) dtype: DType,
    pub(crate) ours: [f64; 2],
    pub(crate) theirs: [f64; 2],
}

impl Lane {
    fn is(&self, ops: &[Op]) -> bool {
        ops.contains(&self.op)
    }

    fn a(&self) -> f64 {
        self.operands[0].1[0]
    }

    fn b(&self) -> f64 {
        self.operands[1].1[0]
    }

    fn float(&self) -> bool {
        self.operands.iter().any(|operand| operand.0.kind() == Kind::Float)
    }

    fn complex(&self) -> bool {
        self.operands.iter().any(|operand| operand.0.kind() == Kind::Complex)
    }
}

/// A name, the reason, and which lanes it excuses.
pub(crate) type Exception = (&'static str, &'static str, fn(&Lane) -> bool);

/// What a framework is excused.
pub(crate) struct Framework {
    pub(crate) lanes: &'static [Exception],
    /// Whole cases: ops, what the text contains, the reason.
    pub(crate) cases: &'static [(&'static str, &'static str, &'static str)],
}

pub(crate) const NUMPY: Framework = Framework { lanes: &[], cases: &[] };
pub(crate) const JAX: Framework = Framework { lanes: &[], cases: &[] };
pub(crate) const TENSORFLOW: Framework = Framework { lanes: &[], cases: &[] };
pub(crate) const PADDLE: Framework = Framework { lanes: &[], cases: &[] };
pub(crate) const ONEFLOW: Framework = Framework { lanes: &[], cases: &[] };
