//! How promotion sees the arguments of run-time calls, and the options of these calls.

use promote_core::__private::table::InPlace;

use crate::kernel::Kernel;
use crate::level::Level;
use crate::memory::{Argument, ScalarValue, TensorViewMut};
use crate::op::Flags;
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, OpTypes};

impl Argument<'_> {
    /// Returns the argument for an operand that is `out` as well.
    pub(super) fn of_out(out: &TensorViewMut<'_>) -> Self {
        // The rule set may treat a zero-dimensional operand differently, and may look at its value.
        match out.as_view().and_then(|view| view.zero_dim()) {
            Some(element) => Argument::ZeroDim(element),
            None => Argument::InPlace(out.dtype()),
        }
    }

    /// Returns the operand as promotion sees it: its category and dtype, with the value of a number or a
    /// zero-dimensional array.
    #[inline]
    pub fn operand(&self) -> Operand {
        match self {
            Argument::Slice(slice) => Operand::Array(slice.dtype()),
            Argument::InPlace(dtype) => Operand::Array(*dtype),
            Argument::Array(view) => match view.zero_dim() {
                Some(value) => zero_dim(value),
                None => Operand::Array(view.dtype()),
            },
            Argument::Weak(view) => Operand::Weak(view.dtype()),
            Argument::ZeroDim(value) => zero_dim(*value),
            Argument::Number(number) => Operand::Number(*number),
        }
    }
}

/// The options of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) flags: Flags,
    /// The SIMD level; `None` for the level in use.
    pub(crate) level: Option<Level>,
}

impl Options {
    pub(crate) const DEFAULT: Options = Options { flags: Flags::DEFAULT, level: None };

    /// Returns the level to look kernels up at, which the machine has.
    pub(crate) fn level(self) -> Level {
        self.level.map_or_else(Level::active, Level::or_below)
    }
}

impl From<Flags> for Options {
    fn from(flags: Flags) -> Self {
        Options { flags, level: None }
    }
}

/// The destination of a call's result, which decides its dtypes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// An array of the dtype that the op gives.
    New,
    /// The first operand.
    InPlace,
    /// An array of this dtype, if the rule set allows the cast.
    Out(DType),
    /// Any array: the caller chose the dtypes, whatever the operands promote to.
    As(OpTypes),
}

impl RuleSet {
    /// Returns true if a kernel for arrays, with the dtypes that the op gives, computes a call on these
    /// arguments for this destination.
    pub(super) fn is_for(&self, target: Target, given: &[Argument<'_>], kernel: &Kernel) -> bool {
        let output = kernel.dtypes()[2];
        match target {
            Target::New => true,
            Target::Out(dtype) => output == dtype,
            Target::InPlace if given[0].dtype() == Some(output) => {
                self.tables.inplace == Some(InPlace::Result) || self.can_cast_result(output, output).is_ok()
            }
            Target::InPlace | Target::As(_) => false,
        }
    }
}

/// Returns a zero-dimensional operand with its value, which some rule sets look at.
fn zero_dim(value: ScalarValue) -> Operand {
    Operand::ZeroDim(value.dtype(), value.number())
}
