//! Where a framework gives something else than the kernels, and why we do not copy it; and what has no kernel yet.

use core::fmt;

use promote::kernel::ScalarValue;
use promote::{DType, Kind, Number, Op};

use crate::tolerance::parts;

/// One lane that differs.
#[derive(Clone)]
pub(crate) struct Lane {
    pub(crate) op: Op,
    /// The operands; of an op of one operand the second is the first.
    pub(crate) operands: [ScalarValue; 2],
    pub(crate) ours: ScalarValue,
    pub(crate) theirs: ScalarValue,
}

/// A name, the reason, and which lanes it excuses.
pub(crate) struct Exception {
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    is: fn(&Lane) -> bool,
}

impl Exception {
    pub(crate) fn excuses(&self, lane: &Lane) -> bool {
        (self.is)(lane)
    }
}

/// What a framework is excused.
pub(crate) struct Framework {
    pub(crate) name: &'static str,
    pub(crate) exceptions: &'static [Exception],
}

fn shown(value: ScalarValue) -> String {
    match value.number() {
        Some(Number::Bool(x)) => x.to_string(),
        Some(Number::Int(x)) => x.to_string(),
        Some(Number::Float(x)) => format!("{x:e}"),
        Some(Number::Complex(re, im)) => format!("{re:e}{im:+e}i"),
        _ => unreachable!("every recorded dtype has elements"),
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.operands;
        let dtype = self.ours.dtype();
        write!(f, "{}({} {}", self.op, a.dtype(), shown(a))?;
        if self.op.arity() == 2 {
            write!(f, ", {} {}", b.dtype(), shown(b))?;
        }
        write!(f, ") is {dtype} {}, theirs {}", shown(self.ours), shown(self.theirs))
    }
}

/// Ops that look at more than one element, or have more than two operands.
pub(crate) const NOT_ELEMENTWISE: &str = "concatenate stack addcmul isin dot matmul sum prod mean std var cumsum cumprod max min amax \
    amin any all argmax argmin median nansum norm logsumexp";

/// What has no kernel yet: the dtypes it would compute in, and the ops.
pub(crate) const MISSING: &[(&str, &str)] = &[];

pub(crate) const TORCH: Framework = Framework { name: "torch", exceptions: &[] };
pub(crate) const NUMPY: Framework = Framework { name: "numpy", exceptions: &[] };
pub(crate) const JAX: Framework = Framework { name: "jax", exceptions: &[] };
