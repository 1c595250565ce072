//! The ops as types, and what rule sets say of them as types (`typed`).

pub(crate) mod typed;

use crate::{Extra, ExtraKind, Op, semantics};

/// The options that a call chooses, and no rule file. Each op reads its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

    /// Chooses whether the input of `poisson_nll_loss` is the logarithm of the expected number.
    #[must_use]
    pub const fn with_log_input(self, log_input: bool) -> Flags {
        Flags { log_input, ..self }
    }

    /// Chooses whether `poisson_nll_loss` adds Stirling's formula for the logarithm of the factorial.
    #[must_use]
    pub const fn with_full(self, full: bool) -> Flags {
        Flags { full, ..self }
    }

    /// Sets the flag with a name. An unknown name changes nothing.
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

/// The numbers that an op takes behind its operands, such as the weight of `lerp`, as an argument of
/// [`Compute`](crate::Compute). `N` is how many there are.
///
/// They have a type of their own because operands decide the dtype, and these numbers do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<const N: usize> {
    values: [f64; N],
    flags: Flags,
}

impl<const N: usize> Numbers<N> {
    /// Returns the numbers in the order of the op's parameters, with [`Flags::DEFAULT`].
    pub const fn new(values: [f64; N]) -> Numbers<N> {
        Numbers { values, flags: Flags::DEFAULT }
    }

    /// Returns the same numbers with other flags.
    #[must_use]
    pub const fn with_flags(self, flags: Flags) -> Numbers<N> {
        Numbers { flags, ..self }
    }
}

/// How the elements of a loss are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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

/// The arguments that a standard op takes, as a [`Form`]: how [`Compute`](crate::Compute) finds what computes it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a standard op",
    label = "generic code computes the ops of the module `op`"
)]
pub trait OpForm {
    /// The form.
    type Form;
}

/// The form of an op, by one of its constants.
#[doc(hidden)]
pub struct Form<const KIND: u8>;

impl Form<0> {
    /// `(A,)`.
    pub const UNARY: u8 = 1;
    /// `(A, B)`.
    pub const BINARY: u8 = 2;
    /// `(bool, A, B)`.
    pub const WHERE: u8 = 3;
    /// `(A, B, Numbers<N>)`.
    pub const EXTENDED: u8 = 4;
    /// `(A, B, C, Numbers<1>)`: three operands decide the dtype.
    pub const JOINED: u8 = 5;
    /// `(A, B)`, where the right operand may be an exponent, which is not converted as the left one is.
    pub const SCALED: u8 = 6;

    /// Returns the form of an op; 0 if nothing computes it on single elements.
    const fn of(op: Op) -> u8 {
        let Some(kernel) = &op.info().kernel else {
            return 0;
        };
        match kernel.extras {
            _ if matches!(op, Op::Ldexp) => Form::SCALED,
            [] if op.arity() == 1 => Form::UNARY,
            [] => Form::BINARY,
            [Extra { kind: ExtraKind::Condition, .. }, ..] => Form::WHERE,
            [Extra { kind: ExtraKind::Operand, .. }, ..] => Form::JOINED,
            _ => Form::EXTENDED,
        }
    }
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

        impl OpForm for $variant {
            type Form = Form<{ Form::of(Op::$variant) }>;
        }
    )*};
}

promote_core::__ops! { types {} }
