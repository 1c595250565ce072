//! The ops as types, for rule sets at the type level.
//!
//! Generic code bounds a rule set by the ops that it computes: `R: Compute<op::Add, (A, B)>`.

pub(crate) mod typed;

use crate::{Extra, ExtraKind, Op, semantics};

/// The options of an op that each call chooses, not the rule file. Each op reads its own flags.
///
/// ```
/// use promote::{Flags, Op, Torch};
///
/// let (rate, count) = ([2.0_f32], [1.0_f32]);
/// let operands = [(&rate).into(), (&count).into()];
/// let flags = Flags::DEFAULT.with_log_input(false);
/// let loss = Torch::new().rule_set().prepare(Op::PoissonNllLoss, &operands).flags(flags).run()?;
/// assert_eq!(loss.as_slice(), Some(&[2.0 - (2.0_f32 + 1e-8).ln()][..]));
/// # Ok::<(), promote::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flags {
    /// True if the input of `poisson_nll_loss` is the logarithm of the expected number.
    pub log_input: bool,
    /// True if `poisson_nll_loss` adds Stirling's formula for the logarithm of the factorial.
    pub full: bool,
}

impl Default for Flags {
    /// Returns [`Flags::DEFAULT`].
    fn default() -> Self {
        Flags::DEFAULT
    }
}

impl Flags {
    /// The defaults of PyTorch: `log_input` is true, and `full` is false.
    pub const DEFAULT: Flags = Flags { log_input: true, full: false };

    /// Sets whether the input of `poisson_nll_loss` is the logarithm of the expected number.
    #[must_use]
    pub const fn with_log_input(self, log_input: bool) -> Flags {
        Flags { log_input, ..self }
    }

    /// Sets whether `poisson_nll_loss` adds Stirling's formula for the logarithm of the factorial.
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

    /// Returns the flags that the op reads, as bits of [`semantics`].
    pub(crate) const fn semantics(self, op: Op) -> u16 {
        if op.flags().is_empty() {
            return 0;
        }
        let log = if self.log_input { 0 } else { semantics::LOG_INPUT_FALSE };
        log | if self.full { semantics::FULL_TRUE } else { 0 }
    }
}

/// The `N` numbers that an op takes after its operands, such as the weight of `lerp`, as an argument of
/// [`Compute`](crate::Compute).
///
/// The numbers have a type of their own because, unlike operands, they take no part in promotion.
///
/// ```
/// use promote::{Compute, Numbers, Torch, op};
///
/// let clamped = <Torch as Compute<op::Lerp, _>>::compute((0.0_f32, 8.0_f32, Numbers::new([0.25])));
/// assert_eq!(clamped, 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<const N: usize> {
    values: [f64; N],
    flags: Flags,
}

impl<const N: usize> Numbers<N> {
    /// Returns numbers in the order of the op's parameters, with [`Flags::DEFAULT`].
    pub const fn new(values: [f64; N]) -> Numbers<N> {
        Numbers { values, flags: Flags::DEFAULT }
    }

    /// Returns these numbers with other flags.
    #[must_use]
    pub const fn with_flags(self, flags: Flags) -> Numbers<N> {
        Numbers { flags, ..self }
    }
}

/// The reduction of the results of an elementwise op, such as a loss, to one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Reduction {
    /// The sum; 0 if there are no elements.
    Sum,
    /// The sum divided by the number of elements; NaN if there are none.
    Mean,
}

/// An op as a type. Each standard op has one in this module, and `#[kernel(named)]` makes one for a custom
/// op.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "the type of an op stands here",
    note = "`#[kernel(named)]` on a function makes one that a rule file can name"
)]
pub trait OpType {
    /// The op.
    const OP: Op;
}

/// The form of a standard op's arguments, by which [`Compute`](crate::Compute) finds its implementation.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a standard op",
    label = "generic code computes the ops of the module `op`"
)]
pub trait OpForm {
    /// The form.
    type Form;
}

/// A form of arguments, by one of its constants.
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
    /// `(A, B, C, Numbers<N>)`: three operands decide the dtype.
    pub const JOINED: u8 = 5;
    /// `(A, B)`, where the right operand may be an exponent, which is not converted to the common dtype.
    pub const SCALED: u8 = 6;
    /// `(A, Numbers<N>)`.
    pub const UNARY_EXTENDED: u8 = 7;
    /// `(A, B, Numbers<N>)`, where the number is rounded to the common dtype.
    pub const FACTOR: u8 = 8;

    /// Returns the form of an op; 0 if it is not computed on single elements.
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
            [Extra { kind: ExtraKind::Factor, .. }, ..] => Form::FACTOR,
            _ if op.arity() == 1 => Form::UNARY_EXTENDED,
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
