//! The ops as types, and what rule sets say of them as types (`typed`).

mod typed;

pub use self::typed::Gives;
#[cfg(feature = "kernels")]
pub(crate) use self::typed::narrowed;
pub use self::typed::{
    Compute, ComputeExtended, ComputeJoined, ComputeScaled, ComputeUnary, OpKernel, OpMap, OpRow, OpRule,
    UnaryRule, choose,
};
pub(crate) use self::typed::{LaneOf, lane, operand, result};
use crate::{Op, semantics};

/// What a call chooses of an op, where a rule file chooses nothing. Each op looks at its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Whether the input of `poisson_nll_loss` is the logarithm of the expected number.
    pub log_input: bool,
    /// Whether `poisson_nll_loss` adds Stirling's formula for the logarithm of the factorial.
    pub full: bool,
}

impl Default for Flags {
    /// [`Flags::DEFAULT`].
    fn default() -> Self {
        Flags::DEFAULT
    }
}

impl Flags {
    /// The defaults of PyTorch: `log_input` is true, and `full` is false.
    pub const DEFAULT: Flags = Flags { log_input: true, full: false };

    /// Sets the flag of a name; of an unknown one, nothing.
    pub fn set(&mut self, name: &str, value: bool) {
        match name {
            "log_input" => self.log_input = value,
            "full" => self.full = value,
            _ => {}
        }
    }

    /// Returns them as bits of [`semantics`], if the op looks at them.
    pub(crate) const fn semantics(self, op: Op) -> u16 {
        if op.flags().is_empty() {
            return 0;
        }
        let log = if self.log_input { 0 } else { semantics::LOG_INPUT_FALSE };
        log | if self.full { semantics::FULL_TRUE } else { 0 }
    }
}

/// What becomes of the elements of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum; of none, 0.
    Sum,
    /// Their sum divided by how many they are; of none, NaN.
    Mean,
}

/// An op as a type, for rule sets at the type level.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "the type of an op stands here",
    note = "`#[kernel(named)]` on a function makes one that a rule file can name"
)]
pub trait OpType {
    /// The op.
    const OP: Op;
}

macro_rules! types {
    (
        {}
        kernels [$($kernel:ident $kernel_name:ident { $kernel_info:expr })*]
        tables [$($variant:ident $name:ident { $info:expr })*]
    ) => {
        types! { $($kernel $kernel_name)* $($variant $name)* }
    };
    ($($variant:ident $name:ident)*) => {$(
        #[doc = concat!("The op `", stringify!($name), "` as a type.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $variant;

        impl OpType for $variant {
            const OP: Op = Op::$variant;
        }
    )*};
}

promote_core::__ops! { types {} }
